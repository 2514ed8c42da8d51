/* planner/solve/size_replay.h - the cheapest spec of one (type, count) whose replay lets no more
 * wait than is allowed.
 *
 * Cost and what waits are monotone in the ceilings of a volume: larger ones are never cheaper, and
 * never let more wait (test_size_replay.c).  So the specs that do are bounded from below, by one
 * field where a type has one, gp2, st1, sc1: size, io1, io2: IOPS; and by a falling line in the
 * plane of throughput and IOPS for gp3.
 *
 * Buckets are full where the load begins.  The load is that of a group by itself: what the
 * instance holds back on top is not in it. */
#ifndef PLANNER_SOLVE_SIZE_REPLAY_H
#define PLANNER_SOLVE_SIZE_REPLAY_H

#include "planner/replay/replay_trial.h"
#include "planner/solve/cheapest.h"

/* Trials of one search; opened on first use. */
struct size_trials {
    const struct size_options *o;
    struct arena scratch;
    struct replay_trial *trial;
    struct size_tried *tried; /* of groups without buckets: what is known of their ceilings */
    size_t n_tried;
    size_t n_runs;
};

void size_trials_init(struct size_trials *t, const struct size_options *o);
void size_trials_release(struct size_trials *t);

/* Whether specs of this rule are judged by replay and not by their figures. */
bool size_trials_judge(const struct size_options *o, const struct vol_rule *r);

/* As cheapest_spec for the whole need, but what replay allows counts, and of the figures only
 * floor_iops and size.  *out_missed CEILING_NONE and the spec, or what stands in the way as
 * cheapest_spec has it.  ERR_NOMEM. */
int cheapest_by_replay(struct size_trials *t, const struct vol_rule *r, int64_t count,
                       const struct group_need *need, double floor_iops, bool xen,
                       struct volume_spec *out, enum ceiling *out_missed, struct err *e);

#endif
