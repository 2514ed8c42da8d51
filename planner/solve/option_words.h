/* planner/solve/option_words.h - the sentences that go with an option. */
#ifndef PLANNER_SOLVE_OPTION_WORDS_H
#define PLANNER_SOLVE_OPTION_WORDS_H

#include "planner/solve/size.h"

/* Fills bursts, risk and notes; ERR_NOMEM. */
int option_explain(struct size_option *option, bool xen, int copies, struct arena *a,
                   struct err *e);

/* Adds a note where one volume of the same type would need more IOPS: all are the options there
 * are. ERR_NOMEM. */
int option_compare_with_one(struct size_option *option, const struct size_option *all, size_t n,
                            struct arena *a, struct err *e);

#endif
