/* planner/report/report_provenance.h - where the figures of a report come from: file and line, rule
 * and date.
 *
 *   {what, value, unit, file, line, rule, date}     file null = no file: a rule, a price, a cap
 *
 * date is that of the sample, or the day whose rule it is, or on which a price or a cap was read.
 */
#ifndef PLANNER_REPORT_REPORT_PROVENANCE_H
#define PLANNER_REPORT_REPORT_PROVENANCE_H

#include "models/core/emit.h"
#include "planner/bill/reconcile.h"
#include "planner/solve/plan.h"

/* "provenance".  bill NULL = none.  ERR_NOMEM. */
int report_provenance(struct emit *m, const struct plan *p, const struct reconciliation *bill,
                      struct err *e);

#endif
