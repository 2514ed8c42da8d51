/* planner/demand/system_demand.h - measured load and layout -> what each disk group must carry.
 *
 * A group's devices are summed at the same instant.  Where they cover a time they give the
 * rates, and AWR (file types mapped by the layout's shares) gives the split.  An AWR period
 * that the devices do not cover joins as averaged.  Averages are compared after an assumed
 * peak factor: 3, 10, 20 (low, central, high) above 10 minutes, 1.5, 2, 3 up to 10 minutes.
 * Writes that Oracle counted are multiplied by the mirror copies.
 *
 * censored: total or counted requests >= 0.95 of the ceiling of the group's volumes under the
 * rules of the sample's day, or (redo and archive groups) in an AWR period with waits for log
 * buffer space or a log switch held up by archiving or checkpoint.
 * So is a group while one of its volumes is at its own ceiling (hot_volume.h), and the sum of all
 * while it stays, for three samples or more, at 0.95 of what the instance passes.
 * artefact: above 1.1 times the burst maximum of the volumes, of one of them, or of the instance.
 */
#ifndef PLANNER_DEMAND_SYSTEM_DEMAND_H
#define PLANNER_DEMAND_SYSTEM_DEMAND_H

#include "models/facts/catalogue.h"
#include "models/vocab/layout.h"
#include "planner/demand/hot_volume.h"
#include "planner/demand/load_profile.h"

struct demand_options {
    const struct catalogue *catalogue;
    int64_t from_ms, to_ms; /* UNKNOWN = everything */
    double peak_factor;     /* replaces the central factors; NaN = 10 and 2 */
    bool no_percentiles;    /* those of profiles are NaN: less work, and a plan needs none */
};
void demand_options_init(struct demand_options *o, const struct catalogue *c);

/* What AWR says a file type puts on the group, mean over the AWR periods. */
struct demand_split {
    const char *name;
    double read_mibps, write_mibps, read_iops, write_iops;
};

struct group_demand {
    const struct layout_group *group;
    const struct load_member *members; /* devices or volumes; else file types */
    size_t n_members;
    struct load_points points;
    struct load_profile profile;  /* as measured, no factor */
    struct demand demand;         /* to be planned: averages after the peak factor */
    double total_iops;            /* largest requests/s of the guest, after the factor */
    unsigned censored_by;         /* POINT_CENSORED_ flags at the peak; 0 = not censored */
    double peak_factor;           /* applied at the peak; NaN = none */
    double ceiling_seconds;       /* with throughput or requests at a volume ceiling */
    struct hot_volume hot;        /* the busiest volume against its own ceiling */
    struct group_ceiling ceiling; /* at the time of the peak */
    double peak_total_iops, peak_counted_iops; /* at the instant of the largest total */
    const char *peak_file;                     /* where the largest sample came from; NULL */
    int64_t peak_line;
    const struct demand_split *split;
    size_t n_split;
    double awr_difference_pct; /* AWR against devices over the same time; NaN */
};

/* Where the load of a group of another system went (system_join.h). */
enum join_by { JOIN_BY_NAME, JOIN_BY_ROLE, JOIN_OWN };
const char *join_by_name(enum join_by by); /* "name" "role" "own" */

struct joined_group {
    const char *system, *group, *into;
    enum join_by by;
    bool size_known;     /* else nothing was added to the size of the group it went into */
    double together_pct; /* of the target's measured time, for which the system was measured too */
};

struct system_demand {
    const struct system_load *load;
    const struct layout *layout;
    struct demand_options options_used;
    const struct group_demand *groups;
    size_t n_groups;
    struct load_points points; /* of the instance: the sum over groups at the same instant */
    struct load_profile profile;
    struct demand demand;
    unsigned censored_by;
    double sum_of_peaks_mibps;
    const struct load_series *const *unclaimed; /* devices and volumes that no group claims */
    size_t n_unclaimed;
    const struct joined_group *joined; /* of other systems on the same host */
    size_t n_joined;
};

/* ERR_NOMEM.  A group without any measurement has demand.grade GRADE_NONE. */
int system_demand_build(const struct system_load *load, const struct layout *layout,
                        const struct demand_options *o, struct arena *a, struct system_demand *out,
                        struct err *e);

#endif
