/* tests/planner/check/test_plan_check.c - a solver that lies is found out. */
#include "planner/check/plan_check.h"

#include "models/ebs/vol_rule.h"
#include "planner/check/volume_facts.h"
#include "tests/planner/synthetic.h"
#include "tests/row_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* One field of the best option changed. */
static const struct lie_case {
    const char *why;
    int64_t count, size_gib, iops, total_microusd, rank_microusd; /* added */
    double throughput_mibps;
    const char *want;
} lies[] = {
    { "nothing changed", 0, 0, 0, 0, 0, 0, NULL },
    { "a volume less", -1, 0, 0, 0, 0, 0, "need" },
    { "an IOPS less", 0, 0, -1, 0, 0, 0, "IOPS below" },
    { "a GiB less", 0, -1, 0, 0, 0, 0, "smaller" },
    { "more IOPS than the size allows", 0, 0, 200000, 0, 0, 0, "IOPS" },
    { "a cent less", 0, 0, 0, -10000, 0, 0, "price" },
    { "ranked a cent too low", 0, 0, 0, 0, -10000, 0, "rank" },
    { "ceiling overstated", 0, 0, 0, 0, 0, 1, "ceilings" },
};

static void lie(void **state)
{
    const struct lie_case *c = *state;
    struct arena a = { 0 };
    struct size_options o;
    struct size_result r;
    struct err e = { 0 };
    size_options_init(&o, &builtin_catalogue, day_ms("2022-06-01"));
    o.types = 1u << VOL_IO2;
    o.top = 1;
    struct size_need n = { 417, 1000, NAN, NAN, NAN, 500, NAN };
    assert_int_equal(size_solve(&n, &o, &a, &r, &e), 0);
    struct size_option option = r.options[0]; /* 2 x io2 250 GiB 2 000 IOPS */
    option.spec.count += c->count;
    option.spec.size_gib += c->size_gib;
    option.spec.iops += c->iops;
    option.total_microusd += c->total_microusd;
    option.rank_microusd += c->rank_microusd;
    option.group_max_throughput_mibps += c->throughput_mibps;
    r.options = &option;
    int rc = size_check(&r, &e);
    assert_int_equal(rc, c->want ? ERR_NO : 0);
    if (c->want)
        assert_non_null(strstr(e.text, c->want));
    arena_release(&a);
}

static void status_and_order(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct size_options o;
    struct size_result r;
    struct err e = { 0 };
    size_options_init(&o, &builtin_catalogue, day_ms("2026-06-01"));
    struct size_need n = { 417, 1000, NAN, NAN, NAN, 500, NAN };
    assert_int_equal(size_solve(&n, &o, &a, &r, &e), 0);
    struct size_result none = r;
    none.status = PLAN_NONE;
    assert_int_equal(size_check(&none, &e), ERR_NO);

    struct size_option swapped[2] = { r.options[1], r.options[0] };
    r.options = swapped;
    r.n_options = 2;
    assert_int_equal(size_check(&r, &e), ERR_NO);
    assert_non_null(strstr(e.text, "dearer"));

    r.options = &swapped[1];
    r.n_options = 1;
    assert_int_equal(size_check(&r, &e), 0);
    r.options_used.types = 1u << VOL_ST1;
    assert_int_equal(size_check(&r, &e), ERR_NO);
    arena_release(&a);
}

/* What one volume is, against the worked figures of the EBS pages. */
static const struct facts_case {
    const char *why, *day;
    struct volume_spec spec;
    bool xen;
    const char *illegal; /* NULL = legal */
    double iops, mibps, usd;
} facts[] = {
    { "the incident",
      "2022-06-01",
      { VOL_IO2, 1, 500, 5000, UNKNOWN },
      false,
      NULL,
      5000,
      500,
      387.50 },
    { "two of them",
      "2022-06-01",
      { VOL_IO2, 2, 250, 5000, UNKNOWN },
      false,
      NULL,
      5000,
      500,
      712.50 },
    { "64 000 in two tiers",
      "2022-06-01",
      { VOL_IO2, 1, 500, 64000, UNKNOWN },
      false,
      NULL,
      64000,
      1000,
      3598.50 },
    { "Block Express",
      "2026-06-01",
      { VOL_IO2, 1, 500, 5000, UNKNOWN },
      false,
      NULL,
      5000,
      1280,
      387.50 },
    { "Xen reaches 32 000 and 500",
      "2022-06-01",
      { VOL_IO2, 1, 500, 64000, UNKNOWN },
      true,
      NULL,
      32000,
      500,
      3598.50 },
    { "the ratio",
      "2022-06-01",
      { VOL_IO2, 1, 4, 5000, UNKNOWN },
      false,
      "IOPS per GiB",
      5000,
      500,
      325.50 },
    { "gp3 below the ratio on its free baseline",
      "2026-06-01",
      { VOL_GP3, 1, 1, 3000, 125 },
      false,
      NULL,
      3000,
      125,
      0.08 },
    { "gp3 throughput per IOPS",
      "2026-06-01",
      { VOL_GP3, 1, 100, 3000, 800 },
      false,
      "throughput per IOPS",
      3000,
      800,
      35 },
    { "gp2 of 100 GiB earns 300",
      "2026-06-01",
      { VOL_GP2, 1, 100, UNKNOWN, UNKNOWN },
      false,
      NULL,
      300,
      75,
      10 },
    { "st1 of 12.5 TiB",
      "2026-06-01",
      { VOL_ST1, 1, 12800, UNKNOWN, UNKNOWN },
      false,
      NULL,
      500,
      500,
      576 },
    { "st1 below its least size",
      "2026-06-01",
      { VOL_ST1, 1, 124, UNKNOWN, UNKNOWN },
      false,
      "size",
      4.84375,
      4.84375,
      5.58 },
};

static void one_volume(void **state)
{
    const struct facts_case *c = *state;
    const struct vol_rule *r =
        vol_rule_at(&builtin_catalogue, c->spec.type, day_ms(c->day), NULL, UNKNOWN);
    struct volume_facts f =
        volume_facts_of(&builtin_catalogue, r, &c->spec, c->xen, "us-east-1", day_ms(c->day));
    if (c->illegal)
        assert_string_equal(f.illegal, c->illegal);
    else
        assert_null(f.illegal);
    assert_near(f.iops, c->iops);
    assert_near(f.mibps, c->mibps);
    assert_int_equal(f.price_microusd, llround(c->usd * 1e6));
}

int main(void)
{
    struct CMUnitTest t[32];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, lies, lie);
    ADD_ROW_TESTS(t, n, facts, one_volume);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(status_and_order);
    return _cmocka_run_group_tests("plan_check", t, n, NULL, NULL);
}
