/* data/fetch/price_list.h - AWS's bulk price list of EC2 (CSV, hundreds of MB), row by row as its
 * bytes come.
 *
 * Five lines about the list, then headings, then a row a price; columns are found by heading.
 * Handed over are On-Demand prices of regions proper (no Local Zones, no Outposts) in USD.  At most
 * one row is held. */
#ifndef DATA_FETCH_PRICE_LIST_H
#define DATA_FETCH_PRICE_LIST_H

#include "data/fetch/http.h"
#include "models/core/money.h"

enum price_column {
    PRICE_COL_TERM, /* the first ones must be there */
    PRICE_COL_UNIT,
    PRICE_COL_PRICE,
    PRICE_COL_CURRENCY,
    PRICE_COL_USAGE_TYPE,
    PRICE_COL_LOCATION_TYPE, /* the rest is empty where the list has no such column */
    PRICE_COL_REGION,
    PRICE_COL_FAMILY,
    PRICE_COL_INSTANCE_TYPE,
    PRICE_COL_VCPU,
    PRICE_COL_TENANCY,
    PRICE_COL_SYSTEM,
    PRICE_COL_SOFTWARE,
    PRICE_COL_LICENSE,
    PRICE_COL_CAPACITY,
    PRICE_COL_EFFECTIVE,
    PRICE_COLUMNS
};

struct price_list_row {
    struct span cells[PRICE_COLUMNS];
    money price;
    int64_t line;
};

struct price_list_sink {
    void *ctx;
    /* Another list begins: what came before is void. */
    void (*begin)(void *ctx);
    int (*row)(void *ctx, const struct price_list_row *row, struct err *e);
};

struct price_list;

/* NULL when memory is out. */
struct price_list *price_list_open(const struct price_list_sink *sink);
void price_list_close(struct price_list *l); /* NULL does nothing */

int price_list_begin(struct price_list *l, struct err *e);
int price_list_put(struct price_list *l, struct span bytes, struct err *e);
/* After the last byte: ERR_PARSE when the list is not whole. */
int price_list_end(struct price_list *l, struct err *e);

/* Of the list that was read; UNKNOWN and "" when it did not say. */
int64_t price_list_published_ms(const struct price_list *l);
const char *price_list_version(const struct price_list *l);
int64_t price_list_rows(const struct price_list *l); /* all of them */

#endif
