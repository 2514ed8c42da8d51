/* data/ingest/bill/bill_row.h - rows of a bill, with the columns of one dialect, into bill lines.
 */
#ifndef DATA_INGEST_BILL_BILL_ROW_H
#define DATA_INGEST_BILL_BILL_ROW_H

#include "data/ingest/csv/csv.h"
#include "data/ingest/json/feed.h"

enum bill_column {
    BILL_USAGE_TYPE,
    BILL_DESCRIPTION,
    BILL_START,
    BILL_END,
    BILL_ACCOUNT,
    BILL_REGION,
    BILL_RESOURCE,
    BILL_OPERATION,
    BILL_UNIT,
    BILL_CURRENCY,
    BILL_LINE_TYPE,
    BILL_AMOUNT,
    BILL_COST,
    BILL_LIST_COST,
    BILL_COLUMN_COUNT
};

/* The headings of each column; the second is used where the first is missing or its field empty. */
struct bill_dialect {
    const char *headings[BILL_COLUMN_COUNT][2];
    const char *currency; /* where no column names it; may be NULL */
};

/* Reads the whole source. */
int bill_rows_read(struct feed *f, const struct bill_dialect *dialect);

/* Sets currency of l; another than the lines before had is an error.  `seen` holds it. */
enum { BILL_CURRENCY_MAX = 16 };
int bill_same_currency(struct feed *f, char seen[BILL_CURRENCY_MAX], struct span currency,
                       int64_t line);

#endif
