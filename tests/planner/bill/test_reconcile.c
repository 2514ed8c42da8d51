/* tests/planner/bill/test_reconcile.c - bills made by hand, hour by hour, against what they must
 * come to.
 *
 * A part of a bill is what a volume was provisioned as from one hour of a month to another: each
 * hour is a line with amount level / hours of the month and cost amount * rate, both rounded to 10
 * decimals as AWS does.  Sums are worked out beside each case. */
#include "planner/bill/reconcile.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HOUR_MS INT64_C(3600000)
#define N_OF(a) (sizeof(a) / sizeof *(a))
#define GIB     "GB-Mo"
#define TO_END  1000 /* hours: the end of the month */

enum { PARTS = 6, SAYINGS = 3 };

struct part {
    const char *volume, *usage;
    double level, rate; /* in units of the bill; USD a month for each */
    int from_h, to_h;
    const char *unit, *line_type; /* NULL: "GB-Mo", "Usage" */
    double list_rate;             /* of a list cost in the bill; 0 = it has none */
    bool whole;                   /* one line for all of it */
};

/* Of the entry of a volume and usage type. */
struct saying {
    const char *volume, *usage;
    enum bill_verdict verdict;
    const char *cause; /* some words of it; NULL = there is none */
};

static const struct bill_case {
    const char *why, *month;
    struct part parts[PARTS];
    double discount_pct;
    double billed, explained, unexplained, not_priced;
    struct saying says[SAYINGS];
    struct volume_spec spec; /* of the first volume; count 0 = not looked at */
} cases[] = {
    /* 500 * 0.125 = 62.50; 32 000 * 0.065 = 2 080.00; 32 000 * 0.0455 = 1 456.00;
     * 16 000 * 0.03185 = 509.60 */
    { "80 000 IOPS of io2 for a whole month: three tiers",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.io2", 500, 0.125, 0, .to_h = TO_END, .unit = "GB-month" },
        { "vol-1", "EBS:VolumeP-IOPS.io2", 32000, 0.065, 0, .to_h = TO_END, .unit = "IOPS-Mo" },
        { "vol-1", "EBS:VolumeP-IOPS.io2.tier2", 32000, 0.0455, 0, .to_h = TO_END,
          .unit = "IOPS-Mo" },
        { "vol-1", "EBS:VolumeP-IOPS.io2.tier3", 16000, 0.03185, 0, .to_h = TO_END,
          .unit = "IOPS-Mo" } },
      0,
      4108.10,
      4108.10,
      0,
      0,
      { { "vol-1", "EBS:VolumeP-IOPS.io2.tier3", BILL_EXPLAINED, "rounding" } },
      { VOL_IO2, 1, 500, 80000, UNKNOWN } },
    /* (500 * 223 + 600 * 497) / 720 * 0.088 = 50.07444; (2 000 * 456 + 1 000 * 264) / 720 * 0.0055
     * = 8.98333 */
    { "a gp3 of eu-west-1 changed twice in mid-month",
      "2026-06",
      { { "vol-1", "EU-EBS:VolumeUsage.gp3", 500, 0.088, 0, .to_h = 223 },
        { "vol-1", "EU-EBS:VolumeUsage.gp3", 600, 0.088, 223, .to_h = TO_END },
        { "vol-1", "EU-EBS:VolumeP-IOPS.gp3", 2000, 0.0055, 0, .to_h = 456, .unit = "IOPS-Mo" },
        { "vol-1", "EU-EBS:VolumeP-IOPS.gp3", 1000, 0.0055, 456, .to_h = TO_END,
          .unit = "IOPS-Mo" } },
      0,
      59.05777778,
      59.05777778,
      0,
      0,
      { { "vol-1", "EU-EBS:VolumeUsage.gp3", BILL_EXPLAINED,
          "changed on the 10th, 07:00: 500 to 600 GiB" },
        { "vol-1", "EU-EBS:VolumeP-IOPS.gp3", BILL_EXPLAINED,
          "changed on the 20th, 00:00: 5 000 to 4 000 IOPS" } },
      { VOL_GP3, 1, 600, 4000, 125 } },
    /* 11 days and 10 hours are 274 hours: 100 * 0.10 * 274 / 672 */
    { "deleted on the 12th of a month of 28 days",
      "2026-02",
      { { "vol-1", "EBS:VolumeUsage.gp2", 100, 0.10, 0, .to_h = 274 } },
      0,
      4.07738095,
      4.07738095,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp2", BILL_EXPLAINED, "volume deleted on the 12th, 10:00" } },
      { VOL_GP2, 1, 100, UNKNOWN, UNKNOWN } },
    { "the same of 30 days: / 720",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp2", 100, 0.10, 0, .to_h = 274 } },
      0,
      3.80555556,
      3.80555556,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp2", BILL_EXPLAINED, "volume deleted on the 12th, 10:00" } },
      { VOL_GP2, 1, 100, UNKNOWN, UNKNOWN } },
    { "the same of 31 days: / 744",
      "2026-07",
      { { "vol-1", "EBS:VolumeUsage.gp2", 100, 0.10, 0, .to_h = 274 } },
      0,
      3.68279570,
      3.68279570,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp2", BILL_EXPLAINED, "volume deleted on the 12th, 10:00" } },
      { VOL_GP2, 1, 100, UNKNOWN, UNKNOWN } },
    { "two that end at once: the bill does",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp2", 100, 0.10, 0, .to_h = 274 },
        { "vol-2", "EBS:VolumeUsage.gp2", 100, 0.10, 0, .to_h = 274 } },
      0,
      7.61111111,
      7.61111111,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp2", BILL_EXPLAINED, "the bill ends on the 12th, 10:00" } },
      { 0 } },
    { "made on the 3rd",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp2", 72, 0.10, 50, .to_h = TO_END } }, /* 7.2 * 670 / 720 */
      0,
      6.70,
      6.70,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp2", BILL_EXPLAINED, "volume made on the 3rd, 02:00" } },
      { 0 } },
    /* 375 MiB/s above 125 are 375 / 1 024 GiB/s at 0.04 * 1 024; 200 * 0.0912 = 18.24 */
    { "throughput in GiB/s-months, and ap-south-1, which is APS3",
      "2026-06",
      { { "vol-1", "EBS:VolumeP-Throughput.gp3", 375.0 / 1024, 40.96, 0, .to_h = TO_END,
          .unit = "GiBps-mo" },
        { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END },
        { "vol-2", "APS3-EBS:VolumeUsage.gp3", 200, 0.0912, 0, .to_h = TO_END } },
      0,
      15 + 8 + 18.24,
      15 + 8 + 18.24,
      0,
      0,
      { { "vol-1", "EBS:VolumeP-Throughput.gp3", BILL_EXPLAINED, "rounding" } },
      { VOL_GP3, 1, 100, 3000, 500 } },
    { "whole months in one line: no rounding, nothing to say",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.st1", 500, 0.045, 0, .to_h = TO_END, .whole = true } },
      0,
      22.50,
      22.50,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.st1", BILL_EXPLAINED, NULL } },
      { VOL_ST1, 1, 500, UNKNOWN, UNKNOWN } },
    /* 500 * 0.08 = 40.00 less 9 % = 36.40; 2 000 * 0.005 = 10.00 less 9 % = 9.10 */
    { "9 % agreed",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 500, 0.0728, 0, .to_h = TO_END },
        { "vol-1", "EBS:VolumeP-IOPS.gp3", 2000, 0.00455, 0, .to_h = TO_END, .unit = "IOPS-Mo" } },
      9,
      45.50,
      45.50,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_EXPLAINED, "discount 9 %" } },
      { 0 } },
    { "9 % that nobody told of, on every line",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 500, 0.0728, 0, .to_h = TO_END },
        { "vol-1", "EBS:VolumeP-IOPS.gp3", 2000, 0.00455, 0, .to_h = TO_END, .unit = "IOPS-Mo" } },
      0,
      45.50,
      45.50,
      0,
      0,
      { { "vol-1", "EBS:VolumeP-IOPS.gp3", BILL_EXPLAINED, "discount 9 % on every priced line" } },
      { 0 } },
    { "9 % on the only line",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 500, 0.0728, 0, .to_h = TO_END, .whole = true } },
      0,
      36.40,
      36.40,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_EXPLAINED, "discount 9 %" } },
      { 0 } },
    /* 35.01 of 40.00 */
    { "12.475 % off the only line is no discount that anybody grants",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 500, 0.07002, 0, .to_h = TO_END, .whole = true } },
      0,
      35.01,
      35.01,
      4.99,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_UNEXPLAINED, "no cause found" } },
      { 0 } },
    { "9 % on one volume, which the bill's own list price shows",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 500, 0.0728, 0, .to_h = TO_END, .list_rate = 0.08 },
        { "vol-2", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END, .list_rate = 0.08 } },
      0,
      44.40,
      44.40,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_EXPLAINED,
          "discount 9 % against the bill's own list price" },
        { "vol-2", "EBS:VolumeUsage.gp3", BILL_EXPLAINED, "rounding" } },
      { 0 } },
    /* 36.40 against 40.00: the other one pays list */
    /* 500 * 0.80 = 400.00 where 40.00 is list: a slip of the bill, not a new price */
    { "ten times the price, and the bill's own list price with it",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 500, 0.80, 0, .to_h = TO_END, .list_rate = 0.80 } },
      0,
      400.00,
      40.00,
      360.00,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_UNEXPLAINED, "no cause found" } },
      { 0 } },
    { "9 % on one volume and no word of it: 3.60 too little",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 500, 0.0728, 0, .to_h = TO_END },
        { "vol-2", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END } },
      0,
      44.40,
      44.40,
      3.60,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_UNEXPLAINED, "no cause found" },
        { "vol-2", "EBS:VolumeUsage.gp3", BILL_EXPLAINED, "rounding" } },
      { 0 } },
    /* 600 * 0.015 = 9.00; that all pay 0.025 alike may be an old price, or an error in all: 6.00 */
    { "one price for all before the catalogue's: a likely cause, and the money stays open",
      "2022-06",
      { { "vol-1", "EBS:VolumeUsage.sc1", 500, 0.025, 0, .to_h = TO_END },
        { "vol-2", "EBS:VolumeUsage.sc1", 100, 0.025, 0, .to_h = TO_END } },
      0,
      15.00,
      9.00,
      6.00,
      0,
      { { "vol-1", "EBS:VolumeUsage.sc1", BILL_UNEXPLAINED,
          "price older than catalogue: 0.025 USD per GiB-month" },
        { "vol-2", "EBS:VolumeUsage.sc1", BILL_UNEXPLAINED, "likely, and not proven" } },
      { 0 } },
    { "the same with the bill's own list price, which proves it",
      "2022-06",
      { { "vol-1", "EBS:VolumeUsage.sc1", 500, 0.025, 0, .to_h = TO_END, .list_rate = 0.025 } },
      0,
      12.50,
      12.50,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.sc1", BILL_EXPLAINED,
          "price older than catalogue: 0.025 USD per GiB-month" } },
      { 0 } },
    { "the same after the catalogue: nothing explains 500 * 0.01",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.sc1", 500, 0.025, 0, .to_h = TO_END } },
      0,
      12.50,
      7.50,
      5.00,
      0,
      { { "vol-1", "EBS:VolumeUsage.sc1", BILL_UNEXPLAINED,
          "billed at 0.025 USD per GiB-month, the list price is 0.015" } },
      { 0 } },
    { "before the catalogue, but twice and a half: no price of another day",
      "2022-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.20, 0, .to_h = TO_END, .whole = true } },
      0,
      20.00,
      8.00,
      12.00,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_UNEXPLAINED, "no cause found" } },
      { 0 } },
    { "a month given twice: the second 8.00 is not explained",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END },
        { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END } },
      0,
      16.00,
      8.00,
      8.00,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_UNEXPLAINED, "billed more than once" } },
      { 0 } },
    { "the same of a report by the month: 720 hours of 500 GiB, twice, are not two volumes",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 500, 0.08, 0, .to_h = TO_END, .whole = true },
        { "vol-1", "EBS:VolumeUsage.gp3", 500, 0.08, 0, .to_h = TO_END, .whole = true } },
      0,
      80.00,
      40.00,
      40.00,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_UNEXPLAINED, "billed more than once" } },
      { 0 } },
    { "by the month, changed in its middle: two lines of the whole month, 250 and 300 GiB of it",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 250, 0.08, 0, .to_h = TO_END, .whole = true },
        { "vol-1", "EBS:VolumeUsage.gp3", 300, 0.08, 0, .to_h = TO_END, .whole = true } },
      0,
      44.00,
      44.00,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_EXPLAINED, NULL } },
      { 0 } },
    { "no resource IDs",
      "2026-06",
      { { "", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END } },
      0,
      8.00,
      8.00,
      0,
      0,
      { { "", "EBS:VolumeUsage.gp3", BILL_EXPLAINED, "resource IDs not switched on" } },
      { 0 } },
    { "what has no price: new, a Local Zone, a prefix nobody knows",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp9", 100, 0.08, 0, .to_h = TO_END },
        { "vol-2", "USE1-BOS1-EBS:VolumeUsage.gp2", 100, 0.12, 0, .to_h = TO_END },
        { "vol-3", "XXX1-EBS:VolumeUsage.gp2", 100, 0.10, 0, .to_h = TO_END } },
      0,
      30.00,
      0,
      0,
      30.00,
      { { "vol-1", "EBS:VolumeUsage.gp9", BILL_NOT_PRICED, "unknown usage type" },
        { "vol-2", "USE1-BOS1-EBS:VolumeUsage.gp2", BILL_NOT_PRICED, "Local Zone" },
        { "vol-3", "XXX1-EBS:VolumeUsage.gp2", BILL_NOT_PRICED, "no Region has this prefix" } },
      { 0 } },
    { "snapshots and fast restores are no volumes",
      "2026-06",
      { { "snap-1", "EBS:SnapshotUsage", 40, 0.05, 0, .to_h = TO_END, .whole = true },
        { "snap-1", "EBS:FastSnapshotRestore", 10, 0.80, 0, .to_h = TO_END, .unit = "hours",
          .whole = true } },
      0,
      10.00,
      0,
      0,
      10.00,
      { { "snap-1", "EBS:SnapshotUsage", BILL_NOT_PRICED, "billed at the list price of 0.05 USD" },
        { "snap-1", "EBS:FastSnapshotRestore", BILL_NOT_PRICED,
          "not billed at the list price of 0.75 USD" } },
      { 0 } },
    { "credits and taxes are in none of the sums",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END },
        { "vol-1", "EBS:VolumeUsage.gp3", 1, -5, 0, .to_h = TO_END, .line_type = "EdpDiscount",
          .whole = true },
        { "vol-1", "EBS:VolumeUsage.gp3", 1, 2, 0, .to_h = TO_END, .line_type = "Tax",
          .whole = true } },
      0,
      8.00,
      8.00,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_EXPLAINED, "rounding" } },
      { VOL_GP3, 1, 100, 3000, 125 } },
    /* 20 million at 0.05 a million */
    { "requests of standard volumes",
      "2026-06",
      { { "vol-1", "EBS:VolumeIOUsage", 20000000, 0.00000005, 0, .to_h = TO_END, .unit = "IOs",
          .whole = true },
        { "vol-1", "EBS:VolumeUsage", 100, 0.05, 0, .to_h = TO_END, .whole = true } },
      0,
      6.00,
      6.00,
      0,
      0,
      { { "vol-1", "EBS:VolumeIOUsage", BILL_EXPLAINED, NULL } },
      { VOL_STANDARD, 1, 100, UNKNOWN, UNKNOWN } },
    /* 100 GB-Mo in one hour would be 72 000 GiB: priced, but no size */
    { "an amount that is no volume's: no size is made of it",
      "2026-06",
      { { "vol-1", "EBS:VolumeUsage.gp3", 72000, 0.08, 0, .to_h = 1 } },
      0,
      8.00,
      8.00,
      0,
      0,
      { { "vol-1", "EBS:VolumeUsage.gp3", BILL_EXPLAINED, "volume deleted on the 1st" } },
      { VOL_GP3, 1, UNKNOWN, 3000, 125 } },
};

/* --- making the lines ------------------------------------------------------------------------- */

static money rounded(double v)
{
    return (money)llround(v * 1e10) * 100;
}

static int64_t month_ms(const char *month)
{
    char day[11] = "YYYY-MM-01";
    int64_t t = UNKNOWN;
    memcpy(day, month, 7);
    struct span s = span_of(day);
    assert_int_equal(time_parse_date(&s, &t), 0);
    return t;
}

static void add_line(struct bill_sums *b, const struct part *p, int64_t start_ms, int64_t end_ms,
                     double months, struct arena *a)
{
    struct err e;
    struct bill_line l = { .start_ms = start_ms,
                           .end_ms = end_ms,
                           .account = SPAN_LIT("111122223333"),
                           .resource = span_of(p->volume),
                           .usage_type = span_of(p->usage),
                           .unit = span_of(p->unit ? p->unit : GIB),
                           .currency = SPAN_LIT("USD"),
                           .line_type = span_of(p->line_type ? p->line_type : "Usage"),
                           .amount = rounded(p->level * months),
                           .cost = rounded(p->level * months * p->rate),
                           .list_cost = rounded(p->level * months * p->list_rate),
                           .has_amount = true,
                           .has_cost = true,
                           .has_list_cost = p->list_rate > 0,
                           .cost_decimals = 10 };
    assert_int_equal(bill_sums_add(b, &l, a, &e), 0);
}

/* The last hour first: bills are in no order. */
static void add_part(struct bill_sums *b, const struct part *p, int64_t from_ms, struct arena *a)
{
    int hours = (int)((time_month_end(from_ms) - from_ms) / HOUR_MS);
    int to_h = p->to_h < hours ? p->to_h : hours;
    if (p->whole) {
        add_line(b, p, from_ms + p->from_h * HOUR_MS, from_ms + to_h * HOUR_MS,
                 (double)(to_h - p->from_h) / hours, a);
        return;
    }
    for (int h = to_h - 1; h >= p->from_h; h--)
        add_line(b, p, from_ms + h * HOUR_MS, from_ms + (h + 1) * HOUR_MS, 1.0 / hours, a);
}

static const struct bill_entry *entry_of(const struct reconciliation *r, const char *volume,
                                         const char *usage)
{
    for (size_t i = 0; i < r->n_entries; i++)
        if (!strcmp(r->entries[i].sum->resource, volume) &&
            !strcmp(r->entries[i].sum->usage_type, usage) && r->entries[i].sum->kind == BILL_USAGE)
            return &r->entries[i];
    fail_msg("no line of %s for %s", usage, volume);
    return NULL;
}

static void assert_usd(const char *what, money got, double want)
{
    if (fabs(money_double(got) - want) > 2e-6)
        fail_msg("%s: %.10f, expected %.10f", what, money_double(got), want);
}

static void assert_says(const struct reconciliation *r, const struct saying *s)
{
    const struct bill_entry *x = entry_of(r, s->volume, s->usage);
    assert_int_equal(x->verdict, s->verdict);
    if (!s->cause)
        assert_null(x->cause);
    else if (!x->cause || !strstr(x->cause, s->cause))
        fail_msg("the cause is '%s', expected '%s'", x->cause ? x->cause : "", s->cause);
}

static void test_case(void **state)
{
    const struct bill_case *c = *state;
    struct arena a = { 0 };
    struct bill_sums b;
    struct reconciliation r;
    struct err e;
    struct reconcile_options o = { .catalogue = &builtin_catalogue,
                                   .discount_pct = c->discount_pct,
                                   .today_ms = month_ms("2026-11") };
    bill_sums_init(&b, &builtin_catalogue, "us-east-1");
    for (size_t i = 0; i < PARTS && c->parts[i].usage; i++)
        add_part(&b, &c->parts[i], month_ms(c->month), &a);
    assert_int_equal(reconcile(&b, &o, &a, &r, &e), 0);
    assert_usd("billed", r.billed, c->billed);
    assert_usd("explained", r.explained, c->explained);
    assert_usd("unexplained", r.unexplained, c->unexplained);
    assert_usd("not priced", r.not_priced, c->not_priced);
    assert_true(r.billed == r.explained + r.unexplained - r.unbilled + r.not_priced);
    assert_int_equal(r.answer_is_no, c->unexplained > 0.005);
    for (size_t i = 0; i < SAYINGS && c->says[i].usage; i++)
        assert_says(&r, &c->says[i]);
    if (c->spec.count) {
        const struct volume_spec *is = &r.volumes[0].spec;
        assert_int_equal(is->type, c->spec.type);
        assert_int_equal(is->size_gib, c->spec.size_gib);
        assert_int_equal(is->iops, c->spec.iops);
        assert_int_equal(is->throughput_mibps, c->spec.throughput_mibps);
    }
    arena_release(&a);
}

/* --- what tables do not show ------------------------------------------------------------------ */

static void test_apart(void **state)
{
    (void)state;
    static const struct part parts[] = {
        { "vol-1", "EBS:VolumeUsage.gp3", 1, -5, 0, .to_h = TO_END, .line_type = "EdpDiscount",
          .whole = true },
        { "vol-1", "EBS:VolumeUsage.gp3", 1, 2, 0, .to_h = TO_END, .line_type = "Tax",
          .whole = true },
        { "vol-1", "EBS:VolumeUsage.gp3", 1, 7, 0, .to_h = TO_END, .line_type = "Fee",
          .whole = true },
    };
    struct arena a = { 0 };
    struct bill_sums b;
    struct reconciliation r;
    struct err e;
    struct reconcile_options o = { .catalogue = &builtin_catalogue,
                                   .today_ms = month_ms("2026-11") };
    bill_sums_init(&b, &builtin_catalogue, "us-east-1");
    for (size_t i = 0; i < N_OF(parts); i++)
        add_part(&b, &parts[i], month_ms("2026-06"), &a);
    assert_int_equal(reconcile(&b, &o, &a, &r, &e), 0);
    assert_usd("credits", r.credits, -5);
    assert_usd("taxes", r.taxes, 2);
    assert_usd("fees", r.other, 7);
    assert_usd("billed", r.billed, 0);
    arena_release(&a);
}

static void test_currencies(void **state)
{
    (void)state;
    static const struct {
        const char *why, *first, *second, *words;
    } rows[] = {
        { "CNY beside USD", "USD", "CNY", "CNY beside USD: a bill of mixed currencies is refused" },
        { "CNY alone", "CNY", "CNY", "the bill is in CNY; prices are known in USD: refused" },
    };
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct arena a = { 0 };
        struct bill_sums b;
        struct err e = { 0 };
        struct bill_line l = { .start_ms = month_ms("2026-06"),
                               .end_ms = month_ms("2026-07"),
                               .usage_type = SPAN_LIT("EBS:VolumeUsage.gp3") };
        bill_sums_init(&b, &builtin_catalogue, "us-east-1");
        l.currency = span_of(rows[i].first);
        int rc = bill_sums_add(&b, &l, &a, &e);
        l.currency = span_of(rows[i].second);
        if (!rc)
            rc = bill_sums_add(&b, &l, &a, &e);
        assert_int_equal(rc, ERR_PARSE);
        assert_string_equal(e.text, rows[i].words);
        arena_release(&a);
    }
}

/* What a description and a modification say of the volume goes before what the bill shows. */
static const struct past_case {
    const char *why;
    struct part part; /* of June 2026 */
    int64_t described_gib;
    int created_min, changed_min; /* of the month; 0 = before it, never */
    int64_t from_gib;
    enum bill_verdict verdict;
    double unexplained;
    const char *cause;
} pasts[] = {
    { "as described",
      { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END },
      100,
      0,
      0,
      0,
      BILL_EXPLAINED,
      0,
      "rounding" },
    { "grown since, and no modification tells",
      { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END },
      200,
      0,
      0,
      0,
      BILL_EXPLAINED,
      0,
      "described as 200 GiB: changed since" },
    { "grown by a modification after the month",
      { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END },
      200,
      0,
      50000,
      100,
      BILL_EXPLAINED,
      0,
      "rounding" },
    /* 16.00 billed for 200 GiB, 8.00 for the 100 that it is: volumes do not shrink */
    { "billed for more than it ever was",
      { "vol-1", "EBS:VolumeUsage.gp3", 200, 0.08, 0, .to_h = TO_END },
      100,
      0,
      0,
      0,
      BILL_UNEXPLAINED,
      8,
      "sizes never shrink" },
    { "a whole month's line of half of it: 360 hours, to the 16th",
      { "vol-1", "EBS:VolumeUsage.gp3", 50, 0.08, 0, .to_h = TO_END, .whole = true },
      100,
      0,
      0,
      0,
      BILL_EXPLAINED,
      0,
      "100 GiB held for 360.0 of 720 hours: volume deleted on the 16th, 00:00" },
};

static void test_past(void **state)
{
    const struct past_case *c = *state;
    struct arena a = { 0 };
    struct bill_sums b;
    struct reconciliation r;
    struct volume_histories h;
    struct err e;
    int64_t june = month_ms("2026-06");
    struct stored_volume volume = {
        .config = { .volume_id = SPAN_LIT("vol-1"),
                    .spec = { VOL_GP3, 1, c->described_gib, 3000, 125 },
                    .created_ms = c->created_min ? june + c->created_min * INT64_C(60000) : UNKNOWN,
                    .attachments = 1 }
    };
    struct stored_modification change = { .change = {
                                              .volume_id = SPAN_LIT("vol-1"),
                                              .state = SPAN_LIT("completed"),
                                              .from = { VOL_GP3, 1, c->from_gib, 3000, 125 },
                                              .to = { VOL_GP3, 1, c->described_gib, 3000, 125 },
                                              .start_ms = june + c->changed_min * INT64_C(60000),
                                              .end_ms = UNKNOWN } };
    struct system_load load = { .volumes = &volume,
                                .n_volumes = 1,
                                .modifications = &change,
                                .n_modifications = c->changed_min != 0 };
    const struct system_load *loads[] = { &load };
    assert_int_equal(volume_histories_build(loads, 1, &a, &h, &e), 0);
    struct reconcile_options o = { .catalogue = &builtin_catalogue,
                                   .histories = &h,
                                   .today_ms = month_ms("2026-11") };
    bill_sums_init(&b, &builtin_catalogue, "us-east-1");
    add_part(&b, &c->part, june, &a);
    assert_int_equal(reconcile(&b, &o, &a, &r, &e), 0);
    assert_says(&r, &(struct saying){ "vol-1", "EBS:VolumeUsage.gp3", c->verdict, c->cause });
    assert_usd("unexplained", r.unexplained, c->unexplained);
    arena_release(&a);
}

/* The modification at 07:20 of the 10th, billed by the second: the hour holds both sizes.
 * (100 * 223 1/3 + 200 * 496 2/3) / 720 = 168.98148 GB-Mo */
static void test_change_within_an_hour(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct bill_sums b;
    struct reconciliation r;
    struct err e;
    int64_t june = month_ms("2026-06");
    const struct part parts[] = {
        { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = 223 },
        { "vol-1", "EBS:VolumeUsage.gp3", 100.0 / 3 + 400.0 / 3, 0.08, 223, .to_h = 224 },
        { "vol-1", "EBS:VolumeUsage.gp3", 200, 0.08, 224, .to_h = TO_END },
    };
    struct stored_modification change = { .change = { .volume_id = SPAN_LIT("vol-1"),
                                                      .from = { VOL_GP3, 1, 100, 3000, 125 },
                                                      .to = { VOL_GP3, 1, 200, 3000, 125 },
                                                      .start_ms = june + 223 * HOUR_MS +
                                                                  20 * INT64_C(60000) } };
    struct system_load load = { .modifications = &change, .n_modifications = 1 };
    const struct system_load *loads[] = { &load };
    struct volume_histories h;
    assert_int_equal(volume_histories_build(loads, 1, &a, &h, &e), 0);
    struct reconcile_options o = { .catalogue = &builtin_catalogue,
                                   .histories = &h,
                                   .today_ms = month_ms("2026-11") };
    bill_sums_init(&b, &builtin_catalogue, "us-east-1");
    for (size_t i = 0; i < N_OF(parts); i++)
        add_part(&b, &parts[i], june, &a);
    assert_int_equal(reconcile(&b, &o, &a, &r, &e), 0);
    const struct bill_entry *x = entry_of(&r, "vol-1", "EBS:VolumeUsage.gp3");
    assert_true(x->by_history);
    assert_int_equal(x->verdict, BILL_EXPLAINED);
    assert_usd("amount", x->expected_amount, 168.98148148);
    assert_usd("cost", x->expected_cost, 13.51851852);
    arena_release(&a);
}

/* More volumes than are kept apart: what comes beyond is one sum, and nothing is lost. */
static void test_bounded(void **state)
{
    (void)state;
    enum { N = BILL_SUMS_MAX + 100 };
    struct arena a = { 0 };
    struct bill_sums b;
    struct reconciliation r;
    struct err e;
    char id[24];
    struct reconcile_options o = { .catalogue = &builtin_catalogue,
                                   .today_ms = month_ms("2026-11") };
    bill_sums_init(&b, &builtin_catalogue, "us-east-1");
    for (int i = 0; i < N; i++) {
        snprintf(id, sizeof id, "vol-%08x", (unsigned)i);
        struct part p = { id, "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END, .whole = true };
        add_part(&b, &p, month_ms("2026-06"), &a);
    }
    assert_int_equal(b.n, BILL_SUMS_MAX + 1);
    assert_int_equal(reconcile(&b, &o, &a, &r, &e), 0);
    assert_usd("billed", r.billed, 8.0 * N);
    assert_usd("unexplained", r.unexplained, 0);
    const struct bill_entry *x = entry_of(&r, "", "EBS:VolumeUsage.gp3");
    assert_int_equal(x->sum->n_lines, 100);
    assert_non_null(strstr(x->cause, "more volumes than are kept apart"));
    arena_release(&a);
}

int main(void)
{
    enum { N = N_OF(cases), M = N_OF(pasts) };
    struct CMUnitTest t[N + M + 4];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, test_case, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    for (size_t i = 0; i < M; i++)
        t[N + i] = (struct CMUnitTest){ pasts[i].why, test_past, NULL, NULL,
                                        (void *)(uintptr_t)&pasts[i] };
    t[N + M] = (struct CMUnitTest)cmocka_unit_test(test_apart);
    t[N + M + 1] = (struct CMUnitTest)cmocka_unit_test(test_currencies);
    t[N + M + 2] = (struct CMUnitTest)cmocka_unit_test(test_change_within_an_hour);
    t[N + M + 3] = (struct CMUnitTest)cmocka_unit_test(test_bounded);
    return cmocka_run_group_tests_name("reconcile", t, NULL, NULL);
}
