/* planner/demand/group_ceiling.c - see group_ceiling.h. */
#include "planner/demand/group_ceiling.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/vol_rule.h"
#include "models/ec2/instance_caps.h"

#include <math.h>

static const struct group_ceiling not_known = { NAN, NAN, false };

void ceiling_clock_init(struct ceiling_clock *k, const struct catalogue *c,
                        const struct layout_group *g, const char *instance_type)
{
    *k = (struct ceiling_clock){ c, g, instance_type, INT64_MIN, not_known, not_known };
}

static struct group_ceiling ceiling_of_day(const struct ceiling_clock *k, int64_t time_ms)
{
    const struct layout_group *g = k->group;
    if (!g->n_volumes)
        return not_known;
    struct group_ceiling c = { INFINITY, INFINITY, false };
    double total = (double)layout_volumes_gib(g);
    bool xen =
        k->instance_type && instance_is_xen(instance_find(k->catalogue, span_of(k->instance_type)));
    for (size_t i = 0; i < g->n_volumes; i++) {
        const struct layout_volumes *v = &g->volumes[i];
        struct volume_spec spec = v->spec;
        const struct vol_rule *r =
            vol_rule_at(k->catalogue, spec.type, time_ms, k->instance_type, v->since_ms);
        bool had = v->since_ms == UNKNOWN || time_ms >= v->since_ms;
        if (!r || !had || spec.size_gib <= 0)
            return not_known;
        vol_fill_defaults(r, &spec);
        struct vol_limits l = vol_limits(r, &spec, xen);
        double shares = total / (double)spec.size_gib;
        c.max_iops = fmin(c.max_iops, l.max_iops * shares);
        c.max_throughput_mibps = fmin(c.max_throughput_mibps, l.max_throughput_mibps * shares);
        c.hdd |= r->io_cap_kib > 256;
    }
    double skew = g->skew > 1 ? g->skew : 1;
    c.max_iops /= skew;
    c.max_throughput_mibps /= skew;
    return c;
}

/* The ceilings of the group are n / skew times those of one when all are alike. */
static struct group_ceiling of_one_volume(const struct ceiling_clock *k)
{
    double n = (double)layout_volume_count(k->group),
           skew = k->group->skew > 1 ? k->group->skew : 1;
    struct group_ceiling one = k->at;
    if (!layout_volumes_alike(k->group) || !(n >= 1))
        return not_known;
    one.max_iops *= skew / n;
    one.max_throughput_mibps *= skew / n;
    return one;
}

const struct group_ceiling *ceiling_at(struct ceiling_clock *k, int64_t time_ms)
{
    int64_t day = time_ms / DAY_MS;
    if (day != k->day) {
        k->at = ceiling_of_day(k, time_ms);
        k->one = of_one_volume(k);
        k->day = day;
    }
    return &k->at;
}

const struct group_ceiling *volume_ceiling_at(struct ceiling_clock *k, int64_t time_ms)
{
    ceiling_at(k, time_ms);
    return &k->one;
}

double ceiling_counts(const struct group_ceiling *c, const struct load_point *p)
{
    return c->hdd ? fmax(point_total_iops(p), point_total_mibps(p)) : p->counted_iops;
}

unsigned ceiling_flags(const struct group_ceiling *c, const struct load_point *p)
{
    double mibps = point_total_mibps(p), counted = ceiling_counts(c, p);
    unsigned flags = 0;
    if (mibps > ARTEFACT_FACTOR * c->max_throughput_mibps ||
        counted > ARTEFACT_FACTOR * c->max_iops)
        flags |= POINT_ARTEFACT;
    if (mibps >= CENSORED_SHARE * c->max_throughput_mibps)
        flags |= POINT_CENSORED_THROUGHPUT;
    if (counted >= CENSORED_SHARE * c->max_iops)
        flags |= POINT_CENSORED_IOPS;
    return flags;
}
