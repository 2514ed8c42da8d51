/* cli/cmd/cmd_plan.c - volplan plan: volumes for every disk group of a system. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/phases_input.h"
#include "cli/cmd/plan_answer.h"
#include "cli/cmd/plan_fleet.h"
#include "planner/report/report.h"

static int plan_one(struct app *app, struct err *e)
{
    struct plan_input in;
    struct plan_answer answer;
    const struct phase_change *changes = NULL;
    size_t n_changes = 0;
    int rc = phases_input(app, &changes, &n_changes, e);
    if (!rc)
        rc = plan_input(app, &in, e);
    if (!rc)
        rc = plan_answer(app, &in, changes, n_changes, &answer, e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    const struct plan *plan = &answer.plan;
    emit_plan_verdict(m, plan, &app->arena);
    report_plan(m, plan);
    bool none = plan->status == PLAN_NONE || (plan->phases && plan->phases->status == PLAN_NONE);
    return app_finish(m, none || answer.path.refused ? ERR_NO : 0, e);
}

int cmd_plan(struct app *app, struct err *e)
{
    if (app_flag(app, OPT_ALL) && app_text(app, OPT_PHASES))
        return err_set(e, ERR_USAGE, "--phases is a plan of one system: give --system, not --all");
    if (app_flag(app, OPT_SHOW) && !app_flag(app, OPT_ALL))
        return err_set(e, ERR_USAGE, "--show is of all systems: give it with --all");
    return app_flag(app, OPT_ALL) ? plan_fleet(app, e) : plan_one(app, e);
}
