/* data/ingest/awr/awr.h - Oracle AWR reports of one instance, as text and as HTML.
 *
 * The two members of the "awr" row of the format table.  The other kinds that Oracle
 * or its helpers write (RAC global, compare periods, Statspack, AWR-miner) are
 * recognised, so that they are refused by name. */
#ifndef DATA_INGEST_AWR_AWR_H
#define DATA_INGEST_AWR_AWR_H

#include "data/ingest/format.h"

int awr_detect(struct span head);
int awr_read(struct source *src, const struct ingest_options *o, struct sink *sink, struct arena *a,
             int64_t *rows, int64_t *skipped, struct err *e);

/* Gives libxml2 the allocator of models/core/mem.h.  Once, before the first report and
 * before any thread; without it libxml2 uses its own. */
void awr_html_global_init(void);
/* Frees what libxml2 keeps for the process, for leak checkers. */
void awr_html_global_release(void);

#endif
