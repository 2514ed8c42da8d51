/* cli/cmd/cmd_inspect.c - volplan inspect: what is in a file, storing nothing. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/ingest_args.h"
#include "cli/cmd/inspection.h"
#include "models/core/timestamp.h"

#include <sys/stat.h>

enum { WARNINGS_SHOWN = 10 };

static int is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void say_warnings(struct emit *m, const struct ingest_result *r)
{
    for (size_t i = 0; i < r->n_warnings && i < WARNINGS_SHOWN; i++)
        if (r->warnings[i].line)
            emit_label(m, "warning", "line %.0f: %s", (double)r->warnings[i].line,
                       r->warnings[i].text);
        else
            emit_label(m, "warning", "%s", r->warnings[i].text);
    if (r->n_warnings > WARNINGS_SHOWN)
        emit_label(m, "warnings", "%zu more: --json", r->n_warnings - WARNINGS_SHOWN);
}

static void say_file(struct emit *m, const struct ingest_result *r, const struct inspection *in)
{
    char rows[48], skipped[48], from[32], to[32];
    const char *what = in->snapshots ? "report" : in->samples ? "sample" : "row";
    if (!in->snapshots)
        emit_say(m, "%s", r->path);
    emit_label(m, "read", "%s: %s %s%s%s%s%s", r->format, unit_format(rows, (double)r->rows, 0),
               what, r->rows == 1 ? "" : "s", r->skipped ? ", " : "",
               r->skipped ? unit_format(skipped, (double)r->skipped, 0) : "",
               r->skipped ? " skipped" : "");
    if (r->first_ms != UNKNOWN)
        emit_label(m, "period", "%s to %s", time_format_iso(from, r->first_ms),
                   time_format_iso(to, r->last_ms));
    say_warnings(m, r);
}

static void emit_file(struct emit *m, const struct ingest_result *r)
{
    emit_text(m, "path", r->path);
    emit_text(m, "format", r->format);
    emit_text(m, "error", r->error);
    emit_int(m, "rows", UNIT_COUNT, r->rows);
    emit_int(m, "skipped", UNIT_COUNT, r->skipped);
    emit_time(m, "first", r->first_ms);
    emit_time(m, "last", r->last_ms);
    emit_ingest_warnings(m, r);
}

static void begin_file(void *ctx, const char *path)
{
    struct inspection *in = ctx;
    if (in->n_files++)
        emit_say(in->m, "%s", "");
    inspection_start(in, path);
    in->file_open = true;
    emit_begin(in->m, NULL, EMIT_OBJECT);
}

/* r is NULL when the work stops in the middle of the file. */
static int end_file(void *ctx, const struct ingest_result *r, struct err *e)
{
    struct inspection *in = ctx;
    struct emit *m = in->m;
    int rc = inspection_end(in, e);
    if (!rc && r && r->status != INGEST_FAILED) {
        say_file(m, r, in);
        rc = inspection_summary(in, e);
    }
    if (!rc && r)
        emit_file(m, r);
    emit_end(m);
    in->file_open = false;
    inspection_release(in);
    return rc;
}

int cmd_inspect(struct app *app, struct err *e)
{
    struct ingest_files_options o;
    int rc = ingest_args(app, &o, e);
    for (size_t i = 0; !rc && i < app->in.n_args; i++)
        if (is_folder(app->in.args[i]))
            rc =
                err_set(e, ERR_USAGE, "'%.200s' is a folder: inspect takes files", app->in.args[i]);
    if (rc)
        return rc;
    struct inspection in = { .m = app_emit(app), .flat = app_flag(app, OPT_CSV) };
    if (!in.m)
        return err_nomem(e);
    struct sink tap = inspection_sink(&in);
    o.tap = &tap;
    o.begin = begin_file;
    o.end = end_file;
    o.file_ctx = &in;
    struct ingest_results results = { 0 };
    emit_begin(in.m, "files", EMIT_LIST);
    for (size_t i = 0; !rc && i < app->in.n_args; i++)
        rc = ingest_path(NULL, app->in.args[i], &o, &app->arena, &results, e);
    if (in.file_open)
        end_file(&in, NULL, NULL);
    emit_end(in.m);
    rc = app_finish(in.m, rc, e);
    return rc ? rc : ingest_failures(app, &results);
}
