/* planner/report/report_waste.h - the volumes of a bill: what was paid for, used, and would have
 * done. */
#ifndef PLANNER_REPORT_REPORT_WASTE_H
#define PLANNER_REPORT_REPORT_WASTE_H

#include "models/core/emit.h"
#include "planner/bill/waste.h"

/* Volumes of which there is something to tell people: measured ones, and gp2 that gp3 beats. */
size_t waste_rows(const struct waste *w);
/* "volumes": all for machines; for people those with the largest savings. */
void emit_waste_volumes(struct emit *m, const struct waste *w);

#endif
