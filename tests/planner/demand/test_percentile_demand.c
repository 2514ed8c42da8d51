/* tests/planner/demand/test_percentile_demand.c - a demand at a percentile, by hand and against
 * sorting. */
#include "planner/demand/percentile_demand.h"

#include "tests/each_allocation.h"
#include "tests/planner/demand/two_groups.h"

static const struct demand *at(struct world *w, double pct, size_t group)
{
    if (percentile_demand(&w->measured, pct, PERCENTILE_ALL, &w->a, &w->at, &w->e))
        fail_msg("%s", w->e.text);
    return &w->at.groups[group].demand;
}

/* 10 s at 900, 30 s at 100 and 60 s at 10 MiB/s: 60 % of the time at most 10, 90 % at most 100. */
static void weighs_by_time(void **state)
{
    (void)state;
    static struct world w;
    begin(&w);
    sample(&w.series[0], &w.room[0], 0, 10, 3600, 0, 900, 0);
    sample(&w.series[0], &w.room[0], 10, 30, 400, 0, 100, 0);
    sample(&w.series[0], &w.room[0], 40, 60, 40, 0, 10, 0);
    measure(&w);
    static const struct {
        double pct, want;
    } rows[] = { { 1, 10 }, { 60, 10 }, { 60.1, 100 }, { 90, 100 }, { 90.1, 900 }, { 100, 900 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_near(at(&w, rows[i].pct, 0)->total_mibps, rows[i].want);
        assert_near(at(&w, rows[i].pct, 0)->counted_iops, rows[i].want * 4);
    }
    assert_int_equal(at(&w, 90, 0)->grade, GRADE_MEASURED);
    arena_release(&w.a);
}

/* Two groups that never peak together: of the sum p100 is 110, not 200. */
static void of_the_sum_not_the_sum(void **state)
{
    (void)state;
    static struct world w;
    begin(&w);
    for (int g = 0; g < 2; g++)
        for (int i = 0; i < 2; i++)
            sample(&w.series[g], &w.room[g], 60 * i, 60, 400, 0, i == g ? 100 : 10, 0);
    measure(&w);
    at(&w, 100, 0);
    assert_near(w.at.demand.total_mibps, 110);
    assert_near(w.at.groups[0].demand.total_mibps, 100);
    arena_release(&w.a);
}

/* An hour's average counts ten times: 30 minutes measured at 200 are below it for 2 of 3 thirds. */
static void averages_after_their_factor(void **state)
{
    (void)state;
    static struct world w;
    begin(&w);
    for (int i = 0; i < 30; i++)
        sample(&w.series[0], &w.room[0], 60 * i, 60, 800, 0, 200, 0);
    sample(&w.series[0], &w.room[0], 1800, 3600, 200, 0, 50, 0);
    measure(&w);
    assert_near(at(&w, 33, 0)->total_mibps, 200);
    assert_int_equal(w.at.groups[0].demand.grade, GRADE_MEASURED);
    assert_near(at(&w, 50, 0)->total_mibps, 500);
    assert_int_equal(w.at.groups[0].demand.grade, GRADE_ASSUMED);
    assert_near(w.at.groups[0].peak_factor, 10);
    assert_near(w.at.groups[0].demand.low_mibps, 150);
    arena_release(&w.a);
}

/* At its ceiling in the highest tenth: below it the percentile is certain, in it a lower bound. */
static void certain_below_the_ceiling(void **state)
{
    (void)state;
    static struct world w;
    static const struct layout_volumes gp3 = { { VOL_GP3, 1, 100, 3000, 125 }, UNKNOWN };
    begin(&w);
    w.groups[0].volumes = &gp3;
    w.groups[0].n_volumes = 1;
    for (int i = 0; i < 20; i++)
        sample(&w.series[0], &w.room[0], 60 * i, 60, 400, 0, i < 2 ? 125 : 50, 0);
    measure(&w);
    assert_int_equal(w.measured.groups[0].demand.grade, GRADE_CENSORED);
    assert_int_equal(at(&w, 90, 0)->grade, GRADE_MEASURED);
    assert_int_equal(w.at.groups[0].censored_by, 0);
    assert_int_equal(at(&w, 95, 0)->grade, GRADE_CENSORED);
    assert_true(isnan(w.at.groups[0].demand.high_mibps));
    arena_release(&w.a);
}

static void nothing_measured(void **state)
{
    (void)state;
    static struct world w;
    begin(&w);
    measure(&w);
    assert_true(isnan(at(&w, 99, 0)->total_mibps));
    assert_int_equal(w.at.groups[0].demand.grade, GRADE_NONE);
    arena_release(&w.a);
}

/* The profile, which sorts, has the same figures. */
static void as_the_profile_has_it(void **state)
{
    (void)state;
    static struct world w;
    unsigned x = 7;
    begin(&w);
    for (int i = 0; i < SAMPLES_MAX; i++) {
        x = x * 1103515245u + 12345u;
        double mibps = (double)(x >> 8 & 1023) / 4;
        sample(&w.series[0], &w.room[0], 60 * i, 60 - (double)(x & 31), mibps * 8, mibps, mibps, 1);
    }
    measure(&w);
    const struct metric_stats *s = &w.measured.groups[0].profile.metrics[METRIC_TOTAL_MIBPS];
    assert_near(at(&w, 50, 0)->total_mibps, s->p50);
    assert_near(at(&w, 95, 0)->total_mibps, s->p95);
    assert_near(at(&w, 99, 0)->total_mibps, s->p99);
    assert_near(at(&w, 100, 0)->total_mibps, s->max);
    s = &w.measured.groups[0].profile.metrics[METRIC_COUNTED_IOPS];
    assert_near(at(&w, 95, 0)->counted_iops, s->p95);
    s = &w.measured.groups[0].profile.metrics[METRIC_READ_IOPS];
    assert_near(at(&w, 95, 0)->read_iops, s->p95);
    arena_release(&w.a);
}

static void memory_may_end(void **state)
{
    (void)state;
    static struct world w;
    begin(&w);
    sample(&w.series[0], &w.room[0], 0, 3600, 400, 0, 100, 0);
    measure(&w);
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = percentile_demand(&w.measured, 95, PERCENTILE_ALL, &it.a, &w.at, &it.e);
    arena_release(&w.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weighs_by_time),
        cmocka_unit_test(of_the_sum_not_the_sum),
        cmocka_unit_test(averages_after_their_factor),
        cmocka_unit_test(certain_below_the_ceiling),
        cmocka_unit_test(nothing_measured),
        cmocka_unit_test(as_the_profile_has_it),
        cmocka_unit_test(memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
