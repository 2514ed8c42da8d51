/* planner/report/report_catalog.h - which figures are known, and what changed between two days. */
#ifndef PLANNER_REPORT_REPORT_CATALOG_H
#define PLANNER_REPORT_REPORT_CATALOG_H

#include "models/core/emit.h"
#include "models/facts/catalogue.h"

/* ERR_NOMEM. */
int report_catalog(struct emit *m, const struct catalogue *c, struct arena *a, struct err *e);
void report_catalog_diff(struct emit *m, const struct catalogue *c, int64_t from_ms, int64_t to_ms);

#endif
