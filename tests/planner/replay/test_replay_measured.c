/* tests/planner/replay/test_replay_measured.c - whether the model lets through what was measured.
 */
#include "planner/replay/replay_measured.h"

#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LOADS = 3 };

/* n samples of length_s. */
struct load {
    int n;
    double length_s, mibps, iops;
};

static const struct measured_case {
    const char *why;
    struct layout_volumes volumes;
    struct load loads[LOADS];
    enum reproduces want;
    double want_above_s, want_at_ceiling_s, want_set_apart_s, want_at_baseline_s;
} cases[] = {
    { "flat at the 500 MiB/s of 2022",
      { { VOL_IO2, 1, 500, 5000, UNKNOWN }, UNKNOWN },
      { { 20, 60, 100, 400 }, { 14, 60, 500, 2000 } },
      REPRODUCES_YES,
      0,
      14 * 60,
      0,
      0 },
    { "clocks and counters: 1 % above is the ceiling",
      { { VOL_IO2, 1, 500, 5000, UNKNOWN }, UNKNOWN },
      { { 14, 60, 505, 2020 } },
      REPRODUCES_YES,
      0,
      14 * 60,
      0,
      0 },
    { "5 % above is not",
      { { VOL_IO2, 1, 500, 5000, UNKNOWN }, UNKNOWN },
      { { 20, 60, 100, 400 }, { 14, 60, 525, 2100 } },
      REPRODUCES_NO,
      14 * 60,
      14 * 60,
      0,
      0 },
    { "one sample of two intervals is set apart, and no contradiction, however short the series",
      { { VOL_IO2, 1, 500, 5000, UNKNOWN }, UNKNOWN },
      { { 10, 60, 100, 400 }, { 1, 60, 1000, 4000 }, { 9, 60, 100, 400 } },
      REPRODUCES_YES,
      0,
      0,
      60,
      0 },
    { "two in a row are no slip of a collector",
      { { VOL_IO2, 1, 500, 5000, UNKNOWN }, UNKNOWN },
      { { 10, 60, 100, 400 }, { 2, 60, 1000, 4000 }, { 9, 60, 100, 400 } },
      REPRODUCES_NO,
      2 * 60,
      0,
      2 * 60,
      0 },
    { "many that volumes cannot do are: the layout is wrong, though all are set apart",
      { { VOL_GP3, 1, 500, 3000, 125 }, UNKNOWN },
      { { 20, 60, 400, 1600 } },
      REPRODUCES_NO,
      20 * 60,
      0,
      20 * 60,
      0 },
    { "hourly averages below the ceiling prove nothing",
      { { VOL_GP3, 1, 500, 3000, 125 }, UNKNOWN },
      { { 3, 3600, 50, 200 } },
      REPRODUCES_UNKNOWN,
      0,
      0,
      0,
      0 },
    { "hourly averages above it do",
      { { VOL_GP3, 1, 500, 3000, 125 }, UNKNOWN },
      { { 3, 3600, 130, 520 } },
      REPRODUCES_NO,
      3 * 3600,
      3 * 3600,
      0,
      0 },
    { "a few minutes do not speak for hours of averages",
      { { VOL_GP3, 1, 500, 3000, 125 }, UNKNOWN },
      { { 3, 60, 50, 200 }, { 3, 3600, 50, 200 } },
      REPRODUCES_UNKNOWN,
      0,
      0,
      0,
      0 },
    { "volumes of a day when gp3 was not there",
      { { VOL_GP3, 1, 500, 3000, 125 }, INT64_C(1700000000000) },
      { { 3, 60, 50, 200 } },
      REPRODUCES_UNKNOWN,
      0,
      0,
      0,
      0 },
    { "gp2 of 20 GiB flat at its 100 IOPS",
      { { VOL_GP2, 1, 20, UNKNOWN, UNKNOWN }, UNKNOWN },
      { { 50, 60, 1.5625, 100 } },
      REPRODUCES_YES,
      0,
      0,
      0,
      50 * 60 },
    /* full: 5 400 000; 1 000 - 100 a second empty it (with 2 % more of each) in 1.02 * 5 400 000 /
     * (1 000 - 102) = 6 133.6 s of the 7 200; above from then on */
    { "more than credits can have paid for",
      { { VOL_GP2, 1, 20, UNKNOWN, UNKNOWN }, UNKNOWN },
      { { 60, 60, 15.625, 1000 }, { 60, 60, 15.625, 1000 } },
      REPRODUCES_NO,
      7200 - 1.02 * 5400000 / 898,
      0,
      0,
      0 },
};

/* What is said of n devices, one group on these volumes; it lives in a. */
static struct replay_measured_system measure(const struct load_series *series,
                                             const char *const *devices, size_t n,
                                             const struct layout_volumes *volumes, struct arena *a)
{
    struct layout_group g = group_named("DATA", ROLE_DATA);
    g.devices = devices;
    g.n_devices = n;
    g.volumes = volumes;
    g.n_volumes = 1;
    struct system_load load = { .system = "PRD1", .series = series, .n_series = n };
    struct layout layout = layout_of(&g, 1, NULL);
    struct demand_options o;
    struct system_demand demand;
    struct err e = { 0 };
    demand_options_init(&o, &builtin_catalogue);
    assert_int_equal(system_demand_build(&load, &layout, &o, a, &demand, &e), 0);
    struct replay_question q = { .demand = &demand, .catalogue = &builtin_catalogue };
    struct replay_measured_system m;
    assert_int_equal(replay_measured(&q, a, &m, &e), 0);
    return m;
}

static void measured(void **state)
{
    const struct measured_case *c = *state;
    static const char *const devices[] = { "nvme1n1" };
    static int64_t begin_ms[200], end_ms[200];
    static double iops[200], none[200], mibps[200];
    struct load_series s = { .kind = SERIES_DEVICE,
                             .counts = COUNT_BLOCK,
                             .host = "db1",
                             .name = "nvme1n1",
                             .instance_number = UNKNOWN,
                             .begin_ms = begin_ms,
                             .end_ms = end_ms,
                             .read_iops = iops,
                             .write_iops = none,
                             .read_mibps = mibps,
                             .write_mibps = none };
    int64_t at_ms = morning_ms();
    for (size_t i = 0; i < LOADS; i++)
        for (int k = 0; k < c->loads[i].n; k++, s.n++) {
            begin_ms[s.n] = at_ms;
            end_ms[s.n] = at_ms += (int64_t)(c->loads[i].length_s * 1000);
            iops[s.n] = c->loads[i].iops;
            mibps[s.n] = c->loads[i].mibps;
        }
    struct arena a = { 0 };
    const struct replay_measured_system m = measure(&s, devices, 1, &c->volumes, &a);
    assert_int_equal(m.groups[0].verdict, c->want);
    assert_near(m.groups[0].above_s, c->want_above_s);
    assert_near(m.groups[0].at_ceiling_s, c->want_at_ceiling_s);
    assert_near(m.groups[0].set_apart_s, c->want_set_apart_s);
    assert_near(m.groups[0].at_baseline_s, c->want_at_baseline_s);
    assert_int_equal(m.instance.verdict, REPRODUCES_UNKNOWN); /* no type is given */
    arena_release(&a);
}

/* One of two gp3 of 3 000 IOPS is full for 20 minutes of 30, the other does 100: 3 100 of 6 000. */
static void one_of_two_volumes_is_full(void **state)
{
    (void)state;
    static const char *const devices[] = { "nvme1n1", "nvme2n1" };
    static struct synthetic_series rooms[2];
    const struct layout_volumes volumes = { { VOL_GP3, 2, 500, 3000, 125 }, UNKNOWN };
    struct load_series s[2];
    for (size_t d = 0; d < 2; d++) {
        s[d] = series_in(&rooms[d], SERIES_DEVICE, devices[d]);
        for (int i = 0; i < 30; i++) {
            double iops = d == 0 && i < 20 ? 3000 : 100;
            sample(&s[d], &rooms[d], i * 60, 60, iops, 0, iops / 128, 0);
        }
    }
    struct arena a = { 0 };
    const struct replay_measured_system m = measure(s, devices, 2, &volumes, &a);
    assert_near(m.groups[0].at_ceiling_s, 0);
    assert_near(m.groups[0].hot_volume_s, 20 * 60);
    assert_string_equal(m.groups[0].hot_volume, "nvme1n1");
    arena_release(&a);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 1] = { [N] = cmocka_unit_test(one_of_two_volumes_is_full) };
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, measured, NULL, NULL, (void *)(size_t)&cases[i] };
    return cmocka_run_group_tests_name("replay_measured", t, NULL, NULL);
}
