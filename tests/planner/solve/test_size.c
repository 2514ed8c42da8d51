/* tests/planner/solve/test_size.c - one group: acceptance figures worked by hand, and properties.
 */
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "planner/check/plan_check.h"
#include "planner/solve/size.h"
#include "tests/each_allocation.h"
#include "tests/planner/synthetic.h"
#include "tests/row_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int64_t day(const char *date)
{
    struct span s = span_of(date);
    int64_t t = UNKNOWN;
    assert_int_equal(time_parse_date(&s, &t), 0);
    return t;
}

static struct size_need need_of(double iops, double mibps, int64_t gib)
{
    return (struct size_need){ iops, mibps, NAN, NAN, NAN, gib, NAN };
}

static unsigned types_of(const char *names)
{
    unsigned types = 0;
    struct span rest = span_of(names), name;
    enum volume_type t;
    while (span_field(&rest, ',', &name) == 0) {
        assert_int_equal(volume_type_parse(name, &t), 0);
        types |= 1u << t;
    }
    return types;
}

static struct size_options options_of(const char *as_of, const char *types)
{
    struct size_options o;
    size_options_init(&o, &builtin_catalogue, day(as_of));
    o.types = types_of(types);
    return o;
}

static struct size_result solve(const struct size_need *n, const struct size_options *o,
                                struct arena *a)
{
    struct size_result r;
    struct err e = { 0 };
    int rc = size_solve(n, o, a, &r, &e);
    if (rc)
        fail_msg("%s", e.text);
    if (size_check(&r, &e))
        fail_msg("%s", e.text);
    return r;
}

/* --- rank 1, worked by hand (us-east-1) ------------------------------------------------------- */

static const struct first_case {
    const char *why, *as_of, *types;
    double iops, mibps;
    int64_t gib, per_volume_usd;
    const char *want;
    double want_usd, want_mibps;
    enum ceiling want_binding;
} firsts[] = {
    /* io2 to 32 000 IOPS: 500 MiB/s at most, so 1 000 needs 64 000 IOPS or two volumes of 500,
     * each at the corner of 2 000 IOPS: 500 * 0.125 + 4 000 * 0.065 = 62.50 + 260.00. */
    { "the incident: two where one needs 64 000", "2022-06-01", "io2", 417, 1000, 500, 0,
      "2 x io2 250 GiB 2 000 IOPS", 322.50, 1000, CEILING_THROUGHPUT },
    /* Block Express: 1 000 MiB/s are 4 000 requests of 256 KiB; 62.50 + 4 000 * 0.065; sold as
     * 4 000 * 0.256 = 1 024, so the requests bind. */
    { "the same under Block Express", "2026-06-01", "io2", 417, 1000, 500, 0,
      "io2 500 GiB 4 000 IOPS", 322.50, 1024, CEILING_IOPS },
    /* Free 125 MiB/s of each: 8 volumes carry 1 000 but ceil(500/8) = 63 GiB, 504 * 0.08 = 40.32;
     * 10 x 50 GiB waste nothing: 500 * 0.08. */
    { "ten free baselines", "2026-06-01", "gp3,io2", 417, 1000, 500, 0,
      "10 x gp3 50 GiB 3 000 IOPS 125 MiB/s", 40.00, 1250, CEILING_THROUGHPUT },
    /* 40 + (1 000 - 125 n) * 0.04 + 5 (n - 1): n = 1 adds 1 000 IOPS * 0.005: 80; n = 2 70 + 5; n =
     * 4 60 + 15; n = 5 55 + 20; all three 75, fewest volumes win. */
    { "a charge per volume", "2026-06-01", "gp3,io2", 417, 1000, 500, 5,
      "2 x gp3 250 GiB 3 000 IOPS 500 MiB/s", 70.00, 1000, CEILING_THROUGHPUT },
    /* 300 MiB/s each is 1 200 IOPS on the first ramp: 62.50 + 2 400 * 0.065 = 218.50. */
    { "600 MiB/s of redo in 2022", "2022-06-01", "io2", 2400, 600, 500, 0,
      "2 x io2 250 GiB 1 200 IOPS", 218.50, 600, CEILING_THROUGHPUT },
    { "600 MiB/s of redo today", "2026-06-01", "io2", 2400, 600, 500, 0, "io2 500 GiB 2 400 IOPS",
      218.50, 614.4, CEILING_IOPS },
    /* st1: 500 requests cost 1 MiB of credit each = 500 MiB/s of baseline, 40 MiB/s per TiB: 12.5
     * TiB = 12 800 GiB * 0.045 in one volume. */
    { "requests cost a MiB on st1", "2026-06-01", "st1", 500, 100, 1000, 0, "st1 12 800 GiB",
      576.00, 500, CEILING_IOPS },
    /* gp2: 3 IOPS per GiB: 3 000 IOPS need 1 000 GiB * 0.10. */
    { "gp2 is sized on its baseline", "2026-06-01", "gp2", 3000, NAN, 100, 0, "gp2 1 000 GiB",
      100.00, 250, CEILING_IOPS },
    /* io1: 50 IOPS per GiB: 5 000 IOPS need 100 GiB: 12.50 + 325. */
    { "the ratio raises the size", "2026-06-01", "io1", 5000, NAN, 10, 0, "io1 100 GiB 5 000 IOPS",
      337.50, 500, CEILING_IOPS },
    { "nothing asked but room", "2026-06-01", "gp3", NAN, NAN, 700, 0,
      "gp3 700 GiB 3 000 IOPS 125 MiB/s", 56.00, 125, CEILING_SIZE },
};

static void test_first(void **state)
{
    const struct first_case *c = *state;
    struct arena a = { 0 };
    char spec[96];
    struct size_options o = options_of(c->as_of, c->types);
    o.per_volume_microusd = c->per_volume_usd * 1000000;
    if (strcmp(c->types, "st1") == 0 || strcmp(c->types, "gp2") == 0 ||
        strcmp(c->types, "io1") == 0)
        o.max_count = 1;
    struct size_need n = need_of(c->iops, c->mibps, c->gib);
    struct size_result r = solve(&n, &o, &a);
    assert_int_equal(r.status, PLAN_BEST);
    assert_string_equal(volume_spec_format(spec, &r.options[0].spec), c->want);
    assert_int_equal(r.options[0].total_microusd, llround(c->want_usd * 1e6));
    assert_near(r.options[0].group_max_throughput_mibps, c->want_mibps);
    assert_int_equal(r.options[0].binding, c->want_binding);
    arena_release(&a);
}

static const struct size_option *option_of_count(const struct size_result *r, int64_t count)
{
    for (size_t i = 0; i < r->n_options; i++)
        if (r->options[i].spec.count == count)
            return &r->options[i];
    return NULL;
}

static void test_one_gp3(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct size_options o = options_of("2026-06-01", "gp3");
    o.top = 16;
    struct size_need n = need_of(417, 1000, 500);
    struct size_result r = solve(&n, &o, &a);
    char spec[96];
    /* 1 000 MiB/s need 4 000 IOPS (0.25 each): 40.00 + 1 000 * 0.005 + 875 * 0.04. */
    const struct size_option *one = option_of_count(&r, 1);
    assert_string_equal(volume_spec_format(spec, &one->spec), "gp3 500 GiB 4 000 IOPS 1 000 MiB/s");
    assert_int_equal(one->total_microusd, 80000000);
    assert_int_equal(option_of_count(&r, 8)->total_microusd, 40320000);
    assert_int_equal(r.n_options_total, 16);
    arena_release(&a);
}

/* With a fifth on top 400 requests, of a MiB each to st1, take 480 MiB/s of baseline: 12 TiB at 40
 * a TiB, a fifth above what is measured; an SSD would count 200 MiB/s as 800 of 256 KiB. */
static void test_hdd_headroom(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct size_options o = options_of("2026-06-01", "st1");
    o.headroom_pct = 20;
    o.max_count = 1;
    struct size_need n = need_of(400, 200, 1000);
    struct size_result r = solve(&n, &o, &a);
    char spec[96];
    assert_string_equal(volume_spec_format(spec, &r.options[0].spec), "st1 12 288 GiB");
    assert_near(r.options[0].iops_headroom_pct, 20);
    assert_near(r.options[0].throughput_headroom_pct, 140);
    arena_release(&a);
}

static void test_need(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct size_options o = options_of("2026-06-01", "io2");
    o.headroom_pct = 50;
    o.copies = 2;
    /* A quarter is written, so two copies make 1.25 of the load; 256 KiB requests: 400 MiB/s are 1
     * 600. 1 600 * 1.25 = 2 000, with headroom 3 000; 400 * 1.25 * 1.5 = 750. */
    struct size_need n = { NAN, 400, 256, NAN, NAN, 100, 25 };
    struct size_result r = solve(&n, &o, &a);
    assert_near(r.need.iops, 1600);
    assert_near(r.counted_iops, 2000);
    assert_near(r.need_iops, 3000);
    assert_near(r.need_throughput_mibps, 750);
    assert_int_equal(r.need_gib, 200);
    assert_int_equal(r.options[0].spec.iops, 3000);
    assert_near(r.options[0].iops_headroom_pct, 50);

    /* 1 000 requests/s with 100 MiB/s: likely max(1 000, 400), at most 1 000 + 400. */
    n = need_of(1000, 100, 100);
    o.copies = 1;
    r = solve(&n, &o, &a);
    assert_near(r.counted_iops, 1000);
    assert_near(r.counted_iops_high, 1400);

    /* Every request of 1 MiB counts four. */
    n.io_kib = 1024;
    n.throughput_mibps = NAN;
    r = solve(&n, &o, &a);
    assert_near(r.need.throughput_mibps, 1000);
    assert_near(r.counted_iops, 4000);
    arena_release(&a);
}

static const struct size_rejected *rejected_of(const struct size_result *r, enum volume_type type,
                                               int64_t count)
{
    for (size_t i = 0; i < r->n_rejected; i++)
        if (r->rejected[i].spec.type == type && r->rejected[i].spec.count == count)
            return &r->rejected[i];
    return NULL;
}

static void test_rejected(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct size_options o = options_of("2022-06-01", "io2,gp3");
    o.top = 1;
    struct size_need n = need_of(5000, 1000, 500);
    struct size_result r = solve(&n, &o, &a);
    /* One io2 of the 5 000 IOPS measured carries 500; 1 000 MiB/s cost 62.50 + 32 000 * 0.065 + 32
     * 000 * 0.0455 = 3 598.50 on one volume. */
    const struct size_rejected *one = rejected_of(&r, VOL_IO2, 1);
    assert_int_equal(one->ceiling, CEILING_THROUGHPUT);
    assert_int_equal(one->spec.iops, 5000);
    assert_near(one->needed, 1000);
    assert_near(one->offered, 500);
    assert_int_equal(one->meets_at_microusd, 3598500000);

    /* 2 001 MiB/s on one gp3 of today: 2 000 is the most there is. */
    o = options_of("2026-06-01", "gp3");
    o.max_count = 1;
    n = need_of(NAN, 2001, 500);
    r = solve(&n, &o, &a);
    assert_int_equal(r.status, PLAN_NONE);
    assert_int_equal(r.n_options, 0);
    one = rejected_of(&r, VOL_GP3, 1);
    assert_int_equal(one->ceiling, CEILING_THROUGHPUT);
    assert_near(one->offered, 2000);
    assert_int_equal(one->meets_at_microusd, UNKNOWN);

    /* gp3 came on 2020-12-01. */
    o = options_of("2020-11-30", "gp3");
    r = solve(&n, &o, &a);
    assert_int_equal(r.status, PLAN_NONE);
    assert_int_equal(r.rejected[0].ceiling, CEILING_LAUNCH);

    /* Only io2 is 99.999 % durable. */
    o = options_of("2026-06-01", "gp3,io2");
    o.min_durability_pct = 99.9;
    n = need_of(100, 1, 10);
    r = solve(&n, &o, &a);
    assert_int_equal(r.options[0].spec.type, VOL_IO2);
    assert_int_equal(rejected_of(&r, VOL_GP3, 1)->ceiling, CEILING_DURABILITY);

    o.min_durability_pct = NAN;
    o.max_latency_class = "sub-ms";
    r = solve(&n, &o, &a);
    assert_int_equal(rejected_of(&r, VOL_GP3, 1)->ceiling, CEILING_LATENCY);
    arena_release(&a);
}

static void test_xen(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct size_options o = options_of("2026-06-01", "io2");
    o.instance_type = "r4.16xlarge"; /* Xen: 32 000 IOPS of a volume at most */
    o.max_count = 2;
    struct size_need n = need_of(40000, NAN, 500);
    struct size_result r = solve(&n, &o, &a);
    assert_int_equal(r.n_options_total, 1);
    assert_int_equal(r.options[0].spec.count, 2);
    assert_int_equal(r.options[0].spec.iops, 20000);
    arena_release(&a);
}

static const struct usage_case {
    const char *why;
    struct size_need need;
    int64_t min_count, max_count;
    double headroom_pct;
    int copies;
    const char *region, *instance, *want;
} usages[] = {
    { "negative IOPS",
      { -1, NAN, NAN, NAN, NAN, 1, NAN },
      1,
      1,
      0,
      1,
      "us-east-1",
      NULL,
      "negative" },
    { "no size", { 1, NAN, NAN, NAN, NAN, 0, NAN }, 1, 1, 0, 1, "us-east-1", NULL, "size" },
    { "maximum below minimum",
      { 1, NAN, NAN, NAN, NAN, 1, NAN },
      2,
      1,
      0,
      1,
      "us-east-1",
      NULL,
      "minimum" },
    { "too many volumes",
      { 1, NAN, NAN, NAN, NAN, 1, NAN },
      1,
      100000,
      0,
      1,
      "us-east-1",
      NULL,
      "number of volumes" },
    { "headroom below 0",
      { 1, NAN, NAN, NAN, NAN, 1, NAN },
      1,
      1,
      -5,
      1,
      "us-east-1",
      NULL,
      "headroom" },
    { "mirror without a written share",
      { 1, NAN, NAN, NAN, NAN, 1, NAN },
      1,
      1,
      0,
      2,
      "us-east-1",
      NULL,
      "written share" },
    { "unknown region",
      { 1, NAN, NAN, NAN, NAN, 1, NAN },
      1,
      1,
      0,
      1,
      "mars-north-1",
      NULL,
      "mars-north-1" },
    { "unknown instance",
      { 1, NAN, NAN, NAN, NAN, 1, NAN },
      1,
      1,
      0,
      1,
      "us-east-1",
      "x99.huge",
      "x99.huge" },
};

static void test_usage(void **state)
{
    const struct usage_case *c = *state;
    struct arena a = { 0 };
    struct size_options o = options_of("2026-06-01", "gp3");
    o.min_count = c->min_count;
    o.max_count = c->max_count;
    o.headroom_pct = c->headroom_pct;
    o.copies = c->copies;
    o.region = c->region;
    o.instance_type = c->instance;
    struct size_result r;
    struct err e = { 0 };
    assert_int_equal(size_solve(&c->need, &o, &a, &r, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, c->want));
    arena_release(&a);
}

static void test_torture(void **state)
{
    (void)state;
    struct size_options o = options_of("2026-06-01", "gp3,io2,st1");
    struct size_need n = need_of(417, 1000, 500);
    struct size_result r;
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = size_solve(&n, &o, &it.a, &r, &it.e);
}

int main(void)
{
    struct CMUnitTest t[40];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, firsts, test_first);
    ADD_ROW_TESTS(t, n, usages, test_usage);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_one_gp3);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_hdd_headroom);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_need);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_rejected);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_xen);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_torture);
    return _cmocka_run_group_tests("size", t, n, NULL, NULL);
}
