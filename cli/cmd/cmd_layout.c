/* cli/cmd/cmd_layout.c - volplan layout: which files and devices make which disk group. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/emit_layout.h"
#include "cli/cmd/layout_guess.h"
#include "cli/cmd/system_input.h"
#include "cli/cmd/whole_file.h"
#include "cli/nearest.h"
#include "cli/render/render.h"
#include "models/ebs/vol_rule.h"
#include "planner/demand/group_files.h"

#include <string.h>

static void say_unplannable(struct emit *m, const struct layout *l)
{
    for (size_t i = 0; i < l->n_groups; i++)
        if (l->groups[i].need_gib == UNKNOWN && !l->groups[i].n_volumes)
            emit_say(m, "%s cannot be planned yet: give its need_gib, or today's volumes.",
                     l->groups[i].name);
}

static bool claims(const struct layout *l, const struct layout_group *g,
                   const struct store_series *s)
{
    const struct layout_file *files;
    size_t n_files = group_files(l, g, &files);
    for (size_t i = 0; s->kind == SERIES_DEVICE && i < g->n_devices; i++)
        if (layout_match_device(g->devices[i], s->host, s->name))
            return true;
    for (size_t i = 0; s->kind == SERIES_FILETYPE && i < n_files; i++)
        if (strcmp(files[i].name, s->name) == 0)
            return true;
    return s->kind == SERIES_VOLUME && layout_names_volume(g, span_of(s->name));
}

/* A device counts for the first group that claims it; a file type for all, by its shares. */
static void say_claimed_twice(struct emit *m, const struct layout *l, const struct store_series *s)
{
    const struct layout_group *first = NULL;
    for (size_t g = 0; g < l->n_groups && s->kind != SERIES_FILETYPE; g++) {
        if (!claims(l, &l->groups[g], s))
            continue;
        if (first)
            emit_say(m, "%s%s%s is claimed by %s and %s: it counts for %s alone.",
                     s->host ? s->host : "", s->host ? ":" : "", s->name, first->name,
                     l->groups[g].name, first->name);
        else
            first = &l->groups[g];
    }
}

static bool is_claimed(const struct layout *l, const struct store_series *s)
{
    for (size_t g = 0; g < l->n_groups; g++)
        if (claims(l, &l->groups[g], s))
            return true;
    return s->kind == SERIES_INSTANCE;
}

/* unclaimed[]: what was measured and no group claims; and what two do is said. */
static int report_unclaimed(struct app *app, struct emit *m, const struct layout *l, struct err *e)
{
    struct store_series *series = NULL;
    size_t n = 0;
    int rc = store_series(app->store, l->system, &app->arena, &series, &n, e);
    if (rc)
        return rc;
    emit_begin(m, "unclaimed", EMIT_LIST);
    for (size_t i = 0; i < n; i++) {
        say_claimed_twice(m, l, &series[i]);
        if (is_claimed(l, &series[i]))
            continue;
        emit_text(m, NULL, series[i].name);
        emit_say(m, "%s%s%s was measured, and no group claims it.",
                 series[i].host ? series[i].host : "", series[i].host ? ":" : "", series[i].name);
    }
    emit_end(m);
    return 0;
}

static int check_latency_class(const struct layout_group *g, struct err *e)
{
    const char *name = g->policy.max_latency_class;
    if (!name || vol_latency_rank(name) >= 0)
        return 0;
    struct nearest near = { .word = name };
    char hint[96];
    for (int i = 0; vol_latency_name(i); i++)
        nearest_try(&near, vol_latency_name(i));
    return err_set(e, ERR_USAGE, "group '%.80s': unknown max_latency_class '%.80s'%s", g->name,
                   name,
                   near.best ? nearest_hint(hint, &near, "") : " (sub-ms, single-digit ms or HDD)");
}

/* Names that a plan would look up, and would not find. */
static int check_names(const struct app *app, const struct layout *l, struct err *e)
{
    const struct instance_type *instance;
    int rc = l->region ? app_region(app, l->region, e) : 0;
    if (!rc)
        rc = app_instance(app, l->instance_type, &instance, e);
    for (size_t i = 0; i < l->n_groups && !rc; i++)
        rc = check_latency_class(&l->groups[i], e);
    return rc;
}

static int set_layout(struct app *app, struct err *e)
{
    const char *path = app_text(app, OPT_SET), *system = app_text(app, OPT_SYSTEM);
    struct span json;
    struct layout l;
    int rc = whole_file(path, LAYOUT_BYTES_MAX, &app->arena, &json, e);
    if (rc)
        return rc;
    rc = layout_parse(json, &app->arena, &l, e);
    if (!rc)
        rc = check_names(app, &l, e);
    if (rc)
        return err_prefix(e, "%s", path);
    if (system && strcmp(system, l.system) != 0)
        return err_set(e, ERR_USAGE, "%s is the layout of '%.100s', not of '%.100s'", path,
                       l.system, system);
    rc = app_store_open(app, STORE_CREATE, e);
    if (!rc)
        rc = store_layout_set(app->store, l.system, json.ptr, e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    emit_text(m, "system", l.system);
    emit_int(m, "groups", UNIT_COUNT, (int64_t)l.n_groups);
    emit_say(m, "Layout of %s is set: %zu %s.", l.system, l.n_groups,
             l.n_groups == 1 ? "group" : "groups");
    say_unplannable(m, &l);
    rc = report_unclaimed(app, m, &l, e);
    emit_label(m, "next", "volplan plan");
    return app_finish(m, rc, e);
}

static int init_layout(struct app *app, struct err *e)
{
    struct system_load load;
    struct layout l;
    int rc = app_store_open(app, STORE_READ, e);
    if (!rc)
        rc = load_system(app->store, app_text(app, OPT_SYSTEM), &app->arena, &load, e);
    if (!rc)
        rc = layout_guess(&load, &app->arena, &l, e);
    if (rc)
        return rc;
    struct emit *m = render_json(app->out); /* a layout is a JSON file, whatever the output */
    if (!m)
        return err_nomem(e);
    emit_layout(m, &l);
    rc = app_finish(m, 0, e);
    if (!rc)
        app_note(app, "A guess: rename and regroup, give each group its role and need_gib or "
                      "today's volumes and the AWR files it holds, then volplan layout --set FILE");
    return rc;
}

static int show_layout(struct app *app, struct err *e)
{
    const char *system;
    struct layout l;
    int rc = app_store_open(app, STORE_READ, e);
    if (!rc)
        rc = store_system_resolve(app->store, app_text(app, OPT_SYSTEM), &app->arena, &system, e);
    if (!rc)
        rc = system_layout(app->store, system, &app->arena, &l, e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    emit_say(m, "%s%s%s%s%s", l.system, l.instance_type ? " on " : "",
             l.instance_type ? l.instance_type : "", l.region ? ", " : "",
             l.region ? l.region : "");
    emit_say(m, "%s", "");
    emit_layout(m, &l);
    if (m->people) {
        say_unplannable(m, &l);
        rc = report_unclaimed(app, m, &l, e);
    }
    return app_finish(m, rc, e);
}

int cmd_layout(struct app *app, struct err *e)
{
    if (app_flag(app, OPT_SET) && app_flag(app, OPT_INIT))
        return err_set(e, ERR_USAGE, "--init and --set: one of them");
    if (app_flag(app, OPT_SET))
        return set_layout(app, e);
    return app_flag(app, OPT_INIT) ? init_layout(app, e) : show_layout(app, e);
}
