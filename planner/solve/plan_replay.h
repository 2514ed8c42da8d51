/* planner/solve/plan_replay.h - what a plan says by replay: of its volumes, of the burst of its
 * instance, and of the price of its peak.
 *
 * Only what was measured over time is replayed, so not a group whose peak is assumed from averages;
 * there the baseline counts.  Buckets and bursts are full where the load begins. */
#ifndef PLANNER_SOLVE_PLAN_REPLAY_H
#define PLANNER_SOLVE_PLAN_REPLAY_H

#include "planner/solve/plan.h"

/* The peak of the demand was seen in an interval of up to a minute, perhaps at a ceiling. */
bool plan_demand_over_time(const struct demand *d);

/* Fills replay of the groups of p that were sized by a percentile or by replay.  ERR_NOMEM. */
int plan_replay_groups(const struct plan *p, struct plan_group *groups, struct err *e);

/* Where the demand with headroom is above the baseline of an instance that bursts: the sum over
 * groups, with headroom, through the instance alone.  ERR_NOMEM. */
int plan_replay_burst(const struct plan *p, struct plan_burst *out, struct err *e);

/* Not planning for the maximum of groups that were measured over time, against planning for it.
 * measured: the demand at its maximum; o as p was made with, region and instance filled in.
 * ERR_NOMEM and what plan_build says. */
int plan_peak_price(const struct system_demand *measured, const struct plan_options *o,
                    const struct plan *p, struct plan_peak_price *out, struct err *e);

#endif
