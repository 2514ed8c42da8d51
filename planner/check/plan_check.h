/* planner/check/plan_check.h - is what the solver found true?
 *
 * Re-derives legality, capacity and price from the rows of the catalogue with arithmetic of
 * its own; it shares no code with planner/solve.  Reports run it before anything is shown. */
#ifndef PLANNER_CHECK_PLAN_CHECK_H
#define PLANNER_CHECK_PLAN_CHECK_H

#include "planner/solve/plan.h"
#include "planner/solve/size.h"

/* 0, or ERR_NO with the first contradiction. */
int size_check(const struct size_result *r, struct err *e);
int plan_check(const struct plan *p, struct err *e);

#endif
