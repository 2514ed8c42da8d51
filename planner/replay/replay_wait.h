/* planner/replay/replay_wait.h - groups that wait on an instance that does not bind.
 *
 * Nothing joins them then but what the instance notes of all: whether any is held, and the sum of
 * what waits.  So each goes from its own event to its own event, and an event of one costs nothing
 * of the others. */
#ifndef PLANNER_REPLAY_REPLAY_WAIT_H
#define PLANNER_REPLAY_REPLAY_WAIT_H

#include "planner/replay/replay_host.h"

/* From now_s on for dt, in which demand and ceilings are constant.  Turns use from what these and
 * other lanes ask for into the mean of what they are served. */
void wait_step(struct host *h, struct lane *const *lanes, size_t n, double now_s, double dt,
               double use[HOST_DIMENSIONS]);

#endif
