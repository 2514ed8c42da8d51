/* data/ingest/oraclecsv/metric_batch.h - samples of many metrics at the same time, handed on metric
 * by metric.
 *
 * An extract has a row for each period with a column for each metric; whoever takes the samples
 * wants a series as one run.  A batch collects some rows, at most METRIC_BATCH_MAX samples, and
 * hands them over sorted by series, in the order of the file within a series. */
#ifndef DATA_INGEST_ORACLECSV_METRIC_BATCH_H
#define DATA_INGEST_ORACLECSV_METRIC_BATCH_H

#include "data/ingest/format.h"

enum { METRIC_BATCH_MAX = 16384 };

struct metric_batch {
    struct sink *sink;
    struct arena arena; /* of the samples held and their texts */
    struct metric_sample *samples;
    size_t n, room;
    int64_t n_handed_over;
};

/* {0} with the sink is an empty batch. */
int metric_batch_add(struct metric_batch *b, const struct metric_sample *s, struct err *e);
/* Hands over what is held. */
int metric_batch_flush(struct metric_batch *b, struct err *e);
void metric_batch_release(struct metric_batch *b);

/* Nothing known, of an Oracle database. */
struct metric_sample metric_sample_unknown(void);

#endif
