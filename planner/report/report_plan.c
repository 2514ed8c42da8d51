/* planner/report/report_plan.c - what is said of a plan. */
#include "planner/report/peaks_values.h"
#include "planner/report/plan_notes.h"
#include "planner/report/report.h"

#include "models/core/emit_words.h"
#include "models/core/timestamp.h"
#include "planner/check/plan_check.h"
#include "planner/report/emit_option.h"
#include "planner/report/emit_others.h"
#include "planner/report/load_chart.h"
#include "planner/report/plan_values.h"
#include "planner/report/report_phases.h"
#include "planner/report/report_plan_host.h"
#include "planner/report/report_plan_replay.h"
#include "planner/report/report_whatif_redo.h"

#include <math.h>
#include <stdio.h>

/* --- the answer ------------------------------------------------------------------------------- */

/* The group that spends most time at a ceiling of its volumes; NULL when none does. */
static const struct plan_group *worst_group(const struct plan *p)
{
    const struct plan_group *worst = NULL;
    unsigned of_volumes = POINT_CENSORED_THROUGHPUT | POINT_CENSORED_IOPS;
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct plan_group *g = &p->groups[i];
        if (g->demand->censored_by & of_volumes &&
            (!worst || g->demand->ceiling_seconds > worst->demand->ceiling_seconds))
            worst = g;
    }
    return worst;
}

/* The group whose choice of volumes costs most; NULL when all are kept. */
static const struct plan_group *dearest_group(const struct plan *p)
{
    const struct plan_group *dearest = NULL;
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct plan_group *g = &p->groups[i];
        if (!g->kept && (!dearest || g->chosen.total_microusd > dearest->chosen.total_microusd))
            dearest = g;
    }
    return dearest;
}

static const char *carry(const struct volume_spec *v)
{
    return v->count == 1 ? "carries" : "carry";
}

/* What stands in the way where no figure does. */
static const char *obstacle(enum ceiling c)
{
    switch (c) {
    case CEILING_LAUNCH:
        return "the allowed types did not exist on that day";
    case CEILING_LATENCY:
        return "no allowed type has the latency class that its policy asks for";
    case CEILING_DURABILITY:
        return "no allowed type has the durability that its policy asks for";
    case CEILING_PRICE:
        return "the allowed types have no price in the region";
    default:
        return "no type is allowed";
    }
}

/* With the digits that its ceiling is told in. */
static char *figure_words(char buf[48], enum ceiling c, double v)
{
    if (c == CEILING_DURABILITY)
        snprintf(buf, 48, "%.6g %%", v);
    else if (c == CEILING_EBS_CARD)
        snprintf(buf, 48, "%.1f %% of one", v * 100);
    else
        rate_words(buf, v);
    return buf;
}

char *plan_none_words(char buf[PLAN_NONE_WORDS], const struct plan *p)
{
    char demand[48], offered[48], spec[96];
    figure_words(demand, p->certificate.ceiling, p->certificate.demand);
    figure_words(offered, p->certificate.ceiling, p->certificate.offered);
    if (p->instance.automatic && !p->instance.type && !isnan(p->certificate.demand))
        snprintf(buf, PLAN_NONE_WORDS,
                 "no instance type carries it; the nearest lacks %s: needed %s, offered %s",
                 ceiling_name(p->certificate.ceiling), demand, offered);
    else if (isnan(p->certificate.demand))
        snprintf(buf, PLAN_NONE_WORDS, "nothing that is allowed carries %.150s: %s",
                 p->certificate.group, obstacle(p->certificate.ceiling));
    else if (p->certificate.nearest.count)
        snprintf(buf, PLAN_NONE_WORDS,
                 "nothing that is allowed carries %.150s; the nearest, %s, lacks %s: needed %s, "
                 "offered %s",
                 p->certificate.group, volume_spec_format(spec, &p->certificate.nearest),
                 ceiling_name(p->certificate.ceiling), demand, offered);
    else
        snprintf(buf, PLAN_NONE_WORDS,
                 "nothing that is allowed carries %.150s: %s, needed %s, offered %s at most",
                 p->certificate.group, ceiling_name(p->certificate.ceiling), demand, offered);
    return buf;
}

static void say_censored(struct emit *m, const struct plan *p, const struct plan_group *g)
{
    char minutes[48], of[48], spec[96], mibps[48], usd[48], step[300] = "";
    const struct group_demand *d = g->demand;
    if (g->n_steps_up) {
        const struct plan_step *s = &g->steps_up[0];
        char step_spec[96], step_mibps[48], step_usd[48];
        snprintf(step, sizeof step, "; %s %s %s for %s",
                 volume_spec_format(step_spec, &s->option.spec), carry(&s->option.spec),
                 rate_words(step_mibps, s->carries_mibps),
                 unit_format_usd(step_usd, s->option.total_microusd));
    }
    emit_say(m,
             "%s%s%s: %s is at its %s ceiling in %s of %s minutes; %s %s the %s MiB/s that are "
             "certain, headroom included,%s for %s USD a month%s.",
             p->system, p->instance.type ? " on " : "",
             p->instance.type ? p->instance.type->name : "", g->group->name,
             d->censored_by & POINT_CENSORED_THROUGHPUT ? "throughput" : "IOPS",
             unit_format(minutes, d->ceiling_seconds / 60, 0),
             unit_format(of, d->profile.covered_s / 60, 0),
             volume_spec_format(spec, &g->chosen.spec), carry(&g->chosen.spec),
             rate_words(mibps, g->size.need_throughput_mibps),
             !g->chosen.by_replay ? ""
             : g->chosen.bursts   ? " by bursts,"
                                  : " but for what may wait,",
             unit_format_usd(usd, g->chosen.total_microusd), step);
}

/* How many groups the plan can be said to carry, and why not the others. */
struct tally {
    size_t carried, unmeasured, too_small;
    bool assumed; /* a peak was */
};

static struct tally tally_of(const struct plan *p)
{
    struct tally t = { 0 };
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct plan_group *g = &p->groups[i];
        bool measured = g->demand->demand.grade != GRADE_NONE;
        bool too_small = measured && g->kept && !g->today.carries;
        t.unmeasured += !measured;
        t.too_small += too_small;
        t.carried += measured && !too_small;
        t.assumed |= g->demand->demand.grade == GRADE_ASSUMED;
    }
    return t;
}

/* "3 of 5 groups are carried at their peaks with 20 % headroom, 2 have no known peak; 81.00 USD a
 * month" */
static void say_carried(struct emit *m, const struct plan *p)
{
    char usd[48], today[48], pct[48], at[SIZED_AT_WORDS], of[32] = "", small[64] = "",
                                                          unmeasured[64] = "";
    struct tally t = tally_of(p);
    bool host_too_small = p->instance.verdict == INSTANCE_TOO_SMALL;
    bool one = p->n_groups == 1;
    unit_format_usd(usd, p->total_microusd);
    unit_format_usd(today, p->today_microusd);
    if (t.unmeasured == p->n_groups) {
        emit_say(m,
                 "%s: no peak is known: sized for what its groups hold, or kept, for %s USD a "
                 "month (today %s).",
                 p->system, usd, today);
        return;
    }
    if (t.carried < p->n_groups)
        snprintf(of, sizeof of, " of %zu", p->n_groups);
    if (t.too_small)
        snprintf(small, sizeof small, ", %zu %s kept though too small", t.too_small,
                 t.too_small == 1 ? "is" : "are");
    if (t.unmeasured)
        snprintf(unmeasured, sizeof unmeasured, ", %zu %s no known peak", t.unmeasured,
                 t.unmeasured == 1 ? "has" : "have");
    emit_say(m,
             "%s%s%s: %zu%s %s carried at %s%s with %s %% headroom%s%s; %s USD a month (today %s).",
             p->system,
             host_too_small     ? "'s volumes"
             : p->instance.type ? " on "
                                : "",
             p->instance.type && !host_too_small ? p->instance.type->name : "", t.carried, of,
             one ? "group is" : "groups are", sized_at_words(at, &p->options_used, one),
             t.assumed ? ", assumed from averages," : "", rate_words(pct, p->headroom_pct), small,
             unmeasured, usd, today);
}

void say_plan_answer(struct emit *m, const struct plan *p)
{
    const struct plan_group *worst = worst_group(p);
    bool too_small = p->instance.verdict == INSTANCE_TOO_SMALL;
    char none[PLAN_NONE_WORDS];
    if (p->status == PLAN_NONE) {
        emit_say(m, "%s: %s.", p->system, plan_none_words(none, p));
        return;
    }
    if (worst)
        say_censored(m, p, worst);
    if (too_small)
        say_plan_too_small(m, p, worst != NULL);
    if (!worst)
        say_carried(m, p);
    if (p->instance.automatic && p->total_microusd != UNKNOWN)
        say_plan_chosen(m, p);
}

/* --- the table -------------------------------------------------------------------------------- */

enum { TODAY_WORDS = 200 };

/* One spec, or each where they differ: "2 x gp3 100G 3 000/125 + 1 x io2 50G 1 000" */
static char *today_words(char buf[TODAY_WORDS], const struct plan_group *g)
{
    char one[96];
    size_t at = 0;
    if (layout_volumes_alike(g->group)) {
        snprintf(buf, TODAY_WORDS, "%s", short_spec(one, &g->today.spec));
        return buf;
    }
    for (size_t i = 0; i < g->group->n_volumes && at < TODAY_WORDS; i++) {
        int put = snprintf(buf + at, TODAY_WORDS - at, "%s%s", i ? " + " : "",
                           short_spec(one, &g->group->volumes[i].spec));
        at += put > 0 ? (size_t)put : 0;
    }
    return buf;
}

static const char *ceiling_words(unsigned censored_by)
{
    if (censored_by & POINT_CENSORED_THROUGHPUT)
        return censored_by & POINT_CENSORED_IOPS ? "throughput, IOPS" : "throughput";
    if (censored_by & POINT_CENSORED_IOPS)
        return "IOPS";
    if (censored_by & POINT_HOT_VOLUME)
        return "hot volume";
    return censored_by & POINT_CENSORED_WAITS ? "redo waits" : "-";
}

static void put_cells(struct emit *m, const struct plan_group *g)
{
    char buf[96], today[TODAY_WORDS], mibps[48], usd[48];
    const struct size_option *c = &g->chosen;
    emit_cell(m, "today", "%s", g->today.known ? today_words(today, g) : "-");
    bool known = !isnan(g->demand->demand.total_mibps);
    emit_cell(m, "peak", "%s%s%s", known ? grade_glyph(g->demand->demand.grade) : "",
              known ? " " : "", rate_words(mibps, g->demand->demand.total_mibps));
    emit_cell(m, "ceiling", "%s", ceiling_words(g->demand->censored_by));
    emit_cell(m, "plan", "%s",
              !c->spec.count ? "none"
              : g->kept      ? "keep"
                             : short_spec(buf, &c->spec));
    emit_cell(m, "usd", "%s", unit_format_usd(usd, c->spec.count ? c->total_microusd : UNKNOWN));
    double headroom_pct = fmin(c->iops_headroom_pct, c->throughput_headroom_pct);
    if (!c->spec.count || isnan(headroom_pct))
        emit_cell(m, "headroom", "-");
    else if (c->by_replay)
        emit_cell(m, "headroom", "%s", c->bursts ? "by bursts" : "some waits");
    else if (headroom_pct > 999)
        emit_cell(m, "headroom", "> 999 %%");
    else
        emit_cell(m, "headroom", "%s%.0f %%", g->lower_bound ? "<= " : "", headroom_pct);
}

static void emit_groups(struct emit *m, const struct plan *p)
{
    char head[48];
    peak_head(head, &p->options_used);
    const struct emit_col cols[] = {
        { "name", "group", true },         { "today", "today", true },
        { "peak", head, false },           { "ceiling", "ceiling", true },
        { "plan", "plan", true },          { "usd", "USD/month", false },
        { "headroom", "headroom", false },
    };
    emit_table(m, "groups", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < p->n_groups; i++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        put_cells(m, &p->groups[i]);
        emit_plan_group(m, p, i);
        emit_end(m);
    }
    emit_end(m);
}

/* Groups that get other volumes under the rules of as_of than under today's. */
static void emit_pack_difference(struct emit *m, const struct plan *p)
{
    char head[48], then[32];
    snprintf(head, sizeof head, "rules of %s", time_format_date(then, p->as_of_ms));
    const struct emit_col cols[] = {
        { "name", "group", true },
        { "spec", head, true },
        { "total_usd", "USD/month", false },
        { "today_spec", "rules of today", true },
        { "today_total_usd", "USD/month", false },
    };
    if (!p->under_today) {
        emit_null(m, "pack_difference");
        return;
    }
    bool differs = false;
    for (size_t i = 0; i < p->n_groups; i++)
        differs |= plan_pack_differs(p, i);
    if (differs)
        emit_say(m, "%s", "");
    emit_table(m, "pack_difference", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < p->n_groups; i++)
        emit_pack_difference_group(m, p, i);
    emit_end(m);
}

/* --- what follows ----------------------------------------------------------------------------- */

static void say_cost(struct emit *m, const struct plan *p)
{
    char usd[48], today[48], per[48], day[32], price_day[32], under[48];
    emit_label(
        m, "costs",
        "%s USD a month for the volumes (today %s), rules of %s, prices of %s; ranked with %s "
        "for each volume after a group's first",
        unit_format_usd(usd, p->total_microusd), unit_format_usd(today, p->today_microusd),
        time_format_date(day, p->as_of_ms), time_format_date(price_day, p->price_as_of_ms),
        unit_format_usd(per, p->options_used.per_volume_microusd));
    if (p->under_today)
        emit_label(m, "under today", "%s USD a month with the rules of %s",
                   unit_format_usd(under, p->under_today->total_microusd),
                   time_format_date(day, p->under_today->as_of_ms));
}

static void say_steps(struct emit *m, const struct plan_group *g)
{
    char mibps[48];
    if (!g->lower_bound || !g->n_steps_up)
        return;
    rate_words(mibps, g->demand->demand.total_mibps);
    if (g->demand->censored_by == POINT_CENSORED_WAITS && isnan(g->demand->peak_factor)) {
        emit_label(m, "at least", "%s: %s MiB/s, since the database waited for its redo meanwhile",
                   g->group->name, mibps);
        return;
    }
    if (g->demand->censored_by == POINT_CENSORED_WAITS) {
        emit_label(m, "assumed",
                   "%s: %s MiB/s, or more: the database waited for its redo meanwhile",
                   g->group->name, mibps);
        return;
    }
    emit_label(m, "at least",
               "%s: %s MiB/s, since the volumes were at a ceiling; step up, measure a peak, then "
               "reduce",
               g->group->name, mibps);
    for (size_t i = 0; i < g->n_steps_up; i++) {
        const struct plan_step *s = &g->steps_up[i];
        char spec[96], usd[48], carries[48];
        emit_label(m, "step up", "%s, %s USD: %s MiB/s; stop when %s",
                   volume_spec_format(spec, &s->option.spec),
                   unit_format_usd(usd, s->option.total_microusd),
                   rate_words(carries, s->carries_mibps), s->stop_when);
    }
}

static void say_finding(struct emit *m, const struct finding *f)
{
    emit_label(m, severity_name(f->severity), "%s (%s)", f->title, verdict_name(f->verdict));
    for (size_t k = 0; k < f->n_evidence; k++) {
        const struct finding_evidence *ev = &f->evidence[k];
        if (ev->file)
            emit_label(m, "seen", "%s   %s:%lld", ev->value, ev->file, (long long)ev->line);
        else
            emit_label(m, "seen", "%s", ev->value);
    }
    for (size_t k = 0; k < f->n_not_this; k++)
        emit_label(m, "not", "%s", f->not_this[k]);
    emit_label(m, "do", "%s", f->advice);
}

static void say_assumed(struct emit *m, const struct plan *p)
{
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct group_demand *d = p->groups[i].demand;
        char low[48], high[48], factor[48];
        if (isnan(d->peak_factor))
            continue;
        emit_label(m, "assumed",
                   "%s: only averages at its peak, taken %s times (between %s and %s MiB/s); "
                   "--peak-factor replaces it",
                   d->group->name, rate_words(factor, d->peak_factor),
                   rate_words(low, d->demand.low_mibps), rate_words(high, d->demand.high_mibps));
    }
}

static void say_sure(struct emit *m, const struct plan *p)
{
    char covered[48], interval[48], share[48];
    const struct load_profile *f = &p->demand->profile;
    emit_label(m, "sure",
               "%s minutes of measurement at intervals of %s s, all groups in %s %% of it",
               unit_format(covered, f->covered_s / 60, 0), unit_format(interval, f->interval_s, 0),
               unit_format(share, f->coverage_pct, 0));
    say_assumed(m, p);
}

/* The groups that were at a ceiling, or, where none was, the one whose volumes cost most. */
static void draw_groups(struct emit *m, const struct plan *p)
{
    enum { DRAWN = 4 };
    struct load_chart charts[DRAWN];
    const struct plan_group *dearest = worst_group(p) ? NULL : dearest_group(p);
    size_t n = 0;
    for (size_t i = 0; i < p->n_groups && n < DRAWN; i++) {
        const struct group_demand *d = p->groups[i].demand;
        if (d->ceiling_seconds > 0 || &p->groups[i] == dearest)
            charts[n++] = (struct load_chart){ d->group->name, &d->points,
                                               d->profile.metrics[METRIC_TOTAL_MIBPS].max,
                                               d->ceiling.max_throughput_mibps };
    }
    draw_load(m, charts, n);
}

static void say_rest(struct emit *m, const struct plan *p)
{
    const struct plan_group *worst = worst_group(p);
    draw_groups(m, p);
    emit_say(m, "%s", "");
    say_plan_host(m, p);
    say_cost(m, p);
    say_plan_front(m, p);
    say_peak_price(m, p);
    say_sized_for(m, p);
    say_replays(m, p);
    for (size_t i = 0; i < p->n_groups; i++)
        say_steps(m, &p->groups[i]);
    const struct plan_group *told = worst ? worst : dearest_group(p);
    if (told)
        say_why_not(m, p->n_groups > 1 ? told->group->name : NULL, told->size.rejected,
                    told->size.n_rejected, 3, "--json, or a larger --top");
    say_others(m, p);
    say_redo(m, p);
    say_joined(m, p->system, p->demand->joined, p->demand->n_joined);
    say_plan_notes(m, p);
    say_sure(m, p);
    if (p->n_findings)
        emit_say(m, "%s", "");
    for (size_t i = 0; i < p->n_findings; i++)
        say_finding(m, &p->findings[i]);
    emit_label(m, "next",
               "volplan peaks --group NAME    volplan plan --headroom 30 --top 20 --json");
}

void emit_plan_verdict(struct emit *m, const struct plan *p, struct arena *a)
{
    struct emit_words words;
    if (m->people)
        return;
    emit_words_init(&words, a);
    say_plan_answer(&words.emit, p);
    emit_words_list(m, "verdict", &words);
}

void report_plan(struct emit *m, const struct plan *p)
{
    struct err e = { 0 };
    if (plan_check(p, &e))
        BUG(e.text);
    say_phases_answer(m, p->phases);
    say_plan_answer(m, p);
    emit_say(m, "%s", "");
    emit_plan_head(m, p);
    emit_joined(m, p->demand->joined, p->demand->n_joined);
    emit_groups(m, p);
    if (p->n_others)
        emit_others(m, p->others, p->n_others);
    emit_plan_notes(m, p);
    emit_plan_tail(m, p);
    emit_phases(m, p->phases);
    emit_pack_difference(m, p);
    say_phases(m, p->phases);
    say_rest(m, p);
}
