/* planner/whatif/redo_series.h - the redo of a scenario over time, in steps of whole seconds.
 *
 * First choice: what the first redo group with devices wrote, where that was measured by the minute
 * or finer.  Else the history of archived logs (metric redo_log, one value a log): bytes over the
 * time from its switch to the next, constant over the log, threads added up.
 *
 * Limits: of more than DAYS_MAX days those around the largest redo are taken; gaps are left out;
 * samples that are set apart count with the redo before them; what is faster within a log is not
 * seen in its mean; a thread of which no log is known at a time generates nothing then; of logs of
 * one thread that overlap the first counts, so a history that was loaded twice counts once. */
#ifndef PLANNER_WHATIF_REDO_SERIES_H
#define PLANNER_WHATIF_REDO_SERIES_H

#include "models/oracle/redo_sim.h"
#include "planner/whatif/scenario.h"

/* The runs, and when each of them began; n 0 = nothing is known. */
struct redo_series {
    struct redo_run *runs;
    int64_t *begin_ms;
    size_t n;
    int64_t end_ms;
    bool from_logs; /* by archived log, not by the minute */
};

/* ERR_NOMEM.  The redo path of the scenario is known. */
int redo_series_build(const struct scenario *s, struct arena *a, struct redo_series *out,
                      struct err *e);

#endif
