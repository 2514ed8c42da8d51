/* planner/report/report_whatif_answer.h - the sentence that a what-if begins with: what changed, by
 * how much, on which group. */
#ifndef PLANNER_REPORT_REPORT_WHATIF_ANSWER_H
#define PLANNER_REPORT_REPORT_WHATIF_ANSWER_H

#include "models/core/emit.h"
#include "planner/whatif/whatif.h"

/* "8 standbys, dr2 fed by dr1"; what does not fit is counted. */
void whatif_changes_words(char *buf, size_t room, const struct whatif_change *changes, size_t n);

/* Whether a group carries more or less; whether one carries it at another time. */
bool whatif_moves_bytes(const struct whatif *w);
bool whatif_moves_time(const struct whatif *w);

/* Of groups that carry other loads the one that changes most; else the one that needs more requests
 * for the same bytes; else the sum of all groups, when one was moved in time. */
void say_whatif_answer(struct emit *m, const struct whatif *w);
/* Whether the instance carries all groups together; nothing when it is not known. */
void say_whatif_host(struct emit *m, const struct whatif *w);
/* The answer, what all volumes cost then, and the instance: for somebody who reads nothing else. */
void say_whatif_verdict(struct emit *m, const struct whatif *w);

#endif
