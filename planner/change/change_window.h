/* planner/change/change_window.h - what the measured load leaves to a move of data, by the minute
 * of the day.
 *
 * The load is replayed through today's volumes and instance; of each minute of the day (UTC) the
 * largest that any day had is kept, for each group and the instance.  A minute that was never
 * measured counts as the busiest of all.  A move then takes
 *
 *     min(source - group, destination - group, (instance baseline - instance load) / 2)
 *
 * MiB/s: each moved byte is read and written, and both count at the instance (a backup is only
 * read).  The load of the
 * group is held against either side in full, since it changes over during the move.  Requests are
 * of 1 MiB, which SSD volumes and the instance count as four. */
#ifndef PLANNER_CHANGE_CHANGE_WINDOW_H
#define PLANNER_CHANGE_CHANGE_WINDOW_H

#include "planner/change/change.h"
#include "planner/replay/replay_system.h"

struct change_day;

struct change_move {
    size_t group;
    double moved_gib;
    struct replay_group source, destination;
    bool once; /* the instance sees each byte once: a backup to elsewhere, a restore */
};

/* ERR_NOMEM; ERR_USAGE for a weighting that the instance has not. */
int change_day_build(const struct system_demand *d, const struct change_options *o, struct arena *a,
                     const struct change_day **out, struct err *e);
/* Beginning at start_ms; infinite when a year does not do, NaN when the group was never measured.
 */
double change_move_s(const struct change_day *day, const struct change_move *m, int64_t start_ms);
/* When nothing else runs (asm_rebalance). */
double change_move_alone_s(const struct change_day *day, const struct change_move *m);
const struct instance_caps *change_caps(const struct change_day *day);

#endif
