/* data/ingest/diskstats/diskstats.h - readings of /proc/diskstats.
 *
 * Counters, one line per device; between readings a line with the time: "TS 1344561790.01" (as
 * pt-diskstats saves them), seconds since the epoch alone, an ISO time, what date(1) prints.
 * /proc/uptime ("947.17 1426.66") may follow.  From two readings of a device come its rates.  Its
 * first reading is the time since boot: mean sizes, shares and waits are known, rates only
 * beside an uptime. */
#ifndef DATA_INGEST_DISKSTATS_DISKSTATS_H
#define DATA_INGEST_DISKSTATS_DISKSTATS_H

#include "data/ingest/format.h"

int diskstats_detect(struct span head);
int diskstats_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
