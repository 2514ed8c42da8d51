/* tests/planner/solve/over_time.h - one group with a load over time, and its plan. */
#ifndef TESTS_PLANNER_SOLVE_OVER_TIME_H
#define TESTS_PLANNER_SOLVE_OVER_TIME_H

#include "planner/check/plan_check.h"
#include "planner/solve/plan.h"
#include "tests/planner/synthetic.h"
#include "tests/seeded.h"

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

/* Quiet and busy minutes, gaps among them; requests of 8 KiB to 1 MiB. */
static inline void add_random_load(struct over_time *t, struct seeded *r, double most_mibps)
{
    int n = (int)seeded_int(r, 1, SAMPLES_MAX);
    for (int i = 0; i < n; i++) {
        double mibps = seeded_real(r, seeded_chance(r, 25) ? most_mibps : most_mibps / 8);
        double kib = 8 * (double)(1 << seeded_int(r, 0, 7));
        if (seeded_chance(r, 5))
            t->at_s += 60 * (double)seeded_int(r, 1, 30);
        over_time_add(t, seeded_chance(r, 80) ? 60 : (double)seeded_int(r, 1, 60),
                      mibps * 1024 / kib, mibps);
    }
}

static inline void build_demand(struct over_time *t)
{
    struct demand_options d;
    demand_options_init(&d, &builtin_catalogue);
    t->load = (struct system_load){ .system = "PRD1", .series = &t->series, .n_series = 1 };
    t->layout = layout_of(&t->group, 1, NULL);
    assert_int_equal(system_demand_build(&t->load, &t->layout, &d, &t->a, &t->demand, &t->e), 0);
}

static inline struct volume_spec random_spec(struct seeded *r, enum volume_type type)
{
    struct volume_spec v = { type, seeded_int(r, 1, 4), seeded_int(r, 125, 2000), UNKNOWN,
                             UNKNOWN };
    if (type == VOL_GP3)
        v.throughput_mibps = seeded_int(r, 125, 500);
    if (type == VOL_GP3 || type == VOL_IO1 || type == VOL_IO2)
        v.iops = seeded_int(r, 3000, 6000);
    return v;
}

#endif
