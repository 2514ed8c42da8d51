/* tests/models/ebs/test_vol_check.c - refusals: the rule, since when, the nearest legal spec. */
#include "models/ebs/vol_rule.h"

#include "tests/models/ebs/rule_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct check_case {
    const char *why, *day;
    struct volume_spec spec;
    size_t want_n;                   /* problems; the first is compared */
    const char *rule, *since, *text; /* text: part of it */
    struct volume_spec nearest;
} cases[] = {
    { "gp3 below the ratio, at its included IOPS",
      TODAY,
      { VOL_GP3, 1, 1, 3000, 125 },
      0,
      NULL,
      NULL,
      NULL,
      { 0 } },
    { "gp3 without figures gets the included ones",
      TODAY,
      { VOL_GP3, 1, 1, NONE, NONE },
      0,
      NULL,
      NULL,
      NULL,
      { 0 } },
    { "16 000 IOPS need 32 GiB",
      TODAY,
      { VOL_GP3, 1, 4, 16000, 125 },
      1,
      "iops_per_gib_max",
      "2020-12-01",
      "16 000 IOPS on 4 GiB: at most 500 IOPS per GiB, so 2 000 (the included 3 000",
      { VOL_GP3, 1, 32, 16000, 125 } },
    { "800 MiB/s need 3 200 IOPS",
      TODAY,
      { VOL_GP3, 1, 100, 3000, 800 },
      1,
      "mibps_per_iops_max",
      "2020-12-01",
      "800 MiB/s with 3 000 IOPS: at most 0.25 MiB/s per IOPS, so 750 MiB/s",
      { VOL_GP3, 1, 100, 3200, 800 } },
    { "throughput pulls IOPS, IOPS pull size: 3 200 / 500",
      TODAY,
      { VOL_GP3, 1, 1, 3000, 800 },
      1,
      "mibps_per_iops_max",
      "2020-12-01",
      NULL,
      { VOL_GP3, 1, 7, 3200, 800 } },
    { "beyond the type the asked figure is lowered",
      TODAY,
      { VOL_GP3, 1, 500, 90000, 125 },
      1,
      "max_iops",
      "2025-09-26",
      "90 000 IOPS: gp3 has at most 80 000",
      { VOL_GP3, 1, 500, 80000, 125 } },
    { "16 001 IOPS were too many in 2022",
      "2022-06-01",
      { VOL_GP3, 1, 500, 16001, 125 },
      1,
      "max_iops",
      "2020-12-01",
      NULL,
      { VOL_GP3, 1, 500, 16000, 125 } },
    { "fewer than the included IOPS cannot be had, nor carry 125 MiB/s",
      TODAY,
      { VOL_GP3, 1, 100, 100, 125 },
      2,
      "min_iops",
      "2020-12-01",
      "100 IOPS: gp3 has at least 3 000",
      { VOL_GP3, 1, 100, 3000, 125 } },
    { "nor less than the included throughput",
      TODAY,
      { VOL_GP3, 1, 100, 3000, 100 },
      1,
      "included_mibps",
      "2020-12-01",
      "100 MiB/s: gp3 has at least 125",
      { VOL_GP3, 1, 100, 3000, 125 } },
    { "throughput beyond the type: IOPS follow what is left",
      TODAY,
      { VOL_GP3, 1, 100, 3000, 5000 },
      2,
      "max_mibps",
      "2025-09-26",
      NULL,
      { VOL_GP3, 1, 100, 8000, 2000 } },
    { "every figure wrong at once",
      TODAY,
      { VOL_GP3, 1, 70000, 90000, 50000 },
      4,
      "max_gib",
      "2025-09-26",
      "70 000 GiB: gp3 has at most 65 536",
      { VOL_GP3, 1, 65536, 80000, 2000 } },
    { "io1 has 50 per GiB",
      TODAY,
      { VOL_IO1, 1, 10, 20000, NONE },
      1,
      "iops_per_gib_max",
      "2017-12-06",
      "at most 50 IOPS per GiB, so 500",
      { VOL_IO1, 1, 400, 20000, NONE } },
    { "io2 had 500 per GiB in 2022",
      "2022-06-01",
      { VOL_IO2, 1, 4, 5000, NONE },
      1,
      "iops_per_gib_max",
      "2020-08-24",
      NULL,
      { VOL_IO2, 1, 10, 5000, NONE } },
    { "io2 has 1 000 since Block Express",
      TODAY,
      { VOL_IO2, 1, 4, 5000, NONE },
      1,
      "iops_per_gib_max",
      "2023-11-21",
      NULL,
      { VOL_IO2, 1, 5, 5000, NONE } },
    { "the smallest io2 has been 4 GiB from the start",
      TODAY,
      { VOL_IO2, 1, 1, 100, NONE },
      1,
      "min_gib",
      "2020-08-24",
      "1 GiB: io2 has at least 4",
      { VOL_IO2, 1, 4, 100, NONE } },
    { "io2 without IOPS",
      TODAY,
      { VOL_IO2, 1, 10, NONE, NONE },
      1,
      "only_provisioned",
      "2020-08-24",
      "io2 cannot be made without IOPS",
      { VOL_IO2, 1, 10, 100, NONE } },
    { "st1 from 125 GiB since 2020-11-30",
      TODAY,
      { VOL_ST1, 1, 100, NONE, NONE },
      1,
      "min_gib",
      "2020-11-30",
      NULL,
      { VOL_ST1, 1, 125, NONE, NONE } },
    { "st1 from 500 GiB before",
      "2020-11-29",
      { VOL_ST1, 1, 125, NONE, NONE },
      1,
      "min_gib",
      "2016-04-19",
      NULL,
      { VOL_ST1, 1, 500, NONE, NONE } },
    { "a rule older than any date",
      TODAY,
      { VOL_GP2, 3, 20000, NONE, NONE },
      1,
      "max_gib",
      NULL,
      NULL,
      { VOL_GP2, 3, 16384, NONE, NONE } },
    { "figures that gp2 does not take are not judged",
      TODAY,
      { VOL_GP2, 1, 100, 300, NONE },
      0,
      NULL,
      NULL,
      NULL,
      { 0 } },
};

static void test_check(void **state)
{
    const struct check_case *c = *state;
    struct vol_problem p[VOL_PROBLEMS_MAX];
    size_t n = vol_check(rule_on(c->spec.type, c->day), &c->spec, p);
    assert_int_equal(n, c->want_n);
    if (n == 0)
        return;
    assert_string_equal(p[0].rule, c->rule);
    assert_int_equal(p[0].since_ms, day_ms(c->since));
    if (c->text)
        assert_non_null(strstr(p[0].text, c->text));
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(p[i].nearest.type, c->nearest.type);
        assert_int_equal(p[i].nearest.count, c->nearest.count);
        assert_int_equal(p[i].nearest.size_gib, c->nearest.size_gib);
        assert_int_equal(p[i].nearest.iops, c->nearest.iops);
        assert_int_equal(p[i].nearest.throughput_mibps, c->nearest.throughput_mibps);
    }
}

static void test_absurd_figures(void **state)
{
    (void)state;
    static const int64_t absurd[] = { INT64_MIN + 1, -1, 0, 1000000000000000, INT64_MAX };
    for (size_t i = 0; i < 5 * 5 * 5; i++)
        for (size_t k = 0; k < builtin_catalogue.n_rules; k++) {
            const struct vol_rule *r = &builtin_catalogue.rules[k];
            struct volume_spec s = { r->type, 1, absurd[i % 5], absurd[i / 5 % 5], absurd[i / 25] };
            struct vol_problem p[VOL_PROBLEMS_MAX], again[VOL_PROBLEMS_MAX];
            assert_in_range(vol_check(r, &s, p), 1, VOL_PROBLEMS_MAX);
            assert_int_equal(vol_check(r, &p[0].nearest, again), 0);
        }
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

int main(void)
{
    struct CMUnitTest t[COUNT(cases) + 1];
    size_t n = 0;
    for (size_t i = 0; i < COUNT(cases); i++)
        t[n++] = (struct CMUnitTest){ cases[i].why, test_check, NULL, NULL,
                                      (void *)(uintptr_t)&cases[i] };
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_absurd_figures);
    return _cmocka_run_group_tests("vol_check", t, n, NULL, NULL);
}
