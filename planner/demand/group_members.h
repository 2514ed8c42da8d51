/* planner/demand/group_members.h - which series make which group.
 *
 * A device or volume belongs to the first group of the layout that names it.  File types
 * belong to every group that holds them (group_files.h), by share; of "Log File" a group that holds
 * one member of each log has 1 / members of the writes, and all reads when it is the member that is
 * read: the first, unless the layout says otherwise.  Of a cluster the instances count, not their
 * sum, where both were reported. */
#ifndef PLANNER_DEMAND_GROUP_MEMBERS_H
#define PLANNER_DEMAND_GROUP_MEMBERS_H

#include "models/vocab/layout.h"
#include "planner/demand/load_points.h"

struct group_members {
    struct load_member *devices, *filetypes;
    size_t n_devices, n_filetypes;
};

/* One per group of the layout; unclaimed are devices and volumes that nobody names. */
int group_members_find(const struct system_load *load, const struct layout *layout, struct arena *a,
                       struct group_members **out, const struct load_series *const **out_unclaimed,
                       size_t *out_n_unclaimed, struct err *e);

#endif
