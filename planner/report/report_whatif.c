/* planner/report/report_whatif.c - see report_whatif.h. */
#include "planner/report/report_whatif.h"

#include "models/core/emit_words.h"
#include "models/core/timestamp.h"
#include "planner/check/plan_check.h"
#include "planner/report/emit_option.h"
#include "planner/report/peaks_values.h"
#include "planner/report/plan_values.h"
#include "planner/report/report_whatif_answer.h"
#include "planner/report/report_whatif_redo.h"
#include "planner/report/report_whatif_shape.h"
#include "planner/report/report_whatif_values.h"

#include <stdio.h>
#include <string.h>

/* --- the table -------------------------------------------------------------------------------- */

static bool is_changed(const struct whatif *w, const struct whatif_group *g)
{
    double base = g->average.base.total_mibps;
    if (g->planned >= w->plan.n_groups)
        return true;
    if (isnan(base))
        return !isnan(g->average.at[BOUND_CENTRAL].total_mibps);
    for (int b = 0; b < BOUND_COUNT; b++)
        if (fabs(g->average.at[b].total_mibps - base) > 1e-6 * fmax(1, base))
            return true;
    return false;
}

static void put_rate(struct emit *m, const char *key, double mibps, int decimals)
{
    char buf[48];
    emit_cell(m, key, "%s", unit_format(buf, mibps, decimals));
}

static void put_row(struct emit *m, const struct whatif *w, const struct whatif_group *g)
{
    char buf[48];
    const char *glyph = grade_glyph(g->peak_grade);
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_cell(m, "name", "%s", g->group->name);
    put_rate(m, "now", g->average.base.total_mibps, 1);
    put_rate(m, "lower", g->average.at[BOUND_LOWER].total_mibps, 1);
    put_rate(m, "central", g->average.at[BOUND_CENTRAL].total_mibps, 1);
    put_rate(m, "upper", g->average.at[BOUND_UPPER].total_mibps, 1);
    unit_format(buf, g->peak.base.total_mibps, 0);
    if (isnan(g->peak.base.total_mibps))
        emit_cell(m, "peak_now", "-");
    else
        emit_cell(m, "peak_now", "%s %s", glyph, buf);
    put_rate(m, "peak", g->peak.at[BOUND_CENTRAL].total_mibps, 0);
    put_rate(m, "peak_upper", g->peak.at[BOUND_UPPER].total_mibps, 0);
    if (g->planned < w->plan.n_groups)
        emit_chosen_cells(m, &w->plan.groups[g->planned]);
    emit_end(m);
}

static void say_groups(struct emit *m, const struct whatif *w)
{
    static const struct emit_col cols[] = {
        { "name", "group", true },         { "now", "now", false },
        { "lower", "lower", false },       { "central", "central", false },
        { "upper", "upper MiB/s", false }, { "peak_now", "peak now", false },
        { "peak", "then", false },         { "peak_upper", "upper", false },
        { "plan", "plan", true },          { "usd", "USD/month", false },
    };
    size_t same = 0;
    emit_table(m, "groups", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < w->n_groups; i++)
        if (is_changed(w, &w->groups[i]))
            put_row(m, w, &w->groups[i]);
        else
            same++;
    emit_end(m);
    if (same)
        emit_say(m, "%zu other group%s stay%s as %s.", same, same == 1 ? "" : "s",
                 same == 1 ? "s" : "", same == 1 ? "it is" : "they are");
}

/* MiB/s where they change, requests where they are cut. */
static void say_tables(struct emit *m, const struct whatif *w)
{
    bool cut = whatif_cuts_requests(w), bytes = !cut || whatif_moves_bytes(w);
    if (bytes)
        say_groups(m, w);
    if (bytes && cut)
        emit_say(m, "%s", "");
    if (cut)
        say_whatif_requests(m, w);
}

/* --- what follows ----------------------------------------------------------------------------- */

static const char *upper_words(enum whatif_holds h)
{
    switch (h) {
    case HOLDS:
        return "carries upper too, headroom included";
    case HOLDS_WITHIN_HEADROOM:
        return "carries upper too, within its headroom";
    default:
        return "does not carry upper: every standby reading a full copy from the files";
    }
}

static void say_upper(struct emit *m, const struct whatif *w)
{
    emit_label(m, "upper", "the plan is made for central; it %s", upper_words(w->carries_upper));
}

/* A standby that the primary feeds and that feeds nobody, or else any with a host; NULL. */
static const struct whatif_standby *plain_standby(const struct whatif *w)
{
    const struct whatif_standby *any = NULL;
    for (size_t i = 0; i < w->n_standbys; i++) {
        const struct whatif_standby *t = &w->standbys[i];
        if (!topology_reads_files(t->standby) || !t->host.name)
            continue;
        if (!topology_fed_by(&w->scenario->topology, t->standby->name))
            return t;
        any = any ? any : t;
    }
    return any;
}

static void say_cost(struct emit *m, const struct whatif *w)
{
    const struct whatif_standby *t = plain_standby(w);
    char then[48], now[48], here[48], upper[48], host[48], network[48], peak[48];
    emit_label(m, "costs", "%s USD a month for the volumes (the plan for today's load %s)",
               unit_format_usd(then, w->plan.total_microusd),
               unit_format_usd(now, w->base.total_microusd));
    if (!t)
        return;
    emit_label(m, "a standby",
               "fed by the primary costs %s USD a month here (upper: %s), %s on its own host, and "
               "%s Mbit/s of network (%s at the peak)",
               unit_format_usd(here, t->here_microusd),
               unit_format_usd(upper, t->here_upper_microusd),
               unit_format_usd(host, t->host.total_microusd),
               unit_format(network, t->network_mbps, 0),
               unit_format(peak, t->network_peak_mbps, 0));
}

/* What SYNC and FASTSYNC standbys add to a commit. */
static void say_commits(struct emit *m, const struct whatif *w)
{
    for (size_t i = 0; i < w->n_standbys; i++) {
        const struct whatif_standby *t = &w->standbys[i];
        char likely[48], upper[48];
        bool bounded = t->commit_added_ms.upper > t->commit_added_ms.central;
        if (t->standby->mode == REDO_ASYNC)
            continue;
        if (isnan(t->commit_added_ms.central))
            emit_label(m, "commit",
                       "%s (%s) makes every commit wait; give its rtt to know how long",
                       t->standby->name, redo_mode_name(t->standby->mode));
        else
            emit_label(m, "commit", "%s (%s) adds about %s ms to every commit%s%s%s",
                       t->standby->name, redo_mode_name(t->standby->mode),
                       unit_format(likely, t->commit_added_ms.central, 1),
                       bounded ? " (at most " : "",
                       bounded ? unit_format(upper, t->commit_added_ms.upper, 1) : "",
                       bounded ? ")" : "");
    }
}

/* Some standby that the primary feeds; NULL. */
static const struct standby *any_direct(const struct whatif *w, const struct standby *but)
{
    for (size_t i = 0; i < w->scenario->topology.n; i++) {
        const struct standby *t = &w->scenario->topology.at[i];
        if (t != but && t->measured && topology_reads_files(t))
            return t;
    }
    return NULL;
}

static void say_cascade(struct emit *m, const struct whatif *w)
{
    char low[48], high[48];
    if (!w->cascade_of)
        return;
    unit_format(low, w->cascade_saved_pct.lower, 0);
    unit_format(high, w->cascade_saved_pct.upper, 0);
    const struct standby *via = any_direct(w, NULL), *name = any_direct(w, via);
    if (w->cascaded)
        emit_label(
            m, "cascade",
            "%lld of the measured standbys fed by others: %s to %s %% of the reads from files "
            "are saved",
            (long long)w->cascaded, low, high);
    else if (via && name)
        emit_label(m, "cascade",
                   "feeding %lld of the measured standbys from others saves %s to %s %% of their "
                   "reads from files: --cascade %s=%s ...",
                   (long long)w->cascade_of, low, high, name->name, via->name);
}

/* What the log volumes do to commits.  Below a step of the simulation they are slower, no more. */
static void stall_words(char buf[280], const struct redo_sim_result *r)
{
    char stalled[48], backlog[48], delay[48], seconds[48];
    unit_format(stalled, (double)r->stalled_s, 0);
    unit_format(seconds, (double)r->seconds, 0);
    unit_format(delay, r->worst_delay_ms / 1000, r->worst_delay_ms < 1000 ? 2 : 1);
    unit_format(backlog, r->worst_backlog_mib, 0);
    if (!r->stalled_s)
        snprintf(buf, 280, "no commit waits for the log in all %s s", seconds);
    else if (r->worst_delay_ms < 1000)
        snprintf(buf, 280, "commits take up to %s s longer in %s of %s s", delay, stalled, seconds);
    else
        snprintf(buf, 280, "commits wait in %s of %s s, for up to %s s, behind %s MiB of redo",
                 stalled, seconds, delay, backlog);
}

static void say_simulation(struct emit *m, const char *label, const char *on,
                           const struct redo_simulation *s)
{
    char stalls[280], catch_up[80] = "", seconds[48], full[32];
    if (s->missing)
        return;
    if (s->outage_of && isfinite(s->catch_up_s))
        snprintf(catch_up, sizeof catch_up, "; %.20s catches up in %s s after %d s away",
                 s->outage_of, unit_format(seconds, s->catch_up_s, 0), OUTAGE_S);
    else if (s->outage_of)
        snprintf(catch_up, sizeof catch_up, "; %.20s does not catch up after %d s away",
                 s->outage_of, OUTAGE_S);
    stall_words(stalls, &s->result);
    emit_label(m, label, "on %s volumes %s%s%.20s%s%s%s%s", on, stalls,
               s->held_by ? ": the link of " : "", s->held_by ? s->held_by : "",
               s->held_by ? " (SYNC) carries less than is generated" : "", catch_up,
               s->full_at_ms == UNKNOWN ? "" : "; the archive group is full at ",
               s->full_at_ms == UNKNOWN ? "" : time_format_iso(full, s->full_at_ms));
}

static void say_simulations(struct emit *m, const struct whatif *w)
{
    const struct redo_simulation *s = &w->planned;
    char buffer[48];
    if (s->missing) {
        emit_label(m, "simulated", "not by the second: %s", s->missing);
        return;
    }
    if (w->scenario->n_windows || whatif_moves_time(w))
        emit_label(m, "redo alone", "is simulated, without windows and shifts");
    say_simulation(m, "simulated", "the planned", s);
    say_simulation(m, "and", "today's", &w->today);
    if (s->from_logs)
        emit_label(m, "redo by log",
                   "no device of a redo group was measured by the minute: each "
                   "archived log counts with its mean");
    if (s->by_average || s->buffer_assumed)
        emit_label(
            m, "links",
            "standbys that lag by their link: %lld, that read average copies (send_mibps unknown): "
            "%lld; log buffer %s MiB%s",
            (long long)s->by_link, (long long)s->by_average, unit_format(buffer, s->buffer_mib, 0),
            s->buffer_assumed ? " assumed" : "");
}

static void say_phases(struct emit *m, const struct whatif *w)
{
    char day[32], usd[48], changes[300];
    for (size_t i = 0; i < w->n_phases; i++) {
        const struct whatif_phase *p = &w->phases[i];
        whatif_changes_words(changes, sizeof changes, p->change->changes, p->change->n_changes);
        emit_label(m, "phase", "from %s: %s, %s USD a month%s", time_format_date(day, p->from_ms),
                   changes, unit_format_usd(usd, p->total_microusd),
                   p->status == PLAN_NONE ? " (no plan)" : "");
    }
    if (w->n_phases)
        emit_label(m, "phases", "%s USD in all, a month for the last one",
                   unit_format_usd(usd, w->phases_microusd));
}

static void say_rest(struct emit *m, const struct whatif *w)
{
    emit_say(m, "%s", "");
    say_whatif_shapes(m, w);
    say_upper(m, w);
    say_cost(m, w);
    say_commits(m, w);
    if (w->primary_host.name) {
        char usd[48];
        emit_label(m, "primary", "%s carries the primary's load: %s USD a month for its volumes",
                   w->primary_host.name, unit_format_usd(usd, w->primary_host.total_microusd));
    }
    say_redo(m, &w->plan);
    say_cascade(m, w);
    say_simulations(m, w);
    say_phases(m, w);
    say_joined(m, w->base.system, w->base.demand->joined, w->base.demand->n_joined);
    if (w->base.demand->n_joined)
        emit_label(m, "with", "a group changes as the target's own part of it does, all of it");
    emit_label(m, "next",
               "volplan whatif ... --json    volplan plan    volplan peaks --group NAME");
}

static void check(const struct plan *p)
{
    struct err e = { 0 };
    if (plan_check(p, &e))
        BUG(e.text);
}

static void say_refusal(struct emit *m, const struct whatif *w)
{
    emit_say(m, "%s: who reads the redo cannot be told: %s.", w->base.system, w->path->refused);
}

/* For machines: sentences that a page shows first. */
static void emit_verdict(struct emit *m, const struct whatif *w, struct arena *a)
{
    struct emit_words words;
    emit_words_init(&words, a);
    if (w->refused)
        say_refusal(&words.emit, w);
    else
        say_whatif_verdict(&words.emit, w);
    emit_words_list(m, "verdict", &words);
}

void report_whatif(struct emit *m, const struct whatif *w, struct arena *a)
{
    check(&w->base);
    if (w->refused) {
        say_refusal(m, w);
        say_redo(m, &w->base);
    } else {
        check(&w->plan);
        say_whatif_answer(m, w);
        if (w->plan.instance.verdict == INSTANCE_TOO_SMALL)
            say_whatif_host(m, w);
        emit_say(m, "%s", "");
    }
    if (!m->people)
        emit_verdict(m, w, a);
    emit_whatif_plans(m, w);
    if (m->people && !w->refused)
        say_tables(m, w);
    else
        emit_whatif_groups(m, w->groups, w->n_groups);
    emit_whatif_rest(m, w);
    if (!w->refused)
        say_rest(m, w);
}
