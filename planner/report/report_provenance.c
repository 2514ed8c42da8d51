/* planner/report/report_provenance.c - see report_provenance.h. */
#include "planner/report/report_provenance.h"

#include "models/core/timestamp.h"
#include "models/ebs/vol_price.h"
#include "models/ebs/vol_rule.h"
#include "planner/whatif/redo_path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct figure {
    const char *what, *of; /* "peak load", "REDO1"; of NULL = the host */
    double value;
    const char *unit;
    const char *file;
    int64_t line; /* UNKNOWN */
    const char *rule;
    int64_t date_ms;
    bool day; /* a day, not an instant */
};

static void emit_figure(struct emit *m, const struct figure *f)
{
    char what[200];
    snprintf(what, sizeof what, "%.120s%s%s", f->of ? f->of : "", f->of ? ": " : "", f->what);
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "what", what);
    emit_num(m, "value", UNIT_NONE, f->value);
    emit_text(m, "unit", f->unit);
    emit_text(m, "file", f->file);
    emit_int(m, "line", UNIT_NONE, f->line);
    emit_text(m, "rule", f->rule);
    if (f->day)
        emit_date(m, "date", f->date_ms);
    else
        emit_time(m, "date", f->date_ms);
    emit_end(m);
}

/* --- what was measured -------------------------------------------------------------------------
 */

static void emit_peak(struct emit *m, const struct group_demand *g)
{
    char rule[200];
    const struct demand *d = &g->demand;
    if (d->grade == GRADE_NONE)
        return;
    if (isnan(g->peak_factor))
        snprintf(rule, sizeof rule, "highest sum of %zu series in an interval of %.0f s; %s",
                 g->n_members, g->profile.interval_s, grade_name(d->grade));
    else
        snprintf(rule, sizeof rule, "average times an assumed factor of %.3g; %s", g->peak_factor,
                 grade_name(d->grade));
    struct figure f = { .of = g->group->name,
                        .what = "peak load",
                        .value = d->total_mibps,
                        .unit = "MiB/s",
                        .file = g->peak_file,
                        .line = g->peak_line,
                        .rule = rule,
                        .date_ms = d->time_of_max_ms };
    emit_figure(m, &f);
    f.what = "requests at its peak, as EBS counts them";
    f.value = d->counted_iops;
    f.unit = "IOPS";
    emit_figure(m, &f);
}

/* The report whose redo it is. */
static const struct awr_snapshot *redo_report(const struct plan *p)
{
    const struct system_load *l = p->demand->load;
    for (size_t i = 0; i < l->n_snapshots; i++)
        if (l->snapshots[i]->begin_ms == p->redo->begin_ms)
            return l->snapshots[i];
    return NULL;
}

/* Its row of a file type; UNKNOWN. */
static int64_t filetype_line(const struct awr_snapshot *s, const char *name)
{
    for (size_t i = 0; i < s->n_filetypes; i++)
        if (strcmp(s->filetypes[i].name, name) == 0 && s->filetypes[i].line > 0)
            return s->filetypes[i].line;
    return UNKNOWN;
}

/* Copies of the redo are told as what they are read at. */
static void emit_redo(struct emit *m, const struct plan *p)
{
    const struct awr_snapshot *s = p->redo && p->redo->known ? redo_report(p) : NULL;
    if (!s)
        return;
    const struct redo_calibration *c = &p->redo->calibration;
    const struct {
        const char *what, *filetype, *by_iostat, *by_statistics;
        double copies;
    } rows[] = {
        { "redo written to each log member, on average", "Log File", "IOStat by Filetype",
          "statistics `redo KB read`", 1 },
        { "redo that standbys read from online logs, on average", "Log File",
          "reads of log files less those of the archiver and of others; IOStat by Filetype",
          "statistics `redo KB read`", c->copies.online },
        { "redo that standbys read from archived logs, on average", "Archive Log",
          "reads of archived logs less those of others; IOStat by Filetype",
          "statistics `redo KB read`", c->copies.archived },
    };
    bool by_iostat = c->source == REDO_SOURCE_IOSTAT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        emit_figure(m, &(struct figure){
                           .what = rows[i].what,
                           .value = rows[i].copies * c->redo_mibps,
                           .unit = "MiB/s",
                           .file = system_load_path(p->demand->load, s->file_id),
                           .line = by_iostat ? filetype_line(s, rows[i].filetype) : UNKNOWN,
                           .rule = by_iostat ? rows[i].by_iostat : rows[i].by_statistics,
                           .date_ms = p->redo->begin_ms });
}

/* What the instance is judged by. */
static void emit_host_peak(struct emit *m, const struct plan *p)
{
    char rule[120];
    const struct demand *d = &p->demand->demand;
    if (!p->instance.type || d->grade == GRADE_NONE)
        return;
    snprintf(rule, sizeof rule, "highest sum of all groups at one instant; %s",
             grade_name(d->grade));
    emit_figure(m, &(struct figure){ .what = "peak of all groups together",
                                     .value = p->instance.demand_mb_s,
                                     .unit = "MB/s",
                                     .line = UNKNOWN,
                                     .rule = rule,
                                     .date_ms = d->time_of_max_ms });
}

/* --- rules -------------------------------------------------------------------------------------
 */

/* "io2 before Block Express: docs/ebs/..., read 2026-11-30" */
static const char *sourced(struct arena *a, const char *name, const char *source, int64_t as_of_ms)
{
    char day[32];
    return arena_printf(a, "%s%s%s, read %s", name, *name ? ": " : "",
                        source ? source : "no source", time_format_date(day, as_of_ms));
}

static int emit_rule_figure(struct emit *m, struct figure f, const struct vol_rule *r,
                            struct arena *a, struct err *e)
{
    if (!r || isnan(f.value))
        return 0;
    f.rule = sourced(a, r->rule_pack, r->source, r->as_of_ms);
    if (!f.rule)
        return err_nomem(e);
    f.line = UNKNOWN;
    f.day = true;
    emit_figure(m, &f);
    return 0;
}

/* Today's ceiling at the peak, of volumes of one kind; and that of the plan. */
static int emit_ceilings(struct emit *m, const struct plan *p, size_t i, struct arena *a,
                         struct err *e)
{
    const struct plan_group *g = &p->groups[i];
    const struct catalogue *c = p->options_used.catalogue;
    const char *host = p->demand->layout->instance_type;
    const struct layout_volumes *v = g->group->volumes;
    int64_t at_ms = g->demand->demand.time_of_max_ms;
    int rc = 0;
    if (layout_volumes_alike(g->group) && g->group->n_volumes && at_ms != UNKNOWN)
        rc = emit_rule_figure(m,
                              (struct figure){ .of = g->group->name,
                                               .what = "ceiling of today's volumes at the peak",
                                               .value = g->demand->ceiling.max_throughput_mibps,
                                               .unit = "MiB/s",
                                               .date_ms = at_ms },
                              vol_rule_at(c, v->spec.type, at_ms, host, v->since_ms), a, e);
    if (!rc && g->chosen.spec.count && g->chosen.spec.type < VOL_TYPE_COUNT)
        rc =
            emit_rule_figure(m,
                             (struct figure){ .of = g->group->name,
                                              .what = "ceiling of the planned volumes",
                                              .value = g->chosen.group_max_throughput_mibps,
                                              .unit = "MiB/s",
                                              .date_ms = p->as_of_ms },
                             vol_rule_at(c, g->chosen.spec.type, p->as_of_ms, host, UNKNOWN), a, e);
    return rc;
}

static int emit_caps(struct emit *m, const struct plan *p, struct arena *a, struct err *e)
{
    const struct plan_instance *i = &p->instance;
    if (!i->type)
        return 0;
    const char *rule = sourced(a, i->type->name, i->type->source, i->type->as_of_ms);
    if (!rule)
        return err_nomem(e);
    struct figure f = { .what = "what the instance passes for long",
                        .value = i->caps.baseline_mb_s,
                        .unit = "MB/s",
                        .line = UNKNOWN,
                        .rule = rule,
                        .date_ms = i->type->as_of_ms,
                        .day = true };
    emit_figure(m, &f);
    f.value = i->caps.baseline_iops;
    f.unit = "IOPS";
    emit_figure(m, &f);
    return 0;
}

/* --- prices ------------------------------------------------------------------------------------
 */

/* Bits 1 << type: of the planned volumes and today's. */
static unsigned types_of(const struct plan *p)
{
    unsigned types = 0;
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct plan_group *g = &p->groups[i];
        if (g->chosen.spec.count && g->chosen.spec.type < VOL_TYPE_COUNT)
            types |= 1u << g->chosen.spec.type;
        for (size_t k = 0; k < g->group->n_volumes; k++)
            types |= 1u << g->group->volumes[k].spec.type;
    }
    return types;
}

static int emit_prices_of(struct emit *m, const struct plan *p, enum volume_type type,
                          struct arena *a, struct err *e)
{
    static const char *const units[PRICE_COMPONENT_COUNT] = {
        [PRICE_STORAGE] = "USD a GiB-month",
        [PRICE_IOPS] = "USD an IOPS-month",
        [PRICE_THROUGHPUT] = "USD a MiB/s-month",
        [PRICE_REQUESTS] = "USD a request",
    };
    const struct catalogue *c = p->options_used.catalogue;
    for (size_t i = 0; i < c->n_prices; i++) {
        const struct price *row = &c->prices[i];
        if (row->type != type || strcmp(row->region, p->region) != 0 ||
            row->as_of_ms != p->price_as_of_ms)
            continue;
        char what[120], above[48] = "", from[48];
        if (row->tier_from > 0)
            snprintf(above, sizeof above, ", above %s",
                     unit_format(from, (double)row->tier_from, 0));
        snprintf(what, sizeof what, "price of %s in %s%s", volume_type_name(type), row->region,
                 above);
        struct figure f = { .what = what,
                            .value = (double)row->picousd / 1e12,
                            .unit = units[row->component],
                            .line = UNKNOWN,
                            .rule = sourced(a, "", row->source, row->as_of_ms),
                            .date_ms = row->as_of_ms,
                            .day = true };
        if (!f.rule)
            return err_nomem(e);
        emit_figure(m, &f);
    }
    return 0;
}

static void emit_totals(struct emit *m, const struct plan *p)
{
    struct figure f = { .what = "the planned volumes",
                        .unit = "USD a month",
                        .line = UNKNOWN,
                        .rule =
                            "sum over groups; each volume by the prices below, a month of 730 h",
                        .date_ms = p->price_as_of_ms,
                        .day = true };
    f.value = p->total_microusd == UNKNOWN ? NAN : (double)p->total_microusd / 1e6;
    emit_figure(m, &f);
    f.what = "today's volumes";
    f.value = p->today_microusd == UNKNOWN ? NAN : (double)p->today_microusd / 1e6;
    emit_figure(m, &f);
}

/* --- the bill ----------------------------------------------------------------------------------
 */

static void emit_bill(struct emit *m, const struct plan *p, const struct reconciliation *r)
{
    char rule[96];
    const struct system_load *l = p->demand->load;
    const char *file = NULL;
    for (size_t i = 0; i < l->n_files && !file; i++) {
        const char *format = l->file_formats[i];
        if (strcmp(format, "cur") == 0 || strcmp(format, "cur2") == 0 ||
            strcmp(format, "focus") == 0 || strcmp(format, "cost_explorer") == 0)
            file = l->file_paths[i];
    }
    snprintf(rule, sizeof rule, "sum of %lld lines", (long long)r->sums->n_lines);
    struct figure f = { .what = "billed for EBS",
                        .value = money_double(r->billed),
                        .unit = r->sums->currency,
                        .file = file,
                        .line = UNKNOWN,
                        .rule = rule,
                        .date_ms = r->first_month_ms,
                        .day = true };
    emit_figure(m, &f);
}

/* --- all of it ---------------------------------------------------------------------------------
 */

static int emit_all(struct emit *m, const struct plan *p, const struct reconciliation *bill,
                    struct arena *a, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < p->n_groups && !rc; i++) {
        emit_peak(m, p->groups[i].demand);
        rc = emit_ceilings(m, p, i, a, e);
    }
    emit_redo(m, p);
    emit_host_peak(m, p);
    if (!rc)
        rc = emit_caps(m, p, a, e);
    emit_totals(m, p);
    for (int type = 0; type < VOL_TYPE_COUNT && !rc; type++)
        if (types_of(p) & 1u << type)
            rc = emit_prices_of(m, p, (enum volume_type)type, a, e);
    if (bill)
        emit_bill(m, p, bill);
    return rc;
}

int report_provenance(struct emit *m, const struct plan *p, const struct reconciliation *bill,
                      struct err *e)
{
    struct arena scratch = { 0 };
    emit_begin(m, "provenance", EMIT_LIST);
    int rc = emit_all(m, p, bill, &scratch, e);
    emit_end(m);
    arena_release(&scratch);
    return rc;
}
