/* planner/whatif/whatif_today.c - today's volumes under the load as it was and as it would be.
 *
 * Limit: of a group of which one disk lost its merges the replay has what the group needs (see
 * demand_change.h), so its instance passes more requests than it would. */
#include "planner/whatif/whatif_build.h"

#include "planner/replay/replay_system.h"

#include <math.h>

/* throttled_s[group]; NaN where the ceilings are not known. */
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
    for (size_t i = 0; i < d->n_groups && !rc; i++) {
        bool told = r.groups[i].known && d->groups[i].points.n;
        throttled_s[i] = told ? r.groups[i].minutes.throttled_s : NAN;
    }
    return rc;
}

int whatif_replay_today(const struct whatif_options *o, const struct scenario *s,
                        const struct system_demand *central, struct whatif_group *groups, size_t n,
                        struct err *e)
{
    struct arena scratch = { 0 };
    const struct system_demand *measured = s->measured;
    const char *type = measured->layout->instance_type;
    size_t room = measured->n_groups + central->n_groups;
    double *all = arena_array(&scratch, room ? room : 1, sizeof *all);
    if (!all)
        return err_nomem(e);
    for (size_t i = 0; i < room; i++)
        all[i] = NAN;
    double *was = all, *then = all + measured->n_groups;
    int rc = replay_today(measured, type, o, &scratch, was, e);
    if (!rc)
        rc =
            replay_today(central, s->instance_type ? s->instance_type : type, o, &scratch, then, e);
    for (size_t i = 0; i < n; i++) {
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
