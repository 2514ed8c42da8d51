/* tests/data/store/test_hour_summary.c - hours by hand. */
#include "data/store/hour_summary.h"
#include "models/core/unit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MAX_HOURS = 4 };

struct hours {
    struct hour_summary at[MAX_HOURS];
    size_t n;
};

static int keep(void *ctx, const struct hour_summary *h)
{
    struct hours *k = ctx;
    if (k->n == MAX_HOURS)
        return -1;
    k->at[k->n++] = *h;
    return 0;
}

struct interval {
    double begin_s, end_s, mibps;
};

struct want {
    int64_t hour_s, n_samples;
    double covered_s, min, max, mean, worst_minute;
};

struct hour_case {
    const char *why;
    struct interval in[6];
    size_t n_in;
    struct want want[MAX_HOURS];
    size_t n_want;
};

static const struct hour_case cases[] = {
    /* (30*10 + 30*40) / 60 = 25 in the first minute; 20 in the second, 45 s long */
    { "minutes of half a minute each",
      { { 0, 30, 10 }, { 30, 60, 40 }, { 60, 105, 20 } },
      3,
      { { 0, 3, 105, 10, 40, (300 + 1200 + 900) / 105.0, 25 } },
      1 },
    /* 100 MiB/s for 10 s is no minute; 30 s of 50 are enough */
    { "a minute covered for less than half does not count",
      { { 0, 10, 100 }, { 60, 90, 50 } },
      2,
      { { 0, 2, 40, 50, 100, (1000 + 1500) / 40.0, 50 } },
      1 },
    { "nothing but a short piece: no worst minute",
      { { 0, 10, 100 } },
      1,
      { { 0, 1, 10, 100, 100, 100, NAN } },
      1 },
    /* 3590..3610 lies half in each hour; the second hour's minute: (10*6 + 50*12)/60 = 11 */
    { "an interval over the hour's end counts in both with its part",
      { { 3590, 3610, 6 }, { 3610, 3660, 12 } },
      2,
      { { 0, 1, 10, 6, 6, 6, NAN }, { 3600, 2, 60, 6, 12, 11, 11 } },
      2 },
    { "two and a half hours in one interval",
      { { 1800, 10800, 7 } },
      1,
      { { 0, 1, 1800, 7, 7, 7, 7 }, { 3600, 1, 3600, 7, 7, 7, 7 }, { 7200, 1, 3600, 7, 7, 7, 7 } },
      3 },
    { "a gap of hours leaves no row",
      { { 0, 60, 1 }, { 7200, 7260, 2 } },
      2,
      { { 0, 1, 60, 1, 1, 1, 1 }, { 7200, 1, 60, 2, 2, 2, 2 } },
      2 },
    { "an unknown rate counts as time, not as a rate",
      { { 0, 60, NAN }, { 60, 120, 4 } },
      2,
      { { 0, 2, 120, 4, 4, 4, 4 } },
      1 },
    /* minute 1 (60..120) is full inside the interval: 9; minute 2: (30*9 + 30*1)/60 = 5 */
    { "a minute inside a longer interval",
      { { 45, 150, 9 }, { 150, 180, 1 } },
      2,
      { { 0, 2, 135, 1, 9, (945 + 30) / 135.0, 9 } },
      1 },
    { "before 1970 an hour begins at or before its samples",
      { { -90, -30, 3 } },
      1,
      { { -3600, 1, 60, 3, 3, 3, 3 } },
      1 },
};

static void assert_num(double got, double want)
{
    if (isnan(want))
        assert_true(isnan(got));
    else
        assert_float_equal(got, want, 1e-9);
}

static void test_hours(void **state)
{
    const struct hour_case *c = *state;
    struct hours got = { .n = 0 };
    struct hour_summary h;
    hour_init(&h);
    for (size_t i = 0; i < c->n_in; i++)
        assert_int_equal(hour_add(&h, (int64_t)(c->in[i].begin_s * 1000),
                                  (int64_t)(c->in[i].end_s * 1000), c->in[i].mibps,
                                  c->in[i].mibps * 10, keep, &got),
                         0);
    assert_int_equal(hour_finish(&h, keep, &got), 0);
    assert_int_equal(got.n, c->n_want);
    for (size_t i = 0; i < got.n; i++) {
        const struct hour_summary *g = &got.at[i];
        const struct want *w = &c->want[i];
        assert_int_equal(g->hour_ms, w->hour_s * 1000);
        assert_int_equal(g->n_samples, w->n_samples);
        assert_int_equal(g->covered_ms, (int64_t)(w->covered_s * 1000));
        assert_num(g->mibps.min, w->min);
        assert_num(g->mibps.max, w->max);
        assert_num(hour_rate_mean(&g->mibps), w->mean);
        assert_num(g->mibps.worst_minute, w->worst_minute);
        assert_num(g->iops.worst_minute, w->worst_minute * 10);
        assert_num(hour_rate_mean(&g->iops), w->mean * 10);
    }
}

static void test_nothing_gives_no_hour(void **state)
{
    (void)state;
    struct hours got = { .n = 0 };
    struct hour_summary h;
    hour_init(&h);
    assert_int_equal(hour_finish(&h, keep, &got), 0);
    assert_int_equal(got.n, 0);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 1];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, test_hours, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(test_nothing_gives_no_hour);
    return cmocka_run_group_tests(t, NULL, NULL);
}
