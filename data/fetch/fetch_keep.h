/* data/fetch/fetch_keep.h - what was fetched goes the way of an ingested file, in one transaction.
 */
#ifndef DATA_FETCH_FETCH_KEEP_H
#define DATA_FETCH_FETCH_KEEP_H

#include "data/ingest/format.h"
#include "data/store/store.h"

struct fetch_file {
    const char *system, *path; /* the path stands where that of a file stands: "aws:REGION/..." */
    const char *format;        /* of data/ingest/format.h */
    struct span text;
    const struct record *records; /* kept with it: what was asked for */
    size_t n_records;
    struct sink *tap; /* also gets all of it; NULL = nobody */
};

/* *out_rows: of the text; 0 when the store knew it already. */
int fetch_keep(struct store *s, const struct fetch_file *f, int64_t *out_rows, struct err *e);

#endif
