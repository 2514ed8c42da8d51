/* planner/check/host_check.h - is what the plan says of its instance true? */
#ifndef PLANNER_CHECK_HOST_CHECK_H
#define PLANNER_CHECK_HOST_CHECK_H

#include "planner/solve/plan.h"

/* Re-derives the caps from the rows of the catalogue, and holds the demand with headroom and the
 * volumes against them.  0, or ERR_NO with the first contradiction. */
int host_check(const struct plan *p, struct err *e);

#endif
