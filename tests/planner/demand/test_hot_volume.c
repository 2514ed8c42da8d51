/* tests/planner/demand/test_hot_volume.c - one volume of a stripe at its own ceiling.  Two gp3 of
 * 3 000 IOPS and 125 MiB/s; minutes from 07:00 on, read in requests of 256 KiB unless said. */
#include "planner/demand/hot_volume.h"

#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct layout_volumes two_gp3[] = { { { VOL_GP3, 2, 100, 3000, 125 }, UNKNOWN } };
static const struct layout_volumes unequal[] = { { { VOL_GP3, 1, 100, 3000, 125 }, UNKNOWN },
                                                 { { VOL_GP3, 1, 100, 3000, 250 }, UNKNOWN } };

enum { MINUTES = 3 };

static const struct hot_case {
    const char *why;
    const struct layout_volumes *volumes;
    size_t n_volumes, n_series;
    double mibps[2][MINUTES], iops[2][MINUTES]; /* 0 = of 256 KiB */
    double length_s;
    double want_used_pct, want_skew, want_ceiling_s;
    size_t want_n, want_at_ceiling;
    double want_uneven_mibps, want_uneven_counted;
    unsigned want_flags[MINUTES];
} cases[] = {
    { "an even stripe",
      two_gp3,
      1,
      2,
      { { 50, 60, 40 }, { 50, 60, 40 } },
      { { 0 } },
      60,
      /* 60 of 125 */
      48,
      1,
      0,
      2,
      0,
      1,
      1,
      { 0 } },
    { "nearly even: within 5 %",
      two_gp3,
      1,
      2,
      { { 51, 60, 40 }, { 49, 58, 40 } },
      { { 0 } },
      60,
      48,
      120. / 118,
      0,
      2,
      0,
      1,
      1,
      { 0 } },
    /* 124 of 125 MiB/s; twice that over a sum of 134 */
    { "one is full in the second minute, the other idles",
      two_gp3,
      1,
      2,
      { { 50, 124, 40 }, { 50, 10, 40 } },
      { { 0 } },
      60,
      99.2,
      2 * 124. / 134,
      60,
      2,
      1,
      2 * 124. / 134,
      2 * 124. / 134,
      { 0, POINT_HOT_VOLUME, 0 } },
    { "each in its minute",
      two_gp3,
      1,
      2,
      { { 125, 10, 10 }, { 10, 125, 10 } },
      { { 0 } },
      60,
      100,
      2 * 125. / 135,
      120,
      2,
      2,
      2 * 125. / 135,
      2 * 125. / 135,
      { POINT_HOT_VOLUME, POINT_HOT_VOLUME, 0 } },
    /* 3 000 of 3 000 requests in 11.7 MiB/s; the sum of bytes is even */
    { "full of small requests",
      two_gp3,
      1,
      2,
      { { 11.71875, 10, 10 }, { 11.71875, 10, 10 } },
      { { 3000, 0, 0 }, { 0, 0, 0 } },
      60,
      100,
      2 * 3000. / 3046.875,
      60,
      2,
      1,
      1,
      2 * 3000. / 3046.875,
      { POINT_HOT_VOLUME, 0, 0 } },
    { "1.2 times what it can do: set apart",
      two_gp3,
      1,
      2,
      { { 150, 20, 20 }, { 10, 20, 20 } },
      { { 0 } },
      60,
      16,
      1,
      0,
      2,
      0,
      1,
      1,
      { POINT_ARTEFACT, 0, 0 } },
    { "one device for two volumes: nobody saw them apart",
      two_gp3,
      1,
      1,
      { { 125, 20, 20 } },
      { { 0 } },
      60,
      NAN,
      NAN,
      0,
      0,
      0,
      1,
      1,
      { 0 } },
    { "unequal volumes: which is which is not known",
      unequal,
      2,
      2,
      { { 120, 20, 20 }, { 10, 20, 20 } },
      { { 0 } },
      60,
      NAN,
      NAN,
      0,
      2,
      0,
      240. / 130,
      240. / 130,
      { 0 } },
};

/* One group of two devices, with no sample yet. */
struct stripe {
    struct synthetic_series room[2];
    struct load_series series[2];
    struct load_member members[2];
    struct layout_group group;
    struct ceiling_clock clock;
};

static void stripe_init(struct stripe *s, const struct layout_volumes *volumes, size_t n_volumes)
{
    static const char *const names[] = { "nvme1n1", "nvme2n1" };
    for (size_t i = 0; i < 2; i++) {
        s->series[i] = series_in(&s->room[i], SERIES_DEVICE, names[i]);
        s->members[i] = (struct load_member){ &s->series[i], 1, 1 };
    }
    s->group = group_named("DATA", ROLE_DATA);
    s->group.volumes = volumes;
    s->group.n_volumes = n_volumes;
    ceiling_clock_init(&s->clock, &builtin_catalogue, &s->group, NULL);
}

static const struct peak_factors no_factors = { NAN };

static void hot(void **state)
{
    const struct hot_case *c = *state;
    static struct stripe s;
    struct load_points points;
    struct hot_volume h;
    struct arena a = { 0 };
    struct err e;
    stripe_init(&s, c->volumes, c->n_volumes);
    for (size_t i = 0; i < c->n_series; i++)
        for (int m = 0; m < MINUTES; m++)
            sample(&s.series[i], &s.room[i], m * c->length_s, c->length_s,
                   c->iops[i][m] > 0 ? c->iops[i][m] : c->mibps[i][m] * 4, 0, c->mibps[i][m], 0);
    assert_int_equal(load_points_of_series(s.members, c->n_series, UNKNOWN, UNKNOWN, &a, &points,
                                           &e),
                     0);
    hot_volume_find(s.members, c->n_series, &s.clock, &no_factors, &points, &h);
    if (isnan(c->want_used_pct))
        assert_true(isnan(h.used_pct));
    else
        assert_near(h.used_pct, c->want_used_pct);
    if (!isnan(c->want_skew))
        assert_near(h.skew, c->want_skew);
    assert_near(h.ceiling_seconds, c->want_ceiling_s);
    assert_int_equal(h.n_volumes, c->want_n);
    assert_int_equal(h.n_at_ceiling, c->want_at_ceiling);
    assert_near(h.uneven_mibps, c->want_uneven_mibps);
    assert_near(h.uneven_counted, c->want_uneven_counted);
    for (size_t m = 0; m < MINUTES; m++)
        assert_int_equal(points.at[m].flags, c->want_flags[m]);
    arena_release(&a);
}

/* Both full: the group is, and no volume is hotter than it. */
static void all_of_them(void **state)
{
    (void)state;
    static struct stripe s;
    struct hot_volume h;
    stripe_init(&s, two_gp3, 1);
    for (size_t i = 0; i < 2; i++)
        sample(&s.series[i], &s.room[i], 0, 60, 500, 0, 125, 0);
    struct load_point sum = load_point_of_sample(&s.members[0], 0);
    sum.read_mibps = 250;
    sum.read_iops = sum.counted_iops = 1000;
    sum.flags = ceiling_flags(ceiling_at(&s.clock, morning_ms()), &sum);
    struct load_points points = { &sum, 1 };
    hot_volume_find(s.members, 2, &s.clock, &no_factors, &points, &h);
    assert_int_equal(sum.flags, POINT_CENSORED_THROUGHPUT);
    assert_near(h.ceiling_seconds, 0);
    assert_int_equal(h.n_at_ceiling, 2);
    assert_near(h.uneven_mibps, 1);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 1];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, hot, NULL, NULL, (void *)(size_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(all_of_them);
    return cmocka_run_group_tests(t, NULL, NULL);
}
