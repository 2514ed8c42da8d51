/* tests/planner/demand/two_groups.h - DATA and FRA of one device each, and their demand. */
#ifndef TESTS_PLANNER_DEMAND_TWO_GROUPS_H
#define TESTS_PLANNER_DEMAND_TWO_GROUPS_H

#include "planner/demand/system_demand.h"
#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { GROUPS_MAX = 2 };

struct world {
    struct synthetic_series room[GROUPS_MAX];
    struct load_series series[GROUPS_MAX];
    struct layout_group groups[GROUPS_MAX];
    struct layout layout;
    struct system_load load;
    struct system_demand measured, at;
    struct arena a;
    struct err e;
};

static inline void begin(struct world *w)
{
    static const char *const devices[GROUPS_MAX][1] = { { "nvme1n1" }, { "nvme2n1" } };
    *w = (struct world){ 0 };
    for (int g = 0; g < GROUPS_MAX; g++) {
        w->groups[g] = group_named(g ? "FRA" : "DATA", g ? ROLE_ARCHIVE : ROLE_DATA);
        w->groups[g].devices = devices[g];
        w->groups[g].n_devices = 1;
        w->groups[g].need_gib = 100;
        w->series[g] = series_in(&w->room[g], SERIES_DEVICE, devices[g][0]);
    }
}

static inline void measure(struct world *w)
{
    struct demand_options o;
    demand_options_init(&o, &builtin_catalogue);
    w->load = (struct system_load){ .system = "PRD1", .series = w->series, .n_series = GROUPS_MAX };
    w->layout = layout_of(w->groups, GROUPS_MAX, NULL);
    if (system_demand_build(&w->load, &w->layout, &o, &w->a, &w->measured, &w->e))
        fail_msg("%s", w->e.text);
}

#endif
