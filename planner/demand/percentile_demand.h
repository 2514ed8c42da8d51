/* planner/demand/percentile_demand.h - a measured demand at a percentile instead of its maximum.
 *
 * Of each rate by itself: the smallest value that holds for at least that part of the measured
 * time, averages after their peak factor, artefacts left out.  So 100 is the maximum.
 *
 * What was measured at a ceiling was at least that much: where its load lies at or below the
 * percentile the percentile is a lower bound, above it the percentile is certain. */
#ifndef PLANNER_DEMAND_PERCENTILE_DEMAND_H
#define PLANNER_DEMAND_PERCENTILE_DEMAND_H

#include "planner/demand/system_demand.h"

/* What of a demand is wanted: all of it, or only what the volumes of the groups are sized by; the
 * instance then keeps its maximum. */
enum percentile_part { PERCENTILE_ALL, PERCENTILE_SIZING };

/* Demands of the groups and of the instance, which is the percentile of the sum.  The points stay
 * what they were.  ERR_NOMEM. */
int percentile_demand(const struct system_demand *measured, double pct, enum percentile_part part,
                      struct arena *a, struct system_demand *out, struct err *e);

#endif
