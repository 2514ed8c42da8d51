/* planner/demand/load_profile.h - what was measured, in figures: percentiles, hours, grades.
 *
 * Everything is weighted by time; points set apart as artefacts are counted and left out. */
#ifndef PLANNER_DEMAND_LOAD_PROFILE_H
#define PLANNER_DEMAND_LOAD_PROFILE_H

#include "models/vocab/demand.h"
#include "planner/demand/load_points.h"
#include "planner/demand/peak_second.h"

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

/* What the measurement lacks, and what was left out of it.  Samples are counted over all members;
 * resets and folds are those of the member with the most, since a host has them at once. */
struct load_coverage {
    size_t gaps; /* longer than half an interval */
    double longest_gap_s;
    int64_t longest_gap_ms; /* where it begins; UNKNOWN = no gap */
    size_t overlaps, duplicates, since_boot, untimed;
    size_t resets, folds;
};

enum artefact_why {
    ARTEFACT_NONE,
    ARTEFACT_VOLUMES,  /* more than 1.1 times what its volumes can do */
    ARTEFACT_INSTANCE, /* than the instance passes */
    ARTEFACT_DEVICE    /* than any device can do: set apart by the reader */
};
const char *artefact_why_words(enum artefact_why w); /* "its volumes can do" */

struct load_profile {
    double interval_s;         /* median */
    size_t samples, artefacts; /* those that the reader set apart are in both */
    double artefact_max_mibps; /* the largest, why, and when; NaN, UNKNOWN */
    enum artefact_why artefact_why;
    int64_t artefact_ms;
    struct load_coverage coverage;
    double covered_s;    /* measured time, artefacts included */
    double censored_s;   /* of it at a ceiling */
    double coverage_pct; /* time with every member measured, of first begin to last end */
    enum grade grade;    /* of the largest total_mibps */
    int64_t time_of_max_ms;
    double request_kib; /* mean */
    struct metric_stats metrics[METRIC_COUNT];
    double by_hour_mibps[24], by_weekday_mibps[7]; /* largest total_mibps; 0 = Monday; UTC */
    struct peak_second peak_second;
};

/* Adds what was left out before the points were made. */
void load_profile_count_left_out(struct load_profile *f, const struct load_member *members,
                                 size_t n);

/* Memory for the values of a profile, which the next one uses again; = { 0 } is empty. */
struct profile_values;
struct profile_room {
    struct arena arena;
    struct profile_values *values;
    size_t n;            /* points that there is room for */
    bool no_percentiles; /* leave them NaN, but that of the interval */
};
void profile_room_release(struct profile_room *r);

/* The ceiling bounds the peak second from above; NULL = not known.  room NULL = not used again.
 * ERR_NOMEM. */
int load_profile_of(const struct load_points *p, const struct group_ceiling *ceiling,
                    struct profile_room *room, struct load_profile *out, struct err *e);

#endif
