/* data/load.h - everything the store holds of one system, as load series.
 *
 * Devices become SERIES_DEVICE series that count block layer requests, the file types of
 * AWR become SERIES_FILETYPE series that count Oracle requests, one point per snapshot (the
 * TOTAL row is no series).  Samples of several files are merged in time order; of two
 * that overlap the one loaded first stays, and an overlap of up to a tenth of the shorter
 * one is jitter of the clock: the later one is cut.  Samples since boot, artefacts and
 * those without times are left out.  What was left out is counted in the series.
 *
 * Metrics of CloudWatch become SERIES_VOLUME and SERIES_INSTANCE series, the others metric series:
 * data/load_metrics.h. */
#ifndef DATA_LOAD_H
#define DATA_LOAD_H

#include "data/store/store.h"

/* system NULL = the only one.  All that *out points to lives in the arena.  ERR_USAGE for
 * a system that the store does not know. */
int load_system(struct store *s, const char *system, struct arena *a, struct system_load *out,
                struct err *e);

#endif
