/* planner/check/phases_check.h - are phases of volumes what the rules of modification allow, and do
 * they carry each phase?
 *
 * Like plan_check it shares no code with the search. */
#ifndef PLANNER_CHECK_PHASES_CHECK_H
#define PLANNER_CHECK_PHASES_CHECK_H

#include "planner/whatif/plan_phases.h"

/* 0, or ERR_NO with the first contradiction. */
int phases_check(const struct plan_phases *p, struct err *e);

#endif
