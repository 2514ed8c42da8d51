/* data/ingest/csv/csv.c - see csv.h.
 *
 * The fast path looks at eight bytes at a time and stops only at separators and quotes; most
 * records of a bill (about 1 KB in 100 to 300 columns) never leave it. */
#include "data/ingest/csv/csv.h"

#include <string.h>

#define ONES  UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)

/* The high bit of each byte of x that is 0, and no other bit. */
static uint64_t zero_bytes(uint64_t x)
{
    return ~(((x & ~HIGHS) + ~HIGHS) | x | ~HIGHS);
}

/* Offset from `from` of the next separator, or s.len. */
static size_t next_separator(struct span s, size_t from, char separator)
{
    uint64_t pattern = ONES * (unsigned char)separator;
    while (from + 8 <= s.len) {
        uint64_t word;
        memcpy(&word, s.ptr + from, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        uint64_t hits = zero_bytes(word ^ pattern);
        if (hits)
            return from + (size_t)__builtin_ctzll(hits) / 8;
        from += 8;
    }
    while (from < s.len && s.ptr[from] != separator)
        from++;
    return from;
}

static void put_field(struct csv *c, struct span field)
{
    if (c->n_fields < c->n_columns)
        c->fields[c->n_fields] = field;
    c->n_fields++;
}

static void split_plain(struct csv *c, struct span line)
{
    for (size_t from = 0;;) {
        size_t to = next_separator(line, from, c->separator);
        put_field(c, span_cut(line, from, to));
        if (to == line.len)
            return;
        from = to + 1;
    }
}

/* Room for n more bytes in joined, which may move. */
static int reserve(struct csv *c, size_t n, struct err *e)
{
    if (c->joined_len + n <= c->joined_room)
        return 0;
    size_t room = (c->joined_len + n) * 2;
    char *grown = arena_grow(c->a, c->joined, c->joined_len, room, 1);
    if (!grown)
        return err_nomem(e);
    c->joined = grown;
    c->joined_room = room;
    return 0;
}

static int join(struct csv *c, struct span more, struct err *e)
{
    if (c->joined_len + more.len > CSV_RECORD_MAX)
        return err_set(e, ERR_LIMIT, "%s:%lld: record longer than %d bytes; is a quote not closed?",
                       source_path(c->src), (long long)c->line, CSV_RECORD_MAX);
    int rc = reserve(c, more.len, e);
    if (rc)
        return rc;
    if (more.len)
        memcpy(c->joined + c->joined_len, more.ptr, more.len);
    c->joined_len += more.len;
    return 0;
}

/* Goes over one line of a record: true when a quoted field is still open at its end. */
static bool ends_in_quotes(const struct csv *c, struct span line, bool quoted)
{
    bool starts = !quoted;
    for (size_t i = 0; i < line.len; i++) {
        char b = line.ptr[i];
        if (b == '"' && (quoted || starts)) {
            if (quoted && i + 1 < line.len && line.ptr[i + 1] == '"')
                i++;
            else
                quoted = !quoted;
            starts = false;
        } else {
            starts = !quoted && b == c->separator;
        }
    }
    return quoted;
}

/* Reads on until no quoted field is open; *record is then all of it, in joined. */
static int join_lines(struct csv *c, struct span *record, struct err *e)
{
    int rc = join(c, *record, e);
    for (bool quoted = true; !rc && quoted;) {
        struct span line;
        int more = source_line(c->src, &line, e);
        if (more < 0)
            return more;
        if (more == 0) {
            c->fault = "the input ends inside quotes";
            break;
        }
        quoted = ends_in_quotes(c, line, true);
        rc = join(c, SPAN_LIT("\n"), e);
        if (!rc)
            rc = join(c, line, e);
    }
    *record = (struct span){ c->joined, c->joined_len };
    return rc;
}

/* The text between quotes that starts at `at`; *after is the offset behind the closing quote.
 * A text with doubled quotes is copied to the end of joined, where there is room for it. */
static struct span take_quoted(struct csv *c, struct span s, size_t at, size_t *after)
{
    size_t to = at, n_doubled = 0;
    for (;; to += 2, n_doubled++) {
        const char *quote = to < s.len ? memchr(s.ptr + to, '"', s.len - to) : NULL;
        to = quote ? (size_t)(quote - s.ptr) : s.len;
        if (to + 1 >= s.len || s.ptr[to + 1] != '"')
            break;
    }
    struct span text = span_cut(s, at, to);
    *after = to < s.len ? to + 1 : to;
    if (!n_doubled)
        return text;
    char *copy = c->joined + c->joined_len;
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        copy[n++] = text.ptr[i];
        i += text.ptr[i] == '"';
    }
    c->joined_len += n;
    return (struct span){ copy, n };
}

static void split_quoted(struct csv *c, struct span record)
{
    for (size_t from = 0;;) {
        struct span field;
        size_t to;
        if (from < record.len && record.ptr[from] == '"') {
            field = take_quoted(c, record, from + 1, &to);
            if (to < record.len && record.ptr[to] != c->separator) {
                c->fault = "text after a closing quote";
                to = next_separator(record, to, c->separator);
            }
        } else {
            to = next_separator(record, from, c->separator);
            field = span_cut(record, from, to);
        }
        put_field(c, field);
        if (to >= record.len)
            return;
        from = to + 1;
    }
}

int csv_next(struct csv *c, struct err *e)
{
    struct span record;
    int rc;
    do
        rc = source_line(c->src, &record, e);
    while (rc == 1 && record.len == 0);
    if (rc != 1)
        return rc;
    size_t n_before = c->n_fields < c->n_columns ? c->n_fields : c->n_columns;
    c->line = source_line_no(c->src);
    c->fault = NULL;
    c->n_fields = 0;
    c->joined_len = 0;
    if (!memchr(record.ptr, '"', record.len)) {
        split_plain(c, record);
    } else {
        rc = ends_in_quotes(c, record, false) ? join_lines(c, &record, e) : 0;
        if (!rc)
            rc = reserve(c, record.len, e);
        if (rc)
            return rc;
        if (c->joined_len)
            record.ptr = c->joined;
        split_quoted(c, record);
    }
    for (size_t i = c->n_fields; i < n_before; i++)
        c->fields[i] = (struct span){ 0 };
    return 1;
}

int csv_open(struct csv *c, struct source *src, char separator, struct arena *a, struct err *e)
{
    *c = (struct csv){ .src = src, .a = a, .separator = separator, .n_columns = CSV_COLUMNS_MAX };
    c->fields = arena_array(a, CSV_COLUMNS_MAX, sizeof *c->fields);
    if (!c->fields)
        return err_nomem(e);
    int rc = csv_next(c, e);
    if (rc != 1)
        return rc;
    if (c->n_fields > CSV_COLUMNS_MAX)
        return err_set(e, ERR_LIMIT, "%s:%lld: %zu columns, more than %d", source_path(src),
                       (long long)c->line, c->n_fields, CSV_COLUMNS_MAX);
    c->names = arena_array(a, c->n_fields, sizeof *c->names);
    if (!c->names)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_fields; i++) {
        struct span name = span_trim(c->fields[i]);
        char *copy = arena_strndup(a, name.len ? name.ptr : "", name.len);
        if (!copy)
            return err_nomem(e);
        c->names[i] = (struct span){ copy, name.len };
    }
    c->n_columns = c->n_fields;
    return 1;
}

ptrdiff_t csv_column(const struct csv *c, const char *name)
{
    for (size_t i = 0; i < c->n_columns; i++)
        if (span_is(c->names[i], name))
            return (ptrdiff_t)i;
    return -1;
}

ptrdiff_t csv_column_nocase(const struct csv *c, const char *name)
{
    for (size_t i = 0; i < c->n_columns; i++)
        if (span_eq_nocase(c->names[i], span_of(name)))
            return (ptrdiff_t)i;
    return -1;
}

struct span csv_field(const struct csv *c, ptrdiff_t column)
{
    if (column < 0)
        return (struct span){ 0 };
    return c->fields[column];
}

bool csv_head_has(struct span head, const char *name)
{
    struct span line, field;
    while (span_field(&head, '\n', &line) == 0) {
        line = span_trim(line);
        if (!line.len)
            continue;
        while (span_field(&line, ',', &field) == 0) {
            field = span_trim(field);
            if (field.len >= 2 && field.ptr[0] == '"' && field.ptr[field.len - 1] == '"')
                field = span_cut(field, 1, field.len - 1);
            if (span_is(field, name))
                return true;
        }
        return false;
    }
    return false;
}
