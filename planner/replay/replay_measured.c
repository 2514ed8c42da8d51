/* planner/replay/replay_measured.c - see replay_measured.h. */
#include "planner/replay/replay_measured.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/io_count.h"

#include <math.h>

/* TUNING: what clocks and counters are granted, and the share of the time that may be above. */
static const double slack = 0.02, above_share = 0.01;
static const double at_share = 0.95; /* as where demand counts as censored */
/* TUNING: a run of samples set apart is one sample up to so many of its intervals; edges of other
 * series may cut it. */
static const double lone_intervals = 1.5;

static const struct replay_measured nothing = { .max_mibps = NAN,
                                                .max_at_ms = UNKNOWN,
                                                .ceiling_mibps = NAN,
                                                .max_iops = NAN,
                                                .ceiling_iops = NAN,
                                                .baseline_iops = NAN,
                                                .lowest_credits = NAN };

static double counted_iops(const struct load_point *p, const struct replay_group *g)
{
    double mibps = point_total_mibps(p);
    double iops = g->requests_per_mib == 1 ? io_counted_likely(point_total_iops(p), mibps, 1024)
                                           : p->counted_iops;
    return fmax(iops, mibps * g->requests_per_mib);
}

/* A run of points that were set apart: ends before point `end`. */
struct set_apart_run {
    size_t end;
    bool is_lone;
};

static bool stands_alone(const struct load_points *p, size_t k, struct set_apart_run *run)
{
    if (k < run->end)
        return run->is_lone;
    double length_s = 0;
    for (run->end = k; run->end < p->n && p->at[run->end].flags & POINT_ARTEFACT; run->end++)
        length_s += (double)(p->at[run->end].end_ms - p->at[run->end].begin_ms) / 1000;
    run->is_lone = length_s <= lone_intervals * p->at[k].interval_s;
    return run->is_lone;
}

/* Ceilings are NaN where not known: then nothing is at or above them. */
static void add_point(struct replay_measured *m, const struct load_points *points, size_t k,
                      const struct replay_group *g, struct set_apart_run *run)
{
    const struct load_point *p = &points->at[k];
    double length_s = (double)(p->end_ms - p->begin_ms) / 1000;
    double mibps = point_total_mibps(p), iops = counted_iops(p, g);
    if (isnan(mibps) && isnan(iops))
        return;
    *(interval_is_measured(p->interval_s) ? &m->measured_s : &m->averaged_s) += length_s;
    if (p->flags & POINT_ARTEFACT) {
        bool above = mibps > g->max_throughput_mibps || iops > g->max_iops;
        m->set_apart_s += length_s;
        m->above_s += above && !stands_alone(points, k, run) ? length_s : 0;
        return;
    }
    if (mibps >= at_share * g->max_throughput_mibps || iops >= at_share * g->max_iops)
        m->at_ceiling_s += length_s;
    if (g->credits > 0 && iops >= at_share * g->earn_iops && iops <= (1 + slack) * g->earn_iops)
        m->at_baseline_s += length_s;
    if (!(mibps <= m->max_mibps)) {
        m->max_mibps = mibps;
        m->max_at_ms = p->begin_ms;
        m->ceiling_mibps = g->max_throughput_mibps;
        m->baseline_iops = g->credits > 0 ? g->earn_iops : NAN;
    }
    if (!(iops <= m->max_iops)) {
        m->max_iops = iops;
        m->ceiling_iops = g->max_iops;
    }
}

static enum reproduces verdict_of(const struct replay_measured *m)
{
    double all_s = m->measured_s + m->averaged_s;
    if (!m->known || !(all_s > 0))
        return REPRODUCES_UNKNOWN;
    if (m->above_s > above_share * all_s)
        return REPRODUCES_NO;
    return m->measured_s >= m->averaged_s ? REPRODUCES_YES : REPRODUCES_UNKNOWN;
}

static struct replay_measured measured_group(const struct replay_question *q, size_t i,
                                             const struct replay_system_group *loose)
{
    const struct load_points *points = &q->demand->groups[i].points;
    const struct layout_group *g = loose->group;
    struct replay_group ceilings = replay_group_unknown();
    struct replay_measured m = nothing;
    struct set_apart_run run = { 0 };
    int64_t day = INT64_MIN;
    for (size_t k = 0; k < points->n; k++) {
        const struct load_point *p = &points->at[k];
        if (p->begin_ms / DAY_MS != day) {
            day = p->begin_ms / DAY_MS;
            replay_group_at(q->catalogue, g->volumes, g->n_volumes, g->skew,
                            q->instance ? q->instance->name : NULL, p->begin_ms, &ceilings);
        }
        add_point(&m, points, k, &ceilings, &run);
    }
    const struct hot_volume *hot = &q->demand->groups[i].hot;
    if (hot->ceiling_seconds > 0) {
        m.hot_volume = hot->name;
        m.hot_volume_s = hot->ceiling_seconds;
    }
    m.known = loose->known;
    m.above_s += loose->credits.over_s;
    m.lowest_credits = loose->credits.lowest_credits;
    m.verdict = verdict_of(&m);
    return m;
}

static struct replay_measured measured_instance(const struct replay_question *q,
                                                const struct replay_system *loose)
{
    const struct load_points *points = &q->demand->points;
    struct replay_group ceilings = replay_group_unknown();
    struct replay_measured m = nothing;
    struct set_apart_run run = { 0 };
    ceilings.max_throughput_mibps = loose->caps.max_mb_s / MB_PER_MIB;
    ceilings.max_iops = loose->caps.max_iops;
    for (size_t k = 0; k < points->n; k++)
        add_point(&m, points, k, &ceilings, &run);
    m.known = !isnan(loose->caps.max_mb_s);
    m.above_s += loose->credits.over_s;
    m.lowest_credits = loose->credits.lowest_credits;
    m.verdict = verdict_of(&m);
    return m;
}

int replay_measured(const struct replay_question *q, struct arena *a,
                    struct replay_measured_system *out, struct err *e)
{
    struct replay_question loose = *q;
    struct replay_system s;
    loose.volumes = NULL;
    loose.each = NULL;
    loose.slack = slack;
    int rc = replay_system(&loose, a, &s, e);
    if (rc)
        return rc;
    struct replay_measured *groups = arena_array(a, s.n_groups + 1, sizeof *groups);
    if (!groups)
        return err_nomem(e);
    for (size_t g = 0; g < s.n_groups; g++)
        groups[g] = measured_group(q, g, &s.groups[g]);
    *out = (struct replay_measured_system){ groups, measured_instance(q, &s) };
    return 0;
}
