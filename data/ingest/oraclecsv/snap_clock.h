/* data/ingest/oraclecsv/snap_clock.h - times of rows that only tell what the server's clock showed.
 *
 * An hour that came twice (clocks set back) is told apart by the number of the snapshot: where it
 * is larger than that of the row before, so is the time.  What cannot be told apart is taken for
 * the first pass and counted: of two values of the same time the store shows the first. */
#ifndef DATA_INGEST_ORACLECSV_SNAP_CLOCK_H
#define DATA_INGEST_ORACLECSV_SNAP_CLOCK_H

#include "data/ingest/format.h"

/* {0} has seen no row. */
struct snap_clock {
    bool running;
    int64_t snap, utc_ms; /* of the row before */
    int64_t n_undecided;  /* rows taken for the first pass */
};

/* snap: UNKNOWN where rows have no number. */
int64_t snap_clock_utc(struct snap_clock *c, const struct zone *z, int64_t wall_ms, int64_t snap);
/* Warns of what was not decided. */
int snap_clock_end(const struct snap_clock *c, struct sink *sink, struct err *e);

#endif
