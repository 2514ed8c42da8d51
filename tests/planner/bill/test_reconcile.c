/* tests/planner/bill/test_reconcile.c - bills made by hand against what they must come to.  Sums
 * are worked out beside each case. */
#include "tests/planner/bill/bill_lines.h"

#include <stdint.h>
#include <stdio.h>

enum { PARTS = 6, SAYINGS = 3 };

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
    /* 336 / 1 024 / 672 is 0.00048828125: each hour is billed half of its tenth decimal above
     * that, 2.5 of 10^-9 USD at 49.152 a GiB/s; 336 * 0.048 * 112 / 672 = 2.688 */
    { "amounts that are as far off as rounding can bring them",
      "2026-02",
      { { "vol-1", "APN1-EBS:VolumeP-Throughput.gp3", 336.0 / 1024, 49.152, 0, .to_h = 112,
          .unit = "GiBps-mo" },
        { "vol-2", "APN1-EBS:VolumeUsage.gp3", 100, 0.096, 0, .to_h = 7 } },
      0,
      2.688 + 0.1,
      2.688 + 0.1,
      0,
      0,
      { { "vol-1", "APN1-EBS:VolumeP-Throughput.gp3", BILL_EXPLAINED, "rounding" } },
      { 0 } },
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

static void test_case(void **state)
{
    const struct bill_case *c = *state;
    struct billed x = { .e = { 0 } };
    const struct reconciliation *r = &x.r;
    bill_parts(&x, c->parts, PARTS, c->month, c->discount_pct, NULL);
    assert_usd("billed", r->billed, c->billed);
    assert_usd("explained", r->explained, c->explained);
    assert_usd("unexplained", r->unexplained, c->unexplained);
    assert_usd("not priced", r->not_priced, c->not_priced);
    assert_true(r->billed == r->explained + r->unexplained - r->unbilled + r->not_priced);
    assert_int_equal(r->answer_is_no, c->unexplained > 0.005);
    for (size_t i = 0; i < SAYINGS && c->says[i].usage; i++)
        assert_says(r, &c->says[i]);
    if (c->spec.count) {
        const struct volume_spec *is = &r->volumes[0].spec;
        assert_int_equal(is->type, c->spec.type);
        assert_int_equal(is->size_gib, c->spec.size_gib);
        assert_int_equal(is->iops, c->spec.iops);
        assert_int_equal(is->throughput_mibps, c->spec.throughput_mibps);
    }
    arena_release(&x.a);
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
    struct billed x = { .e = { 0 } };
    bill_parts(&x, parts, N_OF(parts), "2026-06", 0, NULL);
    assert_usd("credits", x.r.credits, -5);
    assert_usd("taxes", x.r.taxes, 2);
    assert_usd("fees", x.r.other, 7);
    assert_usd("billed", x.r.billed, 0);
    arena_release(&x.a);
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

/* More volumes than are kept apart: what comes beyond is one sum, and nothing is lost. */
static void test_bounded(void **state)
{
    (void)state;
    enum { N = BILL_SUMS_MAX + 100 };
    struct billed x = { .e = { 0 } };
    static char ids[N][16];
    static struct part parts[N];
    for (size_t i = 0; i < N; i++) {
        snprintf(ids[i], sizeof ids[i], "vol-%08zx", i);
        parts[i] = (struct part){ ids[i], "EBS:VolumeUsage.gp3", 100,          0.08,
                                  0,      .to_h = TO_END,        .whole = true };
    }
    bill_parts(&x, parts, N, "2026-06", 0, NULL);
    assert_int_equal(x.b.n, BILL_SUMS_MAX + 1);
    assert_usd("billed", x.r.billed, 8.0 * N);
    assert_usd("unexplained", x.r.unexplained, 0);
    const struct bill_entry *rest = entry_of(&x.r, "", "EBS:VolumeUsage.gp3");
    assert_int_equal(rest->sum->n_lines, 100);
    assert_non_null(strstr(rest->cause, "more volumes than are kept apart"));
    arena_release(&x.a);
}

int main(void)
{
    enum { N = N_OF(cases) };
    struct CMUnitTest t[N + 3];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, test_case, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(test_apart);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(test_currencies);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(test_bounded);
    return cmocka_run_group_tests_name("reconcile", t, NULL, NULL);
}
