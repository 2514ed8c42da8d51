/* planner/demand/load_points.h - several series as one, summed at the same instant.
 *
 * The sum is taken on the union of the members' interval edges; nothing is interpolated.
 * Where a member was not measured the sum of the others stands, marked partial. */
#ifndef PLANNER_DEMAND_LOAD_POINTS_H
#define PLANNER_DEMAND_LOAD_POINTS_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/vocab/load_series.h"
#include "planner/demand/peak_factors.h"

#include <math.h>
#include <stdbool.h>

enum point_flag {
    POINT_PARTIAL = 1 << 0,             /* a member was not measured */
    POINT_ARTEFACT = 1 << 1,            /* more than volumes or instance can do: set apart */
    POINT_CENSORED_THROUGHPUT = 1 << 2, /* at the throughput ceiling of its volumes */
    POINT_CENSORED_IOPS = 1 << 3,
    POINT_CENSORED_WAITS = 1 << 4,    /* the database waited for its redo */
    POINT_ASSUMED = 1 << 5,           /* a peak factor was applied to a member */
    POINT_ABOVE_INSTANCE = 1 << 6,    /* an artefact, since it is more than the instance can do */
    POINT_HOT_VOLUME = 1 << 7,        /* one volume was at its own ceiling, not the sum */
    POINT_CENSORED_INSTANCE = 1 << 8, /* of a whole host: it stayed at what its instance passes */
};
enum {
    POINT_AT_CEILING = POINT_CENSORED_THROUGHPUT | POINT_CENSORED_IOPS,
    POINT_CENSORED =
        POINT_AT_CEILING | POINT_CENSORED_WAITS | POINT_HOT_VOLUME | POINT_CENSORED_INSTANCE
};

/* Constant over [begin_ms, end_ms); NaN = not measured. */
struct load_point {
    int64_t begin_ms, end_ms;
    double interval_s; /* the longest interval that a member was averaged over */
    double read_iops, write_iops, read_mibps, write_mibps;
    double counted_iops, counted_iops_high; /* EBS requests of up to 256 KiB */
    unsigned flags;
    double unsplit_iops, unsplit_mibps; /* neither known as reads nor as writes; NaN = none */
};

struct load_points {
    struct load_point *at;
    size_t n;
};

/* The sum of what is known of two; NaN when neither is. */
static inline double known_sum(double a, double b)
{
    return isnan(b) ? a : isnan(a) ? b : a + b;
}

/* read_iops + write_iops + unsplit_iops and so on; NaN only when all are. */
static inline double point_total_iops(const struct load_point *p)
{
    return known_sum(known_sum(p->read_iops, p->write_iops), p->unsplit_iops);
}

static inline double point_total_mibps(const struct load_point *p)
{
    return known_sum(known_sum(p->read_mibps, p->write_mibps), p->unsplit_mibps);
}

/* From the point's average to the peak it may hide; 1 where it is not one, or has its factor. */
static inline struct peak_range point_peak_range(const struct load_point *p,
                                                 const struct peak_factors *f)
{
    if (p->flags & POINT_ASSUMED || interval_is_measured(p->interval_s))
        return (struct peak_range){ 1, 1, 1 };
    return peak_range(f, p->interval_s);
}

/* A series and the shares of its reads and writes that count. */
struct load_member {
    const struct load_series *series;
    double read_factor, write_factor;
};

/* One sample of a member by itself. */
struct load_point load_point_of_sample(const struct load_member *m, size_t i);

/* Only what lies in [from_ms, to_ms), UNKNOWN = no bound.  ERR_NOMEM. */
int load_points_of_series(const struct load_member *members, size_t n, int64_t from_ms,
                          int64_t to_ms, struct arena *a, struct load_points *out, struct err *e);
/* The sum of sums; a point has every flag that one of its members has.  With peak factors
 * averages are multiplied by them first (peak_factors.h) and the sum is marked assumed; NULL =
 * as measured. */
int load_points_of_points(const struct load_points *const *members, size_t n,
                          const struct peak_factors *factors, struct arena *a,
                          struct load_points *out, struct err *e);
/* Whether a peak factor changes nothing: no interval was averaged over. */
bool load_points_all_measured(const struct load_points *p);
/* Both sums: as measured, and with factors.  The same points where nothing was averaged. */
int load_points_measured_and_assumed(const struct load_points *const *members, size_t n,
                                     const struct peak_factors *factors, struct arena *a,
                                     struct load_points *out_measured,
                                     struct load_points *out_assumed, struct err *e);

#endif
