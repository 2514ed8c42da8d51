/* planner/solve/plan_group.h - one disk group of a plan. */
#ifndef PLANNER_SOLVE_PLAN_GROUP_H
#define PLANNER_SOLVE_PLAN_GROUP_H

#include "planner/solve/count_table.h"
#include "planner/solve/plan.h"

/* The busiest volume against the mean, by the layout or as measured, whichever is worse: what its
 * group's load over time counts with. */
double plan_group_skew(const struct group_demand *d);
/* What size_solve is asked for a group.  ERR_USAGE when nobody gave its size. */
int plan_group_need(const struct group_demand *d, struct size_need *out, struct err *e);
void plan_group_options(const struct group_demand *d, const struct plan_options *o,
                        struct size_options *out);

/* Today's volumes stay: the policy says so, or nothing was measured to plan others by. */
bool plan_group_is_kept(const struct group_demand *d);
/* The cheapest option of each count, up to most where the policy allows so few; spec.count 0 where
 * none carries the demand. */
int plan_group_menu(const struct group_demand *d, const struct plan_options *o, int64_t most,
                    struct arena *a, struct count_menu *out, struct err *e);

/* Today's volumes held against a need. */
int plan_today_of(const struct layout_group *g, const struct size_result *need,
                  const struct plan_options *o, struct plan_today *out, struct err *e);

/* throttled_s of all groups' today. */
int plan_today_replay(const struct system_demand *d, const struct plan_options *o,
                      struct plan_group *groups, struct err *e);

/* Sizes the group; options hold region and instance.  When nothing meets the demand chosen has
 * spec.count 0. */
int plan_group_solve(const struct group_demand *d, const struct plan_options *o, struct arena *a,
                     struct plan_group *out, struct err *e);

/* What to order next while the peak stays at the ceiling; caps may be unknown. */
int plan_group_steps(struct plan_group *g, const struct plan_options *o,
                     const struct plan_instance *instance, struct arena *a, struct err *e);

#endif
