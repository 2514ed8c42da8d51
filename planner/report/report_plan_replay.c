/* planner/report/report_plan_replay.c - see report_plan_replay.h. */
#include "planner/report/report_plan_replay.h"

#include "planner/report/emit_option.h"

#include <math.h>
#include <stdio.h>

static bool is_tolerant(const struct plan_options *o)
{
    return !isnan(o->max_throttled_s) || !isnan(o->max_delay_ms);
}

/* --- values ------------------------------------------------------------------------------------
 */

void emit_sized_for(struct emit *m, const struct plan_options *o)
{
    if (isnan(o->percentile) && !is_tolerant(o)) {
        emit_null(m, "sized_for");
        return;
    }
    emit_begin(m, "sized_for", EMIT_OBJECT);
    emit_num(m, "percentile", UNIT_NONE, o->percentile);
    emit_num(m, "max_throttled_s", UNIT_S, o->max_throttled_s);
    emit_num(m, "max_delay_ms", UNIT_MS, o->max_delay_ms);
    emit_end(m);
}

void emit_replay(struct emit *m, const struct plan_replay *r)
{
    if (!r->known) {
        emit_null(m, "replay");
        return;
    }
    emit_begin(m, "replay", EMIT_OBJECT);
    emit_num(m, "throttled_s", UNIT_S, r->throttled_s);
    emit_num(m, "worst_delay_ms", UNIT_MS, r->worst_delay_ms);
    emit_num(m, "lowest_credits_pct", UNIT_PCT, r->lowest_credits_pct);
    emit_num(m, "end_credits_pct", UNIT_PCT, r->end_credits_pct);
    emit_begin(m, "with_headroom", EMIT_OBJECT);
    emit_num(m, "throttled_s", UNIT_S, r->headroom_throttled_s);
    emit_num(m, "worst_delay_ms", UNIT_MS, r->headroom_worst_delay_ms);
    emit_end(m);
    emit_end(m);
}

void emit_peak_price(struct emit *m, const struct plan_peak_price *p)
{
    if (!p->known) {
        emit_null(m, "peak_price");
        return;
    }
    emit_begin(m, "peak_price", EMIT_OBJECT);
    emit_num(m, "percentile", UNIT_NONE, p->percentile);
    emit_usd(m, "saving_usd", p->saving_microusd);
    emit_num(m, "throttled_s", UNIT_S, p->throttled_s);
    emit_end(m);
}

void emit_burst(struct emit *m, const struct plan_burst *b)
{
    if (!b->known) {
        emit_null(m, "burst");
        return;
    }
    emit_begin(m, "burst", EMIT_OBJECT);
    emit_num(m, "over_baseline_s", UNIT_S, b->over_baseline_s);
    emit_num(m, "minutes_throttled_s", UNIT_S, b->minutes_throttled_s);
    emit_num(m, "credits_throttled_s", UNIT_S, b->credits_throttled_s);
    emit_end(m);
}

/* --- words -------------------------------------------------------------------------------------
 */

char *sized_at_words(char buf[SIZED_AT_WORDS], const struct plan_options *o, bool one)
{
    char p[48];
    if (!isnan(o->percentile))
        snprintf(buf, SIZED_AT_WORDS, "p%.20s of %s", rate_words(p, o->percentile),
                 one ? "its load" : "their loads");
    else if (is_tolerant(o))
        snprintf(buf, SIZED_AT_WORDS, "%s but for what may wait", one ? "its peak" : "their peaks");
    else
        snprintf(buf, SIZED_AT_WORDS, "%s", one ? "its peak" : "their peaks");
    return buf;
}

char *peak_head(char buf[48], const struct plan_options *o)
{
    char p[48];
    if (isnan(o->percentile))
        snprintf(buf, 48, "peak MiB/s");
    else
        snprintf(buf, 48, "p%.20s MiB/s", rate_words(p, o->percentile));
    return buf;
}

void say_sized_for(struct emit *m, const struct plan *p)
{
    const struct plan_options *o = &p->options_used;
    char pct[48], headroom[48], most[48], wait[80] = "", delay[80] = "";
    rate_words(headroom, p->headroom_pct);
    if (!isnan(o->percentile))
        emit_label(
            m, "sized for",
            "what the load is below in %s %% of the measured time, and %s %% headroom on that",
            rate_words(pct, o->percentile), headroom);
    if (!is_tolerant(o))
        return;
    if (!isnan(o->max_throttled_s))
        snprintf(wait, sizeof wait, "in at most %.20s s", rate_words(most, o->max_throttled_s));
    if (!isnan(o->max_delay_ms))
        snprintf(delay, sizeof delay, "%sat most %.20s ms", *wait ? ", and " : "",
                 rate_words(most, o->max_delay_ms));
    emit_label(m, "sized for", "a load of which each group waits %s%s when it is %s %% larger",
               wait, delay, headroom);
    for (size_t i = 0; i < p->n_groups; i++)
        if (p->groups[i].demand->demand.grade == GRADE_ASSUMED)
            emit_label(m, "but", "%s: its peak is assumed from averages, so nothing of it may wait",
                       p->groups[i].group->name);
        else if (p->groups[i].lower_bound)
            emit_label(m, "but", "%s: it was held up while measured, so more may wait for longer",
                       p->groups[i].group->name);
}

/* "300 ms", "84 s" */
static char *delay_words(char buf[64], double ms)
{
    char number[48];
    bool long_one = ms >= 10000;
    snprintf(buf, 64, "%s %s", unit_format(number, long_one ? ms / 1000 : ms, 0),
             long_one ? "s" : "ms");
    return buf;
}

static void say_replay(struct emit *m, const struct plan_group *g)
{
    char s[48], delay[64], more_s[48], more_delay[64], credits[48], end[48];
    const struct plan_replay *r = &g->replay;
    if (r->headroom_throttled_s > 0)
        emit_label(m, "replay", "%s waits in %s s, %s at most; with headroom in %s s, %s",
                   g->group->name, unit_format(s, r->throttled_s, 0),
                   delay_words(delay, r->worst_delay_ms),
                   unit_format(more_s, r->headroom_throttled_s, 0),
                   delay_words(more_delay, r->headroom_worst_delay_ms));
    if (!isnan(r->lowest_credits_pct))
        emit_label(
            m, "bursts",
            "%s: %s lives on its credits, full when the measurement begins, down to %s %%, %s "
            "%% at its end%s",
            g->group->name, volume_type_name(g->chosen.spec.type),
            unit_format(credits, r->lowest_credits_pct, 0), unit_format(end, r->end_credits_pct, 0),
            r->end_credits_pct < 99 ? ": if every day is like this they do not last" : "");
}

void say_replays(struct emit *m, const struct plan *p)
{
    bool replayed = false, waits = false;
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct plan_group *g = &p->groups[i];
        replayed |= g->replay.known;
        waits |= g->replay.known && g->replay.headroom_throttled_s > 0;
        if (g->replay.known)
            say_replay(m, g);
        else if (g->chosen.bursts)
            emit_label(m, "baseline", "%s: %s counts with its baseline, bursts are not counted on",
                       g->group->name, volume_type_name(g->chosen.spec.type));
    }
    if (replayed && !waits)
        emit_label(m, "replay", "nothing waits, with headroom neither");
}

void say_peak_price(struct emit *m, const struct plan *p)
{
    const struct plan_peak_price *price = &p->peak_price;
    char pct[48], usd[48], wait[48], of[48], instead[48] = "letting some wait";
    if (!price->known)
        return;
    if (!isnan(price->percentile))
        snprintf(instead, sizeof instead, "p%.20s", rate_words(pct, price->percentile));
    if (price->saving_microusd <= 0) {
        emit_label(m, "peak price", "%s instead of the maximum saves nothing", instead);
        return;
    }
    emit_label(m, "peak price",
               "%s instead of the maximum saves %s USD a month; waits in %s s of %s minutes",
               instead, unit_format_usd(usd, price->saving_microusd),
               unit_format(wait, price->throttled_s, 0),
               unit_format(of, p->demand->profile.covered_s / 60, 0));
}

void say_burst_of_host(struct emit *m, const struct plan *p)
{
    const struct plan_burst *b = &p->instance.burst;
    char over[48], low[48], high[48];
    if (!b->known)
        return;
    emit_label(
        m, "burst",
        "%s s are above its baseline with headroom; what waits in replay: %s s with 30 minutes "
        "a day, %s s with credits",
        unit_format(over, b->over_baseline_s, 0), unit_format(low, b->minutes_throttled_s, 0),
        unit_format(high, b->credits_throttled_s, 0));
}
