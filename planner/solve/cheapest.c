/* planner/solve/cheapest.c - see cheapest.h.
 *
 * With n volumes each carries T/n MiB/s, I/n counted IOPS and G/n GiB.  Price rises with every
 * field, and every rule bounds a field from below by others:
 *
 *     gp3        throughput >= T/n;  iops >= I/n, throughput / 0.25;  size >= G/n, iops / 500
 *     io1, io2   iops >= I/n, the point where the line graph reaches T/n;  size >= G/n, iops /
 * ratio
 *
 * so the legal specs that carry the need have a least element, each field at its bound taken in
 * this order, and that is the cheapest.  gp2, st1, sc1 and standard have only a size: the least one
 * whose baseline carries the need, found by bisection since the baseline never falls with size. */
#include "planner/solve/cheapest.h"

#include "models/core/unit.h"
#include "models/ebs/vol_field.h"

#include <math.h>

/* Comparisons allow 1e-9 relative: 600.0000001 MiB/s over 2 volumes is 300 each. */
static const double slack = 1 - 1e-9;

static int64_t int_at_least(double v)
{
    double n = ceil(v * slack);
    return n <= 0 ? 0 : n >= 1e15 ? (int64_t)1e15 : (int64_t)n;
}

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

double ceiling_use(double needed, double offered)
{
    if (!(needed > 0) || isnan(offered))
        return 0;
    return offered > 0 ? needed / offered : INFINITY;
}

double ceiling_headroom_pct(double needed, double offered)
{
    return needed > 0 ? (offered / needed - 1) * 100 : NAN;
}

struct group_offer offer_of(const struct vol_rule *r, const struct volume_spec *v, bool xen,
                            const struct group_need *n)
{
    struct vol_limits l = vol_limits(r, v, xen);
    double count = (double)v->count;
    struct group_offer o = { .iops = l.baseline_iops * count,
                             .throughput_mibps = l.baseline_throughput_mibps * count };
    double iops_use = ceiling_use(n->iops, o.iops);
    double throughput_use = ceiling_use(n->throughput_mibps, o.throughput_mibps);
    if (iops_use <= 0 && throughput_use <= 0)
        o.binding = CEILING_SIZE;
    else
        o.binding = throughput_use >= iops_use * slack ? CEILING_THROUGHPUT : CEILING_IOPS;
    o.carries =
        iops_use * slack <= 1 && throughput_use * slack <= 1 && v->size_gib * v->count >= n->gib;
    return o;
}

/* IOPS at which the line graph reaches mibps; NaN when it never does. */
static double iops_for_mibps(const struct vol_rule *r, double mibps)
{
    double x = 0, y = 0;
    for (size_t i = 0; i < r->n_mibps_by_iops; i++) {
        const struct vol_corner *c = &r->mibps_by_iops[i];
        if (mibps * slack <= c->mibps)
            return c->mibps > y ? x + fmax(0, mibps - y) * (c->x - x) / (c->mibps - y) : x;
        x = c->x;
        y = c->mibps;
    }
    return NAN;
}

static int64_t round_up(int64_t v, int64_t step)
{
    return step > 1 ? (v + step - 1) / step * step : v;
}

/* The last multiple of step that is legal. */
static int64_t largest_gib(const struct vol_rule *r, int64_t step)
{
    return step > 1 ? r->max_gib / step * step : r->max_gib;
}

static enum ceiling cheapest_provisioned(const struct vol_rule *r, const struct group_need *n,
                                         struct volume_spec *v)
{
    enum ceiling missed = CEILING_NONE;
    double count = (double)v->count;
    bool takes_throughput = r->mibps_per_iops_max > 0;
    double iops = fmax((double)r->min_iops, n->iops / count);
    if (takes_throughput) {
        v->throughput_mibps = max64(r->included_mibps, int_at_least(n->throughput_mibps / count));
        if (v->throughput_mibps > r->max_mibps) {
            v->throughput_mibps = r->max_mibps;
            missed = CEILING_THROUGHPUT;
        }
        iops = fmax(iops, (double)v->throughput_mibps / r->mibps_per_iops_max);
    } else if (n->throughput_mibps > 0) {
        double for_mibps = iops_for_mibps(r, n->throughput_mibps / count);
        if (isnan(for_mibps)) {
            for_mibps = r->mibps_by_iops[r->n_mibps_by_iops - 1].x;
            missed = CEILING_THROUGHPUT;
        }
        iops = fmax(iops, for_mibps);
    }
    v->iops = int_at_least(iops);
    if (v->iops > r->max_iops) {
        v->iops = r->max_iops;
        missed = CEILING_IOPS;
    }
    bool free_of_ratio = r->iops_per_gib_max == UNKNOWN || v->iops <= r->included_iops;
    if (!free_of_ratio)
        v->size_gib =
            round_up(max64(v->size_gib, (v->iops + r->iops_per_gib_max - 1) / r->iops_per_gib_max),
                     n->step_gib);
    return missed;
}

static enum ceiling cheapest_sized(const struct vol_rule *r, const struct group_need *n, bool xen,
                                   struct volume_spec *v)
{
    int64_t step = max64(1, n->step_gib);
    int64_t low = v->size_gib / step, high = largest_gib(r, step) / step;
    struct group_offer at_most;
    v->size_gib = high * step;
    at_most = offer_of(r, v, xen, n);
    if (!at_most.carries)
        return at_most.binding;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        v->size_gib = middle * step;
        if (offer_of(r, v, xen, n).carries)
            high = middle;
        else
            low = middle + 1;
    }
    v->size_gib = low * step;
    return CEILING_NONE;
}

/* Lowers IOPS to what the size allows, and MiB/s to what the IOPS allow. */
static void make_legal(const struct vol_rule *r, struct volume_spec *v)
{
    if (vol_takes_iops(r))
        v->iops = max64(min64(v->iops, vol_most_iops(r, v->size_gib)), r->min_iops);
    if (vol_takes_throughput(r))
        v->throughput_mibps =
            max64(min64(v->throughput_mibps, vol_most_mibps(r, v->iops)), r->included_mibps);
}

enum ceiling cheapest_spec(const struct vol_rule *r, int64_t count, const struct group_need *n,
                           bool xen, struct volume_spec *out)
{
    struct volume_spec v = { r->type, count, 0, UNKNOWN, UNKNOWN };
    int64_t share_gib = (n->gib + count - 1) / count;
    v.size_gib = round_up(max64(r->min_gib, share_gib), n->step_gib);
    enum ceiling missed = CEILING_NONE;
    int64_t most_gib = largest_gib(r, n->step_gib);
    if (v.size_gib > most_gib) {
        v.size_gib = most_gib;
        missed = CEILING_SIZE;
    }
    bool provisioned = r->only_provisioned || r->mibps_per_iops_max > 0;
    enum ceiling also =
        provisioned ? cheapest_provisioned(r, n, &v) : cheapest_sized(r, n, xen, &v);
    v.size_gib = min64(v.size_gib, most_gib);
    if (!missed)
        missed = also;
    if (!missed) {
        struct group_offer o = offer_of(r, &v, xen, n);
        if (!o.carries)
            missed = o.binding;
    }
    if (missed)
        make_legal(r, &v);
    *out = v;
    return missed;
}
