/* data/ingest/bill/bill_row.c - see bill_row.h.
 *
 * The usage type is looked at first: nine of ten lines of a real report are not of EBS and
 * cost only their split.  A row that cannot be read is skipped with a warning; the rest of the
 * bill still adds up, and the warning says what is missing. */
#include "data/ingest/bill/bill_row.h"

#include "data/ingest/bill/bill_usage.h"
#include "models/core/timestamp.h"

#include <string.h>

/* The largest volume there is: 64 TiB. */
enum { VOLUME_GIB_MAX = 65536 };

struct bill {
    struct csv csv;
    const struct bill_dialect *dialect;
    ptrdiff_t column[BILL_COLUMN_COUNT][2];
    char currency[BILL_CURRENCY_MAX];
    bool described_warned, rounded_warned, size_warned;
    int64_t n_other;
};

/* A field; "NULL" is how FOCUS spells nothing. */
static struct span plain_field(const struct csv *c, ptrdiff_t column)
{
    struct span s = span_trim(csv_field(c, column));
    if (span_is(s, "NULL"))
        return (struct span){ 0 };
    return s;
}

static struct span field(const struct bill *b, enum bill_column column)
{
    struct span s = plain_field(&b->csv, b->column[column][0]);
    return s.len ? s : plain_field(&b->csv, b->column[column][1]);
}

static bool has_column(const struct bill *b, enum bill_column column)
{
    return b->column[column][0] >= 0 || b->column[column][1] >= 0;
}

int bill_same_currency(struct feed *f, char seen[BILL_CURRENCY_MAX], struct span currency,
                       int64_t line)
{
    if (!currency.len)
        return 0;
    if (currency.len >= BILL_CURRENCY_MAX)
        return feed_fault(f, line, "bad currency '%.*s'", SPAN_ARG(currency));
    if (!seen[0]) {
        memcpy(seen, currency.ptr, currency.len);
        seen[currency.len] = '\0';
    }
    if (span_is(currency, seen))
        return 0;
    return feed_fault(f, line, "currency %.*s after %s: a bill of mixed currencies is refused",
                      SPAN_ARG(currency), seen);
}

/* 0 = read or empty, 1 = no number, negative = error. */
static int read_money(struct feed *f, struct bill *b, enum bill_column column, money *out,
                      bool *has, int *decimals)
{
    struct span text = field(b, column), s = text;
    bool rounded = false;
    if (!text.len)
        return 0;
    if (money_parse(&s, out, &rounded, decimals) || s.len)
        return 1;
    *has = true;
    if (!rounded || b->rounded_warned)
        return 0;
    b->rounded_warned = true;
    return feed_warn(f, b->csv.line, "'%.*s' has more than 12 decimals; such are rounded there",
                     SPAN_ARG(text));
}

/* A day or an instant in UTC; "2022-03" is the month, whose end goes to *end_ms too. */
static int read_time(struct feed *f, struct bill *b, enum bill_column column, int64_t *out_ms,
                     int64_t *end_ms)
{
    struct span text = field(b, column), s = text;
    bool zoned;
    char day[11] = "YYYY-MM-01";
    if (!text.len)
        return 0;
    if (text.len == 7) {
        memcpy(day, text.ptr, 7);
        s = span_of(day);
    }
    if (time_parse_iso(&s, out_ms, &zoned) || s.len) {
        *out_ms = UNKNOWN;
        return feed_warn(f, b->csv.line, "bad time '%.*s'", SPAN_ARG(text));
    }
    if (text.len == 7)
        *end_ms = time_month_end(*out_ms);
    return 0;
}

/* The usage type of the row; read from the description where there is none. */
static int read_usage_type(struct feed *f, struct bill *b, struct span *out)
{
    *out = field(b, BILL_USAGE_TYPE);
    if (out->len || b->column[BILL_DESCRIPTION][0] < 0)
        return 0;
    *out = bill_usage_from_description(field(b, BILL_DESCRIPTION));
    if (!out->len || b->described_warned)
        return 0;
    b->described_warned = true;
    return feed_warn(f, b->csv.line,
                     "no usage types in the file: they are taken from the descriptions, without "
                     "region");
}

/* An hour's GB-Mo is GiB / hours of the month; what gives more than a volume can hold is no GB-Mo.
 */
static int check_size(struct feed *f, struct bill *b, const struct bill_line *l)
{
    if (b->size_warned || !l->has_amount || l->start_ms == UNKNOWN || l->end_ms == UNKNOWN ||
        l->end_ms <= l->start_ms || !l->resource.len ||
        !bill_usage_is_volume_storage(l->usage_type))
        return 0;
    int64_t next_ms = time_month_end(l->start_ms);
    if (next_ms == UNKNOWN) /* the last month of the calendar */
        return 0;
    double month_ms = (double)(next_ms - time_month_start(l->start_ms));
    double gib = money_double(l->amount) * month_ms / (double)(l->end_ms - l->start_ms);
    if (!(gib > VOLUME_GIB_MAX))
        return 0;
    b->size_warned = true;
    return feed_warn(f, l->line,
                     "%.*s: the amount would be a volume of %.0f GiB: it is not in GB-Mo of its "
                     "period; no size can be derived",
                     SPAN_ARG(l->resource), gib);
}

static int check_resource(struct feed *f, const struct bill *b, const struct bill_line *l)
{
    if (l->resource.len || !has_column(b, BILL_RESOURCE) || !bill_usage_is_volume(l->usage_type))
        return 0;
    return feed_warn(f, l->line, "the line of %.*s names no volume", SPAN_ARG(l->usage_type));
}

static int read_numbers(struct feed *f, struct bill *b, struct bill_line *l)
{
    static const char *const what[] = { "amount", "cost", "list cost" };
    static const enum bill_column columns[] = { BILL_AMOUNT, BILL_COST, BILL_LIST_COST };
    money *values[] = { &l->amount, &l->cost, &l->list_cost };
    bool *has[] = { &l->has_amount, &l->has_cost, &l->has_list_cost };
    for (size_t i = 0; i < 3; i++) {
        int decimals = 0;
        int rc = read_money(f, b, columns[i], values[i], has[i], &decimals);
        if (rc < 0)
            return rc;
        if (rc) {
            rc = feed_warn(f, l->line, "%s '%.*s' is not a number; the line is skipped", what[i],
                           SPAN_ARG(field(b, columns[i])));
            return rc ? rc : 1;
        }
        if (columns[i] == BILL_COST)
            l->cost_decimals = decimals;
    }
    return 0;
}

/* "arn:aws:ec2:us-east-1:111122223333:volume/vol-0abc" is the volume that others call vol-0abc. */
static struct span volume_of(struct span resource)
{
    const char *kind = ":volume/";
    ptrdiff_t at = span_find(resource, kind);
    return at < 0 ? resource : span_cut(resource, (size_t)at + strlen(kind), resource.len);
}

static int read_ebs_row(struct feed *f, struct bill *b, struct span usage_type)
{
    struct bill_line l = {
        .start_ms = UNKNOWN,
        .end_ms = UNKNOWN,
        .account = field(b, BILL_ACCOUNT),
        .region = field(b, BILL_REGION),
        .resource = volume_of(field(b, BILL_RESOURCE)),
        .usage_type = usage_type,
        .operation = field(b, BILL_OPERATION),
        .unit = field(b, BILL_UNIT),
        .currency = field(b, BILL_CURRENCY),
        .line_type = field(b, BILL_LINE_TYPE),
        .line = b->csv.line,
    };
    if (!l.currency.len)
        l.currency = span_of(b->dialect->currency);
    int rc = read_numbers(f, b, &l);
    if (rc > 0) {
        f->skipped++;
        return 0;
    }
    if (!rc)
        rc = bill_same_currency(f, b->currency, l.currency, l.line);
    if (!rc)
        rc = read_time(f, b, BILL_START, &l.start_ms, &l.end_ms);
    if (!rc)
        rc = read_time(f, b, BILL_END, &l.end_ms, &l.end_ms);
    if (!rc)
        rc = check_resource(f, b, &l);
    if (!rc)
        rc = check_size(f, b, &l);
    return rc ? rc : feed_bill_line(f, &l);
}

static int read_row(struct feed *f, struct bill *b)
{
    const struct csv *c = &b->csv;
    struct span usage_type;
    if (c->fault || c->n_fields != c->n_columns) {
        f->skipped++;
        if (c->fault)
            return feed_warn(f, c->line, "%s; the line is skipped", c->fault);
        return feed_warn(f, c->line, "%zu fields, the heading has %zu; the line is skipped",
                         c->n_fields, c->n_columns);
    }
    int rc = read_usage_type(f, b, &usage_type);
    if (rc)
        return rc;
    if (bill_usage_is_ebs(usage_type))
        return read_ebs_row(f, b, usage_type);
    f->skipped++;
    b->n_other++;
    return 0;
}

static int open_columns(struct feed *f, struct bill *b)
{
    for (int i = 0; i < BILL_COLUMN_COUNT; i++)
        for (int j = 0; j < 2; j++) {
            const char *heading = b->dialect->headings[i][j];
            b->column[i][j] = heading ? csv_column_nocase(&b->csv, heading) : -1;
        }
    if (!has_column(b, BILL_COST))
        return feed_fault(f, b->csv.line,
                          "no column '%s' in the heading, which begins with '%.*s' and has %zu "
                          "columns",
                          b->dialect->headings[BILL_COST][0], SPAN_ARG(b->csv.names[0]),
                          b->csv.n_columns);
    if (!has_column(b, BILL_USAGE_TYPE) && !has_column(b, BILL_DESCRIPTION))
        return feed_warn(f, b->csv.line, "no column '%s': lines of EBS cannot be told from others",
                         b->dialect->headings[BILL_USAGE_TYPE][0]);
    if (!has_column(b, BILL_RESOURCE))
        return feed_warn(f, b->csv.line, "no column for resources: volumes cannot be named");
    return 0;
}

int bill_rows_read(struct feed *f, const struct bill_dialect *dialect)
{
    struct bill b = { .dialect = dialect };
    int more = csv_open(&b.csv, f->src, ',', f->arena, f->err);
    if (more < 0)
        return more;
    int rc = more ? open_columns(f, &b) : feed_fault(f, 1, "the file is empty");
    while (!rc && (more = csv_next(&b.csv, f->err)) == 1)
        rc = read_row(f, &b);
    if (!rc && more < 0)
        rc = more;
    if (!rc && !f->rows)
        rc = feed_warn(f, 0, "no lines of EBS in the file (%lld of other services)",
                       (long long)b.n_other);
    return rc;
}
