/* planner/solve/attachments.h - volumes of all groups within the instance's slots. */
#ifndef PLANNER_SOLVE_ATTACHMENTS_H
#define PLANNER_SOLVE_ATTACHMENTS_H

#include "planner/solve/plan.h"

/* Chooses a count for every group that is not kept so that all fit into slots volumes at the
 * least sum of rank_usd; an exact knapsack.  *out_fewest: the fewest volumes that would
 * do; when that is above slots, nothing was changed. */
int attachments_fit(struct plan_group *groups, size_t n, const struct plan_options *o,
                    int64_t slots, struct arena *a, int64_t *out_fewest, struct err *e);

#endif
