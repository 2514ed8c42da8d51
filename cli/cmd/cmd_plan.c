/* cli/cmd/cmd_plan.c - volplan plan: volumes for every disk group of a system. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/plan_fleet.h"
#include "cli/cmd/plan_input.h"
#include "planner/report/report.h"
#include "planner/solve/plan_pareto.h"
#include "planner/whatif/log_switches.h"

static int plan_one(struct app *app, struct err *e)
{
    struct plan_input in;
    struct scenario as_it_is;
    struct redo_path path;
    struct plan plan;
    int rc = plan_input(app, &in, e);
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
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    report_plan(m, &plan);
    return app_finish(m, plan.status == PLAN_NONE || path.refused ? ERR_NO : 0, e);
}

int cmd_plan(struct app *app, struct err *e)
{
    return app_flag(app, OPT_ALL) ? plan_fleet(app, e) : plan_one(app, e);
}
