/* planner/report/plan_values.h - what reports say alike of a plan: its keys, for machines, and
 * cells. */
#ifndef PLANNER_REPORT_PLAN_VALUES_H
#define PLANNER_REPORT_PLAN_VALUES_H

#include "models/core/emit.h"
#include "planner/solve/plan.h"

/* All keys of a plan but its groups and pack_difference, in two parts; into the object that is
 * open. */
void emit_plan_head(struct emit *m, const struct plan *p);
void emit_plan_tail(struct emit *m, const struct plan *p);
/* The keys of group i, into the object that is open. */
void emit_plan_group(struct emit *m, const struct plan *p, size_t i);
/* The cells "plan" and "usd" of a table: what is chosen for a group. */
void emit_chosen_cells(struct emit *m, const struct plan_group *g);
/* Whether group i gets other volumes under today's rules; p->under_today is there. */
bool plan_pack_differs(const struct plan *p, size_t i);
/* An element of pack_difference, where group i has one. */
void emit_pack_difference_group(struct emit *m, const struct plan *p, size_t i);
/* "fits", "too_small", "burst"; NULL when not known. */
const char *instance_verdict_name(enum instance_verdict v);
/* A whole plan as an object. */
void emit_plan(struct emit *m, const char *key, const struct plan *p);

#endif
