/* models/facts/facts_parse.c - facts files to a catalogue: see catalogue.h.
 *
 *   facts_parse                 one file after the other, then what spans rows
 *     table_parse               headings to columns, rows to structs (facts_table.h)
 *     rules_link                eras of a type do not overlap; since when each figure holds
 *     prices_check              tiers of a price do not overlap
 *     sort_by_name              instances and weightings, for bsearch
 *
 * Columns are found by heading; a heading that no table knows is skipped, so that a file may
 * carry notes.  Every heading a table knows must be there; a cell may be blank where unknown is
 * allowed. */
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/facts/catalogue.h"
#include "models/facts/facts_csv.h"
#include "models/facts/facts_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For each cell of a row the column it belongs to; NULL = skipped. */
struct heading {
    const struct facts_col *of_cell[FACTS_CELLS_MAX];
    size_t n;
};

static const struct facts_col *col_by_head(const struct facts_table *t, struct span head)
{
    for (size_t i = 0; i < t->n_cols; i++)
        if (span_is(head, t->cols[i].head))
            return &t->cols[i];
    return NULL;
}

static void list_heads(const struct facts_row *row, char *buf, size_t size)
{
    size_t len = 0;
    for (size_t i = 0; i < row->n && len < size; i++) {
        struct span head = span_trim(row->cells[i]);
        len += (size_t)snprintf(buf + len, size - len, "%s%.*s", i ? ", " : "", SPAN_ARG(head));
    }
}

static int heading_read(const struct facts_table *t, const char *name, const struct facts_row *row,
                        struct heading *out, struct err *e)
{
    *out = (struct heading){ .n = row->n };
    for (size_t i = 0; i < row->n; i++)
        out->of_cell[i] = col_by_head(t, span_trim(row->cells[i]));

    for (size_t k = 0; k < t->n_cols; k++) {
        size_t times = 0;
        for (size_t i = 0; i < row->n; i++)
            times += out->of_cell[i] == &t->cols[k];
        if (times == 1)
            continue;
        char seen[200] = "";
        list_heads(row, seen, sizeof seen);
        return err_set(e, ERR_PARSE, "%s:%lld: column '%s' is %s; the headings are: %s", name,
                       (long long)row->line, t->cols[k].head, times ? "there twice" : "missing",
                       seen);
    }
    return 0;
}

static int row_read(const struct facts_table *t, const char *name, const struct heading *h,
                    const struct facts_row *row, struct arena *a, void *out, struct err *e)
{
    if (row->n != h->n)
        return err_set(e, ERR_PARSE, "%s:%lld: %zu cells, expected %zu as in the headings", name,
                       (long long)row->line, row->n, h->n);
    for (size_t i = 0; i < row->n; i++) {
        const struct facts_col *c = h->of_cell[i];
        int rc = c ? facts_cell_parse(c, span_trim(row->cells[i]), a, out) : 0;
        if (rc == ERR_NOMEM)
            return err_nomem(e);
        char expected[120];
        if (rc)
            return err_set(e, ERR_PARSE, "%s:%lld: column '%s': value '%.*s', expected %s", name,
                           (long long)row->line, c->head, SPAN_ARG(row->cells[i]),
                           facts_cell_expected(c, expected));
    }
    const char *wrong = t->check ? t->check(out) : NULL;
    return wrong ? err_set(e, ERR_PARSE, "%s:%lld: %s", name, (long long)row->line, wrong) : 0;
}

static int table_parse(const struct facts_table *t, const char *name, struct span text,
                       struct arena *a, void **out_rows, size_t *out_n, struct err *e)
{
    struct facts_csv csv;
    struct facts_row row;
    struct heading heading;
    bool end;
    facts_csv_init(&csv, name, text);
    int rc = facts_csv_next(&csv, a, &row, &end, e);
    if (!rc && end)
        rc = err_set(e, ERR_PARSE, "%s:1: the file is empty, expected headings", name);
    if (!rc)
        rc = heading_read(t, name, &row, &heading, e);

    char *rows = NULL;
    size_t n = 0, room = 0;
    while (!rc) {
        rc = facts_csv_next(&csv, a, &row, &end, e);
        if (rc || end)
            break;
        if (n == t->rows_max)
            return err_set(e, ERR_LIMIT, "%s:%lld: more than %zu rows", name, (long long)row.line,
                           t->rows_max);
        if (n == room) {
            room = room ? 2 * room : 64;
            rows = arena_grow(a, rows, n, room, t->row_bytes);
            if (!rows)
                return err_nomem(e);
        }
        rc = row_read(t, name, &heading, &row, a, rows + n * t->row_bytes, e);
        n += !rc;
    }
    if (!rc && n == 0)
        rc = err_set(e, ERR_PARSE, "%s:1: no rows below the headings", name);
    if (rc)
        return rc;
    *out_rows = rows;
    *out_n = n;
    return 0;
}

/* --- what spans rows -------------------------------------------------------------------------- */

static bool overlap(const struct vol_rule *a, const struct vol_rule *b)
{
    bool a_ends_before = a->valid_to_ms != UNKNOWN && b->valid_from_ms != UNKNOWN &&
                         a->valid_to_ms < b->valid_from_ms;
    bool b_ends_before = b->valid_to_ms != UNKNOWN && a->valid_from_ms != UNKNOWN &&
                         b->valid_to_ms < a->valid_from_ms;
    return !a_ends_before && !b_ends_before;
}

static double figure(const struct vol_rule *r, enum vol_figure f)
{
    switch (f) {
#define X(name, field)                                                                             \
    case name:                                                                                     \
        return (double)r->field;
        VOL_FIGURE_TABLE(X)
#undef X
    case FIGURE_COUNT:
        break;
    }
    return NAN;
}

static bool same_figure(const struct vol_rule *a, const struct vol_rule *b, enum vol_figure f)
{
    double x = figure(a, f), y = figure(b, f);
    return x == y || (isnan(x) && isnan(y));
}

/* The rule that was in force for the same volumes until the day before r. */
static const struct vol_rule *era_before(const struct vol_rule *rules, size_t n,
                                         const struct vol_rule *r)
{
    for (size_t i = 0; i < n; i++) {
        const struct vol_rule *p = &rules[i];
        if (p->type == r->type && r->valid_from_ms != UNKNOWN &&
            p->valid_to_ms == r->valid_from_ms - DAY_MS &&
            (p->condition == RULE_ALL || p->condition == r->condition))
            return p;
    }
    return NULL;
}

static int rules_link(struct vol_rule *rules, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            const struct vol_rule *a = &rules[k], *b = &rules[i];
            if (a->type != b->type)
                continue;
            if (a->launched_ms != b->launched_ms)
                return err_set(e, ERR_PARSE, "%s: rules of %s give two launch dates",
                               facts_file_names[FACTS_VOLUME_RULES], volume_type_name(a->type));
            if (a->condition == b->condition && overlap(a, b))
                return err_set(e, ERR_PARSE, "%s: '%s' and '%s' hold on the same days",
                               facts_file_names[FACTS_VOLUME_RULES], a->rule_pack, b->rule_pack);
        }
    for (size_t i = 0; i < n; i++)
        for (int f = 0; f < FIGURE_COUNT; f++) {
            const struct vol_rule *first = &rules[i];
            const struct vol_rule *p = era_before(rules, n, first);
            while (p && same_figure(p, first, (enum vol_figure)f)) {
                first = p;
                p = era_before(rules, n, first);
            }
            rules[i].since_ms[f] = first->valid_from_ms;
        }
    return 0;
}

static int price_order(const void *a, const void *b)
{
    const struct price *p = a, *q = b;
    int by_region = strcmp(p->region, q->region);
    if (by_region)
        return by_region;
    if (p->type != q->type)
        return p->type < q->type ? -1 : 1;
    if (p->component != q->component)
        return p->component < q->component ? -1 : 1;
    if (p->as_of_ms != q->as_of_ms)
        return p->as_of_ms < q->as_of_ms ? -1 : 1;
    return (p->tier_from > q->tier_from) - (p->tier_from < q->tier_from);
}

static int prices_check(const struct price *prices, size_t n, struct arena *a, struct err *e)
{
    struct price *sorted = arena_grow(a, prices, n, n, sizeof *sorted);
    if (!sorted)
        return err_nomem(e);
    qsort(sorted, n, sizeof *sorted, price_order);

    for (size_t i = 1; i < n; i++) {
        const struct price *p = &sorted[i - 1], *q = &sorted[i];
        bool same_price = !strcmp(p->region, q->region) && p->type == q->type &&
                          p->component == q->component && p->as_of_ms == q->as_of_ms;
        char day[32];
        if (same_price && (p->tier_to == UNKNOWN || p->tier_to > q->tier_from))
            return err_set(e, ERR_PARSE, "%s: two prices for %s in %s of %s above %lld",
                           facts_file_names[FACTS_PRICES], volume_type_name(p->type), p->region,
                           time_format_date(day, p->as_of_ms), (long long)q->tier_from);
    }
    return 0;
}

static int instance_order(const void *a, const void *b)
{
    const struct instance_type *p = a, *q = b;
    return strcmp(p->name, q->name);
}

static int weighting_order(const void *a, const void *b)
{
    const struct bandwidth_weighting *p = a, *q = b;
    return strcmp(p->instance_type, q->instance_type);
}

static int twice(enum facts_file file, const char *name, struct err *e)
{
    return err_set(e, ERR_PARSE, "%s: column 'instance_type': value '%s' is there twice",
                   facts_file_names[file], name);
}

static int instances_sort(struct instance_type *t, size_t n, struct err *e)
{
    qsort(t, n, sizeof *t, instance_order);
    for (size_t i = 1; i < n; i++)
        if (instance_order(&t[i - 1], &t[i]) == 0)
            return twice(FACTS_INSTANCES, t[i].name, e);
    return 0;
}

static int weightings_sort(struct bandwidth_weighting *w, size_t n, struct err *e)
{
    qsort(w, n, sizeof *w, weighting_order);
    for (size_t i = 1; i < n; i++)
        if (weighting_order(&w[i - 1], &w[i]) == 0)
            return twice(FACTS_WEIGHTING, w[i].instance_type, e);
    return 0;
}

static int quotas_check(const struct region_quota *rows, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (rows[k].type == rows[i].type)
                return err_set(e, ERR_PARSE, "%s: %s is there twice",
                               facts_file_names[FACTS_REGION_QUOTAS],
                               volume_type_name(rows[i].type));
    return 0;
}

static int services_check(const struct service_price *rows, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            const struct service_price *p = &rows[k], *q = &rows[i];
            bool same_place =
                p->region && q->region ? !strcmp(p->region, q->region) : p->region == q->region;
            if (same_place && p->as_of_ms == q->as_of_ms && !strcmp(p->service, q->service))
                return err_set(e, ERR_PARSE, "%s: two prices for %s in %s",
                               facts_file_names[FACTS_SERVICE_PRICES], q->service,
                               q->region ? q->region : "an example Region");
        }
    return 0;
}

static int usage_types_check(const struct usage_type *rows, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(rows[k].name, rows[i].name))
                return err_set(e, ERR_PARSE, "%s: %s is there twice",
                               facts_file_names[FACTS_USAGE_TYPES], rows[i].name);
    return 0;
}

static int billing_codes_check(const struct billing_code *rows, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(rows[k].prefix, rows[i].prefix))
                return err_set(e, ERR_PARSE, "%s: %s is there twice",
                               facts_file_names[FACTS_BILLING_CODES], rows[i].prefix);
    return 0;
}

/* Puts the rows of one file into the catalogue. */
static int table_take(enum facts_file file, void *rows, size_t n, struct arena *a,
                      struct catalogue *c, struct err *e)
{
    switch (file) {
    case FACTS_VOLUME_RULES:
        c->rules = rows;
        c->n_rules = n;
        return rules_link(rows, n, e);
    case FACTS_PRICES:
        c->prices = rows;
        c->n_prices = n;
        return prices_check(rows, n, a, e);
    case FACTS_INSTANCES:
        c->instances = rows;
        c->n_instances = n;
        c->instances_as_of_ms = UNKNOWN;
        for (size_t i = 0; i < n; i++)
            if (c->instances[i].as_of_ms > c->instances_as_of_ms)
                c->instances_as_of_ms = c->instances[i].as_of_ms;
        return instances_sort(rows, n, e);
    case FACTS_WEIGHTING:
        c->weightings = rows;
        c->n_weightings = n;
        return weightings_sort(rows, n, e);
    case FACTS_BX_FAMILIES:
        c->bx_families = rows;
        c->n_bx_families = n;
        return 0;
    case FACTS_REGION_QUOTAS:
        c->quotas = rows;
        c->n_quotas = n;
        return quotas_check(rows, n, e);
    case FACTS_SERVICE_PRICES:
        c->services = rows;
        c->n_services = n;
        return services_check(rows, n, e);
    case FACTS_USAGE_TYPES:
        c->usage_types = rows;
        c->n_usage_types = n;
        return usage_types_check(rows, n, e);
    case FACTS_BILLING_CODES:
        c->billing_codes = rows;
        c->n_billing_codes = n;
        return billing_codes_check(rows, n, e);
    case FACTS_FILE_COUNT:
        break;
    }
    return 0;
}

int facts_parse(const struct span files[FACTS_FILE_COUNT], const struct catalogue *fallback,
                struct arena *a, struct catalogue *out, struct err *e)
{
    struct catalogue c = fallback ? *fallback : (struct catalogue){ 0 };
    for (int i = 0; i < FACTS_FILE_COUNT; i++) {
        enum facts_file file = (enum facts_file)i;
        if (!files[i].ptr && fallback)
            continue;
        if (!files[i].ptr)
            return err_set(e, ERR_PARSE, "%s: the file is not there", facts_file_names[i]);
        void *rows = NULL;
        size_t n = 0;
        int rc = table_parse(&facts_tables[i], facts_file_names[i], files[i], a, &rows, &n, e);
        if (!rc && n) /* no rows are an error already */
            rc = table_take(file, rows, n, a, &c, e);
        if (rc)
            return rc;
    }
    *out = c;
    return 0;
}
