/* planner/report/emit_others.h - other advisers' answers beside a plan. */
#ifndef PLANNER_REPORT_EMIT_OTHERS_H
#define PLANNER_REPORT_EMIT_OTHERS_H

#include "models/core/emit.h"
#include "planner/solve/plan_others.h"

void emit_others(struct emit *m, const struct plan_other *others, size_t n);
/* The first few of all groups, for people. */
void say_others(struct emit *m, const struct plan *p);

#endif
