/* tests/planner/bill/bill_lines.h - bills made by hand, hour by hour, and what is asked of them.
 *
 * A part of a bill is what a volume was provisioned as from one hour of a month to another: each
 * hour is a line with amount level / hours of the month and cost amount * rate, both rounded to 10
 * decimals as AWS does. */
#ifndef TESTS_PLANNER_BILL_BILL_LINES_H
#define TESTS_PLANNER_BILL_BILL_LINES_H

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "planner/bill/reconcile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define HOUR_MS INT64_C(3600000)
#define N_OF(a) (sizeof(a) / sizeof *(a))
#define GIB     "GB-Mo"
#define TO_END  1000 /* hours: the end of the month */

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

static inline money rounded(double v)
{
    return (money)llround(v * 1e10) * 100;
}

static inline int64_t month_ms(const char *month)
{
    char day[11] = "YYYY-MM-01";
    int64_t t = UNKNOWN;
    memcpy(day, month, 7);
    struct span s = span_of(day);
    assert_int_equal(time_parse_date(&s, &t), 0);
    return t;
}

static inline void add_line(struct bill_sums *b, const struct part *p, int64_t start_ms,
                            int64_t end_ms, double months, struct arena *a)
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
static inline void add_part(struct bill_sums *b, const struct part *p, int64_t from_ms,
                            struct arena *a)
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

static inline const struct bill_entry *entry_of(const struct reconciliation *r, const char *volume,
                                                const char *usage)
{
    for (size_t i = 0; i < r->n_entries; i++)
        if (!strcmp(r->entries[i].sum->resource, volume) &&
            !strcmp(r->entries[i].sum->usage_type, usage) && r->entries[i].sum->kind == BILL_USAGE)
            return &r->entries[i];
    fail_msg("no line of %s for %s", usage, volume);
    return NULL;
}

static inline void assert_usd(const char *what, money got, double want)
{
    if (fabs(money_double(got) - want) > 2e-6)
        fail_msg("%s: %.10f, expected %.10f", what, money_double(got), want);
}

static inline void assert_says(const struct reconciliation *r, const struct saying *s)
{
    const struct bill_entry *x = entry_of(r, s->volume, s->usage);
    assert_int_equal(x->verdict, s->verdict);
    if (!s->cause)
        assert_null(x->cause);
    else if (!x->cause || !strstr(x->cause, s->cause))
        fail_msg("the cause is '%s', expected '%s'", x->cause ? x->cause : "", s->cause);
}

/* A bill and what reconcile says of it. */
struct billed {
    struct arena a;
    struct bill_sums b;
    struct reconciliation r;
    struct err e;
};

/* Today is 2026-11; histories NULL = nothing is known of the volumes but the bill. */
static inline void bill_parts(struct billed *x, const struct part *parts, size_t n,
                              const char *month, double discount_pct,
                              const struct volume_histories *histories)
{
    const struct reconcile_options o = { .catalogue = &builtin_catalogue,
                                         .histories = histories,
                                         .discount_pct = discount_pct,
                                         .today_ms = month_ms("2026-11") };
    bill_sums_init(&x->b, &builtin_catalogue, "us-east-1");
    for (size_t i = 0; i < n && parts[i].usage; i++)
        add_part(&x->b, &parts[i], month_ms(month), &x->a);
    assert_int_equal(reconcile(&x->b, &o, &x->a, &x->r, &x->e), 0);
}

#endif
