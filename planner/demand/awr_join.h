/* planner/demand/awr_join.h - devices and AWR over the same time, and AWR alone.
 *
 * An AWR period of which the devices cover less than half joins with the part that they do
 * not cover.  Where they cover nearly all of it the two are compared. */
#ifndef PLANNER_DEMAND_AWR_JOIN_H
#define PLANNER_DEMAND_AWR_JOIN_H

#include "planner/demand/load_points.h"

/* *points (of the devices) is replaced when periods join.  difference_pct: AWR's bytes against the
 * devices' over the compared periods; NaN when there is none. */
int awr_join(const struct load_points *awr, struct load_points *points, double *difference_pct,
             struct arena *a, struct err *e);

#endif
