/* tests/planner/solve/test_phase_solve.c - one group over phases: worked by hand, and against every
 * sequence of types and counts.
 *
 * Seed printed, SEED= replays; FULL=1 tries many more. */
#include "planner/solve/phase_solve.h"

#include "models/core/money.h"
#include "tests/each_allocation.h"
#include "tests/planner/solve/over_time.h"
#include "tests/seeded.h"

#define HOUR_MS INT64_C(3600000)

enum { PHASES = 4, GP3 = 1 << VOL_GP3, IO2 = 1 << VOL_IO2 };

static uint64_t seed;

/* The same group with another load in each phase. */
struct phases {
    struct over_time at[PHASES];
    struct phase_need needs[PHASES];
    struct phase_choice out[PHASES];
    size_t n;
    struct arena a;
    struct err e;
};

static void begin(struct phases *p)
{
    p->n = 0;
    p->a = (struct arena){ 0 };
}

static void add_phase(struct phases *p, int64_t hours, double iops, double mibps, int64_t gib,
                      unsigned types, int64_t max_count, int64_t per_volume_usd)
{
    struct over_time *t = &p->at[p->n];
    over_time_begin(t, gib, types);
    t->group.policy.max_count = max_count;
    t->o.per_volume_microusd = per_volume_usd * 1000000;
    over_time_add(t, 60, iops, mibps);
    const struct plan_group *g = over_time_plan(t);
    p->needs[p->n++] =
        (struct phase_need){ g, &t->plan.options_used, hours * HOUR_MS, UNKNOWN, UNKNOWN };
}

static void solve(struct phases *p)
{
    if (phase_solve(p->needs, p->n, &p->a, p->out, &p->e))
        fail_msg("%s", p->e.text);
}

static void end(struct phases *p)
{
    for (size_t i = 0; i < p->n; i++)
        arena_release(&p->at[i].a);
    arena_release(&p->a);
}

static void assert_choice(const struct phases *p, size_t i, const char *want, int64_t microusd)
{
    assert_spec(&p->out[i].option.spec, want);
    assert_int_equal(p->out[i].option.total_microusd, microusd);
}

/* 16 000 IOPS take 32 GiB of gp3: 32 * 0.08 + 13 000 * 0.005.  Afterwards 10 GiB would do, 0.80,
 * but the volume keeps its 32. */
static void a_volume_never_shrinks(void **state)
{
    (void)state;
    static struct phases p;
    begin(&p);
    add_phase(&p, 240, 16000, 100, 10, GP3, 1, 5);
    add_phase(&p, 730, 100, 1, 10, GP3, 1, 5);
    assert_int_equal(p.needs[1].group->chosen.total_microusd, 800000);
    solve(&p);
    assert_choice(&p, 0, "gp3 32 GiB 16 000 IOPS 125 MiB/s", 67560000);
    assert_choice(&p, 1, "gp3 32 GiB 3 000 IOPS 125 MiB/s", 2560000);
    assert_int_equal(p.out[0].added, 1);
    assert_int_equal(p.out[0].modified, 0);
    assert_int_equal(p.out[1].added, 0);
    assert_int_equal(p.out[1].modified, 1);
    end(&p);
}

/* 100 GiB, first with next to no load, then with 12 000 IOPS; 5 USD a volume.  By itself the first
 * phase is 1 x 100 GiB, 8 + 0, the second 4 x 25 GiB, whose first 3 000 IOPS are free, 8 + 15.
 * Volumes of 100 GiB do not become 25.  Ranking cost of what can be, a month each:
 *
 *     1 x 100   8 + 0    then 4 x 100  32 + 15   or 1 x 100 of 12 000 IOPS  8 + 45     = 55
 *     2 x 50    8 + 5    then 4 x 50   16 + 15                                         = 44
 *     3 x 34    8.16 + 10  then 4 x 34   10.88 + 15                                    = 44.04
 *     4 x 25    8 + 15   then 4 x 25   8 + 15                                          = 46 */
static void smaller_early_is_cheaper_in_all(void **state)
{
    (void)state;
    static struct phases p;
    begin(&p);
    add_phase(&p, 730, 100, 1, 100, GP3, 4, 5);
    add_phase(&p, 730, 12000, 94, 100, GP3, 4, 5);
    assert_spec(&p.needs[0].group->chosen.spec, "gp3 100 GiB 3 000 IOPS 125 MiB/s");
    assert_spec(&p.needs[1].group->chosen.spec, "4 x gp3 25 GiB 3 000 IOPS 125 MiB/s");
    solve(&p);
    assert_choice(&p, 0, "2 x gp3 50 GiB 3 000 IOPS 125 MiB/s", 8000000);
    assert_choice(&p, 1, "4 x gp3 50 GiB 3 000 IOPS 125 MiB/s", 16000000);
    assert_int_equal(p.out[1].added, 2);
    assert_int_equal(p.out[1].modified, 0);
    end(&p);

    /* A tenth of a month first: 0.1 * 23 + 23 = 25.3 for 4 x 25, 1.3 + 31 for 2 x 50. */
    begin(&p);
    add_phase(&p, 73, 100, 1, 100, GP3, 4, 5);
    add_phase(&p, 730, 12000, 94, 100, GP3, 4, 5);
    solve(&p);
    assert_choice(&p, 0, "4 x gp3 25 GiB 3 000 IOPS 125 MiB/s", 8000000);
    assert_int_equal(p.out[1].modified + p.out[1].added + p.out[1].removed, 0);
    end(&p);

    /* A tenth of a month last: 8 + 0.1 * 47 = 12.7 for 1 x 100, 13 + 3.1 for 2 x 50. */
    begin(&p);
    add_phase(&p, 730, 100, 1, 100, GP3, 4, 5);
    add_phase(&p, 73, 12000, 94, 100, GP3, 4, 5);
    solve(&p);
    assert_choice(&p, 0, "gp3 100 GiB 3 000 IOPS 125 MiB/s", 8000000);
    assert_choice(&p, 1, "4 x gp3 100 GiB 3 000 IOPS 125 MiB/s", 32000000);
    end(&p);
}

/* With nothing charged for further volumes 1 x 100 and 2 x 50 GiB cost the same: fewer are taken,
 * but not where small ones pay off later (4 x 25: 8 and 8; from 1 x 100 on 8 and 32). */
static void fewer_volumes_at_one_price(void **state)
{
    (void)state;
    static struct phases p;
    begin(&p);
    add_phase(&p, 730, 100, 1, 100, GP3, 4, 0);
    add_phase(&p, 730, 200, 1, 100, GP3, 4, 0);
    solve(&p);
    assert_choice(&p, 0, "gp3 100 GiB 3 000 IOPS 125 MiB/s", 8000000);
    assert_choice(&p, 1, "gp3 100 GiB 3 000 IOPS 125 MiB/s", 8000000);
    end(&p);
    begin(&p);
    add_phase(&p, 730, 100, 1, 100, GP3, 4, 0);
    add_phase(&p, 730, 12000, 94, 100, GP3, 4, 0);
    solve(&p);
    assert_choice(&p, 0, "4 x gp3 25 GiB 3 000 IOPS 125 MiB/s", 8000000);
    assert_choice(&p, 1, "4 x gp3 25 GiB 3 000 IOPS 125 MiB/s", 8000000);
    end(&p);
}

/* Between the same specs nothing is modified though the load differs. */
static void types_change_by_modification(void **state)
{
    (void)state;
    static struct phases p;
    begin(&p);
    add_phase(&p, 730, 100, 1, 100, GP3, 1, 5);
    add_phase(&p, 730, 100, 1, 100, IO2, 1, 5);
    add_phase(&p, 730, 90, 1, 100, IO2, 1, 5);
    solve(&p);
    assert_choice(&p, 0, "gp3 100 GiB 3 000 IOPS 125 MiB/s", 8000000);
    assert_choice(&p, 1, "io2 100 GiB 100 IOPS", 19000000);
    assert_int_equal(p.out[1].modified, 1);
    assert_int_equal(p.out[2].modified, 0);
    end(&p);
}

/* A group that is not there in a phase is new when it comes back. */
static void a_group_that_goes_and_comes_back(void **state)
{
    (void)state;
    static struct phases p;
    begin(&p);
    add_phase(&p, 240, 16000, 100, 10, GP3, 1, 5);
    add_phase(&p, 240, 100, 1, 10, GP3, 1, 5);
    add_phase(&p, 730, 100, 1, 10, GP3, 1, 5);
    p.needs[1].group = NULL;
    solve(&p);
    assert_int_equal(p.out[1].option.spec.count, 0);
    assert_choice(&p, 2, "gp3 10 GiB 3 000 IOPS 125 MiB/s", 800000);
    assert_int_equal(p.out[2].added, 1);
    end(&p);
}

static void nothing_carries_a_phase(void **state)
{
    (void)state;
    static struct phases p;
    begin(&p);
    add_phase(&p, 240, 100, 1, 10, GP3, 1, 5);
    add_phase(&p, 240, 500000, 100, 10, GP3, 1, 5);
    add_phase(&p, 240, 100, 1, 10, GP3, 1, 5);
    solve(&p);
    assert_int_equal(p.out[0].option.spec.count, 1);
    assert_int_equal(p.out[1].option.spec.count, 0);
    assert_int_equal(p.out[2].option.spec.count, 1);
    end(&p);
}

/* No more volumes than a phase may have. */
static void counts_may_be_limited(void **state)
{
    (void)state;
    static struct phases p;
    begin(&p);
    add_phase(&p, 730, 12000, 94, 100, GP3, 4, 5);
    p.needs[0].max_count = 2;
    solve(&p);
    assert_choice(&p, 0, "2 x gp3 50 GiB 6 000 IOPS 125 MiB/s", 38000000); /* 8 + 2 * 15 */
    end(&p);
}

/* --- against every sequence --------------------------------------------------------------------
 */

/* The cheapest of a (type, count) with volumes of at least floor_gib; UNKNOWN = none. */
static int64_t rank_at(struct phases *p, size_t i, enum volume_type type, int64_t count,
                       int64_t floor_gib, int64_t *out_gib)
{
    const struct over_time *t = &p->at[i];
    struct size_options o;
    struct size_result r;
    const struct demand *d = &t->demand.groups[0].demand;
    struct size_need need = { .iops = NAN,
                              .throughput_mibps = d->total_mibps,
                              .io_kib = NAN,
                              .counted_iops = d->counted_iops,
                              .counted_iops_high = d->counted_iops,
                              .size_gib = t->group.need_gib,
                              .write_pct = NAN };
    size_options_init(&o, &builtin_catalogue, t->o.as_of_ms);
    o.types = 1u << type;
    o.min_count = o.max_count = count;
    o.per_volume_microusd = t->o.per_volume_microusd;
    if (need.size_gib < floor_gib * count)
        need.size_gib = floor_gib * count;
    assert_int_equal(size_solve(&need, &o, &p->a, &r, &p->e), 0);
    if (!r.n_options)
        return UNKNOWN;
    *out_gib = r.options[0].spec.size_gib;
    return r.options[0].rank_microusd;
}

/* The least of all sequences from phase i on. */
static money least_from(struct phases *p, size_t i, int64_t floor_gib)
{
    money best = (money)INT64_MAX * INT64_MAX;
    if (i == p->n)
        return 0;
    const struct group_policy *policy = &p->at[i].group.policy;
    for (int type = 0; type < VOL_TYPE_COUNT; type++)
        for (int64_t count = 1; count <= policy->max_count; count++) {
            int64_t gib = 0;
            if (!(policy->types & 1u << type))
                continue;
            int64_t rank = rank_at(p, i, (enum volume_type)type, count, floor_gib, &gib);
            if (rank == UNKNOWN)
                continue;
            money cost = (money)rank * p->needs[i].length_ms + least_from(p, i + 1, gib);
            if (cost < best)
                best = cost;
        }
    return best;
}

static void equals_every_sequence(void **state)
{
    (void)state;
    static struct phases p;
    int n = getenv("FULL") ? 2000 : 60;
    size_t together = 0;
    for (int k = 0; k < n; k++) {
        struct seeded r = seeded_case(seed, (uint64_t)k);
        int64_t per_volume_usd = seeded_int(&r, 0, 6);
        begin(&p);
        for (int64_t i = seeded_int(&r, 2, 3); i > 0; i--)
            add_phase(&p, seeded_int(&r, 24, 2000), (double)seeded_int(&r, 1, 14000),
                      (double)seeded_int(&r, 1, 400), seeded_int(&r, 1, 300),
                      seeded_chance(&r, 60) ? GP3 : GP3 | IO2, seeded_int(&r, 1, 4),
                      per_volume_usd);
        solve(&p);
        money got = 0, apart = 0;
        for (size_t i = 0; i < p.n; i++) {
            got += (money)p.out[i].option.rank_microusd * p.needs[i].length_ms;
            apart += (money)p.needs[i].group->chosen.rank_microusd * p.needs[i].length_ms;
        }
        if (got != least_from(&p, 0, 0))
            fail_msg("case %d: %.17g, all sequences %.17g", k, (double)got,
                     (double)least_from(&p, 0, 0));
        assert_true(got >= apart);
        together += got > apart;
        end(&p);
    }
    assert_true(together > 0); /* the rule mattered */
}

static void memory_may_end(void **state)
{
    (void)state;
    static struct phases p;
    begin(&p);
    add_phase(&p, 730, 100, 1, 100, GP3 | IO2, 4, 5);
    add_phase(&p, 730, 12000, 94, 100, GP3, 4, 5);
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = phase_solve(p.needs, p.n, &it.a, p.out, &it.e);
    end(&p);
}

int main(void)
{
    seed = seed_of_run(20261130);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_volume_never_shrinks),
        cmocka_unit_test(smaller_early_is_cheaper_in_all),
        cmocka_unit_test(fewer_volumes_at_one_price),
        cmocka_unit_test(types_change_by_modification),
        cmocka_unit_test(a_group_that_goes_and_comes_back),
        cmocka_unit_test(nothing_carries_a_phase),
        cmocka_unit_test(counts_may_be_limited),
        cmocka_unit_test(equals_every_sequence),
        cmocka_unit_test(memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
