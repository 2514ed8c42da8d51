/* cli/render/render.h - the backends of models/core/emit.h: one report, three forms.
 *
 * Each constructor returns an emitter that writes to out (not closed by it) and is
 * ended by emit_close; NULL when memory is out.  A failed write is sticky and comes
 * back from emit_close as output.h has it. */
#ifndef CLI_RENDER_RENDER_H
#define CLI_RENDER_RENDER_H

#include "models/core/emit.h"

#include <stdio.h>

enum { RENDER_COLUMNS = 100, RENDER_COLUMNS_MIN = 40 };

enum text_charts {
    CHARTS_NONE,  /* in a pipe or a file */
    CHARTS_ASCII, /* a terminal that may not show more */
    CHARTS_BLOCKS /* one that shows UTF-8 */
};

struct text_page {
    size_t columns; /* clamped to RENDER_COLUMNS_MIN..RENDER_COLUMNS; 0 = RENDER_COLUMNS */
    bool colour;
    enum text_charts charts;
};

/* For people: paragraphs, labelled lines, charts and aligned tables of at most page.columns.
 * Control characters of names come out as \xNN. */
struct emit *render_text(FILE *out, struct text_page page);

/* One object; numbers as short as they go with at most 6 decimals, money 4. */
struct emit *render_json(FILE *out);
/* The same object with <, >, & and the line separators of Unicode written as \uNNNN, so that it can
 * stand in a script element of a page whatever the names in it are. */
struct emit *render_json_in_page(FILE *out);

/* RFC 4180: the first list that has columns, and later lists of the same name and depth.
 * The heading is made of the keys of the first CSV_HEAD_ROWS rows; a nested object's
 * values stand under "object.key"; cells of text that a spreadsheet would run get a
 * quote in front. */
enum { CSV_HEAD_ROWS = 1000 };
struct emit *render_csv(FILE *out);

#endif
