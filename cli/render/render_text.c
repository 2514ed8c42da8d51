/* cli/render/render_text.c - the text backend: paragraphs, labels, aligned tables.
 *
 * A table is known once its rows are: it is kept and laid out at its end.  What is
 * said meanwhile, other tables inside its rows included, waits and follows it.
 * A table wider than the page first lets its widest left-aligned columns wrap; if
 * that is not enough it is folded: further columns stand in a second block below,
 * which repeats the first column.
 *
 * Everything shown is made safe first (printable.h), so that a byte string of known
 * columns is all that the layout handles. */
#include "cli/render/buf.h"
#include "cli/render/output.h"
#include "cli/render/printable.h"
#include "cli/render/render.h"
#include "cli/render/text_chart.h"
#include "cli/render/text_table.h"
#include "cli/render/text_wrap.h"
#include "models/core/arena.h"
#include "models/core/mem.h"
#include "models/core/timestamp.h"

#include <errno.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

struct label_line {
    struct label_line *next;
    const char *label, *text;
};

/* Where words go: the page, or what waits behind a table. */
struct level {
    struct level *below;
    struct buf buf;
    struct arena arena; /* of the labels, and of the table */
    struct label_line *labels, **labels_end;
    struct text_table table; /* the open table whose end this level waits for */
    int table_depth;
};

struct text {
    struct emit emit;
    FILE *out;
    struct text_page page;
    int depth;
    struct level *top, bottom;
    int write_errno;
};

static struct text *text_of(struct emit *m)
{
    return (struct text *)m;
}

static void fail(struct text *t, int code)
{
    if (!t->emit.failed)
        t->emit.failed = code;
}

/* A copy that may be shown, in the level's arena. */
static const char *safe_copy(struct text *t, struct level *l, const char *s)
{
    struct buf b = { 0 };
    buf_put_printable(&b, s);
    const char *copy = b.failed ? NULL : arena_strndup(&l->arena, b.ptr, b.len);
    buf_release(&b);
    if (!copy)
        fail(t, ERR_NOMEM);
    return copy;
}

static void flush_labels(struct text *t)
{
    struct level *l = t->top;
    size_t widest = 0;
    for (const struct label_line *i = l->labels; i; i = i->next) {
        size_t columns = printable_columns(i->label, strlen(i->label));
        widest = columns > widest ? columns : widest;
    }
    for (const struct label_line *i = l->labels; i; i = i->next) {
        buf_puts(&l->buf, "  ");
        text_put_style(&l->buf, &t->page, STYLE_DIM, i->label);
        buf_pad(&l->buf, widest + 3 - printable_columns(i->label, strlen(i->label)));
        text_wrap(&l->buf, i->text, widest + 5, t->page.columns);
    }
    l->labels = NULL;
    l->labels_end = &l->labels;
}

static void flush_page(struct text *t)
{
    struct buf *b = &t->bottom.buf;
    if (b->len)
        fwrite(b->ptr, 1, b->len, t->out);
    buf_clear(b);
    if (ferror(t->out)) {
        t->write_errno = errno;
        fail(t, output_failed(NULL, t->write_errno));
    }
    arena_release(&t->bottom.arena);
}

static void check_level(struct text *t)
{
    if (t->top->buf.failed)
        fail(t, ERR_NOMEM);
    else if (t->top == &t->bottom && !t->top->labels)
        flush_page(t);
}

static void text_begin(struct emit *m, const char *key, enum emit_kind kind,
                       const struct emit_col *cols, size_t n_cols)
{
    (void)key, (void)kind;
    struct text *t = text_of(m);
    if (t->depth == DEPTH_MAX)
        BUG("too many open lists and objects");
    t->depth++;
    if (cols) {
        struct level *l = mem_zalloc(1, sizeof *l);
        if (!l) {
            fail(t, ERR_NOMEM);
            return;
        }
        flush_labels(t);
        l->below = t->top;
        l->labels_end = &l->labels;
        l->table = (struct text_table){ .cols = cols, .n_cols = n_cols };
        l->table_depth = t->depth;
        t->top = l;
    } else if (t->top->table_depth && t->depth == t->top->table_depth + 1) {
        if (text_table_row(&t->top->table, &t->top->arena))
            fail(t, ERR_NOMEM);
    }
}

static void pop_level(struct text *t)
{
    struct level *l = t->top;
    t->top = l->below;
    buf_release(&l->buf);
    arena_release(&l->arena);
    mem_free(l);
}

static void text_end(struct emit *m)
{
    struct text *t = text_of(m);
    struct level *l = t->top;
    if (t->depth == 0)
        BUG("end without begin");
    if (l->table_depth == t->depth) {
        flush_labels(t);
        if (l->buf.failed || text_table_put(&l->below->buf, &l->table, &l->arena, &t->page))
            fail(t, ERR_NOMEM);
        buf_put(&l->below->buf, l->buf.ptr, l->buf.len);
        pop_level(t);
        check_level(t);
    }
    t->depth--;
}

/* Values show as cells of the row they stand in, not from objects inside it. */
static void text_value(struct emit *m, const char *key, const struct emit_value *v)
{
    struct text *t = text_of(m);
    struct level *l = t->top;
    if (!key || !l->table_depth || t->depth != l->table_depth + 1)
        return;
    size_t column = text_table_column(&l->table, key);
    if (column == l->table.n_cols || text_table_has(&l->table, column))
        return;
    char buf[48];
    const char *shown = buf;
    switch (v->kind) {
    case EMIT_NULL:
        shown = "-";
        break;
    case EMIT_BOOL:
        shown = v->flag ? "yes" : "no";
        break;
    case EMIT_INT:
        unit_format(buf, (double)v->integer, 0);
        break;
    case EMIT_NUM:
        unit_format(buf, v->num, v->decimals < 0 ? unit_decimals(v->unit) : v->decimals);
        break;
    case EMIT_USD:
        unit_format_usd(buf, v->integer);
        break;
    case EMIT_DECIMAL:
    case EMIT_TEXT:
        shown = v->text;
        break;
    case EMIT_TIME:
        text_format_time(buf, v->integer);
        break;
    }
    const char *copy = safe_copy(t, l, shown);
    if (copy)
        text_table_set(&l->table, column, copy, false);
}

static void add_label(struct text *t, const char *label, const char *text)
{
    struct level *l = t->top;
    struct label_line *line = arena_alloc(&l->arena, sizeof *line);
    if (!line) {
        fail(t, ERR_NOMEM);
        return;
    }
    line->label = safe_copy(t, l, label);
    line->text = safe_copy(t, l, text);
    if (!line->label || !line->text)
        return;
    *l->labels_end = line;
    l->labels_end = &line->next;
}

static void text_words(struct emit *m, const char *label, const char *text, bool is_cell)
{
    struct text *t = text_of(m);
    struct level *l = t->top;
    if (is_cell) {
        size_t column = l->table_depth ? text_table_column(&l->table, label) : 0;
        if (!l->table_depth || column == l->table.n_cols || !l->table.last)
            BUG("a cell without its column");
        const char *copy = safe_copy(t, l, text);
        if (copy)
            text_table_set(&l->table, column, copy, true);
        return;
    }
    if (label) {
        add_label(t, label, text);
        return;
    }
    flush_labels(t);
    const char *copy = safe_copy(t, l, text);
    if (copy)
        text_wrap(&l->buf, copy, 0, t->page.columns);
    check_level(t);
}

static void text_chart(struct emit *m, const struct emit_chart *chart)
{
    struct text *t = text_of(m);
    flush_labels(t);
    const char *label = safe_copy(t, t->top, chart->label);
    if (label)
        text_chart_put(&t->top->buf, chart, label, &t->page);
    check_level(t);
}

static int text_close(struct emit *m, struct err *e)
{
    struct text *t = text_of(m);
    if (!m->failed) {
        if (t->depth)
            BUG("close with open lists or objects");
        flush_labels(t);
        check_level(t);
    }
    if (!m->failed && fflush(t->out) == EOF) {
        t->write_errno = errno;
        fail(t, output_failed(NULL, t->write_errno));
    }
    int rc = m->failed;
    if (rc == ERR_IO || rc == ERR_PIPE)
        output_failed(e, t->write_errno);
    else if (rc == ERR_NOMEM)
        err_nomem(e);
    while (t->top != &t->bottom)
        pop_level(t);
    buf_release(&t->bottom.buf);
    arena_release(&t->bottom.arena);
    mem_free(t);
    return rc;
}

struct emit *render_text(FILE *out, struct text_page page)
{
    static const struct emit_ops ops = { text_begin, text_end,   text_value,
                                         text_words, text_close, text_chart };
    struct text *t = mem_zalloc(1, sizeof *t);
    if (!t)
        return NULL;
    page.columns = text_columns(page.columns);
    t->emit = (struct emit){ .ops = &ops, .people = true, .charts = page.charts != CHARTS_NONE };
    t->out = out;
    t->page = page;
    t->top = &t->bottom;
    t->bottom.labels_end = &t->bottom.labels;
    return &t->emit;
}
