/* planner/report/report_replay.h - what is said of a replay.
 *
 * JSON keys as INTERFACE.md lists them: groups[], instance, intervals[]. */
#ifndef PLANNER_REPORT_REPORT_REPLAY_H
#define PLANNER_REPORT_REPORT_REPLAY_H

#include "models/core/emit.h"
#include "planner/replay/replay_measured.h"

struct replay_told {
    const char *system;
    const char *plan_path; /* the volumes are a plan's; NULL */
    bool changed;          /* volumes or instance are not today's */
    int64_t as_of_ms;      /* of volumes that are not today's */
    const struct replay_question *question;
    const struct replay_system *replayed;
    const struct replay_measured_system *measured; /* today's volumes against what was measured */
    bool intervals;                                /* all of them: replays once more */
};

/* ERR_NOMEM. */
int report_replay(struct emit *m, const struct replay_told *t, struct arena *a, struct err *e);

#endif
