/* planner/demand/demand_change.h - a measured demand as it would be after a change.
 *
 * Every point of a group is changed alike:
 *
 *     reads'  = read * reads + read_per_write * writes
 *     writes' = write * writes
 *
 * Requests follow their bytes, but for writes of another size (write_requests); what reads come
 * on top are requests of added_request_kib.  What was measured (profile, evidence, censoring,
 * ceilings) stays as it was measured.
 *
 * A shape then moves the points in time, adds loads of their own, and cuts requests:
 *
 *     requests' = max(requests, MiB/s * 1024 / KiB)
 *
 * Points are cut where an added load begins or ends; where the group was not measured the added
 * load stands alone.  Peak factors apply to what was measured, never to what is added.
 *
 * Limit: a cut sees the mean request of each direction; where large and small requests mix, more of
 * the large ones are cut than it says. */
#ifndef PLANNER_DEMAND_DEMAND_CHANGE_H
#define PLANNER_DEMAND_DEMAND_CHANGE_H

#include "planner/demand/system_demand.h"

/* Requests beyond kib are cut to it; of a group of disks those of `share` of the load. */
struct request_cut {
    double kib; /* INFINITY = as they are */
    double share;
};

struct load_shape {
    /* Points move shift_ms on; what passes the end of the wrap comes in again at its beginning, so
     * that no load is lost.  All points lie within it. */
    int64_t shift_ms, wrap_begin_ms, wrap_end_ms;
    /* all: of every disk.  some: of one or a few disks, each of which may be the hottest.  As the
     * volumes of a group are alike, each must carry what these ask, so the group needs as many
     * requests as if all were cut; the instance passes those of the few only. */
    struct request_cut all, some;
    const struct load_points *added;
    size_t n_added;
};

struct load_change {
    size_t from; /* the group of the measured demand that is changed */
    double read, read_per_write, write;
    double write_requests;          /* factor on requests, where write is that on bytes */
    double added_request_kib;       /* size of the requests of read_per_write */
    const struct load_shape *shape; /* NULL = as it is */
};

/* Nothing changes: group `from` as it is. */
struct load_change load_change_none(size_t from);
/* Whether both make the same of a group. */
bool load_change_alike(const struct load_change *x, const struct load_change *y);

/* A demand that was changed before, and how: for the same groups. */
struct changed_demand {
    const struct system_demand *demand;
    const struct load_change *changes;
};

/* Requests per s of a direction after a cut; iops NaN = unknown, taken as 256 KiB each. */
double request_cut_iops(struct request_cut cut, double iops, double mibps);

/* One change for each group of layout, which may have other groups than the measured one.
 * ERR_NOMEM. */
int demand_change(const struct system_demand *measured, const struct layout *layout,
                  const struct load_change *changes, struct arena *a, struct system_demand *out,
                  struct err *e);
/* The same; what changes as in `known` is taken from there, unless its shape adds loads or cuts
 * those of some disks. */
int demand_change_like(const struct system_demand *measured, const struct layout *layout,
                       const struct load_change *changes, const struct changed_demand *known,
                       struct arena *a, struct system_demand *out, struct err *e);
/* The groups alone: what is the instance's stays as it was measured. */
int demand_change_groups(const struct system_demand *measured, const struct layout *layout,
                         const struct load_change *changes, const struct changed_demand *known,
                         struct arena *a, struct system_demand *out, struct err *e);

#endif
