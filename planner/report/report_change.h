/* planner/report/report_change.h - what is said of the way from today's volumes to a plan. */
#ifndef PLANNER_REPORT_REPORT_CHANGE_H
#define PLANNER_REPORT_REPORT_CHANGE_H

#include "models/core/emit.h"
#include "planner/change/change.h"

struct change_told {
    const struct change *change;
    const struct change_way *shown;   /* whose steps are told; NULL = there is none */
    const char *plan_path;            /* of --plan; NULL */
    const char *script_name, *script; /* of --script; NULL */
};

/* ERR_NOMEM. */
int report_change(struct emit *m, const struct change_told *t, struct arena *a, struct err *e);

#endif
