/* planner/demand/quantile.h - values that hold for a share of the time, without sorting all. */
#ifndef PLANNER_DEMAND_QUANTILE_H
#define PLANNER_DEMAND_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

/* A value (not NaN) and for how long it held. */
struct timed_value {
    double value;
    int64_t length_ms; /* >= 0 */
};

/* For each of k percentages, ascending, the smallest value that holds for at least that share of
 * all the time, within 1e-12 of it; NaN when n is 0.  scratch has room for 2 n. */
void quantiles(const struct timed_value *v, size_t n, const double *pct, size_t k,
               struct timed_value *scratch, double *out);

#endif
