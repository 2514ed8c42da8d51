/* planner/report/plan_notes.h - what to know of the planned volumes beyond their ceilings. */
#ifndef PLANNER_REPORT_PLAN_NOTES_H
#define PLANNER_REPORT_PLAN_NOTES_H

#include "models/core/emit.h"
#include "planner/solve/plan.h"

/* "queue_depth" and "short_each_day_s" of a group's chosen volumes, each of them. */
void emit_group_notes(struct emit *m, const struct plan_group *g);
/* "notes": id and text; and the same as labelled lines. */
void emit_plan_notes(struct emit *m, const struct plan *p);
void say_plan_notes(struct emit *m, const struct plan *p);

#endif
