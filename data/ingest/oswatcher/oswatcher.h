/* data/ingest/oswatcher/oswatcher.h - archives of OSWatcher and ExaWatcher: the text of iostat
 * below the lines that say when each snapshot was taken (zzz.h).
 *
 * Linux, AIX and Solaris; the text itself is read by data/ingest/iostat. Archives of other tools
 * (vmstat, top, meminfo ...) are recognised and refused: they hold no figures of devices. */
#ifndef DATA_INGEST_OSWATCHER_OSWATCHER_H
#define DATA_INGEST_OSWATCHER_OSWATCHER_H

#include "data/ingest/format.h"

int oswatcher_detect(struct span head);
int oswatcher_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
