/* data/cluster_reports.h - AWR of a cluster beside AWR of its instances: the same load told twice.
 *
 * A report of the cluster that tells its instances one by one counts as these.  Where instances
 * were reported apart from it, over the same time, they count, and the cluster does not, as long as
 * together they moved nine tenths of its bytes; else some are missing, and the cluster counts. */
#ifndef DATA_CLUSTER_REPORTS_H
#define DATA_CLUSTER_REPORTS_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/vocab/load_series.h"

#include <stdbool.h>

/* No row of file types, but their sum. */
bool awr_row_is_total(const struct awr_io_row *row);

/* Sets counts[i] for each snapshot of load, and adds a warning of load where snapshots of separate
 * reports do not count. */
int cluster_reports_choose(struct system_load *load, struct arena *a, bool *counts, struct err *e);

#endif
