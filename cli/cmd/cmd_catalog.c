/* cli/cmd/cmd_catalog.c - volplan catalog: which figures are known. */
#include "cli/cmd/cmd.h"

#include "models/core/timestamp.h"
#include "planner/report/report_catalog.h"

static int parse_day(const char *text, int64_t *out, struct err *e)
{
    struct span s = span_of(text);
    if (time_parse_date(&s, out) || s.len)
        return err_set(e, ERR_USAGE, "'%.80s' is no date: write YYYY-MM-DD", text);
    return 0;
}

int cmd_catalog(struct app *app, struct err *e)
{
    bool diff = app_flag(app, OPT_DIFF);
    int64_t from_ms = UNKNOWN, to_ms = UNKNOWN;
    if (app->in.n_args != (diff ? 2 : 0))
        return err_set(e, ERR_USAGE,
                       diff ? "--diff needs two dates: --diff DATE DATE"
                            : "catalog takes dates with --diff only");
    if (diff && (parse_day(app->in.args[0], &from_ms, e) || parse_day(app->in.args[1], &to_ms, e)))
        return e->code;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    int rc = 0;
    if (diff)
        report_catalog_diff(m, app->catalogue, from_ms, to_ms);
    else
        rc = report_catalog(m, app->catalogue, &app->arena, e);
    return app_finish(m, rc, e);
}
