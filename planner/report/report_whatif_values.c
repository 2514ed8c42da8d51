/* planner/report/report_whatif_values.c - see report_whatif_values.h. */
#include "planner/report/report_whatif_values.h"

#include "planner/report/emit_option.h"
#include "planner/report/plan_values.h"
#include "planner/report/report_whatif_redo.h"

#include <string.h>

static const char *const bound_keys[BOUND_COUNT] = { "lower", "central", "upper" };

/* --- groups ----------------------------------------------------------------------------------- */

static void emit_rate_values(struct emit *m, const struct whatif_rates *r)
{
    emit_num(m, "read_mibps", UNIT_MIBPS, r->read_mibps);
    emit_num(m, "write_mibps", UNIT_MIBPS, r->write_mibps);
    emit_num(m, "total_mibps", UNIT_MIBPS, r->total_mibps);
    emit_num(m, "counted_iops", UNIT_IOPS, r->counted_iops);
}

static void emit_rates(struct emit *m, const char *key, const struct whatif_rates *r)
{
    emit_begin(m, key, EMIT_OBJECT);
    emit_rate_values(m, r);
    emit_end(m);
}

/* Rates, and how long today's volumes make them wait. */
static void emit_replayed(struct emit *m, const char *key, const struct whatif_rates *r,
                          double throttled_s)
{
    emit_begin(m, key, EMIT_OBJECT);
    emit_rate_values(m, r);
    emit_num(m, "throttled_s", UNIT_S, throttled_s);
    emit_end(m);
}

static void emit_loads(struct emit *m, const struct whatif_loads *l)
{
    emit_rates(m, "base", &l->base);
    for (int b = 0; b < BOUND_COUNT; b++)
        emit_rates(m, bound_keys[b], &l->at[b]);
}

static void emit_row(struct emit *m, const struct whatif_group *g, bool peak)
{
    const struct whatif_loads *l = peak ? &g->peak : &g->average;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "name", g->group->name);
    emit_text(m, "role", group_role_name(g->group->role));
    emit_text(m, "basis", peak ? "peak" : "average");
    emit_text(m, "grade", grade_name(peak ? g->peak_grade : GRADE_AVERAGED));
    emit_num(m, "now_mibps", UNIT_MIBPS, l->base.total_mibps);
    emit_num(m, "lower_mibps", UNIT_MIBPS, l->at[BOUND_LOWER].total_mibps);
    emit_num(m, "central_mibps", UNIT_MIBPS, l->at[BOUND_CENTRAL].total_mibps);
    emit_num(m, "upper_mibps", UNIT_MIBPS, l->at[BOUND_UPPER].total_mibps);
    if (peak) {
        emit_replayed(m, "base", &l->base, g->throttled_now_s);
        emit_rates(m, "lower", &l->at[BOUND_LOWER]);
        emit_replayed(m, "central", &l->at[BOUND_CENTRAL], g->throttled_s);
        emit_rates(m, "upper", &l->at[BOUND_UPPER]);
    } else {
        emit_loads(m, l);
    }
    emit_end(m);
}

void emit_whatif_groups(struct emit *m, const struct whatif_group *groups, size_t n)
{
    static const struct emit_col cols[] = { { "name", "group", true } };
    emit_table(m, "groups", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < n; i++)
        for (int peak = 0; peak < 2; peak++)
            emit_row(m, &groups[i], peak);
    emit_end(m);
}

/* --- standbys --------------------------------------------------------------------------------- */

static void emit_host(struct emit *m, const char *key, const struct whatif_host *h)
{
    if (!h->name) {
        emit_null(m, key);
        return;
    }
    emit_begin(m, key, EMIT_OBJECT);
    emit_text(m, "name", h->name);
    emit_text(m, "status", plan_status_name(h->status));
    emit_begin(m, "groups", EMIT_LIST);
    for (size_t i = 0; i < h->n_groups; i++) {
        const struct whatif_host_group *g = &h->groups[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", g->group->name);
        emit_text(m, "role", group_role_name(g->group->role));
        for (int b = 0; b < BOUND_COUNT; b++)
            emit_rates(m, bound_keys[b], &g->average[b]);
        emit_rates(m, "peak", &g->peak);
        if (g->spec.count) {
            emit_begin(m, "chosen", EMIT_OBJECT);
            emit_spec_values(m, &g->spec);
            emit_end(m);
        } else {
            emit_null(m, "chosen");
        }
        emit_usd(m, "total_usd", g->total_microusd);
        emit_end(m);
    }
    emit_end(m);
    emit_usd(m, "total_usd", h->total_microusd);
    emit_end(m);
}

static void emit_brings(struct emit *m, const struct whatif *w, const struct whatif_standby *t)
{
    const struct scenario *s = w->scenario;
    emit_begin(m, "groups", EMIT_LIST);
    for (size_t g = 0; g < s->layout.n_groups; g++) {
        if (!path_share_any(&s->shares[g]))
            continue;
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", s->layout.groups[g].name);
        for (int b = 0; b < BOUND_COUNT; b++) {
            emit_begin(m, bound_keys[b], EMIT_OBJECT);
            emit_num(m, "read_mibps", UNIT_MIBPS, t->brings[g][b].read_mibps);
            emit_num(m, "write_mibps", UNIT_MIBPS, t->brings[g][b].write_mibps);
            emit_end(m);
        }
        emit_end(m);
    }
    emit_end(m);
}

static void emit_range(struct emit *m, const char *key, enum unit unit, const struct redo_range *r)
{
    emit_begin(m, key, EMIT_OBJECT);
    emit_num(m, "lower", unit, r->lower);
    emit_num(m, "central", unit, r->central);
    emit_num(m, "upper", unit, r->upper);
    emit_end(m);
}

static void emit_standbys(struct emit *m, const struct whatif *w)
{
    emit_begin(m, "standbys", EMIT_LIST);
    for (size_t i = 0; i < w->n_standbys; i++) {
        const struct whatif_standby *t = &w->standbys[i];
        const struct standby *s = t->standby;
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", s->name);
        emit_text(m, "mode", redo_mode_name(s->mode));
        emit_text(m, "via", s->link.via);
        emit_bool(m, "far_sync", s->far_sync);
        emit_bool(m, "measured", s->measured);
        emit_brings(m, w, t);
        emit_num(m, "network_mbps", UNIT_MBPS, t->network_mbps);
        emit_num(m, "network_peak_mbps", UNIT_MBPS, t->network_peak_mbps);
        emit_range(m, "commit_added_ms", UNIT_MS, &t->commit_added_ms);
        emit_host(m, "standby_host", &t->host);
        emit_usd(m, "per_standby_usd", t->here_microusd);
        emit_usd(m, "per_standby_upper_usd", t->here_upper_microusd);
        emit_end(m);
    }
    emit_end(m);
    emit_host(m, "primary_host", &w->primary_host);
}

/* --- simulation and phases -------------------------------------------------------------------- */

static void emit_simulation(struct emit *m, const char *key, const struct redo_simulation *s,
                            bool refused)
{
    if (refused || s->missing) {
        emit_null(m, key);
        return;
    }
    const struct redo_sim_result *r = &s->result;
    emit_begin(m, key, EMIT_OBJECT);
    emit_int(m, "stalled_s", UNIT_S, r->stalled_s);
    emit_num(m, "worst_backlog_mib", UNIT_MIB, r->worst_backlog_mib);
    emit_num(m, "worst_delay_ms", UNIT_MS, r->worst_delay_ms);
    emit_num(m, "catch_up_s", UNIT_S, s->catch_up_s);
    emit_text(m, "outage_of", s->outage_of);
    emit_int(m, "outage_s", UNIT_S, s->outage_of ? OUTAGE_S : UNKNOWN);
    emit_time(m, "archive_group_full_at", s->full_at_ms);
    emit_int(m, "seconds", UNIT_S, r->seconds);
    emit_time(m, "begin_time", s->begin_ms);
    emit_time(m, "end_time", s->end_ms);
    emit_text(m, "redo_from", s->from_logs ? "archived logs" : "devices");
    emit_text(m, "held_by", s->held_by);
    emit_int(m, "log_wait_s", UNIT_S, r->log_wait_s);
    emit_int(m, "log_switches", UNIT_COUNT, r->log_switches);
    emit_num(m, "redo_max_mibps", UNIT_MIBPS, r->redo_max_mibps);
    emit_num(m, "archive_max_mibps", UNIT_MIBPS, r->archive_max_mibps);
    emit_int(m, "redo_ceiling_s", UNIT_S, r->redo_ceiling_s);
    emit_int(m, "archive_ceiling_s", UNIT_S, r->archive_ceiling_s);
    emit_num(m, "worst_unarchived_mib", UNIT_MIB, r->worst_unarchived_mib);
    emit_num(m, "worst_lag_mib", UNIT_MIB, r->worst_lag_mib);
    emit_num(m, "worst_lag_s", UNIT_S, r->worst_age_s);
    emit_num(m, "written_mib", UNIT_MIB, r->written_mib);
    emit_num(m, "buffer_mib", UNIT_MIB, s->buffer_mib);
    emit_bool(m, "buffer_assumed", s->buffer_assumed);
    emit_int(m, "standbys_by_link", UNIT_COUNT, s->by_link);
    emit_int(m, "standbys_by_average", UNIT_COUNT, s->by_average);
    emit_end(m);
}

static void emit_phase(struct emit *m, const struct whatif_phase *p)
{
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_date(m, "from", p->from_ms);
    emit_date(m, "until", p->until_ms);
    emit_begin(m, "changes", EMIT_LIST);
    for (size_t i = 0; i < p->change->n_changes; i++)
        emit_text(m, NULL, p->change->changes[i].text);
    emit_end(m);
    emit_text(m, "status", plan_status_name(p->status));
    emit_begin(m, "groups", EMIT_LIST);
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct whatif_group *g = &p->groups[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", g->group->name);
        emit_begin(m, "average", EMIT_OBJECT);
        emit_loads(m, &g->average);
        emit_end(m);
        emit_begin(m, "peak", EMIT_OBJECT);
        emit_loads(m, &g->peak);
        emit_end(m);
        if (g->planned < p->n_plans && p->plans[g->planned].spec.count) {
            emit_begin(m, "chosen", EMIT_OBJECT);
            emit_spec_values(m, &p->plans[g->planned].spec);
            emit_usd(m, "total_usd", p->plans[g->planned].total_microusd);
            emit_end(m);
        } else {
            emit_null(m, "chosen");
        }
        emit_end(m);
    }
    emit_end(m);
    emit_text(m, "carries_upper", whatif_holds_name(p->carries_upper));
    emit_usd(m, "total_usd", p->total_microusd);
    emit_end(m);
}

static void emit_cascade(struct emit *m, const struct whatif *w)
{
    if (w->refused || !w->cascade_of) {
        emit_null(m, "cascade");
        return;
    }
    emit_begin(m, "cascade", EMIT_OBJECT);
    emit_int(m, "cascaded", UNIT_COUNT, w->cascaded);
    emit_int(m, "of", UNIT_COUNT, w->cascade_of);
    emit_range(m, "saved_pct", UNIT_PCT, &w->cascade_saved_pct);
    emit_end(m);
}

/* --- all of it -------------------------------------------------------------------------------- */

void emit_whatif_plans(struct emit *m, const struct whatif *w)
{
    emit_text(m, "system", w->base.system);
    emit_begin(m, "changes", EMIT_LIST);
    for (size_t i = 0; i < w->n_changes; i++)
        emit_text(m, NULL, w->changes[i].text);
    emit_end(m);
    emit_plan(m, "base", &w->base);
    if (w->refused)
        emit_null(m, "scenario");
    else
        emit_plan(m, "scenario", &w->plan);
    emit_text(m, "base_holds", w->refused ? NULL : whatif_holds_name(w->base_holds));
    emit_text(m, "carries_upper", w->refused ? NULL : whatif_holds_name(w->carries_upper));
    emit_calibration(m, w->path);
}

void emit_whatif_rest(struct emit *m, const struct whatif *w)
{
    emit_standbys(m, w);
    emit_cascade(m, w);
    emit_simulation(m, "simulation", &w->planned, w->refused);
    emit_simulation(m, "simulation_today", &w->today, w->refused);
    emit_text(m, "simulation_missing", w->refused ? NULL : w->planned.missing);
    emit_begin(m, "phases", EMIT_LIST);
    for (size_t i = 0; i < w->n_phases; i++)
        emit_phase(m, &w->phases[i]);
    emit_end(m);
    emit_usd(m, "phases_total_usd", w->n_phases ? w->phases_microusd : UNKNOWN);
}
