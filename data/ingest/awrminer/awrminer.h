/* data/ingest/awrminer/awrminer.h - extracts of AWR-Miner and of dbcsi, its descendant (.out).
 *
 * Sections "~~BEGIN-X~~ ... ~~END-X~~".  Read is MAIN-METRICS: one row for each snapshot and
 * instance, averages and per-minute maxima of the system metrics, every column a metric of its own
 * under the name of its heading; the database's name comes from OS-INFORMATION.  Columns differ by
 * version and are found by heading and ruler.  Times are the end of the interval in the database's
 * zone, yy/mm/dd hh24:mi; the sample's time is its start. */
#ifndef DATA_INGEST_AWRMINER_AWRMINER_H
#define DATA_INGEST_AWRMINER_AWRMINER_H

#include "data/ingest/format.h"

int awr_miner_detect(struct span head);
int dbcsi_detect(struct span head);
int awr_miner_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
