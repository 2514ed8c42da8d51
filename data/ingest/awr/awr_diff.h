/* data/ingest/awr/awr_diff.h - compare periods reports (awrddrpt): two snapshots. */
#ifndef DATA_INGEST_AWR_AWR_DIFF_H
#define DATA_INGEST_AWR_AWR_DIFF_H

#include "data/ingest/awr/awr_report.h"

/* Takes the exact times out of "... (Elapsed time: 901.55 sec  DB time: 6404.55 sec), ...", which
 * every page of a text report has in its head. */
void awr_diff_caption(struct awr_report *r, struct span text);

/* ERR_PARSE when the two periods are not there. */
int awr_diff_finish(struct awr_report *r);

#endif
