/* cli/cmd/cmd_systems.c - volplan systems: what the store holds, a line a system. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/system_input.h"

/* From the first sample of any file to the last; UNKNOWN when none has a time. */
struct extent {
    int64_t from_ms, to_ms;
    size_t n_files;
};

static int extent_of(struct app *app, const char *system, struct extent *out, struct err *e)
{
    struct store_file *files = NULL;
    struct extent x = { UNKNOWN, UNKNOWN, 0 };
    int rc = store_files(app->store, system, &app->arena, &files, &x.n_files, e);
    if (rc)
        return rc;
    for (size_t i = 0; i < x.n_files; i++) {
        if (files[i].first_ms == UNKNOWN)
            continue;
        if (x.from_ms == UNKNOWN || files[i].first_ms < x.from_ms)
            x.from_ms = files[i].first_ms;
        if (x.to_ms == UNKNOWN || files[i].last_ms > x.to_ms)
            x.to_ms = files[i].last_ms;
    }
    *out = x;
    return 0;
}

/* NULL: there is none. */
static void emit_layout_names(struct emit *m, const struct layout *given)
{
    const struct layout *l = given ? given : &layout_unknown;
    emit_text(m, "region", l->region);
    emit_text(m, "instance_type", l->instance_type);
    emit_int(m, "n_groups", UNIT_COUNT, given ? (int64_t)l->n_groups : UNKNOWN);
    emit_begin(m, "groups", EMIT_LIST);
    for (size_t i = 0; i < l->n_groups; i++)
        emit_text(m, NULL, l->groups[i].name);
    emit_end(m);
    emit_begin(m, "standbys", EMIT_LIST);
    for (size_t i = 0; i < l->n_standbys; i++)
        emit_text(m, NULL, l->standbys[i].name);
    emit_end(m);
}

static int emit_system(struct app *app, struct emit *m, const char *system, struct err *e)
{
    struct layout l;
    struct extent x;
    struct err own = { 0 };
    int rc = extent_of(app, system, &x, e);
    if (rc)
        return rc;
    rc = system_layout(app->store, system, &app->arena, &l, &own);
    if (rc == ERR_NOMEM || rc == ERR_STORE)
        return err_set(e, rc, "%s", own.text);
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "system", system);
    emit_int(m, "files", UNIT_COUNT, (int64_t)x.n_files);
    emit_time(m, "from", x.from_ms);
    emit_time(m, "to", x.to_ms);
    emit_layout_names(m, rc ? NULL : &l);
    emit_text(m, "problem", rc ? own.text : NULL);
    emit_end(m);
    return 0;
}

int cmd_systems(struct app *app, struct err *e)
{
    static const struct emit_col columns[] = {
        { "system", "system", true },          { "files", "files", false },
        { "from", "from (UTC)", true },        { "to", "to (UTC)", true },
        { "instance_type", "instance", true }, { "n_groups", "groups", false },
    };
    const char *const *names;
    size_t n;
    int rc = store_systems(app->store, &app->arena, &names, &n, e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    emit_table(m, "systems", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n && !rc; i++)
        rc = emit_system(app, m, names[i], e);
    emit_end(m);
    return app_finish(m, rc, e);
}
