/* planner/whatif/redo_simulation.h - a scenario by the second, where the redo is known over time
 * (redo_series.h): by the minute or finer, or by archived log.
 *
 * A standby whose send rate is known (link, window over round trip, apply) is sent by its lag
 * (models/oracle/redo_sim.h); of the others nothing but the average is known, so they read their
 * calibrated copies of what is written, as other readers do.  The ceilings are those of the planned
 * volumes, or of today's; the archiver reads at most what the archive group can be written.
 *
 * catch_up_s comes from a second run in which the slowest standby of known rate, or its link, is
 * away while the most redo is generated, for OUTAGE_S.
 *
 * Limits: those of redo_series.h; without redo.buffer_mib in the layout
 * transport finds ASSUMED_BUFFER_MIB in the log buffer; other limits are those of redo_sim.h. */
#ifndef PLANNER_WHATIF_REDO_SIMULATION_H
#define PLANNER_WHATIF_REDO_SIMULATION_H

#include "models/oracle/redo_sim.h"
#include "planner/solve/plan.h"
#include "planner/whatif/scenario.h"

/* TUNING: a short repair; 64 MiB are between the 2.7 and 56 MB that buffer hits are published for
 * and what large hosts default to. */
#define OUTAGE_S           600
#define ASSUMED_BUFFER_MIB 64

struct redo_simulation {
    const char *missing; /* why there is none; NULL = the rest holds */
    struct redo_sim_result result;
    const char *outage_of; /* the standby that catch_up_s is of; NULL = none */
    const char *held_by;   /* the slowest SYNC standby, sent less than is generated; NULL = none */
    double catch_up_s;     /* NaN = no outage; INFINITY = not within the series */
    int64_t full_at_ms;    /* archive group without room; UNKNOWN = never */
    int64_t begin_ms, end_ms;
    bool from_logs; /* redo by archived log, not by the minute */
    double buffer_mib;
    bool buffer_assumed;
    int64_t by_link, by_average; /* direct ASYNC standbys simulated, and averaged */
};

enum redo_volumes { REDO_VOLUMES_PLANNED, REDO_VOLUMES_TODAY };

/* On the volumes of a plan for this scenario, as planned or as they are today.  ERR_NOMEM. */
int redo_simulate(const struct scenario *s, const struct plan *p, enum redo_volumes volumes,
                  struct arena *a, struct redo_simulation *out, struct err *e);

#endif
