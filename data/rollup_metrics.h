/* data/rollup_metrics.h - old values of metrics thinned out so that no peak is lost.
 *
 * Of the load of volumes and instances (data/metric_owner.h) every minute stays that is the highest
 * of its hour: of any rate of a volume or instance, of the sums over the disk groups of the layout,
 * over all volumes and over all instances, and of a volume's requests and bytes crowded into its
 * busy seconds (VolumeIdleTime).  It stays of all of them, and what lies between is put together
 * over the same minutes of all of them (data/rollup_cuts.h).  Of every other metric the highest
 * minute of an hour stays, and the lowest where its values are no totals.
 *
 * Only values of one minute are put together; of a minute that was loaded twice both are, and the
 * first still counts.  Hours in which values of one metric overlap otherwise, or that were rolled up
 * before, stay: where it is load, of all load.
 *
 * Memory: the values of one metric three times, the load of one owner, and the sums of all minutes
 * of hours that may change. */
#ifndef DATA_ROLLUP_METRICS_H
#define DATA_ROLLUP_METRICS_H

#include "data/rollup.h"
#include "models/vocab/layout.h"

/* before_ms is the start of an hour.  Adds to *counts.  store_change_begin must have been called.
 */
int rollup_metrics(struct store *s, const char *system, const struct layout *layout,
                   int64_t before_ms, struct rollup_counts *counts, struct err *e);

#endif
