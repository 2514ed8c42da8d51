/* cli/cmd/layout_guess.c - see layout_guess.h. */
#include "cli/cmd/layout_guess.h"

#include "models/core/unit.h"
#include "models/vocab/volume_config.h"

#include <stdlib.h>
#include <string.h>

/* TUNING: disks of one stripe differ by less than this in mean reads and writes; below
 * IDLE_MIBPS a device counts as idle, whatever the ratio. */
#define ALIKE_RATIO 1.25
#define IDLE_MIBPS  0.05

struct device {
    const struct load_series *series;
    double read_mibps, write_mibps, unsplit_mibps; /* time-weighted means */
    size_t group;
};

static bool starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* "sda1" of "sda", "nvme0n1p2" of "nvme0n1". */
static bool is_partition_of(const char *name, const char *whole)
{
    size_t len = strlen(whole);
    if (strncmp(name, whole, len) != 0 || !name[len])
        return false;
    const char *rest = name + len;
    bool needs_p = len && whole[len - 1] >= '0' && whole[len - 1] <= '9';
    if (needs_p && *rest++ != 'p')
        return false;
    return *rest && rest[strspn(rest, "0123456789")] == '\0';
}

/* "dev8-5" of "dev8-0", as sar names SCSI disks: 16 minor numbers each. */
static bool is_minor_of(const char *name, const char *whole)
{
    enum { MINORS = 16 };
    const char *of = strchr(name, '-');
    size_t major_len = of ? (size_t)(of - name) + 1 : 0;
    if (!starts(name, "dev8-") || strncmp(name, whole, major_len) != 0)
        return false;
    long minor = strtol(name + major_len, NULL, 10), disk = strtol(whole + major_len, NULL, 10);
    return minor % MINORS && minor - minor % MINORS == disk;
}

/* Whether a device stands on others, so that its load would count twice: dm-0 (dev253-0 of sar),
 * md0, loop0, a partition of a device that was measured too. */
static bool is_derived(const char *device, const struct system_load *load)
{
    if (starts(device, "dm-") || starts(device, "dev253-") || starts(device, "md") ||
        starts(device, "loop"))
        return true;
    for (size_t i = 0; i < load->n_series; i++)
        if (load->series[i].kind == SERIES_DEVICE &&
            (is_partition_of(device, load->series[i].name) ||
             is_minor_of(device, load->series[i].name)))
            return true;
    return false;
}

static double mean_of(const struct load_series *s, const double *rate)
{
    double sum = 0, time_ms = 0;
    for (size_t i = 0; rate && i < s->n; i++)
        if (isfinite(rate[i])) {
            double ms = (double)(s->end_ms[i] - s->begin_ms[i]);
            sum += rate[i] * ms;
            time_ms += ms;
        }
    return time_ms > 0 ? sum / time_ms : 0;
}

static bool alike(double a, double b)
{
    double low = fmin(a, b), high = fmax(a, b);
    return high < IDLE_MIBPS || high <= low * ALIKE_RATIO;
}

static bool same_host(const struct load_series *a, const struct load_series *b)
{
    return a->host == b->host || (a->host && b->host && strcmp(a->host, b->host) == 0);
}

static void init_group(struct layout_group *g, const char *name, enum group_role role)
{
    *g = layout_group_unknown;
    g->name = name;
    g->role = role;
}

/* Numbers the groups in d[]; returns how many there are. */
static size_t cluster(struct device *d, size_t n)
{
    size_t groups = 0;
    for (size_t i = 0; i < n; i++) {
        d[i].group = groups;
        for (size_t j = 0; j < i; j++)
            if (same_host(d[i].series, d[j].series) && alike(d[i].read_mibps, d[j].read_mibps) &&
                alike(d[i].write_mibps, d[j].write_mibps) &&
                alike(d[i].unsplit_mibps, d[j].unsplit_mibps)) {
                d[i].group = d[j].group;
                break;
            }
        groups += d[i].group == groups;
    }
    return groups;
}

static bool many_hosts(const struct device *d, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!same_host(d[i].series, d[0].series))
            return true;
    return false;
}

static int groups_of_devices(const struct device *d, size_t n, size_t n_groups, struct arena *a,
                             struct layout_group **out, struct err *e)
{
    struct layout_group *groups = arena_array(a, n_groups, sizeof *groups);
    const char **names = arena_array(a, n, sizeof *names);
    if (!groups || !names)
        return err_nomem(e);
    bool with_host = many_hosts(d, n);
    size_t at = 0;
    for (size_t g = 0; g < n_groups; g++) {
        const char *name = arena_printf(a, "GROUP%zu", g + 1);
        if (!name)
            return err_nomem(e);
        init_group(&groups[g], name, ROLE_OTHER);
        const char **members = names + at;
        for (size_t i = 0; i < n; i++) {
            if (d[i].group != g)
                continue;
            const struct load_series *s = d[i].series;
            names[at] = with_host && s->host ? arena_printf(a, "%s:%s", s->host, s->name) : s->name;
            if (!names[at++])
                return err_nomem(e);
        }
        size_t n_members = (size_t)(names + at - members);
        if (d->series->kind == SERIES_VOLUME) {
            groups[g].volume_ids = members;
            groups[g].n_volume_ids = n_members;
        } else {
            groups[g].devices = members;
            groups[g].n_devices = n_members;
        }
    }
    *out = groups;
    return 0;
}

/* --- today's volumes ---------------------------------------------------------------------------
 */

/* The last description of a volume that tells its type and size; NULL = none. */
static const struct stored_volume *described(const struct system_load *load, const char *id)
{
    const struct stored_volume *found = NULL;
    for (size_t i = 0; i < load->n_volumes; i++) {
        const struct volume_config *c = &load->volumes[i].config;
        if (span_is(c->volume_id, id) && c->spec.type < VOL_TYPE_COUNT && c->spec.size_gib > 0)
            found = &load->volumes[i];
    }
    return found;
}

/* Of a group of volume ids, where every one of them was described. */
static int describe_volumes(const struct system_load *load, struct layout_group *g, struct arena *a,
                            struct err *e)
{
    struct layout_volumes *v = arena_array(a, g->n_volume_ids, sizeof *v);
    size_t n = 0;
    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < g->n_volume_ids; i++) {
        const struct stored_volume *d = described(load, g->volume_ids[i]);
        if (!d)
            return 0;
        size_t k = 0;
        while (k < n && !(volume_spec_alike(&v[k].spec, &d->config.spec) &&
                          v[k].since_ms == d->config.created_ms))
            k++;
        if (k < n)
            v[k].spec.count++;
        else
            v[n++] = (struct layout_volumes){ d->config.spec, d->config.created_ms };
    }
    g->volumes = v;
    g->n_volumes = n;
    return 0;
}

static int describe_groups(const struct system_load *load, struct layout_group *groups, size_t n,
                           struct arena *a, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = groups[i].n_volume_ids ? describe_volumes(load, &groups[i], a, e) : 0;
    return rc;
}

/* Of block devices, or of volumes. */
static int guess_from_devices(const struct system_load *load, enum series_kind kind,
                              struct arena *a, struct layout *out, struct err *e)
{
    struct device *d = arena_array(a, load->n_series, sizeof *d);
    size_t n = 0;
    if (!d)
        return err_nomem(e);
    for (size_t i = 0; i < load->n_series; i++) {
        const struct load_series *s = &load->series[i];
        if (s->kind != kind || (kind == SERIES_DEVICE && is_derived(s->name, load)))
            continue;
        d[n++] = (struct device){ .series = s,
                                  .read_mibps = mean_of(s, s->read_mibps),
                                  .write_mibps = mean_of(s, s->write_mibps),
                                  .unsplit_mibps = mean_of(s, s->unsplit_mibps) };
    }
    if (!n)
        return 0;
    struct layout_group *groups;
    out->n_groups = cluster(d, n);
    int rc = groups_of_devices(d, n, out->n_groups, a, &groups, e);
    if (!rc)
        rc = describe_groups(load, groups, out->n_groups, a, e);
    if (!rc)
        out->groups = groups;
    return rc;
}

/* Where the file types of AWR usually lie. */
static const struct usual_group {
    const char *name;
    enum group_role role;
    const char *files[6];
} usual[] = {
    { "DATA", ROLE_DATA, { "Data File", "Temp File", "Control File", "Other" } },
    { "REDO", ROLE_REDO, { "Log File" } },
    { "FRA", ROLE_ARCHIVE, { "Archive Log", "Flashback Log" } },
};

static bool was_seen(const struct system_load *load, const char *file)
{
    for (size_t i = 0; i < load->n_series; i++)
        if (load->series[i].kind == SERIES_FILETYPE && strcmp(load->series[i].name, file) == 0)
            return true;
    return false;
}

static int guess_from_files(const struct system_load *load, struct arena *a, struct layout *out,
                            struct err *e)
{
    enum { N = sizeof usual / sizeof *usual, FILES = sizeof usual->files / sizeof *usual->files };
    struct layout_group *groups = arena_array(a, N, sizeof *groups);
    if (!groups)
        return err_nomem(e);
    out->groups = groups;
    for (size_t i = 0; i < N; i++) {
        struct layout_group *g = &groups[out->n_groups];
        struct layout_file *files = arena_array(a, FILES, sizeof *files);
        if (!files)
            return err_nomem(e);
        init_group(g, usual[i].name, usual[i].role);
        g->files = files;
        for (size_t f = 0; f < FILES && usual[i].files[f]; f++)
            if (was_seen(load, usual[i].files[f]))
                files[g->n_files++] = (struct layout_file){ usual[i].files[f], 100 };
        out->n_groups += g->n_files > 0;
    }
    return 0;
}

int layout_guess(const struct system_load *load, struct arena *a, struct layout *out, struct err *e)
{
    struct layout l = layout_unknown;
    l.system = load->system;
    int rc = load->n_series ? guess_from_devices(load, SERIES_DEVICE, a, &l, e) : 0;
    if (!rc && !l.n_groups && load->n_series)
        rc = guess_from_devices(load, SERIES_VOLUME, a, &l, e);
    if (!rc && !l.n_groups)
        rc = guess_from_files(load, a, &l, e);
    if (!rc && !l.n_groups)
        rc = err_set(e, ERR_USAGE, "%s: nothing was ingested that a layout could be made of",
                     load->system);
    if (!rc)
        *out = l;
    return rc;
}
