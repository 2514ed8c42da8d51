/* planner/report/report_phases.c - see report_phases.h. */
#include "planner/report/report_phases.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "planner/check/phases_check.h"
#include "planner/report/emit_option.h"
#include "planner/report/report_plan_replay.h"

#include <stdio.h>

/* --- values ------------------------------------------------------------------------------------
 */

static const char *step_name(const struct phase_choice *c, bool first)
{
    if (!c->option.spec.count)
        return NULL;
    if (c->kept)
        return "kept";
    if (first)
        return "new";
    return c->added ? "added" : c->removed ? "removed" : c->modified ? "modified" : "same";
}

/* Whether the volumes are new as a whole. */
static bool is_new(const struct phase_choice *c)
{
    return !c->kept && c->added == c->option.spec.count && !c->modified && !c->removed;
}

static void emit_group(struct emit *m, const struct phase_group *g)
{
    const struct phase_choice *c = &g->choice;
    const struct demand *d = &g->apart->demand->demand;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "name", g->apart->group->name);
    emit_num(m, "total_mibps", UNIT_MIBPS, d->total_mibps);
    emit_num(m, "counted_iops", UNIT_IOPS, d->counted_iops);
    if (c->option.spec.count) {
        emit_begin(m, "chosen", EMIT_OBJECT);
        emit_option_values(m, &c->option);
        emit_end(m);
    } else {
        emit_null(m, "chosen");
    }
    emit_text(m, "step", step_name(c, is_new(c)));
    emit_int(m, "added", UNIT_COUNT, c->added);
    emit_int(m, "removed", UNIT_COUNT, c->removed);
    emit_int(m, "modified", UNIT_COUNT, c->modified);
    emit_end(m);
}

static void emit_phase(struct emit *m, const struct plan_phase *p)
{
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_date(m, "from", p->change->from_ms);
    emit_date(m, "to", p->until_ms);
    emit_begin(m, "changes", EMIT_LIST);
    for (size_t i = 0; i < p->change->n_changes; i++)
        emit_text(m, NULL, p->change->changes[i].text);
    emit_end(m);
    emit_text(m, "status", plan_status_name(p->status));
    emit_text(m, "modifications", p->rule->words);
    emit_begin(m, "groups", EMIT_LIST);
    for (size_t g = 0; g < p->n_groups; g++)
        emit_group(m, &p->groups[g]);
    emit_end(m);
    emit_usd(m, "total_usd", p->total_microusd);
    emit_usd(m, "cost_usd", p->cost_microusd);
    emit_usd(m, "apart_usd", p->apart->total_microusd);
    emit_end(m);
}

void emit_phases(struct emit *m, const struct plan_phases *p)
{
    struct err e = { 0 };
    if (!p)
        return;
    if (phases_check(p, &e))
        BUG(e.text);
    emit_begin(m, "phases", EMIT_LIST);
    for (size_t i = 0; i < p->n; i++)
        emit_phase(m, &p->at[i]);
    emit_end(m);
    emit_usd(m, "phases_total_usd", p->total_microusd);
    emit_usd(m, "phases_apart_usd", p->apart_microusd);
}

/* --- words -------------------------------------------------------------------------------------
 */

void say_phases_answer(struct emit *m, const struct plan_phases *p)
{
    char usd[48], from[32], to[32], month[48], most[48], day[32];
    const struct plan_phase *height;
    if (!p)
        return;
    height = &p->at[0];
    for (size_t i = 0; i < p->n; i++) {
        if (p->at[i].total_microusd > height->total_microusd)
            height = &p->at[i];
        if (p->at[i].status == PLAN_NONE) {
            emit_say(m, "Nothing that is allowed carries the phase from %s: %s.",
                     time_format_date(from, p->at[i].change->from_ms),
                     p->at[i].apart->certificate.group ? p->at[i].apart->certificate.group : "-");
            return;
        }
    }
    emit_say(
        m,
        "The volumes of %zu %s cost %s USD from %s to %s; most from %s, %s USD a month, at the "
        "end %s.",
        p->n, p->n == 1 ? "phase" : "phases", unit_format_usd(usd, p->total_microusd),
        time_format_date(from, p->at[0].change->from_ms),
        time_format_date(to, p->at[p->n - 1].until_ms),
        time_format_date(day, height->change->from_ms),
        unit_format_usd(most, height->total_microusd),
        unit_format_usd(month, p->at[p->n - 1].total_microusd));
}

static void put_row(struct emit *m, const struct plan_phase *p, const struct phase_group *g,
                    bool first)
{
    char day[32], spec[96], mibps[48], usd[48];
    const struct phase_choice *c = &g->choice;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_cell(m, "from", "%s", first ? time_format_date(day, p->change->from_ms) : "");
    emit_cell(m, "name", "%s", g->apart->group->name);
    emit_cell(m, "peak", "%s", rate_words(mibps, g->apart->demand->demand.total_mibps));
    emit_cell(m, "plan", "%s",
              !c->option.spec.count ? "none"
              : c->kept             ? "keep"
                                    : volume_spec_format(spec, &c->option.spec));
    emit_cell(m, "usd", "%s",
              unit_format_usd(usd, c->option.spec.count ? c->option.total_microusd : UNKNOWN));
    if (c->added && !is_new(c))
        emit_cell(m, "step", "add %lld%s", (long long)c->added, c->modified ? ", modify" : "");
    else if (c->removed)
        emit_cell(m, "step", "remove %lld%s", (long long)c->removed, c->modified ? ", modify" : "");
    else
        emit_cell(m, "step", "%s",
                  c->kept       ? "-"
                  : is_new(c)   ? "new"
                  : c->modified ? "modify"
                                : "same");
    emit_end(m);
}

static void say_table(struct emit *m, const struct plan_phases *p)
{
    char head[48];
    peak_head(head, &p->at[0].apart->options_used);
    const struct emit_col cols[] = {
        { "from", "from", true }, { "name", "group", true },     { "peak", head, false },
        { "plan", "plan", true }, { "usd", "USD/month", false }, { "step", "step", true },
    };
    emit_table(m, "phases_table", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < p->n; i++)
        for (size_t g = 0; g < p->at[i].n_groups; g++)
            put_row(m, &p->at[i], &p->at[i].groups[g], !g);
    emit_end(m);
}

void say_phases(struct emit *m, const struct plan_phases *p)
{
    char usd[48], more[48], per[48], day[32], rules[160], apart[96] = "";
    bool counts = false;
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++)
        for (size_t g = 0; g < p->at[i].n_groups; g++)
            counts |= p->at[i].groups[g].choice.removed > 0 ||
                      (p->at[i].groups[g].choice.added && !is_new(&p->at[i].groups[g].choice));
    emit_say(m, "%s", "");
    if (m->people)
        say_table(m, p);
    emit_say(m, "%s", "");
    if (p->apart_microusd != UNKNOWN && p->total_microusd > p->apart_microusd)
        snprintf(apart, sizeof apart, " (%s more than if volumes could shrink)",
                 unit_format_usd(more, p->total_microusd - p->apart_microusd));
    emit_label(
        m, "phases",
        "%s USD in all, each for its length%s; ranked with %s a month for each volume after a "
        "group's first",
        unit_format_usd(usd, p->total_microusd), apart,
        unit_format_usd(per, p->per_volume_microusd));
    const struct vol_modify_rule *first = p->at[0].rule, *last = p->at[p->n - 1].rule;
    if (first == last)
        snprintf(rules, sizeof rules, "%s", last->words);
    else
        snprintf(rules, sizeof rules, "%s, from %s on %s", first->words,
                 time_format_date(day, last->valid_from_ms), last->words);
    emit_label(m, "modify",
               "each volume once where a phase begins, at the new price from then on; sizes never "
               "shrink; AWS allows %s; more IOPS or MiB/s take minutes to hours, so start before",
               rules);
    if (counts)
        emit_label(
            m, "counts",
            "added volumes need a rebalance of the group, removed ones have to be emptied first");
    if (p->status == PLAN_GOOD)
        emit_label(
            m, "not proved",
            "in a phase the host has too few slots, or EBS cards that other numbers of volumes "
            "overload: counts are those of the phase by itself");
}
