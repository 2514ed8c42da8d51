/* tests/planner/demand/test_load_profile.c - figures weighted by time. */
#include "planner/demand/load_profile.h"

#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct load_point point(double at_s, double length_s, double read_mibps, unsigned flags)
{
    int64_t begin = morning_ms() + (int64_t)(at_s * 1e3);
    return (struct load_point){ begin,
                                begin + (int64_t)(length_s * 1e3),
                                length_s,
                                read_mibps * 4,
                                0,
                                read_mibps,
                                0,
                                read_mibps * 4,
                                read_mibps * 8,
                                flags,
                                NAN,
                                NAN };
}

static struct load_profile profile(struct load_point *at, size_t n, double ceiling_mibps)
{
    struct load_profile f;
    struct err e;
    struct load_points p = { at, n };
    struct group_ceiling ceiling = { NAN, ceiling_mibps, false };
    assert_int_equal(load_profile_of(&p, &ceiling, NULL, &f, &e), 0);
    return f;
}

static void weights(void **state)
{
    (void)state;
    /* 10 for 900 s, 20 for 90 s, 30 for 9 s, 40 for 1 s: cumulative 90, 99, 99.9, 100 %. */
    struct load_point at[] = { point(0, 900, 10, 0), point(900, 90, 20, 0), point(990, 9, 30, 0),
                               point(999, 1, 40, 0) };
    struct load_profile f = profile(at, 4, NAN);
    const struct metric_stats *s = &f.metrics[METRIC_TOTAL_MIBPS];
    assert_near(s->p50, 10);
    assert_near(s->p95, 20);
    assert_near(s->p99, 20);
    assert_near(s->p999, 30);
    assert_near(s->max, 40);
    /* (9 000 + 1 800 + 270 + 40) / 1 000 */
    assert_near(s->avg, 11.11);
    assert_near(f.request_kib, 256);
    assert_near(f.interval_s, 900);
    assert_near(f.coverage_pct, 100);
    assert_int_equal(f.samples, 4);
    assert_int_equal(f.time_of_max_ms, morning_ms() + 999000);
    /* The largest sample is one second long, but the 15 minutes before it may hide a larger one. */
    assert_near(f.peak_second.low_mibps, 40);
    assert_string_equal(f.peak_second.source, "1 s samples");
    assert_true(isnan(f.peak_second.high_mibps));
}

/* All by the second: nothing is hidden, whatever the ceiling. */
static void seconds_hide_nothing(void **state)
{
    (void)state;
    struct load_point at[] = { point(0, 1, 10, 0), point(1, 1, 35, 0), point(2, 1, 20, 0) };
    struct load_profile f = profile(at, 3, 50);
    assert_near(f.peak_second.low_mibps, 35);
    assert_near(f.peak_second.high_mibps, 35);
    assert_near(f.peak_second.high_iops, 140); /* point() counts 4 requests a MiB */
    assert_int_equal(f.peak_second.time_ms, morning_ms() + 1000);
}

/* Minutes at 0, 1, 2.5 (half a minute late: jitter), 7 and 8: one gap, of 3.5 minutes. */
static void gaps(void **state)
{
    (void)state;
    struct load_point at[] = { point(0, 60, 1, 0), point(60, 60, 1, 0), point(150, 60, 1, 0),
                               point(420, 60, 1, 0), point(480, 60, 1, 0) };
    struct load_profile f = profile(at, 5, NAN);
    assert_int_equal(f.coverage.gaps, 1);
    assert_near(f.coverage.longest_gap_s, 210);
    assert_int_equal(f.coverage.longest_gap_ms, morning_ms() + 210000);
    assert_near(f.covered_s, 300);
}

/* Two disks of a host: what was left out adds up, what happened to the host happened once. */
static void what_was_left_out(void **state)
{
    (void)state;
    struct load_series a = { .n_since_boot = 2,
                             .n_resets = 1,
                             .n_overlaps = 3,
                             .n_duplicates = 60,
                             .n_untimed = 1,
                             .n_folds = 1,
                             .n_artefacts = 2,
                             .artefact_max_mibps = 90000,
                             .artefact_max_ms = 5000 };
    struct load_series b = a;
    b.n_artefacts = 0;
    b.n_resets = 2;
    struct load_member members[] = { { &a, 1, 1 }, { &b, 1, 1 } };
    struct load_point at[] = { point(0, 60, 10, 0), point(60, 60, 1600, POINT_ARTEFACT) };
    struct load_profile f = profile(at, 2, NAN);
    assert_near(f.artefact_max_mibps, 1600);
    assert_int_equal(f.artefact_why, ARTEFACT_VOLUMES);
    assert_int_equal(f.artefact_ms, morning_ms() + 60000);
    load_profile_count_left_out(&f, members, 2);
    assert_int_equal(f.coverage.since_boot, 4);
    assert_int_equal(f.coverage.overlaps, 6);
    assert_int_equal(f.coverage.duplicates, 120);
    assert_int_equal(f.coverage.untimed, 2);
    assert_int_equal(f.coverage.resets, 2);
    assert_int_equal(f.coverage.folds, 1);
    assert_int_equal(f.artefacts, 3);
    assert_near(f.artefact_max_mibps, 90000);
    assert_int_equal(f.artefact_why, ARTEFACT_DEVICE);
    assert_int_equal(f.artefact_ms, 5000);
}

static void artefacts_are_left_out(void **state)
{
    (void)state;
    struct load_point at[] = { point(0, 60, 10, 0), point(60, 60, 999, POINT_ARTEFACT),
                               point(180, 60, 12, POINT_PARTIAL) };
    struct load_profile f = profile(at, 3, 50);
    assert_near(f.metrics[METRIC_TOTAL_MIBPS].max, 12);
    assert_int_equal(f.artefacts, 1);
    assert_int_equal(f.samples, 3);
    assert_near(f.covered_s, 180);
    assert_near(f.coverage_pct, 50); /* 120 of 240 s with all members */
    assert_int_equal(f.grade, GRADE_MEASURED);
    /* A minute's mean bounds its seconds from below, the ceiling from above. */
    assert_near(f.peak_second.low_mibps, 12);
    assert_near(f.peak_second.high_mibps, 50);
}

static void calendar(void **state)
{
    (void)state;
    /* 07:30 to 09:30 touches three hours of a Wednesday. */
    struct load_point at[] = { point(1800, 7200, 10, 0) };
    struct load_profile f = profile(at, 1, NAN);
    assert_true(isnan(f.by_hour_mibps[6]));
    for (int hour = 7; hour <= 9; hour++)
        assert_near(f.by_hour_mibps[hour], 10);
    assert_true(isnan(f.by_hour_mibps[10]));
    assert_near(f.by_weekday_mibps[2], 10);
    assert_true(isnan(f.by_weekday_mibps[3]));
    assert_int_equal(f.grade, GRADE_AVERAGED);
    assert_true(isnan(f.peak_second.high_mibps));
}

static void nothing(void **state)
{
    (void)state;
    struct load_profile f = profile(NULL, 0, NAN);
    assert_int_equal(f.grade, GRADE_NONE);
    assert_true(isnan(f.metrics[METRIC_TOTAL_MIBPS].max));
    assert_int_equal(f.time_of_max_ms, UNKNOWN);
}

static void censored(void **state)
{
    (void)state;
    struct load_point at[] = { point(0, 60, 10, 0), point(60, 60, 500, POINT_CENSORED_THROUGHPUT) };
    struct load_profile f = profile(at, 2, 500);
    assert_int_equal(f.grade, GRADE_CENSORED);
    assert_near(f.censored_s, 60);
}

/* A room that is used again, for more points and for fewer, says what none says; without
 * percentiles the rest is the same. */
static void in_a_room(void **state)
{
    (void)state;
    struct load_point at[] = { point(0, 900, 10, 0), point(900, 90, 20, 0), point(990, 10, 30, 0) };
    struct profile_room room = { .n = 0 }, without = { .no_percentiles = true };
    const size_t sizes[] = { 2, 3, 1, 3 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct load_points p = { at, sizes[i] };
        struct load_profile want = profile(at, sizes[i], NAN), f;
        struct err e;
        const struct metric_stats *w = &want.metrics[METRIC_TOTAL_MIBPS];
        const struct metric_stats *g = &f.metrics[METRIC_TOTAL_MIBPS];
        assert_int_equal(load_profile_of(&p, NULL, &room, &f, &e), 0);
        assert_memory_equal(g, w, sizeof *w);
        assert_int_equal(load_profile_of(&p, NULL, &without, &f, &e), 0);
        assert_true(g->max == w->max && g->avg == w->avg && f.interval_s == want.interval_s);
        assert_true(isnan(g->p50) && isnan(g->p95) && isnan(g->p99) && isnan(g->p999));
    }
    profile_room_release(&room);
    profile_room_release(&without);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(weights),
        cmocka_unit_test(seconds_hide_nothing),
        cmocka_unit_test(gaps),
        cmocka_unit_test(what_was_left_out),
        cmocka_unit_test(artefacts_are_left_out),
        cmocka_unit_test(calendar),
        cmocka_unit_test(nothing),
        cmocka_unit_test(censored),
        cmocka_unit_test(in_a_room),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
