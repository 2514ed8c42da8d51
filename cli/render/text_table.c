/* cli/render/text_table.c - see text_table.h. */
#include "cli/render/text_table.h"

#include "cli/render/printable.h"

#include <string.h>

/* TUNING: a wrapped column is not made narrower than this. */
enum { GAP = 2, WRAP_MIN = 18 };

int text_table_row(struct text_table *t, struct arena *a)
{
    struct text_row *r = arena_alloc(a, sizeof *r + t->n_cols * sizeof r->cells[0]);
    if (!r)
        return ERR_NOMEM;
    if (t->last)
        t->last->next = r;
    else
        t->first = r;
    t->last = r;
    return 0;
}

size_t text_table_column(const struct text_table *t, const char *key)
{
    size_t i = 0;
    while (i < t->n_cols && strcmp(t->cols[i].key, key) != 0)
        i++;
    return i;
}

bool text_table_has(const struct text_table *t, size_t column)
{
    return t->last->cells[column].words;
}

void text_table_set(struct text_table *t, size_t column, const char *text, bool words)
{
    t->last->cells[column] = (struct text_cell){ text, words };
}

struct layout {
    const struct text_table *table;
    size_t *widths;    /* 0 = the column is not shown: nothing was said in it */
    const char **rest; /* of each cell of the line being written */
};

static size_t columns_of(const char *s)
{
    return printable_columns(s, strlen(s));
}

static void measure(struct layout *l)
{
    const struct text_table *t = l->table;
    for (size_t i = 0; i < t->n_cols; i++) {
        bool said = false;
        size_t widest = columns_of(t->cols[i].head);
        for (const struct text_row *r = t->first; r; r = r->next) {
            const char *s = r->cells[i].text;
            size_t columns = s ? columns_of(s) : 0;
            said |= s != NULL;
            widest = columns > widest ? columns : widest;
        }
        l->widths[i] = said ? widest : 0;
    }
}

static size_t total_width(const struct layout *l)
{
    size_t sum = 0;
    for (size_t i = 0; i < l->table->n_cols; i++)
        sum += l->widths[i] ? l->widths[i] + GAP : 0;
    return sum ? sum - GAP : 0;
}

/* Takes columns from the widest left-aligned column until the table fits or all are small. */
static void shrink(struct layout *l, size_t columns)
{
    size_t total = total_width(l);
    while (total > columns) {
        size_t widest = l->table->n_cols, second = WRAP_MIN;
        for (size_t i = 0; i < l->table->n_cols; i++) {
            if (!l->table->cols[i].left)
                continue;
            if (widest == l->table->n_cols || l->widths[i] > l->widths[widest]) {
                if (widest < l->table->n_cols && l->widths[widest] > second)
                    second = l->widths[widest];
                widest = i;
            } else if (l->widths[i] > second)
                second = l->widths[i];
        }
        if (widest == l->table->n_cols || l->widths[widest] <= WRAP_MIN)
            return;
        size_t to = second < l->widths[widest] ? second : l->widths[widest] - 1;
        size_t over = total - columns;
        if (l->widths[widest] - to > over)
            to = l->widths[widest] - over;
        total -= l->widths[widest] - to;
        l->widths[widest] = to;
    }
}

/* One line of the block's columns out of l->rest; false when nothing was left. */
static bool put_line(struct buf *b, struct layout *l, const bool *in_block)
{
    bool more = false;
    for (size_t i = 0; i < l->table->n_cols; i++)
        more |= in_block[i] && l->rest[i] && *l->rest[i];
    if (!more)
        return false;
    size_t owed = 0; /* blanks before the next word: none at the end of a line */
    bool first = true;
    for (size_t i = 0; i < l->table->n_cols; i++) {
        if (!in_block[i])
            continue;
        const char *part = "";
        size_t len = l->rest[i] ? text_take_line(&l->rest[i], l->widths[i], &part) : 0;
        size_t pad = l->widths[i] - printable_columns(part, len);
        owed += first ? 0 : GAP;
        first = false;
        if (!l->table->cols[i].left)
            owed += pad;
        if (len) {
            buf_pad(b, owed);
            buf_put(b, part, len);
            owed = 0;
        }
        if (l->table->cols[i].left)
            owed += pad;
    }
    buf_puts(b, "\n");
    return true;
}

static void put_head(struct buf *b, struct layout *l, const bool *in_block,
                     const struct text_page *page)
{
    for (size_t i = 0; i < l->table->n_cols; i++)
        l->rest[i] = l->table->cols[i].head;
    if (page->colour)
        buf_puts(b, "\033[1m");
    while (put_line(b, l, in_block))
        continue;
    if (page->colour)
        buf_puts(b, "\033[0m");
}

static void put_block(struct buf *b, struct layout *l, const bool *in_block,
                      const struct text_page *page)
{
    put_head(b, l, in_block, page);
    for (const struct text_row *r = l->table->first; r; r = r->next) {
        for (size_t i = 0; i < l->table->n_cols; i++)
            l->rest[i] = r->cells[i].text;
        while (put_line(b, l, in_block))
            continue;
    }
}

int text_table_put(struct buf *b, const struct text_table *t, struct arena *a,
                   const struct text_page *page)
{
    if (!t->first)
        return 0;
    struct layout l = { .table = t,
                        .widths = arena_array(a, t->n_cols, sizeof *l.widths),
                        .rest = arena_array(a, t->n_cols, sizeof *l.rest) };
    bool *in_block = arena_array(a, t->n_cols, sizeof *in_block);
    if (!l.widths || !l.rest || !in_block)
        return ERR_NOMEM;
    measure(&l);
    shrink(&l, page->columns);

    size_t first = 0;
    while (first < t->n_cols && !l.widths[first])
        first++;
    for (size_t next = first; next < t->n_cols;) {
        size_t used = 0;
        memset(in_block, 0, t->n_cols * sizeof *in_block);
        if (next > first && first < t->n_cols) {
            in_block[first] = true;
            used = l.widths[first] + GAP;
            buf_puts(b, "\n");
        }
        bool any = false;
        for (; next < t->n_cols && (!any || used + l.widths[next] <= page->columns); next++) {
            if (!l.widths[next])
                continue;
            in_block[next] = any = true;
            used += l.widths[next] + GAP;
        }
        if (any)
            put_block(b, &l, in_block, page);
        while (next < t->n_cols && !l.widths[next])
            next++;
    }
    return b->failed ? ERR_NOMEM : 0;
}
