/* planner/whatif/plan_phases.h - volumes over dated phases: migration, rollback window, steady
 * state.
 *
 * Each phase is a scenario on top of the one before, planned on central.  The volumes of the first
 * are new; later ones are what those before become (phase_solve.h), so that all phases together
 * cost least.  A phase lasts until the next; the last until its end, or a month of 730 h.
 *
 * One modification of each volume at the beginning of a phase is all that is needed, and phases
 * begin on different days, so the rules on how often (vol_modify.h) never stand in the way; what
 * they leave is told. */
#ifndef PLANNER_WHATIF_PLAN_PHASES_H
#define PLANNER_WHATIF_PLAN_PHASES_H

#include "models/ebs/vol_modify.h"
#include "planner/solve/phase_solve.h"
#include "planner/whatif/scenario.h"
#include "planner/whatif/whatif_change.h"

struct phase_change {
    int64_t from_ms, to_ms; /* to UNKNOWN = until the next, or a month */
    const struct whatif_change *changes;
    size_t n_changes;
};

struct phase_group {
    const struct plan_group *apart; /* as the phase by itself would have it */
    struct phase_choice choice;
};

struct plan_phase {
    const struct phase_change *change;
    int64_t until_ms;
    const struct plan *apart; /* the phase by itself */
    const struct vol_modify_rule *rule;
    enum plan_status status;
    const struct phase_group *groups; /* one a group of its layout */
    size_t n_groups;
    int64_t total_microusd; /* a month; UNKNOWN */
    int64_t cost_microusd;  /* of its length */
};

struct plan_phases {
    const struct plan_phase *at;
    size_t n;
    enum plan_status status; /* PLAN_GOOD: counts were limited by slots or EBS cards of the host */
    int64_t total_microusd;  /* of all, each for its length */
    int64_t apart_microusd;  /* the same when each were planned by itself */
    int64_t per_volume_microusd;
};

/* Phases ascend.  0 also when a phase is PLAN_NONE.  ERR_USAGE for a change that cannot be; ERR_NO
 * where who reads the redo cannot be told; ERR_NOMEM.  Everything lives in a, or is borrowed. */
int plan_phases_build(const struct scenario *as_it_is, const struct phase_change *changes, size_t n,
                      const struct plan_options *o, struct arena *a, struct plan_phases *out,
                      struct err *e);

#endif
