/* data/load_metrics.c - see load_metrics.h.
 *
 *   load_metrics
 *     metric_part       which part of whose load a metric is
 *     read_part         values -> rates -> rate_lane_finish
 *     join_parts        six lanes -> points -> series_list_put
 *     read_series       what is no part: a metric series */
#include "data/load_metrics.h"

#include "data/rate_lane.h"
#include "models/core/mem.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- what a metric is ----------------------------------------------------------------------------
 */

enum part { READ_BYTES, WRITE_BYTES, READ_OPS, WRITE_OPS, BOTH_BYTES, BOTH_OPS, PART_COUNT };

static const struct part_metric {
    const char *metric, *namespace_name, *dimension;
    enum series_kind kind;
    enum part part;
    double scale; /* to requests/s or MiB/s */
} part_metrics[] = {
#define VOLUME(metric, part, scale)                                                                \
    {                                                                                              \
        metric, "AWS/EBS", "VolumeId=", SERIES_VOLUME, part, scale                                 \
    }
#define INSTANCE(metric, part, scale)                                                              \
    {                                                                                              \
        metric, "AWS/EC2", "InstanceId=", SERIES_INSTANCE, part, scale                             \
    }
    VOLUME("VolumeReadOps", READ_OPS, 1),
    VOLUME("VolumeWriteOps", WRITE_OPS, 1),
    VOLUME("VolumeReadBytes", READ_BYTES, 1 / MIB_BYTES),
    VOLUME("VolumeWriteBytes", WRITE_BYTES, 1 / MIB_BYTES),
    VOLUME("VolumeAvgIOPS", BOTH_OPS, 1),
    VOLUME("VolumeAvgThroughput", BOTH_BYTES, 1.0 / 1024), /* in KiB/s */
    INSTANCE("EBSReadOps", READ_OPS, 1),
    INSTANCE("EBSWriteOps", WRITE_OPS, 1),
    INSTANCE("EBSReadBytes", READ_BYTES, 1 / MIB_BYTES),
    INSTANCE("EBSWriteBytes", WRITE_BYTES, 1 / MIB_BYTES),
#undef VOLUME
#undef INSTANCE
};

/* A metric, and what it is a part of. */
struct metric_use {
    const struct store_metric *metric;
    const struct part_metric *part; /* NULL = of nothing */
    const char *owner;              /* volume or instance */
};

static const struct part_metric *metric_part(const struct metric_series *m)
{
    if (m->statistic != STATISTIC_SUM && m->statistic != STATISTIC_RATE)
        return NULL;
    for (size_t i = 0; i < sizeof part_metrics / sizeof *part_metrics; i++) {
        const struct part_metric *p = &part_metrics[i];
        size_t len = strlen(p->dimension);
        if (strcmp(m->metric, p->metric) == 0 &&
            (!m->namespace_name || strcmp(m->namespace_name, p->namespace_name) == 0) &&
            m->dimension && strncmp(m->dimension, p->dimension, len) == 0 && m->dimension[len] &&
            !strchr(m->dimension, ','))
            return p;
    }
    return NULL;
}

/* By owner, then as loaded; what is a part of nothing comes last. */
static int by_owner(const void *a, const void *b)
{
    const struct metric_use *x = a, *y = b;
    if (!x->part != !y->part)
        return x->part ? -1 : 1;
    if (x->part && x->part->kind != y->part->kind)
        return x->part->kind < y->part->kind ? -1 : 1;
    int c = x->part ? strcmp(x->owner, y->owner) : 0;
    return c ? c : x->metric < y->metric ? -1 : x->metric > y->metric;
}

static bool same_owner(const struct metric_use *x, const struct metric_use *y)
{
    return x->part && y->part && x->part->kind == y->part->kind && strcmp(x->owner, y->owner) == 0;
}

/* --- parts of one load ---------------------------------------------------------------------------
 */

struct part_reader {
    const struct metric_use *use;
    struct rate_lane *lane;
};

static int take_values(void *ctx, int64_t file_id, const struct store_metric_value *values,
                       size_t n, struct err *e)
{
    const struct part_reader *r = ctx;
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        struct metric_sample s = { .statistic = r->use->metric->head.statistic,
                                   .period_s = values[i].period_s,
                                   .value = values[i].value };
        struct rate v = { .begin_ms = values[i].time_ms,
                          .end_ms = values[i].time_ms,
                          .file_id = file_id,
                          .line = values[i].line,
                          .per_s = metric_sample_per_s(&s) * r->use->part->scale };
        if (s.period_s > 0 && s.period_s < 1e9 && v.begin_ms != UNKNOWN)
            v.end_ms += (int64_t)(s.period_s * 1000 + 0.5);
        rc = rate_lane_add(r->lane, v, e);
    }
    return rc;
}

/* Where of the parts known at a time the point is said to come from: the first of enum part. */
static struct point join(const struct rate_span span[PART_COUNT], int64_t begin_ms, int64_t end_ms)
{
    struct point p = { .begin_ms = begin_ms,
                       .end_ms = end_ms,
                       .read_merge_pct = NAN,
                       .read_await_ms = NAN,
                       .write_await_ms = NAN };
    bool placed = false;
    for (int i = 0; i < PART_COUNT; i++) {
        if (isnan(span[i].per_s) || placed)
            continue;
        p.file_id = span[i].file_id;
        p.line = span[i].line;
        placed = true;
    }
    p.read_iops = span[READ_OPS].per_s;
    p.write_iops = span[WRITE_OPS].per_s;
    p.read_mibps = span[READ_BYTES].per_s;
    p.write_mibps = span[WRITE_BYTES].per_s;
    if (isnan(p.read_mibps) && p.read_iops == 0)
        p.read_mibps = 0;
    if (isnan(p.write_mibps) && p.write_iops == 0)
        p.write_mibps = 0;
    bool iops = !isnan(p.read_iops) || !isnan(p.write_iops);
    bool mibps = !isnan(p.read_mibps) || !isnan(p.write_mibps);
    p.unsplit_iops = iops ? NAN : span[BOTH_OPS].per_s;
    p.unsplit_mibps = mibps ? NAN : span[BOTH_BYTES].per_s;
    return p;
}

static int join_parts(struct rate_lane lanes[PART_COUNT], struct points *p, struct err *e)
{
    struct rate_span span[PART_COUNT];
    int64_t begin_ms, end_ms = INT64_MIN;
    int rc = 0;
    while (!rc && rate_lanes_next(lanes, PART_COUNT, end_ms, &begin_ms, &end_ms)) {
        for (int i = 0; i < PART_COUNT; i++)
            span[i] = rate_lane_mean(&lanes[i], begin_ms, end_ms);
        rc = points_add(p, join(span, begin_ms, end_ms), e);
    }
    for (int i = 0; i < PART_COUNT; i++) {
        p->n_artefacts += lanes[i].n_artefacts;
        p->n_overlaps += lanes[i].n_overlaps;
        p->n_duplicates += lanes[i].n_duplicates;
        p->n_untimed += lanes[i].n_untimed;
    }
    return rc;
}

/* The series of one owner, from its n metrics. */
static int add_owner(struct store *s, const struct metric_use *use, size_t n, struct series_list *l,
                     struct points *scratch, struct err *e)
{
    struct rate_lane lanes[PART_COUNT] = { 0 };
    struct load_series head = {
        .kind = use->part->kind, .counts = COUNT_EBS, .name = use->owner, .instance_number = UNKNOWN
    };
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        struct part_reader r = { &use[i], &lanes[use[i].part->part] };
        rc = store_metric_values(s, use[i].metric, take_values, &r, e);
    }
    for (int i = 0; i < PART_COUNT && !rc; i++)
        rc = rate_lane_finish(&lanes[i], e);
    points_clear(scratch);
    if (!rc)
        rc = join_parts(lanes, scratch, e);
    if (!rc)
        rc = series_list_put(l, scratch, &head, e);
    for (int i = 0; i < PART_COUNT; i++)
        rate_lane_release(&lanes[i]);
    return rc;
}

/* --- the other metrics ---------------------------------------------------------------------------
 */

struct value {
    int64_t time_ms, file_id, line;
    double period_s, value;
    size_t order;
};

struct values {
    struct value *item;
    size_t n, room;
};

static int gather_values(void *ctx, int64_t file_id, const struct store_metric_value *values,
                         size_t n, struct err *e)
{
    struct values *v = ctx;
    struct value *item = mem_room(v->item, v->n, n, &v->room, sizeof *item);
    if (!item)
        return err_nomem(e);
    v->item = item;
    for (size_t i = 0; i < n; i++, v->n++)
        v->item[v->n] = (struct value){ .time_ms = values[i].time_ms,
                                        .file_id = file_id,
                                        .line = values[i].line,
                                        .period_s = values[i].period_s,
                                        .value = values[i].value,
                                        .order = v->n };
    return 0;
}

/* Unknown periods behind the known ones. */
static int by_time_and_period(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    if (x->time_ms != y->time_ms)
        return x->time_ms < y->time_ms ? -1 : 1;
    double px = isnan(x->period_s) ? INFINITY : x->period_s;
    double py = isnan(y->period_s) ? INFINITY : y->period_s;
    if (px < py || px > py)
        return px < py ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Of the same time and period, as in two exports that overlap, the one loaded first stays. */
static size_t drop_repeated(struct value *v, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const struct value *last = kept ? &v[kept - 1] : NULL;
        if (last && last->time_ms == v[i].time_ms && !islessgreater(last->period_s, v[i].period_s))
            continue;
        v[kept++] = v[i];
    }
    return kept;
}

static int read_series(struct store *s, const struct store_metric *metric, struct values *scratch,
                       struct arena *a, struct metric_series *out, struct err *e)
{
    scratch->n = 0;
    int rc = store_metric_values(s, metric, gather_values, scratch, e);
    if (rc)
        return rc;
    if (scratch->n)
        qsort(scratch->item, scratch->n, sizeof *scratch->item, by_time_and_period);
    size_t n = drop_repeated(scratch->item, scratch->n);
    int64_t *time_ms = arena_array(a, n, sizeof *time_ms);
    int64_t *file_id = arena_array(a, n, sizeof *file_id), *line = arena_array(a, n, sizeof *line);
    double *period_s = arena_array(a, n, sizeof *period_s),
           *value = arena_array(a, n, sizeof *value);
    if (!time_ms || !file_id || !line || !period_s || !value)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        time_ms[i] = scratch->item[i].time_ms;
        file_id[i] = scratch->item[i].file_id;
        line[i] = scratch->item[i].line;
        period_s[i] = scratch->item[i].period_s;
        value[i] = scratch->item[i].value;
    }
    *out = metric->head;
    out->n = n;
    out->time_ms = time_ms;
    out->file_id = file_id;
    out->line = line;
    out->period_s = period_s;
    out->value = value;
    return 0;
}

/* --- all of them ---------------------------------------------------------------------------------
 */

static int list_uses(struct store *s, const char *system, struct arena *a, struct metric_use **out,
                     size_t *out_n, struct err *e)
{
    struct store_metric *metrics = NULL;
    size_t n = 0;
    int rc = store_metrics(s, system, a, &metrics, &n, e);
    if (rc)
        return rc;
    struct metric_use *uses = arena_array(a, n, sizeof *uses);
    if (!uses)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        const struct part_metric *part = metric_part(&metrics[i].head);
        const char *owner = part ? metrics[i].head.dimension + strlen(part->dimension) : NULL;
        uses[i] = (struct metric_use){ &metrics[i], part, owner };
    }
    if (n)
        qsort(uses, n, sizeof *uses, by_owner);
    *out = uses;
    *out_n = n;
    return 0;
}

static int add_metrics(struct store *s, const struct metric_use *use, size_t n, struct arena *a,
                       struct system_load *io, struct err *e)
{
    struct metric_series *series = arena_array(a, n, sizeof *series);
    struct values scratch = { 0 };
    int rc = 0;
    if (!series)
        return err_nomem(e);
    for (size_t i = 0; i < n && !rc; i++)
        rc = read_series(s, use[i].metric, &scratch, a, &series[i], e);
    mem_free(scratch.item);
    if (rc)
        return rc;
    io->metrics = series;
    io->n_metrics = n;
    return 0;
}

int load_metrics(struct store *s, const char *system, struct series_list *l, struct points *scratch,
                 struct system_load *io, struct err *e)
{
    struct metric_use *use = NULL;
    size_t n = 0, at = 0;
    int rc = list_uses(s, system, l->arena, &use, &n, e);
    while (!rc && at < n && use[at].part) {
        size_t to = at + 1;
        while (to < n && same_owner(&use[at], &use[to]))
            to++;
        rc = add_owner(s, use + at, to - at, l, scratch, e);
        at = to;
    }
    return rc ? rc : add_metrics(s, use + at, n - at, l->arena, io, e);
}
