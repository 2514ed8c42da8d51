/* planner/check/volume_facts.c - see volume_facts.h.
 *
 * Written from DESIGN.md section 4 without a look at the code that it checks. */
#include "planner/check/volume_facts.h"

#include "models/core/money.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

static const char *broken_rule(const struct vol_rule *r, const struct volume_spec *v)
{
    bool provisions_iops = r->only_provisioned || r->included_iops > 0;
    bool provisions_mibps = r->included_mibps > 0;
    if (v->size_gib < r->min_gib || v->size_gib > r->max_gib)
        return "size";
    if (provisions_iops != (v->iops != UNKNOWN))
        return "IOPS given or not";
    if (provisions_mibps != (v->throughput_mibps != UNKNOWN))
        return "throughput given or not";
    if (provisions_iops && (v->iops < r->min_iops || v->iops > r->max_iops))
        return "IOPS out of range";
    if (provisions_iops && v->iops > r->iops_per_gib_max * v->size_gib &&
        v->iops > (r->included_iops == UNKNOWN ? 0 : r->included_iops))
        return "IOPS per GiB";
    if (provisions_mibps &&
        (v->throughput_mibps < r->included_mibps || v->throughput_mibps > r->max_mibps))
        return "throughput out of range";
    if (provisions_mibps &&
        (double)v->throughput_mibps > r->mibps_per_iops_max * (double)v->iops * (1 + 1e-9))
        return "throughput per IOPS";
    return NULL;
}

/* On the line graph, found from its far end. */
static double graph_mibps(const struct vol_rule *r, double iops)
{
    for (size_t i = r->n_mibps_by_iops; i-- > 0;) {
        struct vol_corner right = r->mibps_by_iops[i];
        struct vol_corner left = i ? r->mibps_by_iops[i - 1] : (struct vol_corner){ 0, 0 };
        if (iops >= right.x)
            return right.mibps;
        if (iops >= left.x)
            return left.mibps + (right.mibps - left.mibps) / (right.x - left.x) * (iops - left.x);
    }
    return 0;
}

static void sustained(const struct vol_rule *r, const struct volume_spec *v, struct volume_facts *f)
{
    double gib = (double)v->size_gib;
    if (v->iops != UNKNOWN) {
        f->iops = (double)v->iops;
        f->mibps =
            v->throughput_mibps != UNKNOWN ? (double)v->throughput_mibps : graph_mibps(r, f->iops);
    } else if (r->baseline_iops_per_gib > 0) {
        f->iops =
            fmin(fmax((double)r->min_iops, gib * r->baseline_iops_per_gib), (double)r->max_iops);
        double cap = v->size_gib <= r->small_gib ? (double)r->small_mibps : (double)r->max_mibps;
        f->mibps = fmin(cap, f->iops * 0.25);
    } else if (r->base_mibps_per_tib > 0) {
        f->mibps = fmin(gib / 1024 * r->base_mibps_per_tib, r->max_base_mibps);
        f->iops = f->mibps; /* each request costs a MiB */
    } else {
        f->iops = r->sustained_iops;
        f->mibps = r->sustained_mibps;
    }
}

/* What credits let it do beyond that: nothing where it sustains as much. */
static void bursting(const struct vol_rule *r, const struct volume_spec *v, struct volume_facts *f)
{
    double gib = (double)v->size_gib;
    f->burst_iops = f->iops;
    f->burst_mibps = f->mibps;
    f->credits = NAN;
    if (r->baseline_iops_per_gib > 0) {
        f->burst_mibps =
            v->size_gib <= r->small_gib ? (double)r->small_mibps : (double)r->max_mibps;
        if (f->iops < (double)r->burst_iops) {
            f->burst_iops = (double)r->burst_iops;
            f->credits = (double)r->io_credits;
        }
    } else if (r->base_mibps_per_tib > 0) {
        double burst = fmin(gib / 1024 * r->burst_mibps_per_tib, (double)r->max_mibps);
        if (f->mibps < burst) {
            f->burst_iops = f->burst_mibps = burst;
            f->credits = gib * 1024; /* a TiB of credit a TiB */
        }
    }
}

/* The newest day that is not after as_of, else the oldest. */
static int64_t price_day(const struct catalogue *c, const struct volume_spec *v, const char *region,
                         int64_t as_of_ms)
{
    int64_t day = UNKNOWN;
    for (size_t i = 0; i < c->n_prices; i++) {
        const struct price *p = &c->prices[i];
        if (p->type != v->type || strcmp(p->region, region) != 0)
            continue;
        bool past = p->as_of_ms <= as_of_ms, held_past = day != UNKNOWN && day <= as_of_ms;
        if (day == UNKNOWN || (past && (!held_past || p->as_of_ms > day)) ||
            (!past && !held_past && p->as_of_ms < day))
            day = p->as_of_ms;
    }
    return day;
}

static int64_t price_of(const struct catalogue *c, const struct volume_spec *v, const char *region,
                        int64_t as_of_ms)
{
    int64_t day = price_day(c, v, region, as_of_ms);
    if (day == UNKNOWN)
        return UNKNOWN;
    money each = 0;
    for (size_t i = 0; i < c->n_prices; i++) {
        const struct price *p = &c->prices[i];
        if (p->type != v->type || strcmp(p->region, region) != 0 || p->as_of_ms != day)
            continue;
        int64_t amount = p->component == PRICE_STORAGE      ? v->size_gib
                         : p->component == PRICE_IOPS       ? v->iops
                         : p->component == PRICE_THROUGHPUT ? v->throughput_mibps
                                                            : UNKNOWN;
        int64_t above = amount == UNKNOWN ? 0 : amount - p->tier_from;
        if (p->tier_to != UNKNOWN && above > p->tier_to - p->tier_from)
            above = p->tier_to - p->tier_from;
        if (above > 0)
            each += (money)above * p->picousd;
    }
    return (int64_t)((each + 500000) / 1000000) * v->count;
}

struct volume_facts volume_facts_of(const struct catalogue *c, const struct vol_rule *r,
                                    const struct volume_spec *v, bool xen, const char *region,
                                    int64_t as_of_ms)
{
    struct volume_facts f = { .illegal = broken_rule(r, v), .iops = NAN, .mibps = NAN };
    sustained(r, v, &f);
    bursting(r, v, &f);
    if (xen && r->xen_max_iops != UNKNOWN) {
        f.iops = fmin(f.iops, (double)r->xen_max_iops);
        f.burst_iops = fmin(f.burst_iops, (double)r->xen_max_iops);
    }
    if (xen && r->xen_max_mibps > 0) {
        f.mibps = fmin(f.mibps, r->xen_max_mibps);
        f.burst_mibps = fmin(f.burst_mibps, r->xen_max_mibps);
    }
    f.price_microusd = price_of(c, v, region, as_of_ms);
    return f;
}
