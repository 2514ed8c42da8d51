/* data/ingest/layout/layout_format.h - a layout as rows of `inspect`.
 *
 * The "layout" row of the format table: records of kind "systems", "groups" and "standbys".  The
 * layout is kept by `volplan layout --set`, never by ingest. */
#ifndef DATA_INGEST_LAYOUT_LAYOUT_FORMAT_H
#define DATA_INGEST_LAYOUT_LAYOUT_FORMAT_H

#include "data/ingest/format.h"

int layout_detect(struct span head);
int layout_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
