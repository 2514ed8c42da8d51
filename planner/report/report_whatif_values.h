/* planner/report/report_whatif_values.h - the keys of a what-if, for machines. */
#ifndef PLANNER_REPORT_REPORT_WHATIF_VALUES_H
#define PLANNER_REPORT_REPORT_WHATIF_VALUES_H

#include "models/core/emit.h"
#include "planner/whatif/whatif.h"

/* "groups": one object for each group and basis; CSV prints it. */
void emit_whatif_groups(struct emit *m, const struct whatif_group *groups, size_t n);
/* base, scenario, calibration and what holds; and after the groups all the rest. */
void emit_whatif_plans(struct emit *m, const struct whatif *w);
void emit_whatif_rest(struct emit *m, const struct whatif *w);

#endif
