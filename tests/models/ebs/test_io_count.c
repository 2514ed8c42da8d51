/* tests/models/ebs/test_io_count.c - how EBS counts requests. */
#include "models/ebs/io_count.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct count_case {
    const char *why;
    double requests_per_s, mibps, cap_kib;
    double want_likely, want_high;
} cases[] = {
    /* 37.9 reads of 1 MiB are 4 each: 37.323 x 4 = 149.292 */
    { "the demo's log file reads", 37.9, 37.323, 256, 149.292, 187.192 },
    { "small requests count one each", 1000, 8, 256, 1000, 1032 },
    { "at the cap both views agree on one each", 100, 25, 256, 100, 200 },
    { "500 MiB/s at 417 requests a second", 417, 500, 256, 2000, 2417 },
    { "HDD counts by the MiB", 100, 300, 1024, 300, 400 },
    { "nothing", 0, 0, 256, 0, 0 },
    { "unknown bytes: unknown", 100, NAN, 256, NAN, NAN },
    { "unknown requests: unknown", NAN, 100, 256, NAN, NAN },
};

static void same(double got, double want)
{
    if (isnan(want))
        assert_true(isnan(got));
    else
        assert_true(fabs(got - want) <= 1e-9 * fabs(want));
}

static void test_rates(void **state)
{
    const struct count_case *c = *state;
    same(io_counted_likely(c->requests_per_s, c->mibps, c->cap_kib), c->want_likely);
    same(io_counted_high(c->requests_per_s, c->mibps, c->cap_kib), c->want_high);
}

static void test_one(void **state)
{
    (void)state;
    same(io_counted(0.5, 256), 1);
    same(io_counted(256, 256), 1);
    same(io_counted(256.5, 256), 2);
    same(io_counted(1024, INFINITY), 1); /* a type without a cap */
    same(io_counted(NAN, 256), NAN);
    same(io_counted_merged(9, 32, 256), 2); /* 288 KiB */
}

enum { N = sizeof cases / sizeof cases[0] };

int main(void)
{
    struct CMUnitTest t[N + 1];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, test_rates, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(test_one);
    return _cmocka_run_group_tests("io_count", t, N + 1, NULL, NULL);
}
