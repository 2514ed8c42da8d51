/* cli/cmd/plan_input.c - see plan_input.h. */
#include "cli/cmd/plan_input.h"

#include "cli/cmd/with_systems.h"

#include <math.h>
#include <string.h>

int plan_input_options(const struct app *app, struct plan_options *out, struct err *e)
{
    static const enum weighting weightings[] = { WEIGHTING_DEFAULT, WEIGHTING_EBS_1,
                                                 WEIGHTING_VPC_1 };
    const struct instance_type *instance = NULL;
    int64_t from_ms = app_whole(app, OPT_FROM), to_ms = app_whole(app, OPT_TO);
    const char *name = app_text(app, OPT_INSTANCE);
    bool automatic = name && strcmp(name, "auto") == 0;
    int rc = automatic ? 0 : app_instance(app, name, &instance, e);
    if (!rc && from_ms != UNKNOWN && to_ms != UNKNOWN && from_ms >= to_ms)
        rc = err_set(e, ERR_USAGE, "--from is not before --to");
    bool asks = app_flag(app, OPT_VCPU) || app_flag(app, OPT_MEMORY) || app_flag(app, OPT_ARCH);
    if (!rc && asks && !automatic)
        rc = err_set(e, ERR_USAGE,
                     "--vcpu, --memory and --arch choose an instance: they go with "
                     "--instance auto");
    if (rc)
        return rc;
    plan_options_init(out, app->catalogue, app->today_ms);
    out->region = app_value(app, OPT_REGION)->given ? app->region : NULL;
    out->as_of_ms = app->as_of_ms;
    out->instance_type = instance ? instance->name : NULL;
    out->instance_auto = automatic;
    out->vcpu = app_whole(app, OPT_VCPU);
    if (app_flag(app, OPT_MEMORY))
        out->memory_mib = (int64_t)ceil(app_number(app, OPT_MEMORY) * 1024);
    out->arch = app_text(app, OPT_ARCH);
    out->weighting = weightings[app_whole(app, OPT_WEIGHTING)];
    out->weighting_fixed = app_value(app, OPT_WEIGHTING)->given;
    out->headroom_pct = app_number(app, OPT_HEADROOM);
    out->percentile = app_number(app, OPT_PERCENTILE);
    out->max_throttled_s = app_number(app, OPT_MAX_THROTTLED_S);
    out->max_delay_ms = app_number(app, OPT_MAX_DELAY_MS);
    out->types = app_flag(app, OPT_TYPES) ? (unsigned)app_whole(app, OPT_TYPES) : 0;
    out->per_volume_microusd = app_microusd(app, OPT_PER_VOLUME_USD);
    out->top = (size_t)app_whole(app, OPT_TOP);
    return 0;
}

static struct demand_options demand_options_of(const struct app *app)
{
    struct demand_options o;
    demand_options_init(&o, app->catalogue);
    o.from_ms = app_whole(app, OPT_FROM);
    o.to_ms = app_whole(app, OPT_TO);
    o.peak_factor = app_number(app, OPT_PEAK_FACTOR);
    o.no_percentiles = true; /* no plan tells any */
    return o;
}

int plan_input_demand(const struct app *app, struct plan_input *in, struct arena *a, struct err *e)
{
    struct demand_options o = demand_options_of(app);
    return system_demand_build(&in->system.load, &in->system.layout, &o, a, &in->demand, e);
}

/* With the systems of --with. */
static int build(struct app *app, const struct demand_options *o, struct plan_input *out,
                 struct err *e)
{
    struct system_demand own;
    int rc = plan_input_options(app, &out->options, e);
    if (!rc)
        rc = system_input(app, true, &out->system, e);
    if (!rc)
        rc = with_systems(app, &out->system, &out->sources, &out->n_sources, e);
    if (rc)
        return rc;
    return out->n_sources == 1 ? system_input_demand(app, &out->system, o, &out->demand, e)
                               : system_demand_of_sources(out->sources, out->n_sources, o,
                                                          &app->arena, &own, &out->demand, e);
}

int plan_input(struct app *app, struct plan_input *out, struct err *e)
{
    struct demand_options o = demand_options_of(app);
    return build(app, &o, out, e);
}

int plan_input_of_report(struct app *app, struct plan_input *out, struct err *e)
{
    struct demand_options o = demand_options_of(app);
    o.no_percentiles = false;
    return build(app, &o, out, e);
}

int plan_input_of_series(struct app *app, struct plan_input *out, struct err *e)
{
    struct demand_options o = demand_options_of(app);
    o.from_ms = o.to_ms = UNKNOWN;
    return build(app, &o, out, e);
}
