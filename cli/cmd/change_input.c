/* cli/cmd/change_input.c - see change_input.h. */
#include "cli/cmd/change_input.h"

/* What the plan wants the host to be, where it is another type. */
static int take_instance(struct app *app, const char *type, struct change_input *w, struct err *e)
{
    const struct instance_type *to;
    int rc = app_instance(app, type, &to, e);
    if (!rc && to != w->options.instance)
        w->options.instance_to = to;
    return rc;
}

static int take_file(struct app *app, const struct layout *l, struct change_input *w, struct err *e)
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

/* What is known before the plan is. */
static int begin(struct app *app, const struct plan_input *in, struct change_input *w,
                 struct err *e)
{
    const struct layout *l = in->demand.layout;
    w->targets = arena_array(&app->arena, l->n_groups + 1, sizeof *w->targets);
    if (!w->targets)
        return err_nomem(e);
    w->options = (struct change_options){ .catalogue = app->catalogue,
                                          .region = l->region && !in->options.region ? l->region
                                                                                     : app->region,
                                          .as_of_ms = app->as_of_ms,
                                          .start_ms = app_whole(app, OPT_START),
                                          .weighting = in->options.weighting,
                                          .targets = w->targets };
    return app_instance(app, l->instance_type, &w->options.instance, e);
}

int change_input_of_file(struct app *app, const struct plan_input *in, struct change_input *out,
                         struct err *e)
{
    const struct layout *l = in->demand.layout;
    int rc = plan_file_input(app, l->system, &out->file, &out->plan_path, e);
    if (rc || !out->plan_path)
        return rc;
    rc = begin(app, in, out, e);
    return rc ? rc : take_file(app, l, out, e);
}

int change_input_of_plan(struct app *app, const struct plan_input *in, const struct plan *plan,
                         struct change_input *out, struct err *e)
{
    int rc = begin(app, in, out, e);
    if (rc)
        return rc;
    out->options.region = plan->region;
    const struct instance_type *type = plan->instance.type;
    if (type && type != out->options.instance)
        out->options.instance_to = type;
    for (size_t g = 0; g < plan->n_groups; g++) {
        const struct plan_group *of = &plan->groups[g];
        out->targets[g] = (struct change_target){ of->kept, of->chosen.spec };
    }
    return 0;
}
