/* planner/demand/peak_hour.h - a measured demand without its peak hour. */
#ifndef PLANNER_DEMAND_PEAK_HOUR_H
#define PLANNER_DEMAND_PEAK_HOUR_H

#include "planner/demand/system_demand.h"

/* Of each group the maximum of what lies outside the hour of the day (UTC) of its maximum, on every
 * day: what is left when the load of that hour goes elsewhere.  Grade none where nothing else was
 * measured.  The instance keeps its own.  ERR_NOMEM. */
int demand_without_peak_hour(const struct system_demand *measured, struct arena *a,
                             struct system_demand *out, struct err *e);

#endif
