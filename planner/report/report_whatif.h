/* planner/report/report_whatif.h - what is said of a what-if.
 *
 * JSON keys as INTERFACE.md lists them.  Both plans pass planner/check first.
 * What memory it needs for a moment comes of a; without any, emit_close says so. */
#ifndef PLANNER_REPORT_REPORT_WHATIF_H
#define PLANNER_REPORT_REPORT_WHATIF_H

#include "models/core/arena.h"
#include "models/core/emit.h"
#include "planner/whatif/whatif.h"

void report_whatif(struct emit *m, const struct whatif *w, struct arena *a);

#endif
