/* data/ingest/oraclecsv/snap_clock.c - see snap_clock.h. */
#include "data/ingest/oraclecsv/snap_clock.h"

#include "data/zone.h"
#include "models/core/unit.h"

#include <stdio.h>

int64_t snap_clock_utc(struct snap_clock *c, const struct zone *z, int64_t wall_ms, int64_t snap)
{
    bool goes_on = c->running && snap != UNKNOWN && snap >= c->snap;
    int64_t not_before_ms = goes_on ? c->utc_ms + (snap > c->snap) : UNKNOWN;
    int64_t utc_ms = zone_to_utc_after(z, wall_ms, not_before_ms);
    if (!goes_on && zone_to_utc_after(z, wall_ms, utc_ms + 1) != utc_ms)
        c->n_undecided++;
    c->running = snap != UNKNOWN;
    c->snap = snap;
    c->utc_ms = utc_ms;
    return utc_ms;
}

int snap_clock_end(const struct snap_clock *c, struct sink *sink, struct err *e)
{
    char text[120];
    if (!c->n_undecided)
        return 0;
    snprintf(text, sizeof text,
             "%lld row%s of an hour that the clock showed twice: taken for the first pass",
             (long long)c->n_undecided, c->n_undecided == 1 ? "" : "s");
    return sink->warning(sink->ctx, 0, text, e);
}
