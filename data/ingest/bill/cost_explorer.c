/* data/ingest/bill/cost_explorer.c - Cost Explorer, and monthly summaries made of it.
 *
 * The CSV has a row per day or month and a column per group: the first heading says by what it is
 * grouped, the others end in the currency, "EC2-Other($)".  Grouped by usage type, its EBS columns
 * become bill lines; grouped by service, "EC2-Other" does, in which EBS hides together with NAT
 * gateways and data transfer.  The row "... total" and the column of totals are not read. */
#include "data/ingest/bill/bill.h"
#include "data/ingest/bill/bill_row.h"
#include "data/ingest/bill/bill_usage.h"
#include "data/ingest/json/json_doc.h"
#include "models/core/timestamp.h"

#include <string.h>

static const struct bill_dialect summary = {
    .headings = {
        [BILL_USAGE_TYPE] = { "usage_type", NULL },
        [BILL_START] = { "invoice_month", "start_date" },
        [BILL_END] = { "end_date", NULL },
        [BILL_ACCOUNT] = { "linked_account_id", NULL },
        [BILL_REGION] = { "region", NULL },
        [BILL_RESOURCE] = { "resource_id", NULL },
        [BILL_OPERATION] = { "operation", NULL },
        [BILL_UNIT] = { "unit", NULL },
        [BILL_AMOUNT] = { "usage_quantity", NULL },
        [BILL_COST] = { "cost_usd", NULL },
    },
    .currency = "USD",
};

/* Netflix Ice; it has no currency and no dates. */
static const struct bill_dialect ice = {
    .headings = {
        [BILL_USAGE_TYPE] = { "usageType", NULL },
        [BILL_ACCOUNT] = { "account", NULL },
        [BILL_REGION] = { "region", NULL },
        [BILL_OPERATION] = { "operation", NULL },
        [BILL_UNIT] = { "usageUnits", NULL },
        [BILL_COST] = { "data", NULL },
    },
};

static bool is_summary(struct span head)
{
    return csv_head_has(head, "usage_type") && csv_head_has(head, "cost_usd");
}

static bool is_ice(struct span head)
{
    return csv_head_has(head, "usageType") && csv_head_has(head, "usageUnits") &&
           csv_head_has(head, "data");
}

/* "EC2-Other($)": the name and the currency of a column; non-zero for another heading. */
static int split_heading(struct span heading, struct span *name, struct span *currency)
{
    size_t open = heading.len;
    if (!span_ends(heading, ")"))
        return -1;
    while (open > 0 && heading.ptr[open - 1] != '(')
        open--;
    if (open < 2)
        return -1;
    *name = span_trim(span_cut(heading, 0, open - 1));
    *currency = span_trim(span_cut(heading, open, heading.len - 1));
    if (span_is(*currency, "$"))
        *currency = SPAN_LIT("USD");
    return name->len && currency->len ? 0 : -1;
}

static bool is_wide(struct span head)
{
    struct span line, heading = { 0 }, name, currency;
    if (span_field(&head, '\n', &line))
        return false;
    line = span_trim(line);
    while (span_field(&line, ',', &heading) == 0)
        continue;
    heading = span_trim(heading);
    if (heading.len > 1 && heading.ptr[0] == '"')
        heading = span_cut(heading, 1, heading.len - 1);
    return split_heading(heading, &name, &currency) == 0 && span_starts(name, "Total cost");
}

int cost_explorer_detect(struct span head)
{
    if (json_head_has(head, "ResultsByTime"))
        return 95;
    if (is_summary(head) || is_ice(head))
        return 70;
    return is_wide(head) ? 90 : 0;
}

/* --- the CSV -------------------------------------------------------------------------------- */

/* A row is held until the next one tells where its period ends. */
struct wide {
    struct csv csv;
    struct span *usage_types; /* by column; empty = not read */
    struct bill_line *held;   /* by column; line 0 = nothing */
    int64_t held_ms, step_ms; /* start of the held row, length of the one before */
    char currency[BILL_CURRENCY_MAX];
};

static int open_wide(struct feed *f, struct wide *w)
{
    struct span group = w->csv.names[0];
    bool by_usage = span_eq_nocase(group, SPAN_LIT("Usage type"));
    size_t n_read = 0;
    w->usage_types = arena_array(f->arena, w->csv.n_columns, sizeof *w->usage_types);
    w->held = arena_array(f->arena, w->csv.n_columns, sizeof *w->held);
    if (!w->usage_types || !w->held)
        return err_nomem(f->err);
    for (size_t i = 1; i < w->csv.n_columns; i++) {
        struct span name, currency;
        if (split_heading(w->csv.names[i], &name, &currency))
            return feed_fault(f, w->csv.line, "column '%.*s': a currency was expected at its end",
                              SPAN_ARG(w->csv.names[i]));
        int rc = bill_same_currency(f, w->currency, currency, w->csv.line);
        if (rc)
            return rc;
        bool wanted = by_usage ? bill_usage_is_ebs(name) : span_is(name, "EC2-Other");
        if (!wanted)
            continue;
        w->usage_types[i] = name;
        n_read++;
    }
    if (!n_read)
        return feed_warn(f, w->csv.line,
                         "grouped by '%.*s', without a column of EBS; group by "
                         "usage type",
                         SPAN_ARG(group));
    if (!by_usage)
        return feed_warn(f, w->csv.line,
                         "grouped by '%.*s': EC2-Other holds EBS, NAT gateways and data transfer; "
                         "group by usage type",
                         SPAN_ARG(group));
    return 0;
}

/* Hands over the held row, whose period ends at end_ms. */
static int release_held(struct feed *f, struct wide *w, int64_t end_ms)
{
    int rc = 0;
    for (size_t i = 1; i < w->csv.n_columns && !rc; i++) {
        if (!w->held[i].line)
            continue;
        w->held[i].end_ms = end_ms;
        rc = feed_bill_line(f, &w->held[i]);
        w->held[i].line = 0;
    }
    return rc;
}

static int hold_row(struct feed *f, struct wide *w, int64_t start_ms)
{
    for (size_t i = 1; i < w->csv.n_columns; i++) {
        struct span text = span_trim(w->csv.fields[i]), s = text;
        struct bill_line *l = &w->held[i];
        if (!w->usage_types[i].len) {
            f->skipped++;
            continue;
        }
        *l = (struct bill_line){
            .start_ms = start_ms,
            .usage_type = w->usage_types[i],
            .currency = span_of(w->currency),
        };
        if (!text.len)
            continue; /* nothing was billed */
        if (money_parse(&s, &l->cost, NULL, &l->cost_decimals) || s.len)
            return feed_fault(f, w->csv.line, "column '%.*s': bad value '%.*s'",
                              SPAN_ARG(w->csv.names[i]), SPAN_ARG(text));
        l->has_cost = true;
        l->line = w->csv.line;
    }
    w->held_ms = start_ms;
    return 0;
}

static int read_wide_row(struct feed *f, struct wide *w)
{
    struct span text = span_trim(w->csv.fields[0]), s = text;
    int64_t start_ms;
    if (w->csv.fault || w->csv.n_fields != w->csv.n_columns)
        return feed_fault(f, w->csv.line, "%zu fields, the heading has %zu", w->csv.n_fields,
                          w->csv.n_columns);
    if (time_parse_date(&s, &start_ms) || s.len) {
        f->skipped++;
        if (span_ends(text, " total"))
            return 0;
        return feed_warn(f, w->csv.line, "'%.*s' is no day; the row is skipped", SPAN_ARG(text));
    }
    if (w->held_ms != UNKNOWN) {
        if (start_ms <= w->held_ms)
            return feed_fault(f, w->csv.line, "the day '%.*s' is not after the one before",
                              SPAN_ARG(text));
        w->step_ms = start_ms - w->held_ms;
        int rc = release_held(f, w, start_ms);
        if (rc)
            return rc;
    }
    return hold_row(f, w, start_ms);
}

/* The last period is as long as the one before it: a day, or a month. */
static int64_t last_end(const struct wide *w)
{
    if (w->held_ms == UNKNOWN || w->step_ms == UNKNOWN)
        return UNKNOWN;
    return w->step_ms >= 28 * DAY_MS ? time_month_end(w->held_ms) : w->held_ms + w->step_ms;
}

static int read_wide(struct feed *f)
{
    struct wide w = { .held_ms = UNKNOWN, .step_ms = UNKNOWN };
    int more = csv_open(&w.csv, f->src, ',', f->arena, f->err);
    if (more < 0)
        return more;
    int rc = more ? open_wide(f, &w) : feed_fault(f, 1, "the file is empty");
    while (!rc && (more = csv_next(&w.csv, f->err)) == 1)
        rc = read_wide_row(f, &w);
    if (!rc && more < 0)
        rc = more;
    return rc ? rc : release_held(f, &w, last_end(&w));
}

/* --- the JSON of get-cost-and-usage ---------------------------------------------------------- */

enum { GROUPS_MAX = 2 }; /* the API allows two */

struct json_report {
    struct span key[GROUPS_MAX]; /* of GroupDefinitions: USAGE_TYPE, SERVICE ... */
    int n;
    char currency[BILL_CURRENCY_MAX];
    int64_t n_other;
};

static int read_definition(struct feed *f, const cJSON *definition, int64_t line, void *ctx)
{
    struct json_report *w = ctx;
    struct span key = json_text(definition, "Key");
    if (w->n == GROUPS_MAX)
        return feed_fault(f, line, "more than %d GroupDefinitions", GROUPS_MAX);
    char *copy = arena_strndup(f->arena, key.len ? key.ptr : "", key.len);
    if (!copy)
        return err_nomem(f->err);
    bool dimension = span_is(json_text(definition, "Type"), "DIMENSION");
    w->key[w->n++] = dimension ? span_of(copy) : (struct span){ 0 };
    return 0;
}

/* {"Amount":"40.35","Unit":"USD"}; the amounts are texts.  0 when it is not there. */
static int read_metric(struct feed *f, const cJSON *metrics, const char *name, int64_t line,
                       money *out, bool *has, int *decimals)
{
    const cJSON *metric = cJSON_GetObjectItemCaseSensitive(metrics, name);
    struct span text = json_text(metric, "Amount"), s = text;
    if (!text.len)
        return 0;
    if (money_parse(&s, out, NULL, decimals) || s.len)
        return feed_fault(f, line, "%s: bad Amount '%.*s'", name, SPAN_ARG(text));
    *has = true;
    return 0;
}

static int read_group(struct feed *f, struct json_report *w, const cJSON *group,
                      struct bill_line *l)
{
    const cJSON *keys = cJSON_GetObjectItemCaseSensitive(group, "Keys");
    const cJSON *metrics = cJSON_GetObjectItemCaseSensitive(group, "Metrics");
    const cJSON *key = keys ? keys->child : NULL;
    for (int i = 0; key && i < w->n; i++, key = key->next) {
        struct span text = span_of(cJSON_GetStringValue(key));
        if (span_is(w->key[i], "USAGE_TYPE"))
            l->usage_type = text;
        else if (span_is(w->key[i], "LINKED_ACCOUNT"))
            l->account = text;
        else if (span_is(w->key[i], "REGION"))
            l->region = text;
        else if (span_is(w->key[i], "OPERATION"))
            l->operation = text;
        else if (span_is(w->key[i], "RESOURCE_ID"))
            l->resource = text;
    }
    if (!bill_usage_is_ebs(l->usage_type)) {
        f->skipped++;
        w->n_other++;
        return 0;
    }
    int decimals;
    l->unit = json_text(cJSON_GetObjectItemCaseSensitive(metrics, "UsageQuantity"), "Unit");
    l->currency = json_text(cJSON_GetObjectItemCaseSensitive(metrics, "UnblendedCost"), "Unit");
    int rc =
        read_metric(f, metrics, "UsageQuantity", l->line, &l->amount, &l->has_amount, &decimals);
    if (!rc)
        rc = read_metric(f, metrics, "UnblendedCost", l->line, &l->cost, &l->has_cost,
                         &l->cost_decimals);
    if (!rc)
        rc = bill_same_currency(f, w->currency, l->currency, l->line);
    return rc ? rc : feed_bill_line(f, l);
}

static int read_period(struct feed *f, const cJSON *result, int64_t line, void *ctx)
{
    struct json_report *w = ctx;
    const cJSON *period = cJSON_GetObjectItemCaseSensitive(result, "TimePeriod");
    const cJSON *groups = cJSON_GetObjectItemCaseSensitive(result, "Groups");
    struct span start = json_text(period, "Start"), end = json_text(period, "End");
    int64_t start_ms, end_ms;
    bool zoned;
    int rc = 0;
    if (time_parse_iso(&start, &start_ms, &zoned) || time_parse_iso(&end, &end_ms, &zoned))
        return feed_fault(f, line, "a result without a readable TimePeriod");
    const cJSON *group;
    cJSON_ArrayForEach(group, groups)
    {
        struct bill_line l = { .start_ms = start_ms, .end_ms = end_ms, .line = line };
        if (!rc)
            rc = read_group(f, w, group, &l);
    }
    return rc;
}

static int read_json(struct feed *f)
{
    struct json_cursor c;
    struct json_value doc, list;
    struct json_report w = { .n = 0 };
    int rc = json_document(f, &c), more = 0;
    while (!rc && (more = json_next_document(f, &c, &doc)) == 1) {
        w.n = 0;
        if (json_member(doc, "GroupDefinitions", &list))
            rc = json_each(f, list, read_definition, &w);
        if (!rc && !json_member(doc, "ResultsByTime", &list))
            rc = feed_fault(f, doc.line, "no ResultsByTime in the JSON");
        if (!rc)
            rc = json_each(f, list, read_period, &w);
    }
    if (rc || more < 0)
        return rc ? rc : more;
    if (f->rows)
        return 0;
    return feed_warn(f, 0,
                     "no costs of EBS usage types (%lld groups of others); group by "
                     "USAGE_TYPE",
                     (long long)w.n_other);
}

static int read_any(struct feed *f)
{
    struct span head;
    int rc = source_head(f->src, &head, f->err);
    if (rc)
        return rc;
    if (json_head_has(head, "ResultsByTime"))
        return read_json(f);
    if (is_summary(head))
        return bill_rows_read(f, &summary);
    return is_ice(head) ? bill_rows_read(f, &ice) : read_wide(f);
}

int cost_explorer_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                       struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_any);
}
