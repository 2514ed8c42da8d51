/* planner/report/report_change_answer.h - the sentence that the way to a plan begins with: what is
 * done to which groups, whether the database stops for it, how long it takes, what it costs then.
 */
#ifndef PLANNER_REPORT_REPORT_CHANGE_ANSWER_H
#define PLANNER_REPORT_REPORT_CHANGE_ANSWER_H

#include "planner/report/report_change.h"

/* ERR_NOMEM. */
int say_change_answer(struct emit *m, const struct change_told *t, struct arena *a, struct err *e);

#endif
