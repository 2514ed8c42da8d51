/* tests/planner/replay/test_replay_setup.c - ceilings from volumes, rules of a day, instances. */
#include "tests/each_allocation.h"
#include "tests/planner/replay/replay_fixture.h"

#define N_OF(a) (sizeof(a) / sizeof *(a))

static const struct volume_case {
    const char *why, *as_of;
    struct volume_spec spec;
    double skew;
    double want_mibps, want_iops, want_credits, want_earn_iops, want_requests_per_mib;
    bool want_always_earns;
} volumes[] = {
    { "gp3 as ordered",
      "2026-06-01",
      { VOL_GP3, 1, 100, 4000, 500 },
      1,
      500,
      4000,
      NAN,
      4000,
      4,
      true },
    { "gp3 without figures",
      "2026-06-01",
      { VOL_GP3, 2, 100, UNKNOWN, UNKNOWN },
      1,
      250,
      6000,
      NAN,
      6000,
      4,
      true },
    { "four of which the hottest has twice the mean: 4 / 2 of one",
      "2026-06-01",
      { VOL_GP3, 4, 100, 4000, 500 },
      2,
      1000,
      8000,
      NAN,
      8000,
      4,
      true },
    { "io2 of the incident",
      "2022-06-01",
      { VOL_IO2, 1, 500, 5000, UNKNOWN },
      1,
      500,
      5000,
      NAN,
      5000,
      4,
      true },
    { "the same today: 5 000 * 0.256",
      "2026-06-01",
      { VOL_IO2, 1, 500, 5000, UNKNOWN },
      1,
      1280,
      5000,
      NAN,
      5000,
      4,
      true },
    { "gp2: 3 a GiB, 3 000 while credits last",
      "2026-06-01",
      { VOL_GP2, 1, 100, UNKNOWN, UNKNOWN },
      1,
      128,
      3000,
      5400000,
      300,
      4,
      true },
    { "three gp2, buckets too",
      "2026-06-01",
      { VOL_GP2, 3, 100, UNKNOWN, UNKNOWN },
      1,
      384,
      9000,
      16200000,
      900,
      4,
      true },
    { "gp2 of 1 000 GiB earns what it may do",
      "2026-06-01",
      { VOL_GP2, 1, 1000, UNKNOWN, UNKNOWN },
      1,
      250,
      3000,
      NAN,
      3000,
      4,
      true },
    { "st1: a bucket of 1 TiB, counted in requests of 1 MiB",
      "2026-06-01",
      { VOL_ST1, 1, 1024, UNKNOWN, UNKNOWN },
      1,
      250,
      250,
      1048576,
      40,
      1,
      false },
    { "sc1",
      "2026-06-01",
      { VOL_SC1, 1, 1024, UNKNOWN, UNKNOWN },
      1,
      80,
      80,
      1048576,
      12,
      1,
      false },
    { "standard counts with what it sustains",
      "2026-06-01",
      { VOL_STANDARD, 1, 100, UNKNOWN, UNKNOWN },
      1,
      40,
      100,
      NAN,
      100,
      0,
      true },
};

static void one_kind_of_volume(void **state)
{
    const struct volume_case *c = *state;
    struct replay_group g = fixture_volumes(c->as_of, c->spec.type, c->spec.count, c->spec.size_gib,
                                            c->spec.iops, c->spec.throughput_mibps, c->skew);
    assert_near(g.max_throughput_mibps, c->want_mibps);
    assert_near(g.max_iops, c->want_iops);
    assert_near(g.credits, c->want_credits);
    assert_near(g.earn_iops, c->want_earn_iops);
    assert_near(g.requests_per_mib, c->want_requests_per_mib);
    assert_int_equal(g.earns_while_bursting, c->want_always_earns);
}

static void unequal_volumes_fill_by_size(void **state)
{
    (void)state;
    /* gp3 of 100 and 300 GiB with 125 MiB/s each: the large one has three quarters of the load, so
     * 125 * 4 / 3; its 3 000 IOPS make 4 000. */
    struct layout_volumes rows[] = { { { VOL_GP3, 1, 100, 3000, 125 }, UNKNOWN },
                                     { { VOL_GP3, 1, 300, 3000, 125 }, UNKNOWN } };
    struct replay_group g;
    int64_t day = fixture_day("2026-06-01");
    assert_true(replay_group_at(&builtin_catalogue, rows, 2, 1, NULL, day, &g));
    assert_near(g.max_throughput_mibps, 500.0 / 3);
    assert_near(g.max_iops, 4000);
    assert_near(g.credits, NAN);

    /* gp2 of 100 and 200 GiB: the large one is full at 3 000 * 3 / 2, its bucket empty first, and
     * both earn 900 for the group. */
    rows[0].spec = (struct volume_spec){ VOL_GP2, 1, 100, UNKNOWN, UNKNOWN };
    rows[1].spec = (struct volume_spec){ VOL_GP2, 1, 200, UNKNOWN, UNKNOWN };
    assert_true(replay_group_at(&builtin_catalogue, rows, 2, 1, NULL, day, &g));
    assert_near(g.max_iops, 4500);
    assert_near(g.credits, 5400000 * 1.5);
    assert_near(g.earn_iops, 900);
    assert_near(g.max_throughput_mibps, 375);

    /* With an st1 in it the group does not earn while bursting. */
    rows[1].spec = (struct volume_spec){ VOL_ST1, 1, 1024, UNKNOWN, UNKNOWN };
    assert_true(replay_group_at(&builtin_catalogue, rows, 2, 1, NULL, day, &g));
    assert_false(g.earns_while_bursting);
    assert_near(g.requests_per_mib, 4);
}

static void what_is_not_known_has_no_ceiling(void **state)
{
    (void)state;
    static const struct unknown_case {
        struct volume_spec spec;
        const char *since, *as_of;
    } cases[] = {
        { { VOL_GP3, 1, 100, 3000, 125 }, "2025-06-01", "2025-05-31" }, /* not there yet */
        { { VOL_GP3, 1, 100, 3000, 125 }, NULL, "2019-06-01" },         /* before its launch */
        { { VOL_IO1, 1, 100, UNKNOWN, UNKNOWN }, NULL, "2026-06-01" },  /* IOPS missing */
        { { VOL_GP3, 1, UNKNOWN, 3000, 125 }, NULL, "2026-06-01" },
        { { VOL_GP3, 0, 100, 3000, 125 }, NULL, "2026-06-01" },
        { { VOL_TYPE_COUNT, 1, 100, 3000, 125 }, NULL, "2026-06-01" },
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        struct layout_volumes row = { cases[i].spec,
                                      cases[i].since ? fixture_day(cases[i].since) : UNKNOWN };
        struct replay_group g = { .max_iops = 1 };
        if (replay_group_at(&builtin_catalogue, &row, 1, 1, NULL, fixture_day(cases[i].as_of), &g))
            fail_msg("row %zu has ceilings", i);
        assert_true(isnan(g.max_throughput_mibps) && isnan(g.max_iops) && isnan(g.credits));
    }
    struct replay_group g;
    assert_false(replay_group_at(&builtin_catalogue, NULL, 0, 1, NULL, 0, &g));
    assert_true(isnan(replay_instance_unknown().max_mibps));
}

static void xen_lowers_what_a_volume_reaches(void **state)
{
    (void)state;
    struct layout_volumes row = { { VOL_IO2, 1, 500, 64000, UNKNOWN }, UNKNOWN };
    struct replay_group g;
    assert_true(replay_group_at(&builtin_catalogue, &row, 1, 1, "m4.16xlarge",
                                fixture_day("2026-06-01"), &g));
    assert_near(g.max_iops, 32000);
}

static void instances_pass_decimal_megabytes(void **state)
{
    (void)state;
    struct replay_instance i = fixture_instance("r6i.large", REPLAY_BURST_CREDITS);
    assert_near(i.baseline_mibps, 81.25 / 1.048576);
    assert_near(i.max_mibps, 1250 / 1.048576);
    assert_near(i.baseline_iops, 3600);
    assert_near(i.max_iops, 40000);
    assert_int_equal(i.burst, REPLAY_BURST_CREDITS);
    assert_int_equal(i.n_cards, 0);
    assert_int_equal(fixture_instance("r8gb.48xlarge", REPLAY_BURST_MINUTES).n_cards, 2);
}

static void cards_are_dealt_in_turn(void **state)
{
    (void)state;
    /* The volume it boots from is on card 0; then 1: card 1; 3: 0, 1, 0; 2: one each; none given
     * counts as one: card 1. */
    struct replay_group g[4] = { { .credits = NAN } };
    int64_t counts[] = { 1, 3, 2, 0 };
    replay_deal_cards(g, counts, 4, 2);
    assert_near(g[0].card_share[0], 0);
    assert_near(g[0].card_share[1], 1);
    assert_near(g[1].card_share[0], 2.0 / 3);
    assert_near(g[1].card_share[1], 1.0 / 3);
    assert_near(g[2].card_share[0], 0.5);
    assert_near(g[2].card_share[1], 0.5);
    assert_near(g[3].card_share[0], 0);
    assert_near(g[3].card_share[1], 1);
    g[0].card_share[0] = 7;
    replay_deal_cards(g, counts, 1, 1);
    replay_deal_cards(g, counts, 1, REPLAY_CARDS_MAX + 1);
    assert_near(g[0].card_share[0], 7);
}

static void an_era_for_each_change(void **state)
{
    (void)state;
    /* A gp3 enlarged on 2025-03-15: before, nobody knows what it was.  io2 modified in 2020: Block
     * Express from 2025-04-30, on a listed family before. */
    struct layout_volumes data[] = { { { VOL_GP3, 1, 100, 6000, 500 },
                                       fixture_day("2025-03-15") } };
    struct layout_volumes redo[] = { { { VOL_IO2, 1, 500, 5000, UNKNOWN },
                                       fixture_day("2020-09-01") } };
    struct replay_volumes groups[] = { { data, 1, 1, UNKNOWN }, { redo, 1, 1, UNKNOWN } };
    struct replay_instance i = fixture_instance("r6i.large", REPLAY_BURST_MINUTES);
    struct arena a = { 0 };
    struct err e;
    const struct replay_era *eras;
    size_t n;
    int64_t from_ms = fixture_day("2025-03-01"), to_ms = fixture_day("2025-06-01");
    assert_int_equal(replay_eras(&builtin_catalogue, groups, 2, "r6i.large", &i, from_ms, to_ms, &a,
                                 &eras, &n, &e),
                     0);
    assert_int_equal(n, 3);
    assert_near(eras[0].from_s, 0);
    assert_near(eras[1].from_s, 14 * 86400);
    assert_near(eras[2].from_s, (31 + 29) * 86400);
    assert_near(eras[0].groups[0].max_throughput_mibps, NAN);
    assert_near(eras[1].groups[0].max_throughput_mibps, 500);
    assert_near(eras[0].groups[1].max_throughput_mibps, 500);
    assert_near(eras[2].groups[1].max_throughput_mibps, 1280);
    assert_near(eras[2].instance.baseline_iops, 3600);
    arena_release(&a);
}

/* With the volume it boots from on card 0, the group of a row of one and a row of two has cards 1,
 * 0 and 1. */
static void every_row_of_an_era_is_dealt(void **state)
{
    (void)state;
    struct layout_volumes rows[] = { { { VOL_GP3, 1, 100, 3000, 125 }, UNKNOWN },
                                     { { VOL_GP3, 2, 100, 3000, 125 }, UNKNOWN } };
    struct replay_volumes group = { rows, 2, 1, UNKNOWN };
    struct replay_instance i = fixture_instance("r8gb.48xlarge", REPLAY_BURST_MINUTES);
    struct arena a = { 0 };
    struct err e;
    const struct replay_era *eras;
    size_t n;
    assert_int_equal(replay_eras(&builtin_catalogue, &group, 1, "r8gb.48xlarge", &i,
                                 fixture_day("2026-06-01"), fixture_day("2026-06-02"), &a, &eras,
                                 &n, &e),
                     0);
    assert_int_equal(n, 1);
    assert_near(eras[0].groups[0].card_share[0], 1.0 / 3);
    assert_near(eras[0].groups[0].card_share[1], 2.0 / 3);
    arena_release(&a);
}

static void no_memory(void **state)
{
    (void)state;
    struct layout_volumes rows[] = { { { VOL_GP3, 1, 100, 6000, 500 }, UNKNOWN } };
    struct replay_volumes group = { rows, 1, 1, UNKNOWN };
    struct replay_instance none = replay_instance_unknown();
    const struct replay_era *eras;
    size_t n_eras;
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = replay_eras(&builtin_catalogue, &group, 1, NULL, &none, 0,
                            fixture_day("2026-06-01"), &it.a, &eras, &n_eras, &it.e);
}

int main(void)
{
    static const struct CMUnitTest rest[] = {
        cmocka_unit_test(unequal_volumes_fill_by_size),
        cmocka_unit_test(what_is_not_known_has_no_ceiling),
        cmocka_unit_test(xen_lowers_what_a_volume_reaches),
        cmocka_unit_test(instances_pass_decimal_megabytes),
        cmocka_unit_test(cards_are_dealt_in_turn),
        cmocka_unit_test(an_era_for_each_change),
        cmocka_unit_test(every_row_of_an_era_is_dealt),
        cmocka_unit_test(no_memory),
    };
    struct CMUnitTest t[N_OF(volumes) + N_OF(rest)];
    size_t n = 0;
    for (size_t i = 0; i < N_OF(volumes); i++)
        t[n++] = (struct CMUnitTest){ volumes[i].why, one_kind_of_volume, NULL, NULL,
                                      (void *)(uintptr_t)&volumes[i] };
    for (size_t i = 0; i < N_OF(rest); i++)
        t[n++] = rest[i];
    return cmocka_run_group_tests(t, NULL, NULL);
}
