/* planner/report/plan_values.h - the keys of a plan, for machines. */
#ifndef PLANNER_REPORT_PLAN_VALUES_H
#define PLANNER_REPORT_PLAN_VALUES_H

#include "models/core/emit.h"
#include "planner/solve/plan.h"

/* The keys of a group, into the object that is open. */
void emit_plan_group(struct emit *m, const struct plan_group *g);
void emit_plan_certificate(struct emit *m, const struct plan *p);
void emit_plan_instance(struct emit *m, const struct plan_instance *i);
void emit_findings(struct emit *m, const struct finding *findings, size_t n);

#endif
