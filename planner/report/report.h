/* planner/report/report.h - what is said of sizes, peaks and plans, through an emitter.
 *
 * JSON keys as INTERFACE.md lists them.  Each report first lets planner/check contradict what it is
 * given; a contradiction is our bug and ends the program (BUG). */
#ifndef PLANNER_REPORT_REPORT_H
#define PLANNER_REPORT_REPORT_H

#include "models/core/arena.h"
#include "models/core/emit.h"
#include "planner/demand/peaks.h"
#include "planner/solve/plan.h"
#include "planner/solve/size.h"

void report_size(struct emit *m, const struct size_result *r);
void report_peaks(struct emit *m, const struct peaks *p);
/* For machines: "verdict", the sentences that a page shows first.  m fails when a has no memory. */
void emit_plan_verdict(struct emit *m, const struct plan *p, struct arena *a);
void report_plan(struct emit *m, const struct plan *p);
/* What it comes to, in a sentence or two. */
void say_plan_answer(struct emit *m, const struct plan *p);
/* Why nothing carries the load, of a plan of status PLAN_NONE. */
enum { PLAN_NONE_WORDS = 400 };
char *plan_none_words(char buf[PLAN_NONE_WORDS], const struct plan *p);

#endif
