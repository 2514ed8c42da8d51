/* planner/bill/volume_history.h - what a volume was provisioned as over time, by DescribeVolumes
 * and DescribeVolumesModifications.
 *
 * A description holds from the volume's making on, but for what modifications say was before: a
 * new configuration is charged from the start of its modification. */
#ifndef PLANNER_BILL_VOLUME_HISTORY_H
#define PLANNER_BILL_VOLUME_HISTORY_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/money.h"
#include "models/facts/catalogue.h"
#include "models/vocab/load_series.h"
#include "models/vocab/volume_config.h"

struct volume_past {
    const struct volume_config *now;                  /* NULL = not described */
    const struct volume_modification *const *changes; /* by start */
    size_t n_changes;
};

struct volume_histories {
    const struct stored_volume **volumes; /* by id; of one described several times the last */
    size_t n_volumes;
    const struct volume_modification **changes; /* by id and start */
    size_t n_changes;
};

/* Of the volumes of all loads.  ERR_NOMEM. */
int volume_histories_build(const struct system_load *const *loads, size_t n, struct arena *a,
                           struct volume_histories *out, struct err *e);
struct volume_past volume_past_of(const struct volume_histories *h, const char *volume_id);

/* What a usage type charges for of a spec: GiB, IOPS or MiB/s above what is included, of one tier;
 * 0 for another type, UNKNOWN where the spec does not say. tier_to UNKNOWN = no end. */
int64_t usage_level(const struct volume_spec *s, const struct usage_type *u, int64_t tier_to);
/* The sum of the levels over [from_ms, to_ms), in level-milliseconds; false where not known. */
bool volume_past_sum(const struct volume_past *p, const struct usage_type *u, int64_t tier_to,
                     int64_t from_ms, int64_t to_ms, money *out);

#endif
