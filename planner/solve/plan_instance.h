/* planner/solve/plan_instance.h - the host of a plan, held against its baseline caps. */
#ifndef PLANNER_SOLVE_PLAN_INSTANCE_H
#define PLANNER_SOLVE_PLAN_INSTANCE_H

#include "planner/solve/plan.h"

/* Fills type, caps and demand of p->instance; ERR_USAGE for an unknown type or weighting. */
int plan_instance_find(struct plan *p, const struct plan_options *o, struct err *e);
/* Slots that are not for groups: 1 for the gp3 of 8 GiB the host boots from, 0 when a group is it.
 */
int64_t plan_root_volumes(const struct layout *l);
/* Volumes of the chosen specs and the root volume. */
int64_t plan_attachments(const struct plan *p);
/* Once every group has its volumes. */
void plan_instance_judge(struct plan *p);

#endif
