/* planner/solve/plan_pareto.h - what more headroom, or fewer volumes, would cost.
 *
 * For each headroom of a ladder, and the one that was asked for, and for every total number of
 * volumes that the instance attaches, the cheapest plan of all groups is found (count_table.h).
 * Of these the front keeps those that no other equals or beats in all three of
 *
 *     total_usd     of the volumes, lower is better
 *     headroom_pct  that the plan has: the least, over measured groups that are not kept, of IOPS
 *                   and MiB/s offered above the need (of volumes that carry it in replay only,
 *                   the ladder's); higher is better
 *     count         volumes of all groups, fewer are better
 *
 * So the front is exact on that grid.  Cheapest first, then by falling headroom. */
#ifndef PLANNER_SOLVE_PLAN_PARETO_H
#define PLANNER_SOLVE_PLAN_PARETO_H

#include "planner/solve/plan.h"

/* Fills p->pareto; empty when nothing is planned.  ERR_NOMEM. */
int plan_pareto_add(struct plan *p, struct arena *a, struct err *e);

#endif
