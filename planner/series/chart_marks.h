/* planner/series/chart_marks.h - what a replay says of each measured interval: whether it had to
 * wait, and for what. */
#ifndef PLANNER_SERIES_CHART_MARKS_H
#define PLANNER_SERIES_CHART_MARKS_H

#include "planner/replay/replay_system.h"

/* One a point of a group, or of the instance. */
struct chart_marks {
    const struct load_points *points;
    unsigned char *marks;   /* enum envelope_state */
    unsigned char *binding; /* enum replay_ceiling, or ENVELOPE_NO_BINDING */
};

/* None so far.  ERR_NOMEM. */
int chart_marks_init(struct chart_marks *m, const struct load_points *points, struct arena *a,
                     struct err *e);
/* A point that was measured at a ceiling, of its volumes or of the instance, is bound by it where
 * nothing else is said. */
void chart_marks_censored(struct chart_marks *m, bool of_host);
/* When all is marked: how long it is at a ceiling of its own today. */
double chart_marks_ceiling_s(const struct chart_marks *m, bool of_host);

/* Replays the question and sets the bit of every point in which something waits; with takes_binding
 * also what it waits for.  groups: one a group of the demand.  ERR_ of replay_system. */
int chart_marks_replay(const struct replay_question *q, unsigned char bit, bool takes_binding,
                       struct chart_marks *groups, struct chart_marks *host, struct arena *a,
                       struct err *e);

#endif
