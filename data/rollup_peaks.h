/* data/rollup_peaks.h - the times that a rollup must leave as they were measured.
 *
 * Of every hour and rate two things are kept: the sample that is the largest, and the minute of
 * the clock whose mean is the largest (of which half was measured at least).  Of equal ones the
 * first. */
#ifndef DATA_ROLLUP_PEAKS_H
#define DATA_ROLLUP_PEAKS_H

#include "models/core/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stretch {
    int64_t begin_ms, end_ms;
};

/* = {0} is an empty one; item is the owner's to mem_free. */
struct stretches {
    struct stretch *item;
    size_t n, room;
};

int stretches_add(struct stretches *l, int64_t begin_ms, int64_t end_ms, struct err *e);
/* Sorts and joins them; to be called before stretches_meet. */
void stretches_settle(struct stretches *l);
/* Whether one of them overlaps the interval. */
bool stretches_meet(const struct stretches *l, int64_t begin_ms, int64_t end_ms);

/* What of some hours a rollup keeps. */
struct kept_times {
    struct stretches exact;   /* samples that meet these stay as they are */
    struct stretches minutes; /* minutes of the clock that nothing is mixed with */
};

void kept_times_release(struct kept_times *k);
/* Adds the minutes of what is exact; settles both. */
int kept_times_settle(struct kept_times *k, struct err *e);

/* One rate that goes by. */
struct peak_marker {
    struct kept_times *kept;
    double measured_ms; /* of a minute that makes its sum a mean; 0 = what was measured of it */
    int64_t hour_ms;    /* in progress; UNKNOWN = none yet */
    double max, worst;
    struct stretch max_at, worst_at;
    int64_t minute_ms; /* in progress */
    double minute_sum, minute_covered_ms;
};

/* The sum of several sources covers a minute several times: of such a one the minutes with the
 * largest sum count. */
void peak_marker_init(struct peak_marker *m, struct kept_times *kept, bool is_sum);
/* Intervals ascend by their beginning.  NaN is passed over. */
int peak_marker_add(struct peak_marker *m, int64_t begin_ms, int64_t end_ms, double rate,
                    struct err *e);
/* After the last one. */
int peak_marker_finish(struct peak_marker *m, struct err *e);

#endif
