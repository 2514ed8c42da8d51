/* data/ingest/plan/plan_format.h - what a plan in a file chose, as rows of `inspect`.
 *
 * The "plan" row of the format table: records of kind "plans" and "groups".  A plan is read by
 * `volplan replay --plan`, never kept by ingest. */
#ifndef DATA_INGEST_PLAN_PLAN_FORMAT_H
#define DATA_INGEST_PLAN_PLAN_FORMAT_H

#include "data/ingest/format.h"

int plan_detect(struct span head);
int plan_read(struct source *src, const struct ingest_options *o, struct sink *sink,
              struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
