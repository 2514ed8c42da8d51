/* planner/report/report_plan_host.h - the words for the host of a plan, and for what else there is
 * to choose. */
#ifndef PLANNER_REPORT_REPORT_PLAN_HOST_H
#define PLANNER_REPORT_REPORT_PLAN_HOST_H

#include "models/core/emit.h"
#include "planner/solve/plan.h"

/* A sentence for an instance that is too small; also: a group is at its own ceiling besides. */
void say_plan_too_small(struct emit *m, const struct plan *p, bool also);
/* A sentence for the instance that was chosen with the volumes. */
void say_plan_chosen(struct emit *m, const struct plan *p);
void say_plan_host(struct emit *m, const struct plan *p);
/* Of the front, what costs least in the ranking at some headrooms. */
void say_plan_front(struct emit *m, const struct plan *p);

#endif
