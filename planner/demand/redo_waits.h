/* planner/demand/redo_waits.h - did the database wait for its redo?  Then what was measured is a
 * lower bound. */
#ifndef PLANNER_DEMAND_REDO_WAITS_H
#define PLANNER_DEMAND_REDO_WAITS_H

#include "models/vocab/awr_snapshot.h"

#include <stdbool.h>

/* Waits for log buffer space, or for a log switch held up by archiving or checkpoint. */
bool redo_waited(const struct awr_snapshot *s);

#endif
