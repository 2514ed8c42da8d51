/* cli/cmd/cmd_reconcile.c - volplan reconcile: what a bill should have been, and what was needed.
 *
 * The files are read once and nothing of them is kept but sums: lines go from their parser to
 * bill_sums as they come.  The store is asked for what was measured when there is one. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/bill_answer.h"
#include "cli/cmd/ingest_args.h"
#include "models/core/timestamp.h"
#include "planner/report/report_reconcile.h"

#include <string.h>
#include <unistd.h>

/* --- the bill --------------------------------------------------------------------------------- */

struct reading {
    struct bill_sums *sums;
    struct arena *arena;
};

static int take_line(void *ctx, const struct bill_line *l, struct err *e)
{
    struct reading *r = ctx;
    return bill_sums_add(r->sums, l, r->arena, e);
}

static bool is_bill(const char *format)
{
    static const char *const bills[] = { "cur", "cur2", "focus", "cost_explorer" };
    for (size_t i = 0; i < sizeof bills / sizeof *bills; i++)
        if (format && strcmp(format, bills[i]) == 0)
            return true;
    return false;
}

static int check_results(const struct app *app, const struct ingest_results *results, struct err *e)
{
    for (size_t i = 0; i < results->n; i++) {
        const struct ingest_result *f = &results->item[i];
        if (f->status == INGEST_FAILED)
            return err_set(e, f->code, "%s", f->error);
        if (!is_bill(f->format))
            return err_set(e, ERR_PARSE,
                           "%.150s: %s, no bill: a cost and usage report (legacy or "
                           "2.0) or a FOCUS export is wanted",
                           f->path, f->format ? f->format : "of no known format");
        for (size_t w = 0; w < f->n_warnings && w < 5; w++)
            app_note(app, "%s:%lld: %s", f->path, (long long)f->warnings[w].line,
                     f->warnings[w].text);
        if (f->n_warnings > 5)
            app_note(app, "%s: %zu more warnings: volplan inspect", f->path, f->n_warnings - 5);
    }
    return 0;
}

static int read_bills(struct app *app, struct bill_sums *sums, struct err *e)
{
    struct reading reading = { sums, &app->arena };
    struct sink tap = { .ctx = &reading, .bill_line = take_line };
    struct ingest_files_options o;
    struct ingest_results results = { 0 };
    int rc = ingest_args(app, &o, e);
    o.tap = &tap;
    for (size_t i = 0; i < app->in.n_uses && !rc; i++)
        if (app->in.uses[i].id == OPT_BILL)
            rc = ingest_path(NULL, app->in.uses[i].value.text, &o, &app->arena, &results, e);
    for (size_t i = 0; i < app->in.n_args && !rc; i++)
        rc = ingest_path(NULL, app->in.args[i], &o, &app->arena, &results, e);
    return rc ? rc : check_results(app, &results, e);
}

static int read_month(struct app *app, int64_t *out_ms, struct err *e)
{
    const char *text = app_text(app, OPT_MONTH);
    *out_ms = UNKNOWN;
    if (!text)
        return 0;
    char day[11] = "YYYY-MM-01";
    if (strlen(text) == 7) {
        memcpy(day, text, 7);
        struct span s = span_of(day);
        if (!time_parse_date(&s, out_ms) && !s.len)
            return 0;
    }
    return err_set(e, ERR_USAGE, "--month: '%.80s' is no month: write YYYY-MM", text);
}

/* --- what was measured ------------------------------------------------------------------------ */

/* More than these are not all held in memory at once. */
enum { SYSTEMS_MAX = 32 };

static int read_systems(struct app *app, const char *const *names, size_t n,
                        const struct system_input **out, struct err *e)
{
    struct system_input *in = arena_array(&app->arena, n, sizeof *in);
    if (!in)
        return err_nomem(e);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = system_input_of(app->store, names[i], false, &app->arena, &in[i], e);
    *out = in;
    return rc;
}

/* The system that was named, else all of the store; none where there is no store. */
static int read_measured(struct app *app, const struct system_input **out, size_t *out_n,
                         struct err *e)
{
    const char *given = app_text(app, OPT_SYSTEM), *const *names = &given;
    size_t n = 1;
    if (!given && access(app->db, F_OK) != 0 && !app_value(app, OPT_DB)->given)
        return 0;
    int rc = app_store_open(app, STORE_READ, e);
    if (!rc && !given)
        rc = store_systems(app->store, &app->arena, &names, &n, e);
    if (!rc && n > SYSTEMS_MAX) {
        app_note(app, "%zu systems in the store: --system says which the bill's volumes are of", n);
        return 0;
    }
    if (!rc)
        rc = read_systems(app, names, n, out, e);
    *out_n = n;
    return rc;
}

int cmd_reconcile(struct app *app, struct err *e)
{
    struct bill_sums sums;
    struct bill_answer answer;
    const struct system_input *systems = NULL;
    size_t n_systems = 0;
    if (!app_flag(app, OPT_BILL))
        return err_set(e, ERR_USAGE, "which bill? --bill FILE");
    bill_sums_init(&sums, app->catalogue, app->region);
    sums.account = app_text(app, OPT_ACCOUNT);
    int rc = read_month(app, &sums.month_ms, e);
    if (!rc)
        rc = read_bills(app, &sums, e);
    if (!rc)
        rc = read_measured(app, &systems, &n_systems, e);
    if (!rc)
        rc = bill_answer(app, &sums, systems, n_systems, &answer, e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    report_reconcile(m, &answer.reconciled, &answer.waste, &answer.standbys);
    return app_finish(m, answer.reconciled.answer_is_no ? ERR_NO : 0, e);
}
