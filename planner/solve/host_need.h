/* planner/solve/host_need.h - what a host must carry, and which instance types carry it.
 *
 * Loads are held against the baseline.  Types whose CPU bursts are left out: their vCPUs are not
 * those of the host that was measured. */
#ifndef PLANNER_SOLVE_HOST_NEED_H
#define PLANNER_SOLVE_HOST_NEED_H

#include "planner/solve/card_deal.h"
#include "planner/solve/plan.h"

struct host_need {
    const char *arch;         /* NULL = any */
    int64_t vcpu, memory_mib; /* UNKNOWN = any */
    double factor;            /* 1 + headroom */
    double mb_s, iops;        /* with headroom; NaN = nothing measured */
    int64_t network_interfaces;
};

/* Can be launched, has a price, and CPU and memory enough. */
bool host_is_candidate(const struct instance_type *t, const struct host_need *n);
/* Bandwidth and IOPS; without a published baseline nothing is carried. */
bool host_carries(const struct instance_caps *caps, const struct host_need *n);

/* Use, 1 = full, of the busiest EBS card when each group's volumes are spread over the cards as
 * evenly as their number allows, and the odd ones as well as can be (card_deal.h); NaN for a type
 * with one card, or without figures.  An upper bound, since when groups peak is not looked at.
 * chosen: one a group; without volumes it has no part.  steps: as of card_deal. */
struct card_use host_card_use(const struct system_demand *d, const struct volume_spec *chosen,
                              const struct instance_type *t, const struct instance_caps *caps,
                              const struct host_need *n, int64_t *steps);

#endif
