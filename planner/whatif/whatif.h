/* planner/whatif/whatif.h - what changes do to the volumes: the plan for today's load, the plan
 * after the changes, and all that lies between.
 *
 * The scenario is planned on central.  Where every change is dated, it is the phase whose volumes
 * cost most: what must be there at the height of the window.  Phases follow each other: each holds
 * on top of the one before.
 *
 * What one standby costs here: the plan less the same plan with one direct ASYNC standby fewer.
 * Its own host is planned like this one: same types, sizes and policies, without what only this
 * host has (temp, binaries). */
#ifndef PLANNER_WHATIF_WHATIF_H
#define PLANNER_WHATIF_WHATIF_H

#include "planner/solve/plan.h"
#include "planner/whatif/redo_simulation.h"
#include "planner/whatif/scenario.h"
#include "planner/whatif/whatif_change.h"

struct whatif_options {
    struct plan_options plan;
    double network_efficiency; /* redo bytes over bytes on the line: REDO_NETWORK_EFFICIENCY */
    const struct plan *base;   /* plan_build for the load as measured; NULL = to be made */
};

struct whatif_rates {
    double read_mibps, write_mibps, total_mibps, counted_iops;
};

/* base NaN: the group is not there today; the others 0: it is gone. */
struct whatif_loads {
    struct whatif_rates base, at[BOUND_COUNT];
};

struct whatif_group {
    const struct layout_group *group;
    struct whatif_loads average, peak;
    enum grade peak_grade;
    /* Seconds in which today's volumes and instance make the load wait, as it was measured and as
     * it would be (central; replay_system.h, the lower bound of an instance burst); NaN = not
     * known. */
    double throttled_now_s, throttled_s;
    size_t planned; /* index in the scenario's plan; n_groups when the group is gone */
};

struct whatif_host_group {
    const struct layout_group *group;
    struct whatif_rates average[BOUND_COUNT], peak; /* peak of central */
    struct volume_spec spec;                        /* count 0 = nothing carries it */
    int64_t total_microusd;
};

struct whatif_host {
    const char *name; /* NULL = no such host */
    enum plan_status status;
    const struct whatif_host_group *groups;
    size_t n_groups;
    int64_t total_microusd;
};

struct whatif_standby {
    const struct standby *standby;
    const struct path_rates (*brings)[BOUND_COUNT]; /* to each group of the scenario's layout */
    double network_mbps, network_peak_mbps;
    struct redo_range commit_added_ms;          /* NaN = not known */
    int64_t here_microusd, here_upper_microusd; /* a month on the primary's volumes */
    struct whatif_host host;                    /* without name where it is this host */
};

/* How much of a need volumes carry. */
enum whatif_holds { HOLDS_NOT, HOLDS_WITHIN_HEADROOM, HOLDS };
const char *whatif_holds_name(enum whatif_holds h); /* "no" "within headroom" "yes" */

struct whatif_phase {
    int64_t from_ms, until_ms; /* UNKNOWN: the last one */
    const struct whatif_change *change;
    enum plan_status status;
    const struct whatif_group *groups;
    const struct whatif_host_group *plans; /* one a group of its layout; average unused */
    size_t n_groups, n_plans;
    enum whatif_holds carries_upper;
    int64_t total_microusd;
};

struct whatif {
    const struct redo_path *path;
    const struct whatif_options *options;
    const struct whatif_change *changes; /* as given, phases among them */
    size_t n_changes;
    const struct whatif_phase *of_phase; /* the phase that the scenario is; NULL */
    struct plan base;
    bool refused; /* the calibration cannot be: nothing below */
    struct plan plan;
    const struct scenario *scenario;
    const struct whatif_group *groups; /* today's, then new ones */
    size_t n_groups;
    enum whatif_holds base_holds;        /* today's plan, under central */
    enum whatif_holds carries_upper;     /* the scenario's plan */
    int64_t cascaded;                    /* measured standbys now fed by others */
    struct redo_range cascade_saved_pct; /* of the file reads; of half the standbys when none is */
    int64_t cascade_of;                  /* what cascade_saved_pct is for; 0 = nothing to save */
    const struct whatif_standby *standbys;
    size_t n_standbys;
    struct whatif_host primary_host; /* of the new primary after a role swap; else no name */
    struct redo_simulation planned, today;
    const struct whatif_phase *phases; /* by date */
    size_t n_phases;
    /* From the first phase on; the last one, without end, counts a month of 730 h. */
    int64_t phases_microusd;
};

/* 0 also when a plan is PLAN_NONE, or refused.  ERR_USAGE, ERR_NOMEM.  Everything in *out lives in
 * a, or is borrowed. */
int whatif_build(const struct system_demand *measured, const struct redo_path *path,
                 const struct whatif_change *changes, size_t n_changes,
                 const struct whatif_options *o, struct arena *a, struct whatif *out,
                 struct err *e);

#endif
