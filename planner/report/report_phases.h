/* planner/report/report_phases.h - what is said of volumes over dated phases. */
#ifndef PLANNER_REPORT_REPORT_PHASES_H
#define PLANNER_REPORT_REPORT_PHASES_H

#include "models/core/emit.h"
#include "planner/whatif/plan_phases.h"

/* "phases" and "phases_total_usd"; nothing for NULL. */
void emit_phases(struct emit *m, const struct plan_phases *p);
/* The answer in a sentence, and a table; nothing for NULL. */
void say_phases_answer(struct emit *m, const struct plan_phases *p);
void say_phases(struct emit *m, const struct plan_phases *p);

#endif
