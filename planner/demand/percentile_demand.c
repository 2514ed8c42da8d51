/* planner/demand/percentile_demand.c - see percentile_demand.h.
 *
 * Nothing is sorted but the values near the percentile.  Bits of non-negative doubles are in the
 * order of the doubles, so a first pass weighs the values by their upper 16 bits, 16 classes an
 * octave, and a second collects those of the class in which the percentile lies. */
#include "planner/demand/percentile_demand.h"

#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASS_BITS = 16, CLASSES = 1 << CLASS_BITS };

/* Rates of a point that a demand has. */
enum rate {
    RATE_TOTAL_MIBPS,
    RATE_COUNTED_IOPS,
    RATE_COUNTED_HIGH_IOPS,
    RATE_TOTAL_IOPS,
    RATES_OF_SIZING,
    RATE_READ_MIBPS = RATES_OF_SIZING,
    RATE_WRITE_MIBPS,
    RATE_READ_IOPS,
    RATE_WRITE_IOPS,
    RATE_LOW_MIBPS,
    RATE_HIGH_MIBPS,
    RATES
};

struct weighted {
    double value;
    int64_t weight_ms;
};

/* Room of one search after another. */
struct search {
    const struct load_points *points;
    const struct peak_factors *factors;
    int64_t *class_ms;     /* CLASSES of them */
    struct weighted *near; /* one a point */
};

static struct peak_range range_of(const struct search *s, const struct load_point *p)
{
    if (p->flags & POINT_ASSUMED)
        return (struct peak_range){ 1, 1, 1 };
    return peak_range(s->factors, p->interval_s);
}

/* NaN = not measured, or an artefact. */
static double value_of(const struct search *s, const struct load_point *p, enum rate r)
{
    struct peak_range f = range_of(s, p);
    if (p->flags & POINT_ARTEFACT)
        return NAN;
    switch (r) {
    case RATE_TOTAL_MIBPS:
        return point_total_mibps(p) * f.central;
    case RATE_COUNTED_IOPS:
        return p->counted_iops * f.central;
    case RATE_COUNTED_HIGH_IOPS:
        return p->counted_iops_high * f.central;
    case RATE_TOTAL_IOPS:
        return point_total_iops(p) * f.central;
    case RATE_READ_MIBPS:
        return p->read_mibps * f.central;
    case RATE_WRITE_MIBPS:
        return p->write_mibps * f.central;
    case RATE_READ_IOPS:
        return p->read_iops * f.central;
    case RATE_WRITE_IOPS:
        return p->write_iops * f.central;
    case RATE_LOW_MIBPS:
        return point_total_mibps(p) * f.low;
    default:
        return point_total_mibps(p) * f.high;
    }
}

static size_t class_of(double v)
{
    uint64_t bits;
    v = v > 0 ? v : 0;
    memcpy(&bits, &v, sizeof bits);
    return (size_t)(bits >> (64 - CLASS_BITS));
}

static int by_value(const void *va, const void *vb)
{
    const struct weighted *a = va, *b = vb;
    return (a->value > b->value) - (a->value < b->value);
}

static double percentile_of(struct search *s, enum rate r, double pct)
{
    int64_t total_ms = 0, before_ms = 0;
    size_t n = 0, class = 0;
    memset(s->class_ms, 0, CLASSES * sizeof *s->class_ms);
    for (size_t i = 0; i < s->points->n; i++) {
        const struct load_point *p = &s->points->at[i];
        double v = value_of(s, p, r);
        if (isnan(v))
            continue;
        s->class_ms[class_of(v)] += p->end_ms - p->begin_ms;
        total_ms += p->end_ms - p->begin_ms;
    }
    if (!total_ms)
        return NAN;
    double wanted_ms = (double)total_ms * pct / 100 * (1 - 1e-12);
    while (class < CLASSES - 1 &&
           (!s->class_ms[class] || (double)(before_ms + s->class_ms[class]) < wanted_ms))
        before_ms += s->class_ms[class ++];
    for (size_t i = 0; i < s->points->n; i++) {
        const struct load_point *p = &s->points->at[i];
        double v = value_of(s, p, r);
        if (!isnan(v) && class_of(v) == class)
            s->near[n++] = (struct weighted){ v, p->end_ms - p->begin_ms };
    }
    qsort(s->near, n, sizeof *s->near, by_value);
    size_t at = 0;
    while (at + 1 < n && (double)(before_ms + s->near[at].weight_ms) < wanted_ms)
        before_ms += s->near[at++].weight_ms;
    return n ? s->near[at].value : NAN;
}

/* Flags of what was measured at a ceiling and may really lie above the percentile. */
static unsigned censored_below(const struct search *s, const struct demand *d)
{
    unsigned flags = 0;
    for (size_t i = 0; i < s->points->n; i++) {
        const struct load_point *p = &s->points->at[i];
        if (p->flags & POINT_CENSORED && (value_of(s, p, RATE_TOTAL_MIBPS) <= d->total_mibps ||
                                          value_of(s, p, RATE_COUNTED_IOPS) <= d->counted_iops))
            flags |= p->flags & POINT_CENSORED;
    }
    return flags;
}

/* The first point that carries just the percentile. */
static const struct load_point *point_at(const struct search *s, double total_mibps)
{
    for (size_t i = 0; i < s->points->n; i++)
        if (value_of(s, &s->points->at[i], RATE_TOTAL_MIBPS) == total_mibps)
            return &s->points->at[i];
    return NULL;
}

struct found {
    struct demand demand;
    double total_iops, peak_factor;
    unsigned censored_by;
};

static struct found find(struct search *s, double pct, enum percentile_part part)
{
    double v[RATES];
    for (int r = 0; r < RATES; r++)
        v[r] = part == PERCENTILE_ALL || r < RATES_OF_SIZING ? percentile_of(s, (enum rate)r, pct)
                                                             : NAN;
    struct found f = { .demand = { .read_mibps = v[RATE_READ_MIBPS],
                                   .write_mibps = v[RATE_WRITE_MIBPS],
                                   .total_mibps = v[RATE_TOTAL_MIBPS],
                                   .read_iops = v[RATE_READ_IOPS],
                                   .write_iops = v[RATE_WRITE_IOPS],
                                   .counted_iops = v[RATE_COUNTED_IOPS],
                                   .counted_iops_high = v[RATE_COUNTED_HIGH_IOPS],
                                   .time_of_max_ms = UNKNOWN,
                                   .low_mibps = v[RATE_LOW_MIBPS],
                                   .high_mibps = v[RATE_HIGH_MIBPS] },
                       .total_iops = v[RATE_TOTAL_IOPS],
                       .peak_factor = NAN };
    const struct load_point *at = point_at(s, f.demand.total_mibps);
    f.censored_by = censored_below(s, &f.demand);
    if (!at)
        return f;
    bool averaged = !(at->flags & POINT_ASSUMED) && !interval_is_measured(at->interval_s);
    if (averaged)
        f.peak_factor = range_of(s, at).central;
    f.demand.time_of_max_ms = at->begin_ms;
    f.demand.grade = averaged || at->flags & POINT_ASSUMED ? GRADE_ASSUMED
                     : f.censored_by                       ? GRADE_CENSORED
                                                           : GRADE_MEASURED;
    if (f.censored_by || at->flags & POINT_ASSUMED)
        f.demand.high_mibps = NAN; /* at least this much */
    return f;
}

static int open_search(struct search *s, const struct peak_factors *factors, size_t n,
                       struct arena *scratch, struct err *e)
{
    *s = (struct search){ .factors = factors };
    s->class_ms = arena_array(scratch, CLASSES, sizeof *s->class_ms);
    s->near = arena_array(scratch, n + 1, sizeof *s->near);
    return s->class_ms && s->near ? 0 : err_nomem(e);
}

static void find_groups(struct search *s, const struct system_demand *measured, double pct,
                        enum percentile_part part, struct group_demand *groups)
{
    for (size_t i = 0; i < measured->n_groups; i++) {
        struct group_demand *g = &groups[i];
        s->points = &measured->groups[i].points;
        struct found f = find(s, pct, part);
        g->demand = f.demand;
        g->total_iops = f.total_iops;
        g->peak_factor = f.peak_factor;
        g->censored_by = f.censored_by;
    }
}

static bool all_measured(const struct load_points *p)
{
    bool all = true;
    for (size_t i = 0; i < p->n && all; i++)
        all = interval_is_measured(p->at[i].interval_s);
    return all;
}

/* Of the instance: as it is where it has no averages, else the sum over groups, each average after
 * its own factor. */
static int sum_points(const struct system_demand *measured, const struct peak_factors *factors,
                      struct arena *scratch, struct load_points *out, struct err *e)
{
    size_t n = measured->n_groups;
    *out = measured->points;
    if (all_measured(&measured->points))
        return 0;
    const struct load_points **points = arena_array(scratch, n + 1, sizeof(struct load_points *));
    if (!points)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        points[i] = &measured->groups[i].points;
    return load_points_of_points(points, n, factors, scratch, out, e);
}

static int find_all(const struct system_demand *measured, double pct, enum percentile_part part,
                    struct group_demand *groups, struct arena *scratch, struct system_demand *out,
                    struct err *e)
{
    const struct peak_factors factors = { measured->options_used.peak_factor };
    struct load_points sum = { NULL, 0 };
    struct search s;
    int rc = part == PERCENTILE_ALL ? sum_points(measured, &factors, scratch, &sum, e) : 0;
    size_t most = sum.n;
    for (size_t i = 0; i < measured->n_groups; i++)
        if (measured->groups[i].points.n > most)
            most = measured->groups[i].points.n;
    if (!rc)
        rc = open_search(&s, &factors, most, scratch, e);
    if (rc)
        return rc;
    find_groups(&s, measured, pct, part, groups);
    if (part == PERCENTILE_SIZING)
        return 0;
    s.points = &sum;
    struct found f = find(&s, pct, part);
    out->demand = f.demand;
    out->censored_by = f.censored_by;
    return 0;
}

int percentile_demand(const struct system_demand *measured, double pct, enum percentile_part part,
                      struct arena *a, struct system_demand *out, struct err *e)
{
    struct system_demand d = *measured;
    struct arena scratch = { 0 };
    struct group_demand *groups = arena_array(a, d.n_groups + 1, sizeof *groups);
    if (!groups)
        return err_nomem(e);
    for (size_t i = 0; i < d.n_groups; i++)
        groups[i] = measured->groups[i];
    d.groups = groups;
    int rc = find_all(measured, pct, part, groups, &scratch, &d, e);
    arena_release(&scratch);
    if (!rc)
        *out = d;
    return rc;
}
