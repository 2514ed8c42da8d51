/* models/ebs/vol_rule.c - which EBS rule holds when, and what it lets a volume do.
 *
 * A rule is read by its columns alone; which of these it has makes the kind of volume:
 *   included_iops or only_provisioned   IOPS are provisioned, at most iops_per_gib_max per GiB,
 *                                       though never fewer than the included ones (gp3)
 *   included_mibps                      throughput is provisioned, mibps_per_iops_max per IOPS
 *   mibps_by_iops                       throughput follows IOPS along a line graph.  io1, and io2
 *                                       before Block Express: 500 MiB/s from 2 000 to 32 000 IOPS,
 *                                       a ramp to 1 000 at 64 000; so 2 x 5 000 carry what
 *                                       1 x 64 000 does.  Block Express: 0.256 MiB/s per IOPS
 *   baseline_iops_per_gib               IOPS by size with a bucket of requests (gp2); with the
 *                                       bucket empty, throughput is the baseline's times io_cap_kib
 *   base_mibps_per_tib                  MiB/s by size with a bucket of bytes (st1, sc1), where
 *                                       every request costs io_cap_kib of credit
 *   none of them                        max_iops and max_mibps whatever the size (standard)
 * Sources: DESIGN.md section 4; docs/facts.md. */
#include "models/ebs/vol_rule.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/burst.h"
#include "models/ebs/io_count.h"
#include "models/ebs/vol_field.h"
#include "models/ec2/instance_caps.h"

#include <math.h>
#include <string.h>

/* --- which rule ------------------------------------------------------------------------------- */

static bool days_cover(int64_t from_ms, int64_t to_ms, int64_t t_ms)
{
    return (from_ms == UNKNOWN || from_ms <= t_ms) && (to_ms == UNKNOWN || t_ms < to_ms + DAY_MS);
}

static bool family_listed(const struct catalogue *c, const char *instance, int64_t as_of_ms)
{
    struct span family = instance_family(span_of(instance));
    for (size_t i = 0; i < c->n_bx_families; i++) {
        const struct bx_family *f = &c->bx_families[i];
        if (span_is(family, f->family) && days_cover(f->valid_from_ms, f->valid_to_ms, as_of_ms))
            return true;
    }
    return false;
}

static bool condition_holds(const struct catalogue *c, const struct vol_rule *r, int64_t as_of_ms,
                            const char *instance, int64_t since_ms)
{
    switch (r->condition) {
    case RULE_ALL:
        return true;
    case RULE_LISTED_FAMILY:
        return instance && family_listed(c, instance, as_of_ms);
    case RULE_UNMODIFIED:
        return since_ms != UNKNOWN && since_ms < r->valid_from_ms;
    }
    return false;
}

const struct vol_rule *vol_rule_at(const struct catalogue *c, enum volume_type type,
                                   int64_t as_of_ms, const char *instance, int64_t since_ms)
{
    const struct vol_rule *first = NULL, *found = NULL;
    for (size_t i = 0; i < c->n_rules; i++) {
        const struct vol_rule *r = &c->rules[i];
        if (r->type != type)
            continue;
        if (r->condition == RULE_ALL && (!first || r->valid_from_ms < first->valid_from_ms))
            first = r;
        if ((!found || found->condition == RULE_ALL) &&
            days_cover(r->valid_from_ms, r->valid_to_ms, as_of_ms) &&
            condition_holds(c, r, as_of_ms, instance, since_ms))
            found = r;
    }
    if (!first)
        return NULL;
    if (first->launched_ms != UNKNOWN)
        return as_of_ms < first->launched_ms ? NULL : found;
    return !found && as_of_ms < first->valid_from_ms ? first : found;
}

int64_t vol_launch_ms(const struct catalogue *c, enum volume_type type)
{
    for (size_t i = 0; i < c->n_rules; i++)
        if (c->rules[i].type == type)
            return c->rules[i].launched_ms;
    return UNKNOWN;
}

/* --- what a volume can do --------------------------------------------------------------------- */

static double or_nan(int64_t v)
{
    return v == UNKNOWN ? NAN : (double)v;
}

/* fmin, but unknown stays unknown. */
static double lesser(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmin(a, b);
}

static double mibps_by_iops(const struct vol_rule *r, double iops)
{
    struct vol_corner from = { 0, 0 };
    for (size_t i = 0; i < r->n_mibps_by_iops; i++) {
        struct vol_corner to = r->mibps_by_iops[i];
        if (iops < to.x)
            return from.mibps + (iops - from.x) * (to.mibps - from.mibps) / (to.x - from.x);
        from = to;
    }
    return from.mibps;
}

static void limits_provisioned(const struct vol_rule *r, const struct volume_spec *v,
                               struct vol_limits *l)
{
    l->limit_iops = (double)vol_most_iops(r, v->size_gib);
    l->max_iops = lesser(or_nan(v->iops), l->limit_iops);
    if (vol_takes_throughput(r)) {
        l->limit_throughput_mibps = (double)vol_most_mibps(r, vol_most_iops(r, v->size_gib));
        l->max_throughput_mibps = lesser(or_nan(v->throughput_mibps), l->limit_throughput_mibps);
        l->max_throughput_mibps =
            lesser(l->max_throughput_mibps, l->max_iops * r->mibps_per_iops_max);
    } else {
        l->limit_throughput_mibps = fmin(mibps_by_iops(r, l->limit_iops), (double)r->max_mibps);
        l->max_throughput_mibps =
            isnan(l->max_iops) ? NAN : fmin(mibps_by_iops(r, l->max_iops), (double)r->max_mibps);
    }
    l->baseline_iops = l->max_iops;
    l->baseline_throughput_mibps = l->max_throughput_mibps;
}

static void limits_request_bucket(const struct vol_rule *r, const struct volume_spec *v,
                                  const struct burst_bucket *b, struct vol_limits *l)
{
    double cap_mibps = (double)r->max_mibps;
    if (r->small_gib != UNKNOWN && v->size_gib <= r->small_gib)
        cap_mibps = fmin(cap_mibps, (double)r->small_mibps);
    l->max_iops = b->burst_per_s;
    l->max_throughput_mibps = cap_mibps;
    l->baseline_iops = b->earn_per_s;
    l->baseline_throughput_mibps = fmin(cap_mibps, b->earn_per_s * vol_io_cap_kib(r) / 1024);
}

static void limits_byte_bucket(const struct vol_rule *r, const struct burst_bucket *b,
                               struct vol_limits *l)
{
    double requests_per_mib = 1024 / vol_io_cap_kib(r);
    l->max_throughput_mibps = b->burst_per_s;
    l->baseline_throughput_mibps = b->earn_per_s;
    l->max_iops = fmin((double)r->max_iops, b->burst_per_s * requests_per_mib);
    l->baseline_iops = fmin((double)r->max_iops, b->earn_per_s * requests_per_mib);
}

static void limits_fixed(const struct vol_rule *r, struct vol_limits *l)
{
    l->max_iops = (double)r->max_iops;
    l->max_throughput_mibps = (double)r->max_mibps;
    l->baseline_iops = isnan(r->sustained_iops) ? l->max_iops : r->sustained_iops;
    l->baseline_throughput_mibps =
        isnan(r->sustained_mibps) ? l->max_throughput_mibps : r->sustained_mibps;
}

static void cap_on_xen(const struct vol_rule *r, struct vol_limits *l)
{
    if (r->xen_max_iops != UNKNOWN) {
        l->max_iops = lesser(l->max_iops, (double)r->xen_max_iops);
        l->baseline_iops = lesser(l->baseline_iops, (double)r->xen_max_iops);
    }
    if (!isnan(r->xen_max_mibps)) {
        l->max_throughput_mibps = lesser(l->max_throughput_mibps, r->xen_max_mibps);
        l->baseline_throughput_mibps = lesser(l->baseline_throughput_mibps, r->xen_max_mibps);
    }
}

struct vol_limits vol_limits(const struct vol_rule *r, const struct volume_spec *v, bool xen)
{
    struct vol_limits l = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
    if (v->size_gib == UNKNOWN)
        return l;
    struct burst_bucket b = burst_bucket_of(r, v->size_gib);
    if (vol_takes_iops(r)) {
        limits_provisioned(r, v, &l);
    } else {
        if (!isnan(r->baseline_iops_per_gib))
            limits_request_bucket(r, v, &b, &l);
        else if (!isnan(r->base_mibps_per_tib))
            limits_byte_bucket(r, &b, &l);
        else
            limits_fixed(r, &l);
        l.limit_iops = l.max_iops;
        l.limit_throughput_mibps = l.max_throughput_mibps;
    }
    l.burst_seconds = burst_drain_s(&b);
    l.refill_seconds = burst_refill_s(&b);
    if (xen)
        cap_on_xen(r, &l);
    return l;
}

struct vol_at vol_at_size(const struct vol_rule *r, const struct volume_spec *v, bool xen,
                          double io_kib)
{
    struct vol_limits l = vol_limits(r, v, xen);
    double by_iops = l.max_iops / io_counted(io_kib, vol_io_cap_kib(r));
    double by_mibps = l.max_throughput_mibps * 1024 / io_kib;
    struct vol_at at = { .iops = lesser(by_iops, by_mibps), .binding = VOL_BOUND_THROUGHPUT };
    at.throughput_mibps = at.iops * io_kib / 1024;
    if (by_iops < by_mibps * (1 - 1e-12)) /* throughput on a tie */
        at.binding = VOL_BOUND_IOPS;
    return at;
}

const char *vol_latency_name(int rank)
{
    static const char *const best_first[] = { "sub-ms", "single-digit ms", "HDD" };
    return rank >= 0 && rank < 3 ? best_first[rank] : NULL;
}

int vol_latency_rank(const char *latency_class)
{
    for (int i = 0; latency_class && vol_latency_name(i); i++)
        if (!strcmp(latency_class, vol_latency_name(i)))
            return i;
    return -1;
}
