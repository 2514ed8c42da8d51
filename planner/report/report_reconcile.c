/* planner/report/report_reconcile.c - see report_reconcile.h. */
#include "planner/report/report_reconcile.h"

#include "models/core/timestamp.h"
#include "planner/report/emit_option.h"
#include "planner/report/report_waste.h"

#include <stdio.h>
#include <string.h>

/* Lines with a cause that people are shown. */
enum { LINES_SHOWN = 20 };

static const char *const verdicts[] = { [BILL_EXPLAINED] = "explained",
                                        [BILL_UNEXPLAINED] = "unexplained",
                                        [BILL_NOT_PRICED] = "not_priced",
                                        [BILL_APART] = "apart" };

/* --- the answer ------------------------------------------------------------------------------- */

/* "4 812.44"; the decimals of the bill where cents do not show it. */
static char *usd_words(char buf[64], const struct reconciliation *r, money m)
{
    money half_cent = MONEY_ONE / 200, size = m < 0 ? -m : m;
    if (size && size < half_cent)
        return money_format(buf, m, r->decimals);
    return unit_format(buf, money_double(m), 2);
}

static char *month_words(char buf[48], int64_t month_ms)
{
    static const char *const names[] = { "January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December" };
    if (month_ms == UNKNOWN) {
        snprintf(buf, 48, "a bill without dates");
        return buf;
    }
    struct civil c = time_to_civil(month_ms);
    snprintf(buf, 48, "%s %04d", names[c.month - 1], c.year);
    return buf;
}

static bool any_lower_bound(const struct waste *w)
{
    for (size_t i = 0; i < w->n_volumes; i++)
        if (w->volumes[i].lower_bound)
            return true;
    return false;
}

static bool any_least_gp3(const struct waste *w)
{
    for (size_t i = 0; i < w->n_volumes; i++)
        if (w->volumes[i].equal_gp3_is_least)
            return true;
    return false;
}

static void say_answer(struct emit *m, const struct reconciliation *r, const struct waste *w)
{
    char first[48], last[48], billed[64], explained[64], unexplained[64], open[64], over[48];
    char other[120] = "", waste[120] = "";
    bool several = r->first_month_ms != r->last_month_ms;
    if (!r->n_entries) {
        emit_say(m, "The bill has no lines of EBS%s.",
                 r->sums->n_left_out ? " in that month and account" : "");
        return;
    }
    if (r->not_priced)
        snprintf(other, sizeof other, ", %s without a price in the catalogue",
                 usd_words(open, r, r->not_priced));
    if (w->overprovisioned_microusd != UNKNOWN && w->overprovisioned_microusd > 0)
        snprintf(waste, sizeof waste, "; %s%s of it was not needed",
                 any_lower_bound(w) ? "up to " : "",
                 unit_format_usd(over, w->overprovisioned_microusd));
    emit_say(m, "%s%s%s: %s USD billed for EBS, %s explained, %s unexplained%s%s.",
             month_words(first, r->first_month_ms), several ? " to " : "",
             several ? month_words(last, r->last_month_ms) : "", usd_words(billed, r, r->billed),
             usd_words(explained, r, r->explained), usd_words(unexplained, r, r->unexplained),
             other, waste);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void emit_money(struct emit *m, const char *key, money v, int decimals)
{
    char digits[64];
    emit_decimal(m, key, money_format(digits, v, decimals));
}

static void emit_amount(struct emit *m, const char *key, bool known, money v)
{
    char digits[64];
    if (known)
        emit_decimal(m, key, money_exact(digits, v));
    else
        emit_null(m, key);
}

static const char *or_null(const char *text)
{
    return text && text[0] ? text : NULL;
}

static void put_line_cells(struct emit *m, const struct reconciliation *r,
                           const struct bill_entry *x)
{
    char usd[64];
    bool priced = x->price != NULL;
    emit_cell(m, "what", "%s", x->sum->resource[0] ? x->sum->resource : "-");
    emit_cell(m, "usage", "%s", x->sum->usage ? x->sum->usage->what : x->sum->usage_type);
    emit_cell(m, "billed", "%s", usd_words(usd, r, x->sum->cost));
    emit_cell(m, "expected", "%s", priced ? usd_words(usd, r, x->expected_cost) : "-");
    emit_cell(m, "difference", "%s",
              priced && x->verdict == BILL_UNEXPLAINED ? usd_words(usd, r, x->difference)
              : priced                                 ? "0"
                                                       : "-");
    emit_cell(m, "why", "%s%s", x->verdict == BILL_UNEXPLAINED ? "UNEXPLAINED: " : "",
              x->cause ? x->cause : "");
}

static void emit_line(struct emit *m, const struct reconciliation *r, const struct bill_entry *x)
{
    const struct bill_sum *s = x->sum;
    bool priced = x->price != NULL;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "resource", or_null(s->resource));
    emit_text(m, "usage_type", s->usage_type);
    emit_amount(m, "billed_amount", s->n_without_amount < s->n_lines, s->amount);
    emit_amount(m, "expected_amount", priced, x->expected_amount);
    emit_text(m, "unit", or_null(s->unit));
    emit_money(m, "billed_usd", s->cost, r->decimals);
    if (priced) {
        emit_money(m, "expected_usd", x->expected_cost, r->decimals);
        emit_money(m, "difference_usd", x->difference, r->decimals);
    } else {
        emit_null(m, "expected_usd");
        emit_null(m, "difference_usd");
    }
    emit_text(m, "cause", x->cause);
    emit_text(m, "verdict", verdicts[x->verdict]);
    emit_text(m, "account", or_null(s->account));
    emit_text(m, "region", s->region);
    emit_text(m, "line_type", or_null(s->line_type));
    emit_date(m, "month", s->month_ms);
    emit_int(m, "lines", UNIT_COUNT, s->n_lines);
    put_line_cells(m, r, x);
    emit_end(m);
}

/* What people are shown first: what is open, then what has something to say; -1 = not at all. */
static int rank_of(const struct bill_entry *x)
{
    return x->verdict == BILL_UNEXPLAINED                                                        ? 0
           : x->cause && x->price && x->sum->cost && !span_starts(span_of(x->cause), "rounding") ? 1
           : x->verdict == BILL_APART                                                            ? 2
                                      : -1;
}

static size_t emit_lines_for_people(struct emit *m, const struct reconciliation *r)
{
    size_t shown = 0, all = 0;
    for (int rank = 0; rank <= 2; rank++)
        for (size_t i = 0; i < r->n_entries; i++) {
            if (rank_of(&r->entries[i]) != rank)
                continue;
            all++;
            if (shown < LINES_SHOWN) {
                emit_line(m, r, &r->entries[i]);
                shown++;
            }
        }
    return all - shown;
}

static bool has_lines_for_people(const struct reconciliation *r)
{
    for (size_t i = 0; i < r->n_entries; i++)
        if (rank_of(&r->entries[i]) >= 0)
            return true;
    return false;
}

static void emit_lines(struct emit *m, const struct reconciliation *r)
{
    static const struct emit_col cols[] = {
        { "what", "volume", true },      { "usage", "for", true },
        { "billed", "USD", false },      { "expected", "expected", false },
        { "difference", "open", false }, { "why", "because", true },
    };
    size_t left = 0;
    if (m->people && !has_lines_for_people(r))
        return;
    emit_table(m, "lines", cols, sizeof cols / sizeof *cols);
    if (m->people)
        left = emit_lines_for_people(m, r);
    else
        for (size_t i = 0; i < r->n_entries; i++)
            emit_line(m, r, &r->entries[i]);
    emit_end(m);
    if (left)
        emit_say(m, "%zu more lines: --json or --csv", left);
}

/* --- what is worth a word --------------------------------------------------------------------- */

enum { SAID_MAX = 5 };

/* before: the one told last, of the same group or another; NULL. */
static void say_volume(struct emit *m, const struct waste_volume *v,
                       const struct waste_volume *before, size_t *said)
{
    char requests[48], iops[48], of[48], usd[48], spec[96];
    const struct bill_volume *b = v->billed;
    /* Logs are written to be read by nobody, if all goes well. */
    bool holds_logs = v->demand && (v->demand->group->role == ROLE_REDO ||
                                    v->demand->group->role == ROLE_ARCHIVE);
    if (v->unattached && (*said)++ < SAID_MAX)
        emit_label(m, "forgotten", "%s is attached to nothing: %s USD a month", b->resource,
                   unit_format_usd(usd, v->paid_microusd));
    else if (v->never_read && !holds_logs && (*said)++ < SAID_MAX)
        emit_label(m, "forgotten", "%s was never read while it was measured: %s USD a month",
                   b->resource, unit_format_usd(usd, v->paid_microusd));
    bool provisioned = b->spec.type == VOL_IO1 || b->spec.type == VOL_IO2;
    if (provisioned && v->iops_used_pct < 50 && (*said)++ < SAID_MAX)
        emit_label(m, "IOPS", "%s: %s%s requests/s, counted as %s, of %s IOPS: %s", b->resource,
                   v->lower_bound ? "at least " : "", rate_words(requests, v->demand->total_iops),
                   rate_words(iops, v->demand->demand.counted_iops),
                   unit_format(of, (double)b->spec.iops, 0),
                   v->demand->demand.total_mibps > 250 ? "they were bought for throughput"
                                                       : "never approached");
    bool group_told = before && before->group == v->group;
    if (v->equal_gp3.count && v->needed.count && !group_told && (*said)++ < SAID_MAX)
        emit_label(m, "gp3", "%s as fast as %s is for %s USD less a month",
                   volume_spec_format(spec, &v->equal_gp3), b->resource,
                   unit_format_usd(usd, v->equal_gp3_saving_microusd));
}

static void say_prices(struct emit *m, const struct waste *w)
{
    int64_t headroom = 0, peak = 0, hour = 0;
    size_t n = 0, n_hours = 0;
    const char *last = NULL;
    for (size_t i = 0; i < w->n_volumes; i++) {
        const struct waste_volume *v = &w->volumes[i];
        if (v->headroom_microusd == UNKNOWN || v->peak_microusd == UNKNOWN ||
            (last && v->group == last))
            continue;
        last = v->group;
        headroom += v->headroom_microusd;
        peak += v->peak_microusd;
        n_hours += v->peak_hour_microusd != UNKNOWN;
        hour += v->peak_hour_microusd != UNKNOWN ? v->peak_hour_microusd : 0;
        n++;
    }
    char usd[48], pct[48], other[48];
    if (!n)
        return;
    bool asked = w->options_used.headroom_pct > 0;
    emit_label(m, "headroom", "%s %% of it %s %s USD a month; what lies above p99, %s",
               asked ? rate_words(pct, w->options_used.headroom_pct) : "20",
               asked ? "cost" : "would cost", unit_format_usd(usd, headroom),
               unit_format_usd(other, peak));
    if (n_hours)
        emit_label(m, "peak hour",
                   "%s USD a month is for the hour of the day of each group's maximum, on all days",
                   unit_format_usd(usd, hour));
}

/* What has no price, by usage type. */
static void say_not_priced(struct emit *m, const struct reconciliation *r)
{
    enum { KINDS = 8 };
    const struct usage_type *seen[KINDS];
    size_t n = 0;
    for (size_t i = 0; i < r->n_entries && n < KINDS; i++) {
        const struct bill_entry *x = &r->entries[i];
        bool known = x->verdict != BILL_NOT_PRICED;
        for (size_t k = 0; k < n; k++)
            known |= seen[k] == x->sum->usage;
        if (known)
            continue;
        money sum = 0;
        int64_t lines = 0;
        for (size_t k = i; k < r->n_entries; k++)
            if (r->entries[k].verdict == BILL_NOT_PRICED &&
                r->entries[k].sum->usage == x->sum->usage) {
                sum += r->entries[k].sum->cost;
                lines += r->entries[k].sum->n_lines;
            }
        char usd[64];
        const char *what = x->sum->usage ? x->sum->usage->what : x->sum->usage_type;
        size_t told = strlen(what);
        bool repeats = strncmp(x->cause, what, told) == 0 && x->cause[told] == ':';
        seen[n++] = x->sum->usage;
        emit_label(m, "no price", "%s USD in %lld line%s of %s: %s", usd_words(usd, r, sum),
                   (long long)lines, lines == 1 ? "" : "s", what,
                   repeats ? x->cause + told + 2 : x->cause);
    }
}

static void say_month(struct emit *m, const struct reconciliation *r)
{
    char hours[48], day[32];
    int64_t month_ms = r->last_month_ms;
    if (month_ms == UNKNOWN)
        return;
    double h = (double)(time_month_end(month_ms) - month_ms) / 3600000;
    emit_label(m, "month", "%s hours, as the bill counts them (a month of a plan has 730)",
               unit_format(hours, h, 0));
    if (r->price_as_of_ms != UNKNOWN)
        emit_label(m, "prices", "list prices as of %s", time_format_date(day, r->price_as_of_ms));
}

static void say_apart(struct emit *m, const struct reconciliation *r)
{
    char credits[64], taxes[64], other[64];
    if (r->credits || r->taxes || r->other)
        emit_label(m, "apart", "credits %s, taxes %s, fees %s USD: in none of the sums above",
                   usd_words(credits, r, r->credits), usd_words(taxes, r, r->taxes),
                   usd_words(other, r, r->other));
}

/* The dearest; the others are like it, or cheaper. */
static void say_standbys(struct emit *m, const struct standby_prices *s)
{
    const struct standby_price *most = NULL;
    char here[48], host[48];
    for (size_t i = 0; i < s->n; i++)
        if (s->at[i].here_microusd != UNKNOWN &&
            (!most || s->at[i].here_microusd > most->here_microusd))
            most = &s->at[i];
    if (most)
        emit_label(m, "a standby",
                   "of %s costs up to %s USD a month here, and %s for the volumes of its own host",
                   most->system, unit_format_usd(here, most->here_microusd),
                   unit_format_usd(host, most->host_microusd));
}

static void say_rest(struct emit *m, const struct reconciliation *r, const struct waste *w,
                     const struct standby_prices *standbys)
{
    char pct[48];
    size_t said = 0;
    if (!m->people || !r->n_entries)
        return;
    emit_say(m, "%s", "");
    for (size_t i = 0; i < w->n_volumes; i++)
        say_volume(m, &w->volumes[i], i ? &w->volumes[i - 1] : NULL, &said);
    say_prices(m, w);
    say_standbys(m, standbys);
    if (r->sums->n_left_out)
        emit_label(m, "left out", "%lld lines of other months or accounts",
                   (long long)r->sums->n_left_out);
    say_not_priced(m, r);
    say_apart(m, r);
    if (!isnan(r->shared_discount_pct))
        emit_label(m, "discount", "%s %% less than list on every priced line",
                   unit_format(pct, r->shared_discount_pct, 2));
    say_month(m, r);
    if (any_lower_bound(w))
        emit_label(
            m, "at least",
            "what is marked >= was measured at a ceiling, or in requests or MiB/s alone: the "
            "true need may be higher; step up, measure a peak, then reduce");
    if (any_least_gp3(w))
        emit_label(m, "at least",
                   "gp3 marked >= has the IOPS of the io1 or io2, whose throughput was not "
                   "measured: it may carry more than gp3 then does");
    if (w->n_measured)
        emit_label(m, "sure", "%zu of %zu volumes were measured%s", w->n_measured, w->n_volumes,
                   w->n_measured < w->n_volumes ? "; nothing is said of what the others need" : "");
    else if (w->n_volumes)
        emit_label(m, "sure",
                   "no volume was measured: volplan ingest their load, or name their ids in the "
                   "layout, to see what was needed");
    emit_label(m, "next", "%s",
               r->unexplained ? "volplan reconcile --json ... shows every line with its amounts"
                              : "volplan plan");
}

/* --- the whole ---------------------------------------------------------------------------------
 */

static void emit_totals(struct emit *m, const struct reconciliation *r, const struct waste *w)
{
    const struct {
        const char *key;
        money v;
    } sums[] = { { "billed_usd", r->billed },
                 { "explained_usd", r->explained },
                 { "unexplained_usd", r->unexplained },
                 { "unbilled_usd", r->unbilled },
                 { "not_priced_usd", r->not_priced },
                 { "credits_usd", r->credits },
                 { "taxes_usd", r->taxes },
                 { "fees_usd", r->other } };
    emit_begin(m, "totals", EMIT_OBJECT);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        emit_money(m, sums[i].key, sums[i].v, r->decimals);
    emit_usd(m, "needed_usd", w->needed_microusd);
    emit_usd(m, "overprovisioned_usd", w->overprovisioned_microusd);
    emit_int(m, "lines", UNIT_COUNT, r->sums->n_lines);
    emit_end(m);
}

static void emit_standbys(struct emit *m, const struct standby_prices *s)
{
    emit_begin(m, "standbys", EMIT_LIST);
    for (size_t i = 0; i < s->n; i++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "system", s->at[i].system);
        emit_text(m, "name", s->at[i].name);
        emit_usd(m, "here_usd", s->at[i].here_microusd);
        emit_usd(m, "host_usd", s->at[i].host_microusd);
        emit_end(m);
    }
    emit_end(m);
}

void report_reconcile(struct emit *m, const struct reconciliation *r, const struct waste *w,
                      const struct standby_prices *standbys)
{
    double month_h = r->last_month_ms == UNKNOWN
                         ? NAN
                         : (double)(time_month_end(r->last_month_ms) - r->last_month_ms) / 3600000;
    say_answer(m, r, w);
    emit_date(m, "first_month", r->first_month_ms);
    emit_date(m, "last_month", r->last_month_ms);
    emit_num(m, "month_hours", UNIT_NONE, month_h);
    emit_date(m, "price_as_of", r->price_as_of_ms);
    emit_num(m, "discount_pct", UNIT_PCT, r->options_used.discount_pct);
    emit_num(m, "shared_discount_pct", UNIT_PCT, r->shared_discount_pct);
    if (m->people && r->n_entries)
        emit_say(m, "%s", "");
    if (!m->people)
        emit_lines(m, r);
    if (!m->people || waste_rows(w))
        emit_waste_volumes(m, w);
    if (m->people && waste_rows(w) && has_lines_for_people(r))
        emit_say(m, "%s", "");
    if (m->people)
        emit_lines(m, r);
    emit_standbys(m, standbys);
    emit_totals(m, r, w);
    say_rest(m, r, w, standbys);
}
