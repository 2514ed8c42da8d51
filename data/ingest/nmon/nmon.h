/* data/ingest/nmon/nmon.h - files of nmon, of Linux and of AIX.
 *
 * One line per kind of figure and snapshot (DISKREAD,T0001,...), names of the disks in a heading
 * line of each kind, time in a line of its own (ZZZZ) before or after the figures.  More than some
 * number of disks continue in DISKREAD1, DISKREAD2 ...  Files may have been sorted. */
#ifndef DATA_INGEST_NMON_NMON_H
#define DATA_INGEST_NMON_NMON_H

#include "data/ingest/format.h"

int nmon_detect(struct span head);
int nmon_read(struct source *src, const struct ingest_options *o, struct sink *sink,
              struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
