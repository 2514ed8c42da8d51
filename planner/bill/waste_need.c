/* planner/bill/waste_need.c - see waste_need.h. */
#include "planner/bill/waste_need.h"

#include "models/core/unit.h"
#include "models/ebs/vol_price.h"
#include "models/ebs/vol_rule.h"
#include "planner/solve/plan_group.h"

#include <math.h>

/* What plan keeps unless told otherwise. */
static const double usual_headroom_pct = 20;

/* spec.count 0 where nothing does, or nothing can be told.  ERR_NOMEM. */
static int cheapest(const struct group_demand *d, const struct plan_options *o, struct arena *a,
                    struct size_option *out, struct err *e)
{
    struct size_need need;
    struct size_options options;
    struct size_result r;
    struct err why;
    int rc = plan_group_need(d, &need, &why);
    if (!rc) {
        plan_group_options(d, o, &options);
        options.top = 1;
        rc = size_solve(&need, &options, a, &r, &why);
    }
    if (rc == ERR_NOMEM)
        return err_nomem(e);
    *out = !rc && r.n_options ? r.options[0] : (struct size_option){ .spec.count = 0 };
    return 0;
}

static int64_t dearer_by(const struct size_option *dear, const struct size_option *cheap)
{
    return dear->spec.count && cheap->spec.count ? dear->total_microusd - cheap->total_microusd
                                                 : UNKNOWN;
}

int waste_need_find(const struct group_demand *d, const struct group_demand *p99,
                    const struct group_demand *calm, const struct waste_question *q,
                    struct arena *a, struct waste_need *out, struct err *e)
{
    struct waste_need n = { .microusd = UNKNOWN,
                            .headroom_microusd = UNKNOWN,
                            .peak_microusd = UNKNOWN,
                            .peak_hour_microusd = UNKNOWN };
    struct plan_options o;
    struct size_option best, other, without_peak, without_hour = { .spec.count = 0 };
    *out = n;
    if (d->demand.grade == GRADE_NONE)
        return 0;
    plan_options_init(&o, q->catalogue, q->month_ms);
    o.region = q->region;
    o.as_of_ms = q->month_ms;
    o.instance_type = q->instance_type;
    o.headroom_pct = q->headroom_pct;
    o.types = q->types;
    o.per_volume_microusd = 0;
    int rc = cheapest(d, &o, a, &best, e);
    if (rc || !best.spec.count)
        return rc;
    n.spec = best.spec;
    n.microusd = best.total_microusd;

    rc = cheapest(p99, &o, a, &without_peak, e);
    if (!rc && calm->demand.grade != GRADE_NONE)
        rc = cheapest(calm, &o, a, &without_hour, e);
    o.headroom_pct = q->headroom_pct > 0 ? 0 : usual_headroom_pct;
    if (!rc)
        rc = cheapest(d, &o, a, &other, e);
    if (rc)
        return rc;
    n.peak_microusd = dearer_by(&best, &without_peak);
    n.peak_hour_microusd = dearer_by(&best, &without_hour);
    n.headroom_microusd = q->headroom_pct > 0 ? dearer_by(&best, &other) : dearer_by(&other, &best);
    *out = n;
    return 0;
}

int waste_list_price(const struct catalogue *c, const char *region, int64_t day_ms,
                     const struct volume_spec *v, int64_t *out_microusd, struct err *e)
{
    struct vol_price p;
    int64_t as_of_ms;
    struct volume_spec one = *v;
    struct err why;
    one.count = 1;
    int rc = vol_price(c, region, day_ms, &one, 0, &p, &as_of_ms, &why);
    if (rc == ERR_NOMEM)
        return err_nomem(e);
    *out_microusd = rc ? UNKNOWN : p.total_microusd;
    return 0;
}

bool waste_equal_gp3(const struct catalogue *c, int64_t day_ms, const struct volume_spec *v,
                     double used_mibps, struct volume_spec *out)
{
    const struct vol_rule *gp3 = vol_rule_at(c, VOL_GP3, day_ms, NULL, UNKNOWN);
    const struct vol_rule *own = vol_rule_at(c, v->type, day_ms, NULL, UNKNOWN);
    bool provisioned = v->type == VOL_IO1 || v->type == VOL_IO2;
    if (!gp3 || !own || v->size_gib == UNKNOWN || (v->type != VOL_GP2 && !provisioned) ||
        (provisioned && v->iops == UNKNOWN))
        return false;
    struct vol_limits l = vol_limits(own, v, false);
    double iops = provisioned ? (double)v->iops : l.max_iops;
    double mibps = !provisioned ? l.max_throughput_mibps : isnan(used_mibps) ? 0 : used_mibps;
    struct volume_spec equal = {
        .type = VOL_GP3,
        .count = 1,
        .size_gib = v->size_gib,
        .iops = (int64_t)ceil(fmax(iops, (double)gp3->included_iops)),
        .throughput_mibps = (int64_t)ceil(fmin(fmax(mibps, (double)gp3->included_mibps), 1e9)),
    };
    struct vol_problem problems[VOL_PROBLEMS_MAX];
    if (vol_check(gp3, &equal, problems))
        return false;
    *out = equal;
    return true;
}
