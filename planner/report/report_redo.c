/* planner/report/report_redo.c - see report_redo.h. */
#include "planner/report/report_redo.h"

#include "planner/report/report_whatif_redo.h"
#include "planner/report/report_whatif_values.h"

void report_redo(struct emit *m, const struct whatif *w)
{
    emit_calibration(m, w->path);
    emit_whatif_groups(m, w->groups, w->n_groups);
    emit_whatif_rest(m, w);
}
