/* tests/planner/replay/test_replay.c - closed forms: what a replay gives, worked by hand. */
#include "tests/each_allocation.h"
#include "tests/planner/replay/replay_fixture.h"

/* --- volumes and their buckets ---------------------------------------------------------------- */

/* A volume asked for the same rate all the time: so long without being held, then so much. */
static const struct steady_case {
    const char *why;
    enum volume_type type;
    int64_t gib;
    double mibps, iops, for_s;
    double want_free_s, want_then_iops, want_then_mibps;
} steadies[] = {
    /* 5 400 000 / (3 000 - 300); 16 KiB requests: 3 000 / 64 MiB/s */
    { "gp2 100 GiB at 3 000 IOPS: 2 000 s, then 300 IOPS", VOL_GP2, 100, 46.875, 3000, 10000, 2000,
      300, 4.6875 },
    /* 5 400 000 / (600 - 100): 30 GiB earn the least there is, 100 a second */
    { "gp2 30 GiB at 600 IOPS: 10 800 s, then 100 IOPS", VOL_GP2, 30, 9.375, 600, 20000, 10800, 100,
      1.5625 },
    { "gp2 100 GiB at what it earns: for ever", VOL_GP2, 100, 4.6875, 300, 1e6, INFINITY, 300,
      4.6875 },
    { "gp2 1 000 GiB has no bucket: 3 000 IOPS for ever", VOL_GP2, 1000, 46.875, 3000, 1e6,
      INFINITY, 3000, 46.875 },
    /* 300 IOPS of 256 KiB; 5 400 000 / (512 - 300) = 25 471.7 s at 128 MiB/s */
    { "gp2 100 GiB reading large: 128 MiB/s, then 75", VOL_GP2, 100, 128, 512, 60000,
      5400000.0 / 212, 300, 75 },
    /* 1 048 576 MiB / 250 = 4 194.304 s, not refilled while it bursts */
    { "st1 1 TiB: 4 194 s at 250 MiB/s, then 40", VOL_ST1, 1024, 250, 250, 10000, 4194.304, 40,
      40 },
    /* every request of 16 KiB costs 1 MiB: 250 of them a second */
    { "st1 1 TiB read at random, 16 KiB: 3.9 MiB/s cost 250", VOL_ST1, 1024, 3.90625, 250, 10000,
      4194.304, 40, 0.625 },
    /* 1 048 576 / 80 = 13 107.2 s */
    { "sc1 1 TiB: 13 107 s at 80 MiB/s, then 12", VOL_SC1, 1024, 80, 80, 20000, 13107.2, 12, 12 },
    { "gp3 as it comes: 125 MiB/s for ever", VOL_GP3, 100, 125, 500, 1e6, INFINITY, 500, 125 },
};

static void steady_load(void **state)
{
    const struct steady_case *c = *state;
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2026-06-01", c->type, 1, c->gib, UNKNOWN, UNKNOWN, 1);
    fixture_add(&f, c->for_s, c->mibps, c->iops);
    fixture_run(&f);
    double free_s = fmin(c->want_free_s, c->for_s), held_s = c->for_s - free_s;
    assert_near(f.group[0].throttled_s, held_s);
    assert_near(f.group[0].over_s, held_s);
    assert_near(f.group[0].first_throttled_s, held_s > 0 ? free_s : NAN);
    assert_near(f.group[0].empty_at_s, held_s > 0 ? free_s : NAN);
    assert_near(f.group[0].binding_s[REPLAY_VOLUME_CREDITS], held_s);
    assert_near(f.group[0].served_requests, c->iops * free_s + c->want_then_iops * held_s);
    assert_near(f.group[0].served_mib, c->mibps * free_s + c->want_then_mibps * held_s);
    assert_near(f.group[0].backlog_mib, (c->mibps - c->want_then_mibps) * held_s);
    assert_near(f.group[0].lowest_credits, isnan(f.groups[0].credits) ? NAN
                                           : held_s > 0               ? 0
                                                                      : f.groups[0].credits);
}

static void credits_refill(void **state)
{
    (void)state;
    /* 100 GiB: 1 000 s at 3 000 cost 2 700 a second; 600 s without load bring 300 a second. */
    double levels[3], full = 5400000;
    struct replay_trace t = { .credits = levels };
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2026-06-01", VOL_GP2, 1, 100, UNKNOWN, UNKNOWN, 1);
    fixture_add(&f, 1000, 10, 3000);
    fixture_add(&f, 600, 0, 0);
    fixture_add(&f, 100000, 0, 0);
    fixture_run_traced(&f, &t, NULL);
    assert_near(levels[0], full - 2700000);
    assert_near(levels[1], full - 2700000 + 180000);
    assert_near(levels[2], full);
    assert_near(f.group[0].lowest_credits, 2700000);
    assert_near(f.group[0].throttled_s, 0);
}

static void hdd_bucket_refills_below_base_only(void **state)
{
    (void)state;
    /* st1 1 TiB: 60 MiB/s are above the base of 40: all 60 are spent and nothing earned. */
    double levels[2], full = 1048576;
    struct replay_trace t = { .credits = levels };
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2026-06-01", VOL_ST1, 1, 1024, UNKNOWN, UNKNOWN, 1);
    fixture_add(&f, 1000, 60, 60);
    fixture_add(&f, 1000, 10, 10);
    fixture_run_traced(&f, &t, NULL);
    assert_near(levels[0], full - 60000);
    assert_near(levels[1], full - 60000 + 30000);
}

/* --- backlog ---------------------------------------------------------------------------------- */

static void backlog_is_carried_on(void **state)
{
    (void)state;
    /* 300 on 125 for 60 s leave 10 500 MiB; 25 then drain 100 a second: 105 s.  The last of the
     * minute leaves 18 000 / 125 = 144 s after the beginning: it waited 84 s.  What comes then
     * waits less. */
    double backlog[3], delay[3], served[3];
    unsigned char binding[3];
    struct replay_trace t = {
        .backlog_mib = backlog, .delay_ms = delay, .served_mibps = served, .binding = binding
    };
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2026-06-01", VOL_GP3, 1, 100, 3000, 125, 1);
    fixture_add(&f, 60, 300, 1200);
    fixture_add(&f, 100, 25, 100);
    fixture_add(&f, 100, 25, 100);
    fixture_run_traced(&f, &t, NULL);
    assert_near(f.group[0].throttled_s, 165);
    assert_near(f.group[0].over_s, 60);
    assert_near(f.group[0].worst_backlog_mib, 10500);
    assert_near(f.group[0].worst_backlog_at_s, 60);
    assert_near(f.group[0].worst_delay_ms, 84000);
    assert_near(f.group[0].binding_s[REPLAY_VOLUME_THROUGHPUT], 165);
    assert_near(f.group[0].served_mib, 18000 + 5000);
    assert_near(f.group[0].backlog_mib, 0);
    assert_near(f.group[0].throughput_utilisation_pct, 23000.0 / (125 * 260) * 100);
    assert_near(backlog[0], 10500);
    assert_near(backlog[1], 500);
    assert_near(backlog[2], 0);
    /* At 160 s 20 000 MiB are served: the minute's 18 000 and 80 s of what came after. */
    assert_near(delay[0], (60 - 25) * 1000);
    assert_near(delay[1], (160 - 60 - 80) * 1000);
    assert_near(delay[2], 0);
    assert_near(served[0], 125);
    assert_near(served[1], 125);
    assert_near(served[2], 30);
    assert_int_equal(binding[0], REPLAY_VOLUME_THROUGHPUT);
    assert_int_equal(binding[1], REPLAY_VOLUME_THROUGHPUT);
    assert_int_equal(binding[2], REPLAY_VOLUME_THROUGHPUT);
    assert_near(f.host.throttled_s, 165);
    assert_near(f.host.over_s, 0);
}

static void served_in_order_of_arrival(void **state)
{
    (void)state;
    /* 1 000 IOPS, 100 MiB/s.  10 s of small requests, 2 000 a second of 10 MiB/s, then 10 s of
     * large ones, 100 MiB/s in 400 requests, then nothing.  The small ones take 20 s at 1 000 a
     * second and 5 MiB/s; of the large ones nothing is served before, so at 20 s 1 000 MiB wait.
     * They take 10 s at 100 MiB/s. */
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = (struct replay_group){
        .max_throughput_mibps = 100, .max_iops = 1000, .credits = NAN, .requests_per_mib = 4
    };
    fixture_add(&f, 10, 10, 2000);
    fixture_add(&f, 10, 100, 400);
    fixture_add(&f, 30, 0, 0);
    fixture_run(&f);
    assert_near(f.group[0].worst_backlog_mib, 1000);
    assert_near(f.group[0].worst_backlog_at_s, 20);
    assert_near(f.group[0].worst_delay_ms, 10000);
    assert_near(f.group[0].throttled_s, 30);
    assert_near(f.group[0].over_s, 10);
    assert_near(f.group[0].binding_s[REPLAY_VOLUME_IOPS], 20);
    assert_near(f.group[0].binding_s[REPLAY_VOLUME_THROUGHPUT], 10);
}

/* Two groups fall behind on an instance that does not bind: each does as it does alone, and the
 * instance adds up what waits, also at a moment within an interval. */
static void groups_wait_apart(void **state)
{
    (void)state;
    /* The first, of 1 000 IOPS and 100 MiB/s: 10 s of 2 000 small requests and 10 MiB/s take 20 s,
     * at 5 MiB/s.  Then come 40 MiB/s: 10 s x 40 = 400 MiB wait at 20 s, and 60 more go than come:
     * 400 / 60 = 6.667 s.  The second, of 100 MiB/s, has 20 MiB/s too much from 10 to 30 s: 400
     * MiB, which take 4 s.  Together 400 + 200 MiB wait at 20 s, the most: at 30 s
     * only the 400 of the second do.  Something waits from 0 to 34 s. */
    struct fixture f;
    fixture_init(&f, 2);
    f.groups[0] = (struct replay_group){
        .max_throughput_mibps = 100, .max_iops = 1000, .credits = NAN, .requests_per_mib = 4
    };
    f.groups[1] = f.groups[0];
    fixture_add(&f, 10, 10, 2000);
    fixture_add(&f, 20, 40, 160);
    fixture_add(&f, 10, 0, 0);
    const double second[] = { 50, 120, 0 };
    for (size_t i = 0; i < f.n; i++) {
        f.mibps[1][i] = second[i];
        f.iops[1][i] = second[i] * 4;
    }
    fixture_run(&f);
    assert_near(f.group[0].throttled_s, 20 + 400.0 / 60);
    assert_near(f.group[0].worst_backlog_mib, 400);
    assert_near(f.group[0].worst_backlog_at_s, 20);
    assert_near(f.group[1].throttled_s, 24);
    assert_near(f.group[1].first_throttled_s, 10);
    assert_near(f.group[1].worst_backlog_mib, 400);
    assert_near(f.group[1].worst_backlog_at_s, 30);
    assert_near(f.host.throttled_s, 34);
    assert_near(f.host.first_throttled_s, 0);
    assert_near(f.host.worst_backlog_mib, 600);
    assert_near(f.host.worst_backlog_at_s, 20);
    assert_near(f.host.backlog_mib, 0);
}

static void demand_equal_to_the_ceiling_is_served(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, 3);
    f.instance = (struct replay_instance){ 100, 100, 3000, 3000, REPLAY_BURST_MINUTES, 0 };
    for (int i = 0; i < 100; i++)
        fixture_add(&f, 1, 0.1, 0.4);
    for (size_t i = 0; i < f.n; i++) {
        f.mibps[1][i] = 33.3;
        f.mibps[2][i] = 66.6; /* 0.1 + 33.3 + 66.6 is above 100 in binary */
    }
    fixture_run(&f);
    assert_near(f.host.throttled_s, 0);
    assert_near(f.host.throughput_utilisation_pct, 100);
}

/* Requests: at least one for every 256 KiB, whatever was counted. */
static void large_requests_count_by_size(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2026-06-01", VOL_IO2, 1, 500, 5000, UNKNOWN, 1);
    fixture_add(&f, 100, 1280, NAN); /* sold as 1 280 MiB/s; 5 000 of 256 KiB are 1 250 */
    fixture_run(&f);
    assert_near(f.group[0].asked_requests, 5120 * 100);
    assert_near(f.group[0].served_mib, 1250 * 100);
    assert_near(f.group[0].binding_s[REPLAY_VOLUME_IOPS], 100);
}

/* --- instance --------------------------------------------------------------------------------- */

static const struct burst_case {
    const char *why;
    enum replay_burst burst;
    double want_burst_s;
} bursts[] = {
    { "r6i.large at 200 MB/s all day, lower bound: 30 minutes, then 81.25", REPLAY_BURST_MINUTES,
      1800 },
    /* 30 minutes at 1 250 - 81.25 MB/s hold 2 103 750 MB; 200 - 81.25 a second: 4 h 55 min 16 s */
    { "r6i.large at 200 MB/s all day, upper bound: 4 h 55 min, then 81.25", REPLAY_BURST_CREDITS,
      2103750 / 118.75 },
};

static void instance_burst(void **state)
{
    const struct burst_case *c = *state;
    double served[24 * 6];
    struct replay_trace t = { .served_mibps = served };
    struct fixture f;
    fixture_init(&f, 1);
    f.instance = fixture_instance("r6i.large", c->burst);
    for (int i = 0; i < 24 * 6; i++)
        fixture_add(&f, 600, 200 / MB_PER_MIB, 800);
    fixture_run_traced(&f, NULL, &t);
    assert_near(f.host.replayed_s, 86400);
    assert_near(f.host.first_throttled_s, c->want_burst_s);
    assert_near(f.host.empty_at_s, c->want_burst_s);
    assert_near(f.host.throttled_s, 86400 - c->want_burst_s);
    assert_near(f.host.over_s, 86400 - c->want_burst_s);
    assert_near(f.host.binding_s[REPLAY_BASELINE_THROUGHPUT], 86400 - c->want_burst_s);
    assert_near(f.group[0].binding_s[REPLAY_BASELINE_THROUGHPUT], 86400 - c->want_burst_s);
    assert_near(f.host.served_mib * MB_PER_MIB,
                200 * c->want_burst_s + 81.25 * (86400 - c->want_burst_s));
    assert_near(served[0] * MB_PER_MIB, 200);
    assert_near(served[24 * 6 - 1] * MB_PER_MIB, 81.25);
    assert_near(f.host.credits, 0);
}

static void burst_minutes_come_back_after_a_day(void **state)
{
    (void)state;
    /* 40 minutes at 100 MB/s each day from hour 2 on: 10 of them at 81.25 MB/s.  187.5 MB a
     * second too much, drained at 81.25 when nothing else comes. */
    struct fixture f;
    fixture_init(&f, 1);
    f.instance = fixture_instance("r6i.large", REPLAY_BURST_MINUTES);
    for (int day = 0; day < 3; day++) {
        fixture_add(&f, 7200, 0, 0);
        fixture_add(&f, 2400, 100 / MB_PER_MIB, 0);
        fixture_add(&f, 86400 - 7200 - 2400, 0, 0);
    }
    fixture_run(&f);
    assert_near(f.host.throttled_s, 3 * (600 + 18.75 * 600 / 81.25));
    assert_near(f.host.over_s, 3 * 600);
    assert_near(f.host.first_throttled_s, 7200 + 1800);
    assert_near(f.host.worst_backlog_mib * MB_PER_MIB, 18.75 * 600);
}

static void burst_credits_refill_from_the_baseline(void **state)
{
    (void)state;
    /* 1 000 s at 181.25 MB/s spend 100 000 MB; 1 000 s at 31.25 give 50 000 back. */
    double left[2], full = 2103750;
    struct replay_trace t = { .credits = left };
    struct fixture f;
    fixture_init(&f, 1);
    f.instance = fixture_instance("r6i.large", REPLAY_BURST_CREDITS);
    fixture_add(&f, 1000, 181.25 / MB_PER_MIB, 0);
    fixture_add(&f, 1000, 31.25 / MB_PER_MIB, 0);
    fixture_run_traced(&f, NULL, &t);
    assert_near(left[0] * MB_PER_MIB, full - 100000);
    assert_near(left[1] * MB_PER_MIB, full - 50000);
    assert_near(f.host.lowest_credits * MB_PER_MIB, full - 100000);
}

static void requests_burst_too(void **state)
{
    (void)state;
    /* r6i.large: 3 600 IOPS, 40 000 for half an hour, 10 000 asked for in 4 KiB. */
    struct fixture f;
    fixture_init(&f, 1);
    f.instance = fixture_instance("r6i.large", REPLAY_BURST_MINUTES);
    fixture_add(&f, 3600, 39.0625, 10000);
    fixture_run(&f);
    assert_near(f.host.served_requests, 10000.0 * 1800 + 3600.0 * 1800);
    assert_near(f.host.binding_s[REPLAY_BASELINE_IOPS], 1800);
}

static void an_instance_is_shared(void **state)
{
    (void)state;
    /* 100 MiB/s for three who ask for 20, 90 and 90: half of it, and all three wait. */
    struct fixture f;
    fixture_init(&f, 3);
    f.instance = (struct replay_instance){ 100, 100, NAN, NAN, REPLAY_BURST_MINUTES, 0 };
    fixture_add(&f, 10, 20, 80);
    f.mibps[1][0] = f.mibps[2][0] = 90;
    fixture_run(&f);
    assert_near(f.group[0].served_mib, 100);
    assert_near(f.group[1].served_mib, 450);
    assert_near(f.group[2].served_mib, 450);
    assert_near(f.group[0].throttled_s, 10);
    assert_near(f.group[1].throttled_s, 10);
    assert_near(f.group[1].binding_s[REPLAY_INSTANCE_THROUGHPUT], 10);
    assert_near(f.host.worst_backlog_mib, 1000);
    assert_near(f.host.over_s, 10);
    assert_near(f.group[1].over_s, 0);
}

static void a_card_binds_before_the_instance(void **state)
{
    (void)state;
    /* Two cards of 500: the first group is on card 0 alone and asks for 600, the second for 450 on
     * each; a third, on card 1 alone, for 20.  Card 0 serves 500 of 1 050, and so much of the
     * second; card 1 has room. */
    struct fixture f;
    fixture_init(&f, 3);
    f.instance = (struct replay_instance){ 1000, 1000, NAN, NAN, REPLAY_BURST_MINUTES, 2 };
    f.groups[2].card_share[1] = 1;
    f.groups[0].card_share[0] = 1;
    f.groups[1].card_share[0] = f.groups[1].card_share[1] = 0.5;
    fixture_add(&f, 10, 600, 2400);
    f.mibps[1][0] = 900;
    f.mibps[2][0] = 20;
    fixture_run(&f);
    assert_near(f.group[0].served_mib, 6000 * 500.0 / 1050);
    assert_near(f.group[1].served_mib, 9000 * 500.0 / 1050);
    assert_near(f.group[2].served_mib, 200);
    assert_near(f.group[2].throttled_s, 0);
    assert_near(f.group[0].binding_s[REPLAY_CARD_THROUGHPUT], 10);
    assert_near(f.host.binding_s[REPLAY_CARD_THROUGHPUT], 10);
    assert_near(f.host.over_s, 10);
}

/* --- eras, gaps, what is not a number --------------------------------------------------------- */

static void rules_of_each_day(void **state)
{
    (void)state;
    /* io2 of 5 000 IOPS, not modified since 2022: 500 MiB/s to 2025-04-29, then 1 250 in
     * requests of 256 KiB.  800 asked for, for a day before and a day after: 300 * 86 400 MiB
     * wait at midnight, drained at 450. */
    struct layout_volumes rows[] = { { { VOL_IO2, 1, 500, 5000, UNKNOWN },
                                       fixture_day("2022-03-01") } };
    struct replay_volumes group = { rows, 1, 1, UNKNOWN };
    struct replay_instance none = replay_instance_unknown();
    struct arena a = { 0 };
    struct err e = { 0 };
    const struct replay_era *eras;
    size_t n;
    int64_t from_ms = fixture_day("2025-04-29");
    assert_int_equal(replay_eras(&builtin_catalogue, &group, 1, NULL, &none, from_ms,
                                 from_ms + 2 * DAY_MS, &a, &eras, &n, &e),
                     0);
    assert_int_equal(n, 2);
    assert_near(eras[1].from_s, 86400);
    double mibps = 800, iops = 3200;
    const double *m = &mibps, *q = &iops;
    struct replay_block b = { .n = 1, .step_s = 2 * 86400, .total_mibps = &m, .counted_iops = &q };
    struct replay *r;
    struct replay_result out;
    assert_int_equal(replay_open(1, eras, n, &a, &r, &e), 0);
    replay_feed(r, &b);
    replay_group_result(r, 0, &out);
    assert_near(out.worst_backlog_mib, 300.0 * 86400);
    assert_near(out.throttled_s, 86400 + 300.0 * 86400 / 450);
    assert_near(out.over_s, 86400);
    arena_release(&a);
}

/* Fits the first minute's 1 000 MiB/s, not the second's 125: 375 * 60 MiB wait at the end, though
 * one block holds both minutes. */
static void an_era_ends_within_a_block(void **state)
{
    (void)state;
    struct replay_group wide = fixture_volumes("2026-06-01", VOL_GP3, 1, 100, 4000, 1000, 1);
    struct replay_group narrow = fixture_volumes("2026-06-01", VOL_GP3, 1, 100, 4000, 125, 1);
    const struct replay_era eras[] = { { 0, &wide, replay_instance_unknown() },
                                       { 60, &narrow, replay_instance_unknown() } };
    double mibps[] = { 500, 500, 500, 500 }, iops[] = { 2000, 2000, 2000, 2000 };
    const double *m = mibps, *q = iops;
    struct replay_block b = { .n = 4, .step_s = 30, .total_mibps = &m, .counted_iops = &q };
    struct arena a = { 0 };
    struct err e = { 0 };
    struct replay *r;
    struct replay_result out;
    assert_int_equal(replay_open(1, eras, 2, &a, &r, &e), 0);
    replay_feed(r, &b);
    replay_group_result(r, 0, &out);
    assert_near(out.backlog_mib, 375 * 60);
    assert_near(out.over_s, 60);
    arena_release(&a);
}

static void gaps_and_what_is_not_a_number(void **state)
{
    (void)state;
    /* 10 s of 200 on 125, a gap of 5 s, then figures that nobody can have measured. */
    struct fixture f;
    fixture_init(&f, 1);
    f.groups[0] = fixture_volumes("2026-06-01", VOL_GP3, 1, 100, 3000, 125, 1);
    fixture_add(&f, 10, 200, 800);
    fixture_add(&f, 5, NAN, NAN);
    fixture_add(&f, 1, -1, 5);
    fixture_add(&f, 1, INFINITY, 5);
    fixture_add(&f, 1, 1e300, 1e300);
    fixture_add(&f, 1, 1e-320, 1e-320);
    fixture_add(&f, 1, 10, -7);
    fixture_add(&f, 1, 10, INFINITY);
    fixture_run(&f);
    assert_near(f.group[0].replayed_s, 21);
    assert_near(f.group[0].unmeasured_s, 8);
    assert_near(f.group[0].asked_mib, 2020);
    assert_near(f.group[0].served_mib, 2020);
    assert_near(f.group[0].throttled_s, 16); /* 750 MiB left, drained at 125: 6 s */
    assert_near(f.host.unmeasured_s, 8);
}

static void time_runs_forward_only(void **state)
{
    (void)state;
    /* A block that begins later leaves a gap; intervals that are over, empty or not numbers are
     * left out, one that has begun counts from now. */
    struct fixture f;
    fixture_init(&f, 1);
    struct replay_era era = { 0, f.groups, f.instance };
    double edges[] = { 10, 20, 20, 15, 30, NAN, INFINITY }, mibps[] = { 1, 10, 100, 2, 5, 7 };
    const double *m = mibps, *q = mibps;
    struct replay_block b = { .n = 6, .edge_s = edges, .total_mibps = &m, .counted_iops = &q };
    struct arena a = { 0 };
    struct err e;
    struct replay *r;
    struct replay_result out;
    assert_int_equal(replay_open(1, &era, 1, &a, &r, &e), 0);
    replay_feed(r, &b);
    replay_group_result(r, 0, &out);
    assert_near(replay_now_s(r), 30);
    assert_near(out.replayed_s, 30);
    assert_near(out.unmeasured_s, 10);
    assert_near(out.asked_mib, 1 * 10 + 2 * 10);
    arena_release(&a);
}

static void a_long_backlog_is_thinned_not_lost(void **state)
{
    (void)state;
    /* 20 000 s at 2 and 4 MiB/s in turn on 1 MiB/s: 40 000 MiB wait, in 20 000 parcels. */
    static double mibps[20000];
    for (size_t i = 0; i < 20000; i++)
        mibps[i] = i % 2 ? 4 : 2;
    struct replay_group g = replay_group_unknown();
    g.max_throughput_mibps = 1;
    struct replay_era era = { 0, &g, replay_instance_unknown() };
    const double *m = mibps;
    struct replay_block b = { .n = 20000, .step_s = 1, .total_mibps = &m, .counted_iops = &m };
    struct arena a = { 0 };
    struct err e;
    struct replay *r;
    struct replay_result out;
    assert_int_equal(replay_open(1, &era, 1, &a, &r, &e), 0);
    replay_feed(r, &b);
    replay_group_result(r, 0, &out);
    assert_true(replay_thinned(r) > 0);
    assert_near(out.backlog_mib, 40000);
    assert_near(out.served_mib, 20000);
    /* 20 000 MiB are served: 3 333 pairs of seconds and one of 2.  Thinned to some seconds. */
    assert_true(fabs(out.worst_delay_ms / 1000 - (20000 - 6667)) < 4);
    arena_release(&a);
}

static void nothing_changes_by_the_way_it_is_fed(void **state)
{
    (void)state;
    /* The same demand in one block (chunks), with traces (one by one) and by edges. */
    enum { N = 500 };
    static double m[2][N], q[2][N], edges[N + 1], sink[N];
    for (size_t i = 0; i < N; i++) {
        m[0][i] = i % 97 == 5 ? 400 : 20 + (double)(i % 7);
        m[1][i] = i % 61 == 9 ? 300 : 10 + (double)(i % 11);
        q[0][i] = 100 * (double)(i % 40);
        q[1][i] = 2000;
        edges[i + 1] = edges[i] + 1;
    }
    struct replay_group g[2] = {
        fixture_volumes("2026-06-01", VOL_GP2, 1, 200, UNKNOWN, UNKNOWN, 1),
        fixture_volumes("2026-06-01", VOL_GP3, 2, 200, 3000, 125, 1.2),
    };
    g[0].credits = 300000;
    const double *mibps[] = { m[0], m[1] }, *iops[] = { q[0], q[1] };
    struct replay_trace t = { .backlog_mib = sink };
    for (int burst = 0; burst < 2; burst++) {
        struct replay_instance host = fixture_instance("r6i.large", (enum replay_burst)burst);
        host.max_mibps = 300;
        struct replay_era era = { 0, g, host };
        struct replay_block blocks[] = {
            { .n = N, .step_s = 1, .total_mibps = mibps, .counted_iops = iops },
            { .n = N, .edge_s = edges, .total_mibps = mibps, .counted_iops = iops },
            { .n = N,
              .step_s = 1,
              .total_mibps = mibps,
              .counted_iops = iops,
              .instance_trace = &t },
        };
        struct arena a = { 0 };
        struct err e;
        struct replay *r;
        struct replay_result first[3], got[3];
        assert_int_equal(replay_open(2, &era, 1, &a, &r, &e), 0);
        for (size_t k = 0; k < 3; k++) {
            replay_restart(r, &era, 1);
            replay_feed(r, &blocks[k]);
            replay_group_result(r, 0, &got[0]);
            replay_group_result(r, 1, &got[1]);
            replay_instance_result(r, &got[2]);
            if (k == 0)
                memcpy(first, got, sizeof got);
            for (size_t i = 0; i < 3; i++) {
                assert_true(got[i].throttled_s > 1);
                assert_near(got[i].throttled_s, first[i].throttled_s);
                assert_near(got[i].over_s, first[i].over_s);
                assert_near(got[i].served_mib, first[i].served_mib);
                assert_near(got[i].served_requests, first[i].served_requests);
                assert_near(got[i].worst_backlog_mib, first[i].worst_backlog_mib);
                assert_near(got[i].worst_delay_ms, first[i].worst_delay_ms);
                assert_near(got[i].credits, first[i].credits);
                assert_near(got[i].lowest_credits, first[i].lowest_credits);
                assert_near(got[i].throughput_utilisation_pct, first[i].throughput_utilisation_pct);
                assert_near(got[i].iops_utilisation_pct, first[i].iops_utilisation_pct);
            }
        }
        arena_release(&a);
    }
}

static void names_and_limits(void **state)
{
    (void)state;
    struct fixture f;
    struct arena a = { 0 };
    struct err e;
    struct replay *r;
    fixture_init(&f, 1);
    struct replay_era era = { 0, f.groups, f.instance };
    assert_string_equal(replay_ceiling_name(REPLAY_NONE), "none");
    assert_string_equal(replay_ceiling_name(REPLAY_BASELINE_IOPS), "instance_baseline_iops");
    assert_int_equal(replay_open(REPLAY_GROUPS_MAX + 1, &era, 1, &a, &r, &e), ERR_LIMIT);
    assert_int_equal(replay_open(0, &era, 1, &a, &r, &e), 0);
    replay_feed(r, &(struct replay_block){ .n = 3, .step_s = 60 });
    assert_near(replay_now_s(r), 180);
    arena_release(&a);
}

static void no_memory(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, 2);
    struct replay_era era = { 0, f.groups, f.instance };
    struct replay *r;
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = replay_open(2, &era, 1, &it.a, &r, &it.e);
}

#define N_OF(a) (sizeof(a) / sizeof *(a))

int main(void)
{
    static const struct CMUnitTest rest[] = {
        cmocka_unit_test(credits_refill),
        cmocka_unit_test(hdd_bucket_refills_below_base_only),
        cmocka_unit_test(backlog_is_carried_on),
        cmocka_unit_test(served_in_order_of_arrival),
        cmocka_unit_test(groups_wait_apart),
        cmocka_unit_test(demand_equal_to_the_ceiling_is_served),
        cmocka_unit_test(large_requests_count_by_size),
        cmocka_unit_test(burst_minutes_come_back_after_a_day),
        cmocka_unit_test(burst_credits_refill_from_the_baseline),
        cmocka_unit_test(requests_burst_too),
        cmocka_unit_test(an_instance_is_shared),
        cmocka_unit_test(a_card_binds_before_the_instance),
        cmocka_unit_test(rules_of_each_day),
        cmocka_unit_test(an_era_ends_within_a_block),
        cmocka_unit_test(gaps_and_what_is_not_a_number),
        cmocka_unit_test(time_runs_forward_only),
        cmocka_unit_test(a_long_backlog_is_thinned_not_lost),
        cmocka_unit_test(nothing_changes_by_the_way_it_is_fed),
        cmocka_unit_test(names_and_limits),
        cmocka_unit_test(no_memory),
    };
    struct CMUnitTest t[N_OF(steadies) + N_OF(bursts) + N_OF(rest)];
    size_t n = 0;
    for (size_t i = 0; i < N_OF(steadies); i++)
        t[n++] = (struct CMUnitTest){ steadies[i].why, steady_load, NULL, NULL,
                                      (void *)(uintptr_t)&steadies[i] };
    for (size_t i = 0; i < N_OF(bursts); i++)
        t[n++] = (struct CMUnitTest){ bursts[i].why, instance_burst, NULL, NULL,
                                      (void *)(uintptr_t)&bursts[i] };
    for (size_t i = 0; i < N_OF(rest); i++)
        t[n++] = rest[i];
    return cmocka_run_group_tests(t, NULL, NULL);
}
