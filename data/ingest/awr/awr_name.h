/* data/ingest/awr/awr_name.h - names in AWR reports: whole again where a column clipped them,
 * and one word for what releases call differently. */
#ifndef DATA_INGEST_AWR_AWR_NAME_H
#define DATA_INGEST_AWR_AWR_NAME_H

#include "models/core/arena.h"
#include "models/core/span.h"

enum awr_name_kind { AWR_FILETYPE, AWR_FUNCTION, AWR_EVENT, AWR_WAIT_CLASS, AWR_STATISTIC };

/* The whole name when name fills a column of `width` characters and begins exactly one known
 * longer name; else name itself.  width 0 = was not clipped. */
struct span awr_name_whole(enum awr_name_kind kind, struct span name, size_t width);

/* Key of a Load Profile figure: "Redo size (bytes)", "per_s" -> "redo_bytes_per_s" (see
 * README.md; a name that is not known is spelled in lower case and '_').  NULL: no memory. */
char *awr_load_key(struct arena *a, struct span name, const char *per);

#endif
