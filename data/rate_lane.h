/* data/rate_lane.h - the values of one metric as rates over intervals, the finest period first.
 *
 *   rate_lane_add     as loaded
 *   rate_lane_finish  sorts; intervals then ascend and do not overlap
 *   rate_lanes_next   the next time over which several lanes are to be joined
 *   rate_lane_mean    the rate over it */
#ifndef DATA_RATE_LANE_H
#define DATA_RATE_LANE_H

#include "models/core/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rate {
    int64_t begin_ms, end_ms, file_id, line;
    int64_t longest_ms; /* of a mean that a rollup made, the longest value behind it; else 0 */
    double per_s;
    size_t order; /* in which it was loaded; set by rate_lane_add */
};

struct rate_lane {
    struct rate *item;
    size_t n, room;
    size_t at; /* the first that ends after what was joined */
    size_t n_artefacts, n_overlaps, n_duplicates, n_untimed; /* values left out */
};

void rate_lane_release(struct rate_lane *l);
/* Counts what has no time as untimed, what is negative or infinite as artefact; skips NaN. */
int rate_lane_add(struct rate_lane *l, struct rate v, struct err *e);
/* Of intervals that cover the same time the shortest stays, of equally long ones the first loaded.
 * The rest of one that was cut stays where it is longer than a minute. */
int rate_lane_finish(struct rate_lane *l, struct err *e);

/* The first piece of time from from_ms on that an interval of any lane covers: as long as the
 * longest of those that cover its start.  False when there is none. */
int rate_lanes_next(struct rate_lane *lanes, size_t n, int64_t from_ms, int64_t *begin_ms,
                    int64_t *end_ms);

/* A mean and where the first of its values came from. */
struct rate_span {
    double per_s; /* over what is known of the time; NaN = nothing */
    int64_t file_id, line;
    int64_t longest_ms; /* of the values as they were measured */
    bool is_mean;       /* a rollup made one of them */
};

/* Begins where rate_lanes_next said, which does not go back. */
struct rate_span rate_lane_mean(struct rate_lane *l, int64_t begin_ms, int64_t end_ms);

#endif
