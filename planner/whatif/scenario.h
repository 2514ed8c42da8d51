/* planner/whatif/scenario.h - the measured system after a list of changes, and what each disk group
 * then carries: lower, central and upper.
 *
 * Average basis.  Loads of the redo path come from models/oracle (redo_load.h for the primary,
 * standby_host.h for a standby) at the calibrated redo rate, shared out to the groups by the files
 * they hold; other file types keep their measured averages.  base is the path without a change.
 *
 * Peak basis.  Every measured sample of a group is changed as its average is (demand_change.h):
 * writes by the ratio of the averages, reads likewise.  So a peak keeps what it was measured
 * with - bursts, standbys that lag - and grows by what the change adds to a copy.
 * Where the group read next to nothing (below FEW_COPIES of the redo) a ratio says nothing: the
 * added reads then follow the group's own writes.  Reads on a standby follow the writes too,
 * since the primary's reads do not happen there.
 *
 * Shapes (scenario_shape.c) come last, on this host only: merges lost and requests split, load
 * moved in time, backup and restore windows.  Growth is of what was measured, not of a window.  A
 * window reads (backup) or writes (restore, mirrors included) the data groups in requests of 1 MiB,
 * shared out by their sizes where all are known, else evenly; the other side is the group that is
 * named, or those that list "Data File Backup", else it is not on this host.  An average is that of
 * a day: all windows over all days that were measured.
 *
 * Limits: a group that wrote nothing in the calibrated period cannot be given writes; the mix of
 * a group's file types is taken to be the same at its peak as on average; flashback on a standby is
 * taken to be on as on the primary; each bound is the group's own (redo_load.h). */
#ifndef PLANNER_WHATIF_SCENARIO_H
#define PLANNER_WHATIF_SCENARIO_H

#include "models/oracle/redo_block.h"
#include "planner/demand/demand_change.h"
#include "planner/whatif/redo_path.h"
#include "planner/whatif/topology.h"

enum bound { BOUND_LOWER, BOUND_CENTRAL, BOUND_UPPER, BOUND_COUNT };

/* A group of n disks of which some lose their merges. */
struct disk_cut {
    int64_t cut, disks; /* cut 0 = none, or all */
    double kib;
    double of_one; /* part of the group's load that the busiest disk carries */
};

struct scenario_shape {
    struct load_shape load;
    struct path_rates added; /* on average */
    struct disk_cut disks;
};

/* A backup or restore, as often as it runs. */
struct scenario_window {
    const struct whatif_change *change;
    size_t times;
    double seconds, unmeasured_s; /* in all; of them nothing was measured on this host */
    size_t data_groups;
    bool by_size;             /* else evenly */
    const char *backup_group; /* the other side; NULL = elsewhere */
};

struct scenario {
    const struct system_demand *measured;
    const struct redo_path *path;
    struct layout layout;            /* groups as changed */
    const size_t *from;              /* the measured group that each of them is made from */
    const struct path_share *shares; /* what each holds */
    struct topology topology;
    double growth;                  /* factor on every load */
    struct redo_block_change block; /* all factors 1 when the block size stays */
    int64_t members;
    const char *instance_type;                  /* NULL = as it is */
    bool changes_redo;                          /* something that needs the redo path to be known */
    bool one_fewer;                             /* a direct ASYNC standby less: what one costs */
    const struct whatif_change *const *shaping; /* in order */
    size_t n_shaping;
    const struct scenario_shape *shapes; /* one a group; NULL = none */
    const struct scenario_window *windows;
    size_t n_windows;
};

/* The system as it is.  ERR_USAGE, ERR_NOMEM. */
int scenario_init(struct scenario *s, const struct system_demand *measured,
                  const struct redo_path *path, struct arena *a, struct err *e);
/* All changes of one command, or of one phase on top of the one before.  ERR_USAGE, ERR_NOMEM. */
int scenario_change(struct scenario *s, const struct whatif_change *changes, size_t n,
                    struct arena *a, struct err *e);

/* Takes the shapes among the changes, and makes those of all groups.  ERR_USAGE, ERR_NOMEM. */
int scenario_shape_all(struct scenario *s, const struct whatif_change *changes, size_t n,
                       struct arena *a, struct err *e);
/* Averages of a group here, after its shape. */
struct path_rates scenario_shaped(const struct scenario *s, size_t g, struct path_rates r);

/* Averages on the devices of a group of the layout.  base: of the measured group behind it. */
struct path_rates scenario_base(const struct scenario *s, size_t g);
/* On the primary, and on the host of a standby. */
struct path_rates scenario_primary(const struct scenario *s, size_t g, enum bound b);
struct path_rates scenario_standby(const struct scenario *s, const struct standby *on, size_t g,
                                   enum bound b);
/* On this host, which is one or the other. */
struct path_rates scenario_here(const struct scenario *s, size_t g, enum bound b);
/* What one standby brings to a group of the primary. */
struct path_rates scenario_contribution(const struct scenario *s, const struct standby *of,
                                        size_t g, enum bound b);

/* How the measured demand of each group changes; on NULL = the primary.  out: one a group. */
void scenario_load_changes(const struct scenario *s, const struct standby *on, enum bound b,
                           struct load_change *out);
/* Whether two bounds change the load of every group alike. */
bool scenario_bounds_alike(const struct scenario *s, const struct standby *on, enum bound one,
                           enum bound other);
/* The standby that this host is; NULL = it is the primary. */
const struct standby *scenario_host(const struct scenario *s);

/* The redo rate after the changes. */
double scenario_redo_mibps(const struct scenario *s, enum bound b);

#endif
