/* tests/planner/solve/over_time.h - one group with a load over time, and its plan. */
#ifndef TESTS_PLANNER_SOLVE_OVER_TIME_H
#define TESTS_PLANNER_SOLVE_OVER_TIME_H

#include "models/core/mem.h"
#include "planner/check/plan_check.h"
#include "planner/solve/plan.h"
#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct over_time {
    struct synthetic_series room;
    struct load_series series;
    struct layout_group group;
    struct layout layout;
    struct system_load load;
    struct system_demand demand;
    struct plan_options o;
    struct plan plan;
    double at_s;
    struct arena a;
    struct err e;
};

static const char *const over_time_device[] = { "nvme1n1" };

/* gib of DATA on one volume, no headroom. */
static inline void over_time_begin(struct over_time *t, int64_t gib, unsigned types)
{
    *t = (struct over_time){ .group = group_named("DATA", ROLE_DATA) };
    t->group.devices = over_time_device;
    t->group.n_devices = 1;
    t->group.need_gib = gib;
    t->group.policy.types = types;
    t->group.policy.max_count = 1;
    t->series = series_in(&t->room, SERIES_DEVICE, over_time_device[0]);
    plan_options_init(&t->o, &builtin_catalogue, day_ms("2026-06-01"));
    t->o.headroom_pct = 0;
    t->o.per_volume_microusd = 0;
}

/* Reads for length_s after what there is. */
static inline void over_time_add(struct over_time *t, double length_s, double iops, double mibps)
{
    sample(&t->series, &t->room, t->at_s, length_s, iops, 0, mibps, 0);
    t->at_s += length_s;
}

static inline int over_time_try(struct over_time *t, const char *instance_type)
{
    struct demand_options d;
    demand_options_init(&d, &builtin_catalogue);
    t->load = (struct system_load){ .system = "PRD1", .series = &t->series, .n_series = 1 };
    t->layout = layout_of(&t->group, 1, instance_type);
    int rc = system_demand_build(&t->load, &t->layout, &d, &t->a, &t->demand, &t->e);
    if (!rc)
        rc = plan_build(&t->demand, &t->o, &t->a, &t->plan, &t->e);
    return rc ? rc : plan_check(&t->plan, &t->e);
}

static inline const struct plan_group *over_time_plan(struct over_time *t)
{
    if (over_time_try(t, NULL))
        fail_msg("%s", t->e.text);
    return &t->plan.groups[0];
}

static inline void assert_spec(const struct volume_spec *v, const char *want)
{
    char spec[96];
    assert_string_equal(volume_spec_format(spec, v), want);
}

#endif
