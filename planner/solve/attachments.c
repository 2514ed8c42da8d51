/* planner/solve/attachments.c - see attachments.h. */
#include "planner/solve/attachments.h"

#include "models/core/unit.h"
#include "planner/solve/plan_group.h"

int attachments_menus(const struct system_demand *d, const struct plan_options *o, int64_t slots,
                      struct arena *a, struct free_groups *out, struct err *e)
{
    struct free_groups f = { 0 };
    struct count_menu *menus = arena_array(a, d->n_groups + 1, sizeof *menus);
    size_t *index = arena_array(a, d->n_groups + 1, sizeof *index);
    if (!menus || !index)
        return err_nomem(e);
    for (size_t g = 0; g < d->n_groups; g++) {
        if (plan_group_is_kept(&d->groups[g])) {
            f.kept += layout_volume_count(d->groups[g].group);
            continue;
        }
        int rc = plan_group_menu(&d->groups[g], o, slots, a, &menus[f.n], e);
        if (rc)
            return rc;
        f.most += menus[f.n].max_count;
        index[f.n++] = g;
    }
    f.menus = menus;
    f.index = index;
    f.fewest = count_menus_fewest(menus, f.n);
    *out = f;
    return 0;
}

int attachments_fit(struct plan_group *groups, const struct system_demand *d,
                    const struct plan_options *o, int64_t slots, struct arena *a,
                    int64_t *out_fewest, struct err *e)
{
    struct free_groups f;
    struct count_table table;
    int rc = attachments_menus(d, o, slots, a, &f, e);
    if (!rc && f.fewest == UNKNOWN) /* with more volumes than there are slots, perhaps */
        rc = attachments_menus(d, o, INT64_MAX, a, &f, e);
    if (rc)
        return rc;
    *out_fewest = f.fewest == UNKNOWN ? UNKNOWN : f.fewest + f.kept;
    if (f.fewest == UNKNOWN || *out_fewest > slots)
        return 0;
    rc = count_table_build(f.menus, f.n, slots - f.kept, a, &table, e);
    const struct size_option **chosen = arena_array(a, f.n + 1, sizeof(struct size_option *));
    if (rc || !chosen)
        return rc ? rc : err_nomem(e);
    count_table_options(&table, count_table_best(&table, table.slots), chosen);
    for (size_t i = 0; i < f.n; i++)
        groups[f.index[i]].chosen = *chosen[i];
    return 0;
}
