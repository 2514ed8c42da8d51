/* planner/report/report_fleet.c - see report_fleet.h. */
#include "planner/report/report_fleet.h"

#include "models/core/timestamp.h"
#include "planner/check/plan_check.h"
#include "planner/report/emit_option.h"
#include "planner/report/plan_values.h"
#include "planner/report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- a plan to a line ------------------------------------------------------------------------- */

static const char *kept_text(const char *s, struct arena *a, bool *lost)
{
    const char *copy = s ? arena_strdup(a, s) : NULL;
    *lost |= s && !copy;
    return copy;
}

static struct fleet_group group_of(const struct plan_group *g, struct arena *a, bool *lost)
{
    const struct demand *d = &g->demand->demand;
    return (struct fleet_group){ .name = kept_text(g->group->name, a, lost),
                                 .role = g->group->role,
                                 .grade = d->grade,
                                 .total_mibps = d->total_mibps,
                                 .counted_iops = d->counted_iops,
                                 .lower_bound = g->lower_bound,
                                 .chosen = g->chosen.spec,
                                 .binding = g->chosen.binding,
                                 .total_microusd =
                                     g->chosen.spec.count ? g->chosen.total_microusd : UNKNOWN };
}

int fleet_line_of(const struct plan *p, const char *redo_refused, struct arena *a,
                  struct fleet_line *out, struct err *e)
{
    struct err why = { 0 };
    if (plan_check(p, &why))
        BUG(why.text);
    char words[PLAN_NONE_WORDS];
    bool none = p->status == PLAN_NONE, lost = false;
    const struct plan_instance *i = &p->instance;
    struct fleet_line l = { .system = kept_text(p->system, a, &lost),
                            .region = kept_text(p->region, a, &lost),
                            .redo_refused = kept_text(redo_refused, a, &lost),
                            .status = p->status,
                            .price_as_of_ms = p->price_as_of_ms,
                            .instance = i->type ? i->type->name : NULL,
                            .verdict = i->verdict,
                            .instance_ceiling = i->ceiling,
                            .instance_microusd = i->monthly_microusd,
                            .demand_mb_s = i->demand_mb_s,
                            .grade = i->lower_bound ? GRADE_CENSORED : i->grade,
                            .total_microusd = p->total_microusd,
                            .today_microusd = p->today_microusd,
                            .n_groups = p->n_groups };
    struct fleet_group *groups = arena_array(a, p->n_groups + 1, sizeof *groups);
    if (!groups)
        return err_nomem(e);
    for (size_t g = 0; g < p->n_groups; g++) {
        groups[g] = group_of(&p->groups[g], a, &lost);
        l.volumes += groups[g].chosen.count;
        l.lower_bound |= groups[g].lower_bound;
    }
    l.groups = groups;
    if (none) {
        l.none_group = kept_text(p->certificate.group, a, &lost);
        l.none_ceiling = p->certificate.ceiling;
        l.none_demand = p->certificate.demand;
        l.none_offered = p->certificate.offered;
        l.none_words = kept_text(plan_none_words(words, p), a, &lost);
    }
    if (lost)
        return err_nomem(e);
    *out = l;
    return 0;
}

/* --- totals ----------------------------------------------------------------------------------- */

struct totals {
    size_t planned, none, failed;
    size_t at_least; /* of the planned */
    int64_t volumes, total_microusd, instance_microusd;
    /* of the systems whose volumes of today have a price too */
    size_t with_today;
    int64_t their_total_microusd, today_microusd;
};

static void add_up(int64_t *sum, int64_t v)
{
    if (v != UNKNOWN && __builtin_add_overflow(*sum, v, sum))
        *sum = INT64_MAX;
}

static struct totals totals_of(const struct fleet *f)
{
    struct totals t = { 0 };
    for (size_t i = 0; i < f->n_lines; i++) {
        const struct fleet_line *l = &f->lines[i];
        if (l->why_not || l->status == PLAN_NONE) {
            t.failed += l->why_not != NULL;
            t.none += !l->why_not;
            continue;
        }
        t.planned++;
        t.at_least += l->lower_bound;
        add_up(&t.volumes, l->volumes);
        add_up(&t.total_microusd, l->total_microusd);
        add_up(&t.instance_microusd, l->instance_microusd);
        if (l->total_microusd == UNKNOWN || l->today_microusd == UNKNOWN)
            continue;
        t.with_today++;
        add_up(&t.their_total_microusd, l->total_microusd);
        add_up(&t.today_microusd, l->today_microusd);
    }
    return t;
}

/* --- in words --------------------------------------------------------------------------------- */

static void say_answer(struct emit *m, const struct fleet *f, const struct totals *t)
{
    char usd[48], saving[48], rest[160] = "", today[160] = "";
    if (t->with_today) {
        int64_t less = t->today_microusd - t->their_total_microusd;
        unit_format_usd(saving, less < 0 ? -less : less);
        snprintf(today, sizeof today, ", %s %s than the volumes of today", saving,
                 less < 0 ? "more" : "less");
        if (t->with_today < t->planned) {
            size_t at = strlen(today);
            snprintf(today + at, sizeof today - at, " of the %zu that have any", t->with_today);
        }
    }
    if (t->none)
        snprintf(rest, sizeof rest, "; for %zu nothing that is allowed carries the load", t->none);
    if (t->failed) {
        size_t at = strlen(rest);
        snprintf(rest + at, sizeof rest - at, "; %zu cannot be planned yet", t->failed);
    }
    emit_say(m, "%zu of %zu %s planned, for %s USD a month%s%s.", t->planned, f->n_lines,
             f->n_lines == 1 ? "system" : "systems", unit_format_usd(usd, t->total_microusd), today,
             rest);
    if (t->at_least == 1)
        emit_say(m,
                 "At least that: the peak of 1 system was at a ceiling of its volumes, so what it "
                 "needs may be more.");
    else if (t->at_least)
        emit_say(m,
                 "At least that: the peaks of %zu systems were at a ceiling of their volumes, so "
                 "what they need may be more.",
                 t->at_least);
    emit_say(m, "%s", "");
}

static const char *too_small_in(enum ceiling c)
{
    switch (c) {
    case CEILING_INSTANCE_IOPS:
        return "IOPS";
    case CEILING_ATTACHMENTS:
        return "attached volumes";
    case CEILING_EBS_CARD:
        return "one of its EBS cards";
    default:
        return "MB/s";
    }
}

static void cell_remark(struct emit *m, const struct fleet_line *l)
{
    if (l->why_not)
        emit_cell(m, "remark", "not planned: %s", l->why_not);
    else if (l->status == PLAN_NONE)
        emit_cell(m, "remark", "%s", l->none_words);
    else if (l->redo_refused)
        emit_cell(m, "remark", "who reads the redo cannot be told: %s", l->redo_refused);
    else if (l->verdict == INSTANCE_TOO_SMALL)
        emit_cell(m, "remark", "%sinstance too small, in %s", l->lower_bound ? "at least; " : "",
                  too_small_in(l->instance_ceiling));
    else if (l->lower_bound)
        emit_cell(m, "remark", "%s", "at least");
}

static void emit_cells(struct emit *m, const struct fleet_line *l)
{
    static const char *const unknown[] = { "host", "load", "plan", "today" };
    char mb_s[48], usd[48];
    for (size_t i = 0; l->why_not && i < sizeof unknown / sizeof *unknown; i++)
        emit_cell(m, unknown[i], "-");
    if (!l->why_not) {
        emit_cell(m, "host", "%s", l->instance ? l->instance : "-");
        emit_cell(m, "load", "%s %s", grade_glyph(l->grade), unit_format(mb_s, l->demand_mb_s, 0));
        emit_cell(m, "plan", "%s", unit_format_usd(usd, l->total_microusd));
        emit_cell(m, "today", "%s", unit_format_usd(usd, l->today_microusd));
    }
    cell_remark(m, l);
}

/* --- values ----------------------------------------------------------------------------------- */

static void emit_group(struct emit *m, const struct fleet_group *g)
{
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "name", g->name);
    emit_text(m, "role", group_role_name(g->role));
    emit_num(m, "total_mibps", UNIT_MIBPS, g->total_mibps);
    emit_num(m, "counted_iops", UNIT_IOPS, g->counted_iops);
    emit_text(m, "grade", grade_name(g->grade));
    emit_bool(m, "lower_bound", g->lower_bound);
    if (g->chosen.count) {
        emit_begin(m, "chosen", EMIT_OBJECT);
        emit_spec_values(m, &g->chosen);
        emit_text(m, "binding", ceiling_name(g->binding));
        emit_usd(m, "total_usd", g->total_microusd);
        emit_end(m);
    } else
        emit_null(m, "chosen");
    emit_end(m);
}

static void emit_groups(struct emit *m, const struct fleet_line *l)
{
    emit_begin(m, "groups", EMIT_LIST);
    for (size_t i = 0; i < l->n_groups; i++)
        emit_group(m, &l->groups[i]);
    emit_end(m);
}

static void emit_certificate(struct emit *m, const struct fleet_line *l)
{
    if (!l->none_group) {
        emit_null(m, "certificate");
        return;
    }
    emit_begin(m, "certificate", EMIT_OBJECT);
    emit_text(m, "group", l->none_group);
    emit_text(m, "ceiling", ceiling_name(l->none_ceiling));
    emit_num(m, "demand", UNIT_NONE, l->none_demand);
    emit_num(m, "offered", UNIT_NONE, l->none_offered);
    emit_end(m);
}

/* The same keys for every system, so that CSV has a heading for each. */
static void emit_line_values(struct emit *m, const struct fleet_line *l)
{
    bool planned = !l->why_not;
    emit_text(m, "system", l->system);
    emit_text(m, "status", planned ? plan_status_name(l->status) : NULL);
    emit_text(m, "why_not", l->why_not);
    emit_text(m, "redo_refused", l->redo_refused);
    emit_text(m, "region", l->region);
    emit_date(m, "price_as_of", planned ? l->price_as_of_ms : UNKNOWN);
    emit_begin(m, "instance", EMIT_OBJECT);
    emit_text(m, "type", l->instance);
    emit_text(m, "verdict", planned ? instance_verdict_name(l->verdict) : NULL);
    emit_text(m, "ceiling", l->instance ? ceiling_name(l->instance_ceiling) : NULL);
    emit_num(m, "demand_mb_s", UNIT_MB_S, planned ? l->demand_mb_s : NAN);
    emit_usd(m, "instance_usd", planned ? l->instance_microusd : UNKNOWN);
    emit_end(m);
    emit_text(m, "grade", planned ? grade_name(l->grade) : NULL);
    if (planned)
        emit_bool(m, "lower_bound", l->lower_bound);
    else
        emit_null(m, "lower_bound");
    emit_int(m, "volumes", UNIT_COUNT, planned && l->status != PLAN_NONE ? l->volumes : UNKNOWN);
    emit_usd(m, "total_usd", planned ? l->total_microusd : UNKNOWN);
    emit_usd(m, "today_usd", planned ? l->today_microusd : UNKNOWN);
    emit_certificate(m, l);
    emit_groups(m, l);
}

static void emit_line(struct emit *m, const struct fleet_line *l)
{
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_line_values(m, l);
    emit_cells(m, l);
    emit_end(m);
}

void fleet_line_emit(struct emit *m, const struct fleet_line *l)
{
    char digits[40];
    emit_line_values(m, l);
    emit_int(m, "total_microusd", UNIT_NONE, l->total_microusd);
    emit_int(m, "today_microusd", UNIT_NONE, l->today_microusd);
    emit_int(m, "instance_microusd", UNIT_NONE, l->instance_microusd);
    snprintf(digits, sizeof digits, "%.17g", l->demand_mb_s);
    emit_decimal(m, "exact_demand_mb_s", isnan(l->demand_mb_s) ? NULL : digits);
    emit_text(m, "none_words", l->none_words);
}

static void emit_totals(struct emit *m, const struct fleet *f, const struct totals *t)
{
    int64_t saving = t->with_today ? t->today_microusd - t->their_total_microusd : UNKNOWN;
    emit_begin(m, "totals", EMIT_OBJECT);
    emit_int(m, "systems", UNIT_COUNT, (int64_t)f->n_lines);
    emit_int(m, "planned", UNIT_COUNT, (int64_t)t->planned);
    emit_int(m, "none", UNIT_COUNT, (int64_t)t->none);
    emit_int(m, "not_planned", UNIT_COUNT, (int64_t)t->failed);
    emit_int(m, "lower_bound", UNIT_COUNT, (int64_t)t->at_least);
    emit_int(m, "volumes", UNIT_COUNT, t->volumes);
    emit_usd(m, "total_usd", t->total_microusd);
    emit_usd(m, "instance_usd", t->instance_microusd);
    emit_int(m, "systems_with_today", UNIT_COUNT, (int64_t)t->with_today);
    emit_usd(m, "today_usd", t->with_today ? t->today_microusd : UNKNOWN);
    emit_usd(m, "saving_usd", saving);
    emit_end(m);
}

void report_fleet(struct emit *m, const struct fleet *f)
{
    static const struct emit_col cols[] = {
        { "system", "system", true },   { "host", "instance", true },
        { "load", "MB/s", false },      { "volumes", "volumes", false },
        { "plan", "USD/month", false }, { "today", "USD today", false },
        { "remark", "", true },
    };
    struct totals t = totals_of(f);
    say_answer(m, f, &t);
    emit_date(m, "as_of", f->as_of_ms);
    emit_table(m, "systems", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < f->n_lines; i++)
        emit_line(m, &f->lines[i]);
    emit_end(m);
    emit_totals(m, f, &t);
    emit_say(m, "%s", "");
    emit_label(m, "next", "volplan plan --system NAME    volplan plan --all --csv");
}
