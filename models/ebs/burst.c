/* models/ebs/burst.c - see burst.h. */
#include "models/ebs/burst.h"

#include "models/core/unit.h"

#include <math.h>

static struct burst_bucket io_bucket(const struct vol_rule *r, double gib)
{
    double earn =
        fmin(fmax(r->baseline_iops_per_gib * gib, (double)r->min_iops), (double)r->max_iops);
    return (struct burst_bucket){ .capacity = (double)r->io_credits,
                                  .earn_per_s = earn,
                                  .burst_per_s = (double)r->burst_iops,
                                  .earns_while_bursting = true };
}

static struct burst_bucket byte_bucket(const struct vol_rule *r, double gib)
{
    double tib = gib / 1024;
    return (struct burst_bucket){
        .capacity = gib * 1024,
        .earn_per_s = fmin(r->base_mibps_per_tib * tib, r->max_base_mibps),
        .burst_per_s = fmin(r->burst_mibps_per_tib * tib, (double)r->max_mibps),
    };
}

struct burst_bucket burst_bucket_of(const struct vol_rule *r, int64_t size_gib)
{
    struct burst_bucket b = { .capacity = NAN, .earn_per_s = NAN, .burst_per_s = NAN };
    if (size_gib == UNKNOWN)
        return b;
    if (!isnan(r->baseline_iops_per_gib))
        b = io_bucket(r, (double)size_gib);
    else if (!isnan(r->base_mibps_per_tib))
        b = byte_bucket(r, (double)size_gib);
    if (b.earn_per_s >= b.burst_per_s) {
        b.burst_per_s = b.earn_per_s;
        b.capacity = NAN;
    }
    return b;
}

double burst_drain_s(const struct burst_bucket *b)
{
    return b->capacity / (b->burst_per_s - (b->earns_while_bursting ? b->earn_per_s : 0));
}

double burst_refill_s(const struct burst_bucket *b)
{
    return b->capacity / b->earn_per_s;
}
