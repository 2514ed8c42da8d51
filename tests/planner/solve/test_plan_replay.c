/* tests/planner/solve/test_plan_replay.c - sizing by percentile, by what may wait and by bursts,
 * each against a hand calculation. */
#include "tests/each_allocation.h"
#include "tests/planner/solve/over_time.h"

enum { GP2 = 1 << VOL_GP2, GP3 = 1 << VOL_GP3, IO2 = 1 << VOL_IO2, ST1 = 1 << VOL_ST1 };

/* 100 MiB/s for 20 minutes, 300 in one minute among them; 256 KiB requests, so a gp3 of 3 000 IOPS
 * reaches 750 MiB/s and only throughput is bought: 100 GiB * 0.08 + 0.04 for each MiB/s above 125.
 *
 * With a ceiling of C in that minute (300 - C) * 60 MiB wait, served at C - 100 afterwards:
 *   waiting    60 + (300 - C) * 60 / (C - 100) = 12 000 / (C - 100) s
 *   longest    (300 - C) * 60 / C s, of what came last in that minute */
static void add_minute_of_300(struct over_time *t)
{
    for (int i = 0; i < 10; i++)
        over_time_add(t, 60, 400, 100);
    over_time_add(t, 60, 1200, 300);
    for (int i = 0; i < 10; i++)
        over_time_add(t, 60, 400, 100);
}

static void maximum(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, GP3);
    add_minute_of_300(&t);
    const struct plan_group *g = over_time_plan(&t);
    assert_spec(&g->chosen.spec, "gp3 100 GiB 3 000 IOPS 300 MiB/s");
    assert_int_equal(g->chosen.total_microusd, 15000000); /* 8 + 175 * 0.04 */
    assert_false(g->chosen.by_replay);
    assert_false(g->replay.known);
    arena_release(&t.a);
}

static void at_most_120_s(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, GP3);
    add_minute_of_300(&t);
    t.o.max_throttled_s = 120;
    const struct plan_group *g = over_time_plan(&t);
    /* 12 000 / (C - 100) = 120: C = 200 */
    assert_spec(&g->chosen.spec, "gp3 100 GiB 3 000 IOPS 200 MiB/s");
    assert_int_equal(g->chosen.total_microusd, 11000000); /* 8 + 75 * 0.04 */
    assert_true(g->chosen.by_replay);
    assert_true(g->replay.known);
    assert_true(fabs(g->replay.throttled_s - 120) < 1e-3);
    assert_true(fabs(g->replay.worst_delay_ms - 30000) < 0.1); /* 100 * 60 / 200 s */
    /* against 15 for the maximum */
    assert_true(t.plan.peak_price.known);
    assert_true(isnan(t.plan.peak_price.percentile));
    assert_int_equal(t.plan.peak_price.saving_microusd, 4000000);
    assert_true(fabs(t.plan.peak_price.throttled_s - 120) < 1e-3);
    arena_release(&t.a);
}

/* Headroom makes the load larger: 120 and 360 MiB/s.  60 * 240 / (C - 120) = 120: C = 240. */
static void at_most_120_s_with_headroom(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, GP3);
    add_minute_of_300(&t);
    t.o.max_throttled_s = 120;
    t.o.headroom_pct = 20;
    const struct plan_group *g = over_time_plan(&t);
    assert_spec(&g->chosen.spec, "gp3 100 GiB 3 000 IOPS 240 MiB/s");
    assert_true(fabs(g->replay.headroom_throttled_s - 120) < 1e-3);
    /* as measured: 12 000 / 140 s */
    assert_true(fabs(g->replay.throttled_s - 12000.0 / 140) < 1e-3);
    arena_release(&t.a);
}

static void at_most_30_s_late(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, GP3);
    add_minute_of_300(&t);
    t.o.max_delay_ms = 30000;
    const struct plan_group *g = over_time_plan(&t);
    /* (300 - C) * 60 / C = 30: C = 200 */
    assert_spec(&g->chosen.spec, "gp3 100 GiB 3 000 IOPS 200 MiB/s");
    t.o.max_delay_ms = 10000;
    g = over_time_plan(&t);
    /* 18 000 / C = 70: C = 257.1 */
    assert_spec(&g->chosen.spec, "gp3 100 GiB 3 000 IOPS 258 MiB/s");
    /* io2 sells 0.25 MiB/s of 256 KiB requests an IOPS: 258 MiB/s are 1 029 (257.25 is enough) */
    t.o.types = IO2;
    g = over_time_plan(&t);
    assert_spec(&g->chosen.spec, "io2 100 GiB 1 029 IOPS");
    arena_release(&t.a);
}

static void percentile(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, GP3);
    add_minute_of_300(&t);
    /* 20 of 21 minutes are 95.2 % of the time. */
    t.o.percentile = 95;
    const struct plan_group *g = over_time_plan(&t);
    assert_near(g->demand->demand.total_mibps, 100);
    assert_near(g->demand->demand.counted_iops, 400);
    assert_spec(&g->chosen.spec, "gp3 100 GiB 3 000 IOPS 125 MiB/s");
    assert_near(t.plan.peak_price.percentile, 95);
    assert_int_equal(t.plan.peak_price.saving_microusd, 7000000); /* 15 - 8 */
    /* C = 125: 12 000 / 25 s, and 175 * 60 / 125 s at most */
    assert_true(fabs(t.plan.peak_price.throttled_s - 480) < 1e-3);
    assert_true(fabs(g->replay.throttled_s - 480) < 1e-3);
    assert_true(fabs(g->replay.worst_delay_ms - 84000) < 0.1);
    t.o.percentile = 96;
    g = over_time_plan(&t);
    assert_near(g->demand->demand.total_mibps, 300);
    assert_int_equal(t.plan.peak_price.saving_microusd, 0);
    arena_release(&t.a);
}

/* A peak of 10 s in 2 410: p99 is 100 MiB/s.  With 125 it leaves 1 750 MiB, gone in 70 s. */
static void price_of_the_peak(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, GP3);
    for (int i = 0; i < 20; i++)
        over_time_add(&t, 60, 400, 100);
    over_time_add(&t, 10, 1200, 300);
    for (int i = 0; i < 20; i++)
        over_time_add(&t, 60, 400, 100);
    const struct plan_group *g = over_time_plan(&t);
    assert_spec(&g->chosen.spec, "gp3 100 GiB 3 000 IOPS 300 MiB/s");
    assert_true(t.plan.peak_price.known);
    assert_near(t.plan.peak_price.percentile, 99);
    assert_int_equal(t.plan.peak_price.saving_microusd, 7000000);
    assert_true(fabs(t.plan.peak_price.throttled_s - 80) < 1e-3);
    arena_release(&t.a);
}

static void averages_have_no_price(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, GP2);
    over_time_add(&t, 3600, 400, 100);
    t.group.policy.max_count = 4;
    t.o.max_throttled_s = 1000;
    const struct plan_group *g = over_time_plan(&t);
    assert_false(t.plan.peak_price.known);
    assert_false(g->replay.known);
    /* 10 times the average on a baseline of 3 IOPS a GiB: 4 * 1 000 MiB/s are too much for one; 4
     * volumes of 250 MiB/s reach them from 334 GiB on, 1 002 IOPS each. */
    assert_int_equal(g->chosen.spec.count, 4);
    assert_int_equal(g->chosen.spec.size_gib, 334);
    arena_release(&t.a);
}

/* 64 minutes at 2 900 requests: the credits of 5 400 000 last when (2 900 - 3 G) * 3 840 is less,
 * so from 498 GiB on. */
static void gp2_lives_on_its_credits(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, GP2);
    for (int i = 0; i < SAMPLES_MAX; i++)
        over_time_add(&t, 60, 2900, 45);
    const struct plan_group *g = over_time_plan(&t);
    assert_spec(&g->chosen.spec, "gp2 498 GiB");
    assert_true(g->chosen.by_replay && g->chosen.bursts);
    assert_non_null(strstr(g->size.options[0].notes[0], "bursts"));
    assert_true(g->replay.throttled_s <= 0);
    /* 5 400 000 - 1 406 * 3 840 = 960 */
    assert_true(fabs(g->replay.lowest_credits_pct - 100 * 960.0 / 5400000) < 1e-6);
    assert_true(fabs(g->replay.end_credits_pct - 100 * 960.0 / 5400000) < 1e-6);
    arena_release(&t.a);
}

/* A minute of 2 000 among minutes of 100: the smallest does, where the baseline asks for 667 GiB.
 */
static void gp2_of_a_short_burst(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, GP2);
    over_time_add(&t, 60, 100, 10);
    over_time_add(&t, 60, 2000, 31.25);
    over_time_add(&t, 60, 100, 10);
    assert_spec(&over_time_plan(&t)->chosen.spec, "gp2 100 GiB");
    arena_release(&t.a);
}

/* 100 MiB/s for 64 minutes, MiB by MiB, are 384 000 MiB: a bucket of 1 024 MiB a GiB holds them
 * from 375 GiB on, the burst of 250 MiB/s a TiB reaches 100 from 410 on. */
static void st1_needs_burst_and_bucket(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 200, ST1);
    for (int i = 0; i < SAMPLES_MAX; i++)
        over_time_add(&t, 60, 100, 100);
    assert_spec(&over_time_plan(&t)->chosen.spec, "st1 410 GiB");
    arena_release(&t.a);
}

/* The policy's IOPS hold whatever may wait. */
static void least_iops_of_the_policy(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, IO2);
    add_minute_of_300(&t);
    t.group.policy.min_iops = 5000;
    t.o.max_throttled_s = 1e9;
    assert_spec(&over_time_plan(&t)->chosen.spec, "io2 100 GiB 5 000 IOPS");
    arena_release(&t.a);
}

/* t3.medium: 43.4 MB/s for long, 260 for 30 minutes a day at least.  200 MB/s in 10 of 40 minutes
 * fit by the burst; in 40 they do not, by either bound. */
static void instance_by_its_burst(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, GP3);
    for (int i = 0; i < 40; i++)
        over_time_add(&t, 60, 400, i < 10 ? 190 : 20);
    assert_int_equal(over_time_try(&t, "t3.medium"), 0);
    assert_int_equal(t.plan.instance.verdict, INSTANCE_BURST);
    assert_near(t.plan.instance.burst.over_baseline_s, 600);
    assert_true(t.plan.instance.burst.minutes_throttled_s <= 0);
    arena_release(&t.a);

    over_time_begin(&t, 100, GP3);
    for (int i = 0; i < 40; i++)
        over_time_add(&t, 60, 800, 190);
    assert_int_equal(over_time_try(&t, "t3.medium"), 0);
    assert_int_equal(t.plan.instance.verdict, INSTANCE_TOO_SMALL);
    /* After 30 minutes all waits. */
    assert_true(fabs(t.plan.instance.burst.minutes_throttled_s - 600) < 1e-3);
    arena_release(&t.a);
}

static void one_or_the_other(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, GP3);
    add_minute_of_300(&t);
    t.o.percentile = 99;
    t.o.max_delay_ms = 5;
    assert_int_equal(over_time_try(&t, NULL), ERR_USAGE);
    arena_release(&t.a);
}

static void memory_may_end(void **state)
{
    (void)state;
    static struct over_time t;
    for (int asked = 0; asked < 2; asked++) {
        struct each_allocation it = { 0 };
        over_time_begin(&t, 100, GP2 | GP3);
        add_minute_of_300(&t);
        t.o.percentile = asked ? 95 : NAN;
        t.o.max_throttled_s = asked ? NAN : 120;
        while (each_allocation(&it)) {
            it.rc = over_time_try(&t, "t3.medium");
            arena_release(&t.a);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maximum),
        cmocka_unit_test(at_most_120_s),
        cmocka_unit_test(at_most_120_s_with_headroom),
        cmocka_unit_test(at_most_30_s_late),
        cmocka_unit_test(percentile),
        cmocka_unit_test(price_of_the_peak),
        cmocka_unit_test(averages_have_no_price),
        cmocka_unit_test(gp2_lives_on_its_credits),
        cmocka_unit_test(gp2_of_a_short_burst),
        cmocka_unit_test(st1_needs_burst_and_bucket),
        cmocka_unit_test(least_iops_of_the_policy),
        cmocka_unit_test(instance_by_its_burst),
        cmocka_unit_test(one_or_the_other),
        cmocka_unit_test(memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
