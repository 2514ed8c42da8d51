/* planner/solve/attachments.h - volumes of all groups within the instance's slots. */
#ifndef PLANNER_SOLVE_ATTACHMENTS_H
#define PLANNER_SOLVE_ATTACHMENTS_H

#include "planner/solve/count_table.h"
#include "planner/solve/plan.h"

/* The groups whose volumes are free to be chosen, and what they may be. */
struct free_groups {
    const struct count_menu *menus;
    const size_t *index; /* of the group in the plan */
    size_t n;
    int64_t kept;         /* volumes of the other groups */
    int64_t fewest, most; /* volumes of the free ones; fewest UNKNOWN = one cannot be carried */
};
/* slots: how many volumes there is room for at most; more are not looked at. */
int attachments_menus(const struct system_demand *d, const struct plan_options *o, int64_t slots,
                      struct arena *a, struct free_groups *out, struct err *e);

/* Chooses a count for every group that is not kept so that all fit into slots volumes at the
 * least sum of rank_usd.  *out_fewest: the fewest volumes that would do; when that is above
 * slots, nothing was changed. */
int attachments_fit(struct plan_group *groups, const struct system_demand *d,
                    const struct plan_options *o, int64_t slots, struct arena *a,
                    int64_t *out_fewest, struct err *e);

#endif
