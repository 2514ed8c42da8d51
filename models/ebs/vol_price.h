/* models/ebs/vol_price.h - list price of volumes, a month of 730 h.
 *
 * storage + IOPS (in tiers, per volume) + throughput (gp3 above the included) + requests
 * (standard). Each volume is rounded once to a whole micro-dollar, then multiplied by count. */
#ifndef MODELS_EBS_VOL_PRICE_H
#define MODELS_EBS_VOL_PRICE_H

#include "models/facts/catalogue.h"

struct vol_price {
    int64_t storage_microusd, iops_microusd, throughput_microusd, requests_microusd, total_microusd;
};

/* requests: a month, of each volume; UNKNOWN makes requests_microusd UNKNOWN where the type is
 * charged for them, and total_microusd is then the rest.  A component that the type is not
 * charged for is 0.
 *
 * The newest prices of a type in a region at or before as_of, else the oldest; *out_as_of_ms is
 * that day.
 * ERR_USAGE for an unknown region, a spec without the IOPS it is charged for, or a sum beyond
 * int64_t; ERR_NO where the type has no price there. */
int vol_price(const struct catalogue *c, const char *region, int64_t as_of_ms,
              const struct volume_spec *v, int64_t requests, struct vol_price *out,
              int64_t *out_as_of_ms, struct err *e);

/* The price of one tier of a component, in force as above; NULL where there is none. */
const struct price *vol_price_row(const struct catalogue *c, const char *region, int64_t as_of_ms,
                                  enum volume_type type, enum price_component component,
                                  int64_t tier_from);

#endif
