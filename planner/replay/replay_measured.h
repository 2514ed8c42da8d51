/* planner/replay/replay_measured.h - whether the model of today's volumes lets through what was
 * measured on them.
 *
 * What was measured was served.  So today's volumes under the rules of each day, credits and the
 * instance included, must serve it without a wait; where they do not, the layout does not say what
 * was there, or the model is wrong.  2 % are granted to clocks and counters.  Averages of more than
 * a minute say no, but never yes: not where they are the larger part. */
#ifndef PLANNER_REPLAY_REPLAY_MEASURED_H
#define PLANNER_REPLAY_REPLAY_MEASURED_H

#include "planner/replay/replay_system.h"

enum reproduces { REPRODUCES_UNKNOWN, REPRODUCES_NO, REPRODUCES_YES };

struct replay_measured {
    enum reproduces verdict;
    bool known;           /* the ceilings, in some of the time; else only what was measured */
    double measured_s;    /* in intervals of up to a minute */
    double averaged_s;    /* in longer ones */
    double max_mibps;     /* artefacts apart; NaN = nothing */
    int64_t max_at_ms;    /* UNKNOWN */
    double ceiling_mibps; /* in force then, burst included */
    double max_iops, ceiling_iops; /* the same of counted requests */
    double at_ceiling_s;           /* 95 % of a ceiling and more */
    const char *hot_volume; /* one of them that was at its own ceiling; NULL = none was seen */
    double hot_volume_s;    /* with one at it; the replay spreads the load evenly (or by skew) */
    double above_s;         /* more than the ceilings in force allow, set apart or not; but for a
                               sample set apart that stands alone, as two intervals in one do */
    double set_apart_s;     /* as artefacts: more than 1.1 times the most */
    double baseline_iops;   /* of volumes with credits, where the largest was measured; NaN */
    double at_baseline_s;   /* requests at that: as if there were no credits */
    double lowest_credits;  /* by the model, which starts full; NaN */
};

struct replay_measured_system {
    const struct replay_measured *groups; /* one a group of the demand */
    struct replay_measured instance;
};

/* On the instance of the question; its volumes are left out: today's.  ERR_ as replay_system. */
int replay_measured(const struct replay_question *q, struct arena *a,
                    struct replay_measured_system *out, struct err *e);

#endif
