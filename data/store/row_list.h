/* data/store/row_list.h - rows of a query as a list in the arena. */
#ifndef DATA_STORE_ROW_LIST_H
#define DATA_STORE_ROW_LIST_H

#include "data/store/store_driver.h"

struct list {
    struct arena *arena;
    size_t size; /* of an item */
    void *items;
    size_t n, room;
};

/* Fills one zeroed item from the row the query stands on; sets q->rc to fail. */
typedef void row_fn(struct query *q, struct arena *a, void *item);

/* Appends all rows of a query whose binding is done, and ends it. */
int read_list(struct query *q, struct list *l, row_fn *row, struct err *e);

#endif
