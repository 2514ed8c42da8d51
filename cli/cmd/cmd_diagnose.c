/* cli/cmd/cmd_diagnose.c - volplan diagnose: what is wrong, and how it is known.
 *
 * With FILEs these are loaded into a store in memory and nothing is kept; a layout among them is
 * the layout, one of a standby that it names is that standby's.  Without a layout one is guessed.
 */
#include "cli/cmd/cmd.h"

#include "cli/cmd/diagnosis_of.h"
#include "cli/cmd/ingest_args.h"
#include "cli/cmd/layout_guess.h"
#include "cli/cmd/whole_file.h"
#include "planner/report/report_diagnose.h"

#include <string.h>

/* --- files -------------------------------------------------------------------------------------
 */

struct files {
    const char *system; /* what the files are taken for */
    struct layout_path *layouts;
    size_t n_layouts;
    const char **paths; /* all but the layouts */
    size_t n;
    struct ingest_results results;
};

/* The text of a layout: a JSON object that speaks of a system and its groups; ptr NULL for any
 * other file. */
static int read_layout(struct app *app, const char *path, struct span *out, struct err *e)
{
    struct err own = { 0 };
    int rc = whole_file(path, LAYOUT_BYTES_MAX, &app->arena, out, &own);
    struct span text = rc ? (struct span){ NULL, 0 } : span_trim(*out);
    if (!text.len || text.ptr[0] != '{' || span_find(text, "\"system\"") < 0 ||
        span_find(text, "\"groups\"") < 0)
        out->ptr = NULL;
    return rc == ERR_NOMEM ? err_nomem(e) : 0; /* what cannot be read is told when it is ingested */
}

/* Keeps a layout: the first one is that of the files, the others are of their own systems. */
static int keep_layout(struct app *app, const char *path, struct span json, struct files *f,
                       struct err *e)
{
    struct layout l;
    int rc = layout_parse(json, &app->arena, &l, e);
    if (rc)
        return err_prefix(e, "%s", path);
    bool first = !f->n_layouts;
    if (first && !f->system)
        f->system = l.system;
    struct layout_path *of = &f->layouts[f->n_layouts++];
    *of = (struct layout_path){ first ? f->system : l.system, path };
    return store_layout_set(app->store, of->system, json.ptr, e);
}

static int sort_files(struct app *app, struct files *f, struct err *e)
{
    f->system = app_text(app, OPT_SYSTEM);
    f->paths = arena_array(&app->arena, app->in.n_args, sizeof *f->paths);
    f->layouts = arena_array(&app->arena, app->in.n_args, sizeof *f->layouts);
    if (!f->paths || !f->layouts)
        return err_nomem(e);
    for (size_t i = 0; i < app->in.n_args; i++) {
        struct span json;
        int rc = read_layout(app, app->in.args[i], &json, e);
        if (!rc && json.ptr)
            rc = keep_layout(app, app->in.args[i], json, f, e);
        else
            f->paths[f->n++] = app->in.args[i];
        if (rc)
            return rc;
    }
    if (!f->system)
        f->system = app->in.n_args == 1 ? app->in.args[0]
                                        : arena_printf(&app->arena, "%zu files", app->in.n_args);
    return f->system ? 0 : err_nomem(e);
}

static int load_files(struct app *app, struct files *f, struct err *e)
{
    struct ingest_files_options o;
    int rc =
        store_open(":memory:", &(struct store_options){ .mode = STORE_CREATE }, &app->store, e);
    if (!rc)
        rc = sort_files(app, f, e);
    if (!rc)
        rc = ingest_args(app, &o, e);
    if (rc)
        return rc;
    o.system = f->system;
    for (size_t i = 0; i < f->n && !rc; i++)
        rc = ingest_path(app->store, f->paths[i], &o, &app->arena, &f->results, e);
    return rc;
}

/* --- the system --------------------------------------------------------------------------------
 */

/* The load and the layout, given or guessed; of files that hold nothing an empty one. */
static int input_of(struct app *app, const char *system, struct system_input *out, struct err *e)
{
    struct err own = { 0 };
    int rc = system_input_named(app, system, false, out, &own);
    bool nothing = rc == ERR_USAGE && app->in.n_args; /* none of the files was loaded */
    if (rc && !nothing)
        return err_set(e, rc, "%s", own.text);
    if (nothing)
        out->load = (struct system_load){ .system = system };
    if (out->has_layout)
        return 0;
    out->layout = layout_unknown;
    rc = layout_guess(&out->load, &app->arena, &out->layout, &own);
    return rc && rc != ERR_USAGE ? err_nomem(e) : 0;
}

static int diagnose(struct app *app, const struct files *f, const char *system,
                    struct diagnosis *out, struct err *e)
{
    struct system_input *of = arena_alloc(&app->arena, sizeof *of);
    struct system_demand *demand = arena_alloc(&app->arena, sizeof *demand);
    struct demand_options o;
    if (!of || !demand)
        return err_nomem(e);
    int rc = input_of(app, system, of, e);
    demand_options_init(&o, app->catalogue);
    if (!rc)
        rc = of->has_layout
                 ? system_input_demand(app, of, &o, demand, e)
                 : system_demand_build(&of->load, &of->layout, &o, &app->arena, demand, e);
    return rc ? rc : diagnosis_of(app, of, demand, f->layouts, f->n_layouts, out, e);
}

int cmd_diagnose(struct app *app, struct err *e)
{
    struct files files = { 0 };
    struct diagnosis d;
    int rc = app->in.n_args ? load_files(app, &files, e) : app_store_open(app, STORE_READ, e);
    if (!rc)
        rc =
            diagnose(app, &files, app->in.n_args ? files.system : app_text(app, OPT_SYSTEM), &d, e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    report_diagnose(m, &d);
    rc = app_finish(m, diagnosis_has_error(&d) ? ERR_NO : 0, e);
    int failed = rc && rc != ERR_NO ? 0 : ingest_failures(app, &files.results);
    return failed ? failed : rc;
}
