/* planner/demand/peak_factors.h - from an average to the peak it may hide.
 *
 * Nothing is added to an interval of up to a minute.  Above, the peak is assumed to be 1.5,
 * 2, 3 times the average (low, central, high) up to 10 minutes and 3, 10, 20 times beyond;
 * measured anchors are 5 to 20 for an average of hours.  Clocks jitter: 10 % is allowed. */
#ifndef PLANNER_DEMAND_PEAK_FACTORS_H
#define PLANNER_DEMAND_PEAK_FACTORS_H

#include <stdbool.h>

struct peak_factors {
    double central_override; /* NaN = 2 and 10 */
};

struct peak_range {
    double low, central, high;
};

/* TUNING: stamps of OS tools drift; a nominal minute may last 61 s or more. */
#define INTERVAL_JITTER 1.1

static inline bool interval_is_measured(double interval_s)
{
    return interval_s <= 60 * INTERVAL_JITTER;
}

struct peak_range peak_range(const struct peak_factors *f, double interval_s);

#endif
