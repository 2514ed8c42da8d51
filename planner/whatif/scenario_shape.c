/* planner/whatif/scenario_shape.c - what changes the load itself, not what makes it: merges lost,
 * requests split, load moved in time, backup and restore windows.  See scenario.h.
 *
 *   scenario_shape_all
 *     shape_window            when it runs, which groups it reads and writes
 *     shape_cut               merge-loss and split
 *     shape_shift */
#include "planner/whatif/scenario.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/io_count.h"

#include <math.h>
#include <string.h>

/* RMAN reads and writes disk buffers of 1 MiB; merges join bios of 4 KiB. */
#define RMAN_REQUEST_KIB 1024.0
#define BIO_KIB          4.0
#define HOUR_MS          INT64_C(3600000)
/* Days of a daily window: eleven years; the first ones count. */
enum { SSD_CAP_KIB = 256, DAYS_MAX = 4000, SHAPING_MAX = 64 };

static bool is_shape(enum whatif_kind k)
{
    return k == WHATIF_MERGE_LOSS || k == WHATIF_SPLIT || k == WHATIF_RMAN || k == WHATIF_RESTORE ||
           k == WHATIF_SHIFT;
}

/* A build under way. */
struct shaping {
    struct scenario *s;
    struct scenario_shape *shapes;
    struct scenario_window *windows;
    const struct load_points *measured; /* of the whole system */
    int64_t *days_ms;                   /* that were measured, midnights */
    size_t n_days;
    struct arena *a;
    struct err *e;
};

static bool is_window(const struct whatif_change *c)
{
    return c->kind == WHATIF_RMAN || c->kind == WHATIF_RESTORE;
}

static int64_t midnight_ms(int64_t t_ms)
{
    return t_ms - ((t_ms % DAY_MS) + DAY_MS) % DAY_MS;
}

/* --- days and windows ------------------------------------------------------------------------- */

static int find_days(struct shaping *b)
{
    const struct load_points *p = b->measured;
    b->days_ms = arena_array(b->a, DAYS_MAX, sizeof *b->days_ms);
    if (!b->days_ms)
        return err_nomem(b->e);
    int64_t next_ms = INT64_MIN;
    for (size_t i = 0; i < p->n; i++) {
        int64_t day_ms = midnight_ms(p->at[i].begin_ms);
        for (day_ms = day_ms < next_ms ? next_ms : day_ms;
             day_ms < p->at[i].end_ms && b->n_days < DAYS_MAX; day_ms += DAY_MS) {
            b->days_ms[b->n_days++] = day_ms;
            next_ms = day_ms + DAY_MS;
        }
    }
    return 0;
}

/* Begins of a daily window.  That of the day before the first counts when it runs into what was
 * measured.  Room for n_days + 1. */
static size_t daily_begins(const struct shaping *b, const struct whatif_change *c,
                           int64_t length_ms, int64_t *out)
{
    size_t n = 0;
    int64_t before_ms = b->days_ms[0] - DAY_MS + c->start_ms;
    if (before_ms + length_ms > b->measured->at[0].begin_ms)
        out[n++] = before_ms;
    for (size_t i = 0; i < b->n_days; i++)
        out[n++] = b->days_ms[i] + c->start_ms;
    return n;
}

static double overlap_s(const struct load_points *p, int64_t begin_ms, int64_t end_ms)
{
    double sum_s = 0;
    for (size_t i = 0; i < p->n && p->at[i].begin_ms < end_ms; i++) {
        int64_t from = p->at[i].begin_ms > begin_ms ? p->at[i].begin_ms : begin_ms;
        int64_t to = p->at[i].end_ms < end_ms ? p->at[i].end_ms : end_ms;
        sum_s += to > from ? (double)(to - from) / 1e3 : 0;
    }
    return sum_s;
}

/* --- whom a window reads and writes ----------------------------------------------------------- */

static double group_gib(const struct layout_group *g)
{
    if (g->used_gib > 0)
        return (double)g->used_gib;
    if (g->need_gib > 0)
        return (double)g->need_gib;
    return (double)layout_volumes_gib(g) / redundancy_copies(g->redundancy);
}

/* Parts of the data files that the groups hold: share[], 0 where none. */
static int data_shares(const struct shaping *b, double *share, struct scenario_window *w)
{
    const struct layout *l = &b->s->layout;
    double sum = 0;
    w->by_size = true;
    for (size_t g = 0; g < l->n_groups; g++) {
        if (l->groups[g].role != ROLE_DATA)
            continue;
        share[g] = group_gib(&l->groups[g]);
        w->by_size &= share[g] > 0;
        w->data_groups++;
        sum += share[g];
    }
    if (!w->data_groups)
        return err_set(b->e, ERR_USAGE, "the layout has no group with role data");
    for (size_t g = 0; g < l->n_groups; g++)
        if (l->groups[g].role == ROLE_DATA)
            share[g] = w->by_size ? share[g] / sum : 1 / (double)w->data_groups;
    return 0;
}

static int find_group(const struct shaping *b, const char *name, size_t *out)
{
    const struct layout *l = &b->s->layout;
    for (size_t g = 0; g < l->n_groups; g++)
        if (strcmp(l->groups[g].name, name) == 0) {
            *out = g;
            return 0;
        }
    return err_set(b->e, ERR_USAGE, "the layout has no group %s", name);
}

/* Parts of the backups that the groups hold. */
static int backup_shares(const struct shaping *b, const struct whatif_change *c, double *share,
                         struct scenario_window *w)
{
    const struct layout *l = &b->s->layout;
    size_t named = l->n_groups;
    if (c->name) {
        int rc = find_group(b, c->name, &named);
        if (rc)
            return rc;
        share[named] = 1;
        w->backup_group = l->groups[named].name;
        return 0;
    }
    for (size_t g = 0; g < l->n_groups; g++)
        for (size_t i = 0; i < l->groups[g].n_files; i++)
            if (strcmp(l->groups[g].files[i].name, "Data File Backup") == 0) {
                share[g] = l->groups[g].files[i].share_pct / 100;
                w->backup_group = l->groups[g].name;
            }
    return 0;
}

/* --- one window ------------------------------------------------------------------------------- */

static struct path_rates rates_in(double read_mibps, double write_mibps)
{
    double per_mib = 1024 / RMAN_REQUEST_KIB;
    return (struct path_rates){
        read_mibps, write_mibps, read_mibps * per_mib, write_mibps * per_mib,
        io_counted_likely(read_mibps * per_mib, read_mibps, SSD_CAP_KIB) +
            io_counted_likely(write_mibps * per_mib, write_mibps, SSD_CAP_KIB)
    };
}

static int add_lane(struct shaping *b, size_t g, const struct path_rates *r, const int64_t *begins,
                    size_t n, int64_t length_ms)
{
    struct load_shape *s = &b->shapes[g].load;
    struct load_points p = { arena_array(b->a, n, sizeof *p.at), n };
    if (!p.at)
        return err_nomem(b->e);
    for (size_t i = 0; i < n; i++)
        p.at[i] = (struct load_point){ .begin_ms = begins[i],
                                       .end_ms = begins[i] + length_ms,
                                       .interval_s = 1, /* it runs at this rate all the time */
                                       .read_iops = r->read_iops,
                                       .write_iops = r->write_iops,
                                       .read_mibps = r->read_mibps,
                                       .write_mibps = r->write_mibps,
                                       .counted_iops = r->counted_iops,
                                       .counted_iops_high = r->counted_iops,
                                       .unsplit_iops = NAN,
                                       .unsplit_mibps = NAN };
    struct load_points *all = arena_grow(b->a, s->added, s->n_added, s->n_added + 1, sizeof *all);
    if (!all)
        return err_nomem(b->e);
    all[s->n_added++] = p;
    s->added = all;
    return 0;
}

static int add_to_groups(struct shaping *b, const struct whatif_change *c, const double *data,
                         const double *backup, const int64_t *begins, size_t n)
{
    int64_t length_ms = llround(c->hours * (double)HOUR_MS);
    double days = fmax((double)b->n_days, ceil(c->hours / 24));
    double part = c->daily ? c->hours / 24 : c->hours / (24 * days);
    for (size_t g = 0; g < b->s->layout.n_groups; g++) {
        const double *reads = c->kind == WHATIF_RMAN ? data : backup;
        const double *writes = c->kind == WHATIF_RMAN ? backup : data;
        double copies = redundancy_copies(b->s->layout.groups[g].redundancy);
        struct path_rates r =
            rates_in(c->window_mibps * reads[g], c->window_mibps * writes[g] * copies);
        struct path_rates mean = rates_in(r.read_mibps * part, r.write_mibps * part);
        if (!(path_total_mibps(&r) > 0))
            continue;
        int rc = add_lane(b, g, &r, begins, n, length_ms);
        if (rc)
            return rc;
        b->shapes[g].added = path_rates_plus(b->shapes[g].added, &mean);
    }
    return 0;
}

static int shape_window(struct shaping *b, const struct whatif_change *c)
{
    size_t n_groups = b->s->layout.n_groups + 1, n = 1;
    int64_t length_ms = llround(c->hours * (double)HOUR_MS);
    struct scenario_window w = { .change = c };
    double *data = arena_array(b->a, n_groups, sizeof *data);
    double *backup = arena_array(b->a, n_groups, sizeof *backup);
    int64_t *begins = arena_array(b->a, b->n_days + 1, sizeof *begins);
    if (!data || !backup || !begins)
        return err_nomem(b->e);
    if (c->daily && !b->n_days)
        return err_set(b->e, ERR_USAGE, "nothing was measured: give a date and time");
    int rc = data_shares(b, data, &w);
    if (!rc)
        rc = backup_shares(b, c, backup, &w);
    if (rc)
        return rc;
    if (c->daily)
        n = daily_begins(b, c, length_ms, begins);
    else
        begins[0] = c->start_ms;
    w.times = n;
    w.seconds = (double)n * (double)length_ms / 1e3;
    w.unmeasured_s = w.seconds;
    for (size_t i = 0; i < n; i++)
        w.unmeasured_s -= overlap_s(b->measured, begins[i], begins[i] + length_ms);
    b->windows[b->s->n_windows++] = w;
    return add_to_groups(b, c, data, backup, begins, n);
}

/* --- requests --------------------------------------------------------------------------------- */

/* Disks of a group: as the layout says, else as many as were measured; 0 = not known. */
static int64_t disks_of(const struct scenario *s, size_t g)
{
    const struct layout_group *l = &s->layout.groups[g];
    const struct group_demand *d = &s->measured->groups[s->from[g]];
    int64_t n = layout_volume_count(l);
    for (size_t i = 0; i < d->n_members && !l->n_volumes; i++)
        n += d->members[i].series->kind != SERIES_FILETYPE;
    return n;
}

static int lose_merges(struct shaping *b, size_t g, const struct whatif_change *c)
{
    const struct layout_group *l = &b->s->layout.groups[g];
    struct scenario_shape *shape = &b->shapes[g];
    double kib = BIO_KIB / (1 - c->pct / 100);
    double skew = fmax(fmax(1, l->skew), b->s->measured->groups[b->s->from[g]].hot.uneven_mibps);
    int64_t disks = disks_of(b->s, g), cut = c->whole == UNKNOWN ? disks : c->whole;
    if (c->whole != UNKNOWN && disks < cut)
        return disks
                   ? err_set(b->e, ERR_USAGE, "group %s has %lld disks", l->name, (long long)disks)
                   : err_set(b->e, ERR_USAGE,
                             "how many disks group %s has is not known: give its volumes in the "
                             "layout",
                             l->name);
    double share = cut < disks ? (double)cut * skew / (double)disks : 1;
    if (share >= 1) {
        shape->load.all.kib = fmin(shape->load.all.kib, kib);
        return 0;
    }
    bool other = !isinf(shape->load.some.kib);
    shape->load.some.share = other ? fmax(shape->load.some.share, share) : share;
    shape->load.some.kib = fmin(shape->load.some.kib, kib);
    shape->disks = (struct disk_cut){ cut, disks, shape->load.some.kib, skew / (double)disks };
    return 0;
}

static int shape_cut(struct shaping *b, const struct whatif_change *c)
{
    size_t n = b->s->layout.n_groups, from = 0, to = n;
    if (c->kind == WHATIF_SPLIT) {
        for (size_t g = 0; g < n; g++)
            b->shapes[g].load.all.kib = fmin(b->shapes[g].load.all.kib, c->request_kib);
        return 0;
    }
    if (c->name) {
        int rc = find_group(b, c->name, &from);
        if (rc)
            return rc;
        to = from + 1;
    }
    for (size_t g = from; g < to; g++) {
        int rc = lose_merges(b, g, c);
        if (rc)
            return rc;
    }
    return 0;
}

/* --- time ------------------------------------------------------------------------------------- */

static int shape_shift(struct shaping *b, const struct whatif_change *c)
{
    size_t g = 0;
    int rc = find_group(b, c->name, &g);
    if (rc || !b->measured->n)
        return rc;
    struct load_shape *s = &b->shapes[g].load;
    s->shift_ms += llround(c->hours * (double)HOUR_MS);
    s->wrap_begin_ms = midnight_ms(b->measured->at[0].begin_ms);
    s->wrap_end_ms = midnight_ms(b->measured->at[b->measured->n - 1].end_ms - 1) + DAY_MS;
    return 0;
}

/* --- all of it -------------------------------------------------------------------------------- */

static int shape_one(struct shaping *b, const struct whatif_change *c)
{
    return is_window(c)              ? shape_window(b, c)
           : c->kind == WHATIF_SHIFT ? shape_shift(b, c)
                                     : shape_cut(b, c);
}

/* Those of before, and new ones. */
static int append(struct scenario *s, const struct whatif_change *changes, size_t n,
                  struct arena *a, struct err *e)
{
    const struct whatif_change **all = arena_grow(a, s->shaping, s->n_shaping, s->n_shaping + n + 1,
                                                  sizeof(struct whatif_change *));
    if (!all)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        if (is_shape(changes[i].kind))
            all[s->n_shaping++] = &changes[i];
    s->shaping = all;
    if (s->n_shaping > SHAPING_MAX)
        return err_set(e, ERR_USAGE, "more than %d changes of the load itself", SHAPING_MAX);
    return 0;
}

int scenario_shape_all(struct scenario *s, const struct whatif_change *changes, size_t n,
                       struct arena *a, struct err *e)
{
    struct shaping b = { .s = s, .measured = &s->measured->points, .a = a, .e = e };
    int rc = append(s, changes, n, a, e);
    if (rc || !s->n_shaping)
        return rc;
    b.shapes = arena_array(a, s->layout.n_groups + 1, sizeof *b.shapes);
    b.windows = arena_array(a, s->n_shaping, sizeof *b.windows);
    if (!b.shapes || !b.windows)
        return err_nomem(e);
    rc = find_days(&b);
    for (size_t g = 0; g < s->layout.n_groups; g++)
        b.shapes[g].load.all = b.shapes[g].load.some = (struct request_cut){ INFINITY, 1 };
    s->n_windows = 0;
    for (size_t i = 0; i < s->n_shaping && !rc; i++) {
        rc = shape_one(&b, s->shaping[i]);
        if (rc)
            err_prefix(e, "--%s", whatif_kind_name(s->shaping[i]->kind));
    }
    s->shapes = b.shapes;
    s->windows = b.windows;
    return rc;
}

struct path_rates scenario_shaped(const struct scenario *s, size_t g, struct path_rates r)
{
    if (!s->shapes)
        return r;
    const struct scenario_shape *shape = &s->shapes[g];
    const struct request_cut cuts[] = { shape->load.all, { shape->load.some.kib, 1 } };
    if (path_total_mibps(&shape->added) > 0) /* else what is unknown stays so */
        r = path_rates_plus(r, &shape->added);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        r.read_iops = request_cut_iops(cuts[i], r.read_iops, r.read_mibps);
        r.write_iops = request_cut_iops(cuts[i], r.write_iops, r.write_mibps);
        if (isinf(cuts[i].kib))
            continue;
        double counted = io_counted_likely(r.read_iops, r.read_mibps, SSD_CAP_KIB) +
                         io_counted_likely(r.write_iops, r.write_mibps, SSD_CAP_KIB);
        r.counted_iops = fmax(r.counted_iops, counted);
    }
    return r;
}
