/* planner/demand/peaks.h - the measured load as rows, by group, device, file type or instance. */
#ifndef PLANNER_DEMAND_PEAKS_H
#define PLANNER_DEMAND_PEAKS_H

#include "planner/demand/system_join.h"

enum peaks_by { PEAKS_BY_GROUP, PEAKS_BY_DEVICE, PEAKS_BY_FILETYPE, PEAKS_BY_INSTANCE };
const char *peaks_by_name(enum peaks_by by); /* "group" */

struct peaks_row {
    const char *name;
    struct load_profile profile;
    const struct group_demand *group; /* NULL unless by group */
    const struct load_points *points;
};

struct peaks {
    const char *system;
    enum peaks_by by;
    const struct peaks_row *rows;
    size_t n_rows;
    double sum_of_peaks_mibps; /* of the rows */
    double peak_of_sum_mibps;  /* of the rows together, at one instant */
    const char *instance;      /* by group, all of them: the host's type; NULL = not known */
    double instance_ceiling_s; /* they stayed together at what it passes; else 0 */
    const struct load_series *const *unclaimed;
    size_t n_unclaimed;
    size_t n_duplicate_reports;        /* loaded twice, as text and as HTML: counted once */
    const struct joined_group *joined; /* of the other systems, by group and instance */
    size_t n_joined;
};

/* The first source is the system, the others are on its host too.  Its layout may be NULL for
 * devices and file types.  group NULL = all rows; it names a group, or, by device and file type,
 * keeps the rows of that group.  ERR_USAGE for a group that the layout does not have, or a missing
 * layout.
 *
 * A device that the layout names is graded against its own volume's ceiling where its group's
 * volumes are alike and each was measured, or against its group's where it is all of it. */
int peaks_build(const struct demand_source *sources, size_t n_sources,
                const struct demand_options *o, enum peaks_by by, const char *group,
                struct arena *a, struct peaks *out, struct err *e);
/* The same by group or instance, of their demand. */
int peaks_of_demand(const struct demand_source *sources, size_t n_sources,
                    const struct system_demand *d, enum peaks_by by, const char *group,
                    struct arena *a, struct peaks *out, struct err *e);

#endif
