/* planner/change/change_quota.c - see change_quota.h. */
#include "planner/change/change_quota.h"

#include "models/core/unit.h"

void change_use_add(struct change_use *u, const struct volume_spec *v, size_t count)
{
    if (v->iops != UNKNOWN)
        u->iops[v->type] += (double)v->iops * (double)count;
    if (v->size_gib != UNKNOWN)
        u->gib[v->type] += (double)v->size_gib * (double)count;
}

int change_quotas_over(const struct change_use *u, const struct catalogue *c, struct arena *a,
                       const struct change_quota **out, size_t *out_n, struct err *e)
{
    struct change_quota *all = arena_array(a, 2 * c->n_quotas + 1, sizeof *all);
    size_t n = 0;
    if (!all)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_quotas; i++) {
        const struct region_quota *q = &c->quotas[i];
        if (q->max_iops != UNKNOWN && u->iops[q->type] > (double)q->max_iops)
            all[n++] = (struct change_quota){ q->type, UNIT_IOPS, u->iops[q->type], q->max_iops };
        if (q->max_gib != UNKNOWN && u->gib[q->type] > (double)q->max_gib)
            all[n++] = (struct change_quota){ q->type, UNIT_GIB, u->gib[q->type], q->max_gib };
    }
    *out = all;
    *out_n = n;
    return 0;
}
