/* planner/replay/replay_system.h - the measured load of a whole system through given volumes and an
 * instance.
 *
 * Everything starts full: no burst was used and nothing waits.  What was measured is replayed as it
 * was, without headroom and without an assumed peak factor: of a longer average it says what even
 * the average does.  Artefacts and gaps ask for nothing.
 *
 * Cost: one pass over all points for each burst bound that differs, two at most.  A group and point
 * takes some 20 ns where little waits, most of it to lay them out, and up to 70 where the instance
 * binds for long (tests/bench/bench_replay.c).  Memory: the engine's, 200 KiB a group and bound. */
#ifndef PLANNER_REPLAY_REPLAY_SYSTEM_H
#define PLANNER_REPLAY_REPLAY_SYSTEM_H

#include "planner/demand/system_demand.h"
#include "planner/replay/replay_setup.h"

/* Of one group in one interval, or of the instance: sums over groups. */
struct replay_moment {
    double asked_mibps, asked_iops;                      /* NaN = not measured */
    double served_mibps, backlog_mib, delay_ms, credits; /* as in struct replay_trace */
    enum replay_ceiling binding;
};

struct replay_interval {
    int64_t begin_ms, end_ms;
    const struct replay_moment *groups; /* one a group */
    struct replay_moment instance;
};

struct replay_question {
    const struct system_demand *demand;
    const struct catalogue *catalogue;
    const struct replay_volumes *volumes; /* one a group; NULL = today's of all */
    const struct instance_type *instance; /* NULL = not known: only the volumes bind */
    enum weighting weighting;
    double slack; /* ceilings count this much larger: 0.02 = 2 % */
    /* Called for each interval in order, under the lower burst bound; NULL = not.  Non-zero ends
     * the replay, and is returned. */
    int (*each)(void *context, const struct replay_interval *i);
    void *context;
};

struct replay_system_group {
    const struct layout_group *group;
    struct replay_volumes volumes;
    bool known;                            /* its ceilings, in some of the time */
    struct replay_result minutes, credits; /* under either bound of the instance burst */
};

struct replay_system {
    const struct system_demand *demand;
    const struct instance_type *type; /* of the instance; NULL */
    struct instance_caps caps;
    bool bursts; /* else both bounds are the same */
    const struct replay_system_group *groups;
    size_t n_groups;
    struct replay_result minutes, credits; /* of the instance */
    int64_t begin_ms, end_ms;              /* 0 s of the results, and the end; UNKNOWN */
};

/* ERR_NOMEM; ERR_LIMIT beyond REPLAY_GROUPS_MAX; ERR_USAGE for a weighting that the type has not.
 * Nothing measured: results of 0 s. */
int replay_system(const struct replay_question *q, struct arena *a, struct replay_system *out,
                  struct err *e);

/* Whether the group's ceilings are known and something of it was measured. */
bool replay_group_told(const struct replay_system_group *g);
/* Whether a group, or the instance, had to wait under the lower bound. */
bool replay_system_throttled(const struct replay_system *s);
/* The larger of both utilisations; NaN. */
double replay_utilisation_pct(const struct replay_result *r);

#endif
