/* planner/report/report_whatif_answer.c - see report_whatif_answer.h. */
#include "planner/report/report_whatif_answer.h"

#include "models/core/timestamp.h"
#include "planner/report/emit_option.h"
#include "planner/report/report_plan_host.h"

#include <stdio.h>
#include <string.h>

/* Of the groups that there are, the one that changes most; without any change the one that carries
 * most. */
static const struct whatif_group *worst_group(const struct whatif *w)
{
    const struct whatif_group *worst = NULL;
    double most = -1;
    for (int moved = 1; moved >= 0 && most <= 1e-9; moved--)
        for (size_t i = 0; i < w->n_groups; i++) {
            const struct whatif_loads *l = &w->groups[i].average;
            double base = isnan(l->base.total_mibps) ? 0 : l->base.total_mibps;
            double now = l->at[BOUND_CENTRAL].total_mibps;
            double v = moved ? fabs(now - base) : now;
            bool is_gone = w->groups[i].planned >= w->plan.n_groups;
            if (v > most && !is_gone) {
                most = v;
                worst = &w->groups[i];
            }
        }
    return worst ? worst : w->groups;
}

bool whatif_moves_bytes(const struct whatif *w)
{
    for (size_t i = 0; i < w->n_groups; i++) {
        const struct whatif_loads *l = &w->groups[i].average;
        double base = l->base.total_mibps, now = l->at[BOUND_CENTRAL].total_mibps;
        if (isnan(base) != isnan(now) || fabs(now - base) > 1e-9 * fmax(1, base))
            return true;
    }
    return false;
}

bool whatif_moves_time(const struct whatif *w)
{
    const struct scenario *s = w->scenario;
    for (size_t i = 0; i < s->layout.n_groups && s->shapes; i++)
        if (s->shapes[i].load.shift_ms)
            return true;
    return false;
}

static double requests_added(const struct whatif_group *g)
{
    double added = g->peak.at[BOUND_CENTRAL].counted_iops - g->peak.base.counted_iops;
    return added > 1e-6 * g->peak.base.counted_iops ? added : 0;
}

static const struct whatif_group *most_requests(const struct whatif *w)
{
    const struct whatif_group *most = w->groups;
    for (size_t i = 1; i < w->n_groups; i++)
        if (requests_added(&w->groups[i]) > requests_added(most))
            most = &w->groups[i];
    return most;
}

static void merge_words(char buf[120], const struct whatif_change *c)
{
    char left[48] = "no", disks[48] = "";
    if (c->pct > 0)
        snprintf(left, sizeof left, "%g %% of the", c->pct);
    if (c->whole != UNKNOWN)
        snprintf(disks, sizeof disks, "%lld disk%s of ", (long long)c->whole,
                 c->whole == 1 ? "" : "s");
    snprintf(buf, 120, "%s merges on %s%s", left, disks,
             c->name      ? c->name
             : c->pct > 0 ? "every group"
                          : "any group");
}

/* "a backup at 22:00 every day (4 h at 200 MiB/s, to FRA)" */
static void window_words(char buf[120], const struct whatif_change *c)
{
    char at[48], rate[48];
    bool reads = c->kind == WHATIF_RMAN;
    int minutes = c->daily ? (int)(c->start_ms / 60000) : 0;
    if (c->daily)
        snprintf(at, sizeof at, "%02d:%02d every day", minutes / 60, minutes % 60);
    else
        time_format_iso(at, c->start_ms);
    snprintf(buf, 120, "a %s at %s (%g h at %s MiB/s%s%.30s)", reads ? "backup" : "restore", at,
             c->hours, rate_words(rate, c->window_mibps),
             !c->name ? ""
             : reads  ? ", to "
                      : ", from ",
             c->name ? c->name : "");
}

static void change_words(char buf[120], const struct whatif_change *c)
{
    char number[48];
    const char *by = NULL;
    switch (c->kind) {
    case WHATIF_ADD_STANDBY:
        by = " added";
        break;
    case WHATIF_DROP_STANDBY:
        by = " dropped";
        break;
    case WHATIF_FAR_SYNC:
        by = " as far sync";
        break;
    case WHATIF_ROLE_SWAP:
        by = " as the primary";
        break;
    case WHATIF_CASCADE:
        snprintf(buf, 120, "%s fed by %s", c->name, c->via);
        return;
    case WHATIF_STANDBYS:
        snprintf(buf, 120, "%lld standby%s", (long long)c->whole, c->whole == 1 ? "" : "s");
        return;
    case WHATIF_REDO_BLOCK:
        snprintf(buf, 120, "redo blocks of %lld bytes", (long long)c->whole);
        return;
    case WHATIF_MEMBERS:
        snprintf(buf, 120, "%lld log member%s", (long long)c->whole, c->whole == 1 ? "" : "s");
        return;
    case WHATIF_GROWTH:
        snprintf(buf, 120, "%g %% growth", c->pct);
        return;
    case WHATIF_REDUNDANCY:
        snprintf(buf, 120, "%s %s", c->name, redundancy_name(c->redundancy));
        return;
    case WHATIF_INSTANCE:
        snprintf(buf, 120, "instance %s", c->name);
        return;
    case WHATIF_MERGE_LOSS:
        merge_words(buf, c);
        return;
    case WHATIF_SPLIT:
        snprintf(buf, 120, "requests cut to %s KiB", rate_words(number, c->request_kib));
        return;
    case WHATIF_RMAN:
    case WHATIF_RESTORE:
        window_words(buf, c);
        return;
    case WHATIF_SHIFT:
        snprintf(buf, 120, "%s %g h %s", c->name, fabs(c->hours),
                 c->hours < 0 ? "earlier" : "later");
        return;
    default:
        *buf = '\0';
        return;
    }
    snprintf(buf, 120, "%s%s", c->name, by);
}

void whatif_changes_words(char *buf, size_t room, const struct whatif_change *changes, size_t n)
{
    size_t at = 0;
    *buf = '\0';
    for (size_t i = 0; i < n; i++) {
        char one[120];
        if (changes[i].kind == WHATIF_PHASE)
            continue;
        change_words(one, &changes[i]);
        if (at + strlen(one) + 24 > room) {
            snprintf(buf + at, room - at, " and %zu more", n - i);
            return;
        }
        at += (size_t)snprintf(buf + at, room - at, "%s%s", at ? ", " : "", one);
    }
}

static const char *holds_words(enum whatif_holds h)
{
    switch (h) {
    case HOLDS:
        return "the plan for today's load still holds";
    case HOLDS_WITHIN_HEADROOM:
        return "the plan for today's load no longer holds with its headroom";
    default:
        return "the plan for today's load no longer holds";
    }
}

static void then_words(char buf[200], const struct whatif *w, const struct whatif_group *g)
{
    char spec[96], usd[48];
    *buf = '\0';
    if (w->plan.status == PLAN_NONE) {
        snprintf(buf, 200, "; nothing that is allowed carries %s", w->plan.certificate.group);
        return;
    }
    if (w->base_holds == HOLDS || g->planned >= w->plan.n_groups)
        return;
    const struct size_option *c = &w->plan.groups[g->planned].chosen;
    snprintf(buf, 200, "; %s %s, for %s USD a month", volume_spec_format(spec, &c->spec),
             c->spec.count == 1 ? "does" : "do", unit_format_usd(usd, c->total_microusd));
}

/* "PRD1 from 2026-03-01 with 8 standbys" */
static void opening_words(char *buf, size_t room, const struct whatif *w)
{
    char changes[300], day[32], from[60] = "";
    if (w->of_phase)
        snprintf(from, sizeof from, " from %s", time_format_date(day, w->of_phase->from_ms));
    whatif_changes_words(changes, sizeof changes,
                         w->of_phase ? w->of_phase->change->changes : w->changes,
                         w->of_phase ? w->of_phase->change->n_changes : w->n_changes);
    snprintf(buf, room, "%.80s%s with %s", w->base.system, from, changes);
}

/* A small peak is not less than its mean. */
static const char *peak_words(char buf[48], double mibps)
{
    return unit_format(buf, mibps, mibps < 10 ? 1 : 0);
}

static void say_bytes(struct emit *m, const struct whatif *w, const char *opening)
{
    char now[48], lower[48], central[48], upper[48], peak_now[48], peak[48], range[120] = "";
    char then[200];
    const struct whatif_group *g = worst_group(w);
    const struct whatif_loads *a = &g->average, *p = &g->peak;
    if (isnan(a->at[BOUND_CENTRAL].total_mibps) && isnan(p->at[BOUND_CENTRAL].total_mibps)) {
        emit_say(m, "%s: nothing was measured here, so no load is known then either.", opening);
        return;
    }
    then_words(then, w, g);
    rate_words(lower, a->at[BOUND_LOWER].total_mibps);
    rate_words(upper, a->at[BOUND_UPPER].total_mibps);
    if (strcmp(lower, upper) != 0)
        snprintf(range, sizeof range, "%s to %s; ", lower, upper);
    emit_say(m, "%s: %s carries %s MiB/s on average (%snow %s), %s %s at its peak (now %s): %s%s.",
             opening, g->group->name, rate_words(central, a->at[BOUND_CENTRAL].total_mibps), range,
             rate_words(now, a->base.total_mibps), grade_glyph(g->peak_grade),
             peak_words(peak, p->at[BOUND_CENTRAL].total_mibps),
             peak_words(peak_now, p->base.total_mibps), holds_words(w->base_holds), then);
}

/* The same bytes in more requests. */
static void say_more_requests(struct emit *m, const struct whatif *w, const char *opening)
{
    char iops[48], now[48], mibps[48], then[200];
    const struct whatif_group *g = most_requests(w);
    const struct whatif_rates *r = &g->peak.at[BOUND_CENTRAL];
    then_words(then, w, g);
    emit_say(m, "%s: %s needs %s %s IOPS at its peak (now %s), for the same %s MiB/s: %s%s.",
             opening, g->group->name, grade_glyph(g->peak_grade),
             unit_format(iops, r->counted_iops, 0), unit_format(now, g->peak.base.counted_iops, 0),
             rate_words(mibps, r->total_mibps), holds_words(w->base_holds), then);
}

static void say_moved(struct emit *m, const struct whatif *w, const char *opening)
{
    char then[48], now[48];
    emit_say(m,
             "%s: all groups together peak at %s %s MiB/s (now %s), and each group as before: %s.",
             opening, grade_glyph(w->plan.instance.grade),
             rate_words(then, w->plan.demand->demand.total_mibps),
             rate_words(now, w->base.demand->demand.total_mibps), holds_words(w->base_holds));
}

void say_whatif_answer(struct emit *m, const struct whatif *w)
{
    char opening[480];
    opening_words(opening, sizeof opening, w);
    bool requests = requests_added(most_requests(w)) > 0, time = whatif_moves_time(w);
    if (whatif_moves_bytes(w) || !(requests || time))
        say_bytes(m, w, opening);
    else if (requests)
        say_more_requests(m, w, opening);
    else
        say_moved(m, w, opening);
}

/* All volumes against those of the plan for today's load. */
static void say_price(struct emit *m, const struct whatif *w)
{
    char usd[48], by[48];
    int64_t then = w->plan.total_microusd, now = w->base.total_microusd;
    if (then == UNKNOWN || now == UNKNOWN)
        return;
    unit_format_usd(usd, then);
    if (then == now)
        emit_say(m, "All volumes together then cost %s USD a month, the same as without.", usd);
    else
        emit_say(m, "All volumes together then cost %s USD a month, %s %s than without.", usd,
                 unit_format_usd(by, then > now ? then - now : now - then),
                 then > now ? "more" : "less");
}

void say_whatif_host(struct emit *m, const struct whatif *w)
{
    char used[48], most[48];
    const struct plan_instance *i = &w->plan.instance;
    if (!i->type || i->verdict == INSTANCE_UNKNOWN)
        return;
    if (i->verdict == INSTANCE_TOO_SMALL)
        say_plan_too_small(m, &w->plan, w->base_holds != HOLDS);
    else
        emit_say(m, "The instance %s carries it%s: %s %s of %s MB/s at the peak of all groups.",
                 i->type->name, i->verdict == INSTANCE_BURST ? " by its burst" : "",
                 grade_glyph(i->grade), unit_format(used, i->demand_mb_s, 0),
                 unit_format(most, i->caps.baseline_mb_s, 0));
}

void say_whatif_verdict(struct emit *m, const struct whatif *w)
{
    say_whatif_answer(m, w);
    say_price(m, w);
    say_whatif_host(m, w);
}
