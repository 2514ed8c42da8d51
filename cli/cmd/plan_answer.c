/* cli/cmd/plan_answer.c - see plan_answer.h. */
#include "cli/cmd/plan_answer.h"

#include "cli/cmd/kept_systems.h"
#include "planner/solve/plan_others.h"
#include "planner/whatif/log_switches.h"

int plan_answer(struct app *app, const struct plan_input *in, const struct phase_change *changes,
                size_t n_changes, struct plan_answer *out, struct err *e)
{
    struct arena *a = &app->arena;
    int rc = redo_path_build(&in->demand, a, &out->path, e);
    if (!rc)
        rc = scenario_init(&out->as_it_is, &in->demand, &out->path, a, e);
    if (!rc)
        rc = kept_systems_plan(app->kept, &in->demand, &in->options, a, &out->plan, e);
    if (!rc)
        rc = log_switches_add(&out->plan, &out->as_it_is, a, e);
    if (!rc)
        rc = plan_others_add(&out->plan, a, e);
    if (!rc && n_changes) {
        rc =
            plan_phases_build(&out->as_it_is, changes, n_changes, &in->options, a, &out->phases, e);
        out->plan.phases = &out->phases;
    }
    return rc;
}
