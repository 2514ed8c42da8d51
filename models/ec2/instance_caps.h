/* models/ec2/instance_caps.h - what an instance type passes to EBS, in decimal MB/s and counted
 * IOPS. */
#ifndef MODELS_EC2_INSTANCE_CAPS_H
#define MODELS_EC2_INSTANCE_CAPS_H

#include "models/facts/catalogue.h"

enum weighting { WEIGHTING_DEFAULT, WEIGHTING_EBS_1, WEIGHTING_VPC_1 };

struct instance_caps {
    double baseline_mb_s, max_mb_s; /* NaN where AWS publishes none */
    double baseline_iops, max_iops;
    int64_t volumes; /* EBS volumes that can be attached, the root volume counted as one; UNKNOWN */
};

/* network_interfaces: all of them; each beyond the first takes a slot of shared types.
 * ERR_USAGE when the type does not offer the weighting. */
int instance_caps(const struct catalogue *c, const struct instance_type *t, enum weighting w,
                  int64_t network_interfaces, struct instance_caps *out, struct err *e);

/* Not of the Nitro system, which caps what a volume reaches (vol_limits); false for NULL. */
bool instance_is_xen(const struct instance_type *t);

/* Its vCPUs are lent beyond a baseline: T types (CPU credits) and flex types.
 * Source: EC2 User Guide, "Burstable performance instances", "Flex instances". */
bool instance_cpu_bursts(const struct instance_type *t);

/* Family of "r5b.4xlarge": "r5b". */
struct span instance_family(struct span instance_type);

#endif
