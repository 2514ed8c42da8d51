/* planner/diagnose/plan_findings.h - what a plan shows to be wrong today. */
#ifndef PLANNER_DIAGNOSE_PLAN_FINDINGS_H
#define PLANNER_DIAGNOSE_PLAN_FINDINGS_H

#include "planner/solve/plan.h"

/* Fills findings of a plan that is otherwise complete; ERR_NOMEM. */
int plan_findings(struct plan *p, struct arena *a, struct err *e);

#endif
