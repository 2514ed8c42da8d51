/* cli/cmd/cmd_replay.c - volplan replay: the measured load through volumes and an instance. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/system_input.h"
#include "cli/cmd/whole_file.h"
#include "cli/cmd/with_systems.h"
#include "cli/nearest.h"
#include "data/ingest/plan/plan_json.h"
#include "models/core/timestamp.h"
#include "models/ebs/vol_rule.h"
#include "models/vocab/volume_text.h"
#include "planner/report/report_replay.h"

#include <math.h>
#include <string.h>

enum { PLAN_FILE_MAX = 64 * 1024 * 1024 };

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

static int find_group(const struct layout *l, struct span name, size_t *out, struct err *e)
{
    char wanted[81], hint[96];
    struct nearest near = { .word = wanted };
    for (size_t g = 0; g < l->n_groups; g++)
        if (span_is(name, l->groups[g].name)) {
            *out = g;
            return 0;
        }
    snprintf(wanted, sizeof wanted, "%.*s", SPAN_ARG(name));
    for (size_t g = 0; g < l->n_groups; g++)
        nearest_try(&near, l->groups[g].name);
    return err_set(e, ERR_USAGE, "no disk group '%s' in the layout of %.80s%s", wanted, l->system,
                   nearest_hint(hint, &near, ""));
}

static int read_plan(struct app *app, struct target *t, struct err *e)
{
    struct span json;
    t->plan_path = app_text(app, OPT_PLAN);
    if (!t->plan_path)
        return 0;
    int rc = whole_file(t->plan_path, PLAN_FILE_MAX, &app->arena, &json, e);
    if (rc)
        return rc;
    rc = plan_json_parse(json, &app->arena, &t->plan, e);
    if (rc)
        return err_prefix(e, "%.200s", t->plan_path);
    if (strcmp(t->plan.system, t->layout->system) != 0)
        return err_set(e, ERR_USAGE, "%.200s is a plan of '%.80s', not of '%.80s'", t->plan_path,
                       t->plan.system, t->layout->system);
    return 0;
}

/* What the type does not take, or cannot do without. */
static int check_fields(const struct vol_rule *r, const struct volume_spec *v, struct err *e)
{
    const char *type = volume_type_name(v->type);
    if (r->only_provisioned && v->iops == UNKNOWN)
        return err_set(e, ERR_USAGE, "%s needs its IOPS: %s:%lld:IOPS", type, type,
                       (long long)v->size_gib);
    if (v->iops != UNKNOWN && !r->only_provisioned && r->included_iops == UNKNOWN)
        return err_set(e, ERR_USAGE, "%s takes no IOPS, they follow from its size: %s:%lld", type,
                       type, (long long)v->size_gib);
    if (v->throughput_mibps != UNKNOWN && !isfinite(r->mibps_per_iops_max))
        return err_set(e, ERR_USAGE, "%s takes no throughput: only gp3 does", type);
    return 0;
}

/* Fills in what the type comes with. */
static int check_spec(const struct app *app, const struct target *t, struct volume_spec *v,
                      struct err *e)
{
    struct vol_problem problems[VOL_PROBLEMS_MAX];
    char day[32], nearest[96];
    const struct vol_rule *r = vol_rule_at(app->catalogue, v->type, t->as_of_ms,
                                           t->instance ? t->instance->name : NULL, UNKNOWN);
    if (!r)
        return err_set(e, ERR_USAGE, "%s is not known on %s", volume_type_name(v->type),
                       time_format_date(day, t->as_of_ms));
    int rc = check_fields(r, v, e);
    if (rc)
        return rc;
    vol_fill_defaults(r, v);
    if (vol_check(r, v, problems) == 0)
        return 0;
    return err_set(e, ERR_USAGE, "%s; nearest that can be ordered: %s", problems[0].text,
                   volume_spec_format(nearest, &problems[0].nearest));
}

/* One kind of volumes under the rules of t->as_of_ms. */
static int plan_volumes(struct app *app, struct target *t, size_t g, struct volume_spec v,
                        struct err *e)
{
    int rc = check_spec(app, t, &v, e);
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
        int rc = find_group(t->layout, span_of(of->name), &g, e);
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
    int rc = find_group(t->layout, (struct span){ text, (size_t)(equals - text) }, &g, e);
    if (!rc)
        rc = volume_text_parse(span_of(equals + 1), &v, e);
    if (!rc)
        rc = plan_volumes(app, t, g, v, e);
    return rc && rc != ERR_NOMEM ? err_prefix(e, "--group") : rc;
}

/* Of the plan, on the plan's instance. */
static int take_weighting(struct target *t, struct err *e)
{
    static const char *const names[] = {
        [WEIGHTING_DEFAULT] = "default", [WEIGHTING_EBS_1] = "ebs-1", [WEIGHTING_VPC_1] = "vpc-1"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(t->plan.weighting, names[i]) == 0) {
            t->weighting = (enum weighting)i;
            return 0;
        }
    return err_set(e, ERR_PARSE,
                   "%.200s: instance.weighting: '%.40s': expected default, ebs-1, vpc-1",
                   t->plan_path, t->plan.weighting);
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
    return rc || asked || !t->plan.weighting ? rc : take_weighting(t, e);
}

static int target_of(struct app *app, struct target *t, struct err *e)
{
    const struct invocation *in = &app->in;
    t->volumes = arena_array(&app->arena, t->layout->n_groups + 1, sizeof *t->volumes);
    if (!t->volumes)
        return err_nomem(e);
    for (size_t g = 0; g < t->layout->n_groups; g++)
        t->volumes[g] = replay_volumes_of(&t->layout->groups[g]);
    int rc = read_plan(app, t, e);
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
