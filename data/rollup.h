/* data/rollup.h - old samples of a system thinned out so that no peak is lost; values of metrics
 * as data/rollup_metrics.h has it.
 *
 * Of every whole hour before a time what holds a maximum stays: of each rate of each device, and of
 * the sums over the disk groups of the layout and over all devices, the largest sample as it was
 * measured, and the worst minute of the clock.  What lies between becomes its mean
 * (rollup_thin.h).  So over any range of whole hours the maximum, its time and the worst minute are
 * what they were; percentiles are not.  Sums are of what was measured at the same instants: of
 * hosts whose clocks differ each has its own.
 *
 * An hour in which files overlap, or that was rolled up before, stays as it is.
 *
 * Memory: the samples of one series three times, and the sums of all sample times. */
#ifndef DATA_ROLLUP_H
#define DATA_ROLLUP_H

#include "data/store/store.h"

struct rollup_counts {
    int64_t samples_before, samples_after; /* of those that end in time */
    int64_t values_before, values_after;   /* of metrics, likewise */
};

/* Adds to *counts.  store_change_begin must have been called. */
int rollup_system(struct store *s, const char *system, int64_t before_ms,
                  struct rollup_counts *counts, struct err *e);

#endif
