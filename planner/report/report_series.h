/* planner/report/report_series.h - charts for machines: the load over time, what waits and what
 * binds, in packed arrays (pack.h), and the ceilings as lines.
 *
 *   charts[]   name, kind (group, host), role, metrics{mibps or mb_s, counted_iops: read, write,
 *              unsplit (where there is any), min, unit}, t (edges), state, binding,
 * ceilings_names[], exact, ceilings[] (metric, name, whose, what, spec, from_ms, to_ms, value)
 *   detail[]   from_ms, to_ms, charts[] likewise without ceilings: stretches around the peaks,
 *              where the charts are not exact
 *
 * The bits of state are enum envelope_state; binding is an index of ceilings_names, or 255.  A
 * host's figures are in MB/s, as its ceilings are. */
#ifndef PLANNER_REPORT_REPORT_SERIES_H
#define PLANNER_REPORT_REPORT_SERIES_H

#include "models/core/emit.h"
#include "planner/series/charts.h"

struct series_range {
    int64_t from_ms, to_ms; /* UNKNOWN = all */
    size_t n_wanted;        /* buckets of each chart */
    const char *group;      /* NULL = all charts; the host's name is that of the system */
};

/* "from_ms", "to_ms" and "charts" into the object that is open; for people a table of the first
 * chart that is wanted, or of the host.  ERR_NOMEM; ERR_USAGE for a group that is not there. */
int report_charts(struct emit *m, const struct charts *c, const struct series_range *r,
                  struct err *e);
/* The same of all there is with "detail": what a page needs that can ask for nothing more. */
int report_series(struct emit *m, const struct charts *c, struct err *e);

#endif
