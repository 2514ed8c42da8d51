/* planner/check/volume_facts.h - what one volume is, from the rows of the catalogue alone. */
#ifndef PLANNER_CHECK_VOLUME_FACTS_H
#define PLANNER_CHECK_VOLUME_FACTS_H

#include "models/facts/catalogue.h"

struct volume_facts {
    const char *illegal;            /* the rule that is broken; NULL = legal */
    double iops, mibps;             /* sustained, by one volume */
    double burst_iops, burst_mibps; /* with credits; else what it sustains */
    double credits;         /* requests; of st1 and sc1 MiB, which is the same; NaN = none */
    int64_t price_microusd; /* of all; UNKNOWN = no price */
};

struct volume_facts volume_facts_of(const struct catalogue *c, const struct vol_rule *r,
                                    const struct volume_spec *v, bool xen, const char *region,
                                    int64_t as_of_ms);

#endif
