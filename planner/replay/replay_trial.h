/* planner/replay/replay_trial.h - one group's load, replayed through one candidate after another.
 *
 * For a solver that asks thousands of times.  The load is laid out once, in replay_trial_open; a
 * run allocates nothing.  Without an instance: only the volumes bind, so what fits here is put
 * before replay_system together with the other groups at the end.
 *
 * Cost of a run: 3 to 5 ns a point where little waits (tests/bench/bench_replay.c), some ten where
 * much does; it ends as soon as a limit is passed.  Memory: 32 bytes a point and 200 KiB. */
#ifndef PLANNER_REPLAY_REPLAY_TRIAL_H
#define PLANNER_REPLAY_REPLAY_TRIAL_H

#include "planner/demand/load_points.h"
#include "planner/replay/replay_setup.h"

struct replay_limits {
    double max_throttled_s, max_delay_ms; /* NaN = no limit */
};

struct replay_trial;

/* factor: of all rates, 1 + headroom.  Points are not used afterwards.  ERR_NOMEM. */
int replay_trial_open(const struct load_points *points, double factor, struct arena *a,
                      struct replay_trial **out, struct err *e);
/* Whether the load stays within the limits; out, which may be NULL, is the whole run, or up to
 * where it does not.  limits NULL = to the end, true. */
bool replay_trial_run(struct replay_trial *t, const struct replay_group *ceilings,
                      const struct replay_limits *limits, struct replay_result *out);
/* The same for equal volumes under the rules of a day; false, and out untouched, also where these
 * have no such volume. */
bool replay_trial_spec(struct replay_trial *t, const struct catalogue *c,
                       const struct volume_spec *spec, double skew, const char *instance_type,
                       int64_t rules_ms, const struct replay_limits *limits,
                       struct replay_result *out);

#endif
