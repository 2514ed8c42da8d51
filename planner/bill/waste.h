/* planner/bill/waste.h - what the billed volumes of a system were paid for, used for, and what
 * would do.
 *
 * A billed volume belongs to the group of the layout that names its id; else, where a group names
 * none, to the one group whose volumes are as many and as were billed; else it is a group of its
 * own when the system was measured under its id.  Its group is sized for all that was measured, by
 * the rules of the bill's month, with the volume's own type unless others are allowed: what that
 * costs less is the group's saving, and each volume's by its share of the price.
 *
 * Beside it, whatever was measured: gp3 in place of gp2, io1 and io2 at equal delivered
 * performance, volumes attached to nothing, and volumes never read. */
#ifndef PLANNER_BILL_WASTE_H
#define PLANNER_BILL_WASTE_H

#include "planner/bill/reconcile.h"
#include "planner/demand/system_demand.h"
#include "planner/solve/size.h"

struct waste_options {
    const struct catalogue *catalogue;
    double headroom_pct;
    unsigned types; /* 0 = the volume's own */
};

struct waste_volume {
    const struct bill_volume *billed; /* of the last month of the bill */
    /* A month at the bill's rates, of what it was at its end; UNKNOWN where the bill does not show
     * it. */
    int64_t paid_microusd;
    double held;                       /* share of that month which was billed */
    const char *system, *group;        /* NULL = of no system */
    const struct group_demand *demand; /* NULL = not measured */
    size_t n_in_group;                 /* volumes of the group, billed or laid out */
    /* For the whole group; spec.count 0 = nothing was measured, or nothing of the types does. */
    struct volume_spec needed;
    int64_t needed_microusd, saving_microusd; /* of the group; of this volume */
    bool lower_bound;                         /* at a ceiling, or not all was measured */
    /* What of the group's needed price is for the headroom (20 % where none is planned), for what
     * lies above p99, and for the peak hour of the day; UNKNOWN. */
    int64_t headroom_microusd, peak_microusd, peak_hour_microusd;
    struct volume_spec equal_gp3; /* count 0 = none that is cheaper */
    bool equal_gp3_is_least;      /* in place of io1 or io2 whose throughput was not measured */
    int64_t equal_gp3_saving_microusd;
    bool unattached, never_read;
    double iops_used_pct; /* of the provisioned, at most; NaN */
};

struct waste {
    const struct waste_volume *volumes;
    size_t n_volumes;
    struct waste_options options_used;
    int64_t month_ms;
    /* Of the measured volumes, in this bill; UNKNOWN where none was. */
    int64_t needed_microusd, overprovisioned_microusd;
    size_t n_measured;
};

/* A system as it was measured; has_layout false: only its volumes' own series count. */
struct waste_system {
    const struct system_load *load;
    const struct layout *layout; /* NULL = none */
};

/* ERR_NOMEM. */
int waste_find(const struct reconciliation *r, const struct waste_system *systems, size_t n,
               const struct waste_options *o, struct arena *a, struct waste *out, struct err *e);

#endif
