/* planner/whatif/whatif_today.c - today's volumes under the load as it was and as it would be.
 *
 * Limit: of a group of which one disk lost its merges the replay has what the group needs (see
 * demand_change.h), so its instance passes more requests than it would. */
#include "planner/whatif/whatif_build.h"

#include "planner/replay/replay_system.h"

#include <math.h>

/* Whether the plan's own replay (plan_today.throttled_s) is that of this demand under these
 * options: on the layout's instance, which has no weighting there. */
static bool plan_tells(const struct plan *p, const struct system_demand *d,
                       const struct whatif_options *o)
{
    return p->demand->groups == d->groups && !p->options_used.figures_only &&
           o->plan.weighting == WEIGHTING_DEFAULT;
}

static void take_told(const struct plan *p, double *throttled_s)
{
    for (size_t i = 0; i < p->n_groups; i++)
        throttled_s[i] = p->groups[i].today.throttled_s;
}

/* throttled_s[group]; NaN where the ceilings are not known, or nothing was measured. */
static int replay_today(const struct system_demand *d, const char *instance_type,
                        const struct whatif_options *o, struct arena *scratch, double *throttled_s,
                        struct err *e)
{
    const struct catalogue *c = o->plan.catalogue;
    struct replay_question q = { .demand = d, .catalogue = c, .weighting = o->plan.weighting };
    struct replay_system r;
    if (d->n_groups > REPLAY_GROUPS_MAX)
        return 0;
    if (instance_type)
        q.instance = instance_find(c, span_of(instance_type));
    int rc = replay_system(&q, scratch, &r, e);
    for (size_t i = 0; i < d->n_groups && !rc; i++)
        if (replay_group_told(&r.groups[i]))
            throttled_s[i] = r.groups[i].minutes.throttled_s;
    return rc;
}

int whatif_replay_today(const struct whatif *w, const struct system_demand *central,
                        struct whatif_group *groups, struct err *e)
{
    struct arena scratch = { 0 };
    const struct whatif_options *o = w->options;
    const struct scenario *s = w->scenario;
    const struct system_demand *measured = s->measured;
    int rc = 0;
    const char *type = measured->layout->instance_type;
    size_t room = measured->n_groups + central->n_groups;
    double *all = arena_array(&scratch, room ? room : 1, sizeof *all);
    if (!all)
        return err_nomem(e);
    for (size_t i = 0; i < room; i++)
        all[i] = NAN;
    double *was = all, *then = all + measured->n_groups;
    if (plan_tells(&w->base, measured, o))
        take_told(&w->base, was);
    else
        rc = replay_today(measured, type, o, &scratch, was, e);
    if (!s->instance_type && plan_tells(&w->plan, central, o))
        take_told(&w->plan, then);
    else if (!rc)
        rc =
            replay_today(central, s->instance_type ? s->instance_type : type, o, &scratch, then, e);
    for (size_t i = 0; i < w->n_groups; i++) {
        bool planned = groups[i].planned < central->n_groups;
        bool is_today = !isnan(groups[i].peak.base.counted_iops) || !planned;
        groups[i].throttled_now_s = groups[i].throttled_s = NAN;
        for (size_t m = 0; m < measured->n_groups && is_today; m++)
            if (planned ? s->from[groups[i].planned] == m
                        : groups[i].group == &measured->layout->groups[m])
                groups[i].throttled_now_s = was[m];
        if (planned && is_today)
            groups[i].throttled_s = then[groups[i].planned];
    }
    arena_release(&scratch);
    return rc;
}
