/* data/ingest/awr/awr.h - Oracle AWR reports, as text and as HTML.
 *
 * The members of the rows "awr", "awr_rac", "awr_diff" and "statspack" of the format table: one
 * reader takes them all, and a file may hold several. */
#ifndef DATA_INGEST_AWR_AWR_H
#define DATA_INGEST_AWR_AWR_H

#include "data/ingest/format.h"

int awr_detect(struct span head);      /* one instance, or a pluggable database */
int awr_rac_detect(struct span head);  /* a cluster */
int awr_diff_detect(struct span head); /* two periods */
int awr_read(struct source *src, const struct ingest_options *o, struct sink *sink, struct arena *a,
             int64_t *rows, int64_t *skipped, struct err *e);

/* Gives libxml2 the allocator of models/core/mem.h.  Once, before the first report and
 * before any thread; without it libxml2 uses its own. */
void awr_html_global_init(void);
/* Frees what libxml2 keeps for the process, for leak checkers. */
void awr_html_global_release(void);

#endif
