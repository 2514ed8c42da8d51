/* cli/report/report_data.c - see report_data.h. */
#include "cli/report/report_data.h"

#include "cli/command_line.h"
#include "planner/report/report.h"
#include "planner/report/report_change_answer.h"
#include "planner/report/report_diagnose.h"
#include "planner/report/report_provenance.h"
#include "planner/report/report_reconcile.h"
#include "planner/report/report_redo.h"
#include "planner/report/report_series.h"

/* --- making it ---------------------------------------------------------------------------------
 */

static void lacks(struct report_data *d, const char *part, const char *text)
{
    if (d->n_missing == REPORT_PARTS)
        BUG("more parts are missing than there are");
    d->missing[d->n_missing++] = (struct report_missing){ part, text };
}

/* Who reads the redo now: a what-if without a change. */
static int make_redo(struct app *app, struct report_data *d, struct err *e)
{
    const struct redo_path *path = &d->plan.path;
    d->redo_options = (struct whatif_options){ .plan = d->in.options,
                                               .network_efficiency = REDO_NETWORK_EFFICIENCY };
    d->redo_options.plan.instance_type = NULL;
    d->redo_options.plan.instance_auto = false;
    d->redo_options.plan.figures_only = true;
    if (path->refused) {
        const char *why = arena_printf(&app->arena,
                                       "%s; give what else reads the logs (RMAN, LogMiner) and the "
                                       "standbys in the layout",
                                       path->refused);
        if (!why)
            return err_nomem(e);
        lacks(d, "redo", why);
        return 0;
    }
    if (!path->known) {
        lacks(d, "redo",
              "no report tells how much redo is written: volplan ingest an AWR or Statspack report "
              "of the same time");
        return 0;
    }
    d->has_redo = true;
    return whatif_build(&d->in.demand, path, NULL, 0, &d->redo_options, &app->arena, &d->redo, e);
}

static int make_change(struct app *app, struct report_data *d, struct err *e)
{
    struct arena *a = &app->arena;
    struct err own = { 0 };
    if (d->plan.plan.status == PLAN_NONE) {
        lacks(d, "change",
              "there is no plan, so there is no way to it: the plan says what it lacks");
        return 0;
    }
    int rc = change_input_of_plan(app, &d->in, &d->plan.plan, &d->change_input, e);
    if (rc)
        return rc;
    rc = change_build(&d->in.demand, &d->change_input.options, a, &d->change, &own);
    if (rc == ERR_USAGE) { /* today's volumes are not known */
        const char *why = arena_strdup(a, own.text);
        if (!why)
            return err_nomem(e);
        lacks(d, "change", why);
        return 0;
    }
    d->change_told = (struct change_told){ .change = &d->change,
                                           .shown = d->change.n_ways ? &d->change.ways[0] : NULL };
    d->has_change = true;
    return rc ? err_set(e, rc, "%s", own.text) : 0;
}

struct bill_reading {
    struct bill_sums *sums;
    struct arena *arena;
};

static int add_bill_line(void *ctx, int64_t file_id, const struct bill_line *l, struct err *e)
{
    struct bill_reading *r = ctx;
    (void)file_id;
    return bill_sums_add(r->sums, l, r->arena, e);
}

/* The bill lines that were ingested with the system. */
static int make_bill(struct app *app, struct report_data *d, struct err *e)
{
    struct bill_reading reading = { &d->bill_sums, &app->arena };
    bill_sums_init(&d->bill_sums, app->catalogue, app->region);
    int rc = store_bill_lines(app->store, d->in.system.load.system, add_bill_line, &reading, e);
    if (rc)
        return err_prefix(e, "the bill that was ingested");
    d->has_bill = d->bill_sums.n > 0;
    if (!d->has_bill) {
        lacks(d, "bill",
              "no bill was loaded: volplan ingest a cost and usage report or a FOCUS export with "
              "the same --system");
        return 0;
    }
    return bill_answer(app, &d->bill_sums, &d->in.system, 1, &d->bill, e);
}

int report_data_charts(struct app *app, const struct system_demand *d, const struct plan *p,
                       struct charts *out, struct err *e)
{
    struct charts_question q = { .demand = d, .catalogue = app->catalogue, .plan = p };
    int rc = app_instance(app, d->layout->instance_type, &q.today, e);
    return rc ? rc : charts_build(&q, &app->arena, out, e);
}

/* What the plan comes to, the worst finding where that is one sentence, and the way there. */
static int make_verdict(struct app *app, struct report_data *d, struct err *e)
{
    struct emit_words *w = &d->verdict;
    int rc = 0;
    emit_words_init(w, &app->arena);
    say_plan_answer(&w->emit, &d->plan.plan);
    if (w->n < 2)
        say_diagnosis_answer(&w->emit, &d->diagnosis);
    if (d->has_change)
        rc = say_change_answer(&w->emit, &d->change_told, &app->arena, e);
    return rc ? rc : emit_close(&w->emit, e);
}

int report_data_build(struct app *app, struct report_data *d, struct err *e)
{
    struct arena *a = &app->arena;
    int rc = plan_input_of_report(app, &d->in, e);
    if (rc)
        return rc;
    d->command = command_line_of(&app->in, d->in.system.load.system, a);
    if (!d->command)
        return err_nomem(e);
    rc = plan_answer(app, &d->in, NULL, 0, &d->plan, e);
    if (!rc)
        rc = peaks_of_demand(d->in.sources, d->in.n_sources, &d->in.demand, PEAKS_BY_GROUP, NULL, a,
                             &d->peaks, e);
    if (!rc)
        rc = diagnosis_of(app, &d->in.system, &d->in.demand, NULL, 0, &d->diagnosis, e);
    if (!rc)
        rc = make_redo(app, d, e);
    if (!rc)
        rc = make_change(app, d, e);
    if (!rc)
        rc = make_bill(app, d, e);
    if (!rc)
        rc = report_data_charts(app, &d->in.demand, &d->plan.plan, &d->charts, e);
    if (!rc && d->charts.from_ms == UNKNOWN)
        lacks(d, "series",
              "nothing was measured over time: volplan ingest iostat, sar, nmon or CloudWatch with "
              "the same --system");
    return rc ? rc : make_verdict(app, d, e);
}

/* --- telling it --------------------------------------------------------------------------------
 */

static void emit_head(struct app *app, const struct report_data *d, struct emit *m)
{
    const struct plan *p = &d->plan.plan;
    emit_begin(m, "report", EMIT_OBJECT);
    emit_text(m, "system", p->system);
    emit_text(m, "host_type", d->in.demand.layout->instance_type);
    emit_text(m, "version", volplan_version);
    emit_date(m, "as_of", p->as_of_ms);
    emit_text(m, "region", p->region);
    emit_time(m, "from", d->charts.from_ms);
    emit_time(m, "to", d->charts.to_ms);
    emit_date(m, "made", app->today_ms);
    emit_text(m, "command", d->command);
    emit_bool(m, "live", false);
    emit_end(m);
}

static void emit_redo_part(struct emit *m, const struct report_data *d)
{
    if (!d->has_redo) {
        emit_null(m, "redo");
        return;
    }
    emit_begin(m, "redo", EMIT_OBJECT);
    report_redo(m, &d->redo);
    emit_end(m);
}

static int emit_change_part(struct app *app, struct emit *m, const struct report_data *d,
                            struct err *e)
{
    if (!d->has_change) {
        emit_null(m, "change");
        return 0;
    }
    emit_begin(m, "change", EMIT_OBJECT);
    int rc = report_change(m, &d->change_told, &app->arena, e);
    emit_end(m);
    return rc;
}

static void emit_bill_part(struct emit *m, const struct report_data *d)
{
    if (!d->has_bill) {
        emit_null(m, "bill");
        return;
    }
    emit_begin(m, "bill", EMIT_OBJECT);
    report_reconcile(m, &d->bill.reconciled, &d->bill.waste, &d->bill.standbys);
    emit_end(m);
}

static void emit_missing(struct emit *m, const struct report_data *d)
{
    emit_begin(m, "missing", EMIT_LIST);
    for (size_t i = 0; i < d->n_missing; i++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "part", d->missing[i].part);
        emit_text(m, "text", d->missing[i].text);
        emit_end(m);
    }
    emit_end(m);
}

int report_data_emit(struct app *app, const struct report_data *d, struct emit *m, struct err *e)
{
    emit_head(app, d, m);
    emit_words_list(m, "verdict", &d->verdict);
    emit_begin(m, "plan", EMIT_OBJECT);
    emit_plan_verdict(m, &d->plan.plan, &app->arena);
    report_plan(m, &d->plan.plan);
    emit_end(m);
    emit_begin(m, "peaks", EMIT_OBJECT);
    report_peaks(m, &d->peaks);
    emit_end(m);
    emit_redo_part(m, d);
    emit_begin(m, "diagnose", EMIT_OBJECT);
    report_diagnose(m, &d->diagnosis);
    emit_end(m);
    int rc = emit_change_part(app, m, d, e);
    if (rc)
        return rc;
    emit_bill_part(m, d);
    emit_missing(m, d);
    rc = report_provenance(m, &d->plan.plan, d->has_bill ? &d->bill.reconciled : NULL, e);
    if (rc)
        return rc;
    if (d->charts.from_ms == UNKNOWN) {
        emit_null(m, "series");
        return 0;
    }
    emit_begin(m, "series", EMIT_OBJECT);
    rc = report_series(m, &d->charts, e);
    emit_end(m);
    return rc;
}
