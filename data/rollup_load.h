/* data/rollup_load.h - which minutes of the load of a volume or instance are peaks. */
#ifndef DATA_ROLLUP_LOAD_H
#define DATA_ROLLUP_LOAD_H

#include "data/rate_lane.h"
#include "data/rollup_cuts.h"
#include "data/rollup_sums.h"
#include "data/series_points.h"

/* Adds to the cuts the highest of every hour, and edges where what is known changes; to the sums,
 * minute by minute, what lies in hours that may change.  idle has the seconds of each minute in
 * which nothing was asked for, ascending. */
int rollup_load_look(const struct points *load, const struct rate_lane *idle, uint64_t sets,
                     struct rollup_sums *sums, struct rollup_cuts *cuts, struct err *e);

#endif
