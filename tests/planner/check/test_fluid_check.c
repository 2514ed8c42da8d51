/* tests/planner/check/test_fluid_check.c - what waits, worked by hand; two ways to find it that
 * share no code agree; and what a solver says against it is found out.
 *
 * Seed printed, SEED= replays; FULL=1 tries many more loads. */
#include "planner/check/fluid_check.h"

#include "models/ebs/vol_rule.h"
#include "planner/replay/replay_trial.h"
#include "tests/planner/solve/over_time.h"

static uint64_t seed;

static struct fluid_answer ask(const struct over_time *t, const struct volume_spec *v,
                               double factor)
{
    int64_t day = day_ms("2026-06-01");
    const struct vol_rule *r = vol_rule_at(&builtin_catalogue, v->type, day, NULL, UNKNOWN);
    struct volume_facts f = volume_facts_of(&builtin_catalogue, r, v, false, "us-east-1", day);
    const struct size_load l = { .points = &t->demand.groups[0].points,
                                 .factor = factor,
                                 .cap_mibps = INFINITY,
                                 .cap_iops = INFINITY };
    return fluid_check(&l, &f, (double)v->count, r->io_cap_kib >= 1024);
}

/* 300 MiB/s for a minute among minutes of 100, through 200: 6 000 MiB are left and gone in a
 * minute; the last of them waits 30 s.  Twice as large a load keeps up nowhere: 200 equals the
 * ceiling, so what waits stays. */
static void a_minute_too_much(void **state)
{
    (void)state;
    static struct over_time t;
    const struct volume_spec v = { VOL_GP3, 1, 100, 3000, 200 };
    over_time_begin(&t, 100, 1u << VOL_GP3);
    over_time_add(&t, 60, 400, 100);
    over_time_add(&t, 60, 1200, 300);
    over_time_add(&t, 60, 400, 100);
    over_time_add(&t, 60, 400, 100);
    over_time_plan(&t);
    struct fluid_answer a = ask(&t, &v, 1);
    assert_true(fabs(a.throttled_s - 120) < 1e-3);
    assert_true(fabs(a.worst_delay_ms - 30000) < 0.1);
    a = ask(&t, &v, 2);
    /* 400 * 60 MiB wait from the second minute on, 120 s of 200 MiB/s. */
    assert_true(fabs(a.throttled_s - 180) < 1e-3);
    assert_true(fabs(a.worst_delay_ms - 120000) < 0.1);
    arena_release(&t.a);
}

static void agrees_with_replay(void **state)
{
    (void)state;
    static const enum volume_type types[] = {
        VOL_GP2, VOL_GP3, VOL_IO1, VOL_IO2, VOL_ST1, VOL_SC1
    };
    static struct over_time t;
    int n = getenv("FULL") ? 20000 : 500;
    size_t waited = 0;
    for (int i = 0; i < n; i++) {
        struct seeded r = seeded_case(seed, (uint64_t)i);
        struct replay_trial *trial;
        struct replay_result want;
        over_time_begin(&t, 1, 1u << VOL_IO2);
        add_random_load(&t, &r, seeded_chance(&r, 50) ? 300 : 1500);
        over_time_plan(&t);
        double factor = 1 + seeded_real(&r, 1);
        assert_int_equal(replay_trial_open(&t.demand.groups[0].points, factor, &t.a, &trial, &t.e),
                         0);
        struct volume_spec v = random_spec(&r, types[seeded_int(&r, 0, 5)]);
        assert_true(replay_trial_spec(trial, &builtin_catalogue, &v, 1, NULL, day_ms("2026-06-01"),
                                      NULL, &want));
        struct fluid_answer got = ask(&t, &v, factor);
        waited += want.throttled_s > 0;
        if (fabs(got.throttled_s - want.throttled_s) > 1e-5 * want.throttled_s + 1e-3 ||
            fabs(got.worst_delay_ms - want.worst_delay_ms) > 1e-5 * want.worst_delay_ms + 0.1) {
            char spec[96];
            fail_msg("case %d: %s: %.9g s, %.9g ms; replay has %.9g s, %.9g ms", i,
                     volume_spec_format(spec, &v), got.throttled_s, got.worst_delay_ms,
                     want.throttled_s, want.worst_delay_ms);
        }
        arena_release(&t.a);
    }
    assert_true(waited > (size_t)n / 4);
}

/* --- lies --------------------------------------------------------------------------------------
 */

static void expect(const struct plan *p, const char *want)
{
    struct err e = { 0 };
    assert_int_equal(plan_check(p, &e), ERR_NO);
    if (!strstr(e.text, want))
        fail_msg("'%s' does not say '%s'", e.text, want);
}

/* A GiB less than the credits of gp2 last for (test_plan_replay.c has the calculation). */
static void too_small_for_its_bursts(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, 1u << VOL_GP2);
    for (int i = 0; i < SAMPLES_MAX; i++)
        over_time_add(&t, 60, 2900, 45);
    struct size_option o = over_time_plan(&t)->chosen;
    o.spec.size_gib -= 1;
    o.total_microusd -= 100000; /* 0.10 a GiB */
    o.rank_microusd -= 100000;
    o.group_max_iops -= 3;
    o.group_max_throughput_mibps -= 0.75;
    ((struct plan_group *)(uintptr_t)&t.plan.groups[0])->size.options = &o;
    expect(&t.plan, "more of the load waits than is allowed");
    arena_release(&t.a);
}

static void not_the_percentile(void **state)
{
    (void)state;
    static struct over_time t;
    over_time_begin(&t, 100, 1u << VOL_GP3);
    for (int i = 0; i < 20; i++)
        over_time_add(&t, 60, 400, 10.0 * i);
    t.o.percentile = 90;
    over_time_plan(&t);
    t.plan.options_used.percentile = 97;
    expect(&t.plan, "its demand is not the percentile");
    t.plan.options_used.percentile = 70;
    expect(&t.plan, "its demand is not the percentile");
    arena_release(&t.a);
}

int main(void)
{
    seed = seed_of_run(20261130);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_minute_too_much),
        cmocka_unit_test(agrees_with_replay),
        cmocka_unit_test(too_small_for_its_bursts),
        cmocka_unit_test(not_the_percentile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
