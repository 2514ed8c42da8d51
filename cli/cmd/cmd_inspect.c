/* cli/cmd/cmd_inspect.c - volplan inspect: what is in a file, storing nothing.
 *
 * Samples go to the emitter as they are read, so that memory does not grow with the file;
 * people get a row per device instead. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/device_summary.h"
#include "cli/cmd/emit_awr.h"
#include "cli/cmd/ingest_args.h"
#include "models/core/timestamp.h"

#include <sys/stat.h>

enum { WARNINGS_SHOWN = 10 };

enum open_list { LIST_NONE, LIST_SAMPLES, LIST_SNAPSHOTS };

struct inspection {
    struct app *app;
    struct emit *m;
    const char *path;
    enum open_list list;
    int64_t snapshots;
    struct device_summary devices;
    struct arena arena; /* of one file */
};

static void open_list(struct inspection *in, enum open_list list)
{
    /* No columns of its own in text: people see the summary. */
    static const struct emit_col no_columns;
    if (in->list == list)
        return;
    if (in->list != LIST_NONE)
        emit_end(in->m);
    in->list = list;
    if (list == LIST_SAMPLES)
        emit_table(in->m, "samples", &no_columns, 0);
    else if (list == LIST_SNAPSHOTS)
        emit_begin(in->m, "snapshots", EMIT_LIST);
}

static int take_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    struct inspection *in = ctx;
    struct emit *m = in->m;
    if (m->people)
        return device_summary_add(&in->devices, s, &in->arena, e);
    struct arena scratch = { 0 };
    char *device = arena_strndup(&scratch, s->device.ptr, s->device.len);
    char *host = s->host.len ? arena_strndup(&scratch, s->host.ptr, s->host.len) : NULL;
    if (!device || (s->host.len && !host)) {
        arena_release(&scratch);
        return err_nomem(e);
    }
    open_list(in, LIST_SAMPLES);
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_time(m, "time", s->time_ms);
    emit_num(m, "interval_s", UNIT_S, s->interval_s);
    emit_text(m, "host", host);
    emit_text(m, "device", device);
    emit_num(m, "reads_per_s", UNIT_PER_S, s->reads_per_s);
    emit_num(m, "writes_per_s", UNIT_PER_S, s->writes_per_s);
    emit_num(m, "read_kib_per_s", UNIT_KIBPS, s->read_kib_per_s);
    emit_num(m, "write_kib_per_s", UNIT_KIBPS, s->write_kib_per_s);
    emit_num(m, "total_per_s", UNIT_PER_S, s->total_per_s);
    emit_num(m, "total_kib_per_s", UNIT_KIBPS, s->total_kib_per_s);
    emit_num(m, "read_request_kib", UNIT_KIB, s->read_request_kib);
    emit_num(m, "write_request_kib", UNIT_KIB, s->write_request_kib);
    emit_num(m, "request_kib", UNIT_KIB, s->request_kib);
    emit_num(m, "read_merge_pct", UNIT_PCT, s->read_merge_pct);
    emit_num(m, "write_merge_pct", UNIT_PCT, s->write_merge_pct);
    emit_num(m, "read_await_ms", UNIT_MS, s->read_await_ms);
    emit_num(m, "write_await_ms", UNIT_MS, s->write_await_ms);
    emit_num(m, "await_ms", UNIT_MS, s->await_ms);
    emit_num(m, "queue", UNIT_NONE, s->queue);
    emit_num(m, "util_pct", UNIT_PCT, s->util_pct);
    emit_bool(m, "since_boot", s->since_boot);
    emit_bool(m, "artefact", s->artefact);
    emit_int(m, "line", UNIT_COUNT, s->line);
    emit_end(m);
    arena_release(&scratch);
    return m->failed; /* its words come from emit_close */
}

static int take_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    struct inspection *in = ctx;
    open_list(in, LIST_SNAPSHOTS);
    if (!in->snapshots++)
        emit_say(in->m, "%s", in->path);
    return emit_awr_snapshot(in->m, s, &in->arena, e);
}

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
    const char *what = in->snapshots ? "report" : "sample";
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

static int inspect(struct inspection *in, const char *path, const struct ingest_files_options *o,
                   struct ingest_results *results, struct err *e)
{
    struct emit *m = in->m;
    size_t before = results->n;
    in->path = path;
    in->list = LIST_NONE;
    in->snapshots = 0;
    in->devices = (struct device_summary){ 0 };
    emit_begin(m, NULL, EMIT_OBJECT);
    int rc = ingest_path(NULL, path, o, &in->app->arena, results, e);
    open_list(in, LIST_NONE);
    if (!rc && results->n == before + 1) {
        const struct ingest_result *r = &results->item[before];
        if (r->status != INGEST_FAILED) {
            say_file(m, r, in);
            if (m->people && in->devices.n) {
                emit_say(m, "%s", "");
                device_summary_emit(m, &in->devices);
            }
        }
        emit_file(m, r);
    }
    emit_end(m);
    arena_release(&in->arena);
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
    struct inspection in = { .app = app, .m = app_emit(app) };
    if (!in.m)
        return err_nomem(e);
    struct sink tap = { .ctx = &in, .sample = take_sample, .snapshot = take_snapshot };
    o.tap = &tap;
    struct ingest_results results = { 0 };
    emit_begin(in.m, "files", EMIT_LIST);
    for (size_t i = 0; !rc && i < app->in.n_args; i++) {
        if (i)
            emit_say(in.m, "%s", "");
        rc = inspect(&in, app->in.args[i], &o, &results, e);
    }
    emit_end(in.m);
    rc = app_finish(in.m, rc, e);
    return rc ? rc : ingest_failures(app, &results);
}
