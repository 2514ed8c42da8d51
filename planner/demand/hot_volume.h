/* planner/demand/hot_volume.h - the busiest volume of a group against its own ceiling.
 *
 * A stripe is as fast as its busiest volume lets it be: a sum far below the ceilings of n volumes
 * together says nothing while one of them is at its own.  Seen only where every volume was
 * measured by itself: as many devices on each host as the layout has volumes, all alike. */
#ifndef PLANNER_DEMAND_HOT_VOLUME_H
#define PLANNER_DEMAND_HOT_VOLUME_H

#include "planner/demand/group_ceiling.h"

struct hot_volume {
    const char *name;           /* of the one that came closest to its ceiling; NULL = not seen */
    double used_pct;            /* of its ceiling then; NaN = not known */
    double mibps, counted_iops; /* of it then */
    int64_t time_ms;
    int64_t file_id, line;  /* where that was written down; UNKNOWN */
    const char *file;       /* its path, by system_demand; NULL */
    double skew;            /* its load then against the mean of its group's volumes */
    size_t n_volumes;       /* measured one by one */
    size_t n_at_ceiling;    /* different volumes that were at their own ceiling */
    double ceiling_seconds; /* with one at its own ceiling */
    /* n times the largest load of one volume over the largest sum, each at its own worst and after
     * the peak factor: a stripe for that much carries its busiest volume.  1 where the stripe is as
     * even as samples can be, or was not seen. */
    double uneven_mibps, uneven_iops, uneven_counted;
};

/* Flags the points during which a volume was at its own ceiling (POINT_HOT_VOLUME) or
 * beyond 1.1 times it (POINT_ARTEFACT); those of the sum were flagged before. */
void hot_volume_find(const struct load_member *members, size_t n, struct ceiling_clock *clock,
                     const struct peak_factors *factors, struct load_points *points,
                     struct hot_volume *out);

#endif
