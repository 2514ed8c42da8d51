/* planner/check/fluid_check.h - how long a load waits for volumes, found in another way than
 * planner/replay does.
 *
 * What is served lags behind what arrives: the place in the load that is served moves through its
 * time at the speed the ceilings allow there, one second a second at most once it has caught up.
 * How far it is behind is the delay. */
#ifndef PLANNER_CHECK_FLUID_CHECK_H
#define PLANNER_CHECK_FLUID_CHECK_H

#include "planner/check/volume_facts.h"
#include "planner/solve/size.h"

struct fluid_answer {
    double throttled_s, worst_delay_ms;
};

/* count volumes of these facts, buckets full at the start, under the load as its factor and caps
 * make it.  hdd: requests count 1 MiB. */
struct fluid_answer fluid_check(const struct size_load *load, const struct volume_facts *each,
                                double count, bool hdd);

#endif
