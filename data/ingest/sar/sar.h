/* data/ingest/sar/sar.h - the text of sar: sysstat, AIX, Solaris and HP-UX.
 *
 * Of the tables of sar -A only the one of devices (sar -d) is read.  sar prints requests of both
 * directions together; reads and writes are never split here.  A row's time is the end of
 * its interval, the heading's the start. */
#ifndef DATA_INGEST_SAR_SAR_H
#define DATA_INGEST_SAR_SAR_H

#include "data/ingest/format.h"

int sar_detect(struct span head);
int sar_read(struct source *src, const struct ingest_options *o, struct sink *sink, struct arena *a,
             int64_t *rows, int64_t *skipped, struct err *e);

#endif
