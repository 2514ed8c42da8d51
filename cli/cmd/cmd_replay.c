/* cli/cmd/cmd_replay.c - volplan replay: the measured load through volumes and an instance. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/plan_file_input.h"
#include "cli/cmd/system_input.h"
#include "cli/cmd/with_systems.h"
#include "models/vocab/volume_text.h"
#include "planner/report/report_replay.h"

#include <math.h>
#include <string.h>

/* What the load is pushed through. */
struct target {
    const struct layout *layout;
    struct replay_volumes *volumes; /* one a group */
    const char *plan_path;
    struct plan_file plan;
    const struct instance_type *today, *instance;
    enum weighting weighting; /* of instance */
    int64_t as_of_ms;
    bool changed;
};

/* One kind of volumes under the rules of t->as_of_ms. */
static int plan_volumes(struct app *app, struct target *t, size_t g, struct volume_spec v,
                        struct err *e)
{
    int rc = volume_spec_check(app, t->instance, t->as_of_ms, &v, e);
    if (rc)
        return err_prefix(e, "%.60s", t->layout->groups[g].name);
    struct layout_volumes *row = arena_alloc(&app->arena, sizeof *row);
    if (!row)
        return err_nomem(e);
    *row = (struct layout_volumes){ v, UNKNOWN };
    t->volumes[g] = (struct replay_volumes){ row, 1, t->layout->groups[g].skew, t->as_of_ms };
    return 0;
}

static int take_plan(struct app *app, struct target *t, struct err *e)
{
    for (size_t i = 0; i < t->plan.n_groups; i++) {
        const struct plan_file_group *of = &t->plan.groups[i];
        size_t g = 0;
        int rc = layout_find_group(t->layout, span_of(of->name), &g, e);
        if (!rc && of->kept)
            t->volumes[g].rules_ms = t->as_of_ms;
        else if (!rc)
            rc = plan_volumes(app, t, g, of->spec, e);
        if (rc)
            return err_prefix(e, "%.200s", t->plan_path);
    }
    return 0;
}

/* "REDO1=2xio2:250GiB:5000" */
static int take_group(struct app *app, struct target *t, const char *text, struct err *e)
{
    const char *equals = strrchr(text, '='); /* a spec has none, a name may */
    struct volume_spec v = { .type = VOL_TYPE_COUNT };
    size_t g = 0;
    if (!equals || equals == text)
        return err_set(e, ERR_USAGE,
                       "--group %.80s: expected NAME=SPEC, as in REDO1=2xio2:250GiB:5000", text);
    int rc = layout_find_group(t->layout, (struct span){ text, (size_t)(equals - text) }, &g, e);
    if (!rc)
        rc = volume_text_parse(span_of(equals + 1), &v, e);
    if (!rc)
        rc = plan_volumes(app, t, g, v, e);
    return rc && rc != ERR_NOMEM ? err_prefix(e, "--group") : rc;
}

/* The instance of --instance, of the plan, or the layout's. */
static int take_instance(struct app *app, struct target *t, struct err *e)
{
    const char *asked = app_text(app, OPT_INSTANCE);
    int rc = app_instance(app, t->layout->instance_type, &t->today, e);
    if (!rc)
        rc = app_instance(app, asked ? asked : t->plan.instance_type, &t->instance, e);
    if (!t->instance)
        t->instance = t->today;
    t->changed |= t->instance != t->today;
    return rc || asked || !t->plan.weighting
               ? rc
               : plan_file_weighting(&t->plan, t->plan_path, &t->weighting, e);
}

static int target_of(struct app *app, struct target *t, struct err *e)
{
    const struct invocation *in = &app->in;
    t->volumes = arena_array(&app->arena, t->layout->n_groups + 1, sizeof *t->volumes);
    if (!t->volumes)
        return err_nomem(e);
    for (size_t g = 0; g < t->layout->n_groups; g++)
        t->volumes[g] = replay_volumes_of(&t->layout->groups[g]);
    int rc = plan_file_input(app, t->layout->system, &t->plan, &t->plan_path, e);
    t->changed = t->plan_path || app_flag(app, OPT_GROUP_SPEC);
    t->as_of_ms =
        t->plan_path && !app_value(app, OPT_AS_OF)->given ? t->plan.as_of_ms : app->as_of_ms;
    if (!rc)
        rc = take_instance(app, t, e);
    if (!rc)
        rc = take_plan(app, t, e);
    for (size_t i = 0; i < in->n_uses && !rc; i++)
        if (in->uses[i].id == OPT_GROUP_SPEC)
            rc = take_group(app, t, in->uses[i].value.text, e);
    return rc;
}

/* The groups of other systems come last, and were never measured on volumes of this one. */
static int add_unmeasured(struct replay_measured_system *m, size_t n_own, size_t n, struct arena *a,
                          struct err *e)
{
    struct replay_measured *all = arena_array(a, n ? n : 1, sizeof *all);
    if (!all)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        all[i] = i < n_own ? m->groups[i]
                           : (struct replay_measured){ .max_mibps = NAN,
                                                       .max_at_ms = UNKNOWN,
                                                       .ceiling_mibps = NAN,
                                                       .baseline_iops = NAN,
                                                       .lowest_credits = NAN };
    m->groups = all;
    return 0;
}

int cmd_replay(struct app *app, struct err *e)
{
    struct system_input in;
    struct system_demand own, demand; /* of the system itself; with those of --with */
    struct demand_options o;
    struct target t = { .layout = NULL };
    const struct demand_source *sources;
    size_t n_sources;
    struct replay_system replayed;
    struct replay_measured_system measured;
    demand_options_init(&o, app->catalogue);
    int rc = system_input(app, true, &in, e);
    if (!rc)
        rc = with_systems(app, &in, &sources, &n_sources, e);
    if (!rc)
        rc = system_demand_of_sources(sources, n_sources, &o, &app->arena, &own, &demand, e);
    if (rc)
        return rc;
    t.layout = demand.layout;
    rc = target_of(app, &t, e);
    if (rc)
        return rc;
    struct replay_question q = { .demand = &demand,
                                 .catalogue = app->catalogue,
                                 .volumes = t.volumes,
                                 .instance = t.instance,
                                 .weighting = t.weighting };
    struct replay_question as_it_was = { .demand = &own,
                                         .catalogue = app->catalogue,
                                         .instance = t.today };
    rc = replay_system(&q, &app->arena, &replayed, e);
    if (!rc)
        rc = replay_measured(&as_it_was, &app->arena, &measured, e);
    if (!rc)
        rc = add_unmeasured(&measured, own.n_groups, demand.n_groups, &app->arena, e);
    if (rc)
        return rc;
    struct replay_told told = { .system = in.load.system,
                                .plan_path = t.plan_path,
                                .changed = t.changed,
                                .as_of_ms = t.as_of_ms,
                                .question = &q,
                                .replayed = &replayed,
                                .measured = &measured,
                                .intervals = app->verbose };
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    rc = report_replay(m, &told, &app->arena, e);
    return app_finish(m, rc ? rc : replay_system_throttled(&replayed) ? ERR_NO : 0, e);
}
