/* planner/bill/bill_cause.c - the cause of each line of a bill, in words: see reconcile.h.
 *
 *   bill_cause_find
 *     add_circumstances     what is known of the volume and its month, said of every line
 *     say_bills_own_list    the bill's own list price shows a discount, or another price
 *     say_shared_discount   so much less on every line
 *     say_unexplained       none of them; one rate for all is likely, not certainly, an older price
 */
#include "planner/bill/reconcile.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/service_price.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a cause, with "; " between them. */
struct words {
    char text[400];
    size_t n;
};

static void __attribute__((format(printf, 2, 3))) add(struct words *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (w->n && w->n + 2 < sizeof w->text) {
        memcpy(w->text + w->n, "; ", 3);
        w->n += 2;
    }
    int put = vsnprintf(w->text + w->n, sizeof w->text - w->n, fmt, ap);
    va_end(ap);
    w->n += put > 0 ? (size_t)put : 0;
    if (w->n >= sizeof w->text)
        w->n = sizeof w->text - 1;
}

static int settle(struct bill_entry *x, enum bill_verdict verdict, const struct words *w,
                  struct arena *a, struct err *e)
{
    x->verdict = verdict;
    x->cause = w->n ? arena_strndup(a, w->text, w->n) : NULL;
    return w->n && !x->cause ? err_nomem(e) : 0;
}

static money magnitude(money m)
{
    return m < 0 ? -m : m;
}

/* "12th, 10:00" */
static char *day_words(char buf[32], int64_t t_ms)
{
    struct civil c = time_to_civil(t_ms);
    int tens = c.day / 10, ones = c.day % 10;
    const char *th = tens == 1   ? "th"
                     : ones == 1 ? "st"
                     : ones == 2 ? "nd"
                     : ones == 3 ? "rd"
                                 : "th";
    snprintf(buf, 32, "%d%s, %02d:%02d", c.day, th, c.hour, c.minute);
    return buf;
}

/* --- what a volume went through --------------------------------------------------------------- */

static const char *level_unit(const struct usage_type *u)
{
    return u->component == PRICE_STORAGE ? "GiB" : u->component == PRICE_IOPS ? "IOPS" : "MiB/s";
}

static int level_order(const void *va, const void *vb)
{
    const struct bill_level *a = va, *b = vb;
    return (a->first_ms > b->first_ms) - (a->first_ms < b->first_ms);
}

/* "changed on the 10th, 07:00: 500 to 600 GiB".  A level of a single line among many is an hour in
 * which something else ended. */
static void add_changes(struct words *w, const struct bill_sum *s)
{
    struct bill_level levels[BILL_LEVELS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < s->n_levels; i++)
        if (s->n_lines <= 3 || s->levels[i].held_ms > s->longest_ms)
            levels[n++] = s->levels[i];
    if (n < 2)
        return;
    qsort(levels, n, sizeof *levels, level_order);
    for (size_t i = 1; i < n; i++) {
        char day[32], from[48], to[48];
        double base = (double)s->usage->tier_from;
        if (levels[i].first_ms == levels[i - 1].first_ms)
            continue; /* two amounts of one period: when it changed is not told */
        add(w, "changed on the %s: %s to %s %s", day_words(day, levels[i].first_ms),
            unit_format(from, (double)levels[i - 1].value + base, 0),
            unit_format(to, (double)levels[i].value + base, 0), level_unit(s->usage));
    }
}

/* "volume made on the 3rd", "volume deleted on the 12th". */
static void add_life(struct words *w, const struct bill_context *c, const struct bill_volume *v)
{
    char day[32];
    int64_t end_ms = v->month_ms + v->month_length_ms;
    if (v->month_ms == UNKNOWN || v->first_ms == UNKNOWN)
        return;
    if (v->first_ms > v->month_ms)
        add(w, "volume made on the %s", day_words(day, v->first_ms));
    if (v->last_ms >= end_ms)
        return;
    bool over = c->r->options_used.today_ms >= end_ms;
    bool all_end = v->last_ms == c->bill_end_ms && c->n_end_at_once == c->n_volumes;
    if (all_end && (!over || c->n_volumes > 1))
        add(w, "the bill ends on the %s", day_words(day, v->last_ms));
    else
        add(w, "volume deleted on the %s", day_words(day, v->last_ms));
}

/* A component that began or ended while the volume lived. */
static void add_part_of_life(struct words *w, const struct bill_volume *v, const struct bill_sum *s)
{
    char day[32];
    if (s->first_ms == UNKNOWN || v->first_ms == UNKNOWN)
        return;
    if (s->first_ms > v->first_ms)
        add(w, "from the %s on", day_words(day, s->first_ms));
    if (s->last_ms < v->last_ms)
        add(w, "until the %s", day_words(day, s->last_ms));
}

/* The store describes another volume than was billed: it may be younger than the bill. */
static void add_description(struct words *w, const struct bill_entry *x,
                            const struct volume_past *past)
{
    const struct usage_type *u = x->sum->usage;
    char is[48];
    if (!past || !past->now || x->by_history || u->component == PRICE_REQUESTS ||
        x->sum->n_levels != 1)
        return;
    int64_t level = usage_level(&past->now->spec, u, x->price->tier_to);
    if (level == UNKNOWN || level == x->sum->levels[0].value)
        return;
    add(w, "described as %s %s: changed since, or a modification is not loaded",
        unit_format(is, (double)(level + u->tier_from), 0), level_unit(u));
}

/* An amount of no whole level for a whole month: a volume that lived for a part of it. */
static void add_held(struct words *w, const struct bill_entry *x, const struct volume_past *past)
{
    const struct bill_sum *s = x->sum;
    char day[32], size[48], held[48], of[48];
    if (s->n_lines != 1 || s->longest_ms < s->month_length_ms || s->amount <= 0 ||
        s->usage->component == PRICE_REQUESTS)
        return;
    int64_t level =
        past && past->now ? usage_level(&past->now->spec, s->usage, x->price->tier_to) : UNKNOWN;
    if (level == UNKNOWN || level <= 0) {
        if (s->n_rest)
            add(w, "%s is no whole number of %s for the month: held for a part of it",
                unit_format(held, money_double(s->amount) * (double)s->per_unit, 3),
                level_unit(s->usage));
        return;
    }
    double part = money_double(s->amount) * (double)s->per_unit / (double)level;
    if (!(part < 1 - 1e-6))
        return;
    double month_h = (double)s->month_length_ms / 3600000;
    add(w, "%s %s held for %s of %s hours: volume deleted on the %s if it was there from the 1st",
        unit_format(size, (double)level, 0), level_unit(s->usage),
        unit_format(held, part * month_h, 1), unit_format(of, month_h, 0),
        day_words(day, s->month_ms + (int64_t)(part * (double)s->month_length_ms)));
}

static void add_circumstances(struct words *w, const struct bill_context *c,
                              const struct bill_volume *v, const struct volume_past *past,
                              const struct bill_entry *x)
{
    const struct bill_sum *s = x->sum;
    if (s->folded)
        add(w, "of more volumes than are kept apart: narrow the bill with --account or --month");
    else if (!s->resource[0])
        add(w, "resource IDs not switched on: no volume can be told");
    if (v && s->usage->component == PRICE_STORAGE)
        add_life(w, c, v);
    if (v && s->n_levels > 1)
        add_changes(w, s);
    else if (v)
        add_part_of_life(w, v, s);
    if (v)
        add_description(w, x, past);
    if (v)
        add_held(w, x, past);
}

/* --- differences ------------------------------------------------------------------------------ */

static void add_discount(struct words *w, double pct, const char *by)
{
    char text[48];
    int decimals = fabs(pct - round(pct)) < 0.005            ? 0
                   : fabs(pct * 10 - round(pct * 10)) < 0.05 ? 1
                                                             : 2;
    add(w, "discount %s %%%s", unit_format(text, pct, decimals), by);
}

static money expected_list(const struct bill_entry *x)
{
    return money_times(x->expected_amount, x->price->picousd) * x->sum->per_unit;
}

/* "0.138 USD per GiB-month"; of what is not a price per request no more decimals than prices have.
 */
static char *rate_text(char buf[112], double rate, const struct usage_type *u)
{
    char usd[64];
    bool request = u->component == PRICE_REQUESTS;
    double places = request ? 1e12 : 1e7;
    double shown = round(fmin(fmax(rate, -1e6), 1e6) * places) / places;
    snprintf(buf, 112, "%s USD per %s%s", money_exact(usd, (money)llround(shown * 1e12)),
             request ? "request" : level_unit(u), request ? "" : "-month");
    return buf;
}

/* What was billed for one unit of the price; NaN where nothing was expected. */
static double billed_rate(const struct bill_entry *x)
{
    return x->expected_amount > 0 ? money_double(x->sum->cost) / money_double(x->expected_amount) /
                                        (double)x->sum->per_unit
                                  : NAN;
}

static void add_price(struct words *w, const struct bill_entry *x, double rate)
{
    char billed[112], listed[112], day[32];
    bool older = x->sum->month_ms != UNKNOWN && x->sum->month_ms < x->price->as_of_ms;
    add(w, "price %s than catalogue: %s, the catalogue of %s has %s", older ? "older" : "newer",
        rate_text(billed, rate, x->sum->usage), time_format_date(day, x->price->as_of_ms),
        rate_text(listed, (double)x->price->picousd / 1e12, x->sum->usage));
}

/* Prices of a type move, but by less than half or double. */
static bool is_near_list(const struct bill_entry *x, double rate)
{
    double listed = (double)x->price->picousd / 1e12;
    return rate > listed / 2 && rate < listed * 2;
}

/* The bill has a list cost of its own on every line. */
static bool say_bills_own_list(const struct bill_context *c, struct words *w,
                               const struct bill_entry *x)
{
    const struct bill_sum *s = x->sum;
    money slack = bill_rounding(c->r, x);
    if (s->n_without_list || s->list_cost <= 0 || x->expected_amount <= 0)
        return false;
    bool same_list = magnitude(s->list_cost - expected_list(x)) <= slack;
    bool discounted = magnitude(s->list_cost - s->cost) > slack;
    double pct = (1 - money_double(s->cost) / money_double(s->list_cost)) * 100;
    if (same_list && !discounted)
        return false;
    double own =
        money_double(s->list_cost) / money_double(x->expected_amount) / (double)s->per_unit;
    if ((discounted && pct < 0) || (!same_list && !is_near_list(x, own)))
        return false;
    if (discounted)
        add_discount(w, pct, " against the bill's own list price");
    if (!same_list)
        add_price(w, x, own);
    return true;
}

static bool say_shared_discount(const struct bill_context *c, struct words *w)
{
    if (isnan(c->r->shared_discount_pct))
        return false;
    add_discount(w, c->r->shared_discount_pct, " on every priced line");
    return true;
}

/* It may be a list price older than the catalogue's: the same for all in a Region, of few decimals,
 * and not far from today's.  That is no proof of one: a charge that is wrong for all looks alike.
 * The rate; NaN. */
static double likely_older_rate(const struct bill_context *c, const struct bill_entry *x)
{
    const struct usage_type *u = x->sum->usage;
    double rate = billed_rate(x), listed = (double)x->price->picousd / 1e12;
    double scale = u->component == PRICE_REQUESTS ? 1e10 : 1e5;
    double round_rate = round(rate * scale) / scale;
    if (x->sum->month_ms == UNKNOWN || x->sum->month_ms >= x->price->as_of_ms ||
        !is_near_list(x, rate))
        return NAN;
    money at_rate = money_times(x->expected_amount, llround(round_rate * 1e12)) * x->sum->per_unit;
    if (magnitude(x->sum->cost - at_rate) > bill_rounding(c->r, x))
        return NAN;
    for (size_t i = 0; i < c->n_rates; i++)
        if (c->rates[i].usage == u && !strcmp(c->rates[i].region, x->sum->region) &&
            c->rates[i].high - c->rates[i].low > 1e-4 * listed)
            return NAN;
    return round_rate;
}

/* How long anything was held, one line after the other. */
static int64_t held_ms(const struct bill_sum *s)
{
    int64_t held = 0;
    for (size_t i = 0; i < s->n_levels; i++)
        if (s->levels[i].value > 0)
            held += s->levels[i].held_ms;
    return held;
}

/* Lines of whole months, two of them alike to the last GiB: no volume is held twice at a time. */
static bool is_month_repeated(const struct bill_sum *s)
{
    bool repeated = false;
    for (size_t i = 0; i < s->n_levels; i++)
        repeated |= s->levels[i].value > 0 && s->levels[i].held_ms >= 2 * s->month_length_ms;
    return repeated && s->longest_ms == s->month_length_ms;
}

/* More hours than there are between its first and its last. */
static bool is_billed_twice(const struct bill_sum *s)
{
    if (!s->folded && s->resource[0] && s->month_ms != UNKNOWN && is_month_repeated(s))
        return true;
    return s->first_ms != UNKNOWN && !s->folded && s->resource[0] &&
           held_ms(s) > (s->last_ms - s->first_ms) + 3 * s->longest_ms / 2;
}

static void say_unexplained(const struct bill_context *c, struct words *w,
                            const struct bill_entry *x)
{
    char billed[112], listed[112], shown[48], is[48];
    const struct usage_type *u = x->sum->usage;
    double rate = billed_rate(x), older = likely_older_rate(c, x);
    if (x->by_history)
        add(w, "billed for %s %s-months, its history has %s: sizes never shrink",
            unit_format(shown, money_double(x->sum->amount) * (double)x->sum->per_unit, 3),
            level_unit(u),
            unit_format(is, money_double(x->expected_amount) * (double)x->sum->per_unit, 3));
    else if (isnan(rate))
        add(w, "no cause found: a cost without an amount");
    else if (!isnan(older)) {
        add_price(w, x, older);
        add(w, "likely, and not proven: --facts with a price of that day tells");
    } else
        add(w, "no cause found: billed at %s, the list price is %s", rate_text(billed, rate, u),
            rate_text(listed, (double)x->price->picousd / 1e12, u));
}

/* The second charge for the same hours is not what was expected. */
static void expect_once(struct bill_entry *x, struct words *w)
{
    const struct bill_sum *s = x->sum;
    int64_t held = held_ms(s);
    x->expected_cost = money_share(x->expected_cost, s->last_ms - s->first_ms, held);
    x->expected_amount = money_share(x->expected_amount, s->last_ms - s->first_ms, held);
    x->difference = s->cost - x->expected_cost;
    add(w, "the same hours are billed more than once: a part was given twice, or a month that was "
           "restated");
}

int bill_cause_find(const struct bill_context *c, const struct bill_volume *v,
                    const struct volume_past *past, struct bill_entry *x, struct arena *a,
                    struct err *e)
{
    struct words w = { .n = 0 };
    money slack = bill_rounding(c->r, x);
    if (v && is_billed_twice(x->sum)) {
        expect_once(x, &w);
        return settle(x, BILL_UNEXPLAINED, &w, a, e);
    }
    bool agrees = magnitude(x->difference) <= slack, explained = agrees;
    if (agrees && c->r->options_used.discount_pct > 0)
        add_discount(&w, c->r->options_used.discount_pct, "");
    if (!agrees)
        explained = !x->by_history && (say_bills_own_list(c, &w, x) || say_shared_discount(c, &w));
    if (!explained)
        say_unexplained(c, &w, x);
    add_circumstances(&w, c, v, past, x);
    if (agrees && !w.n && magnitude(x->difference) >= slack / x->sum->n_lines &&
        x->sum->n_lines > 1)
        add(&w, "rounding of %lld lines", (long long)x->sum->n_lines);
    return settle(x, explained ? BILL_EXPLAINED : BILL_UNEXPLAINED, &w, a, e);
}

/* --- what has no price ------------------------------------------------------------------------ */

static void say_service(const struct reconciliation *r, struct words *w, const struct bill_entry *x)
{
    const struct bill_sum *s = x->sum;
    int64_t day_ms = s->month_ms == UNKNOWN ? r->options_used.today_ms : s->month_ms;
    const struct service_price *p =
        s->usage->service && s->region
            ? service_price_find(r->options_used.catalogue, s->usage->service, s->region, day_ms)
            : NULL;
    char usd[64];
    if (!p || !p->region || s->n_without_amount) {
        add(w, "%s: no volume, and no price in the catalogue", s->usage->what);
        return;
    }
    money off = s->cost - money_times(s->amount, p->picousd);
    money slack = (MONEY_ONE / 1000000) * s->n_lines;
    add(w, "%s: no volume; %s the list price of %s USD", s->usage->what,
        magnitude(off) <= slack ? "billed at" : "not billed at",
        money_exact(usd, (money)p->picousd));
}

int bill_cause_unpriced(const struct reconciliation *r, struct bill_entry *x, struct arena *a,
                        struct err *e)
{
    static const char *const apart[BILL_LINE_KINDS] = { "", "credit", "tax", "fee" };
    const struct bill_sum *s = x->sum;
    struct words w = { .n = 0 };
    if (s->kind != BILL_USAGE) {
        add(&w, "%s (%.40s): apart from usage", apart[s->kind], s->line_type);
        return settle(x, BILL_APART, &w, a, e);
    }
    if (!s->usage)
        add(&w, "unknown usage type");
    else if (s->usage->type == VOL_TYPE_COUNT)
        say_service(r, &w, x);
    else if (s->local_zone)
        add(&w, "a Local Zone, whose prices are not in the catalogue");
    else if (!s->region)
        add(&w, "no Region has this prefix");
    else if (s->n_without_amount)
        add(&w, "no amounts in the bill: only costs");
    else if (s->n_without_cost)
        add(&w, "lines without a cost");
    else
        add(&w, "no price of %s in %s", volume_type_name(s->usage->type), s->region);
    return settle(x, BILL_NOT_PRICED, &w, a, e);
}
