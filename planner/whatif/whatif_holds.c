/* planner/whatif/whatif_holds.c - whether volumes of a plan carry another load than they were made
 * for.
 *
 * As they were sized: by their figures against the peak, or against the percentile that was planned
 * for; where they carry their own load by bursts, or by letting some of it wait, in replay. */
#include "planner/whatif/whatif_build.h"

#include "models/core/unit.h"
#include "planner/demand/percentile_demand.h"
#include "planner/replay/replay_trial.h"
#include "planner/solve/plan_group.h"
#include "planner/solve/plan_replay.h"

#include <math.h>

const char *whatif_holds_name(enum whatif_holds h)
{
    static const char *const names[] = { "no", "within headroom", "yes" };
    return names[h];
}

static double use_of(double needed, double offered)
{
    if (!(needed > 0))
        return 0;
    return offered > 0 ? needed / offered : INFINITY;
}

static enum whatif_holds by_figures(const struct size_option *o, const struct group_demand *d,
                                    double headroom_pct)
{
    double skew = d->group->skew > 1 ? d->group->skew : 1;
    bool hdd = o->spec.type == VOL_ST1 || o->spec.type == VOL_SC1;
    double mibps = d->demand.total_mibps;
    double iops = hdd ? fmax(d->total_iops, mibps) : fmax(d->demand.counted_iops, mibps * 4);
    if (!o->spec.count)
        return HOLDS_NOT;
    double use = fmax(use_of(iops * skew, o->group_max_iops),
                      use_of(mibps * skew, o->group_max_throughput_mibps)) *
                 (1 - 1e-9);
    if (use * (1 + headroom_pct / 100) <= 1)
        return HOLDS;
    return use <= 1 ? HOLDS_WITHIN_HEADROOM : HOLDS_NOT;
}

/* No more of the load waits than was allowed when the volumes were chosen. */
static int waits_within(const struct plan *p, const struct plan_group *g,
                        const struct group_demand *d, double factor, bool *out, struct err *e)
{
    const struct size_load *l = &g->size.options_used.load;
    const struct replay_limits limits = { l->max_throttled_s, l->max_delay_ms };
    struct arena scratch = { 0 };
    struct replay_trial *t;
    int rc = replay_trial_open(&d->points, factor, &scratch, &t, e);
    if (!rc)
        *out = replay_trial_spec(t, p->options_used.catalogue, &g->chosen.spec, plan_group_skew(d),
                                 p->options_used.instance_type, p->as_of_ms, &limits, NULL);
    arena_release(&scratch);
    return rc;
}

/* What is above a percentile is replayed too: the volumes hold if they hold with all of it. */
static int holds_group(const struct plan *p, const struct plan_group *g,
                       const struct group_demand *d, enum whatif_holds *out, struct err *e)
{
    *out = by_figures(&g->chosen, d, p->headroom_pct);
    if (*out == HOLDS || !g->chosen.by_replay || !plan_demand_over_time(&d->demand))
        return 0;
    bool waits[2] = { false, false };
    int rc = waits_within(p, g, d, 1, &waits[0], e);
    if (!rc && waits[0])
        rc = waits_within(p, g, d, 1 + p->headroom_pct / 100, &waits[1], e);
    if (!rc)
        *out = waits[1] ? HOLDS : waits[0] ? HOLDS_WITHIN_HEADROOM : *out;
    return rc;
}

static void lower_to(enum whatif_holds *h, enum whatif_holds other)
{
    *h = other < *h ? other : *h;
}

int whatif_holds_all(const struct plan *p, const struct system_demand *d, struct arena *scratch,
                     enum whatif_holds *out, struct err *e)
{
    struct system_demand at = *d;
    double pct = p->options_used.percentile;
    int rc = isnan(pct) ? 0 : percentile_demand(d, pct, PERCENTILE_SIZING, scratch, &at, e);
    enum whatif_holds h = HOLDS;
    for (size_t i = 0; i < p->n_groups && !rc; i++) {
        enum whatif_holds one = HOLDS_NOT;
        rc = holds_group(p, &p->groups[i], &at.groups[i], &one, e);
        lower_to(&h, one);
    }
    if (!rc)
        *out = h;
    return rc;
}

int whatif_base_holds(const struct whatif *w, enum whatif_holds *out, struct err *e)
{
    enum whatif_holds h = HOLDS;
    const struct scenario *s = w->scenario;
    for (size_t i = 0; i < w->plan.n_groups; i++) {
        const struct plan_group *today = &w->base.groups[s->from[i]];
        const struct volume_spec *v = &today->chosen.spec;
        enum whatif_holds one = HOLDS_NOT;
        bool is_new =
            s->layout.groups[i].log_member != UNKNOWN &&
            s->layout.groups[i].log_member != s->measured->layout->groups[s->from[i]].log_member;
        bool equal = v->size_gib != UNKNOWN; /* kept ones may differ in size */
        int64_t gib = equal ? v->size_gib * v->count : INT64_MAX;
        int rc = holds_group(&w->base, today, &w->plan.demand->groups[i], &one, e);
        if (rc)
            return rc;
        lower_to(&h, one);
        if (is_new || (!w->plan.groups[i].kept && gib < w->plan.groups[i].size.need_gib))
            h = HOLDS_NOT;
    }
    *out = h;
    return 0;
}
