/* data/ingest/sar/sadf.h - what sadf prints for programs: -d (fields by ';'), -p (by tab, one value
 * a line) and -j (JSON).  -x (XML) and -r (raw counters) are recognised and refused.
 *
 * The interval of every sample is in the file.  sadf -d and -p print UTC and say so, or local time
 * (-t), or seconds since the epoch (-U). */
#ifndef DATA_INGEST_SAR_SADF_H
#define DATA_INGEST_SAR_SADF_H

#include "data/ingest/format.h"

int sadf_detect(struct span head);
int sadf_read(struct source *src, const struct ingest_options *o, struct sink *sink,
              struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
