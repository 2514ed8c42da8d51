/* tests/models/ebs/test_vol_rule.c - which rule holds when, and what it lets a volume do. */
#include "models/ebs/vol_rule.h"

#include "tests/models/ebs/rule_case.h"

#include <math.h>

/* --- eras ------------------------------------------------------------------------------------- */

static const struct era_case {
    const char *why;
    enum volume_type type;
    const char *day, *instance, *since;
    const char *want; /* rule_pack; NULL = no such type yet */
} era_cases[] = {
    { "gp3 the day before its launch", VOL_GP3, "2020-11-30", NULL, NULL, NULL },
    { "gp3 on its first day", VOL_GP3, "2020-12-01", NULL, NULL, "gp3 before 2025-09-26" },
    { "the last day counts", VOL_GP3, "2025-09-25", NULL, NULL, "gp3 before 2025-09-26" },
    { "gp3 of 80 000 IOPS", VOL_GP3, "2025-09-26", NULL, NULL, "gp3 since 2025-09-26" },
    { "gp2 has always been there", VOL_GP2, "2015-01-01", NULL, NULL, "gp2 before 2018-12-03" },
    { "gp2 of 16 000 IOPS", VOL_GP2, "2018-12-03", NULL, NULL, "gp2 since 2018-12-03" },
    { "io1 before its first known rule has that one", VOL_IO1, "2016-01-01", NULL, NULL,
      "io1 before 2018-11-29" },
    { "io1 of 64 000 IOPS", VOL_IO1, "2018-11-29", NULL, NULL, "io1 since 2018-11-29" },
    { "io2 the day before its launch", VOL_IO2, "2020-08-23", NULL, NULL, NULL },
    { "io2 on its first day", VOL_IO2, "2020-08-24", NULL, NULL, "io2 before Block Express" },
    { "no instance given: classic", VOL_IO2, "2022-06-01", NULL, NULL, "io2 before Block Express" },
    { "r5 was never listed", VOL_IO2, "2022-06-01", "r5.8xlarge", NULL,
      "io2 before Block Express" },
    { "r5b from general availability", VOL_IO2, "2021-07-19", "r5b.4xlarge", NULL,
      "io2 Block Express on listed instance families" },
    { "not a day earlier", VOL_IO2, "2021-07-18", "r5b.4xlarge", NULL, "io2 before Block Express" },
    { "x2idn is not listed yet", VOL_IO2, "2022-03-10", "x2idn.16xlarge", NULL,
      "io2 before Block Express" },
    { "x2idn is listed now", VOL_IO2, "2022-03-11", "x2idn.16xlarge", NULL,
      "io2 Block Express on listed instance families" },
    { "the list's last day", VOL_IO2, "2023-11-20", "m6a.large", NULL,
      "io2 Block Express on listed instance families" },
    { "a new volume from 2023-11-21", VOL_IO2, "2023-11-21", NULL, NULL,
      "io2 Block Express for new and modified volumes" },
    { "an older, unmodified one stays", VOL_IO2, "2024-06-01", NULL, "2022-03-01",
      "io2 before Block Express for unmodified volumes" },
    { "modified on the first day: new", VOL_IO2, "2024-06-01", NULL, "2023-11-21",
      "io2 Block Express for new and modified volumes" },
    { "the last day of the old ones", VOL_IO2, "2025-04-29", NULL, "2022-03-01",
      "io2 before Block Express for unmodified volumes" },
    { "then all", VOL_IO2, "2025-04-30", NULL, "2022-03-01", "io2 Block Express" },
    { "a listed family matters no more", VOL_IO2, TODAY, "r5b.4xlarge", NULL, "io2 Block Express" },
    { "st1 the day before its launch", VOL_ST1, "2016-04-18", NULL, NULL, NULL },
    { "st1 from 500 GiB", VOL_ST1, "2016-04-19", NULL, NULL, "st1 before 2020-11-30" },
    { "sc1 from 125 GiB", VOL_SC1, "2020-11-30", NULL, NULL, "sc1 since 2020-11-30" },
    { "standard has always been there", VOL_STANDARD, "2010-01-01", NULL, NULL, "standard" },
};

static void test_era(void **state)
{
    const struct era_case *c = *state;
    const struct vol_rule *r =
        vol_rule_at(&builtin_catalogue, c->type, day_ms(c->day), c->instance, day_ms(c->since));
    if (c->want) {
        assert_non_null(r);
        assert_string_equal(r->rule_pack, c->want);
    } else {
        assert_null(r);
    }
}

static void test_instant_within_the_last_day(void **state)
{
    (void)state;
    int64_t evening_ms = day_ms("2025-09-25") + DAY_MS - 1;
    const struct vol_rule *r = vol_rule_at(&builtin_catalogue, VOL_GP3, evening_ms, NULL, UNKNOWN);
    assert_string_equal(r->rule_pack, "gp3 before 2025-09-26");
}

static void test_launch(void **state)
{
    (void)state;
    assert_int_equal(vol_launch_ms(&builtin_catalogue, VOL_GP3), day_ms("2020-12-01"));
    assert_int_equal(vol_launch_ms(&builtin_catalogue, VOL_IO2), day_ms("2020-08-24"));
    assert_int_equal(vol_launch_ms(&builtin_catalogue, VOL_ST1), day_ms("2016-04-19"));
    assert_int_equal(vol_launch_ms(&builtin_catalogue, VOL_SC1), day_ms("2016-04-19"));
    assert_int_equal(vol_launch_ms(&builtin_catalogue, VOL_GP2), UNKNOWN);
    assert_int_equal(vol_launch_ms(&builtin_catalogue, VOL_IO1), UNKNOWN);
    assert_int_equal(vol_launch_ms(&builtin_catalogue, VOL_STANDARD), UNKNOWN);
}

static void test_gap_and_absence(void **state)
{
    (void)state;
    const struct catalogue none = { 0 };
    assert_null(vol_rule_at(&none, VOL_GP3, day_ms(TODAY), NULL, UNKNOWN));
    assert_int_equal(vol_launch_ms(&none, VOL_GP3), UNKNOWN);

    struct vol_rule ended = *rule_on(VOL_GP2, "2015-01-01");
    const struct catalogue one = { .rules = &ended, .n_rules = 1 };
    assert_null(vol_rule_at(&one, VOL_GP2, day_ms(TODAY), NULL, UNKNOWN));
}

/* --- limits ----------------------------------------------------------------------------------- */

static const struct limit_case {
    const char *why;
    const char *day;
    struct volume_spec spec;
    bool xen;
    struct vol_limits want; /* NaN is compared, too */
} limit_cases[] = {
    { "the redo volume of 2022: flat at 500",
      "2022-06-01",
      { VOL_IO2, 1, 500, 5000, NONE },
      false,
      { 64000, 1000, 5000, 500, 5000, 500, NAN, NAN } },
    { "the same today: 0.256 MiB/s per IOPS",
      TODAY,
      { VOL_IO2, 1, 500, 5000, NONE },
      false,
      { 256000, 4000, 5000, 1280, 5000, 1280, NAN, NAN } },
    { "64 000 IOPS of 2022",
      "2022-06-01",
      { VOL_IO2, 1, 500, 64000, NONE },
      false,
      { 64000, 1000, 64000, 1000, 64000, 1000, NAN, NAN } },
    { "io2 on Xen: 32 000 IOPS and 500 MiB/s",
      "2022-06-01",
      { VOL_IO2, 1, 500, 64000, NONE },
      true,
      { 64000, 1000, 32000, 500, 32000, 500, NAN, NAN } },
    { "Block Express on Xen keeps its throughput",
      TODAY,
      { VOL_IO2, 1, 500, 64000, NONE },
      true,
      { 256000, 4000, 32000, 4000, 32000, 4000, NAN, NAN } },
    { "gp3 on Xen",
      TODAY,
      { VOL_GP3, 1, 200, 80000, 2000 },
      true,
      { 80000, 2000, 32000, 2000, 32000, 2000, NAN, NAN } },
    { "io1: 50 IOPS per GiB",
      TODAY,
      { VOL_IO1, 1, 100, 5000, NONE },
      false,
      { 5000, 500, 5000, 500, 5000, 500, NAN, NAN } },
    { "io1 of 2018 stopped at 500",
      "2018-01-01",
      { VOL_IO1, 1, 1000, 32000, NONE },
      false,
      { 32000, 500, 32000, 500, 32000, 500, NAN, NAN } },
    { "without IOPS only the limits are known",
      TODAY,
      { VOL_IO1, 1, 100, NONE, NONE },
      false,
      { 5000, 500, NAN, NAN, NAN, NAN, NAN, NAN } },
    { "gp3 of 1 GiB: included 3 000, up to 750 MiB/s",
      TODAY,
      { VOL_GP3, 1, 1, 3000, 125 },
      false,
      { 3000, 750, 3000, 125, 3000, 125, NAN, NAN } },
    { "an illegal gp3 reaches what its size allows",
      TODAY,
      { VOL_GP3, 1, 4, 16000, 1000 },
      false,
      { 3000, 750, 3000, 750, 3000, 750, NAN, NAN } },
    /* 5 400 000 / (3 000 - 300) and 5 400 000 / 300; 300 x 256 KiB = 75 MiB/s */
    { "gp2 of 100 GiB",
      TODAY,
      { VOL_GP2, 1, 100, NONE, NONE },
      false,
      { 3000, 128, 3000, 128, 300, 75, 2000, 18000 } },
    { "gp2 of 10 000 IOPS had 160 MiB/s",
      "2018-01-01",
      { VOL_GP2, 1, 5000, NONE, NONE },
      false,
      { 10000, 160, 10000, 160, 10000, 160, NAN, NAN } },
    /* 125/1024 TiB: base x 40, burst x 250; bucket 128 000 MiB; 1 MiB a request */
    { "st1 of 125 GiB is not 0.125 TiB",
      TODAY,
      { VOL_ST1, 1, 125, NONE, NONE },
      false,
      { 30.517578125, 30.517578125, 30.517578125, 30.517578125, 4.8828125, 4.8828125, 4194.304,
        26214.4 } },
    /* base 500 from 12.5 TiB: nothing left to burst */
    { "st1 of 16 TiB has no bucket that matters",
      TODAY,
      { VOL_ST1, 1, 16384, NONE, NONE },
      false,
      { 500, 500, 500, 500, 500, 500, NAN, NAN } },
    { "standard: about 100 IOPS, 40 MiB/s",
      TODAY,
      { VOL_STANDARD, 1, 100, NONE, NONE },
      false,
      { 200, 90, 200, 90, 100, 40, NAN, NAN } },
    { "without a size nothing is known",
      TODAY,
      { VOL_GP3, 1, NONE, 3000, 125 },
      false,
      { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN } },
};

static void same(double got, double want)
{
    if (isnan(want))
        assert_true(isnan(got));
    else
        assert_true(fabs(got - want) <= 1e-9 * want);
}

static void test_limits(void **state)
{
    const struct limit_case *c = *state;
    const struct vol_limits w = c->want;
    struct vol_limits l = vol_limits(rule_on(c->spec.type, c->day), &c->spec, c->xen);
    same(l.limit_iops, w.limit_iops);
    same(l.limit_throughput_mibps, w.limit_throughput_mibps);
    same(l.max_iops, w.max_iops);
    same(l.max_throughput_mibps, w.max_throughput_mibps);
    same(l.baseline_iops, w.baseline_iops);
    same(l.baseline_throughput_mibps, w.baseline_throughput_mibps);
    same(l.burst_seconds, w.burst_seconds);
    same(l.refill_seconds, w.refill_seconds);
}

static const struct at_case {
    const char *why;
    struct volume_spec spec;
    double io_kib, want_iops, want_mibps;
    enum vol_binding want;
} at_cases[] = {
    { "5 000 io2 IOPS pass 1 250 MiB/s, not 1 280",
      { VOL_IO2, 1, 500, 5000, NONE },
      256,
      5000,
      1250,
      VOL_BOUND_IOPS },
    { "8 KiB pages", { VOL_IO2, 1, 500, 5000, NONE }, 8, 5000, 39.0625, VOL_BOUND_IOPS },
    /* 300 KiB count two: 2 500 a second; 2 500 x 300 / 1024 */
    { "a little above the cap costs two",
      { VOL_IO2, 1, 500, 5000, NONE },
      300,
      2500,
      732.421875,
      VOL_BOUND_IOPS },
    { "a tie goes to throughput",
      { VOL_GP3, 1, 100, 3000, 750 },
      256,
      3000,
      750,
      VOL_BOUND_THROUGHPUT },
    /* burst 125 MiB/s of 1 MiB tokens */
    { "random 16 KiB on st1 cost a token each",
      { VOL_ST1, 1, 512, NONE, NONE },
      16,
      125,
      1.953125,
      VOL_BOUND_IOPS },
    { "1 MiB on st1", { VOL_ST1, 1, 512, NONE, NONE }, 1024, 125, 125, VOL_BOUND_THROUGHPUT },
    { "standard has no cap that counts",
      { VOL_STANDARD, 1, 100, NONE, NONE },
      512,
      180,
      90,
      VOL_BOUND_THROUGHPUT },
};

static void test_at_size(void **state)
{
    const struct at_case *c = *state;
    struct vol_at at = vol_at_size(rule_on(c->spec.type, TODAY), &c->spec, false, c->io_kib);
    same(at.iops, c->want_iops);
    same(at.throughput_mibps, c->want_mibps);
    assert_int_equal(at.binding, c->want);
}

static void test_defaults(void **state)
{
    (void)state;
    struct volume_spec gp3 = { VOL_GP3, 1, 100, NONE, 400 };
    vol_fill_defaults(rule_on(VOL_GP3, TODAY), &gp3);
    assert_int_equal(gp3.iops, 3000);
    assert_int_equal(gp3.throughput_mibps, 400); /* what was asked stays */
    struct volume_spec io2 = { VOL_IO2, 1, 100, NONE, NONE };
    vol_fill_defaults(rule_on(VOL_IO2, TODAY), &io2);
    assert_int_equal(io2.iops, UNKNOWN);
    assert_int_equal(io2.throughput_mibps, UNKNOWN);
}

static void test_latency_rank(void **state)
{
    (void)state;
    assert_int_equal(vol_latency_rank("sub-ms"), 0);
    assert_int_equal(vol_latency_rank("single-digit ms"), 1);
    assert_int_equal(vol_latency_rank("HDD"), 2);
    assert_int_equal(vol_latency_rank("fast"), -1);
    assert_int_equal(vol_latency_rank(NULL), -1);
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

int main(void)
{
    struct CMUnitTest t[COUNT(era_cases) + COUNT(limit_cases) + COUNT(at_cases) + 5];
    size_t n = 0;
    for (size_t i = 0; i < COUNT(era_cases); i++)
        t[n++] = (struct CMUnitTest){ era_cases[i].why, test_era, NULL, NULL,
                                      (void *)(uintptr_t)&era_cases[i] };
    for (size_t i = 0; i < COUNT(limit_cases); i++)
        t[n++] = (struct CMUnitTest){ limit_cases[i].why, test_limits, NULL, NULL,
                                      (void *)(uintptr_t)&limit_cases[i] };
    for (size_t i = 0; i < COUNT(at_cases); i++)
        t[n++] = (struct CMUnitTest){ at_cases[i].why, test_at_size, NULL, NULL,
                                      (void *)(uintptr_t)&at_cases[i] };
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_instant_within_the_last_day);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_launch);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_gap_and_absence);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_defaults);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_latency_rank);
    return _cmocka_run_group_tests("vol_rule", t, n, NULL, NULL);
}
