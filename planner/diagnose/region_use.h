/* planner/diagnose/region_use.h - what the volumes of a plan, and those that are loaded besides,
 * add up to in the Region, by type. */
#ifndef PLANNER_DIAGNOSE_REGION_USE_H
#define PLANNER_DIAGNOSE_REGION_USE_H

#include "planner/solve/plan.h"

struct provisioned {
    int64_t iops, gib;
};

struct region_use {
    struct provisioned planned[VOL_TYPE_COUNT];
    /* Volumes of the EC2 API in the store that no group of the layout claims by its id, each once;
     * those of a known other Region left out.  Volumes that the plan replaces may be among them:
     * while data moves both are there. */
    struct provisioned loaded[VOL_TYPE_COUNT];
};

/* ERR_NOMEM, without words. */
int region_use_of(const struct plan *p, struct arena *a, struct region_use *out);

#endif
