/* cli/cmd/cmd_change.c - volplan change: the way from today's volumes to the plan. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/plan_file_input.h"
#include "cli/cmd/plan_input.h"
#include "planner/change/change_script.h"
#include "planner/report/report.h"
#include "planner/report/report_change.h"

#include <string.h>

/* What is changed to. */
struct wanted {
    const char *plan_path;
    struct plan_file file;
    struct plan plan; /* where no file is given */
    struct change_target *targets;
    struct change_options options;
};

/* What the plan wants the host to be, where it is another type. */
static int take_instance(struct app *app, const char *type, struct wanted *w, struct err *e)
{
    const struct instance_type *to;
    int rc = app_instance(app, type, &to, e);
    if (!rc && to != w->options.instance)
        w->options.instance_to = to;
    return rc;
}

static int take_file(struct app *app, const struct layout *l, struct wanted *w, struct err *e)
{
    struct change_options *o = &w->options;
    if (!app_value(app, OPT_AS_OF)->given)
        o->as_of_ms = w->file.as_of_ms;
    if (!app_value(app, OPT_REGION)->given && w->file.region)
        o->region = w->file.region;
    int rc = app_region(app, o->region, e);
    if (!rc)
        rc = take_instance(app, w->file.instance_type, w, e);
    for (size_t i = 0; i < l->n_groups; i++)
        w->targets[i].kept = true;
    for (size_t i = 0; i < w->file.n_groups && !rc; i++) {
        const struct plan_file_group *g = &w->file.groups[i];
        struct volume_spec v = g->spec;
        size_t at = 0;
        rc = layout_find_group(l, span_of(g->name), &at, e);
        if (!rc && !g->kept)
            rc = volume_spec_check(app, o->instance, o->as_of_ms, &v, e);
        if (rc)
            break;
        w->targets[at] = (struct change_target){ g->kept, v };
    }
    return rc ? err_prefix(e, "%.200s", w->plan_path) : 0;
}

static int make_plan(struct app *app, const struct plan_input *in, struct wanted *w, struct err *e)
{
    int rc = plan_build(&in->demand, &in->options, &app->arena, &w->plan, e);
    if (rc)
        return rc;
    w->options.region = w->plan.region;
    const struct instance_type *type = w->plan.instance.type;
    if (type && type != w->options.instance)
        w->options.instance_to = type;
    for (size_t g = 0; g < w->plan.n_groups; g++) {
        const struct plan_group *of = &w->plan.groups[g];
        w->targets[g] = (struct change_target){ of->kept, of->chosen.spec };
    }
    return 0;
}

static int take_wanted(struct app *app, const struct plan_input *in, struct wanted *w,
                       struct err *e)
{
    const struct layout *l = in->demand.layout;
    int rc = plan_file_input(app, l->system, &w->file, &w->plan_path, e);
    w->targets = arena_array(&app->arena, l->n_groups + 1, sizeof *w->targets);
    if (!rc && !w->targets)
        rc = err_nomem(e);
    w->options = (struct change_options){ .catalogue = app->catalogue,
                                          .region = l->region && !in->options.region ? l->region
                                                                                     : app->region,
                                          .as_of_ms = app->as_of_ms,
                                          .start_ms = app_whole(app, OPT_START),
                                          .weighting = in->options.weighting,
                                          .targets = w->targets };
    if (!rc)
        rc = app_instance(app, l->instance_type, &w->options.instance, e);
    if (rc)
        return rc;
    return w->plan_path ? take_file(app, l, w, e) : make_plan(app, in, w, e);
}

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

static int answer(struct app *app, const struct wanted *w, const struct change *c, struct err *e)
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
    struct wanted w = { .plan_path = NULL };
    struct change change;
    int rc = plan_input(app, &in, e);
    if (!rc)
        rc = take_wanted(app, &in, &w, e);
    if (rc)
        return rc;
    if (!w.plan_path && w.plan.status == PLAN_NONE)
        return say_no_plan(app, &w.plan, e);
    rc = change_build(&in.demand, &w.options, &app->arena, &change, e);
    return rc ? rc : answer(app, &w, &change, e);
}
