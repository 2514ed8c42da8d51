/* planner/report/plan_values.c - see plan_values.h.
 *
 * Keys whose analysis does not exist yet are null, or an empty list: the contract keeps them. */
#include "planner/report/plan_values.h"

#include "planner/report/emit_findings.h"
#include "planner/report/emit_option.h"
#include "planner/report/emit_others.h"
#include "planner/report/peaks_values.h"
#include "planner/report/plan_notes.h"
#include "planner/report/report_plan_replay.h"
#include "planner/report/report_whatif_redo.h"

#include <string.h>

static void emit_demand(struct emit *m, const struct demand *d)
{
    emit_begin(m, "demand", EMIT_OBJECT);
    emit_num(m, "read_mibps", UNIT_MIBPS, d->read_mibps);
    emit_num(m, "write_mibps", UNIT_MIBPS, d->write_mibps);
    emit_num(m, "total_mibps", UNIT_MIBPS, d->total_mibps);
    emit_num(m, "read_iops", UNIT_IOPS, d->read_iops);
    emit_num(m, "write_iops", UNIT_IOPS, d->write_iops);
    emit_num(m, "counted_iops", UNIT_IOPS, d->counted_iops);
    emit_num(m, "counted_iops_high", UNIT_IOPS, d->counted_iops_high);
    emit_text(m, "grade", grade_name(d->grade));
    emit_time(m, "time_of_max", d->time_of_max_ms);
    emit_num(m, "low", UNIT_MIBPS, d->low_mibps);
    emit_num(m, "high", UNIT_MIBPS, d->high_mibps);
    emit_end(m);
}

static void emit_steps(struct emit *m, const struct plan_group *g)
{
    emit_begin(m, "steps_up", EMIT_LIST);
    for (size_t i = 0; i < g->n_steps_up; i++) {
        const struct plan_step *s = &g->steps_up[i];
        char spec[96];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "spec", volume_spec_format(spec, &s->option.spec));
        emit_spec_values(m, &s->option.spec);
        emit_usd(m, "total_usd", s->option.total_microusd);
        emit_num(m, "group_max_throughput_mibps", UNIT_MIBPS, s->option.group_max_throughput_mibps);
        emit_num(m, "carries_mibps", UNIT_MIBPS, s->carries_mibps);
        emit_text(m, "stop_when", s->stop_when);
        emit_end(m);
    }
    emit_end(m);
}

static void emit_chosen(struct emit *m, const struct plan_group *g)
{
    if (!g->chosen.spec.count) {
        emit_null(m, "chosen");
        return;
    }
    emit_begin(m, "chosen", EMIT_OBJECT);
    emit_option_values(m, &g->chosen);
    emit_bool(m, "kept", g->kept);
    emit_end(m);
}

static void emit_today(struct emit *m, const struct plan_group *g)
{
    const struct plan_today *t = &g->today;
    if (!t->known) {
        emit_null(m, "today");
        return;
    }
    emit_begin(m, "today", EMIT_OBJECT);
    emit_spec_values(m, &t->spec);
    emit_num(m, "group_max_iops", UNIT_IOPS, t->group_max_iops);
    emit_num(m, "group_max_throughput_mibps", UNIT_MIBPS, t->group_max_throughput_mibps);
    emit_text(m, "binding", ceiling_name(t->binding));
    emit_usd(m, "total_usd", t->total_microusd);
    emit_usd(m, "rank_usd", t->rank_microusd);
    emit_bool(m, "carries", t->carries);
    emit_num(m, "throttled_s", UNIT_S, t->throttled_s);
    emit_begin(m, "volumes", EMIT_LIST);
    for (size_t i = 0; i < g->group->n_volumes; i++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_spec_values(m, &g->group->volumes[i].spec);
        emit_end(m);
    }
    emit_end(m);
    emit_end(m);
}

static void emit_censored_by(struct emit *m, unsigned flags)
{
    static const struct {
        unsigned flag;
        enum ceiling ceiling;
    } kinds[] = {
        { POINT_CENSORED_THROUGHPUT, CEILING_THROUGHPUT },
        { POINT_CENSORED_IOPS, CEILING_IOPS },
        { POINT_CENSORED_WAITS, CEILING_WAITS },
    };
    emit_begin(m, "censored_by", EMIT_LIST);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (flags & kinds[i].flag)
            emit_text(m, NULL, ceiling_name(kinds[i].ceiling));
    if (flags & POINT_HOT_VOLUME)
        emit_text(m, NULL, "hot_volume");
    emit_end(m);
}

static void emit_average(struct emit *m, const struct plan_redo_group *r)
{
    if (!r) {
        emit_null(m, "average");
        return;
    }
    emit_begin(m, "average", EMIT_OBJECT);
    emit_num(m, "read_mibps", UNIT_MIBPS, r->average_read_mibps);
    emit_num(m, "write_mibps", UNIT_MIBPS, r->average_write_mibps);
    emit_num(m, "total_mibps", UNIT_MIBPS, r->average_read_mibps + r->average_write_mibps);
    emit_end(m);
}

static void emit_switch(struct emit *m, const struct log_switch *s)
{
    emit_num(m, "fill_s", UNIT_S, s->fill_s);
    emit_num(m, "archive_s", UNIT_S, s->archive_s);
    if (s->archiver_keeps_up < 0)
        emit_null(m, "archiver_keeps_up");
    else
        emit_bool(m, "archiver_keeps_up", s->archiver_keeps_up);
}

static void emit_log_switch(struct emit *m, const struct plan_redo_group *r)
{
    if (!r || !r->holds_logs) {
        emit_null(m, "log_switch");
        return;
    }
    emit_begin(m, "log_switch", EMIT_OBJECT);
    emit_num(m, "redo_mibps", UNIT_MIBPS, r->redo_mibps);
    emit_switch(m, &r->average);
    emit_begin(m, "at_peak", EMIT_OBJECT);
    emit_num(m, "redo_mibps", UNIT_MIBPS, r->peak_redo_mibps);
    emit_switch(m, &r->peak);
    emit_end(m);
    emit_end(m);
}

void emit_plan_group(struct emit *m, const struct plan *p, size_t i)
{
    const struct plan_group *g = &p->groups[i];
    const struct plan_redo_group *redo = p->redo_groups ? &p->redo_groups[i] : NULL;
    emit_text(m, "name", g->group->name);
    emit_text(m, "role", group_role_name(g->group->role));
    emit_demand(m, &g->demand->demand);
    emit_average(m, redo);
    emit_num(m, "peak_factor", UNIT_RATIO, g->demand->peak_factor);
    emit_num(m, "guest_iops_at_peak", UNIT_IOPS, g->demand->peak_total_iops);
    emit_bool(m, "lower_bound", g->lower_bound);
    emit_censored_by(m, g->demand->censored_by);
    emit_num(m, "ceiling_s", UNIT_S, g->demand->ceiling_seconds);
    emit_hot_volume(m, g->demand);
    emit_steps(m, g);
    emit_chosen(m, g);
    emit_group_notes(m, g);
    emit_replay(m, &g->replay);
    emit_today(m, g);
    emit_options(m, "alternatives", g->size.options, g->size.n_options, &g->chosen.spec);
    emit_rejected(m, g->size.rejected, g->size.n_rejected);
    emit_others(m, g->others, g->n_others);
    emit_log_switch(m, redo);
}

static void emit_plan_certificate(struct emit *m, const struct plan *p)
{
    char spec[96];
    if (p->status != PLAN_NONE) {
        emit_null(m, "certificate");
        return;
    }
    emit_begin(m, "certificate", EMIT_OBJECT);
    emit_text(m, "group", p->certificate.group);
    emit_text(m, "ceiling", ceiling_name(p->certificate.ceiling));
    emit_num(m, "demand", UNIT_NONE, p->certificate.demand);
    emit_num(m, "offered", UNIT_NONE, p->certificate.offered);
    emit_text(m, "nearest",
              p->certificate.nearest.count ? volume_spec_format(spec, &p->certificate.nearest)
                                           : NULL);
    emit_end(m);
}

const char *instance_verdict_name(enum instance_verdict v)
{
    static const char *const names[] = { NULL, "fits", "too_small", "burst" };
    return names[v];
}

static void emit_plan_instance(struct emit *m, const struct plan_instance *i)
{
    static const char *const weightings[] = { "default", "ebs-1", "vpc-1" };
    emit_begin(m, "instance", EMIT_OBJECT);
    emit_text(m, "type", i->type ? i->type->name : NULL);
    emit_text(m, "verdict", instance_verdict_name(i->verdict));
    emit_text(m, "ceiling", i->ceiling ? ceiling_name(i->ceiling) : NULL);
    emit_burst(m, &i->burst);
    emit_num(m, "baseline_throughput_mb_s", UNIT_MB_S, i->caps.baseline_mb_s);
    emit_num(m, "baseline_iops", UNIT_IOPS, i->caps.baseline_iops);
    emit_num(m, "demand_mb_s", UNIT_MB_S, i->demand_mb_s);
    emit_num(m, "demand_iops", UNIT_IOPS, i->demand_iops);
    emit_text(m, "grade", grade_name(i->grade));
    emit_bool(m, "lower_bound", i->lower_bound);
    emit_int(m, "attachments", UNIT_COUNT, i->attachments);
    emit_int(m, "max_attachments", UNIT_COUNT, i->caps.volumes);
    emit_usd(m, "instance_usd", i->monthly_microusd);
    emit_text(m, "weighting", i->type ? weightings[i->weighting] : NULL);
    emit_num(m, "ebs_card_use_pct", UNIT_PCT, i->card_use * 100);
    emit_bool(m, "ebs_1_fits", i->ebs_1_fits);
    emit_text(m, "larger_of_family", i->larger_of_family ? i->larger_of_family->name : NULL);
    emit_text(m, "larger_type", i->larger ? i->larger->name : NULL);
    if (i->automatic) {
        emit_begin(m, "auto", EMIT_OBJECT);
        emit_int(m, "tried", UNIT_COUNT, (int64_t)i->n_tried);
        emit_int(m, "pruned", UNIT_COUNT, (int64_t)i->n_pruned);
        emit_usd(m, "objective_usd", i->objective_microusd);
        emit_end(m);
    } else
        emit_null(m, "auto");
    emit_end(m);
}

static void emit_pareto(struct emit *m, const struct plan *p)
{
    emit_begin(m, "pareto", EMIT_LIST);
    for (size_t i = 0; i < p->n_pareto; i++) {
        const struct plan_point *point = &p->pareto[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_usd(m, "total_usd", point->total_microusd);
        emit_num(m, "headroom_pct", UNIT_PCT, point->headroom_pct);
        emit_int(m, "count", UNIT_COUNT, point->count);
        emit_usd(m, "rank_usd", point->rank_microusd);
        char only[96];
        const struct volume_spec *first = &point->options[0].spec;
        emit_text(m, "spec",
                  p->n_groups == 1 && first->count ? volume_spec_format(only, first) : NULL);
        emit_begin(m, "groups", EMIT_LIST);
        for (size_t g = 0; g < p->n_groups; g++) {
            const struct volume_spec *v = &point->options[g].spec;
            char spec[96];
            emit_begin(m, NULL, EMIT_OBJECT);
            emit_text(m, "name", p->groups[g].group->name);
            emit_text(m, "spec", v->count ? volume_spec_format(spec, v) : "keep");
            emit_end(m);
        }
        emit_end(m);
        emit_end(m);
    }
    emit_end(m);
}

void emit_plan_head(struct emit *m, const struct plan *p)
{
    emit_text(m, "system", p->system);
    emit_date(m, "as_of", p->as_of_ms);
    emit_date(m, "price_as_of", p->price_as_of_ms);
    emit_text(m, "region", p->region);
    emit_text(m, "status", plan_status_name(p->status));
    emit_num(m, "headroom_pct", UNIT_PCT, p->headroom_pct);
    emit_sized_for(m, &p->options_used);
    emit_usd(m, "per_volume_usd", p->options_used.per_volume_microusd);
}

void emit_plan_tail(struct emit *m, const struct plan *p)
{
    emit_plan_certificate(m, p);
    emit_pareto(m, p);
    emit_peak_price(m, &p->peak_price);
    emit_plan_instance(m, &p->instance);
    emit_calibration(m, p->redo);
    emit_usd(m, "total_usd", p->total_microusd);
    emit_usd(m, "today_usd", p->today_microusd);
    emit_usd(m, "under_today_usd", p->under_today ? p->under_today->total_microusd : UNKNOWN);
    emit_findings(m, p->findings, p->n_findings);
}

void emit_chosen_cells(struct emit *m, const struct plan_group *g)
{
    char spec[96], usd[48];
    bool some = g->chosen.spec.count > 0;
    emit_cell(m, "plan", "%s",
              !some     ? "none"
              : g->kept ? "keep"
                        : volume_spec_format(spec, &g->chosen.spec));
    emit_cell(m, "usd", "%s", unit_format_usd(usd, some ? g->chosen.total_microusd : UNKNOWN));
}

bool plan_pack_differs(const struct plan *p, size_t i)
{
    const struct size_option *c = &p->groups[i].chosen;
    const struct size_option *t = &p->under_today->groups[i].chosen;
    char spec[96], today[96];
    return strcmp(volume_spec_format(spec, &c->spec), volume_spec_format(today, &t->spec)) != 0 ||
           c->total_microusd != t->total_microusd;
}

void emit_pack_difference_group(struct emit *m, const struct plan *p, size_t i)
{
    const struct size_option *c = &p->groups[i].chosen;
    const struct size_option *t = &p->under_today->groups[i].chosen;
    char spec[96], today[96];
    volume_spec_format(spec, &c->spec);
    volume_spec_format(today, &t->spec);
    if (!plan_pack_differs(p, i))
        return;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "name", p->groups[i].group->name);
    emit_text(m, "spec", c->spec.count ? spec : NULL);
    emit_usd(m, "total_usd", c->spec.count ? c->total_microusd : UNKNOWN);
    emit_text(m, "today_spec", t->spec.count ? today : NULL);
    emit_usd(m, "today_total_usd", t->spec.count ? t->total_microusd : UNKNOWN);
    emit_end(m);
}

void emit_plan(struct emit *m, const char *key, const struct plan *p)
{
    emit_begin(m, key, EMIT_OBJECT);
    emit_plan_head(m, p);
    emit_begin(m, "groups", EMIT_LIST);
    for (size_t i = 0; i < p->n_groups; i++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_plan_group(m, p, i);
        emit_end(m);
    }
    emit_end(m);
    emit_plan_tail(m, p);
    emit_end(m);
}
