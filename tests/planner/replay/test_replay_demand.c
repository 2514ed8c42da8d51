/* tests/planner/replay/test_replay_demand.c - several groups' points as blocks of one replay. */
#include "planner/replay/replay_demand.h"

#include "tests/each_allocation.h"
#include "tests/planner/replay/replay_fixture.h"

static struct load_point point(int64_t begin_ms, int64_t end_ms, double read_mibps,
                               double write_mibps, double iops)
{
    return (struct load_point){ .begin_ms = begin_ms,
                                .end_ms = end_ms,
                                .read_iops = iops,
                                .write_iops = 0,
                                .read_mibps = read_mibps,
                                .write_mibps = write_mibps,
                                .counted_iops = fmax(iops, 4 * (read_mibps + write_mibps)) };
}

static void groups_meet_on_the_union_of_edges(void **state)
{
    (void)state;
    /* A: 0-60, 60-120; B: 30-90, gap, 100-120; C: nothing.  Edges 0 30 60 90 100 120. */
    struct load_point a_points[] = { point(1000000, 1060000, 10, 5, 100),
                                     point(1060000, 1120000, 20, 0, 50) };
    struct load_point b_points[] = { point(1030000, 1090000, 1, NAN, 7),
                                     point(1100000, 1120000, 100, 0, 20) };
    b_points[1].flags = POINT_ARTEFACT;
    struct load_points a_load = { a_points, 2 }, b_load = { b_points, 2 }, c_load = { NULL, 0 };
    const struct load_points *loads[] = { &a_load, &b_load, &c_load };
    bool counts_mib[] = { false, true, false };
    static const double edges[] = { 0, 30, 60, 90, 100, 120 };
    static const double want[3][5] = { { 15, 15, 20, 20, 20 },
                                       { NAN, 1, 1, NAN, NAN },
                                       { NAN, NAN, NAN, NAN, NAN } };
    struct arena arena = { 0 };
    struct err e;
    struct replay_demand *d;
    struct replay_block b;
    assert_int_equal(replay_demand_open(loads, counts_mib, 3, &arena, &d, &e), 0);
    assert_int_equal(replay_demand_begin_ms(d), 1000000);
    assert_int_equal(replay_demand_end_ms(d), 1120000);
    assert_true(replay_demand_next(d, &b));
    assert_int_equal(b.n, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_near(b.edge_s[i], edges[i]);
        for (size_t g = 0; g < 3; g++)
            assert_near(b.total_mibps[g][i], want[g][i]);
    }
    assert_near(b.edge_s[5], 120);
    assert_near(b.counted_iops[0][0], 100); /* more than 4 * 15 */
    assert_near(b.counted_iops[0][2], 80);  /* 4 * 20 are more than 50 */
    assert_near(b.counted_iops[1][1], 7);   /* of 1 MiB */
    assert_false(replay_demand_next(d, &b));
    arena_release(&arena);
}

static void requests_of_hdd_volumes_count_by_1_mib(void **state)
{
    (void)state;
    struct load_point p = point(0, 60000, 100, 0, 30); /* 30 of 3.3 MiB: 100 of 1, 400 of 256 KiB */
    struct load_points load = { &p, 1 };
    const struct load_points *loads[] = { &load, &load };
    bool counts_mib[] = { false, true };
    struct arena arena = { 0 };
    struct err e;
    struct replay_demand *d;
    struct replay_block b;
    assert_int_equal(replay_demand_open(loads, counts_mib, 2, &arena, &d, &e), 0);
    assert_true(replay_demand_next(d, &b));
    assert_near(b.counted_iops[0][0], 400);
    assert_near(b.counted_iops[1][0], 100);
    arena_release(&arena);
}

static void blocks_follow_each_other(void **state)
{
    (void)state;
    /* 10 000 s in points of a second, and one long point: the blocks are replayed as one. */
    enum { N = 10000 };
    static struct load_point fine[N];
    double want_mib = 0;
    for (int64_t i = 0; i < N; i++) {
        fine[i] = point(i * 1000, (i + 1) * 1000, (double)(i % 50), 0, 0);
        want_mib += (double)(i % 50);
    }
    struct load_point coarse = point(-5000, 4000000, 1, 1, 0);
    struct load_points f = { fine, N }, c = { &coarse, 1 };
    const struct load_points *loads[] = { &f, &c };
    bool counts_mib[] = { false, false };
    struct replay_group groups[] = { replay_group_unknown(), replay_group_unknown() };
    groups[0].max_throughput_mibps = 40;
    struct replay_era era = { 0, groups, replay_instance_unknown() };
    struct arena arena = { 0 };
    struct err e;
    struct replay_demand *d;
    struct replay_block b;
    struct replay *r;
    struct replay_result out;
    size_t blocks = 0, intervals = 0;
    assert_int_equal(replay_demand_open(loads, counts_mib, 2, &arena, &d, &e), 0);
    assert_int_equal(replay_open(2, &era, 1, &arena, &r, &e), 0);
    while (replay_demand_next(d, &b)) {
        replay_feed(r, &b);
        blocks++;
        intervals += b.n;
    }
    assert_true(blocks > 1);
    assert_int_equal(intervals, N + 1);
    assert_near(replay_now_s(r), N + 5);
    replay_group_result(r, 0, &out);
    assert_near(out.asked_mib, want_mib);
    assert_near(out.unmeasured_s, 5);
    assert_near(out.over_s, 9 * N / 50);
    replay_group_result(r, 1, &out);
    assert_near(out.asked_mib, 2 * 4005);
    arena_release(&arena);
}

static void nothing_measured(void **state)
{
    (void)state;
    struct load_points none = { NULL, 0 };
    const struct load_points *loads[] = { &none };
    bool counts_mib[] = { false };
    struct arena arena = { 0 };
    struct err e;
    struct replay_demand *d;
    struct replay_block b;
    assert_int_equal(replay_demand_open(loads, counts_mib, 1, &arena, &d, &e), 0);
    assert_int_equal(replay_demand_begin_ms(d), UNKNOWN);
    assert_int_equal(replay_demand_end_ms(d), UNKNOWN);
    assert_false(replay_demand_next(d, &b));
    arena_release(&arena);
}

static void no_memory(void **state)
{
    (void)state;
    struct load_points none = { NULL, 0 };
    const struct load_points *loads[] = { &none };
    bool counts_mib[] = { false };
    struct replay_demand *d;
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = replay_demand_open(loads, counts_mib, 1, &it.a, &d, &it.e);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_meet_on_the_union_of_edges),
        cmocka_unit_test(requests_of_hdd_volumes_count_by_1_mib),
        cmocka_unit_test(blocks_follow_each_other),
        cmocka_unit_test(nothing_measured),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
