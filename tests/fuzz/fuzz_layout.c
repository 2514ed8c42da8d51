/* tests/fuzz/fuzz_layout.c - any bytes as the layout JSON, for `layout` and for `inspect`.
 *
 * What is accepted has a system, names of groups, and figures within their ranges. */
#include "tests/fuzz/fuzz_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand_group(const struct layout_group *g)
{
    demand(g->name && *g->name && g->skew >= 1);
    demand(g->role <= ROLE_OTHER && g->redundancy <= REDUNDANCY_HIGH);
    demand(g->need_gib == UNKNOWN || g->need_gib >= 0);
    demand(g->policy.types < 1u << VOL_TYPE_COUNT && g->policy.min_count >= 1);
    for (size_t i = 0; i < g->n_devices; i++)
        demand(g->devices[i] && *g->devices[i]);
    for (size_t i = 0; i < g->n_volumes; i++)
        demand(g->volumes[i].spec.type < VOL_TYPE_COUNT && g->volumes[i].spec.count >= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = { 0 };
    struct layout l;
    struct err e = { 0 };
    int rc = layout_parse((struct span){ (const char *)data, size }, &a, &l, &e);
    demand(rc == 0 || (rc == ERR_PARSE && e.text[0]));
    if (!rc) {
        demand(l.system && *l.system);
        for (size_t i = 0; i < l.n_groups; i++)
            demand_group(&l.groups[i]);
    }
    arena_release(&a);
    static const char *const names[] = { "layout" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
