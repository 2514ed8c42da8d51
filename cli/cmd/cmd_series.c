/* cli/cmd/cmd_series.c - volplan series: the load over time, and where it is at a ceiling. */
#include "cli/cmd/cmd.h"

#include "cli/report/report_data.h"
#include "planner/report/report_series.h"

/* The plan is there for its ceilings alone. */
static int charts_of(struct app *app, struct charts *out, struct err *e)
{
    struct plan_input *in = arena_alloc(&app->arena, sizeof *in);
    struct plan *plan = arena_alloc(&app->arena, sizeof *plan);
    if (!in || !plan)
        return err_nomem(e);
    int rc = plan_input_of_series(app, in, e);
    in->options.figures_only = true;
    if (!rc)
        rc = plan_build(&in->demand, &in->options, &app->arena, plan, e);
    return rc ? rc : report_data_charts(app, &in->demand, plan, out, e);
}

int cmd_series(struct app *app, struct err *e)
{
    struct charts charts;
    struct series_range range = { .from_ms = app_whole(app, OPT_FROM),
                                  .to_ms = app_whole(app, OPT_TO),
                                  .n_wanted = (size_t)app_whole(app, OPT_POINTS),
                                  .group = app_text(app, OPT_GROUP) };
    int rc = charts_of(app, &charts, e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    return app_finish(m, report_charts(m, &charts, &range, e), e);
}
