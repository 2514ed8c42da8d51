/* tests/models/ebs/test_vol_price.c - what volumes cost: list prices by hand, days, rounding,
 * refusals. */
#include "models/ebs/vol_price.h"

#include "tests/models/ebs/rule_case.h"

#include <string.h>

static const struct price_case {
    const char *why, *region;
    struct volume_spec spec;
    int64_t requests;
    struct vol_price want; /* micro-dollars */
} cases[] = {
    /* 500 x 0.125 + 5 000 x 0.065 */
    { "the redo volume",
      "us-east-1",
      { VOL_IO2, 1, 500, 5000, NONE },
      0,
      { 62500000, 325000000, 0, 0, 387500000 } },
    { "two half as large",
      "us-east-1",
      { VOL_IO2, 2, 250, 5000, NONE },
      0,
      { 62500000, 650000000, 0, 0, 712500000 } },
    /* 62.50 + 32 000 x 0.065 + 32 000 x 0.0455 */
    { "64 000 IOPS: the second tier",
      "us-east-1",
      { VOL_IO2, 1, 500, 64000, NONE },
      0,
      { 62500000, 3536000000, 0, 0, 3598500000 } },
    { "a tier's last unit is still of that tier",
      "us-east-1",
      { VOL_IO2, 1, 4, 32000, NONE },
      0,
      { 500000, 2080000000, 0, 0, 2080500000 } },
    { "the next one is not",
      "us-east-1",
      { VOL_IO2, 1, 4, 32001, NONE },
      0,
      { 500000, 2080045500, 0, 0, 2080545500 } },
    /* 500 x 0.08 + 1 000 x 0.005 + 875 x 0.04 */
    { "one gp3 of 1 000 MiB/s",
      "us-east-1",
      { VOL_GP3, 1, 500, 4000, 1000 },
      0,
      { 40000000, 5000000, 35000000, 0, 80000000 } },
    { "ten gp3 at the free baseline",
      "us-east-1",
      { VOL_GP3, 10, 50, 3000, 125 },
      0,
      { 40000000, 0, 0, 0, 40000000 } },
    { "gp3 without figures is at its included ones",
      "us-east-1",
      { VOL_GP3, 1, 50, NONE, NONE },
      0,
      { 4000000, 0, 0, 0, 4000000 } },
    { "gp2 charges no requests",
      "us-east-1",
      { VOL_GP2, 1, 100, NONE, NONE },
      UNKNOWN,
      { 10000000, 0, 0, 0, 10000000 } },
    /* 20 x 0.05 + 1 000 000 x 0.05 / 1 000 000, each of two */
    { "standard charges requests of each",
      "us-east-1",
      { VOL_STANDARD, 2, 20, NONE, NONE },
      1000000,
      { 2000000, 0, 0, 100000, 2100000 } },
    { "unknown requests stay unknown",
      "us-east-1",
      { VOL_STANDARD, 1, 20, NONE, NONE },
      UNKNOWN,
      { 1000000, 0, 0, UNKNOWN, 1000000 } },
    /* 100 x 0.1309; 0.0655 a million */
    { "another region",
      "af-south-1",
      { VOL_STANDARD, 1, 100, NONE, NONE },
      1000000,
      { 6545000, 0, 0, 65500, 6610500 } },
    /* 0.05712001953125 x 1 875 = 107.10003662..., to the micro-dollar; 5 000 x 0.007; 0.1142 */
    { "a price that ends beyond 10^-12 USD",
      "eu-central-2",
      { VOL_GP3, 1, 1, 8000, 2000 },
      0,
      { 114200, 35000000, 107100037, 0, 142214237 } },
};

static void test_price(void **state)
{
    const struct price_case *c = *state;
    struct vol_price p;
    int64_t as_of_ms;
    struct err e;
    assert_int_equal(vol_price(&builtin_catalogue, c->region, day_ms(TODAY), &c->spec, c->requests,
                               &p, &as_of_ms, &e),
                     0);
    assert_int_equal(p.storage_microusd, c->want.storage_microusd);
    assert_int_equal(p.iops_microusd, c->want.iops_microusd);
    assert_int_equal(p.throughput_microusd, c->want.throughput_microusd);
    assert_int_equal(p.requests_microusd, c->want.requests_microusd);
    assert_int_equal(p.total_microusd, c->want.total_microusd);
    assert_int_equal(as_of_ms, day_ms("2025-10-28"));
}

/* Storage alone, on three days. */
static struct price three_days[3];

static struct catalogue days_catalogue(void)
{
    static const char *const days[] = { "2022-02-10", "2023-06-01", "2025-10-28" };
    for (int i = 0; i < 3; i++)
        three_days[i] = (struct price){ .region = "r",
                                        .type = VOL_GP2,
                                        .component = PRICE_STORAGE,
                                        .tier_to = UNKNOWN,
                                        .picousd = (3 - i) * INT64_C(100000000000),
                                        .as_of_ms = day_ms(days[i]) };
    return (struct catalogue){ .prices = three_days, .n_prices = 3 };
}

static const struct day_case {
    const char *why, *as_of, *want_day;
    int64_t want_microusd;
} days[] = {
    { "the newest at or before", "2024-01-01", "2023-06-01", 200000 },
    { "the day itself", "2025-10-28", "2025-10-28", 100000 },
    { "long after", "2030-01-01", "2025-10-28", 100000 },
    { "before all: the oldest", "2019-01-01", "2022-02-10", 300000 },
};

static void test_day(void **state)
{
    const struct day_case *c = *state;
    struct catalogue cat = days_catalogue();
    struct volume_spec s = { VOL_GP2, 1, 1, NONE, NONE };
    struct vol_price p;
    int64_t as_of_ms;
    struct err e;
    assert_int_equal(vol_price(&cat, "r", day_ms(c->as_of), &s, 0, &p, &as_of_ms, &e), 0);
    assert_int_equal(as_of_ms, day_ms(c->want_day));
    assert_int_equal(p.total_microusd, c->want_microusd);
}

/* 1.5 micro-dollars are 2, and three volumes are 6: not the 4.5 -> 5 of a rounded sum. */
static void test_rounded_once_a_volume(void **state)
{
    (void)state;
    struct price one = { .region = "r",
                         .type = VOL_GP2,
                         .component = PRICE_STORAGE,
                         .tier_to = UNKNOWN,
                         .picousd = 1500000 };
    struct catalogue cat = { .prices = &one, .n_prices = 1 };
    struct volume_spec s = { VOL_GP2, 3, 1, NONE, NONE };
    struct vol_price p;
    int64_t as_of_ms;
    struct err e;
    assert_int_equal(vol_price(&cat, "r", 0, &s, 0, &p, &as_of_ms, &e), 0);
    assert_int_equal(p.total_microusd, 6);
}

static const struct refusal_case {
    const char *why, *region;
    struct volume_spec spec;
    int want;
    const char *text;
} refusals[] = {
    { "a region nobody has",
      "mars-north-1",
      { VOL_GP3, 1, 1, 3000, 125 },
      ERR_USAGE,
      "unknown region 'mars-north-1'" },
    { "io2 without IOPS",
      "us-east-1",
      { VOL_IO2, 1, 500, NONE, NONE },
      ERR_USAGE,
      "io2 without IOPS has no price" },
    { "no size",
      "us-east-1",
      { VOL_GP2, 1, NONE, NONE, NONE },
      ERR_USAGE,
      "gp2 without a size has no price" },
    { "a sum that no integer holds",
      "us-east-1",
      { VOL_GP2, 1, INT64_MAX, NONE, NONE },
      ERR_USAGE,
      "beyond what can be priced" },
    { "nor a product",
      "us-east-1",
      { VOL_GP2, INT64_MAX, 1000, NONE, NONE },
      ERR_USAGE,
      "beyond what can be priced" },
};

static void test_refusal(void **state)
{
    const struct refusal_case *c = *state;
    struct vol_price p;
    int64_t as_of_ms;
    struct err e;
    assert_int_equal(vol_price(&builtin_catalogue, c->region, day_ms(TODAY), &c->spec, 0, &p,
                               &as_of_ms, &e),
                     c->want);
    assert_non_null(strstr(e.text, c->text));
}

static void test_type_not_sold_there(void **state)
{
    (void)state;
    struct catalogue cat = days_catalogue();
    struct volume_spec s = { VOL_GP3, 1, 1, 3000, 125 };
    struct vol_price p;
    int64_t as_of_ms;
    struct err e;
    assert_int_equal(vol_price(&cat, "r", 0, &s, 0, &p, &as_of_ms, &e), ERR_NO);
    assert_string_equal(e.text, "no price for gp3 in r");
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

int main(void)
{
    struct CMUnitTest t[COUNT(cases) + COUNT(days) + COUNT(refusals) + 2];
    size_t n = 0;
    for (size_t i = 0; i < COUNT(cases); i++)
        t[n++] = (struct CMUnitTest){ cases[i].why, test_price, NULL, NULL,
                                      (void *)(uintptr_t)&cases[i] };
    for (size_t i = 0; i < COUNT(days); i++)
        t[n++] =
            (struct CMUnitTest){ days[i].why, test_day, NULL, NULL, (void *)(uintptr_t)&days[i] };
    for (size_t i = 0; i < COUNT(refusals); i++)
        t[n++] = (struct CMUnitTest){ refusals[i].why, test_refusal, NULL, NULL,
                                      (void *)(uintptr_t)&refusals[i] };
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_rounded_once_a_volume);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_type_not_sold_there);
    return _cmocka_run_group_tests("vol_price", t, n, NULL, NULL);
}
