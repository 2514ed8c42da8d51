/* planner/solve/count_table.h - the cheapest ways to share a number of volumes among groups.
 *
 *     rank[g][s] = least sum of rank_usd over groups 0..g with s volumes together
 *                = min over counts c of rank[g - 1][s - c] + rank of group g with c volumes
 *
 * An exact knapsack over counts: groups * slots * counts steps. */
#ifndef PLANNER_SOLVE_COUNT_TABLE_H
#define PLANNER_SOLVE_COUNT_TABLE_H

#include "planner/solve/size.h"

/* What a group may be: an option per count, index = count; spec.count 0 = not with that many. */
struct count_menu {
    const struct size_option *by_count;
    int64_t max_count;
};

struct count_cell {
    int64_t rank_microusd; /* UNKNOWN = cannot be had */
    int64_t count;         /* of this group */
};

struct count_table {
    const struct count_menu *menus;
    size_t n;
    int64_t slots;
    const struct count_cell *cells; /* n + 1 rows of slots + 1 */
};

/* Fewest volumes with which every group has an option; UNKNOWN = a group has none. */
int64_t count_menus_fewest(const struct count_menu *menus, size_t n);

/* Menus are borrowed, slots at least 0; ERR_NOMEM. */
int count_table_build(const struct count_menu *menus, size_t n, int64_t slots, struct arena *a,
                      struct count_table *out, struct err *e);
/* Of exactly that many volumes; UNKNOWN = cannot be had. */
int64_t count_table_rank(const struct count_table *t, int64_t volumes);
/* The number of volumes, up to slots, with the least rank, the fewest of equals; UNKNOWN = none. */
int64_t count_table_best(const struct count_table *t, int64_t slots);
/* The options of that number, one a group. */
void count_table_options(const struct count_table *t, int64_t volumes,
                         const struct size_option **out);

#endif
