/* data/load_devices.c - see load_devices.h. */
#include "data/load_devices.h"

#include "data/zone.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

/* The zone in which a file's times were read. */
struct file_zone {
    int64_t file_id;
    const struct zone *zone; /* NULL = UTC, or no longer to be found */
};

struct taker {
    struct points *points;
    const struct file_zone *zones;
    size_t n_zones;
    /* of the file under way */
    int64_t file_id, first_ms, last_ms;
};

/* What of a total is not in the parts; NaN when the parts are all there is. */
static double rest_of(double total, double a, double b)
{
    if (isnan(total))
        return NAN;
    double rest = total - (isnan(a) ? 0 : a) - (isnan(b) ? 0 : b);
    return rest > 0 ? rest : 0;
}

static struct point to_point(const struct store_sample *s, int64_t file_id)
{
    return (struct point){
        .begin_ms = s->begin_ms,
        .end_ms = s->end_ms,
        .file_id = file_id,
        .line = s->line,
        .read_iops = s->reads_per_s,
        .write_iops = s->writes_per_s,
        .read_mibps = s->read_kib_per_s / 1024,
        .write_mibps = s->write_kib_per_s / 1024,
        .unsplit_iops = rest_of(s->total_per_s, s->reads_per_s, s->writes_per_s),
        .unsplit_mibps = rest_of(s->total_kib_per_s, s->read_kib_per_s, s->write_kib_per_s) / 1024,
        .read_merge_pct = s->read_merge_pct,
        .read_await_ms = s->read_await_ms,
        .write_await_ms = s->write_await_ms,
        .longest_ms = s->longest_ms == UNKNOWN ? 0 : s->longest_ms,
    };
}

static void leave_out_artefact(struct points *p, const struct store_sample *s)
{
    double parts = s->read_kib_per_s + s->write_kib_per_s;
    double mibps = (isnan(parts) ? s->total_kib_per_s : parts) / 1024;
    p->n_artefacts++;
    if (isnan(mibps) || p->artefact_max_mibps >= mibps)
        return;
    p->artefact_max_mibps = mibps;
    p->artefact_max_ms = s->begin_ms;
}

/* Ends the file under way, and begins the next one. */
static void next_file(struct taker *t, int64_t file_id)
{
    for (size_t i = 0; i < t->n_zones && t->first_ms != UNKNOWN; i++)
        if (t->zones[i].file_id == t->file_id)
            t->points->n_folds += zone_folds(t->zones[i].zone, t->first_ms, t->last_ms);
    t->file_id = file_id;
    t->first_ms = t->last_ms = UNKNOWN;
}

static int take_block(void *ctx, int64_t file_id, const struct store_sample *samples, size_t n,
                      struct err *e)
{
    struct taker *t = ctx;
    int rc = 0;
    if (file_id != t->file_id)
        next_file(t, file_id);
    for (size_t i = 0; i < n && !rc; i++) {
        const struct store_sample *s = &samples[i];
        if (s->flags & STORE_SINCE_BOOT) {
            t->points->n_since_boot++;
            t->points->n_resets += t->first_ms != UNKNOWN;
        } else if (s->flags & STORE_ARTEFACT) {
            leave_out_artefact(t->points, s);
        } else {
            rc = points_add(t->points, to_point(s, file_id), e);
        }
        if (!points_are_times(s->begin_ms, s->end_ms))
            continue;
        if (t->first_ms == UNKNOWN)
            t->first_ms = s->begin_ms;
        t->last_ms = s->end_ms > t->last_ms ? s->end_ms : t->last_ms;
    }
    return rc;
}

/* A zone that is not there any more leaves its folds uncounted: the times are in the store. */
static int zones_of_files(struct store *s, const char *system, struct arena *a, struct taker *out,
                          struct err *e)
{
    struct store_file *files = NULL;
    size_t n = 0;
    int rc = store_files(s, system, a, &files, &n, e);
    if (rc)
        return rc;
    struct file_zone *zones = arena_array(a, n, sizeof *zones);
    if (!zones)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        zones[i].file_id = files[i].file_id;
        if (i && files[i].zone && files[i - 1].zone && !strcmp(files[i].zone, files[i - 1].zone))
            zones[i].zone = zones[i - 1].zone;
        else if (files[i].zone)
            rc = zone_open(span_of(files[i].zone), a, &zones[i].zone, NULL);
        if (rc == ERR_NOMEM)
            return err_nomem(e);
    }
    out->zones = zones;
    out->n_zones = n;
    return 0;
}

int load_devices(struct store *s, const char *system, struct series_list *l, struct points *scratch,
                 struct err *e)
{
    struct taker t = { .points = scratch };
    struct store_series *stored = NULL;
    size_t n = 0;
    int rc = zones_of_files(s, system, l->arena, &t, e);
    if (!rc)
        rc = store_series(s, system, l->arena, &stored, &n, e);
    for (size_t i = 0; i < n && !rc; i++) {
        struct load_series head = { .kind = stored[i].kind,
                                    .counts = stored[i].counts,
                                    .host = stored[i].host,
                                    .name = stored[i].name,
                                    .instance_number = stored[i].instance_number };
        points_clear(scratch);
        t.file_id = UNKNOWN;
        t.first_ms = t.last_ms = UNKNOWN;
        rc = store_samples(s, &stored[i], take_block, &t, e);
        next_file(&t, UNKNOWN);
        if (!rc)
            rc = series_list_put(l, scratch, &head, e);
    }
    return rc;
}
