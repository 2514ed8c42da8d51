/* cli/render/render_csv.c - the CSV backend: the rows of one table, RFC 4180.
 *
 * The heading is known once the rows are: the first CSV_HEAD_ROWS are kept, then the
 * heading and they are written, and later rows go straight out.  A later row with a
 * value that the heading has no place for is an error, never dropped. */
#include "cli/render/buf.h"
#include "cli/render/number.h"
#include "cli/render/output.h"
#include "cli/render/printable.h"
#include "cli/render/render.h"
#include "models/core/arena.h"
#include "models/core/mem.h"
#include "models/core/timestamp.h"

#include <errno.h>
#include <string.h>

enum { DEPTH_MAX = 64, PATH_MAX_ = 200 };

struct row {
    struct row *next;
    const char **cells; /* by column; NULL = empty */
    size_t room;
};

struct csv {
    struct emit emit;
    FILE *out;
    struct arena heads_arena, rows_arena;
    const char **heads;
    size_t n_heads, heads_room;
    size_t hint;              /* column that probably comes next */
    struct row *first, *last; /* kept rows */
    size_t n_rows;
    struct row *row; /* being filled */
    bool head_written;

    int depth;
    struct {
        enum emit_kind kind;
        size_t path_len; /* of csv.path, to cut back to */
    } open[DEPTH_MAX + 1];
    int table_depth; /* of the chosen list; 0 = none yet */
    const char *table_key;
    bool in_table;
    char path[PATH_MAX_]; /* keys of the objects inside the row: "demand." */
    int write_errno;
};

static struct csv *csv_of(struct emit *m)
{
    return (struct csv *)m;
}

static void fail(struct csv *c, int code)
{
    if (!c->emit.failed)
        c->emit.failed = code;
}

/* A spreadsheet takes a cell that starts so for a formula. */
static bool is_formula(const char *s)
{
    return *s && strchr("=+-@", *s);
}

static void put_cell(FILE *f, const char *s)
{
    if (!strpbrk(s, ",\"\r\n")) {
        fputs(s, f);
        return;
    }
    putc('"', f);
    for (; *s; s++) {
        if (*s == '"')
            putc('"', f);
        putc(*s, f);
    }
    putc('"', f);
}

static void put_row(struct csv *c, const struct row *r)
{
    for (size_t i = 0; i < c->n_heads; i++) {
        if (i)
            putc(',', c->out);
        if (i < r->room && r->cells[i])
            put_cell(c->out, r->cells[i]);
    }
    fputs("\r\n", c->out);
    if (ferror(c->out)) {
        c->write_errno = errno;
        fail(c, output_failed(NULL, c->write_errno));
    }
}

static void write_kept(struct csv *c)
{
    for (size_t i = 0; i < c->n_heads; i++) {
        if (i)
            putc(',', c->out);
        put_cell(c->out, c->heads[i]);
    }
    if (c->n_heads)
        fputs("\r\n", c->out);
    for (const struct row *r = c->first; r && !c->emit.failed; r = r->next)
        put_row(c, r);
    c->first = c->last = NULL;
    c->head_written = true;
    arena_release(&c->rows_arena);
}

static void end_row(struct csv *c)
{
    struct row *r = c->row;
    c->row = NULL;
    if (!r)
        return;
    if (c->head_written) {
        put_row(c, r);
        arena_release(&c->rows_arena);
        return;
    }
    if (c->last)
        c->last->next = r;
    else
        c->first = r;
    c->last = r;
    if (++c->n_rows == CSV_HEAD_ROWS)
        write_kept(c);
}

static void csv_begin(struct emit *m, const char *key, enum emit_kind kind,
                      const struct emit_col *cols, size_t n_cols)
{
    (void)n_cols;
    struct csv *c = csv_of(m);
    if (c->depth == DEPTH_MAX)
        BUG("too many open lists and objects");
    c->depth++;
    c->open[c->depth].kind = kind;
    c->open[c->depth].path_len = strlen(c->path);

    if (cols && !c->in_table) {
        if (!c->table_depth && key) {
            c->table_depth = c->depth;
            c->table_key = key;
        }
        c->in_table = c->depth == c->table_depth && key && strcmp(key, c->table_key) == 0;
    } else if (c->in_table && c->depth == c->table_depth + 1) {
        c->row = arena_alloc(&c->rows_arena, sizeof *c->row);
        if (!c->row)
            fail(c, ERR_NOMEM);
    } else if (c->row && key) {
        size_t at = strlen(c->path);
        snprintf(c->path + at, sizeof c->path - at, "%s.", key);
    }
}

static void csv_end(struct emit *m)
{
    struct csv *c = csv_of(m);
    if (c->depth == 0)
        BUG("end without begin");
    if (c->in_table && c->depth == c->table_depth)
        c->in_table = false;
    else if (c->in_table && c->depth == c->table_depth + 1)
        end_row(c);
    c->path[c->open[c->depth].path_len] = '\0';
    c->depth--;
}

/* Inside a row and in no list below it. */
static bool in_row_object(const struct csv *c)
{
    if (!c->row)
        return false;
    for (int i = c->table_depth + 1; i <= c->depth; i++)
        if (c->open[i].kind == EMIT_LIST)
            return false;
    return true;
}

/* The column of path + key, made when there is none; SIZE_MAX when it may not be. */
static size_t column_of(struct csv *c, const char *key)
{
    char name[PATH_MAX_ + 64];
    snprintf(name, sizeof name, "%s%s", c->path, key);
    for (size_t i = 0; i < c->n_heads; i++) {
        size_t at = (c->hint + i) % c->n_heads;
        if (strcmp(c->heads[at], name) == 0) {
            c->hint = at + 1;
            return at;
        }
    }
    if (c->head_written)
        return SIZE_MAX;
    if (c->n_heads == c->heads_room) {
        size_t room = c->heads_room ? 2 * c->heads_room : 32;
        const char **heads = arena_grow(&c->heads_arena, c->heads, c->n_heads, room, sizeof *heads);
        if (!heads)
            return fail(c, ERR_NOMEM), SIZE_MAX;
        c->heads = heads;
        c->heads_room = room;
    }
    c->heads[c->n_heads] = arena_strdup(&c->heads_arena, name);
    if (!c->heads[c->n_heads])
        return fail(c, ERR_NOMEM), SIZE_MAX;
    return c->n_heads++;
}

/* Text with control characters visible; line breaks may stay, a quoted cell can hold them. */
static const char *safe_text(struct csv *c, const char *s)
{
    struct buf b = { 0 };
    if (is_formula(s))
        buf_puts(&b, "'");
    struct printable p;
    while (*s)
        if (*s == '\n')
            buf_put(&b, s++, 1);
        else if (printable_next(&s, &p))
            buf_put(&b, p.text, p.len);
    char *text = b.failed ? NULL : arena_strndup(&c->rows_arena, b.ptr, b.len);
    buf_release(&b);
    return text;
}

static const char *value_text(struct csv *c, const struct emit_value *v)
{
    char buf[NUMBER_ROOM];
    switch (v->kind) {
    case EMIT_NULL:
        return "";
    case EMIT_BOOL:
        return v->flag ? "true" : "false";
    case EMIT_TEXT:
        return safe_text(c, v->text);
    case EMIT_DECIMAL:
        return arena_strdup(&c->rows_arena, v->text);
    case EMIT_TIME:
        return arena_strdup(&c->rows_arena, time_format_iso(buf, v->integer));
    case EMIT_INT:
    case EMIT_NUM:
    case EMIT_USD:
        break;
    }
    return arena_strdup(&c->rows_arena, number_format(buf, v));
}

static int put_in_row(struct csv *c, size_t column, const char *text)
{
    struct row *r = c->row;
    if (column >= r->room) {
        size_t room = c->heads_room;
        const char **cells = arena_grow(&c->rows_arena, r->cells, r->room, room, sizeof *cells);
        if (!cells)
            return ERR_NOMEM;
        r->cells = cells;
        r->room = room;
    }
    r->cells[column] = text;
    return 0;
}

static void csv_value(struct emit *m, const char *key, const struct emit_value *v)
{
    struct csv *c = csv_of(m);
    if (!key || !in_row_object(c))
        return;
    size_t column = column_of(c, key);
    if (column == SIZE_MAX) {
        if (v->kind != EMIT_NULL)
            fail(c, ERR_LIMIT);
        return;
    }
    const char *text = value_text(c, v);
    if (!text || put_in_row(c, column, text))
        fail(c, ERR_NOMEM);
}

static void csv_words(struct emit *m, const char *label, const char *text, bool is_cell)
{
    (void)m, (void)label, (void)text, (void)is_cell;
}

static int csv_close(struct emit *m, struct err *e)
{
    struct csv *c = csv_of(m);
    if (!m->failed && !c->head_written)
        write_kept(c);
    if (!m->failed && fflush(c->out) == EOF) {
        c->write_errno = errno;
        fail(c, output_failed(NULL, c->write_errno));
    }
    int rc = m->failed;
    if (rc == ERR_IO || rc == ERR_PIPE)
        output_failed(e, c->write_errno);
    else if (rc == ERR_NOMEM)
        err_nomem(e);
    else if (rc == ERR_LIMIT)
        err_set(e, rc, "a row after the first %d has a column that they lack: use --json",
                (int)CSV_HEAD_ROWS);
    arena_release(&c->heads_arena);
    arena_release(&c->rows_arena);
    mem_free(c);
    return rc;
}

struct emit *render_csv(FILE *out)
{
    static const struct emit_ops ops = {
        csv_begin, csv_end, csv_value, csv_words, csv_close, NULL
    };
    struct csv *c = mem_zalloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->emit.ops = &ops;
    c->out = out;
    return &c->emit;
}
