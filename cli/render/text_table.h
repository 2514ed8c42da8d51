/* cli/render/text_table.h - a table of words, laid out for a page. */
#ifndef CLI_RENDER_TEXT_TABLE_H
#define CLI_RENDER_TEXT_TABLE_H

#include "cli/render/text_wrap.h"
#include "models/core/arena.h"
#include "models/core/emit.h"

struct text_cell {
    const char *text; /* NULL = nothing was said */
    bool words;       /* set by emit_cell, which wins over a value */
};

struct text_row {
    struct text_row *next;
    struct text_cell cells[];
};

struct text_table {
    const struct emit_col *cols;
    size_t n_cols;
    struct text_row *first, *last;
};

/* Adds a row; non-zero when memory is out. */
int text_table_row(struct text_table *t, struct arena *a);
/* n_cols when there is no such column. */
size_t text_table_column(const struct text_table *t, const char *key);
/* In the last row: words are there already. */
bool text_table_has(const struct text_table *t, size_t column);
void text_table_set(struct text_table *t, size_t column, const char *text, bool words);
/* Writes it; a table without rows writes nothing.  Non-zero when memory is out. */
int text_table_put(struct buf *b, const struct text_table *t, struct arena *a,
                   const struct text_page *page);

#endif
