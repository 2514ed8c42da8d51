/* cli/cmd/cmd_size.c - volplan size: the cheapest volumes for a given need. */
#include "cli/cmd/cmd.h"

#include "planner/report/report.h"

static int check_options(const struct app *app, struct err *e)
{
    if (!app_flag(app, OPT_SIZE) || (!app_flag(app, OPT_IOPS) && !app_flag(app, OPT_THROUGHPUT)))
        return err_set(e, ERR_USAGE, "size needs --size N and --iops N or --throughput N");
    if (app_whole(app, OPT_MIN_COUNT) > app_whole(app, OPT_MAX_COUNT))
        return err_set(e, ERR_USAGE, "--min-count is above --max-count");
    if (app_whole(app, OPT_REDUNDANCY) > 0 && !app_flag(app, OPT_WRITE_PCT))
        return err_set(e, ERR_USAGE,
                       "--redundancy %s needs --write-pct P: only writes are mirrored",
                       app_text(app, OPT_REDUNDANCY));
    return 0;
}

int cmd_size(struct app *app, struct err *e)
{
    int rc = check_options(app, e);
    if (rc)
        return rc;
    const struct instance_type *instance;
    rc = app_instance(app, app_text(app, OPT_INSTANCE), &instance, e);
    if (rc)
        return rc;

    struct size_options o;
    size_options_init(&o, app->catalogue, app->as_of_ms);
    o.region = app->region;
    o.instance_type = instance ? instance->name : NULL;
    o.types = (unsigned)app_whole(app, OPT_TYPES);
    o.min_count = app_whole(app, OPT_MIN_COUNT);
    o.max_count = app_whole(app, OPT_MAX_COUNT);
    o.headroom_pct = app_number(app, OPT_HEADROOM);
    o.copies = (int)app_whole(app, OPT_REDUNDANCY) + 1;
    o.per_volume_microusd = app_microusd(app, OPT_PER_VOLUME_USD);
    o.top = (size_t)app_whole(app, OPT_TOP);

    struct size_need need = {
        .iops = app_number(app, OPT_IOPS),
        .throughput_mibps = app_number(app, OPT_THROUGHPUT),
        .io_kib = app_number(app, OPT_IO_SIZE),
        .counted_iops = NAN,
        .counted_iops_high = NAN,
        .size_gib = app_whole(app, OPT_SIZE),
        .write_pct = app_flag(app, OPT_WRITE_PCT) ? app_number(app, OPT_WRITE_PCT) : 0,
    };
    struct size_result r;
    rc = size_solve(&need, &o, &app->arena, &r, e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    report_size(m, &r);
    return app_finish(m, r.status == PLAN_NONE ? ERR_NO : 0, e);
}
