/* planner/solve/plan_today.c - today's volumes of a group: price, ceilings, and whether they
 * would carry the demand.  Unequal volumes fill by size, so the first at its limit caps the
 * group: min of limit * total_size / size.  Under rules older than a type it carries nothing. */
#include "planner/solve/plan_group.h"

#include "models/core/unit.h"
#include "models/ebs/vol_price.h"
#include "models/ebs/vol_rule.h"
#include "planner/replay/replay_system.h"
#include "planner/solve/cheapest.h"

#include <math.h>

static void differ(int64_t *field, int64_t other)
{
    if (*field != other)
        *field = UNKNOWN;
}

/* One spec for all of them; a field in which they differ is unknown. */
static struct volume_spec common_spec(const struct layout_group *g, bool *out_mixed)
{
    struct volume_spec s = g->volumes[0].spec;
    *out_mixed = false;
    for (size_t i = 1; i < g->n_volumes; i++) {
        const struct volume_spec *v = &g->volumes[i].spec;
        s.count += v->count;
        *out_mixed |= v->type != g->volumes[0].spec.type;
        differ(&s.size_gib, v->size_gib);
        differ(&s.iops, v->iops);
        differ(&s.throughput_mibps, v->throughput_mibps);
    }
    if (*out_mixed)
        s.type = VOL_TYPE_COUNT;
    return s;
}

static void bind(struct plan_today *t, const struct size_result *need, bool hdd)
{
    double iops_use = ceiling_use(hdd ? need->need_iops_hdd : need->need_iops, t->group_max_iops);
    double mibps_use = ceiling_use(need->need_throughput_mibps, t->group_max_throughput_mibps);
    t->binding = CEILING_SIZE;
    if (iops_use > 0 || mibps_use > 0)
        t->binding = mibps_use >= iops_use * (1 - 1e-9) ? CEILING_THROUGHPUT : CEILING_IOPS;
    t->carries = fmax(iops_use, mibps_use) * (1 - 1e-9) <= 1;
}

/* A price that nobody knows leaves the total unknown: it is shown, not planned with. */
static int add_price(struct plan_today *t, const struct volume_spec *v,
                     const struct plan_options *o, struct err *e)
{
    struct vol_price p;
    int64_t as_of_ms;
    int rc = vol_price(o->catalogue, o->region, o->as_of_ms, v, 0, &p, &as_of_ms, e);
    if (rc == ERR_NOMEM)
        return rc;
    if (rc || t->total_microusd == UNKNOWN)
        t->total_microusd = UNKNOWN;
    else
        t->total_microusd += p.total_microusd;
    return 0;
}

int plan_today_of(const struct layout_group *g, const struct size_result *need,
                  const struct plan_options *o, struct plan_today *out, struct err *e)
{
    struct plan_today t = { .known = g->n_volumes > 0,
                            .throttled_s = NAN,
                            .group_max_iops = INFINITY,
                            .group_max_throughput_mibps = INFINITY };
    if (!t.known) {
        t.group_max_iops = t.group_max_throughput_mibps = NAN;
        t.total_microusd = t.rank_microusd = UNKNOWN;
        *out = t;
        return 0;
    }
    bool hdd = false, existed = true;
    bool xen =
        o->instance_type && instance_is_xen(instance_find(o->catalogue, span_of(o->instance_type)));
    double total_gib = 0;
    for (size_t i = 0; i < g->n_volumes; i++)
        total_gib += (double)g->volumes[i].spec.size_gib * (double)g->volumes[i].spec.count;
    for (size_t i = 0; i < g->n_volumes; i++) {
        struct volume_spec v = g->volumes[i].spec;
        const struct vol_rule *r = vol_rule_at(o->catalogue, v.type, o->as_of_ms, o->instance_type,
                                               g->volumes[i].since_ms);
        struct vol_limits l = { .baseline_iops = NAN, .baseline_throughput_mibps = NAN };
        existed &= r != NULL;
        if (r) {
            vol_fill_defaults(r, &v);
            l = vol_limits(r, &v, xen);
            hdd |= r->io_cap_kib > 256;
        }
        double shares = total_gib / (double)v.size_gib;
        t.group_max_iops = fmin(t.group_max_iops, l.baseline_iops * shares);
        t.group_max_throughput_mibps =
            fmin(t.group_max_throughput_mibps, l.baseline_throughput_mibps * shares);
        int rc = add_price(&t, &v, o, e);
        if (rc)
            return rc;
    }
    if (!existed || isinf(t.group_max_iops))
        t.group_max_iops = NAN;
    if (!existed || isinf(t.group_max_throughput_mibps))
        t.group_max_throughput_mibps = NAN;
    t.spec = common_spec(g, &t.mixed);
    t.rank_microusd = t.total_microusd == UNKNOWN
                          ? UNKNOWN
                          : t.total_microusd + o->per_volume_microusd * (t.spec.count - 1);
    if (existed)
        bind(&t, need, hdd);
    else
        t.binding = CEILING_LAUNCH;
    *out = t;
    return 0;
}

int plan_today_replay(const struct system_demand *d, const struct plan_options *o,
                      struct plan_group *groups, struct err *e)
{
    struct arena scratch = { 0 };
    struct replay_system r;
    const char *type = d->layout->instance_type;
    struct replay_question q = { .demand = d,
                                 .catalogue = o->catalogue,
                                 .instance =
                                     type ? instance_find(o->catalogue, span_of(type)) : NULL };
    if (d->n_groups > REPLAY_GROUPS_MAX)
        return 0;
    int rc = replay_system(&q, &scratch, &r, e);
    for (size_t i = 0; i < d->n_groups && !rc; i++)
        if (replay_group_told(&r.groups[i]))
            groups[i].today.throttled_s = r.groups[i].minutes.throttled_s;
    arena_release(&scratch);
    return rc;
}
