/* data/ingest/bill/bill.h - the EBS lines of bills, streamed in constant memory.
 *
 * Four rows of the format table: cur (legacy cost and usage report, headings
 * "lineItem/UsageType"), cur2 (CUR 2.0 and the Athena form of the legacy report,
 * "line_item_usage_type"), focus (FOCUS 0.5 to 1.2) and cost_explorer (its CSV, its JSON, and
 * monthly summaries made of either).  Handed over are lines whose usage type is one of EBS; all
 * others are skipped and counted.  README.md has the rules. */
#ifndef DATA_INGEST_BILL_BILL_H
#define DATA_INGEST_BILL_BILL_H

#include "data/ingest/format.h"

int cur_detect(struct span head);
int cur_read(struct source *src, const struct ingest_options *o, struct sink *sink, struct arena *a,
             int64_t *rows, int64_t *skipped, struct err *e);

int cur2_detect(struct span head);
int cur2_read(struct source *src, const struct ingest_options *o, struct sink *sink,
              struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

int focus_detect(struct span head);
int focus_read(struct source *src, const struct ingest_options *o, struct sink *sink,
               struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

int cost_explorer_detect(struct span head);
int cost_explorer_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                       struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
