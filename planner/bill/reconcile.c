/* planner/bill/reconcile.c - see reconcile.h. */
#include "planner/bill/reconcile.h"

#include "models/core/unit.h"
#include "models/ebs/vol_price.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- order -------------------------------------------------------------------------------------
 */

static int compare_ms(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int entry_order(const void *va, const void *vb)
{
    const struct bill_sum *a = ((const struct bill_entry *)va)->sum;
    const struct bill_sum *b = ((const struct bill_entry *)vb)->sum;
    int order = compare_ms(a->month_ms, b->month_ms);
    if (!order)
        order = strcmp(a->account, b->account);
    if (!order)
        order = strcmp(a->resource, b->resource);
    if (!order)
        order = strcmp(a->usage_type, b->usage_type);
    if (!order)
        order = strcmp(a->region_column, b->region_column);
    if (!order)
        order = strcmp(a->line_type, b->line_type);
    return order ? order : strcmp(a->unit, b->unit);
}

/* --- amounts and prices ----------------------------------------------------------------------- */

static bool is_priced_kind(const struct bill_sum *s)
{
    return s->kind == BILL_USAGE && s->usage && s->usage->type != VOL_TYPE_COUNT && s->region &&
           !s->local_zone && s->n_without_amount == 0 && s->n_without_cost == 0;
}

/* What the bill itself shows as held. */
static money shown_amount(const struct bill_sum *s)
{
    money held = 0;
    for (size_t i = 0; i < s->n_levels; i++)
        held += (money)s->levels[i].value * s->levels[i].held_ms;
    if (!s->n_levels)
        return s->rest;
    return money_share(held, MONEY_ONE, s->month_length_ms) / s->per_unit + s->rest;
}

static money less_discount(money m, double pct)
{
    const money whole = 100000000;
    money part = whole - (money)llround(pct * 1e6);
    return m / whole * part + m % whole * part / whole;
}

static money price_of(const struct bill_entry *x, money amount)
{
    return money_times(amount, x->price->picousd) * x->sum->per_unit;
}

static void expect(const struct reconciliation *r, struct bill_entry *x, money amount)
{
    x->expected_amount = amount;
    x->expected_cost = less_discount(price_of(x, amount), r->options_used.discount_pct);
    x->difference = x->sum->cost - x->expected_cost;
}

static money half_unit(int decimals)
{
    money half = MONEY_ONE / 2;
    for (int i = 0; i < decimals; i++)
        half /= 10;
    return half;
}

money bill_rounding(const struct reconciliation *r, const struct bill_entry *x)
{
    /* AWS rounds to 10 decimals; a file that has more tells it of each of its lines. */
    const int usual = 10;
    int decimals = r->decimals > usual ? usual : r->decimals;
    if (x->sum->cost_decimals > decimals)
        decimals = x->sum->cost_decimals;
    money each = half_unit(decimals) + 1;
    if (r->sums->amount_decimals)
        each += money_times((half_unit(r->sums->amount_decimals) + 1) * x->sum->per_unit,
                            x->price->picousd) +
                1;
    return each * x->sum->n_lines;
}

static void price_entry(struct reconciliation *r, struct bill_entry *x)
{
    const struct bill_sum *s = x->sum;
    if (!is_priced_kind(s))
        return;
    int64_t day_ms = s->month_ms == UNKNOWN ? r->options_used.today_ms : s->month_ms;
    x->price = vol_price_row(r->options_used.catalogue, s->region, day_ms, s->usage->type,
                             s->usage->component, s->usage->tier_from);
    if (!x->price)
        return;
    if (x->price->as_of_ms > r->price_as_of_ms)
        r->price_as_of_ms = x->price->as_of_ms;
    expect(r, x, shown_amount(s));
}

/* --- volumes ----------------------------------------------------------------------------------
 */

static bool is_of_volume(const struct bill_sum *s)
{
    return s->kind == BILL_USAGE && s->resource[0] && s->usage && s->usage->type != VOL_TYPE_COUNT;
}

static bool same_volume(const struct bill_volume *v, const struct bill_sum *s)
{
    return v->month_ms == s->month_ms && !strcmp(v->account, s->account) &&
           !strcmp(v->resource, s->resource);
}

/* The level that was held last; UNKNOWN. */
static const struct bill_level *last_level(const struct bill_sum *s)
{
    const struct bill_level *last = NULL;
    for (size_t i = 0; i < s->n_levels; i++)
        if (!last || s->levels[i].last_ms > last->last_ms)
            last = &s->levels[i];
    return last;
}

/* The storage that was billed last says type and size. */
static void storage_of(struct bill_volume *v, const struct bill_entry *entries)
{
    int64_t at_ms = UNKNOWN;
    for (size_t i = v->first; i < v->first + v->n; i++) {
        const struct bill_sum *s = entries[i].sum;
        if (!is_of_volume(s) || s->usage->component != PRICE_STORAGE)
            continue;
        const struct bill_level *last = last_level(s);
        if (v->spec.type == VOL_TYPE_COUNT || s->last_ms > at_ms) {
            v->spec.type = s->usage->type;
            v->spec.size_gib = last ? last->value : UNKNOWN;
            v->region = s->region;
            at_ms = s->last_ms;
        }
        if (s->first_ms != UNKNOWN && (v->first_ms == UNKNOWN || s->first_ms < v->first_ms))
            v->first_ms = s->first_ms;
        v->last_ms = s->last_ms > v->last_ms ? s->last_ms : v->last_ms;
    }
}

/* What a component of the volume's type was at its end: the sum over its tiers; 0 where none was
 * billed then, UNKNOWN where the bill shows no level. */
static int64_t component_of(const struct bill_volume *v, const struct bill_entry *entries,
                            enum price_component component)
{
    int64_t sum = 0;
    for (size_t i = v->first; i < v->first + v->n; i++) {
        const struct bill_sum *s = entries[i].sum;
        if (!is_of_volume(s) || s->usage->component != component || s->usage->type != v->spec.type)
            continue;
        const struct bill_level *last = last_level(s);
        if (!last && s->amount != 0)
            return UNKNOWN;
        if (last && last->last_ms >= v->last_ms)
            sum += last->value;
    }
    return sum;
}

static void spec_of(const struct catalogue *c, struct bill_volume *v,
                    const struct bill_entry *entries)
{
    storage_of(v, entries);
    enum volume_type type = v->spec.type;
    if (type != VOL_GP3 && type != VOL_IO1 && type != VOL_IO2)
        return;
    int64_t iops = component_of(v, entries, PRICE_IOPS);
    int64_t mibps = component_of(v, entries, PRICE_THROUGHPUT);
    for (size_t i = 0; i < c->n_usage_types && type == VOL_GP3; i++) {
        const struct usage_type *u = &c->usage_types[i];
        if (u->type == type && u->component == PRICE_IOPS && iops != UNKNOWN)
            iops += u->tier_from;
        if (u->type == type && u->component == PRICE_THROUGHPUT && mibps != UNKNOWN)
            mibps += u->tier_from;
    }
    v->spec.iops = iops ? iops : UNKNOWN;
    if (type == VOL_GP3)
        v->spec.throughput_mibps = mibps;
}

static int find_volumes(struct reconciliation *r, const struct bill_entry *entries, struct arena *a,
                        struct bill_volume **out, struct err *e)
{
    struct bill_volume *volumes = arena_array(a, r->n_entries, sizeof *volumes);
    size_t n = 0;
    if (!volumes)
        return err_nomem(e);
    for (size_t i = 0; i < r->n_entries; i++) {
        const struct bill_sum *s = entries[i].sum;
        if (!s->resource[0])
            continue;
        if (!n || !same_volume(&volumes[n - 1], s))
            volumes[n++] = (struct bill_volume){
                .account = s->account,
                .region = s->region,
                .resource = s->resource,
                .month_ms = s->month_ms,
                .month_length_ms = s->month_length_ms,
                .first = i,
                .first_ms = UNKNOWN,
                .last_ms = UNKNOWN,
                .spec = { VOL_TYPE_COUNT, 1, UNKNOWN, UNKNOWN, UNKNOWN },
            };
        volumes[n - 1].n++;
    }
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        spec_of(r->options_used.catalogue, &volumes[i], entries);
        if (volumes[i].spec.type != VOL_TYPE_COUNT)
            volumes[kept++] = volumes[i];
    }
    *out = volumes;
    r->volumes = volumes;
    r->n_volumes = kept;
    return 0;
}

/* --- what lines have in common ---------------------------------------------------------------- */

/* The discount that every priced line shows, of whole hundredths of a percent, of whole percents
 * where there is one line only; NaN. */
static double shared_discount(const struct reconciliation *r, const struct bill_entry *entries)
{
    money billed = 0, listed = 0;
    size_t n = 0;
    for (size_t i = 0; i < r->n_entries; i++)
        if (entries[i].price) {
            n += entries[i].sum->cost != 0;
            billed += entries[i].sum->cost;
            listed += entries[i].expected_cost;
        }
    if (r->options_used.discount_pct > 0 || listed <= 0 || billed <= 0 || billed >= listed)
        return NAN;
    double pct = round((1 - money_double(billed) / money_double(listed)) * 1e4) / 100;
    if (!(pct > 0) || (n == 1 && pct != round(pct)))
        return NAN;
    for (size_t i = 0; i < r->n_entries; i++) {
        const struct bill_entry *x = &entries[i];
        if (!x->price)
            continue;
        money off = x->sum->cost - less_discount(x->expected_cost, pct);
        if ((off < 0 ? -off : off) > bill_rounding(r, x))
            return NAN;
    }
    return pct;
}

static int find_rates(const struct reconciliation *r, const struct bill_entry *entries,
                      struct arena *a, struct bill_context *out, struct err *e)
{
    size_t room = 0;
    struct bill_rate *rates = NULL;
    for (size_t i = 0; i < r->n_entries; i++) {
        const struct bill_entry *x = &entries[i];
        size_t k = 0;
        if (!x->price || x->expected_amount <= 0)
            continue;
        double rate = money_double(x->sum->cost) / money_double(x->expected_amount) /
                      (double)x->sum->per_unit;
        while (k < out->n_rates &&
               (rates[k].usage != x->sum->usage || strcmp(rates[k].region, x->sum->region) != 0))
            k++;
        if (k == room) {
            room = room ? 2 * room : 16;
            rates = arena_grow(a, rates, k, room, sizeof *rates);
            if (!rates)
                return err_nomem(e);
        }
        if (k == out->n_rates)
            rates[out->n_rates++] = (struct bill_rate){ x->sum->usage, x->sum->region, rate, rate };
        rates[k].low = fmin(rates[k].low, rate);
        rates[k].high = fmax(rates[k].high, rate);
    }
    out->rates = rates;
    return 0;
}

static void find_end(struct bill_context *c)
{
    const struct reconciliation *r = c->r;
    c->bill_end_ms = UNKNOWN;
    for (size_t i = 0; i < r->n_entries; i++)
        if (r->entries[i].sum->last_ms > c->bill_end_ms)
            c->bill_end_ms = r->entries[i].sum->last_ms;
    for (size_t i = 0; i < r->n_volumes; i++) {
        c->n_volumes += r->volumes[i].month_ms == r->last_month_ms;
        c->n_end_at_once += r->volumes[i].last_ms == c->bill_end_ms;
    }
}

/* --- the whole ---------------------------------------------------------------------------------
 */

/* Where the history of the volume says that something else was held than the bill shows, that is
 * expected: unless it may have been changed since, or the last line ends in its middle. */
static void expect_by_history(const struct reconciliation *r, const struct bill_volume *v,
                              const struct volume_past *past, struct bill_entry *x)
{
    const struct bill_sum *s = x->sum;
    const struct usage_type *u = s->usage;
    money held;
    if (u->component == PRICE_REQUESTS || v->first_ms == UNKNOWN || s->folded ||
        !volume_past_sum(past, u, x->price->tier_to, v->first_ms, v->last_ms, &held))
        return;
    money amount = money_share(held, MONEY_ONE, s->month_length_ms) / s->per_unit;
    money off = amount - s->amount;
    money slack = s->n_lines * (half_unit(r->sums->amount_decimals) + 1);
    bool agrees = (off < 0 ? -off : off) <= slack;
    bool shrunk = u->component == PRICE_STORAGE && off < -slack;
    if (agrees || shrunk) {
        expect(r, x, amount);
        x->by_history = true;
    }
}

static int judge(const struct bill_context *c, struct bill_entry *entries, struct arena *a,
                 struct err *e)
{
    const struct reconciliation *r = c->r;
    size_t at = 0;
    struct volume_past past = { .now = NULL };
    for (size_t i = 0; i < r->n_entries; i++) {
        struct bill_entry *x = &entries[i];
        while (at < r->n_volumes && r->volumes[at].first + r->volumes[at].n <= i)
            at++;
        bool has_volume = at < r->n_volumes && i >= r->volumes[at].first;
        const struct bill_volume *v = has_volume ? &r->volumes[at] : NULL;
        if (v && i == v->first && r->options_used.histories)
            past = volume_past_of(r->options_used.histories, v->resource);
        if (x->price && v && r->options_used.histories)
            expect_by_history(r, v, &past, x);
        int rc = x->price ? bill_cause_find(c, v, v ? &past : NULL, x, a, e)
                          : bill_cause_unpriced(r, x, a, e);
        if (rc)
            return rc;
    }
    return 0;
}

static void add_up(struct reconciliation *r, struct bill_volume *volumes)
{
    for (size_t i = 0; i < r->n_entries; i++) {
        const struct bill_entry *x = &r->entries[i];
        money cost = x->sum->cost;
        money *apart[] = { NULL, &r->credits, &r->taxes, &r->other };
        if (x->verdict == BILL_APART) {
            *apart[x->sum->kind] += cost;
            continue;
        }
        r->billed += cost;
        if (x->verdict == BILL_NOT_PRICED)
            r->not_priced += cost;
        else if (x->verdict == BILL_EXPLAINED || x->difference < 0)
            r->explained += cost;
        else
            r->explained += x->expected_cost;
        if (x->verdict != BILL_UNEXPLAINED)
            continue;
        r->unexplained += x->difference < 0 ? -x->difference : x->difference;
        r->unbilled += x->difference < 0 ? -x->difference : 0;
    }
    r->answer_is_no = r->unexplained > MONEY_ONE / 200;
    for (size_t i = 0; i < r->n_volumes; i++)
        for (size_t k = volumes[i].first; k < volumes[i].first + volumes[i].n; k++)
            if (r->entries[k].price) {
                const struct bill_entry *x = &r->entries[k];
                volumes[i].cost += x->verdict == BILL_UNEXPLAINED ? x->expected_cost : x->sum->cost;
                volumes[i].list_cost += price_of(&r->entries[k], r->entries[k].expected_amount);
            }
}

static int decimals_shown(const struct bill_sums *s)
{
    int least = s->cost_decimals_written < 2 ? s->cost_decimals_written : 2;
    return s->cost_decimals > least ? s->cost_decimals : least;
}

static void months_of(struct reconciliation *r)
{
    r->first_month_ms = r->last_month_ms = UNKNOWN;
    for (size_t i = 0; i < r->n_entries; i++) {
        int64_t m = r->entries[i].sum->month_ms;
        if (m != UNKNOWN && r->first_month_ms == UNKNOWN)
            r->first_month_ms = m;
        if (m != UNKNOWN)
            r->last_month_ms = m;
    }
}

int reconcile(const struct bill_sums *sums, const struct reconcile_options *o, struct arena *a,
              struct reconciliation *out, struct err *e)
{
    struct reconciliation r = {
        .sums = sums, .options_used = *o, .n_entries = sums->n, .price_as_of_ms = UNKNOWN
    };
    struct bill_context c = { .r = &r };
    struct bill_entry *entries = arena_array(a, sums->n, sizeof *entries);
    struct bill_volume *volumes = NULL;
    if (!entries)
        return err_nomem(e);
    r.entries = entries;
    r.decimals = decimals_shown(sums);
    for (size_t i = 0; i < sums->n; i++) {
        entries[i].sum = bill_sums_at(sums, i);
        price_entry(&r, &entries[i]);
    }
    if (sums->n)
        qsort(entries, sums->n, sizeof *entries, entry_order);
    months_of(&r);
    r.shared_discount_pct = shared_discount(&r, entries);
    int rc = find_volumes(&r, entries, a, &volumes, e);
    if (!rc)
        rc = find_rates(&r, entries, a, &c, e);
    if (rc)
        return rc;
    find_end(&c);
    rc = judge(&c, entries, a, e);
    if (rc)
        return rc;
    add_up(&r, volumes);
    *out = r;
    return 0;
}
