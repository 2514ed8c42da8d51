/* cli/cmd/cmd_vol.c - volplan vol: what one volume carries and costs. */
#include "cli/cmd/cmd.h"

#include "cli/nearest.h"
#include "models/ebs/vol_rule.h"
#include "planner/report/report_vol.h"

static int parse_type(const char *text, enum volume_type *out, struct err *e)
{
    if (volume_type_parse(span_of(text), out) == 0)
        return 0;
    struct nearest near = { .word = text };
    char hint[96];
    for (int i = 0; i < VOL_TYPE_COUNT; i++)
        nearest_try(&near, volume_type_name((enum volume_type)i));
    return err_set(e, ERR_USAGE, "unknown volume type '%.80s'%s", text,
                   near.best ? nearest_hint(hint, &near, "")
                             : ": gp3, gp2, io2, io1, st1, sc1 or standard");
}

/* The rule that says which options the type takes: of the day, else (before its launch) any. */
static const struct vol_rule *any_rule(const struct app *app, enum volume_type type)
{
    for (size_t i = 0; i < app->catalogue->n_rules; i++)
        if (app->catalogue->rules[i].type == type)
            return &app->catalogue->rules[i];
    return NULL;
}

static bool billed_by_requests(const struct catalogue *c, enum volume_type type)
{
    for (size_t i = 0; i < c->n_prices; i++)
        if (c->prices[i].type == type && c->prices[i].component == PRICE_REQUESTS)
            return true;
    return false;
}

static int check_options(const struct app *app, enum volume_type type, struct err *e)
{
    const char *name = volume_type_name(type);
    const struct vol_rule *r = any_rule(app, type);
    if (!r)
        return err_set(e, ERR_USAGE, "the facts have no rule of %s", name);
    if (!app_flag(app, OPT_SIZE))
        return err_set(e, ERR_USAGE, "%s needs --size N (GiB)", name);
    if (r->only_provisioned && !app_flag(app, OPT_IOPS))
        return err_set(e, ERR_USAGE, "%s needs --iops N", name);
    if (app_flag(app, OPT_IOPS) && !r->only_provisioned && r->included_iops == UNKNOWN)
        return err_set(e, ERR_USAGE, "%s takes no --iops: they follow from its size", name);
    if (app_flag(app, OPT_THROUGHPUT) && !isfinite(r->mibps_per_iops_max))
        return err_set(e, ERR_USAGE, "%s takes no --throughput: only gp3 does", name);
    if (app_flag(app, OPT_REQUESTS) && !billed_by_requests(app->catalogue, type))
        return err_set(e, ERR_USAGE, "%s takes no --requests: it is not billed by them", name);
    return 0;
}

/* Volumes are ordered in whole GiB, IOPS and MiB/s. */
static int64_t ordered(const struct app *app, enum option_id id)
{
    const struct option_value *v = app_value(app, id);
    const struct option *o = &option_table[id];
    if (!v->set)
        return UNKNOWN;
    double whole = ceil(v->number * (1 - 1e-12));
    if (whole > v->number * (1 + 1e-12)) {
        char from[48], to[48];
        app_note(app, "--%s %s is %s %s; %s are ordered", o->name, v->text,
                 unit_format(from, v->number, 2), unit_suffix(o->unit), unit_format(to, whole, 0));
    }
    return (int64_t)whole;
}

int cmd_vol(struct app *app, struct err *e)
{
    struct vol_question q = {
        .catalogue = app->catalogue,
        .region = app->region,
        .as_of_ms = app->as_of_ms,
        .today_ms = app->today_ms,
        .io_kib = app_number(app, OPT_IO_SIZE),
        .requests = app_whole(app, OPT_REQUESTS),
    };
    int rc = parse_type(app->in.args[0], &q.spec.type, e);
    if (!rc)
        rc = check_options(app, q.spec.type, e);
    if (!rc)
        rc = app_instance(app, app_text(app, OPT_INSTANCE), &q.instance, e);
    if (rc)
        return rc;
    q.spec.count = app_whole(app, OPT_COUNT);
    q.spec.size_gib = ordered(app, OPT_SIZE);
    q.spec.iops = ordered(app, OPT_IOPS);
    q.spec.throughput_mibps = ordered(app, OPT_THROUGHPUT);
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    return app_finish(m, report_vol(m, &q, e), e);
}
