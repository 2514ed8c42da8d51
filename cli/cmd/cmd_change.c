/* cli/cmd/cmd_change.c - volplan change: the way from today's volumes to the plan. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/change_input.h"
#include "planner/change/change_script.h"
#include "planner/report/report.h"
#include "planner/report/report_change.h"

/* The way of --way, else the best. */
static int choose_way(const struct app *app, const struct change *c, const struct change_way **out,
                      struct err *e)
{
    int64_t asked = app_whole(app, OPT_WAY);
    *out = c->n_ways ? &c->ways[0] : NULL;
    if (asked == UNKNOWN || !c->n_ways)
        return 0;
    for (size_t i = 0; i < c->n_ways; i++)
        if ((int64_t)c->ways[i].kind == asked) {
            *out = &c->ways[i];
            return 0;
        }
    for (size_t i = 0; i < c->n_refused; i++)
        if ((int64_t)c->refused[i].kind == asked)
            return err_set(e, ERR_NO, "--way %s: %.80s: %.200s",
                           change_kind_name(c->refused[i].kind), c->refused[i].group,
                           c->refused[i].why);
    return 0;
}

static int say_no_plan(struct app *app, const struct plan *p, struct err *e)
{
    char words[PLAN_NONE_WORDS];
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    emit_say(m, "%s", plan_none_words(words, p));
    emit_text(m, "system", p->system);
    emit_text(m, "status", "none");
    emit_begin(m, "ways", EMIT_LIST);
    emit_end(m);
    return app_finish(m, ERR_NO, e);
}

static int answer(struct app *app, const struct change_input *w, const struct change *c,
                  struct err *e)
{
    struct change_told told = { .change = c, .plan_path = w->plan_path };
    int64_t kind = app_whole(app, OPT_SCRIPT);
    int rc = choose_way(app, c, &told.shown, e);
    if (!rc && kind != UNKNOWN && told.shown)
        rc = change_script_build(c, told.shown, (enum change_script)kind, &app->arena, &told.script,
                                 e);
    if (rc)
        return rc;
    if (told.script && !app_flag(app, OPT_JSON)) {
        fputs(told.script, app->out);
        return 0;
    }
    told.script_name = told.script ? app_text(app, OPT_SCRIPT) : NULL;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    rc = report_change(m, &told, &app->arena, e);
    return app_finish(m, rc ? rc : c->stuck ? ERR_NO : 0, e);
}

int cmd_change(struct app *app, struct err *e)
{
    struct plan_input in;
    struct change_input w = { .plan_path = NULL };
    struct plan plan;
    struct change change;
    int rc = plan_input(app, &in, e);
    if (!rc)
        rc = change_input_of_file(app, &in, &w, e);
    if (!rc && !w.plan_path)
        rc = plan_build(&in.demand, &in.options, &app->arena, &plan, e);
    if (!rc && !w.plan_path)
        rc = change_input_of_plan(app, &in, &plan, &w, e);
    if (rc)
        return rc;
    if (!w.plan_path && plan.status == PLAN_NONE)
        return say_no_plan(app, &plan, e);
    rc = change_build(&in.demand, &w.options, &app->arena, &change, e);
    return rc ? rc : answer(app, &w, &change, e);
}
