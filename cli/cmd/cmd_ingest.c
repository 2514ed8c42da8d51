/* cli/cmd/cmd_ingest.c - volplan ingest: load files and folders into the store. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/ingest_args.h"
#include "cli/progress.h"
#include "models/core/timestamp.h"

#include <string.h>

/* Warnings of a file that people see without --verbose. */
enum { WARNINGS_SHOWN = 3 };

struct totals {
    int64_t files, rows, bytes;
    size_t of[3]; /* by enum ingest_status */
};

static struct totals totals_of(const struct ingest_results *r)
{
    struct totals t = { 0 };
    for (size_t i = 0; i < r->n; i++) {
        const struct ingest_result *f = &r->item[i];
        t.files++;
        t.of[f->status]++;
        if (f->status == INGEST_NEW) {
            t.rows += f->rows;
            t.bytes += f->bytes;
        }
    }
    return t;
}

static const struct emit_col cols[] = {
    { "path", "file", true },         { "format", "format", true }, { "system", "system", true },
    { "first", "from", true },        { "last", "to", true },       { "rows", "rows", false },
    { "left_out", "skipped", false }, { "status", "", true },
};

static void emit_file(const struct app *app, struct emit *m, const struct ingest_result *r)
{
    size_t shown = app->verbose ? r->n_warnings : WARNINGS_SHOWN;
    bool failed = r->status == INGEST_FAILED;
    char number[48];
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "path", r->path);
    emit_text(m, "format", r->format);
    emit_text(m, "system", failed ? NULL : r->system);
    emit_text(m, "status", ingest_status_name(r->status));
    emit_int(m, "rows", UNIT_COUNT, failed ? UNKNOWN : r->rows);
    emit_int(m, "skipped", UNIT_COUNT, failed ? UNKNOWN : r->skipped);
    if (r->skipped && !failed)
        emit_cell(m, "left_out", "%s", unit_format(number, (double)r->skipped, 0));
    emit_time(m, "first", failed ? UNKNOWN : r->first_ms);
    emit_time(m, "last", failed ? UNKNOWN : r->last_ms);
    emit_text(m, "error", r->error);
    emit_ingest_warnings(m, r);
    emit_end(m);
    for (size_t i = 0; i < r->n_warnings && i < shown; i++) {
        const struct ingest_warning *w = &r->warnings[i];
        if (w->line)
            emit_say(m, "%s:%.0f: %s", r->path, (double)w->line, w->text);
        else
            emit_say(m, "%s: %s", r->path, w->text);
    }
    if (r->n_warnings > shown)
        emit_say(m, "%s: %zu more warnings: --verbose", r->path, r->n_warnings - shown);
}

static void say_answer(struct emit *m, const struct app *app, const struct totals *t)
{
    char files[48], rows[48], known[48], failed[48], words[160] = "";
    if (t->of[INGEST_KNOWN])
        snprintf(words, sizeof words, ", %s known already",
                 unit_format(known, (double)t->of[INGEST_KNOWN], 0));
    if (t->of[INGEST_FAILED]) {
        size_t at = strlen(words);
        snprintf(words + at, sizeof words - at, ", %s failed",
                 unit_format(failed, (double)t->of[INGEST_FAILED], 0));
    }
    emit_say(m, "%s %s loaded into %s, %s %s%s.", unit_format(files, (double)t->of[INGEST_NEW], 0),
             t->of[INGEST_NEW] == 1 ? "file" : "files", app->db,
             unit_format(rows, (double)t->rows, 0), t->rows == 1 ? "row" : "rows", words);
    emit_say(m, "%s", "");
}

static void report(struct emit *m, const struct app *app, const struct ingest_results *r,
                   int64_t elapsed_ms)
{
    struct totals t = totals_of(r);
    say_answer(m, app, &t);
    emit_table(m, "files", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < r->n; i++)
        emit_file(app, m, &r->item[i]);
    emit_end(m);
    emit_begin(m, "totals", EMIT_OBJECT);
    emit_int(m, "files", UNIT_COUNT, t.files);
    emit_int(m, "rows", UNIT_COUNT, t.rows);
    emit_int(m, "bytes", UNIT_BYTES, t.bytes);
    emit_num(m, "seconds", UNIT_S, elapsed_ms == UNKNOWN ? NAN : (double)elapsed_ms / 1000);
    emit_end(m);
    if (t.of[INGEST_FAILED] < (size_t)t.files)
        emit_label(m, "next", "volplan layout    volplan peaks");
}

int cmd_ingest(struct app *app, struct err *e)
{
    struct ingest_files_options o;
    struct progress progress;
    int rc = ingest_args(app, &o, e);
    if (rc)
        return rc;
    progress_start(&progress, app, app->in.args, app->in.n_args);
    o.jobs = app_jobs(app);
    o.progress = progress_step;
    o.progress_ctx = &progress;

    int64_t (*ticks_ms)(void) = app->env->ticks_ms;
    int64_t start_ms = ticks_ms ? ticks_ms() : UNKNOWN;
    struct ingest_results results = { 0 };
    for (size_t i = 0; !rc && i < app->in.n_args; i++)
        rc = ingest_path(app->store, app->in.args[i], &o, &app->arena, &results, e);
    progress_stop(&progress);
    if (rc)
        return rc;

    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    report(m, app, &results, ticks_ms ? ticks_ms() - start_ms : UNKNOWN);
    rc = app_finish(m, 0, e);
    return rc ? rc : ingest_failures(app, &results);
}
