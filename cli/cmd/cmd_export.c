/* cli/cmd/cmd_export.c - volplan export: samples, or values of metrics, out of the store.
 *
 * CSV unless --json asks for an object.  Blocks go from the store to the emitter one by one, so
 * that memory does not grow with what is stored.  A row says what `inspect --csv` says of it, but
 * that mean request sizes are quotients, and names its file. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/emit_rows.h"
#include "cli/render/render.h"
#include "models/core/unit.h"

#include <stdlib.h>

/* No columns: CSV takes the list for its table, JSON needs none. */
static const struct emit_col no_columns;

struct export
{
    struct app *app;
    struct emit *m;
    int64_t from_ms, to_ms;
    const struct store_file *files; /* by file_id */
    size_t n_files;
    const struct store_series *series; /* under way; so is metric */
    const struct store_metric *metric;
    int64_t n_rows;
};

static int by_id(const void *a, const void *b)
{
    const struct store_file *x = a, *y = b;
    return (x->file_id > y->file_id) - (x->file_id < y->file_id);
}

static const char *path_of(const struct export *x, int64_t file_id)
{
    struct store_file key = { .file_id = file_id };
    const struct store_file *f = bsearch(&key, x->files, x->n_files, sizeof key, by_id);
    return f ? f->path : NULL;
}

/* What has no time belongs to no range. */
static bool is_wanted(const struct export *x, int64_t begin_ms)
{
    bool ranged = x->from_ms != UNKNOWN || x->to_ms != UNKNOWN;
    if (begin_ms == UNKNOWN)
        return !ranged;
    return begin_ms >= x->from_ms && (x->to_ms == UNKNOWN || begin_ms < x->to_ms);
}

/* --- samples -----------------------------------------------------------------------------------
 */

static struct io_sample sample_of(const struct store_series *series, const struct store_sample *v)
{
    bool timed = v->begin_ms != UNKNOWN && v->end_ms != UNKNOWN;
    struct io_sample s = {
        .time_ms = v->end_ms,
        .interval_s = timed ? (double)(v->end_ms - v->begin_ms) / 1000 : NAN,
        .host = span_of(series->host),
        .device = span_of(series->name),
        .reads_per_s = v->reads_per_s,
        .writes_per_s = v->writes_per_s,
        .read_kib_per_s = v->read_kib_per_s,
        .write_kib_per_s = v->write_kib_per_s,
        .total_per_s = v->total_per_s,
        .total_kib_per_s = v->total_kib_per_s,
        .read_request_kib = NAN,
        .write_request_kib = NAN,
        .request_kib = NAN,
        .read_merge_pct = v->read_merge_pct,
        .write_merge_pct = v->write_merge_pct,
        .read_await_ms = v->read_await_ms,
        .write_await_ms = v->write_await_ms,
        .await_ms = v->await_ms,
        .queue = v->queue,
        .util_pct = v->util_pct,
        .since_boot = v->flags & STORE_SINCE_BOOT,
        .line = v->line,
    };
    io_sample_complete(&s);
    s.artefact = v->flags & STORE_ARTEFACT;
    return s;
}

static int emit_samples(void *ctx, int64_t file_id, const struct store_sample *samples, size_t n,
                        struct err *e)
{
    struct export *x = ctx;
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        const struct store_sample *v = &samples[i];
        if (!is_wanted(x, v->begin_ms == UNKNOWN ? v->end_ms : v->begin_ms))
            continue;
        struct io_sample s = sample_of(x->series, v);
        emit_begin(x->m, NULL, EMIT_OBJECT);
        rc = emit_sample_values(x->m, &s, e);
        emit_num(x->m, "longest_s", UNIT_S,
                 v->longest_ms == UNKNOWN ? NAN : (double)v->longest_ms / 1000);
        emit_text(x->m, "file", path_of(x, file_id));
        emit_end(x->m);
        x->n_rows++;
        rc = rc ? rc : x->m->failed;
    }
    return rc;
}

static int export_samples(struct export *x, const char *system, struct err *e)
{
    struct store_series *series = NULL;
    size_t n = 0;
    int rc = store_series(x->app->store, system, &x->app->arena, &series, &n, e);
    emit_table(x->m, "samples", &no_columns, 0);
    for (size_t i = 0; i < n && !rc; i++) {
        x->series = &series[i];
        rc = store_samples(x->app->store, &series[i], emit_samples, x, e);
    }
    emit_end(x->m);
    return rc;
}

/* --- metrics -----------------------------------------------------------------------------------
 */

static int emit_values(void *ctx, int64_t file_id, const struct store_metric_value *values,
                       size_t n, struct err *e)
{
    struct export *x = ctx;
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        if (!is_wanted(x, values[i].time_ms))
            continue;
        struct metric_sample s = metric_series_sample(&x->metric->head);
        s.period_s = values[i].period_s;
        s.time_ms = values[i].time_ms;
        s.value = values[i].value;
        s.line = values[i].line;
        emit_begin(x->m, NULL, EMIT_OBJECT);
        rc = emit_metric_row(x->m, &s, e);
        emit_text(x->m, "file", path_of(x, file_id));
        emit_end(x->m);
        x->n_rows++;
        rc = rc ? rc : x->m->failed;
    }
    return rc;
}

static int export_metrics(struct export *x, const char *system, struct err *e)
{
    struct store_metric *metrics = NULL;
    size_t n = 0;
    int rc = store_metrics(x->app->store, system, &x->app->arena, &metrics, &n, e);
    emit_table(x->m, "points", &no_columns, 0);
    for (size_t i = 0; i < n && !rc; i++) {
        x->metric = &metrics[i];
        rc = store_metric_values(x->app->store, &metrics[i], emit_values, x, e);
    }
    emit_end(x->m);
    return rc;
}

/* --- all of it ---------------------------------------------------------------------------------
 */

static int read_files(struct export *x, const char *system, struct err *e)
{
    struct store_file *files = NULL;
    int rc = store_files(x->app->store, system, &x->app->arena, &files, &x->n_files, e);
    if (x->n_files)
        qsort(files, x->n_files, sizeof *files, by_id);
    x->files = files;
    return rc;
}

static int export_all(struct export *x, struct err *e)
{
    struct app *app = x->app;
    bool metrics = app_flag(app, OPT_METRICS);
    const char *system = NULL;
    int rc = store_system_resolve(app->store, app_text(app, OPT_SYSTEM), &app->arena, &system, e);
    if (!rc)
        rc = read_files(x, system, e);
    if (rc)
        return rc;
    emit_text(x->m, "system", system);
    rc = metrics ? export_metrics(x, system, e) : export_samples(x, system, e);
    if (!rc && !x->n_rows)
        app_note(app, "%s: no %s%s", system, metrics ? "values of metrics" : "samples of devices",
                 x->from_ms != UNKNOWN || x->to_ms != UNKNOWN ? " in this time"
                 : metrics                                    ? ""
                                                              : "; --metrics may have more");
    return rc;
}

int cmd_export(struct app *app, struct err *e)
{
    struct export x = { .app = app,
                        .from_ms = app_whole(app, OPT_FROM),
                        .to_ms = app_whole(app, OPT_TO) };
    if (x.from_ms != UNKNOWN && x.to_ms != UNKNOWN && x.from_ms >= x.to_ms)
        return err_set(e, ERR_USAGE, "--from is not before --to");
    int rc = store_read_begin(app->store, e);
    if (rc)
        return rc;
    x.m = app_flag(app, OPT_JSON) ? render_json(app->out) : render_csv(app->out);
    rc = x.m ? app_finish(x.m, export_all(&x, e), e) : err_nomem(e);
    store_read_end(app->store);
    return rc;
}
