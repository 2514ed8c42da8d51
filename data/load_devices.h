/* data/load_devices.h - samples of block devices as load series.
 *
 * Left out and counted: averages since boot (inside a file they say that the counters or the tool
 * started anew: a reset), artefacts, of which the largest is kept, and what has no time.  Counted
 * too: how often the clock of a file's zone was set back while the series was measured. */
#ifndef DATA_LOAD_DEVICES_H
#define DATA_LOAD_DEVICES_H

#include "data/series_points.h"
#include "data/store/store.h"

/* Appends one series per device to the list; scratch is the caller's. */
int load_devices(struct store *s, const char *system, struct series_list *l, struct points *scratch,
                 struct err *e);

#endif
