/* planner/report/report_redo.h - the redo path as it is: who reads the redo, from where, and what
 * each standby brings to each group.
 *
 * The keys of a what-if, of one without a change; without its two plans. */
#ifndef PLANNER_REPORT_REPORT_REDO_H
#define PLANNER_REPORT_REPORT_REDO_H

#include "models/core/emit.h"
#include "planner/whatif/whatif.h"

/* Into the object that is open. */
void report_redo(struct emit *m, const struct whatif *w);

#endif
