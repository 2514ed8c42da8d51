/* planner/solve/attachments.c - see attachments.h.
 *
 *     cost[g][s] = least sum of rank over groups 0..g with s volumes together
 *                = min over counts c of cost[g - 1][s - c] + rank of group g with c volumes */
#include "planner/solve/attachments.h"

#include "models/core/unit.h"
#include "planner/solve/plan_group.h"

struct choice {
    int64_t rank_microusd; /* UNKNOWN = cannot be had */
    int64_t count;         /* of this group */
};

/* What a group may be: one option per count. */
struct menu {
    const struct size_option *by_count;
    int64_t max_count;
};

static int menu_of(const struct plan_group *g, const struct plan_options *o, struct arena *a,
                   struct menu *out, struct err *e)
{
    struct size_need need;
    struct size_options options;
    plan_group_options(g->demand, o, &options);
    int rc = plan_group_need(g->demand, &need, e);
    if (!rc)
        rc = size_by_count(&need, &options, a, &out->by_count, e);
    out->max_count = options.max_count;
    return rc;
}

static int64_t fewest_of(const struct menu *m)
{
    for (int64_t c = 1; c <= m->max_count; c++)
        if (m->by_count[c].spec.count)
            return c;
    return 0;
}

static void fill_row(const struct choice *before, struct choice *row, const struct menu *m,
                     int64_t slots)
{
    for (int64_t s = 0; s <= slots; s++) {
        row[s] = (struct choice){ UNKNOWN, 0 };
        for (int64_t c = 1; c <= m->max_count && c <= s; c++) {
            const struct size_option *option = &m->by_count[c];
            if (!option->spec.count || before[s - c].rank_microusd == UNKNOWN)
                continue;
            int64_t rank = before[s - c].rank_microusd + option->rank_microusd;
            if (row[s].rank_microusd == UNKNOWN || rank < row[s].rank_microusd)
                row[s] = (struct choice){ rank, c };
        }
    }
}

/* Walks back from the cheapest end of the last row. */
static void choose(struct plan_group **free_groups, size_t n, const struct menu *menus,
                   const struct choice *rows, int64_t slots)
{
    size_t width = (size_t)slots + 1, best = 0;
    const struct choice *last = &rows[n * width];
    for (size_t s = 1; s < width; s++)
        if (last[s].rank_microusd != UNKNOWN && (last[best].rank_microusd == UNKNOWN ||
                                                 last[s].rank_microusd < last[best].rank_microusd))
            best = s;
    for (size_t g = n; g-- > 0;) {
        int64_t count = rows[(g + 1) * width + best].count;
        free_groups[g]->chosen = menus[g].by_count[count];
        best -= (size_t)count;
    }
}

int attachments_fit(struct plan_group *groups, size_t n, const struct plan_options *o,
                    int64_t slots, struct arena *a, int64_t *out_fewest, struct err *e)
{
    struct menu *menus = arena_array(a, n + 1, sizeof *menus);
    struct plan_group **free_groups = arena_array(a, n + 1, sizeof(struct plan_group *));
    if (!menus || !free_groups)
        return err_nomem(e);
    int64_t fewest = 0, kept = 0;
    size_t n_free = 0;
    for (size_t g = 0; g < n; g++) {
        if (groups[g].kept) {
            kept += groups[g].chosen.spec.count;
            continue;
        }
        int rc = menu_of(&groups[g], o, a, &menus[n_free], e);
        if (rc)
            return rc;
        fewest += fewest_of(&menus[n_free]);
        free_groups[n_free++] = &groups[g];
    }
    *out_fewest = fewest + kept;
    if (fewest + kept > slots)
        return 0;
    int64_t left = slots - kept;
    size_t width = (size_t)left + 1;
    struct choice *rows = arena_array(a, (n_free + 1) * width, sizeof *rows);
    if (!rows)
        return err_nomem(e);
    for (size_t s = 1; s < width; s++)
        rows[s].rank_microusd = UNKNOWN;
    for (size_t g = 0; g < n_free; g++)
        fill_row(&rows[g * width], &rows[(g + 1) * width], &menus[g], left);
    choose(free_groups, n_free, menus, rows, left);
    return 0;
}
