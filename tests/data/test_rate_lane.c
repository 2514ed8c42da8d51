/* tests/data/test_rate_lane.c - values of several periods as one rate over time. */
#include "data/rate_lane.h"
#include "models/core/unit.h"
#include "tests/each_allocation.h"
#include "tests/seeded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

enum { MAX_RATES = 10 };

/* In seconds. */
struct interval {
    int64_t begin_s, end_s;
    double per_s;
};

struct finish_case {
    const char *why;
    struct interval in[MAX_RATES];
    size_t n_in;
    struct interval want[MAX_RATES];
    size_t n_want, n_overlaps, n_duplicates;
};

static const struct finish_case finishes[] = {
    { "what came unsorted is sorted",
      { { 60, 120, 2 }, { 0, 60, 1 } },
      2,
      { { 0, 60, 1 }, { 60, 120, 2 } },
      2,
      0,
      0 },
    { "a gap stays a gap",
      { { 0, 60, 1 }, { 300, 360, 2 } },
      2,
      { { 0, 60, 1 }, { 300, 360, 2 } },
      2,
      0,
      0 },
    { "the same minute twice: the first loaded stays",
      { { 0, 60, 1 }, { 0, 60, 9 } },
      2,
      { { 0, 60, 1 } },
      1,
      0,
      1 },
    { "minutes over all of five minutes, loaded later",
      { { 0, 300, 9 },
        { 0, 60, 1 },
        { 60, 120, 2 },
        { 120, 180, 3 },
        { 180, 240, 4 },
        { 240, 300, 5 } },
      6,
      { { 0, 60, 1 }, { 60, 120, 2 }, { 120, 180, 3 }, { 180, 240, 4 }, { 240, 300, 5 } },
      5,
      1,
      0 },
    { "minutes begin in the middle of an hour: the rest of the hour stays",
      { { 0, 3600, 9 }, { 3480, 3540, 1 }, { 3540, 3600, 2 } },
      3,
      { { 0, 3480, 9 }, { 3480, 3540, 1 }, { 3540, 3600, 2 } },
      3,
      1,
      0 },
    { "a minute missing among minutes is no minute of the five",
      { { 0, 300, 9 }, { 0, 60, 1 }, { 120, 180, 3 }, { 180, 240, 4 }, { 240, 300, 5 } },
      5,
      { { 0, 60, 1 }, { 120, 180, 3 }, { 180, 240, 4 }, { 240, 300, 5 } },
      4,
      1,
      0 },
    { "two minutes missing are a rest",
      { { 0, 300, 9 }, { 0, 60, 1 }, { 180, 240, 4 }, { 240, 300, 5 } },
      4,
      { { 0, 60, 1 }, { 60, 180, 9 }, { 180, 240, 4 }, { 240, 300, 5 } },
      4,
      1,
      0 },
    { "a minute inside cuts two rests",
      { { 0, 300, 9 }, { 120, 180, 1 } },
      2,
      { { 0, 120, 9 }, { 120, 180, 1 }, { 180, 300, 9 } },
      3,
      1,
      0 },
    { "three periods at once",
      { { 0, 3600, 1 }, { 600, 900, 2 }, { 660, 720, 3 } },
      3,
      { { 0, 600, 1 }, { 660, 720, 3 }, { 720, 900, 2 }, { 900, 3600, 1 } },
      4,
      2,
      0 },
    { "minutes off the grid of the first ones give way",
      { { 0, 60, 1 }, { 30, 90, 2 } },
      2,
      { { 0, 60, 1 } },
      1,
      1,
      0 },
    { "a rate that holds over many intervals is not one interval",
      { { 0, 60, 1 }, { 60, 120, 1 } },
      2,
      { { 0, 60, 1 }, { 60, 120, 1 } },
      2,
      0,
      0 },
};

static struct rate rate(const struct interval *v, int64_t line)
{
    return (struct rate){ .begin_ms = v->begin_s * 1000,
                          .end_ms = v->end_s * 1000,
                          .file_id = 3,
                          .line = line,
                          .per_s = v->per_s };
}

static struct rate_lane lane_of(const struct interval *v, size_t n)
{
    struct rate_lane l = { 0 };
    struct err e = { 0 };
    for (size_t i = 0; i < n; i++)
        assert_int_equal(rate_lane_add(&l, rate(&v[i], (int64_t)i + 1), &e), 0);
    assert_int_equal(rate_lane_finish(&l, &e), 0);
    return l;
}

static void test_finish(void **state)
{
    const struct finish_case *c = *state;
    struct rate_lane l = lane_of(c->in, c->n_in);
    assert_int_equal(l.n, c->n_want);
    for (size_t i = 0; i < c->n_want; i++) {
        assert_int_equal(l.item[i].begin_ms, c->want[i].begin_s * 1000);
        assert_int_equal(l.item[i].end_ms, c->want[i].end_s * 1000);
        assert_true(l.item[i].per_s == c->want[i].per_s);
        assert_true(l.item[i].line > 0 && l.item[i].file_id == 3);
    }
    assert_int_equal(l.n_overlaps, c->n_overlaps);
    assert_int_equal(l.n_duplicates, c->n_duplicates);
    rate_lane_release(&l);
}

static void test_left_out(void **state)
{
    (void)state;
    struct rate_lane l = { 0 };
    struct err e = { 0 };
    const struct rate odd[] = {
        { .begin_ms = UNKNOWN, .end_ms = UNKNOWN, .per_s = 1 },
        { .begin_ms = 0, .end_ms = 0, .per_s = 1 }, /* no period */
        { .begin_ms = 0, .end_ms = INT64_MAX, .per_s = 1 },
        { .begin_ms = 0, .end_ms = 60000, .per_s = -1 },
        { .begin_ms = 0, .end_ms = 60000, .per_s = INFINITY },
        { .begin_ms = 0, .end_ms = 60000, .per_s = NAN }, /* a statistic that is no rate */
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        assert_int_equal(rate_lane_add(&l, odd[i], &e), 0);
    assert_int_equal(rate_lane_finish(&l, &e), 0);
    assert_int_equal(l.n, 0);
    assert_int_equal(l.n_untimed, 3);
    assert_int_equal(l.n_artefacts, 2);
    rate_lane_release(&l);
}

/* --- several lanes -------------------------------------------------------------------------------
 */

struct join_case {
    const char *why;
    struct interval a[MAX_RATES];
    size_t n_a;
    struct interval b[MAX_RATES];
    size_t n_b;
    struct {
        int64_t begin_s, end_s;
        double a, b;
    } want[MAX_RATES];
    size_t n_want;
};

static const struct join_case joins[] = {
    { "the same minutes",
      { { 0, 60, 1 }, { 60, 120, 2 } },
      2,
      { { 0, 60, 10 }, { 60, 120, 20 } },
      2,
      { { 0, 60, 1, 10 }, { 60, 120, 2, 20 } },
      2 },
    { "one is missing in the second minute",
      { { 0, 60, 1 }, { 60, 120, 2 } },
      2,
      { { 0, 60, 10 } },
      1,
      { { 0, 60, 1, 10 }, { 60, 120, 2, NAN } },
      2 },
    { "minutes and five minutes: averaged over the five",
      { { 0, 60, 1 }, { 60, 120, 2 }, { 120, 180, 3 }, { 180, 240, 4 }, { 240, 300, 5 } },
      5,
      { { 0, 300, 10 } },
      1,
      { { 0, 300, 3, 10 } },
      1 },
    { "a minute missing inside is not zero",
      { { 0, 60, 1 }, { 60, 120, 2 }, { 180, 240, 6 } },
      3,
      { { 0, 300, 10 } },
      1,
      { { 0, 300, 3, 10 } },
      1 },
    { "five minutes end, minutes go on",
      { { 0, 300, 10 } },
      1,
      { { 240, 300, 2 }, { 300, 360, 4 } },
      2,
      { { 0, 300, 10, 2 }, { 300, 360, NAN, 4 } },
      2 },
    { "a gap in both",
      { { 0, 60, 1 }, { 600, 660, 2 } },
      2,
      { { 0, 60, 10 }, { 600, 660, 20 } },
      2,
      { { 0, 60, 1, 10 }, { 600, 660, 2, 20 } },
      2 },
    { "off each other's grid: the one that began goes first",
      { { 0, 60, 1 }, { 60, 120, 3 } },
      2,
      { { 30, 90, 10 } },
      1,
      { { 0, 60, 1, 10 }, { 60, 120, 3, 10 } },
      2 },
};

static void assert_rate(double got, double want)
{
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) < 1e-12))
        fail_msg("%.15g, not %.15g", got, want);
}

static void test_join(void **state)
{
    const struct join_case *c = *state;
    struct rate_lane lanes[] = { lane_of(c->a, c->n_a), lane_of(c->b, c->n_b) };
    int64_t begin_ms = 0, end_ms = INT64_MIN;
    size_t n = 0;
    for (; rate_lanes_next(lanes, 2, end_ms, &begin_ms, &end_ms); n++) {
        assert_true(n < c->n_want);
        assert_int_equal(begin_ms, c->want[n].begin_s * 1000);
        assert_int_equal(end_ms, c->want[n].end_s * 1000);
        assert_rate(rate_lane_mean(&lanes[0], begin_ms, end_ms).per_s, c->want[n].a);
        assert_rate(rate_lane_mean(&lanes[1], begin_ms, end_ms).per_s, c->want[n].b);
    }
    assert_int_equal(n, c->n_want);
    rate_lane_release(&lanes[0]);
    rate_lane_release(&lanes[1]);
}

/* A mean says where its first value came from; one value alone is given back exactly. */
static void test_origin(void **state)
{
    (void)state;
    const struct interval v[] = { { 0, 60, 0.1 }, { 60, 120, 0.3 } };
    struct rate_lane l = lane_of(v, 2);
    struct rate_span first = rate_lane_mean(&l, 0, 60000), both = rate_lane_mean(&l, 0, 120000);
    struct rate_span none = rate_lane_mean(&l, 200000, 300000);
    assert_true(first.per_s == 0.1 && first.line == 1 && first.file_id == 3);
    assert_rate(both.per_s, 0.2);
    assert_int_equal(both.line, 1);
    assert_true(isnan(none.per_s));
    rate_lane_release(&l);
}

/* Overlaps without end: the pieces are those of a slow search, minute by minute. */
static void test_random(void **state)
{
    (void)state;
    enum { N = 60, SPAN = 200, ROUNDS = 200 };
    struct seeded chance = seeded_case(12345, 0);
    for (int round = 0; round < ROUNDS; round++) {
        struct rate_lane l = { 0 };
        struct err e = { 0 };
        int64_t begin[N], length[N];
        for (int i = 0; i < N; i++) {
            begin[i] = seeded_int(&chance, 0, SPAN - 1);
            length[i] = seeded_int(&chance, 1, 20);
            struct rate r = { .begin_ms = begin[i] * 120000,
                              .end_ms = (begin[i] + length[i]) * 120000,
                              .per_s = i };
            assert_int_equal(rate_lane_add(&l, r, &e), 0);
        }
        assert_int_equal(rate_lane_finish(&l, &e), 0);
        size_t at = 0;
        for (int64_t t = 0; t < SPAN + 20; t++) {
            int best = -1;
            for (int i = 0; i < N; i++)
                if (begin[i] <= t && t < begin[i] + length[i] &&
                    (best < 0 || length[i] < length[best]))
                    best = i;
            while (at < l.n && l.item[at].end_ms <= t * 120000)
                at++;
            bool covered = at < l.n && l.item[at].begin_ms <= t * 120000;
            assert_int_equal(covered, best >= 0);
            if (covered)
                assert_true(l.item[at].per_s == best);
        }
        rate_lane_release(&l);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    const struct interval v[] = { { 0, 300, 9 }, { 0, 60, 1 }, { 60, 120, 2 } };
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        struct rate_lane l = { 0 };
        it.rc = 0;
        for (size_t i = 0; i < 3 && !it.rc; i++)
            it.rc = rate_lane_add(&l, rate(&v[i], 1), &it.e);
        if (!it.rc)
            it.rc = rate_lane_finish(&l, &it.e);
        rate_lane_release(&l);
    }
}

int main(void)
{
    const struct CMUnitTest plain[] = {
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_origin),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_no_memory),
    };
    enum {
        N = sizeof plain / sizeof *plain,
        N_FINISHES = sizeof finishes / sizeof *finishes,
        N_JOINS = sizeof joins / sizeof *joins
    };
    struct CMUnitTest t[N + N_FINISHES + N_JOINS];
    size_t n = 0;
    for (size_t i = 0; i < N; i++)
        t[n++] = plain[i];
    for (size_t i = 0; i < N_FINISHES; i++)
        t[n++] = (struct CMUnitTest){ finishes[i].why, test_finish, NULL, NULL,
                                      (void *)(uintptr_t)&finishes[i] };
    for (size_t i = 0; i < N_JOINS; i++)
        t[n++] = (struct CMUnitTest){ joins[i].why, test_join, NULL, NULL,
                                      (void *)(uintptr_t)&joins[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
