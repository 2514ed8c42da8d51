/* data/fetch/price_list.c - see price_list.h. */
#include "data/fetch/price_list.h"

#include "models/core/mem.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <string.h>

enum {
    RECORD_MAX = 256 * 1024,
    CELLS_MAX = 256,
    HEAD_LINES_MAX = 20,
    FIRST_OPTIONAL = PRICE_COL_LOCATION_TYPE
};

static const char *const headings[PRICE_COLUMNS] = {
    [PRICE_COL_TERM] = "TermType",
    [PRICE_COL_UNIT] = "Unit",
    [PRICE_COL_PRICE] = "PricePerUnit",
    [PRICE_COL_CURRENCY] = "Currency",
    [PRICE_COL_USAGE_TYPE] = "usageType",
    [PRICE_COL_LOCATION_TYPE] = "Location Type",
    [PRICE_COL_REGION] = "Region Code",
    [PRICE_COL_FAMILY] = "Product Family",
    [PRICE_COL_INSTANCE_TYPE] = "Instance Type",
    [PRICE_COL_VCPU] = "vCPU",
    [PRICE_COL_TENANCY] = "Tenancy",
    [PRICE_COL_SYSTEM] = "Operating System",
    [PRICE_COL_SOFTWARE] = "Pre Installed S/W",
    [PRICE_COL_LICENSE] = "License Model",
    [PRICE_COL_CAPACITY] = "CapacityStatus",
    [PRICE_COL_EFFECTIVE] = "EffectiveDate",
};

struct price_list {
    struct price_list_sink sink;
    char *record; /* the row that is not whole yet */
    size_t n;
    bool quoted; /* inside a cell in quotes */
    bool begun;  /* more than blanks has come */
    int64_t line, rows;
    bool has_headings;
    size_t n_headings;
    size_t column_of[PRICE_COLUMNS]; /* CELLS_MAX = none */
    int64_t published_ms;
    char version[40];
};

struct price_list *price_list_open(const struct price_list_sink *sink)
{
    struct price_list *l = mem_zalloc(1, sizeof *l);
    if (l)
        l->record = mem_alloc(RECORD_MAX);
    if (l && !l->record) {
        mem_free(l);
        return NULL;
    }
    if (l)
        l->sink = *sink;
    return l;
}

void price_list_close(struct price_list *l)
{
    if (l)
        mem_free(l->record);
    mem_free(l);
}

int64_t price_list_published_ms(const struct price_list *l)
{
    return l->published_ms;
}

const char *price_list_version(const struct price_list *l)
{
    return l->version;
}

int64_t price_list_rows(const struct price_list *l)
{
    return l->rows;
}

int price_list_begin(struct price_list *l, struct err *e)
{
    (void)e;
    l->n = 0;
    l->quoted = l->begun = l->has_headings = false;
    l->line = l->rows = 0;
    l->published_ms = UNKNOWN;
    l->version[0] = '\0';
    l->sink.begin(l->sink.ctx);
    return 0;
}

/* Cells without their quotes; a doubled quote inside stays doubled.  More than CELLS_MAX is 0. */
static size_t split(struct span row, struct span cells[CELLS_MAX])
{
    size_t n = 0, i = 0;
    for (;; i++) {
        size_t from = i, to;
        if (n == CELLS_MAX)
            return 0;
        if (i < row.len && row.ptr[i] == '"') {
            from = ++i;
            while (i < row.len && (row.ptr[i] != '"' || (i + 1 < row.len && row.ptr[i + 1] == '"')))
                i += row.ptr[i] == '"' ? 2 : 1;
            to = i < row.len ? i : row.len;
            while (i < row.len && row.ptr[i] != ',')
                i++;
        } else {
            const char *comma = memchr(row.ptr + i, ',', row.len - i);
            i = to = comma ? (size_t)(comma - row.ptr) : row.len;
        }
        cells[n++] = (struct span){ row.ptr + from, to - from };
        if (i >= row.len)
            return n;
    }
}

static int take_headings(struct price_list *l, const struct span *cells, size_t n, struct err *e)
{
    for (int c = 0; c < PRICE_COLUMNS; c++) {
        l->column_of[c] = CELLS_MAX;
        for (size_t i = 0; i < n; i++)
            if (span_eq_nocase(cells[i], span_of(headings[c])))
                l->column_of[c] = i;
        if (c < FIRST_OPTIONAL && l->column_of[c] == CELLS_MAX)
            return err_set(e, ERR_PARSE, "line %lld: the price list has no column '%s'",
                           (long long)l->line, headings[c]);
    }
    l->n_headings = n;
    l->has_headings = true;
    return 0;
}

/* "Publication Date","2026-09-30T20:48:02Z" and its like, then the headings. */
static int take_head_line(struct price_list *l, const struct span *cells, size_t n, struct err *e)
{
    bool zoned;
    if (n > 2)
        return take_headings(l, cells, n, e);
    if (l->line > HEAD_LINES_MAX)
        return err_set(e, ERR_PARSE, "line %lld: this is no price list: no headings so far",
                       (long long)l->line);
    if (n == 2 && span_is(cells[0], "Publication Date")) {
        struct span when = cells[1];
        if (time_parse_iso(&when, &l->published_ms, &zoned) || when.len)
            return err_set(e, ERR_PARSE, "line %lld: Publication Date '%.*s' is no time",
                           (long long)l->line, SPAN_ARG(cells[1]));
    }
    if (n == 2 && span_is(cells[0], "Version") && cells[1].len < sizeof l->version) {
        memcpy(l->version, cells[1].ptr, cells[1].len);
        l->version[cells[1].len] = '\0';
    }
    return 0;
}

static int take_row(struct price_list *l, const struct span *cells, size_t n, struct err *e)
{
    struct price_list_row row = { .line = l->line };
    for (int c = 0; c < PRICE_COLUMNS; c++)
        if (l->column_of[c] < n)
            row.cells[c] = cells[l->column_of[c]];
    struct span place = row.cells[PRICE_COL_LOCATION_TYPE];
    if (!span_is(row.cells[PRICE_COL_TERM], "OnDemand") ||
        !span_is(row.cells[PRICE_COL_CURRENCY], "USD") ||
        (place.len && !span_is(place, "AWS Region")))
        return 0;
    struct span price = row.cells[PRICE_COL_PRICE];
    if (money_parse(&price, &row.price, NULL, NULL) || price.len || row.price < 0)
        return err_set(e, ERR_PARSE, "line %lld: PricePerUnit '%.*s' is no price",
                       (long long)l->line, SPAN_ARG(row.cells[PRICE_COL_PRICE]));
    return l->sink.row(l->sink.ctx, &row, e);
}

static int take_record(struct price_list *l, struct span row, struct err *e)
{
    struct span cells[CELLS_MAX];
    l->line++;
    while (row.len && row.ptr[row.len - 1] == '\r')
        row.len--;
    if (!row.len)
        return 0;
    if (l->has_headings) {
        l->rows++;
        /* Most rows are reservations: not worth their cells. */
        if (!memmem(row.ptr, row.len, "OnDemand", 8))
            return 0;
    }
    size_t n = split(row, cells);
    if (!n)
        return err_set(e, ERR_PARSE, "line %lld: more than %d cells", (long long)l->line,
                       CELLS_MAX);
    return l->has_headings ? take_row(l, cells, n, e) : take_head_line(l, cells, n, e);
}

/* Where the row ends that goes on at bytes, or bytes.len; keeps track of quotes. */
static size_t row_end(struct price_list *l, struct span bytes)
{
    size_t i = 0;
    while (i < bytes.len) {
        const char *quote = memchr(bytes.ptr + i, '"', bytes.len - i);
        size_t to = quote ? (size_t)(quote - bytes.ptr) : bytes.len;
        if (!l->quoted) {
            const char *end = memchr(bytes.ptr + i, '\n', to - i);
            if (end)
                return (size_t)(end - bytes.ptr);
        }
        if (quote)
            l->quoted = !l->quoted;
        i = quote ? to + 1 : bytes.len;
    }
    return bytes.len;
}

static int keep(struct price_list *l, struct span bytes, struct err *e)
{
    if (bytes.len > RECORD_MAX - l->n)
        return err_set(e, ERR_LIMIT, "line %lld: a row of more than %d bytes",
                       (long long)l->line + 1, RECORD_MAX);
    memcpy(l->record + l->n, bytes.ptr, bytes.len);
    l->n += bytes.len;
    return 0;
}

/* HTML in the place of a list: its first byte but blanks tells. */
static int refuse_page(struct price_list *l, struct span bytes, struct err *e)
{
    size_t i = 0;
    while (i < bytes.len && (unsigned char)bytes.ptr[i] <= ' ')
        i++;
    l->begun = i < bytes.len;
    return l->begun && bytes.ptr[i] == '<'
               ? err_set(e, ERR_NET_FINAL,
                         "a web page came, not a price list: a captive portal or "
                         "proxy in between?")
               : 0;
}

int price_list_put(struct price_list *l, struct span bytes, struct err *e)
{
    int rc = l->begun ? 0 : refuse_page(l, bytes, e);
    while (!rc && bytes.len) {
        size_t end = row_end(l, bytes);
        struct span part = span_cut(bytes, 0, end);
        if (end == bytes.len)
            return keep(l, part, e);
        if (l->n) {
            rc = keep(l, part, e);
            part = (struct span){ l->record, l->n };
        }
        if (!rc)
            rc = take_record(l, part, e);
        l->n = 0;
        bytes = span_cut(bytes, end + 1, bytes.len);
    }
    return rc;
}

/* What came last is no whole row: in quotes, or with cells missing. */
static bool ends_in_a_row(const struct price_list *l)
{
    struct span cells[CELLS_MAX];
    return l->quoted || (l->n && l->has_headings &&
                         split((struct span){ l->record, l->n }, cells) < l->n_headings);
}

int price_list_end(struct price_list *l, struct err *e)
{
    if (ends_in_a_row(l))
        return err_set(e, ERR_PARSE, "line %lld: the price list ends in the middle",
                       (long long)l->line + 1);
    int rc = l->n ? take_record(l, (struct span){ l->record, l->n }, e) : 0;
    l->n = 0;
    if (!rc && (!l->has_headings || !l->rows))
        rc = err_set(e, ERR_PARSE, "the price list has no rows");
    if (!rc && l->published_ms == UNKNOWN)
        rc = err_set(e, ERR_PARSE, "the price list does not say when it was published");
    return rc;
}
