/* planner/demand/load_profile.h - what was measured, in figures: percentiles, hours, grades.
 *
 * Everything is weighted by time; points set apart as artefacts are counted and left out. */
#ifndef PLANNER_DEMAND_LOAD_PROFILE_H
#define PLANNER_DEMAND_LOAD_PROFILE_H

#include "models/vocab/demand.h"
#include "planner/demand/load_points.h"

/* X(name, JSON key, unit) */
#define METRIC_TABLE(X)                                                                            \
    X(METRIC_READ_IOPS, "read_iops", UNIT_IOPS)                                                    \
    X(METRIC_WRITE_IOPS, "write_iops", UNIT_IOPS)                                                  \
    X(METRIC_READ_MIBPS, "read_mibps", UNIT_MIBPS)                                                 \
    X(METRIC_WRITE_MIBPS, "write_mibps", UNIT_MIBPS)                                               \
    X(METRIC_TOTAL_IOPS, "total_iops", UNIT_IOPS)                                                  \
    X(METRIC_TOTAL_MIBPS, "total_mibps", UNIT_MIBPS)                                               \
    X(METRIC_COUNTED_IOPS, "counted_iops", UNIT_IOPS)

enum metric {
#define X(name, key, unit) name,
    METRIC_TABLE(X)
#undef X
        METRIC_COUNT
};

/* pNN: the smallest value that holds for at least NN % of the measured time. */
struct metric_stats {
    double avg, p50, p95, p99, p999, max;
};

struct load_profile {
    double interval_s;         /* median */
    size_t samples, artefacts; /* those that the reader set apart are in both */
    double covered_s;          /* measured time, artefacts included */
    double censored_s;         /* of it at a ceiling */
    double coverage_pct;       /* time with every member measured, of first begin to last end */
    enum grade grade;          /* of the largest total_mibps */
    int64_t time_of_max_ms;
    double request_kib; /* mean */
    struct metric_stats metrics[METRIC_COUNT];
    double by_hour_mibps[24], by_weekday_mibps[7]; /* largest total_mibps; 0 = Monday; UTC */
    double peak_second_low_mibps, peak_second_high_mibps;
};

/* Adds what was set apart before the points were made. */
void load_profile_count_left_out(struct load_profile *f, const struct load_member *members,
                                 size_t n);

/* ceiling_mibps bounds the peak second from above; NaN = not known.  ERR_NOMEM. */
int load_profile_of(const struct load_points *p, double ceiling_mibps, struct arena *a,
                    struct load_profile *out, struct err *e);

#endif
