/* planner/solve/plan_others.h - what other advisers answered for the same volumes, and the
 * measurement that decides between theirs and ours.
 *
 * Answers of AWS Compute Optimizer and Cost Optimization Hub that were loaded (records of kind
 * "recommendations") belong to the group that names their volume, else to the one group whose
 * volumes are of the type and size that the adviser saw.  Their spec, once for each of the group's
 * volumes, is held against the demand with headroom that the plan was made for. */
#ifndef PLANNER_SOLVE_PLAN_OTHERS_H
#define PLANNER_SOLVE_PLAN_OTHERS_H

#include "planner/solve/plan.h"

enum other_verdict {
    OTHER_UNDECIDED, /* nothing was measured, or no spec is given */
    OTHER_CARRIES,
    OTHER_FALLS_SHORT,
};
const char *other_verdict_name(enum other_verdict v); /* "falls_short" */

struct plan_other {
    const char *source, *volume_id; /* "compute_optimizer", "cost_optimization_hub" */
    const char *finding;            /* as the adviser wrote it; NULL */
    bool has_spec;
    struct volume_spec spec; /* of one volume */
    int64_t total_microusd;  /* of it: the adviser's figure, else the list price; UNKNOWN */
    double saving_usd;       /* as the adviser says; NaN */
    enum other_verdict verdict;
    const char *decides; /* a sentence */
};

/* Sets others of the plan and of its groups.  ERR_NOMEM. */
int plan_others_add(struct plan *p, struct arena *a, struct err *e);

#endif
