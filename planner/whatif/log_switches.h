/* planner/whatif/log_switches.h - does the archiver keep up on the planned volumes?
 *
 *   fill = log size / R        archive = log size / what the volumes leave the archiver
 *
 * The archiver reads the group of the member that is read and writes the archive groups, once for
 * each copy.  Left is what the chosen volumes of such a group sustain less all that it carries
 * beside the archiver - log writes, standbys' reads, flashback - which are served in full; per MiB
 * of redo the archiver takes as many MiB of it as it has copies, times mirrors where it writes; the
 * group with least decides.  A replay of that load, steady, leaves the volumes idle by as much.
 * Once on average, once with the peaks of the groups together, which is the worst that can be. */
#ifndef PLANNER_WHATIF_LOG_SWITCHES_H
#define PLANNER_WHATIF_LOG_SWITCHES_H

#include "planner/solve/plan.h"
#include "planner/whatif/scenario.h"

/* Fills redo and redo_groups of a plan for what the scenario puts here.  ERR_NOMEM. */
int log_switches_add(struct plan *p, const struct scenario *s, struct arena *a, struct err *e);

/* MiB/s that the chosen volumes of a group sustain in requests of 256 KiB, at its skew; NaN = no
 * volumes. */
double planned_ceiling_mibps(const struct plan_group *g);

#endif
