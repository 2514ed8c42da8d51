/* planner/solve/size_need.c - see size_need.h.
 *
 *     MiB/s = IOPS * io_kib / 1024            when one of the three is missing
 *     counted (SSD) = max(IOPS * ceil(io_kib / 256), 4 * MiB/s)
 *     counted (HDD) = max(IOPS * ceil(io_kib / 1024), MiB/s)
 *     upper bound   = IOPS + 4 * MiB/s        when the size of requests is not known
 *     mirrored      = x * (1 + (copies - 1) * write share) */
#include "planner/solve/size_need.h"

#include "models/core/unit.h"
#include "models/ebs/io_count.h"
#include "models/ebs/vol_rule.h"

#include <math.h>

enum { SSD_CAP_KIB = 256, HDD_CAP_KIB = 1024, COUNT_MAX = 1000 };

static const double absurd = 1e12;

static bool senseless(double v)
{
    return !isnan(v) && !(v >= 0 && v <= absurd);
}

int size_need_check(const struct size_need *n, const struct size_options *o, struct err *e)
{
    if (senseless(n->iops) || senseless(n->throughput_mibps) || senseless(n->counted_iops) ||
        senseless(n->counted_iops_high) || senseless(n->io_kib) || n->io_kib <= 0)
        return err_set(e, ERR_USAGE, "IOPS, throughput and request size cannot be negative");
    if (n->size_gib < 1 || n->size_gib > INT64_C(1000000000))
        return err_set(e, ERR_USAGE, "size must be from 1 to 1 000 000 000 GiB");
    if (o->min_count < 1 || o->max_count < o->min_count || o->max_count > COUNT_MAX)
        return err_set(e, ERR_USAGE, "the number of volumes must be from 1 to %d, minimum first",
                       COUNT_MAX);
    if (!(o->headroom_pct >= 0 && o->headroom_pct <= 10000))
        return err_set(e, ERR_USAGE, "headroom must be from 0 to 10 000 %%");
    if (o->copies < 1 || o->copies > 3)
        return err_set(e, ERR_USAGE, "redundancy writes one, two or three copies");
    if (o->copies > 1 && !(n->write_pct >= 0 && n->write_pct <= 100))
        return err_set(e, ERR_USAGE, "mirrored writes need the written share, 0 to 100 %%");
    if (o->max_latency_class && vol_latency_rank(o->max_latency_class) < 0)
        return err_set(e, ERR_USAGE,
                       "unknown latency class '%.60s': sub-ms, single-digit ms or HDD",
                       o->max_latency_class);
    if (o->per_volume_microusd < 0)
        return err_set(e, ERR_USAGE, "the charge per volume cannot be negative");
    if (o->size_step_gib < 1 || o->size_step_gib > INT64_C(1000000))
        return err_set(e, ERR_USAGE, "the size step must be from 1 to 1 000 000 GiB");
    return 0;
}

/* The larger of two of which either may be unknown. */
static double larger(double a, double b)
{
    return fmax(a, b);
}

void size_need_derive(const struct size_need *n, const struct size_options *o,
                      struct size_result *r)
{
    struct size_need d = *n;
    bool sized = !isnan(d.io_kib);
    if (sized && isnan(d.iops))
        d.iops = d.throughput_mibps * 1024 / d.io_kib;
    if (sized && isnan(d.throughput_mibps))
        d.throughput_mibps = d.iops * d.io_kib / 1024;

    double per_request = sized ? io_counted(d.io_kib, SSD_CAP_KIB) : 1;
    double per_request_hdd = sized ? io_counted(d.io_kib, HDD_CAP_KIB) : 1;
    double large = d.throughput_mibps * 1024 / SSD_CAP_KIB;
    if (isnan(d.counted_iops))
        d.counted_iops = larger(d.iops * per_request, large);
    if (isnan(d.counted_iops_high))
        d.counted_iops_high = sized || isnan(d.iops) || isnan(large)
                                  ? d.counted_iops
                                  : larger(d.counted_iops, d.iops + large);

    double mirror = 1;
    if (o->copies > 1)
        mirror += (o->copies - 1) * d.write_pct / 100;
    double factor = mirror * (1 + o->headroom_pct / 100);
    double hdd = larger(d.iops * per_request_hdd, d.throughput_mibps);
    double floor_iops = o->min_iops > 0 ? (double)o->min_iops : NAN;
    r->need = d;
    r->load_factor = factor;
    r->counted_iops = d.counted_iops * mirror;
    r->counted_iops_high = d.counted_iops_high * mirror;
    r->counted_iops_hdd = hdd * mirror;
    r->need_iops = larger(d.counted_iops * factor, floor_iops);
    r->need_iops_hdd = larger(hdd * factor, floor_iops);
    r->need_throughput_mibps = d.throughput_mibps * factor;
    r->need_gib = d.size_gib * o->copies;
}
