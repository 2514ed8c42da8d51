/* planner/report/report_whatif_redo.h - what is said of the redo path, in plans and what-ifs. */
#ifndef PLANNER_REPORT_REPORT_WHATIF_REDO_H
#define PLANNER_REPORT_REPORT_WHATIF_REDO_H

#include "models/core/emit.h"
#include "planner/solve/plan.h"

/* "calibration"; null when no report told of redo. */
void emit_calibration(struct emit *m, const struct redo_path *p);
/* Labels: who reads the redo, and how long a log lasts. */
void say_redo(struct emit *m, const struct plan *p);

#endif
