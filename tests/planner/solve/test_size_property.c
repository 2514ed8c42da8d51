/* tests/planner/solve/test_size_property.c - what must hold for any need, and brute force.
 *
 * The brute force walks every legal spec of small ranges with rules of its own: it shares no code
 * with the solver. */
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "planner/check/plan_check.h"
#include "planner/solve/size.h"
#include "tests/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed;

static const char *const days[] = { "2019-06-01", "2021-01-01", "2022-06-01", "2024-01-01",
                                    "2026-06-01" };

static int64_t day(const char *date)
{
    struct span s = span_of(date);
    int64_t t = UNKNOWN;
    assert_int_equal(time_parse_date(&s, &t), 0);
    return t;
}

static void random_case(struct seeded *state, struct size_need *n, struct size_options *o)
{
    size_options_init(o, &builtin_catalogue, day(days[seeded_int(state, 0, 4)]));
    o->types = (unsigned)seeded_int(state, 1, (1 << VOL_TYPE_COUNT) - 1);
    o->max_count = seeded_int(state, 1, 12);
    o->min_count = seeded_int(state, 1, o->max_count);
    o->headroom_pct = (double)seeded_int(state, 0, 3) * 10;
    o->per_volume_microusd = seeded_int(state, 0, 2) * 5000000;
    o->copies = (int)seeded_int(state, 1, 3);
    o->top = 1000;
    *n = (struct size_need){ seeded_int(state, 0, 3) ? (double)seeded_int(state, 0, 90000) : NAN,
                             seeded_int(state, 0, 3) ? (double)seeded_int(state, 0, 3000) : NAN,
                             seeded_int(state, 0, 4) ? NAN : (double)seeded_int(state, 4, 1024),
                             NAN,
                             NAN,
                             seeded_int(state, 1, 20000),
                             (double)seeded_int(state, 0, 100) };
}

/* INT64_MAX when nothing meets the need. */
static int64_t best_rank(const struct size_need *n, const struct size_options *o)
{
    struct arena a = { 0 };
    struct size_result r;
    struct err e = { 0 };
    if (size_solve(n, o, &a, &r, &e))
        fail_msg("seed %llu: %s", (unsigned long long)seed, e.text);
    if (size_check(&r, &e))
        fail_msg("seed %llu: %s", (unsigned long long)seed, e.text);
    int64_t rank = r.n_options ? r.options[0].rank_microusd : INT64_MAX;
    arena_release(&a);
    return rank;
}

static void test_monotone(void **state)
{
    (void)state;
    struct seeded random = seeded_case(seed, 0);
    for (int i = 0; i < 150; i++) {
        struct size_need n, more;
        struct size_options o, wider;
        random_case(&random, &n, &o);
        int64_t rank = best_rank(&n, &o);

        more = n;
        more.iops *= 1.37;
        assert_true(best_rank(&more, &o) >= rank);
        more = n;
        more.throughput_mibps *= 1.11;
        assert_true(best_rank(&more, &o) >= rank);
        more = n;
        more.size_gib += 17;
        assert_true(best_rank(&more, &o) >= rank);

        wider = o;
        wider.headroom_pct += 7;
        assert_true(best_rank(&n, &wider) >= rank);
        wider = o;
        wider.types |= 1u << seeded_int(&random, 0, VOL_TYPE_COUNT - 1);
        assert_true(best_rank(&n, &wider) <= rank);
        wider = o;
        wider.max_count++;
        assert_true(best_rank(&n, &wider) <= rank);
    }
}

/* --- brute force: us-east-1, 2022-06-01 ---------------------------------------------------------
 */

/* MiB/s of io2 before Block Express. */
static double io2_mibps(int64_t iops)
{
    if (iops <= 2000)
        return (double)iops / 4;
    return iops <= 32000 ? 500 : 500 + (double)(iops - 32000) / 64;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t brute_io2(int64_t count, int64_t gib, double counted, double mibps)
{
    int64_t best = INT64_MAX;
    for (int64_t size = 4; size <= 40; size++)
        for (int64_t iops = 100; iops <= 500 * size; iops++) {
            if (size * count < gib || (double)(iops * count) < counted ||
                io2_mibps(iops) * (double)count < mibps)
                continue;
            /* 0.125 per GiB, 0.065 per IOPS: all below 32 000. */
            best = least(best, count * (size * 125000 + iops * 65000));
            break; /* more IOPS at this size only cost more */
        }
    return best;
}

static int64_t brute_gp3(int64_t count, int64_t gib, double counted, double mibps)
{
    int64_t best = INT64_MAX;
    for (int64_t size = 1; size <= 40; size++)
        for (int64_t iops = 3000; iops <= 16000; iops += 1) {
            if (iops > 3000 && iops > 500 * size)
                break;
            if (size * count < gib || (double)(iops * count) < counted)
                continue;
            for (int64_t t = 125; t <= 1000 && 4 * t <= iops; t++) {
                if ((double)(t * count) < mibps)
                    continue;
                best =
                    least(best, count * (size * 80000 + (iops - 3000) * 5000 + (t - 125) * 40000));
                break;
            }
            if (iops >= 4000)
                iops = iops - iops % 100 + 99; /* whole hundreds are enough: see the needs below */
        }
    return best;
}

static void test_brute_force(void **state)
{
    (void)state;
    struct seeded random = seeded_case(seed, 0);
    for (int i = 0; i < 60; i++) {
        /* Multiples of 1 200 counted IOPS and 12 MiB/s divide by 1 to 4 volumes. */
        double iops = (double)seeded_int(&random, 0, 12) * 1200;
        double mibps = (double)seeded_int(&random, 0, 60) * 12;
        int64_t gib = seeded_int(&random, 1, 40);
        double counted = iops > 4 * mibps ? iops : 4 * mibps;
        for (int64_t count = 1; count <= 4; count++) {
            struct size_options o;
            size_options_init(&o, &builtin_catalogue, day("2022-06-01"));
            struct size_need n = { iops, mibps, NAN, NAN, NAN, gib, NAN };
            o.min_count = o.max_count = count;
            o.types = 1u << VOL_IO2;
            int64_t want = brute_io2(count, gib, counted, mibps);
            if (want != INT64_MAX)
                assert_int_equal(best_rank(&n, &o), want);
            o.types = 1u << VOL_GP3;
            want = brute_gp3(count, gib, counted, mibps);
            if (want != INT64_MAX)
                assert_int_equal(best_rank(&n, &o), want);
        }
    }
}

static void test_same_twice(void **state)
{
    (void)state;
    struct seeded random = seeded_case(seed, 0);
    for (int i = 0; i < 20; i++) {
        struct size_need n;
        struct size_options o;
        struct arena a = { 0 };
        struct size_result r, s;
        struct err e = { 0 };
        random_case(&random, &n, &o);
        assert_int_equal(size_solve(&n, &o, &a, &r, &e), 0);
        assert_int_equal(size_solve(&n, &o, &a, &s, &e), 0);
        assert_int_equal(r.n_options, s.n_options);
        assert_int_equal(r.n_rejected, s.n_rejected);
        for (size_t k = 0; k < r.n_options; k++) {
            char first[96], second[96];
            assert_string_equal(volume_spec_format(first, &r.options[k].spec),
                                volume_spec_format(second, &s.options[k].spec));
        }
        arena_release(&a);
    }
}

int main(void)
{
    seed = seed_of_run(20220518);
    const struct CMUnitTest t[] = {
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_same_twice),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
