/* data/ingest/lsblk/lsblk.h - lsblk as tree, list (-l), raw (-r), pairs (-P) and JSON (-J).
 *
 * One record of kind "devices" per line, with every column that was printed: sizes in bytes, the
 * others under their heading in lower case.  "parent" is the device that the tree hangs it below.
 */
#ifndef DATA_INGEST_LSBLK_LSBLK_H
#define DATA_INGEST_LSBLK_LSBLK_H

#include "data/ingest/format.h"

int lsblk_detect(struct span head);
int lsblk_read(struct source *src, const struct ingest_options *o, struct sink *sink,
               struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
