/* models/facts/facts_csv.h - rows of a CSV file (RFC 4180), cells as spans.
 *
 * Cells in double quotes may hold commas, line ends and doubled quotes; lines end with LF or
 * CRLF; a byte order mark and empty lines are skipped.  Inside models/facts only. */
#ifndef MODELS_FACTS_FACTS_CSV_H
#define MODELS_FACTS_FACTS_CSV_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/span.h"

enum { FACTS_CELLS_MAX = 64 };

struct facts_csv {
    const char *name; /* for messages */
    struct span rest;
    int64_t next_line;
};

struct facts_row {
    int64_t line; /* on which it begins */
    struct span cells[FACTS_CELLS_MAX];
    size_t n;
};

void facts_csv_init(struct facts_csv *c, const char *name, struct span text);
/* *out_end when there is no further row.  Cells point into the text or into a. ERR_PARSE for a
 * quote that does not close, text behind one, too many cells; ERR_NOMEM. */
int facts_csv_next(struct facts_csv *c, struct arena *a, struct facts_row *out, bool *out_end,
                   struct err *e);

#endif
