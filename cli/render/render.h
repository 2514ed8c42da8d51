/* cli/render/render.h - the backends of models/core/emit.h: one report, three forms.
 *
 * Each constructor returns an emitter that writes to out (not closed by it) and is
 * ended by emit_close; NULL when memory is out.  A failed write is sticky and comes
 * back from emit_close as ERR_IO. */
#ifndef CLI_RENDER_RENDER_H
#define CLI_RENDER_RENDER_H

#include "models/core/emit.h"

#include <stdio.h>

enum { RENDER_COLUMNS = 100, RENDER_COLUMNS_MIN = 40 };

/* For people: paragraphs, labelled lines and aligned tables of at most `columns`
 * (clamped to RENDER_COLUMNS_MIN..RENDER_COLUMNS; 0 = RENDER_COLUMNS).  Control
 * characters of names come out as \xNN. */
struct emit *render_text(FILE *out, int columns, bool colour);

/* One object; numbers as short as they go with at most 6 decimals, money 4. */
struct emit *render_json(FILE *out);

/* RFC 4180: the first list that has columns, and later lists of the same name and depth.
 * The heading is made of the keys of the first CSV_HEAD_ROWS rows; a nested object's
 * values stand under "object.key"; cells of text that a spreadsheet would run get a
 * quote in front. */
enum { CSV_HEAD_ROWS = 1000 };
struct emit *render_csv(FILE *out);

#endif
