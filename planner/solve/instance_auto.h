/* planner/solve/instance_auto.h - the cheapest instance type that carries the system.
 *
 *     objective = price of the instance a month + sum of rank_usd of its volumes
 *
 * The volumes depend on the type through its slots and through the rules that hold on it (Xen caps,
 * io2 Block Express before 2023-11-21), so they are solved once for each set of rules and every
 * number of volumes.  Types are tried in price order, and the search ends at the first whose price
 * and the cheapest volumes that any type could have, slots aside, reach the best objective: no
 * later one is below that bound.  Each is tried with the default weighting and, where the type has
 * it and needs it, ebs-1; vpc-1 carries less of EBS than the default and is never needed.  Where
 * the cheapest volumes overload one of its EBS cards other numbers of them are searched
 * (card_counts.h); when that search is cut short and no other type does either, the type is chosen
 * nevertheless, and its verdict says what it lacks.
 *
 * A type carries the load by its baseline, or, where a day of load or more was measured over time,
 * when nothing waits in replay through its burst (plan_replay.h). */
#ifndef PLANNER_SOLVE_INSTANCE_AUTO_H
#define PLANNER_SOLVE_INSTANCE_AUTO_H

#include "planner/solve/host_need.h"

struct instance_auto {
    const struct instance_type *type; /* NULL = none carries it */
    enum weighting weighting;
    int64_t objective_microusd;
    size_t n_tried, n_pruned;
    bool cut_short; /* a type whose cards ask for other numbers of volumes than are cheapest might
                       do for less: not all of them were tried */
    /* Without a type: what the nearest one lacks. */
    enum ceiling ceiling;
    double needed, offered;
};

/* ERR_USAGE, ERR_NOMEM; 0 also when no type carries it. */
int instance_auto_choose(const struct system_demand *d, const struct plan_options *o,
                         struct arena *a, struct instance_auto *out, struct err *e);

#endif
