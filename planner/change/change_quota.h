/* planner/change/change_quota.h - whether a way needs more of a volume type than AWS allows an
 * account in a Region before it is asked (region_quotas.csv).
 *
 * Counted are today's volumes of the layout and all that a way adds, as if all were there at once:
 * the most that there can be.  Volumes of other hosts come on top. */
#ifndef PLANNER_CHANGE_CHANGE_QUOTA_H
#define PLANNER_CHANGE_CHANGE_QUOTA_H

#include "planner/change/change_group.h"

struct change_use {
    double iops[VOL_TYPE_COUNT], gib[VOL_TYPE_COUNT];
};

void change_use_add(struct change_use *u, const struct volume_spec *v, size_t count);
/* What of it is beyond a quota.  ERR_NOMEM. */
int change_quotas_over(const struct change_use *u, const struct catalogue *c, struct arena *a,
                       const struct change_quota **out, size_t *out_n, struct err *e);

#endif
