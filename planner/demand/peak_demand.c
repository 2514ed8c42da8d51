/* planner/demand/peak_demand.c - see peak_demand.h. */
#include "planner/demand/peak_demand.h"

#include "models/core/unit.h"

#include <math.h>

static bool is_larger(double v, double best)
{
    return v > best || (isnan(best) && !isnan(v));
}

static void raise_to(double *max, double v)
{
    *max = is_larger(v, *max) ? v : *max;
}

static enum grade grade_of(const struct load_point *p, double factor)
{
    if (p->flags & POINT_ASSUMED || !isnan(factor))
        return GRADE_ASSUMED;
    return p->flags & POINT_CENSORED ? GRADE_CENSORED : GRADE_MEASURED;
}

void peak_requests_raise(struct peak_requests *r, const struct load_point *p,
                         const struct peak_factors *f)
{
    double factor = point_peak_range(p, f).central;
    if (p->flags & POINT_ARTEFACT)
        return;
    raise_to(&r->total_iops, point_total_iops(p) * factor);
    raise_to(&r->counted_iops, p->counted_iops * factor);
}

struct peak_demand peak_demand_of(const struct load_points *p, const struct peak_factors *f)
{
    struct peak_demand out = { .demand = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, GRADE_NONE, UNKNOWN,
                                           NAN, NAN },
                               .total_iops = NAN,
                               .peak_factor = NAN };
    struct demand *d = &out.demand;
    unsigned by_mibps = 0, by_iops = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct load_point *q = &p->at[i];
        if (q->flags & POINT_ARTEFACT)
            continue;
        struct peak_range r = point_peak_range(q, f);
        double total = point_total_mibps(q);
        if (!out.peak || is_larger(total * r.central, d->total_mibps)) {
            out.peak = q;
            out.peak_factor =
                interval_is_measured(q->interval_s) || q->flags & POINT_ASSUMED ? NAN : r.central;
            by_mibps = q->flags & POINT_CENSORED;
        }
        if (is_larger(q->counted_iops * r.central, d->counted_iops))
            by_iops = q->flags & POINT_CENSORED;
        raise_to(&d->read_mibps, q->read_mibps * r.central);
        raise_to(&d->write_mibps, q->write_mibps * r.central);
        raise_to(&d->total_mibps, total * r.central);
        raise_to(&d->read_iops, q->read_iops * r.central);
        raise_to(&d->write_iops, q->write_iops * r.central);
        raise_to(&d->counted_iops, q->counted_iops * r.central);
        raise_to(&d->counted_iops_high, q->counted_iops_high * r.central);
        raise_to(&out.total_iops, point_total_iops(q) * r.central);
        raise_to(&d->low_mibps, total * r.low);
        raise_to(&d->high_mibps, total * r.high);
    }
    out.censored_by = by_mibps | by_iops;
    if (!out.peak)
        return out;
    d->grade = grade_of(out.peak, out.peak_factor);
    if (d->grade == GRADE_MEASURED && out.censored_by)
        d->grade = GRADE_CENSORED;
    d->time_of_max_ms = out.peak->begin_ms;
    if (out.censored_by || out.peak->flags & POINT_ASSUMED)
        d->high_mibps = NAN; /* at least this much: nothing bounds it from above */
    return out;
}
