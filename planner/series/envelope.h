/* planner/series/envelope.h - a load over time in as many buckets as a picture has room for,
 * without losing a peak.
 *
 * A bucket is a run of neighbouring intervals.  What stands for it is the one interval in it whose
 * load is highest, so reads and writes stacked are that peak, and the lowest total beside it.  So
 * the highest bucket of any run of buckets is the highest interval in them.  Where there are no
 * more intervals than buckets asked for, each interval is a bucket.
 *
 * What was set apart as an artefact stands for a bucket only where nothing else is in it; that one
 * is in it is marked all the same.  A gap is a bucket without values when it is as long as a
 * bucket, or, where each interval is one, longer than half the interval before it: shorter ones are
 * clocks that jitter. */
#ifndef PLANNER_SERIES_ENVELOPE_H
#define PLANNER_SERIES_ENVELOPE_H

#include "planner/demand/load_points.h"

enum envelope_state {
    ENVELOPE_CENSORED = 1 << 0, /* at a ceiling: at least this */
    ENVELOPE_ARTEFACT = 1 << 1,
    ENVELOPE_THROTTLED = 1 << 2, /* today's volumes would make it wait */
    ENVELOPE_AVERAGED = 1 << 3,  /* the interval shown is longer than a minute */
    ENVELOPE_ASSUMED = 1 << 4,   /* a factor was applied to the interval shown */
    ENVELOPE_HOLE = 1 << 5,      /* nothing was measured */
    ENVELOPE_PLAN_THROTTLED = 1 << 6,
    ENVELOPE_REDO_WAITS = 1 << 7, /* the database waited for its redo: at least this */
};
enum { ENVELOPE_NO_BINDING = 255 };

/* marks and binding: one a point, or NULL.  marks are ENVELOPE_THROTTLED and
 * ENVELOPE_PLAN_THROTTLED; binding is an index of the caller's, or ENVELOPE_NO_BINDING. */
struct envelope_source {
    const struct load_points *points;
    const unsigned char *marks, *binding;
    bool counts_mib; /* requests count in 1 MiB (st1, sc1), not 256 KiB */
};

enum envelope_metric { ENVELOPE_MIBPS, ENVELOPE_IOPS, ENVELOPE_METRICS };

/* One value a bucket; NaN = not known.  The load is the sum of what is known of the first three. */
struct envelope_values {
    double *read, *write, *unsplit, *min;
};

struct envelope {
    size_t n;
    int64_t *edge_ms; /* n + 1: begin of each, and the end of the last */
    struct envelope_values values[ENVELOPE_METRICS];
    unsigned char *state, *binding;
    bool exact;   /* every bucket is one interval, or a hole */
    bool unsplit; /* some load is not known as reads or writes */
};

/* The load of one interval in one metric. */
struct envelope_load {
    double read, write, unsplit, total; /* total: as above */
};
/* Requests are told as reads and writes by what each would count alone; their sum is exact. */
struct envelope_load envelope_load_of(const struct load_point *p, enum envelope_metric m,
                                      bool counts_mib);

/* Of the intervals that reach into [from_ms, to_ms), whole; UNKNOWN = all.  At most 2 * n_wanted +
 * 1 buckets.  ERR_NOMEM. */
int envelope_build(const struct envelope_source *s, int64_t from_ms, int64_t to_ms, size_t n_wanted,
                   struct arena *a, struct envelope *out, struct err *e);

#endif
