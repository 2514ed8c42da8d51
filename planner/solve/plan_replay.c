/* planner/solve/plan_replay.c - see plan_replay.h. */
#include "planner/solve/plan_replay.h"

#include "models/core/unit.h"
#include "planner/demand/percentile_demand.h"
#include "planner/replay/replay_demand.h"
#include "planner/replay/replay_system.h"
#include "planner/replay/replay_trial.h"
#include "planner/solve/plan_group.h"

#include <math.h>

/* The percentile whose price is told when no other is asked for. */
#define USUAL_PERCENTILE 99

bool plan_demand_over_time(const struct demand *d)
{
    return d->grade == GRADE_MEASURED || d->grade == GRADE_CENSORED;
}

/* --- the volumes of a group --------------------------------------------------------------------
 */

static int replay_chosen(const struct plan *p, const struct plan_group *g, double factor,
                         struct replay_result *out, struct err *e)
{
    const struct plan_options *o = &p->options_used;
    struct arena scratch = { 0 };
    struct replay_trial *t;
    int rc = replay_trial_open(&g->demand->points, factor, &scratch, &t, e);
    if (!rc && !replay_trial_spec(t, o->catalogue, &g->chosen.spec, plan_group_skew(g->demand),
                                  o->instance_type, o->as_of_ms, NULL, out))
        out->replayed_s = 0;
    arena_release(&scratch);
    return rc;
}

static bool is_sized_over_time(const struct plan *p, const struct plan_group *g)
{
    const struct plan_options *o = &p->options_used;
    bool asked = !isnan(o->percentile) || !isnan(o->max_throttled_s) || !isnan(o->max_delay_ms);
    return !g->kept && g->chosen.spec.count && g->demand->points.n &&
           plan_demand_over_time(&g->demand->demand) && (asked || g->chosen.by_replay);
}

int plan_replay_groups(const struct plan *p, struct plan_group *groups, struct err *e)
{
    for (size_t i = 0; i < p->n_groups; i++) {
        struct plan_group *g = &groups[i];
        struct replay_result measured = { .replayed_s = 0 }, more = { .replayed_s = 0 };
        if (!is_sized_over_time(p, g))
            continue;
        int rc = replay_chosen(p, g, 1, &measured, e);
        if (!rc)
            rc = replay_chosen(p, g, 1 + p->headroom_pct / 100, &more, e);
        if (rc)
            return rc;
        struct layout_volumes row = { g->chosen.spec, UNKNOWN };
        struct replay_group full;
        replay_group_at(p->options_used.catalogue, &row, 1, plan_group_skew(g->demand),
                        p->options_used.instance_type, p->as_of_ms, &full);
        g->replay = (struct plan_replay){
            .known = measured.replayed_s > 0,
            .throttled_s = measured.throttled_s,
            .worst_delay_ms = measured.worst_delay_ms,
            .headroom_throttled_s = more.throttled_s,
            .headroom_worst_delay_ms = more.worst_delay_ms,
            .lowest_credits_pct = 100 * measured.lowest_credits / full.credits,
            .end_credits_pct = 100 * measured.credits / full.credits,
        };
    }
    return 0;
}

/* --- the instance ------------------------------------------------------------------------------
 */

/* A load of factor times the demand waits for an instance as the demand does for one that is factor
 * times smaller. */
static struct replay_instance smaller(struct replay_instance i, double factor)
{
    i.baseline_mibps /= factor;
    i.max_mibps /= factor;
    i.baseline_iops /= factor;
    i.max_iops /= factor;
    return i;
}

static int replay_host(const struct load_points *points, const struct replay_instance *instance,
                       struct arena *scratch, struct replay_result *out, struct err *e)
{
    const bool counts_mib = false;
    struct replay_group any = replay_group_unknown();
    struct replay_era era = { 0, &any, *instance };
    struct replay_demand *d;
    struct replay *r;
    struct replay_block b;
    int rc = replay_demand_open(&points, &counts_mib, 1, scratch, &d, e);
    if (!rc)
        rc = replay_open(1, &era, 1, scratch, &r, e);
    if (rc)
        return rc;
    while (replay_demand_next(d, &b))
        replay_feed(r, &b);
    replay_instance_result(r, out);
    return 0;
}

int plan_replay_burst(const struct plan *p, struct plan_burst *out, struct err *e)
{
    static const enum replay_burst bounds[] = { REPLAY_BURST_MINUTES, REPLAY_BURST_CREDITS };
    const struct instance_caps *caps = &p->instance.caps;
    struct replay_result r[3];
    struct arena scratch = { 0 };
    int rc = 0;
    *out = (struct plan_burst){ .known = false };
    bool bursts = caps->max_mb_s > caps->baseline_mb_s || caps->max_iops > caps->baseline_iops;
    if (!bursts || !plan_demand_over_time(&p->demand->demand))
        return 0;
    for (size_t i = 0; i < 3 && !rc; i++) {
        struct replay_instance host =
            smaller(replay_instance_of(caps, 0, bounds[i % 2]), 1 + p->headroom_pct / 100);
        if (i == 2) {
            host.max_mibps = host.baseline_mibps;
            host.max_iops = host.baseline_iops;
        }
        rc = replay_host(&p->demand->points, &host, &scratch, &r[i], e);
    }
    arena_release(&scratch);
    if (!rc)
        *out = (struct plan_burst){ true, r[0].throttled_s, r[1].throttled_s, r[2].over_s };
    return rc;
}

/* --- the price of the peak ---------------------------------------------------------------------
 */

static bool counts_over_time(const struct system_demand *d, size_t i, const struct plan *p)
{
    return !p->groups[i].kept && plan_demand_over_time(&d->groups[i].demand);
}

/* The groups that were measured over time at a percentile, the others at their maximum. */
static int demand_at(const struct system_demand *measured, const struct plan *p, struct arena *a,
                     struct system_demand *out, struct err *e)
{
    int rc = percentile_demand(measured, USUAL_PERCENTILE, PERCENTILE_SIZING, a, out, e);
    if (rc)
        return rc;
    struct group_demand *groups = arena_array(a, out->n_groups + 1, sizeof *groups);
    if (!groups)
        return err_nomem(e);
    for (size_t i = 0; i < out->n_groups; i++)
        groups[i] = counts_over_time(measured, i, p) ? out->groups[i] : measured->groups[i];
    out->groups = groups;
    return 0;
}

/* Seconds in which any group waits for the volumes of a plan. */
static int throttled(const struct system_demand *measured, const struct plan *p, struct arena *a,
                     double *out_s, struct err *e)
{
    struct replay_volumes *volumes = arena_array(a, p->n_groups + 1, sizeof *volumes);
    struct layout_volumes *rows = arena_array(a, p->n_groups + 1, sizeof *rows);
    if (!volumes || !rows)
        return err_nomem(e);
    for (size_t i = 0; i < p->n_groups; i++) {
        rows[i] = (struct layout_volumes){ p->groups[i].chosen.spec, UNKNOWN };
        bool counts = counts_over_time(measured, i, p);
        volumes[i] = (struct replay_volumes){ &rows[i], counts ? 1 : 0,
                                              plan_group_skew(&measured->groups[i]), p->as_of_ms };
    }
    struct replay_question q = { .demand = measured,
                                 .catalogue = p->options_used.catalogue,
                                 .volumes = volumes };
    struct replay_system s;
    int rc = replay_system(&q, a, &s, e);
    if (!rc)
        *out_s = s.minutes.throttled_s;
    return rc;
}

static int price_in(struct arena *a, const struct system_demand *measured,
                    const struct plan_options *o, const struct plan *p, struct plan_peak_price *out,
                    struct err *e)
{
    bool tolerant = !isnan(o->max_throttled_s) || !isnan(o->max_delay_ms);
    bool asked = tolerant || !isnan(o->percentile);
    struct plan_options other = *o;
    struct system_demand d = *measured;
    struct plan with;
    other.figures_only = true;
    other.instance_auto = false;
    other.instance_type = p->instance.type ? p->instance.type->name : NULL;
    other.weighting = p->options_used.weighting;
    other.percentile = other.max_throttled_s = other.max_delay_ms = NAN;
    int rc = asked ? 0 : demand_at(measured, p, a, &d, e);
    if (!rc)
        rc = plan_build(&d, &other, a, &with, e);
    if (rc || with.total_microusd == UNKNOWN)
        return rc;
    const struct plan *cheaper = asked ? p : &with, *at_maximum = asked ? &with : p;
    struct plan_peak_price price = { .known = true,
                                     .percentile = tolerant ? NAN
                                                   : asked  ? o->percentile
                                                            : USUAL_PERCENTILE,
                                     .saving_microusd =
                                         at_maximum->total_microusd - cheaper->total_microusd };
    rc = throttled(measured, cheaper, a, &price.throttled_s, e);
    if (!rc)
        *out = price;
    return rc;
}

int plan_peak_price(const struct system_demand *measured, const struct plan_options *o,
                    const struct plan *p, struct plan_peak_price *out, struct err *e)
{
    struct arena scratch = { 0 };
    bool any = false;
    *out = (struct plan_peak_price){ .known = false };
    for (size_t i = 0; i < p->n_groups; i++)
        any |= counts_over_time(measured, i, p);
    if (!any || p->status == PLAN_NONE || p->total_microusd == UNKNOWN)
        return 0;
    int rc = price_in(&scratch, measured, o, p, out, e);
    arena_release(&scratch);
    return rc;
}
