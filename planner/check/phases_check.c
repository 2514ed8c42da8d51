/* planner/check/phases_check.c - see phases_check.h. */
#include "planner/check/phases_check.h"

#include "models/core/unit.h"
#include "planner/check/plan_check.h"

#include <math.h>
#include <string.h>

static int check_carries(const struct phase_group *g, struct err *e)
{
    const struct phase_choice *c = &g->choice;
    const struct size_need *need = &c->size.need;
    if (c->kept || !c->option.spec.count)
        return 0;
    if (c->size.n_options_total < 1 || c->option.spec.size_gib != c->size.options[0].spec.size_gib)
        return err_set(e, ERR_NO, "the volumes are not what was asked for");
    if (need->size_gib < g->apart->size.need.size_gib ||
        need->throughput_mibps < g->apart->size.need.throughput_mibps * (1 - 1e-9) ||
        need->counted_iops < g->apart->size.need.counted_iops * (1 - 1e-9))
        return err_set(e, ERR_NO, "less was asked for than the phase needs");
    return size_check(&c->size, e);
}

/* A volume that is there keeps at least its size. */
static int check_shrinks(const struct plan_phase *before, const struct phase_group *g,
                         struct err *e)
{
    for (size_t i = 0; i < before->n_groups; i++) {
        const struct phase_group *was = &before->groups[i];
        if (strcmp(was->apart->group->name, g->apart->group->name) != 0 || was->choice.kept)
            continue;
        const struct volume_spec *old = &was->choice.option.spec, *new = &g->choice.option.spec;
        if (g->choice.added < new->count && old->size_gib > new->size_gib)
            return err_set(e, ERR_NO, "a volume shrinks from %lld to %lld GiB",
                           (long long)old->size_gib, (long long)new->size_gib);
        if (new->count + g->choice.removed != old->count + g->choice.added &&new->count &&
            g->choice.added < new->count)
            return err_set(e, ERR_NO, "volumes come from nowhere");
    }
    return 0;
}

int phases_check(const struct plan_phases *p, struct err *e)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct plan_phase *phase = &p->at[i];
        int64_t month = 0;
        if (i && phase->change->from_ms != p->at[i - 1].until_ms)
            return err_set(e, ERR_NO, "phase %zu does not follow the one before", i);
        for (size_t g = 0; g < phase->n_groups; g++) {
            int rc = check_carries(&phase->groups[g], e);
            if (!rc && i)
                rc = check_shrinks(&p->at[i - 1], &phase->groups[g], e);
            if (rc)
                return err_prefix(e, "phase %zu: %.80s", i, phase->groups[g].apart->group->name),
                       rc;
            const struct size_option *c = &phase->groups[g].choice.option;
            bool priced = c->spec.count && c->total_microusd != UNKNOWN && month != UNKNOWN;
            month = priced ? month + c->total_microusd : UNKNOWN;
        }
        if (month != phase->total_microusd)
            return err_set(e, ERR_NO, "phase %zu: the total is not the sum over groups", i);
        double hours = (double)(phase->until_ms - phase->change->from_ms) / 3600000;
        sum += month == UNKNOWN ? NAN : (double)month * hours / 730;
    }
    bool far = fabs(sum - (double)p->total_microusd) > (double)p->n + 1e-9 * sum;
    if (p->total_microusd == UNKNOWN ? !isnan(sum) && sum < 1e15 : far)
        return err_set(e, ERR_NO, "the total is not the sum over phases");
    return 0;
}
