/* tests/data/fetch/test_cw_windows.c - which stretches are asked for, in which period, and what is
 * left out as known.  Times are hours before "now", 2026-11-30T18:00Z, so that the table can be
 * read. */
#include "data/fetch/cw_windows.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "tests/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HOUR_MS INT64_C(3600000)
static const int64_t now_ms = INT64_C(1796061600000); /* 2026-11-30T18:00:00Z */

enum { WINDOWS = 8, COVERED = 3 };

struct stretch {
    double from_h, to_h; /* before now */
    int period_s;
};

/* Midnights are 18, 42, 66 ... hours before now.  The last point is that of 17:44: to 0.25 h. */
static const struct windows_case {
    const char *why;
    enum { VOLUME, BASIC, DETAILED } resource;
    int period_s;
    double from_h, to_h;
    struct stretch covered[COVERED], want[WINDOWS]; /* period 0 ends a list */
} cases[] = {
    { "two days are cut at midnight",
      VOLUME,
      0,
      30,
      0,
      { { 0, 0, 0 } },
      { { 30, 18, 60 }, { 18, 0.25, 60 } } },
    { "a range in the past", VOLUME, 0, 30, 20, { { 0, 0, 0 } }, { { 30, 20, 60 } } },
    { "an instance in 300 s: not cut within five days from 1970 on (30 November is 4 days in)",
      BASIC,
      0,
      30,
      0,
      { { 0, 0, 0 } },
      { { 30, 0.25, 300 } } },
    { "60 s for 15 days (360 h), 300 s before",
      VOLUME,
      0,
      362,
      356,
      { { 0, 0, 0 } },
      { { 360, 356, 60 }, { 362, 360, 300 } } },
    { "300 s for 63 days (1 512 h), an hour before",
      VOLUME,
      0,
      1514,
      1510,
      { { 0, 0, 0 } },
      { { 1512, 1510, 300 }, { 1514, 1512, 3600 } } },
    { "nothing beyond 455 days (10 920 h)",
      VOLUME,
      0,
      10930,
      10918,
      { { 0, 0, 0 } },
      { { 10920, 10918, 3600 } } },
    { "a longer period that is asked for",
      VOLUME,
      3600,
      30,
      0,
      { { 0, 0, 0 } },
      { { 30, 1, 3600 } } },
    { "a shorter one than is kept: 300 s at least",
      VOLUME,
      60,
      400,
      398,
      { { 0, 0, 0 } },
      { { 400, 398, 300 } } },
    { "all is known", VOLUME, 0, 30, 20, { { 30, 20, 60 } }, { { 0, 0, 0 } } },
    { "the middle is known",
      VOLUME,
      0,
      17,
      5,
      { { 12, 8, 60 } },
      { { 17, 12, 60 }, { 8, 5, 60 } } },
    { "both ends are known, in another order",
      VOLUME,
      0,
      17,
      5,
      { { 8, 2, 60 }, { 20, 12, 60 } },
      { { 12, 8, 60 } } },
    { "known twice",
      VOLUME,
      0,
      17,
      5,
      { { 17, 10, 60 }, { 14, 12, 60 }, { 11, 7, 60 } },
      { { 7, 5, 60 } } },
    { "known in a longer period is not known",
      VOLUME,
      0,
      17,
      5,
      { { 17, 5, 300 } },
      { { 17, 5, 60 } } },
    { "known in a shorter one is", BASIC, 0, 17, 5, { { 17, 5, 60 } }, { { 0, 0, 0 } } },
    { "detailed monitoring as a volume: 60 s, 300 s beyond 15 days (360 h)",
      DETAILED,
      0,
      362,
      356,
      { { 0, 0, 0 } },
      { { 360, 356, 60 }, { 362, 360, 300 } } },
    { "detailed monitoring: what is known in 300 s, from before it was so, is not asked again",
      DETAILED,
      0,
      17,
      5,
      { { 17, 8, 300 } },
      { { 8, 5, 60 } } },
    { "detailed monitoring: what is known in 3 600 s is asked again",
      DETAILED,
      0,
      17,
      5,
      { { 17, 8, 3600 } },
      { { 17, 5, 60 } } },
};

static int64_t before(double h)
{
    return now_ms - (int64_t)(h * (double)HOUR_MS);
}

static void plans(void **state)
{
    const struct windows_case *x = *state;
    const struct cw_resource r[] = { { "vol-1", x->resource != VOLUME, x->resource == DETAILED } };
    struct cw_range range = { before(x->from_h), before(x->to_h), now_ms, x->period_s };
    struct cw_covered covered[COVERED + 1] = { { "vol-0", before(1000), now_ms,
                                                 60 } }; /* another */
    struct cw_windows out;
    struct arena a = { 0 };
    struct err e;
    size_t n = 1, n_want = 0;
    for (size_t i = 0; i < COVERED && x->covered[i].period_s; i++)
        covered[n++] = (struct cw_covered){ "vol-1", before(x->covered[i].from_h),
                                            before(x->covered[i].to_h), x->covered[i].period_s };
    assert_int_equal(cw_windows_plan(&range, r, 1, covered, n, &a, &out, &e), 0);
    while (n_want < WINDOWS && x->want[n_want].period_s)
        n_want++;
    assert_int_equal(out.n, n_want);
    for (size_t i = 0; i < out.n; i++) {
        assert_int_equal(out.at[i].period_s, x->want[i].period_s);
        assert_int_equal(out.at[i].from_ms, before(x->want[i].from_h));
        assert_int_equal(out.at[i].to_ms, before(x->want[i].to_h));
    }
    arena_release(&a);
}

/* vol-1 and vol-3 lack the same hours, which are asked for together, vol-2 more. */
static void equal_windows_stand_together(void **state)
{
    (void)state;
    const struct cw_resource r[] = { { "vol-1", false, false },
                                     { "vol-2", false, false },
                                     { "vol-3", false, false } };
    struct cw_covered covered[] = { { "vol-1", before(5), before(2), 60 },
                                    { "vol-3", before(5), before(2), 60 } };
    const struct cw_range range = { before(10), before(2), now_ms, 0 };
    static const struct {
        size_t resource;
        double to_h;
    } want[] = { { 0, 5 }, { 2, 5 }, { 1, 2 } };
    struct cw_windows out;
    struct arena a = { 0 };
    struct err e;
    assert_int_equal(cw_windows_plan(&range, r, 3, covered, 2, &a, &out, &e), 0);
    assert_int_equal(out.n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(out.at[i].resource, want[i].resource);
        assert_int_equal(out.at[i].from_ms, before(10));
        assert_int_equal(out.at[i].to_ms, before(want[i].to_h));
    }
    arena_release(&a);
}

/* Any cover, any range: every minute of the range is asked for once or known, never both. */
static void nothing_is_lost_or_asked_twice(void **state)
{
    struct seeded chance = seeded_case(20261130, 0);
    (void)state;
    for (int round = 0; round < 300; round++) {
        const struct cw_resource r[] = { { "vol-1", false, false } };
        struct cw_covered covered[5];
        struct cw_windows out;
        struct arena a = { 0 };
        struct err e;
        int64_t t[12];
        for (int i = 0; i < 12; i++)
            t[i] = now_ms - HOUR_MS - seeded_int(&chance, 0, 3999) * 300000; /* within 14 days */
        for (int i = 0; i < 5; i++) {
            int64_t p = t[2 * i], q = t[2 * i + 1];
            covered[i] = (struct cw_covered){ "vol-1", p < q ? p : q, p < q ? q : p, 60 };
        }
        struct cw_range range = { t[10] < t[11] ? t[10] : t[11], t[10] < t[11] ? t[11] : t[10],
                                  now_ms, 0 };
        assert_int_equal(cw_windows_plan(&range, r, 1, covered, 5, &a, &out, &e), 0);
        for (int64_t m = now_ms - 15 * DAY_MS; m < now_ms; m += 300000) {
            int known = 0, is_asked = 0;
            for (int i = 0; i < 5; i++)
                known |= covered[i].from_ms <= m && m < covered[i].to_ms;
            for (size_t i = 0; i < out.n; i++)
                is_asked += out.at[i].from_ms <= m && m < out.at[i].to_ms;
            bool inside = range.from_ms <= m && m < range.to_ms;
            if (is_asked != (inside && !known))
                fail_msg("round %d, %lld ms: asked %d times, known %d, inside %d", round,
                         (long long)m, is_asked, known, inside);
        }
        arena_release(&a);
    }
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 2] = { cmocka_unit_test(nothing_is_lost_or_asked_twice),
                                   cmocka_unit_test(equal_windows_stand_together) };
    for (size_t i = 0; i < N; i++)
        t[i + 2] =
            (struct CMUnitTest){ cases[i].why, plans, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
