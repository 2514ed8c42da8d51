/* planner/report/report_whatif_shape.h - what is said of changes of the load itself: requests cut,
 * windows, shifts, and what today's volumes do with the load. */
#ifndef PLANNER_REPORT_REPORT_WHATIF_SHAPE_H
#define PLANNER_REPORT_REPORT_WHATIF_SHAPE_H

#include "models/core/emit.h"
#include "planner/whatif/whatif.h"

/* Whether the peak of a group counts more requests for being cut; a table of those groups. */
bool whatif_cuts_requests(const struct whatif *w);
void say_whatif_requests(struct emit *m, const struct whatif *w);
/* Labels: disks, windows, the peak of all groups together, today's volumes. */
void say_whatif_shapes(struct emit *m, const struct whatif *w);

#endif
