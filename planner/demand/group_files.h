/* planner/demand/group_files.h - which Oracle file types a group holds. */
#ifndef PLANNER_DEMAND_GROUP_FILES_H
#define PLANNER_DEMAND_GROUP_FILES_H

#include "models/vocab/layout.h"

/* Those that the layout lists.  Where it lists none, those of the role, when it is clear that all
 * of them are there: a redo group that names its log member, or the only group of its role.
 * Returns their number. */
size_t group_files(const struct layout *l, const struct layout_group *g,
                   const struct layout_file **out);

/* Members of each log: as the layout says, else as many as groups name one; 0 = not known. */
int64_t group_log_members(const struct layout *l);
/* Bytes that a group is written for each byte of redo: its members of each log, mirrored; NaN when
 * it holds none, or nobody says which. */
double group_redo_copies(const struct layout *l, const struct layout_group *g);
/* The member that is read: 1 unless the layout says otherwise. */
int64_t group_read_member(const struct layout *l);

#endif
