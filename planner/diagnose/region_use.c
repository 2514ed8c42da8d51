/* planner/diagnose/region_use.c - see region_use.h. */
#include "planner/diagnose/region_use.h"

#include "models/core/unit.h"
#include "models/vocab/volume_config.h"

#include <stdlib.h>
#include <string.h>

static void add_volumes(struct provisioned *by_type, const struct volume_spec *v)
{
    /* Files may say anything: what no account has is not added up. */
    const int64_t absurd = INT64_C(1000000000);
    if (v->type >= VOL_TYPE_COUNT || v->count < 1 || v->count > 100000 || v->size_gib > absurd ||
        v->iops > absurd)
        return;
    by_type[v->type].gib += v->size_gib > 0 ? v->size_gib * v->count : 0;
    by_type[v->type].iops += v->iops > 0 ? v->iops * v->count : 0;
}

static void add_plan(const struct plan *p, struct provisioned *by_type)
{
    for (size_t g = 0; g < p->n_groups; g++) {
        const struct plan_group *group = &p->groups[g];
        if (!group->kept)
            add_volumes(by_type, &group->chosen.spec);
        for (size_t i = 0; group->kept && i < group->group->n_volumes; i++)
            add_volumes(by_type, &group->group->volumes[i].spec);
    }
}

static bool is_claimed(const struct layout *l, struct span volume_id)
{
    for (size_t g = 0; g < l->n_groups; g++)
        if (layout_names_volume(&l->groups[g], volume_id))
            return true;
    return false;
}

/* A zone is its Region and a letter; one that nobody told may be here. */
static bool is_here(struct span zone, const char *region)
{
    size_t n = strlen(region);
    return !zone.len || (zone.len >= n && memcmp(zone.ptr, region, n) == 0);
}

static int by_id(const void *va, const void *vb)
{
    const struct volume_config *const *a = va, *const *b = vb;
    size_t n =
        (*a)->volume_id.len < (*b)->volume_id.len ? (*a)->volume_id.len : (*b)->volume_id.len;
    int order = n ? memcmp((*a)->volume_id.ptr, (*b)->volume_id.ptr, n) : 0;
    if (order)
        return order;
    if ((*a)->volume_id.len != (*b)->volume_id.len)
        return (*a)->volume_id.len < (*b)->volume_id.len ? -1 : 1;
    return *a < *b ? -1 : *a > *b; /* as they were loaded */
}

int region_use_of(const struct plan *p, struct arena *a, struct region_use *out)
{
    struct region_use use = { 0 };
    const struct system_load *load = p->demand->load;
    const struct volume_config **all = arena_array(a, load->n_volumes + 1, sizeof(void *));
    if (!all)
        return ERR_NOMEM;
    add_plan(p, use.planned);
    for (size_t i = 0; i < load->n_volumes; i++)
        all[i] = &load->volumes[i].config;
    qsort(all, load->n_volumes, sizeof(void *), by_id);
    for (size_t i = 0; i < load->n_volumes; i++) {
        bool told_later =
            i + 1 < load->n_volumes && span_eq(all[i]->volume_id, all[i + 1]->volume_id);
        if (!told_later && !is_claimed(p->demand->layout, all[i]->volume_id) &&
            is_here(all[i]->zone, p->region))
            add_volumes(use.loaded, &all[i]->spec);
    }
    *out = use;
    return 0;
}
