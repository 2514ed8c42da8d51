/* planner/demand/peak_demand.h - the worst of a series of points, averages after the peak factor.
 */
#ifndef PLANNER_DEMAND_PEAK_DEMAND_H
#define PLANNER_DEMAND_PEAK_DEMAND_H

#include "models/vocab/demand.h"
#include "planner/demand/load_points.h"

struct peak_demand {
    struct demand demand;
    double total_iops;             /* largest requests/s of the guest */
    const struct load_point *peak; /* the largest total; NULL = nothing measured */
    double peak_factor;            /* applied to it; NaN = none */
    unsigned censored_by;          /* POINT_CENSORED_ flags of the worst points */
};

struct peak_demand peak_demand_of(const struct load_points *p, const struct peak_factors *f);

/* The largest requests/s alone: of the guest, and as EBS counts them.  { NAN, NAN } = of no point
 * so far. */
struct peak_requests {
    double total_iops, counted_iops;
};
void peak_requests_raise(struct peak_requests *r, const struct load_point *p,
                         const struct peak_factors *f);

#endif
