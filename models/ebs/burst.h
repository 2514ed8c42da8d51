/* models/ebs/burst.h - burst buckets of volumes: gp2 I/O credits, st1 and sc1 byte credits.
 *
 * gp2: earns baseline IOPS, spends what it does; full at creation; capacity io_credits.
 * st1, sc1: 1 MiB of credit per MiB of volume; earns the base rate while it does not burst.
 * Source: EBS User Guide, "General Purpose SSD volumes" and "HDD volumes"; that HDD volumes do
 * not earn while bursting is DESIGN.md section 4. */
#ifndef MODELS_EBS_BURST_H
#define MODELS_EBS_BURST_H

#include "models/facts/catalogue.h"

/* Requests and requests/s for gp2, MiB and MiB/s for st1 and sc1; capacity NaN = no bucket. */
struct burst_bucket {
    double capacity;
    double earn_per_s;  /* the sustained rate */
    double burst_per_s; /* the highest rate while there is credit */
    bool earns_while_bursting;
};

/* NaN capacity too where the sustained rate reaches the burst rate: the bucket never matters. */
struct burst_bucket burst_bucket_of(const struct vol_rule *r, int64_t size_gib);
/* From full to empty at the burst rate, and back without load.  NaN without a bucket. */
double burst_drain_s(const struct burst_bucket *b);
double burst_refill_s(const struct burst_bucket *b);

#endif
