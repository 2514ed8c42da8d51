/* cli/cmd/cmd_plan.c - volplan plan: volumes for every disk group of a system. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/system_input.h"
#include "planner/report/report.h"

static int plan_options(const struct app *app, struct plan_options *out, struct err *e)
{
    static const enum weighting weightings[] = { WEIGHTING_DEFAULT, WEIGHTING_EBS_1,
                                                 WEIGHTING_VPC_1 };
    const struct instance_type *instance;
    int rc = app_instance(app, app_text(app, OPT_INSTANCE), &instance, e);
    if (rc)
        return rc;
    plan_options_init(out, app->catalogue, app->today_ms);
    out->region = app_value(app, OPT_REGION)->given ? app->region : NULL;
    out->as_of_ms = app->as_of_ms;
    out->instance_type = instance ? instance->name : NULL;
    out->weighting = weightings[app_whole(app, OPT_WEIGHTING)];
    out->headroom_pct = app_number(app, OPT_HEADROOM);
    out->types = app_flag(app, OPT_TYPES) ? (unsigned)app_whole(app, OPT_TYPES) : 0;
    out->per_volume_microusd = app_microusd(app, OPT_PER_VOLUME_USD);
    out->top = (size_t)app_whole(app, OPT_TOP);
    return 0;
}

int cmd_plan(struct app *app, struct err *e)
{
    struct plan_options o;
    struct system_input in;
    struct demand_options demand_options;
    struct system_demand demand;
    struct plan plan;
    int rc = plan_options(app, &o, e);
    if (!rc)
        rc = system_input(app, true, &in, e);
    if (rc)
        return rc;
    demand_options_init(&demand_options, app->catalogue);
    demand_options.peak_factor = app_number(app, OPT_PEAK_FACTOR);
    rc = system_demand_build(&in.load, &in.layout, &demand_options, &app->arena, &demand, e);
    if (!rc)
        rc = plan_build(&demand, &o, &app->arena, &plan, e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    report_plan(m, &plan);
    return app_finish(m, plan.status == PLAN_NONE ? ERR_NO : 0, e);
}
