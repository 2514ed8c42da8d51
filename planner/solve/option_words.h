/* planner/solve/option_words.h - the sentences that go with an option. */
#ifndef PLANNER_SOLVE_OPTION_WORDS_H
#define PLANNER_SOLVE_OPTION_WORDS_H

#include "planner/solve/size.h"

/* Fills bursts, risk and notes; ERR_NOMEM. */
int option_explain(struct size_option *option, bool xen, int copies, struct arena *a,
                   struct err *e);

#endif
