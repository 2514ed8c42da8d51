/* planner/demand/peak_second.h - between which bounds the worst second lies that a mean hides.
 *
 * Low is the largest of what is known to have been reached:
 *
 *   mean             of an interval: some second of it was no lower
 *   VolumeIdleTime   all of a minute's load came in its busy seconds, ceil(period - idle)
 *   ExceededCheck    1 = some second of the minute was at the ceiling of the volume
 *   NVMe             the time above the limit grew between two readings: at the ceiling
 *   sysmetric        the worst minute of an AWR interval, of the whole database, or of its redo
 *
 * A volume's figure holds for its group as it stands: nothing says that volumes peak together.
 * High is the ceiling, burst included; where all of it was measured by the second, the largest
 * second.  NaN = not known. */
#ifndef PLANNER_DEMAND_PEAK_SECOND_H
#define PLANNER_DEMAND_PEAK_SECOND_H

#include "planner/demand/load_points.h"

#include <stdbool.h>

struct ceiling_clock; /* planner/demand/group_ceiling.h */

/* Ceilings of volumes on a day; NaN = not known. */
struct group_ceiling {
    double max_iops, max_throughput_mibps; /* burst maximum, even striping by size */
    bool hdd;                              /* its requests count in 1 MiB, not 256 KiB */
};

struct peak_second {
    double low_mibps, high_mibps;
    double low_iops, high_iops; /* as EBS counts */
    const char *source;         /* of low_mibps: "VolumeIdleTime"; NULL = nothing measured */
    int64_t time_ms;            /* UNKNOWN */
};

/* From the points alone; all within the ceiling, whose figures may be NaN.  NULL source when there
 * are none. */
struct peak_second peak_second_of(const struct load_points *p, const struct group_ceiling *ceiling);

/* What a raise may use: NULL and UNKNOWN where there is none. */
struct peak_second_scope {
    const struct system_load *load;
    int64_t from_ms, to_ms;
    const char *const *volume_ids; /* whose metrics count */
    size_t n_volume_ids;
    struct ceiling_clock *clock; /* of their group */
    bool whole_system;           /* the database's own maxima and the instance's checks count */
    double instance_mibps;       /* its baseline; NaN */
    double redo_copies;          /* writes of the group for each byte of redo; NaN = none */
};

/* Raises low where the metrics and records know of more. */
void peak_second_raise(const struct peak_second_scope *s, struct peak_second *out);

#endif
