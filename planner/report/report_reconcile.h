/* planner/report/report_reconcile.h - what is said of a bill: what it should have been, and what of
 * it was needed. */
#ifndef PLANNER_REPORT_REPORT_RECONCILE_H
#define PLANNER_REPORT_REPORT_RECONCILE_H

#include "models/core/emit.h"
#include "planner/bill/standby_prices.h"

void report_reconcile(struct emit *m, const struct reconciliation *r, const struct waste *w,
                      const struct standby_prices *standbys);

#endif
