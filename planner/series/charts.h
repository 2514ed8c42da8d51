/* planner/series/charts.h - the load of a system as charts: one for each group and one for the
 * host, each with its ceilings, what waits and what binds.
 *
 * Making them costs a replay of today's volumes and one of the plan's; cutting envelopes of any
 * range out of them afterwards costs a pass over that range. */
#ifndef PLANNER_SERIES_CHARTS_H
#define PLANNER_SERIES_CHARTS_H

#include "planner/series/chart_ceilings.h"
#include "planner/series/chart_marks.h"
#include "planner/solve/plan.h"

struct charts_question {
    const struct system_demand *demand;
    const struct catalogue *catalogue;
    const struct instance_type *today; /* of the host; NULL = not known */
    const struct plan *plan;
};

struct chart {
    const char *name;
    const struct layout_group *group; /* NULL = the host */
    struct chart_marks marks;
    struct chart_ceilings ceilings;
    double ceiling_s; /* at a ceiling of its own today, of all that was measured */
};

struct charts {
    struct chart *at; /* the groups in order, then the host */
    size_t n;
    int64_t from_ms, to_ms; /* of what was measured; UNKNOWN = nothing */
};

/* ERR_NOMEM; ERR_LIMIT beyond REPLAY_GROUPS_MAX groups.  Everything in *out lives in a, or is
 * borrowed. */
int charts_build(const struct charts_question *q, struct arena *a, struct charts *out,
                 struct err *e);

/* Envelopes of all charts over a range: envelope.h.  out: one a chart.  ERR_NOMEM. */
int charts_cut(const struct charts *c, int64_t from_ms, int64_t to_ms, size_t n_wanted,
               struct arena *a, struct envelope *out, struct err *e);

/* The mean interval of the host's load; a minute where there is none. */
int64_t charts_interval_ms(const struct charts *c);

/* Stretches around the highest peaks of the charts, apart from each other and in time: what to look
 * at closely.  Fewer than room where there are fewer.  Their number. */
struct chart_stretch {
    int64_t from_ms, to_ms;
};
size_t charts_stretches(const struct charts *c, int64_t length_ms, struct chart_stretch *out,
                        size_t room);

#endif
