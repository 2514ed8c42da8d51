/* data/rollup_cuts.h - where values of metrics may be put together, and where not.
 *
 * Values of one minute each that follow each other become one.  It ends at an edge, of which there
 * is one wherever anything that it may be summed with begins, ends or changes its kind: so over any
 * stretch between two edges each metric is put together whole, or stays as it is and is constant,
 * or was not measured, and the sum of the means is the mean of the sums. */
#ifndef DATA_ROLLUP_CUTS_H
#define DATA_ROLLUP_CUTS_H

#include "data/rollup_peaks.h"
#include "data/store/store.h"

/* = {0} is none; released by rollup_cuts_release. */
struct rollup_cuts {
    struct stretches hours; /* whole hours that stay as they are */
    struct kept_times kept; /* of them exact: peaks */
    int64_t *edge;
    size_t n_edges, edges_room;
};

void rollup_cuts_release(struct rollup_cuts *c);
int rollup_cuts_edge(struct rollup_cuts *c, int64_t at_ms, struct err *e);
/* The hours that a stretch of time meets stay. */
int rollup_cuts_keep_hours(struct rollup_cuts *c, int64_t begin_ms, int64_t end_ms, struct err *e);
/* To be called before what follows: puts in order, and edges around the peaks. */
int rollup_cuts_settle(struct rollup_cuts *c, struct err *e);
bool rollup_cuts_meet(const struct rollup_cuts *c, int64_t begin_ms, int64_t end_ms);
bool rollup_cuts_is_edge(const struct rollup_cuts *c, int64_t at_ms);

/* What one kind of value, of one owner, covers; = {0} is nothing. */
struct value_spans {
    struct value_span *item;
    size_t n, room, order;
};

void value_spans_release(struct value_spans *l);
void value_spans_clear(struct value_spans *l);
/* Values in the order of the file. */
int value_spans_add(struct value_spans *l, int64_t file_id, const struct store_metric_value *values,
                    size_t n, struct err *e);
/* What follows is of another metric. */
void value_spans_next_metric(struct value_spans *l);
/* Adds the edges, and the hours that stay: where values overlap but for the same minute twice, are
 * put together already, or begin within a minute. */
int value_spans_mark(struct value_spans *l, struct rollup_cuts *c, struct err *e);
/* After it: keeps the highest minute of each hour, and the lowest of what is no total; of equal
 * ones the first, of hours in which all are the same none. */
int value_spans_keep_extremes(const struct value_spans *l, bool is_total, struct rollup_cuts *c,
                              struct err *e);

#endif
