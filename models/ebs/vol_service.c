/* models/ebs/vol_service.c - see vol_service.h. */
#include "models/ebs/vol_service.h"

#include "models/core/unit.h"

#include <math.h>

static const struct service {
    bool has_queue_rule;
    double delivers_pct; /* of the time; NaN */
} services[VOL_TYPE_COUNT + 1] = {
    [VOL_GP2] = { true, 99 },        [VOL_GP3] = { true, 99 },          [VOL_IO1] = { true, 99.9 },
    [VOL_IO2] = { true, 99.9 },      [VOL_ST1] = { false, 99 },         [VOL_SC1] = { false, 99 },
    [VOL_STANDARD] = { false, NAN }, [VOL_TYPE_COUNT] = { false, NAN },
};

int64_t vol_queue_depth(enum volume_type type, double iops)
{
    if (!services[type].has_queue_rule || !(iops > 0) || iops > 1e9)
        return UNKNOWN;
    return (int64_t)ceil(iops / 1000 - 1e-9);
}

double vol_short_minutes_a_day(enum volume_type type)
{
    return (100 - services[type].delivers_pct) / 100 * 24 * 60;
}
