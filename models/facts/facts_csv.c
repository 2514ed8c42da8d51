/* models/facts/facts_csv.c - see facts_csv.h. */
#include "models/facts/facts_csv.h"

#include <string.h>

void facts_csv_init(struct facts_csv *c, const char *name, struct span text)
{
    if (span_starts(text, "\xEF\xBB\xBF"))
        text = span_cut(text, 3, text.len);
    *c = (struct facts_csv){ .name = name, .rest = text, .next_line = 1 };
}

static char peek(const struct facts_csv *c)
{
    return c->rest.len ? c->rest.ptr[0] : '\n';
}

static void skip(struct facts_csv *c, size_t n)
{
    c->rest = span_cut(c->rest, n, c->rest.len);
}

/* Moves past LF or CRLF; false when something else comes. */
static bool skip_line_end(struct facts_csv *c)
{
    if (c->rest.len == 0)
        return true;
    size_t n = span_starts(c->rest, "\r\n") ? 2 : peek(c) == '\n' ? 1 : 0;
    if (n == 0)
        return false;
    skip(c, n);
    c->next_line++;
    return true;
}

/* Behind the opening quote: up to the closing one, doubled quotes made single. */
static int quoted_cell(struct facts_csv *c, struct arena *a, int64_t line, struct span *out,
                       struct err *e)
{
    size_t n = 0, n_doubled = 0;
    const char *s = c->rest.ptr;
    for (;; n++) {
        if (n == c->rest.len)
            return err_set(e, ERR_PARSE, "%s:%lld: a quoted cell does not end", c->name,
                           (long long)line);
        if (s[n] == '\n')
            c->next_line++;
        if (s[n] != '"')
            continue;
        if (n + 1 == c->rest.len || s[n + 1] != '"')
            break;
        n_doubled++;
        n++;
    }
    *out = (struct span){ s, n };
    skip(c, n + 1);
    if (n_doubled == 0)
        return 0;

    char *copy = arena_alloc(a, n);
    if (!copy)
        return err_nomem(e);
    size_t len = 0;
    for (size_t i = 0; i < n; i++) {
        copy[len++] = s[i];
        i += s[i] == '"';
    }
    *out = (struct span){ copy, len };
    return 0;
}

static struct span bare_cell(struct facts_csv *c)
{
    size_t n = 0;
    while (n < c->rest.len && c->rest.ptr[n] != ',' && c->rest.ptr[n] != '\n')
        n++;
    struct span cell = span_cut(c->rest, 0, n);
    bool at_line_end = n < c->rest.len && c->rest.ptr[n] == '\n';
    if (at_line_end && cell.len && cell.ptr[cell.len - 1] == '\r')
        cell.len--;
    skip(c, cell.len);
    return cell;
}

int facts_csv_next(struct facts_csv *c, struct arena *a, struct facts_row *out, bool *out_end,
                   struct err *e)
{
    while (c->rest.len && skip_line_end(c))
        ;
    out->n = 0;
    out->line = c->next_line;
    *out_end = c->rest.len == 0;
    if (*out_end)
        return 0;

    for (;;) {
        if (out->n == FACTS_CELLS_MAX)
            return err_set(e, ERR_PARSE, "%s:%lld: more than %d cells", c->name,
                           (long long)out->line, FACTS_CELLS_MAX);
        struct span *cell = &out->cells[out->n++];
        if (peek(c) == '"') {
            skip(c, 1);
            int rc = quoted_cell(c, a, out->line, cell, e);
            if (rc)
                return rc;
        } else {
            *cell = bare_cell(c);
        }
        if (c->rest.len && peek(c) == ',')
            skip(c, 1);
        else if (skip_line_end(c))
            return 0;
        else
            return err_set(e, ERR_PARSE, "%s:%lld: text behind the closing quote of cell %zu",
                           c->name, (long long)out->line, out->n);
    }
}
