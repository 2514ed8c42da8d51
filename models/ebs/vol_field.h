/* models/ebs/vol_field.h - which fields a volume type takes, and how they bound each other.
 * Shared by vol_rule.c and vol_check.c. */
#ifndef MODELS_EBS_VOL_FIELD_H
#define MODELS_EBS_VOL_FIELD_H

#include "models/facts/catalogue.h"

bool vol_takes_iops(const struct vol_rule *r);
bool vol_takes_throughput(const struct vol_rule *r);
/* Of a rule that takes IOPS: the most that may be provisioned at a size. */
int64_t vol_most_iops(const struct vol_rule *r, int64_t size_gib);
/* Of a rule that takes throughput: the most that may be provisioned with so many IOPS. */
int64_t vol_most_mibps(const struct vol_rule *r, int64_t iops);
/* Largest request that counts as one; infinite where the type has no such rule. */
double vol_io_cap_kib(const struct vol_rule *r);

#endif
