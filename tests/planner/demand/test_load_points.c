/* tests/planner/demand/test_load_points.c - sums at the same instant. */
#include "planner/demand/load_points.h"

#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct fixture {
    struct synthetic_series room[2];
    struct load_series series[2];
    struct load_member members[2];
    struct arena a;
};

static void begin(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    for (int i = 0; i < 2; i++) {
        f->series[i] = series_in(&f->room[i], SERIES_DEVICE, i ? "sdb" : "sda");
        f->members[i] = (struct load_member){ &f->series[i], 1, 1 };
    }
}

static struct load_points sum(struct fixture *f, size_t n, int64_t from_ms, int64_t to_ms)
{
    struct load_points p;
    struct err e;
    assert_int_equal(load_points_of_series(f->members, n, from_ms, to_ms, &f->a, &p, &e), 0);
    return p;
}

static void same_edges(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    sample(&f.series[0], &f.room[0], 0, 60, 10, 1, 100, 1);
    sample(&f.series[0], &f.room[0], 60, 60, 10, 1, 20, 1);
    sample(&f.series[1], &f.room[1], 0, 60, 10, 1, 30, 1);
    sample(&f.series[1], &f.room[1], 60, 60, 10, 1, 90, 1);
    struct load_points p = sum(&f, 2, UNKNOWN, UNKNOWN);
    /* 100 + 30 and 20 + 90: the peak is 130, not 100 + 90. */
    assert_int_equal(p.n, 2);
    assert_near(p.at[0].read_mibps, 130);
    assert_near(p.at[1].read_mibps, 110);
    assert_near(point_total_mibps(&p.at[0]), 132);
    assert_int_equal(p.at[0].flags, 0);
    assert_near(p.at[0].interval_s, 60);
    arena_release(&f.a);
}

static void other_edges(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    /* 0..60 and 30..90: three pieces, the outer two with one member only. */
    sample(&f.series[0], &f.room[0], 0, 60, 10, 0, 100, 0);
    sample(&f.series[1], &f.room[1], 30, 60, 10, 0, 30, 0);
    struct load_points p = sum(&f, 2, UNKNOWN, UNKNOWN);
    assert_int_equal(p.n, 3);
    assert_near(p.at[0].read_mibps, 100);
    assert_near(p.at[1].read_mibps, 130);
    assert_near(p.at[2].read_mibps, 30);
    assert_int_equal(p.at[0].flags, POINT_PARTIAL);
    assert_int_equal(p.at[1].flags, 0);
    assert_int_equal(p.at[1].end_ms - p.at[1].begin_ms, 30000);
    assert_near(p.at[1].interval_s, 60);
    arena_release(&f.a);
}

/* Both begin their second sample before the first ends: no instant counts twice. */
static void overlaps_in_step(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    for (int i = 0; i < 2; i++) {
        sample(&f.series[i], &f.room[i], 0, 60, 10, 0, 100, 0);
        sample(&f.series[i], &f.room[i], 30, 60, 10, 0, 30, 0);
    }
    struct load_points p = sum(&f, 2, UNKNOWN, UNKNOWN);
    int64_t covered_ms = 0;
    for (size_t i = 0; i < p.n; i++) {
        assert_true(!i || p.at[i].begin_ms >= p.at[i - 1].end_ms);
        covered_ms += p.at[i].end_ms - p.at[i].begin_ms;
    }
    assert_int_equal(covered_ms, 90000);
    arena_release(&f.a);
}

static void gap_and_window(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    sample(&f.series[0], &f.room[0], 0, 60, 10, 0, 1, 0);
    sample(&f.series[0], &f.room[0], 300, 60, 10, 0, 2, 0);
    struct load_points p = sum(&f, 1, UNKNOWN, UNKNOWN);
    assert_int_equal(p.n, 2); /* nothing is said of the gap */
    p = sum(&f, 1, morning_ms() + 30000, morning_ms() + 330000);
    assert_int_equal(p.n, 2);
    assert_int_equal(p.at[0].begin_ms, morning_ms() + 30000);
    assert_int_equal(p.at[1].end_ms, morning_ms() + 330000);
    p = sum(&f, 1, morning_ms() + 60000, morning_ms() + 300000);
    assert_int_equal(p.n, 0);
    arena_release(&f.a);
}

static void counted(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    /* Reads: 100/s with 100 MiB/s are 1 MiB each = 400 of 256 KiB.  Writes: 50/s with 1 MiB/s are
     * 20 KiB each = 50.  At most 100 + 400 and 50 + 4. */
    sample(&f.series[0], &f.room[0], 0, 60, 100, 50, 100, 1);
    /* Unknown stays unknown: only MiB/s of reads, nothing of writes. */
    sample(&f.series[0], &f.room[0], 60, 60, NAN, NAN, 10, NAN);
    struct load_points p = sum(&f, 1, UNKNOWN, UNKNOWN);
    assert_near(p.at[0].counted_iops, 450);
    assert_near(p.at[0].counted_iops_high, 554);
    assert_near(p.at[1].counted_iops, 40);
    assert_true(isnan(p.at[1].read_iops));
    assert_true(isnan(p.at[1].write_mibps));
    assert_near(point_total_mibps(&p.at[1]), 10);
    arena_release(&f.a);
}

static void factors(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    sample(&f.series[0], &f.room[0], 0, 3600, 10, 10, 5, 1);
    f.members[0].read_factor = 0;
    f.members[0].write_factor = 2;
    struct load_points p = sum(&f, 1, UNKNOWN, UNKNOWN);
    assert_near(p.at[0].read_mibps, 0);
    assert_near(p.at[0].write_mibps, 2);

    const struct load_points *both[] = { &p, &p };
    struct load_points q;
    struct err e;
    struct peak_factors ten = { NAN };
    assert_int_equal(load_points_of_points(both, 2, NULL, &f.a, &q, &e), 0);
    assert_near(q.at[0].write_mibps, 4);
    assert_int_equal(q.at[0].flags, 0);
    assert_int_equal(load_points_of_points(both, 2, &ten, &f.a, &q, &e), 0);
    assert_near(q.at[0].write_mibps, 40); /* an hour: ten times */
    assert_int_equal(q.at[0].flags, POINT_ASSUMED);
    arena_release(&f.a);
}

/* A minute next to an hour: the factor counts as soon as one of them is averaged. */
static void both_sums(void **state)
{
    (void)state;
    struct fixture f;
    struct load_points measured, assumed;
    struct err e;
    struct peak_factors ten = { NAN };
    begin(&f);
    sample(&f.series[0], &f.room[0], 0, 60, 10, 10, 5, 1);
    sample(&f.series[1], &f.room[1], 60, 3660, 10, 10, 5, 3);
    struct load_points minute = sum(&f, 1, UNKNOWN, UNKNOWN);
    struct load_points all = sum(&f, 2, UNKNOWN, UNKNOWN);
    const struct load_points *minutes[] = { &minute, &minute }, *any[] = { &all, &minute };

    assert_true(load_points_all_measured(&minute));
    assert_int_equal(load_points_measured_and_assumed(minutes, 2, &ten, &f.a, &measured, &assumed,
                                                      &e),
                     0);
    assert_near(measured.at[0].write_mibps, 2);
    assert_ptr_equal(measured.at, assumed.at);

    assert_false(load_points_all_measured(&all));
    assert_int_equal(load_points_measured_and_assumed(any, 2, &ten, &f.a, &measured, &assumed, &e),
                     0);
    assert_int_equal(measured.n, 2);
    assert_near(measured.at[1].write_mibps, 3);
    assert_near(assumed.at[0].write_mibps, 2); /* a minute hides no peak */
    assert_near(assumed.at[1].write_mibps, 30);
    arena_release(&f.a);
}

static const struct range_case {
    const char *why;
    double interval_s, override, low, central, high;
} ranges[] = {
    { "a minute is measured", 60, NAN, 1, 1, 1 },
    { "so is a second", 1, NAN, 1, 1, 1 },
    { "a drifting minute too", 61, NAN, 1, 1, 1 },
    { "five minutes", 300, NAN, 1.5, 2, 3 },
    { "ten minutes", 600, NAN, 1.5, 2, 3 },
    { "a quarter of an hour is no longer ten minutes", 900, NAN, 3, 10, 20 },
    { "an hour", 3600, NAN, 3, 10, 20 },
    { "an own factor replaces the central one", 3600, 6, 3, 6, 20 },
    { "and widens the range", 3600, 30, 3, 30, 30 },
};

static void range(void **state)
{
    const struct range_case *c = *state;
    struct peak_factors f = { c->override };
    struct peak_range r = peak_range(&f, c->interval_s);
    assert_near(r.low, c->low);
    assert_near(r.central, c->central);
    assert_near(r.high, c->high);
}

/* Of one member it is not known what was read: it counts in the sums, not as either. */
static void unsplit(void **state)
{
    (void)state;
    struct fixture f;
    const double iops[] = { 300, NAN }, mibps[] = { 50, NAN };
    begin(&f);
    sample(&f.series[0], &f.room[0], 0, 60, NAN, NAN, NAN, NAN);
    sample(&f.series[0], &f.room[0], 60, 60, 7, 0, 1, 0);
    sample(&f.series[1], &f.room[1], 0, 120, 100, 20, 10, 5);
    f.series[0].unsplit_iops = iops;
    f.series[0].unsplit_mibps = mibps;
    struct load_points p = sum(&f, 2, UNKNOWN, UNKNOWN);
    assert_int_equal(p.n, 2);
    assert_near(p.at[0].read_mibps, 10);
    assert_near(p.at[0].unsplit_iops, 300);
    assert_near(point_total_mibps(&p.at[0]), 65);
    assert_near(point_total_iops(&p.at[0]), 420);
    /* 50 MiB/s in 300 requests are 171 KiB each: each counts one */
    assert_near(p.at[0].counted_iops, 420);
    assert_true(isnan(p.at[1].unsplit_mibps));
    assert_near(point_total_mibps(&p.at[1]), 16);
    const struct load_points *members[] = { &p, &p };
    struct load_points twice;
    struct err e;
    assert_int_equal(load_points_of_points(members, 2, NULL, &f.a, &twice, &e), 0);
    assert_near(twice.at[0].unsplit_mibps, 100);
    arena_release(&f.a);
}

int main(void)
{
    struct CMUnitTest t[24];
    size_t n = 0;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        t[n++] =
            (struct CMUnitTest){ ranges[i].why, range, NULL, NULL, (void *)(uintptr_t)&ranges[i] };
    t[n++] = (struct CMUnitTest)cmocka_unit_test(same_edges);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(other_edges);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(gap_and_window);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(overlaps_in_step);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(counted);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(factors);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(both_sums);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(unsplit);
    return _cmocka_run_group_tests("load_points", t, n, NULL, NULL);
}
