/* data/ingest/cloudwatch/cloudwatch.h - CloudWatch answers and streams into metric samples.
 *
 * Three rows of the format table: cw_stats (get-metric-statistics, also a bare "timestamp,value"
 * CSV), cw_data (get-metric-data, its request file, list-metrics) and cw_stream (metric streams).
 * README.md says what is read and how periods, statistics and duplicates are treated. */
#ifndef DATA_INGEST_CLOUDWATCH_CLOUDWATCH_H
#define DATA_INGEST_CLOUDWATCH_CLOUDWATCH_H

#include "data/ingest/format.h"

int cw_stats_detect(struct span head);
int cw_stats_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                  struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

int cw_data_detect(struct span head);
int cw_data_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                 struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

int cw_stream_detect(struct span head);
int cw_stream_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

/* The request file of get-metric-data (--metric-data-queries file://..., or the whole
 * --cli-input-json): the only place that says which metric, statistic and period an Id of the
 * answer stands for.  Whoever loads a folder looks for request files first
 * (cw_request_detect), adds each one, and sets ingest_options.request for the answers of that
 * folder.  A request inside the answer's own file (JSON documents one after the other) is
 * found by cw_data_read itself and goes first. */
struct cw_query {
    struct span id, label;
    struct span expression; /* metric math or SEARCH(...); empty = a metric */
    struct span account, namespace_name, metric, dimension, statistic, unit;
    double period_s; /* NaN where the query does not tell */
    int64_t line;
};

struct cw_request {
    struct cw_query *queries; /* by Id */
    size_t n, room;
};

bool cw_request_detect(struct span head);
/* Adds the queries of a whole file to io (= {0} at first); they live in a. */
int cw_request_add(struct source *src, struct arena *a, struct cw_request *io, struct err *e);
/* NULL when no query has this Id; *ambiguous when several differing ones have. */
const struct cw_query *cw_request_find(const struct cw_request *r, struct span id, bool *ambiguous);

#endif
