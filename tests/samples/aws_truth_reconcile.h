/* tests/samples/aws_truth_reconcile.h - the bills of the samples rebuilt from list prices. */
#ifndef TESTS_SAMPLES_AWS_TRUTH_RECONCILE_H
#define TESTS_SAMPLES_AWS_TRUTH_RECONCILE_H

#include "models/ebs/vol_price.h"
#include "planner/bill/reconcile.h"
#include "tests/samples/aws_truth.h"

static int64_t sample_day(const char *day)
{
    struct span s = span_of(day);
    int64_t t = UNKNOWN;
    assert_int_equal(time_parse_date(&s, &t), 0);
    return t;
}

/* Of all lines that were read. */
static struct reconciliation rebuild(void)
{
    struct bill_sums *b = arena_alloc(&got.arena, sizeof *b);
    struct reconcile_options o = { .catalogue = &builtin_catalogue,
                                   .today_ms = sample_day("2026-11-30") };
    struct reconciliation r;
    struct err e;
    assert_non_null(b);
    bill_sums_init(b, &builtin_catalogue, "us-east-1");
    for (size_t i = 0; i < got.n_bills; i++)
        assert_int_equal(bill_sums_add(b, &got.bills[i], &got.arena, &e), 0);
    assert_int_equal(reconcile(b, &o, &got.arena, &r, &e), 0);
    return r;
}

/* To the last decimal that the file carries, or with the cause that is named; totals add up. */
static void reconciles(const char *unexplained, const char *cause)
{
    struct reconciliation r = rebuild();
    char is[64], want[64];
    bool said = !cause;
    n_figures++;
    if (strcmp(money_exact(is, r.unexplained), unexplained))
        fail_msg("%s: %s USD are unexplained, expected %s", now, is, unexplained);
    assert_true(r.billed == r.explained + r.unexplained + r.not_priced);
    for (size_t i = 0; i < r.n_entries; i++) {
        const struct bill_entry *x = &r.entries[i];
        said |= cause && x->cause && strstr(x->cause, cause);
        if (x->verdict != BILL_EXPLAINED || x->sum->n_lines != 1)
            continue;
        n_figures++;
        if (strcmp(money_format(is, x->expected_cost, r.decimals),
                   money_format(want, x->sum->cost, r.decimals)))
            fail_msg("%s: %s of %s comes to %s, billed are %s", now, x->sum->usage_type,
                     x->sum->resource, is, want);
    }
    if (!said)
        fail_msg("%s: nothing says '%s'", now, cause);
}

/* 091, 094, 096: one unit of each row of a price list, billed at that price, is explained: by the
 * catalogue's price, or as an older one. */
static void list_price(const char *file, const cJSON *v)
{
    const cJSON *row, *item;
    (void)file;
    cJSON_ArrayForEach(row, member(v, "rows"))
    {
        int64_t start_ms = (item = cJSON_GetObjectItem(row, "effective"))
                               ? sample_day("2018-08-01")
                               : sample_day("2018-06-01");
        struct span usd = span_of(cJSON_GetStringValue(member(row, "usd")));
        struct bill_line l = { .start_ms = start_ms,
                               .end_ms = time_month_end(start_ms),
                               .usage_type =
                                   span_of(cJSON_GetStringValue(member(row, "usagetype"))),
                               .unit = span_of(cJSON_GetStringValue(member(row, "unit"))),
                               .resource = SPAN_LIT("vol-1"),
                               .amount = 1000 * MONEY_ONE,
                               .has_amount = true,
                               .has_cost = true,
                               .cost_decimals = 12 };
        assert_int_equal(money_parse(&usd, &l.cost, NULL, NULL), 0);
        l.cost *= 1000;
        got.bills = &l;
        got.n_bills = 1;
        struct reconciliation r = rebuild();
        n_figures++;
        if (r.entries[0].verdict != BILL_EXPLAINED)
            fail_msg("%s: %s: %s", now, cJSON_GetStringValue(member(row, "usagetype")),
                     r.entries[0].cause ? r.entries[0].cause : "");
    }
    got.bills = NULL;
    got.n_bills = 0;
}

static void same_part(const char *what, int64_t microusd, const cJSON *row, const char *key)
{
    const cJSON *want = cJSON_GetObjectItem(row, key);
    if (want)
        same(what, (double)microusd / 1e6, want, 5e-7);
}

static int64_t whole_of(const cJSON *row, const char *key)
{
    const cJSON *v = cJSON_GetObjectItem(row, key);
    return v ? (int64_t)number(v) : UNKNOWN;
}

/* 090: what another tool priced, volume by volume. */
static void peer_prices(const char *file, const cJSON *v)
{
    const cJSON *row, *item;
    (void)file;
    cJSON_ArrayForEach(row, member(v, "rows"))
    {
        struct volume_spec s = { .count = 1,
                                 .size_gib = whole_of(row, "gib"),
                                 .iops = whole_of(row, "iops"),
                                 .throughput_mibps = whole_of(row, "throughput_mib_s") };
        struct vol_price p;
        struct err e;
        int64_t as_of_ms;
        const char *name = cJSON_GetStringValue(member(row, "name"));
        const char *region =
            (item = cJSON_GetObjectItem(row, "region")) ? cJSON_GetStringValue(item) : "us-east-1";
        assert_int_equal(volume_type_parse(span_of(name), &s.type), 0);
        assert_int_equal(vol_price(&builtin_catalogue, region, sample_day("2026-01-01"), &s, 0, &p,
                                   &as_of_ms, &e),
                         0);
        same_part(name, p.storage_microusd, row, "storage");
        same_part(name, p.iops_microusd, row, "iops_cost");
        same_part(name, p.throughput_microusd, row, "throughput_cost");
    }
}

#endif
