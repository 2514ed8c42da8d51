/* data/ingest/iostat/iostat.h - the text and the JSON of iostat: sysstat 5 to 12 in every layout,
 * AIX and Solaris (data/ingest/unixstat), alone or below the lines of OSWatcher and ExaWatcher.
 *
 * README.md says which options and versions are read, which are refused, and why. */
#ifndef DATA_INGEST_IOSTAT_IOSTAT_H
#define DATA_INGEST_IOSTAT_IOSTAT_H

#include "data/ingest/format.h"

/* struct format: detect and read. */
int iostat_detect(struct span head);
int iostat_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
