/* data/ingest/unixstat/unixstat.h - the text of iostat of AIX (plain, -D, -Dl, with -s -a -T) and
 * of Solaris (-x and -xn, with -z -e -M -c -r -T).
 *
 * data/ingest/iostat calls it: the format's name is iostat for all systems.  AIX counts K as 1 000
 * in -D.  Its plain tables give transfers of both directions together, and what was read and
 * written during the interval, from which the interval follows. */
#ifndef DATA_INGEST_UNIXSTAT_UNIXSTAT_H
#define DATA_INGEST_UNIXSTAT_UNIXSTAT_H

#include "data/ingest/format.h"

int unixstat_detect(struct span head);
int unixstat_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                  struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
