/* data/fetch/cw_windows.h - what is still to be asked of CloudWatch, and in which periods.
 *
 * CloudWatch keeps points of 60 s for 15 days, of 300 s for 63 and of 3 600 s for 455 (domain: the
 * CloudWatch user guide, "Metrics retention"): a stretch of time is asked for in the finest period
 * that is still kept, or in a longer one that the user names.  Instances without detailed
 * monitoring are asked in 300 s at least: a point stands for five minutes, whatever period is asked
 * for.
 *
 * What the store has in that period or a finer one is left out; of an instance also what it has in
 * 300 s, since monitoring that becomes detailed leaves the points before as they are.  The rest is
 * cut at fixed times (a day of 60 s, five of 300 s, sixty of 3 600 s) into windows; a window and a
 * few volumes are one question and one transaction. */
#ifndef DATA_FETCH_CW_WINDOWS_H
#define DATA_FETCH_CW_WINDOWS_H

#include "models/core/arena.h"
#include "models/core/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cw_resource {
    const char *id;
    bool is_instance;
    bool detailed; /* an instance with detailed monitoring */
};

enum { CW_BASIC_S = 300 }; /* what a point stands for with basic monitoring */

/* What was asked for in an earlier run, whether or not there were points. */
struct cw_covered {
    const char *id;
    int64_t from_ms, to_ms, period_s;
};

struct cw_range {
    int64_t from_ms, to_ms; /* as asked for */
    int64_t now_ms;
    int64_t period_s; /* 0 = the finest */
};

struct cw_window {
    int64_t from_ms, to_ms, period_s;
    size_t resource; /* index */
};

struct cw_windows {
    struct cw_window *at; /* by period, from, to, resource */
    size_t n, room;
    bool known; /* some of the range was left out as known */
};

/* The last minutes are not complete yet: nothing after it is asked for. */
int64_t cw_windows_end(int64_t now_ms);

/* covered is sorted in place. */
int cw_windows_plan(const struct cw_range *range, const struct cw_resource *resources, size_t n,
                    struct cw_covered *covered, size_t n_covered, struct arena *a,
                    struct cw_windows *out, struct err *e);

#endif
