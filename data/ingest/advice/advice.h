/* data/ingest/advice/advice.h - what other advisers recommend for volumes, kept for comparison.
 *
 * The "optimizer" row of the format table: AWS Compute Optimizer (volumes and instances) and AWS
 * Cost Optimization Hub, as CLI JSON and as export CSV.  Each option of each volume is one
 * record of kind "recommendations". */
#ifndef DATA_INGEST_ADVICE_ADVICE_H
#define DATA_INGEST_ADVICE_ADVICE_H

#include "data/ingest/format.h"

int optimizer_detect(struct span head);
int optimizer_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
