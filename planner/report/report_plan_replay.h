/* planner/report/report_plan_replay.h - what a plan says by replay, and what it was sized for. */
#ifndef PLANNER_REPORT_REPORT_PLAN_REPLAY_H
#define PLANNER_REPORT_REPORT_PLAN_REPLAY_H

#include "models/core/emit.h"
#include "planner/solve/plan.h"

/* "sized_for": what was asked for instead of the maximum; null. */
void emit_sized_for(struct emit *m, const struct plan_options *o);
/* "replay": of the chosen volumes; null where they were not sized by it. */
void emit_replay(struct emit *m, const struct plan_replay *r);
/* "peak_price" and "burst" of the instance; null where nothing is known over time. */
void emit_peak_price(struct emit *m, const struct plan_peak_price *p);
void emit_burst(struct emit *m, const struct plan_burst *b);

/* "its peak", "p99 of its load"; of several groups: "their peaks". */
enum { SIZED_AT_WORDS = 96 };
char *sized_at_words(char buf[SIZED_AT_WORDS], const struct plan_options *o, bool one);
/* "peak MiB/s", "p99 MiB/s" */
char *peak_head(char buf[48], const struct plan_options *o);

/* Labelled lines. */
void say_sized_for(struct emit *m, const struct plan *p);
void say_replays(struct emit *m, const struct plan *p);
void say_peak_price(struct emit *m, const struct plan *p);
void say_burst_of_host(struct emit *m, const struct plan *p);

#endif
