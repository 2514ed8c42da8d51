/* data/metric_owner.c - see metric_owner.h.
 *
 *   metric_uses           part_of: which part of whose load a metric is
 *   metric_owner_points
 *     take_values         values -> rates -> rate_lane_finish
 *     join_parts          six lanes -> points */
#include "data/metric_owner.h"

#include "data/rate_lane.h"
#include "data/store/metric_value.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- what a metric is ----------------------------------------------------------------------------
 */

static const struct part_metric {
    const char *metric, *namespace_name, *dimension;
    enum series_kind kind;
    enum load_part part;
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

/* NULL when it is a part of nothing. */
static const struct part_metric *part_of(const struct metric_series *m)
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

static struct metric_use use_of(const struct store_metric *metric)
{
    const struct part_metric *p = part_of(&metric->head);
    if (!p)
        return (struct metric_use){ .metric = metric };
    return (struct metric_use){ metric, metric->head.dimension + strlen(p->dimension), p->kind,
                                p->part, p->scale };
}

/* By owner, then as loaded; what is a part of nothing comes last. */
static int by_owner(const void *a, const void *b)
{
    const struct metric_use *x = a, *y = b;
    if (!x->owner != !y->owner)
        return x->owner ? -1 : 1;
    if (x->owner && x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    int c = x->owner ? strcmp(x->owner, y->owner) : 0;
    return c ? c : x->metric < y->metric ? -1 : x->metric > y->metric;
}

int metric_uses(struct store *s, const char *system, struct arena *a, struct metric_use **out,
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
    for (size_t i = 0; i < n; i++)
        uses[i] = use_of(&metrics[i]);
    if (n)
        qsort(uses, n, sizeof *uses, by_owner);
    *out = uses;
    *out_n = n;
    return 0;
}

size_t metric_uses_together(const struct metric_use *use, size_t n)
{
    size_t to = 0;
    while (to < n && use[to].owner && use[to].kind == use[0].kind &&
           strcmp(use[to].owner, use[0].owner) == 0)
        to++;
    return to;
}

/* --- the load of one owner -----------------------------------------------------------------------
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
                          .end_ms = store_value_end_ms(&values[i]),
                          .file_id = file_id,
                          .line = values[i].line,
                          .longest_ms = store_value_is_mean(&values[i]) ? STORE_MEAN_OF_MS : 0,
                          .per_s = metric_sample_per_s(&s) * r->use->scale };
        rc = rate_lane_add(r->lane, v, e);
    }
    return rc;
}

/* Where of the parts known at a time the point is said to come from: the first of enum load_part.
 */
static struct point join(const struct rate_span span[PART_COUNT], int64_t begin_ms, int64_t end_ms)
{
    struct point p = { .begin_ms = begin_ms,
                       .end_ms = end_ms,
                       .read_merge_pct = NAN,
                       .read_await_ms = NAN,
                       .write_await_ms = NAN };
    bool placed = false, thinned = false;
    for (int i = 0; i < PART_COUNT; i++) {
        if (isnan(span[i].per_s))
            continue;
        if (!placed) {
            p.file_id = span[i].file_id;
            p.line = span[i].line;
        }
        placed = true;
        thinned = thinned || span[i].is_mean;
        p.longest_ms = span[i].longest_ms > p.longest_ms ? span[i].longest_ms : p.longest_ms;
    }
    if (!thinned)
        p.longest_ms = 0;
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

int metric_owner_points(struct store *s, const struct metric_use *use, size_t n, struct points *out,
                        struct err *e)
{
    struct rate_lane lanes[PART_COUNT] = { 0 };
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        struct part_reader r = { &use[i], &lanes[use[i].part] };
        rc = store_metric_values(s, use[i].metric, take_values, &r, e);
    }
    for (int i = 0; i < PART_COUNT && !rc; i++)
        rc = rate_lane_finish(&lanes[i], e);
    if (!rc)
        rc = join_parts(lanes, out, e);
    for (int i = 0; i < PART_COUNT; i++)
        rate_lane_release(&lanes[i]);
    return rc;
}
