/* tests/planner/solve/test_size_replay.c - that bisection over replay may be trusted: what waits is
 * monotone in every ceiling, and what is found is what a walk over all specs finds.
 *
 * Seed printed, SEED= replays; FULL=1 tries many more loads. */
#include "planner/solve/size_replay.h"

#include "models/ebs/vol_price.h"
#include "planner/check/plan_check.h"
#include "planner/solve/plan_pareto.h"
#include "tests/planner/solve/over_time.h"
#include "tests/seeded.h"

static uint64_t seed;

static int rounds(int small, int full)
{
    return getenv("FULL") ? full : small;
}

/* Raises one of its fields. */
static struct volume_spec larger_spec(struct seeded *r, struct volume_spec v)
{
    int64_t by = seeded_chance(r, 50) ? 1 : seeded_int(r, 1, 400);
    int64_t field = v.iops == UNKNOWN ? 0 : v.throughput_mibps == UNKNOWN ? 1 : seeded_int(r, 1, 2);
    if (field == 0)
        v.size_gib += by;
    if (field == 1)
        v.iops += by;
    if (field == 2)
        v.throughput_mibps += by;
    return v;
}

static struct replay_result run(struct replay_trial *trial, const struct volume_spec *v)
{
    struct replay_result r;
    assert_true(
        replay_trial_spec(trial, &builtin_catalogue, v, 1, NULL, day_ms("2026-06-01"), NULL, &r));
    return r;
}

static void larger_never_waits_longer(void **state)
{
    (void)state;
    static const enum volume_type types[] = {
        VOL_GP2, VOL_GP3, VOL_IO1, VOL_IO2, VOL_ST1, VOL_SC1
    };
    static struct over_time t;
    int n = rounds(300, 20000);
    size_t waited = 0;
    for (int i = 0; i < n; i++) {
        struct seeded r = seeded_case(seed, (uint64_t)i);
        struct replay_trial *trial;
        over_time_begin(&t, 100, 0);
        add_random_load(&t, &r, seeded_real(&r, 1) < 0.5 ? 300 : 1500);
        build_demand(&t);
        assert_int_equal(replay_trial_open(&t.demand.groups[0].points, 1, &t.a, &trial, &t.e), 0);
        struct volume_spec v = random_spec(&r, types[seeded_int(&r, 0, 5)]);
        for (int step = 0; step < 8; step++) {
            struct volume_spec larger = larger_spec(&r, v);
            struct replay_result less = run(trial, &v), more = run(trial, &larger);
            waited += less.throttled_s > 0;
            /* Both are sums of rounded times. */
            if (more.throttled_s > less.throttled_s * (1 + 1e-9) + 1e-6 ||
                more.worst_delay_ms > less.worst_delay_ms * (1 + 1e-9) + 1e-3) {
                char a[96], b[96];
                fail_msg("case %d: %s waits %.9g s, %.9g ms; %s %.9g s, %.9g ms", i,
                         volume_spec_format(a, &v), less.throttled_s, less.worst_delay_ms,
                         volume_spec_format(b, &larger), more.throttled_s, more.worst_delay_ms);
            }
            v = larger;
        }
        arena_release(&t.a);
    }
    assert_true(waited > (size_t)n); /* the loads are such that it matters */
}

/* --- against a walk ----------------------------------------------------------------------------
 */

static bool is_within(struct replay_trial *trial, const struct volume_spec *v,
                      const struct size_load *l)
{
    struct replay_result r = run(trial, v);
    return !(r.throttled_s > l->max_throttled_s) && !(r.worst_delay_ms > l->max_delay_ms);
}

static int64_t price(const struct volume_spec *v)
{
    struct vol_price p;
    struct err e;
    int64_t as_of_ms;
    assert_int_equal(vol_price(&builtin_catalogue, "us-east-1", day_ms("2026-06-01"), v, 0, &p,
                               &as_of_ms, &e),
                     0);
    return p.total_microusd;
}

/* Every gp3 of 3 000 to most_iops IOPS and 125 to most_mibps MiB/s that is legal, on 100 GiB. */
static int64_t walk_gp3(struct replay_trial *trial, int64_t count, const struct size_load *l,
                        int64_t most_iops, int64_t most_mibps)
{
    int64_t best = INT64_MAX;
    for (int64_t mibps = 125; mibps <= most_mibps; mibps++)
        for (int64_t iops = 3000; iops <= most_iops; iops++) {
            struct volume_spec v = { VOL_GP3, count, (100 + count - 1) / count, iops, mibps };
            if (iops > 500 * v.size_gib)
                v.size_gib = (iops + 499) / 500;
            if (price(&v) < best && is_within(trial, &v, l))
                best = price(&v);
        }
    return best;
}

static int64_t walk_sizes(struct replay_trial *trial, enum volume_type type, int64_t from,
                          int64_t count, const struct size_load *l)
{
    for (int64_t gib = from; gib <= 16384; gib++) {
        struct volume_spec v = { type, count, gib, UNKNOWN, UNKNOWN };
        if (is_within(trial, &v, l))
            return price(&v);
    }
    return INT64_MAX;
}

static int64_t walk_io2(struct replay_trial *trial, int64_t count, const struct size_load *l)
{
    for (int64_t iops = 100; iops <= 64000; iops++) {
        struct volume_spec v = { VOL_IO2, count, (100 + count - 1) / count, iops, UNKNOWN };
        if (is_within(trial, &v, l))
            return price(&v);
    }
    return INT64_MAX;
}

static void finds_what_a_walk_finds(void **state)
{
    (void)state;
    static struct over_time t;
    int n = rounds(24, 600);
    size_t compared = 0;
    for (int i = 0; i < n; i++) {
        struct seeded r = seeded_case(seed, (uint64_t)i);
        struct replay_trial *trial;
        bool late = seeded_chance(&r, 40);
        enum volume_type type = (enum volume_type[]){ VOL_GP3, VOL_GP2, VOL_ST1, VOL_IO2 }[i % 4];
        int64_t count = seeded_int(&r, 1, 3), want;
        over_time_begin(&t, 100, 1u << type);
        t.group.policy.min_count = t.group.policy.max_count = count;
        /* A gp3 walk of 40 by 40 at most: what each volume needs is near what is included. */
        add_random_load(&t, &r, type == VOL_GP3 ? (double)count * 165 : 400);
        t.o.max_throttled_s = late ? NAN : (double)seeded_int(&r, 0, 600);
        t.o.max_delay_ms = late ? (double)seeded_int(&r, 0, 20000) : NAN;
        const struct plan_group *g = over_time_plan(&t);
        assert_int_equal(replay_trial_open(&g->demand->points, 1, &t.a, &trial, &t.e), 0);
        const struct size_load l = { .max_throttled_s = t.o.max_throttled_s,
                                     .max_delay_ms = t.o.max_delay_ms };
        if (type == VOL_GP3)
            want = walk_gp3(trial, count, &l, 3040, 165);
        else if (type == VOL_IO2)
            want = walk_io2(trial, count, &l);
        else
            want = walk_sizes(trial, type, type == VOL_ST1 ? 125 : (100 + count - 1) / count, count,
                              &l);
        int64_t got = g->chosen.spec.count ? g->chosen.total_microusd : INT64_MAX;
        const struct volume_spec *v = &g->chosen.spec;
        bool walked =
            type != VOL_GP3 || (v->count && v->iops <= 3040 && v->throughput_mibps <= 165);
        compared += walked && v->count;
        if (walked ? got != want : got > want) {
            char spec[96];
            fail_msg("case %d: %s for %lld, a walk finds %lld", i,
                     volume_spec_format(spec, &g->chosen.spec), (long long)got, (long long)want);
        }
        arena_release(&t.a);
    }
    assert_true(compared >= (size_t)n / 2);
}

/* --- plans of any kind -------------------------------------------------------------------------
 */

/* planner/check, which replays in its own way, agrees, with the front too; more may wait, never
 * dearer. */
static void more_may_wait_never_dearer(void **state)
{
    (void)state;
    static struct over_time t;
    int n = rounds(100, 4000);
    for (int i = 0; i < n; i++) {
        struct seeded r = seeded_case(seed + 1, (uint64_t)i);
        unsigned types = (unsigned)seeded_int(&r, 1, (1 << VOL_TYPE_COUNT) - 1);
        bool late = seeded_chance(&r, 50);
        int64_t before = INT64_MAX;
        over_time_begin(&t, seeded_int(&r, 1, 3000), types);
        t.group.policy.max_count = seeded_int(&r, 1, 4);
        t.group.skew = seeded_chance(&r, 30) ? 1.5 : 1;
        add_random_load(&t, &r, 1200);
        t.o.headroom_pct = (double)seeded_int(&r, 0, 2) * 20;
        for (int step = 0; step < 4; step++) {
            /* nothing asked for; nothing may wait; more and more may */
            double much = step ? (double)(step - 1) * 300 : NAN;
            t.o.max_throttled_s = late ? NAN : much;
            t.o.max_delay_ms = late ? much * 10 : NAN;
            const struct plan_group *g = over_time_plan(&t);
            int64_t rank = g->chosen.spec.count ? g->chosen.rank_microusd : INT64_MAX;
            if (rank > before)
                fail_msg("case %d: %lld, then %lld where more may wait", i, (long long)before,
                         (long long)rank);
            before = rank;
        }
        if (i % 16 == 0 && (plan_pareto_add(&t.plan, &t.a, &t.e) || plan_check(&t.plan, &t.e)))
            fail_msg("case %d: %s", i, t.e.text);
        arena_release(&t.a);
    }
}

/* A larger load, which is what headroom makes of it, is never cheaper to carry: neither by bursts
 * nor where some may wait. */
static void load_case(uint64_t seed_of_case, int i)
{
    static struct over_time t;
    struct seeded r = seeded_case(seed_of_case, (uint64_t)i);
    int64_t before = 0;
    over_time_begin(&t, seeded_int(&r, 1, 3000),
                    (unsigned)seeded_int(&r, 1, (1 << VOL_TYPE_COUNT) - 1));
    t.group.policy.max_count = seeded_int(&r, 1, 4);
    add_random_load(&t, &r, 800);
    if (seeded_chance(&r, 50))
        t.o.max_throttled_s = (double)seeded_int(&r, 0, 900);
    for (t.o.headroom_pct = 0; t.o.headroom_pct < 100;
         t.o.headroom_pct += (double)seeded_int(&r, 1, 40)) {
        const struct plan_group *g = over_time_plan(&t);
        int64_t rank = g->chosen.spec.count ? g->chosen.rank_microusd : INT64_MAX;
        if (rank < before)
            fail_msg("case %d: %lld, with %g %% headroom %lld", i, (long long)before,
                     t.o.headroom_pct, (long long)rank);
        before = rank;
    }
    arena_release(&t.a);
}

static void more_load_never_cheaper(void **state)
{
    (void)state;
    /* More MiB/s than the peak asks for save IOPS here: small requests wait, large ones catch up.
     */
    load_case(14, 3677);
    int n = rounds(100, 4000);
    for (int i = 0; i < n; i++)
        load_case(seed + 3, i);
}

/* A percentile of 100 is the maximum; a lower one is never dearer. */
static void percentiles_rise(void **state)
{
    (void)state;
    static struct over_time t;
    int n = rounds(100, 4000);
    for (int i = 0; i < n; i++) {
        struct seeded r = seeded_case(seed + 2, (uint64_t)i);
        over_time_begin(&t, seeded_int(&r, 1, 3000),
                        (unsigned)seeded_int(&r, 1, (1 << VOL_TYPE_COUNT) - 1));
        t.group.policy.max_count = 4;
        add_random_load(&t, &r, 1200);
        const struct plan_group *g = over_time_plan(&t);
        int64_t at_most = g->chosen.spec.count ? g->chosen.rank_microusd : INT64_MAX;
        int64_t first = at_most;
        for (double pct = 100; pct > 50; pct -= (double)seeded_int(&r, 1, 20)) {
            t.o.percentile = pct;
            g = over_time_plan(&t);
            int64_t rank = g->chosen.spec.count ? g->chosen.rank_microusd : INT64_MAX;
            assert_true(rank <= at_most && (pct < 100 || rank == first));
            at_most = rank;
        }
        arena_release(&t.a);
    }
}

int main(void)
{
    seed = seed_of_run(20261130);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(larger_never_waits_longer),  cmocka_unit_test(finds_what_a_walk_finds),
        cmocka_unit_test(more_may_wait_never_dearer), cmocka_unit_test(more_load_never_cheaper),
        cmocka_unit_test(percentiles_rise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
