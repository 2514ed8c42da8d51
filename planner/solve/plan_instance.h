/* planner/solve/plan_instance.h - the host of a plan, held against its baseline caps. */
#ifndef PLANNER_SOLVE_PLAN_INSTANCE_H
#define PLANNER_SOLVE_PLAN_INSTANCE_H

#include "planner/solve/plan.h"

/* On-Demand of 730 h in us-east-1, the only region whose prices are known; UNKNOWN. */
int64_t instance_monthly_microusd(const struct instance_type *t);
/* Fills type, caps and demand of p->instance; ERR_USAGE for an unknown type or weighting. */
int plan_instance_find(struct plan *p, const struct plan_options *o, struct err *e);
/* Slots that are not for groups: 1 for the gp3 of 8 GiB the host boots from, 0 when a group is it.
 */
int64_t plan_root_volumes(const struct layout *l);
/* Volumes of the chosen specs and the root volume. */
int64_t plan_attachments(const struct plan *p);
/* Where the chosen volumes overload an EBS card of an instance that carries the load: the cheapest
 * that do not, if there are any.  PLAN_GOOD when not all were tried. */
int plan_instance_spread(struct plan *p, struct plan_group *groups, const struct plan_options *o,
                         struct arena *a, struct err *e);
/* Whether no EBS card is overloaded with chosen, one a group; true as well where that is not known
 * or the load is too much for all cards together. */
bool plan_instance_cards_hold(const struct plan *p, const struct volume_spec *chosen);
/* Once every group has its volumes. */
int plan_instance_judge(struct plan *p, struct arena *a, struct err *e);

#endif
