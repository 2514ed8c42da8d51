/* models/facts/facts_table.h - the columns of each facts file: heading, kind, field.
 *
 * One table drives both readers of these files: facts_parse and the generator that prints the
 * built-in catalogue as C.  Inside models/facts only. */
#ifndef MODELS_FACTS_FACTS_TABLE_H
#define MODELS_FACTS_FACTS_TABLE_H

#include "models/facts/catalogue.h"

enum facts_kind {
    FACTS_TEXT,
    FACTS_POSITIVE, /* int64_t, from 1 */
    FACTS_COUNT,    /* int64_t, from 0 */
    FACTS_RATE,     /* double above 0 */
    FACTS_DATE,
    FACTS_BOOL,
    FACTS_YES_NO, /* int 1, 0; -1 for a blank cell */
    FACTS_USD,    /* int64_t of 10^-12 USD */
    FACTS_STORE,  /* int64_t; "yes" is UNKNOWN */
    FACTS_VOLUME_TYPE,
    FACTS_CONDITION,
    FACTS_COMPONENT,
    FACTS_CORNERS, /* of a whole vol_rule: "2000:500 32000:500" */
    FACTS_KIND_COUNT
};

struct facts_col {
    const char *head, *field;
    const char *words; /* "shared|dedicated": what a text may be; NULL = anything */
    size_t offset;
    enum facts_kind kind;
    bool may_be_blank; /* then UNKNOWN, NaN, NULL, -1 or the type's COUNT */
};

struct facts_table {
    const char *c_type; /* "struct price" */
    const struct facts_col *cols;
    size_t n_cols, row_bytes, rows_max;
    /* What a row that is right cell by cell still has wrong, or NULL. */
    const char *(*check)(const void *row);
};

extern const struct facts_table facts_tables[FACTS_FILE_COUNT];

/* Reads a cell into its field of row.  ERR_PARSE (nothing set in e) when it is not of the
 * column's kind; ERR_NOMEM. */
int facts_cell_parse(const struct facts_col *c, struct span cell, struct arena *a, void *row);
/* "a whole number from 1", "one of shared|dedicated". */
const char *facts_cell_expected(const struct facts_col *c, char buf[120]);

#endif
