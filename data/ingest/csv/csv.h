/* data/ingest/csv/csv.h - CSV with a header line, one record at a time, in bounded memory.
 *
 * RFC 4180: fields separated by a comma (or the caller's separator), quoted by '"', a quote inside
 * doubled, line breaks allowed inside quotes.  A quote that does not open its field is
 * text.  Nothing is allocated per record: fields point into the source's line, and only a
 * record over several lines or with doubled quotes is put together in a buffer. */
#ifndef DATA_INGEST_CSV_CSV_H
#define DATA_INGEST_CSV_CSV_H

#include "data/ingest/source.h"

/* A record may be no longer than CSV_RECORD_MAX bytes, else ERR_LIMIT. */
enum { CSV_COLUMNS_MAX = 8192, CSV_RECORD_MAX = 4 * 1024 * 1024 };

struct csv {
    struct source *src;
    struct arena *a;
    char separator;
    size_t n_columns;    /* of the header */
    struct span *names;  /* as the header has them, trimmed */
    struct span *fields; /* of the record last read; those beyond n_fields are empty */
    size_t n_fields;     /* may differ from n_columns: then the record is broken */
    const char *fault;   /* what is wrong with the record, or NULL */
    int64_t line;        /* on which the record starts */
    char *joined;        /* a record that spans lines; unescaped fields */
    size_t joined_len, joined_room;
};

/* Reads the header.  1; 0 when the input has no line; negative. */
int csv_open(struct csv *c, struct source *src, char separator, struct arena *a, struct err *e);
/* The next record; blank lines are passed over.  1 = read (look at fault), 0 = end, negative. */
int csv_next(struct csv *c, struct err *e);

/* Index of the first column of this name, or -1. */
ptrdiff_t csv_column(const struct csv *c, const char *name);
ptrdiff_t csv_column_nocase(const struct csv *c, const char *name);
/* Field of a column; empty for -1. */
struct span csv_field(const struct csv *c, ptrdiff_t column);

/* The first line of head split at commas holds a field of this name; for detect(). */
bool csv_head_has(struct span head, const char *name);

#endif
