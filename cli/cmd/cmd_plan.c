/* cli/cmd/cmd_plan.c - volplan plan: volumes for every disk group of a system. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/phases_input.h"
#include "cli/cmd/plan_fleet.h"
#include "cli/cmd/plan_input.h"
#include "planner/report/report.h"
#include "planner/solve/plan_others.h"
#include "planner/solve/plan_pareto.h"
#include "planner/whatif/log_switches.h"

static int plan_one(struct app *app, struct err *e)
{
    struct plan_input in;
    struct scenario as_it_is;
    struct redo_path path;
    struct plan plan;
    const struct phase_change *changes = NULL;
    struct plan_phases phases;
    size_t n_changes = 0;
    int rc = phases_input(app, &changes, &n_changes, e);
    if (!rc)
        rc = plan_input(app, &in, e);
    if (!rc)
        rc = redo_path_build(&in.demand, &app->arena, &path, e);
    if (!rc)
        rc = scenario_init(&as_it_is, &in.demand, &path, &app->arena, e);
    if (!rc)
        rc = plan_build(&in.demand, &in.options, &app->arena, &plan, e);
    if (!rc)
        rc = plan_pareto_add(&plan, &app->arena, e);
    if (!rc)
        rc = log_switches_add(&plan, &as_it_is, &app->arena, e);
    if (!rc)
        rc = plan_others_add(&plan, &app->arena, e);
    if (!rc && n_changes) {
        rc = plan_phases_build(&as_it_is, changes, n_changes, &in.options, &app->arena, &phases, e);
        plan.phases = &phases;
    }
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    report_plan(m, &plan);
    bool none = plan.status == PLAN_NONE || (plan.phases && plan.phases->status == PLAN_NONE);
    return app_finish(m, none || path.refused ? ERR_NO : 0, e);
}

int cmd_plan(struct app *app, struct err *e)
{
    if (app_flag(app, OPT_ALL) && app_text(app, OPT_PHASES))
        return err_set(e, ERR_USAGE, "--phases is a plan of one system: give --system, not --all");
    return app_flag(app, OPT_ALL) ? plan_fleet(app, e) : plan_one(app, e);
}
