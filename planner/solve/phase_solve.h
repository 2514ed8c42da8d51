/* planner/solve/phase_solve.h - the volumes of one disk group over dated phases, cheapest in all.
 *
 * From phase to phase volumes are modified in place: type, IOPS and throughput freely, size only
 * upwards.  A larger count adds volumes like those that are there, a smaller one removes some; no
 * volume is replaced by a smaller one.  So what is small early may stay small, and what is large
 * early stays large: the least sum of ranking cost times length over all phases is not that of each
 * phase. */
#ifndef PLANNER_SOLVE_PHASE_SOLVE_H
#define PLANNER_SOLVE_PHASE_SOLVE_H

#include "planner/solve/plan.h"

struct phase_need {
    const struct plan_group *group; /* as the phase by itself has it; NULL = not there */
    const struct plan_options *options;
    int64_t length_ms;
    int64_t min_count, max_count; /* UNKNOWN = what its policy says */
};

struct phase_choice {
    struct size_option option; /* spec.count 0 = nothing carries it, or not there */
    struct size_result size;   /* what it was the answer to; not of kept volumes */
    bool kept;
    int64_t added, removed, modified; /* volumes, when the phase begins */
};

/* The group in n phases, first one new.  out: n of them.  ERR_NOMEM. */
int phase_solve(const struct phase_need *needs, size_t n, struct arena *a, struct phase_choice *out,
                struct err *e);

#endif
