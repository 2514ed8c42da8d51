/* planner/demand/percentile_demand.c - see percentile_demand.h.
 *
 * Points of a month of minutes do not fit into a cache, so all rates are taken out of them in one
 * walk. */
#include "planner/demand/percentile_demand.h"

#include "models/core/unit.h"
#include "planner/demand/quantile.h"

#include <math.h>

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

/* Known values of one rate. */
struct rate_values {
    struct timed_value *at;
    size_t n;
};

/* Room of one search after another. */
struct search {
    const struct load_points *points;
    const struct peak_factors *factors;
    enum percentile_part part;
    struct rate_values of[RATES];
    struct timed_value *scratch; /* two a point */
    bool censored;               /* any point is */
};

static bool is_found(const struct search *s, enum rate r)
{
    return s->part == PERCENTILE_ALL || r < RATES_OF_SIZING;
}

static void add_value(struct search *s, enum rate r, double value, const struct load_point *p)
{
    struct rate_values *v = &s->of[r];
    if (!isnan(value))
        v->at[v->n++] = (struct timed_value){ value, p->end_ms - p->begin_ms };
}

static void read_point(struct search *s, const struct load_point *p)
{
    struct peak_range f = point_peak_range(p, s->factors);
    double total_mibps = point_total_mibps(p);
    add_value(s, RATE_TOTAL_MIBPS, total_mibps * f.central, p);
    add_value(s, RATE_COUNTED_IOPS, p->counted_iops * f.central, p);
    add_value(s, RATE_COUNTED_HIGH_IOPS, p->counted_iops_high * f.central, p);
    add_value(s, RATE_TOTAL_IOPS, point_total_iops(p) * f.central, p);
    if (s->part != PERCENTILE_ALL)
        return;
    add_value(s, RATE_READ_MIBPS, p->read_mibps * f.central, p);
    add_value(s, RATE_WRITE_MIBPS, p->write_mibps * f.central, p);
    add_value(s, RATE_READ_IOPS, p->read_iops * f.central, p);
    add_value(s, RATE_WRITE_IOPS, p->write_iops * f.central, p);
    add_value(s, RATE_LOW_MIBPS, total_mibps * f.low, p);
    add_value(s, RATE_HIGH_MIBPS, total_mibps * f.high, p);
}

/* Artefacts are left out. */
static void read_points(struct search *s)
{
    s->censored = false;
    for (int r = 0; r < RATES; r++)
        s->of[r].n = 0;
    for (size_t i = 0; i < s->points->n; i++) {
        const struct load_point *p = &s->points->at[i];
        if (p->flags & POINT_ARTEFACT)
            continue;
        s->censored |= (p->flags & POINT_CENSORED) != 0;
        read_point(s, p);
    }
}

static double percentile_of(const struct search *s, enum rate r, double pct)
{
    double out = NAN;
    if (is_found(s, r))
        quantiles(s->of[r].at, s->of[r].n, &pct, 1, s->scratch, &out);
    return out;
}

struct found {
    struct demand demand;
    double total_iops, peak_factor;
    unsigned censored_by;
};

/* The first point that carries just the percentile, and the flags of what was measured at a ceiling
 * and may really lie above it. */
static const struct load_point *point_at(const struct search *s, const struct demand *d,
                                         unsigned *out_censored_by)
{
    const struct load_point *found = NULL;
    unsigned flags = 0;
    for (size_t i = 0; i < s->points->n && (!found || s->censored); i++) {
        const struct load_point *p = &s->points->at[i];
        if (p->flags & POINT_ARTEFACT)
            continue;
        double factor = point_peak_range(p, s->factors).central, mibps = point_total_mibps(p) * factor;
        if (!found && mibps == d->total_mibps)
            found = p;
        if (mibps <= d->total_mibps || p->counted_iops * factor <= d->counted_iops)
            flags |= p->flags & POINT_CENSORED;
    }
    *out_censored_by = flags;
    return found;
}

static struct found find(struct search *s, double pct)
{
    double v[RATES];
    read_points(s);
    for (int r = 0; r < RATES; r++)
        v[r] = percentile_of(s, (enum rate)r, pct);
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
    const struct load_point *at = point_at(s, &f.demand, &f.censored_by);
    if (!at)
        return f;
    bool averaged = !(at->flags & POINT_ASSUMED) && !interval_is_measured(at->interval_s);
    if (averaged)
        f.peak_factor = point_peak_range(at, s->factors).central;
    f.demand.time_of_max_ms = at->begin_ms;
    f.demand.grade = averaged || at->flags & POINT_ASSUMED ? GRADE_ASSUMED
                     : f.censored_by                       ? GRADE_CENSORED
                                                           : GRADE_MEASURED;
    if (f.censored_by || at->flags & POINT_ASSUMED)
        f.demand.high_mibps = NAN; /* at least this much */
    return f;
}

static int open_search(struct search *s, const struct peak_factors *factors,
                       enum percentile_part part, size_t n, struct arena *scratch, struct err *e)
{
    *s = (struct search){ .factors = factors, .part = part };
    s->scratch = arena_array(scratch, n + 1, 2 * sizeof *s->scratch);
    bool all = s->scratch != NULL;
    for (int r = 0; r < RATES && all; r++)
        if (is_found(s, (enum rate)r))
            all = (s->of[r].at = arena_array(scratch, n + 1, sizeof *s->scratch)) != NULL;
    return all ? 0 : err_nomem(e);
}

static void find_groups(struct search *s, const struct system_demand *measured, double pct,
                        struct group_demand *groups)
{
    for (size_t i = 0; i < measured->n_groups; i++) {
        struct group_demand *g = &groups[i];
        s->points = &measured->groups[i].points;
        struct found f = find(s, pct);
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
        rc = open_search(&s, &factors, part, most, scratch, e);
    if (rc)
        return rc;
    find_groups(&s, measured, pct, groups);
    if (part == PERCENTILE_SIZING)
        return 0;
    s.points = &sum;
    struct found f = find(&s, pct);
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
