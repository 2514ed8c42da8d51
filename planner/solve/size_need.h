/* planner/solve/size_need.h - from a need as asked to what the volumes must carry. */
#ifndef PLANNER_SOLVE_SIZE_NEED_H
#define PLANNER_SOLVE_SIZE_NEED_H

#include "planner/solve/size.h"

/* ERR_USAGE for numbers that make no sense. */
int size_need_check(const struct size_need *n, const struct size_options *o, struct err *e);
/* Fills the need_, counted_ and need fields of *r. */
void size_need_derive(const struct size_need *n, const struct size_options *o,
                      struct size_result *r);

#endif
