/* tests/planner/report/test_report_provenance.c - each figure is told with its own value, unit,
 * rule and file. */
#include "planner/report/report_provenance.h"

#include "tests/planner/plan_world.h"
#include "tests/planner/report/told.h"

#include <math.h>

/* Where the values of a figure begin; fails when it is not there. */
static size_t figure(const char *what)
{
    for (size_t at = 0; told_next("what", &at);)
        if (strcmp(told[at - 1].text, what) == 0)
            return at;
    fail_msg("no figure '%s'", what);
    return 0;
}

static bool is_told(const char *what)
{
    for (size_t at = 0; told_next("what", &at);)
        if (strcmp(told[at - 1].text, what) == 0)
            return true;
    return false;
}

static void assert_figure(const char *what, double value, const char *unit)
{
    size_t at = figure(what);
    assert_near(told_next("value", &at)->value.num, value);
    assert_string_equal(told_next("unit", &at)->text, unit);
}

static const char *text_of(const char *what, const char *key)
{
    size_t at = figure(what);
    return told_next(key, &at)->text;
}

static void tell(const struct plan *p, const struct reconciliation *bill)
{
    struct emit m = told_emitter();
    struct err e = { 0 };
    assert_int_equal(report_provenance(&m, p, bill, &e), 0);
}

/* REDO1 peaks at 500 MiB/s, at the ceiling of 5 000 * 0.256; MIXED, an hour at 10 MiB/s, is taken
 * times ten, and two types have no ceiling that is one rule's.  c5.large passes 650 Mbit/s = 81.25
 * MB/s for long. */
static void loads_and_ceilings(void **state)
{
    static const struct layout_volumes mixed[] = {
        { { VOL_GP2, 1, 100, UNKNOWN, UNKNOWN }, UNKNOWN },
        { { VOL_SC1, 1, 500, UNKNOWN, UNKNOWN }, UNKNOWN },
    };
    struct world w = { .instance_type = "c5.large" };
    (void)state;
    add_redo(&w);
    struct layout_group *g = add(&w, "MIXED", ROLE_DATA, 0, 0, 100);
    g->volumes = mixed;
    g->n_volumes = 2;
    sample(&w.series[1], &w.room[1], 0, 3600, 20, 0, 10, 0);
    struct plan p = plan(&w, "2022-06-01");
    tell(&p, NULL);
    assert_figure("REDO1: peak load", 500, "MiB/s");
    assert_figure("REDO1: ceiling of today's volumes at the peak", 500, "MiB/s");
    assert_false(is_told("MIXED: ceiling of today's volumes at the peak"));
    assert_figure("MIXED: peak load", 100, "MiB/s");
    assert_string_equal(text_of("MIXED: peak load", "rule"),
                        "average times an assumed factor of 10; assumed");
    assert_figure("what the instance passes for long", 81.25, "MB/s");
    assert_true(is_told("price of gp2 in us-east-1"));
    assert_true(is_told("price of sc1 in us-east-1"));
    assert_false(is_told("billed for EBS"));
    arena_release(&w.a);
}

/* The prices that the plan was made with: of its Region and day, by tier. */
static void prices_and_totals(void **state)
{
    struct world w = { 0 };
    (void)state;
    add_redo(&w);
    struct plan p = plan(&w, "2022-06-01");
    const int64_t day = day_ms("2026-01-01"), other_day = day_ms("2025-01-01");
    const struct price rows[] = {
        { .region = "us-east-1",
          .type = VOL_IO2,
          .component = PRICE_STORAGE,
          .picousd = INT64_C(999000000000),
          .as_of_ms = other_day,
          .source = "old" },
        { .region = "eu-west-1",
          .type = VOL_IO2,
          .component = PRICE_STORAGE,
          .picousd = INT64_C(888000000000),
          .as_of_ms = day,
          .source = "elsewhere" },
        { .region = "us-east-1",
          .type = VOL_IO2,
          .component = PRICE_STORAGE,
          .picousd = INT64_C(125000000000),
          .as_of_ms = day,
          .source = "list" },
        { .region = "us-east-1",
          .type = VOL_IO2,
          .component = PRICE_IOPS,
          .tier_from = 32000,
          .picousd = INT64_C(45500000000),
          .as_of_ms = day,
          .source = "list" },
    };
    struct catalogue c = builtin_catalogue;
    c.prices = rows;
    c.n_prices = 4;
    p.options_used.catalogue = &c;
    p.price_as_of_ms = day;
    p.total_microusd = 100500000;
    p.today_microusd = 250000000;
    tell(&p, NULL);
    assert_figure("price of io2 in us-east-1", 0.125, "USD a GiB-month");
    assert_string_equal(text_of("price of io2 in us-east-1", "rule"), "list, read 2026-01-01");
    assert_figure("price of io2 in us-east-1, above 32 000", 0.0455, "USD an IOPS-month");
    assert_false(is_told("price of io2 in eu-west-1"));
    size_t at = figure("price of io2 in us-east-1");
    for (const struct told *t; (t = told_next("what", &at)) != NULL;)
        assert_string_not_equal(t->text, "price of io2 in us-east-1");
    assert_figure("the planned volumes", 100.5, "USD a month");
    assert_figure("today's volumes", 250, "USD a month");
    arena_release(&w.a);
}

/* 3 598.50 USD in three lines of the file that is a bill. */
static void what_was_billed(void **state)
{
    static const char *const paths[] = { "io.txt", "june.csv", "july.csv" };
    static const char *const formats[] = { "iostat", "cur2", "focus" };
    struct world w = { 0 };
    (void)state;
    add_redo(&w);
    struct plan p = plan(&w, "2022-06-01");
    struct bill_sums sums = { .n_lines = 3, .currency = "USD" };
    struct reconciliation r = { .sums = &sums,
                                .billed = (money)3598500 * 1000000000,
                                .first_month_ms = day_ms("2022-06-01") };
    w.load.file_paths = paths;
    w.load.file_formats = formats;
    w.load.n_files = 3;
    tell(&p, &r);
    assert_figure("billed for EBS", 3598.5, "USD");
    assert_string_equal(text_of("billed for EBS", "file"), "june.csv");
    assert_string_equal(text_of("billed for EBS", "rule"), "sum of 3 lines");
    assert_string_equal(text_of("billed for EBS", "date"), "2022-06-01");
    arena_release(&w.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_ceilings),
        cmocka_unit_test(prices_and_totals),
        cmocka_unit_test(what_was_billed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
