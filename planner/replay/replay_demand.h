/* planner/replay/replay_demand.h - measured load of several groups as blocks of one replay.
 *
 * Groups meet on the union of their interval edges, block by block, so that the replay of a long
 * fine series needs no second copy of it.  What a group has not measured, and what was set apart
 * as an artefact, is NaN. */
#ifndef PLANNER_REPLAY_REPLAY_DEMAND_H
#define PLANNER_REPLAY_REPLAY_DEMAND_H

#include "planner/demand/load_points.h"
#include "planner/replay/replay.h"

enum { REPLAY_DEMAND_BLOCK = 4096 }; /* intervals in a block, at most */

struct replay_demand;

/* points[group]; counts_mib[group]: its volumes count requests of 1 MiB (st1, sc1), not 256 KiB.
 * All is borrowed.  ERR_NOMEM. */
int replay_demand_open(const struct load_points *const *points, const bool *counts_mib, size_t n,
                       struct arena *a, struct replay_demand **out, struct err *e);
/* 0 s of the blocks: the first edge of all; UNKNOWN when there is none. */
int64_t replay_demand_begin_ms(const struct replay_demand *d);
/* The end of the last interval; UNKNOWN. */
int64_t replay_demand_end_ms(const struct replay_demand *d);
/* The next block, valid until the next call; false after the last. */
bool replay_demand_next(struct replay_demand *d, struct replay_block *out);

#endif
