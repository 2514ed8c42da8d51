/* models/oracle/redo_load.h - what the redo path puts on each disk group, and what a change of
 * standbys does to it.
 *
 *   member that is read   writes R; reads archive writes + O*R + g*R
 *   other member          writes R
 *   archive               writes archive writes + flashback; reads A*R + b*R
 * With c of the n measured direct standbys gone (dropped, or cascaded behind another) and k new:
 *   lower    the new read nothing, those gone were full readers:  max(0, O - c)
 *   central  every standby as the average of the measured:        O/n * (n - c + k)
 *   upper    every standby, old and new, reads a full copy:       n - c + k
 * and A likewise for the archive group: each bound is the group's own, the two uppers do not come
 * together (one standby reads at most one copy).  Loads are before ASM mirrors.
 * Worked: R 11.5555, O 2.2189, archive 11.683, 6 -> 8: central 57.43, upper 115.68 MiB/s.
 * Source: the six-standby incident (redo_calibrate.h), whose loads these are; the bounds are
 * combinatorial, the central line is a model.
 *
 * Limits of knowledge: a standby that lags reads at its link's rate and goes on after the peak
 * (redo_sim.h), so an average can be above "upper" for a while; a redo byte read twice for one
 * standby (a gap sent again) is not foreseen.  Nothing measured (n = 0): central is the middle of
 * the bounds, half a copy in each group, to be called assumed. */
#ifndef MODELS_ORACLE_REDO_LOAD_H
#define MODELS_ORACLE_REDO_LOAD_H

#include "models/oracle/redo_calibrate.h"

#include <stdbool.h>
#include <stdint.h>

struct redo_range {
    double lower, central, upper;
};

/* The redo path as measured. */
struct redo_flow {
    double redo_mibps, archive_write_mibps, flashback_write_mibps;
    double online_copies, archived_copies;              /* O, A */
    double other_online_readers, other_archive_readers; /* g, b */
    int64_t direct_standbys;                            /* n, ASYNC */
};

/* An unknown copy count becomes 0, an unmeasured archive rate R (one copy); flashback is 0, the
 * caller's to set. */
struct redo_flow redo_flow_of(const struct redo_calibration *c);
/* The same path at another redo rate (a peak, growth, another block size). */
struct redo_flow redo_flow_scaled(const struct redo_flow *f, double factor);

/* Direct ASYNC standbys.  A SYNC one reads the log buffer only, so making one of an ASYNC one
 * counts as removed. */
struct redo_change {
    int64_t added, removed;
};

enum redo_place { REDO_READ_MEMBER, REDO_OTHER_MEMBER, REDO_ARCHIVE };

struct redo_group_load {
    struct redo_range read_mibps, write_mibps;
};

/* Load of a group with this role; more removed than there are counts as all. */
struct redo_group_load redo_load_at(const struct redo_flow *f, struct redo_change change,
                                    enum redo_place place);

/* What one standby alone brings: a measured one max(0, O-(n-1)) .. O/n .. 1 copy, a new one
 * 0 .. O/n .. 1. */
struct redo_group_load redo_load_of_standby(const struct redo_flow *f, bool added,
                                            enum redo_place place);

/* Copies that the primary no longer reads from files, online and archived together, when c of its
 * n direct standbys are fed by others: max(0, c - (n - F)) .. F*c/n .. min(c, F), F = O + A. */
struct redo_range redo_cascade_saving(const struct redo_flow *f, int64_t cascaded);

#endif
