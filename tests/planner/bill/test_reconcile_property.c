/* tests/planner/bill/test_reconcile_property.c - a bill made by the rules is explained to the last
 * decimal: any volumes, Regions, types, changes by the hour, months, order of lines, discount. */
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/vol_price.h"
#include "planner/bill/reconcile.h"
#include "tests/seeded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define HOUR_MS INT64_C(3600000)

enum { VOLUMES = 6, COMPONENTS = 3, CHANGES = 3, LINES_MAX = VOLUMES * COMPONENTS * 744 };

static struct bill_line lines[LINES_MAX];
static size_t n_lines;
static char texts[VOLUMES * COMPONENTS][64], ids[VOLUMES][16];

static money rounded(double v)
{
    return (money)llround(v * 1e10) * 100;
}

/* One usage type of a volume, hour by hour; returns what it comes to. */
static double add_usage(struct seeded *s, const struct usage_type *u, const char *prefix,
                        const struct price *p, size_t volume, int64_t month, int hours, int from_h,
                        int to_h, double part)
{
    char *name = texts[volume * COMPONENTS + (size_t)u->component];
    int64_t most = u->component == PRICE_STORAGE ? 16384 : u->component == PRICE_IOPS ? 30000 : 800;
    double scale = u->component == PRICE_THROUGHPUT ? 1024 : 1, sum = 0;
    int64_t level = 1 + seeded_int(s, 0, most - 1);
    int left = (int)seeded_int(s, 0, CHANGES - 1);
    snprintf(name, sizeof texts[0], "%s%s%s", prefix, prefix[0] ? "-" : "", u->name);
    for (int h = from_h; h < to_h; h++) {
        if (left && seeded_int(s, 0, 200 - 1) == 0) {
            level = 1 + seeded_int(s, 0, most - 1);
            left--;
        }
        double months = 1.0 / hours;
        double cost = (double)level * months * (double)p->picousd / 1e12 * part;
        lines[n_lines++] = (struct bill_line){
            .start_ms = month + h * HOUR_MS,
            .end_ms = month + (h + 1) * HOUR_MS,
            .account = SPAN_LIT("111122223333"),
            .resource = span_of(ids[volume]),
            .usage_type = span_of(name),
            .unit = span_of(u->component == PRICE_THROUGHPUT ? "GiBps-mo" : u->unit),
            .currency = SPAN_LIT("USD"),
            .amount = rounded((double)level / scale * months),
            .cost = rounded(cost),
            .has_amount = true,
            .has_cost = true,
            .cost_decimals = 10,
        };
        sum += cost;
    }
    return sum;
}

static double add_volume(struct seeded *s, size_t volume, int64_t month, int hours, double part)
{
    const struct catalogue *c = &builtin_catalogue;
    const struct billing_code *code =
        &c->billing_codes[seeded_int(s, 0, (int64_t)c->n_billing_codes - 1)];
    enum volume_type type = (enum volume_type)seeded_int(s, 0, VOL_TYPE_COUNT - 1);
    int from_h = (int)seeded_int(s, 0, hours / 2 - 1),
        to_h = from_h + 1 + (int)seeded_int(s, 0, hours / 2 - 1);
    double sum = 0;
    snprintf(ids[volume], sizeof ids[0], "vol-%zu", volume);
    for (size_t i = 0; i < c->n_usage_types; i++) {
        const struct usage_type *u = &c->usage_types[i];
        if (u->type != type || u->component == PRICE_REQUESTS || u->tier_from > 3000)
            continue;
        const struct price *p =
            vol_price_row(c, code->region, month, type, u->component, u->tier_from);
        if (p)
            sum += add_usage(s, u, strcmp(code->region, "us-east-1") ? code->prefix : "", p, volume,
                             month, hours, from_h, to_h, part);
    }
    return sum;
}

static void shuffle(struct seeded *s)
{
    for (size_t i = n_lines; i > 1; i--) {
        size_t k = (size_t)seeded_int(s, 0, (int64_t)i - 1);
        struct bill_line l = lines[i - 1];
        lines[i - 1] = lines[k];
        lines[k] = l;
    }
}

static void one_bill(struct seeded *s)
{
    static const char *const months[] = { "2026-02-01", "2024-02-01", "2026-06-01", "2025-12-01" };
    struct span day = span_of(months[seeded_int(s, 0, 4 - 1)]);
    int64_t month = UNKNOWN;
    assert_int_equal(time_parse_date(&day, &month), 0);
    int hours = (int)((time_month_end(month) - month) / HOUR_MS);
    double discount_pct = seeded_int(s, 0, 2 - 1) ? (double)seeded_int(s, 0, 30 - 1) : 0, sum = 0;
    struct arena a = { 0 };
    struct bill_sums b;
    struct reconciliation r;
    struct err e;
    struct reconcile_options o = { .catalogue = &builtin_catalogue,
                                   .discount_pct = discount_pct,
                                   .today_ms = month + 400 * DAY_MS };
    n_lines = 0;
    for (size_t v = 0; v < VOLUMES; v++)
        sum += add_volume(s, v, month, hours, 1 - discount_pct / 100);
    shuffle(s);
    bill_sums_init(&b, &builtin_catalogue, "us-east-1");
    for (size_t i = 0; i < n_lines; i++)
        assert_int_equal(bill_sums_add(&b, &lines[i], &a, &e), 0);
    assert_int_equal(reconcile(&b, &o, &a, &r, &e), 0);
    assert_true(r.unexplained == 0 && r.not_priced == 0 && r.billed == r.explained);
    double expected = 0;
    for (size_t i = 0; i < r.n_entries; i++)
        expected += money_double(r.entries[i].expected_cost);
    /* half a unit of the tenth decimal of amount and cost, of each line */
    assert_true(fabs(expected - sum) < (double)n_lines * 1e-9);
    arena_release(&a);
}

static void test_explained(void **state)
{
    (void)state;
    uint64_t seed = seed_of_run(20260630);
    uint64_t n = getenv("FULL") ? 2000 : 40;
    for (uint64_t i = 0; i < n; i++) {
        struct seeded s = seeded_case(seed, i);
        one_bill(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_explained) };
    return cmocka_run_group_tests_name("reconcile, property", tests, NULL, NULL);
}
