/* planner/change/change_group.h - the ways of one group, before they are dated. */
#ifndef PLANNER_CHANGE_CHANGE_GROUP_H
#define PLANNER_CHANGE_CHANGE_GROUP_H

#include "models/ebs/vol_modify.h"
#include "planner/change/change_window.h"

enum { CHANGE_VOLUMES_MAX = 1000 }; /* of a group */

/* One of today's volumes. */
struct change_volume {
    struct volume_spec spec; /* count 1 */
    const char *name;        /* its ID, or OLD_1 */
    const char *shell;       /* a word of sh that stands for it */
    const char *disk;        /* a variable of SQL*Plus that stands for its ASM disk */
    bool has_id;
    struct vol_modify_history history;
};

/* One way of a group, undated. */
struct change_option {
    const char *why_not;               /* NULL = possible */
    struct volume_spec to;             /* in the end */
    size_t n_kept, n_added, n_dropped; /* volumes: kept ones may be modified */
    int64_t total_microusd;            /* of to */
    int64_t meanwhile_microusd;        /* of all volumes while both sets are there */
    struct change_move move;           /* moved_gib NaN = nothing moves */
};

struct change_group {
    size_t index;
    const struct group_demand *of;
    const struct layout_group *layout;
    struct volume_spec target; /* defaults filled in */
    bool changes, on_asm;
    const struct change_volume *old;
    size_t n_old;
    int64_t old_microusd; /* UNKNOWN */
    double used_gib;      /* on the devices, mirrors included */
    bool used_known;      /* else the most that can be */
    struct replay_group today;
    struct change_option options[CHANGE_KIND_COUNT];
};

struct change_host {
    const struct system_demand *demand;
    const struct change_options *options;
    const struct change_day *day;
    int64_t attached, slots; /* volumes now; that the instance takes, UNKNOWN */
};

/* n_before: today's volumes of the groups before it, for the names of those without an ID.
 * ERR_USAGE where the layout does not tell today's volumes, or the target is not known that day;
 * ERR_NOMEM. */
int change_group_init(const struct change_host *h, size_t index, size_t n_before, struct arena *a,
                      struct change_group *out, struct err *e);
/* Today's volumes of a group; -1 where there are more than CHANGE_VOLUMES_MAX. */
int64_t change_volumes_of(const struct layout_group *g);

#endif
