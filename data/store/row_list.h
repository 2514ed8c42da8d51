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

/* Fills one zeroed item from the row the query stands on; sets q->no_memory to fail. */
typedef void row_fn(struct query *q, struct arena *a, void *item);

/* Appends all rows of a query whose binding is done, and ends it. */
int read_list(struct query *q, struct list *l, row_fn *row, struct err *e);

/* What rows of another table belong to: a file (no 0), a record or a snapshot of it. */
struct row_owner {
    int64_t file_id, no;
    struct list *rows; /* one list for each kind of row there is */
};

/* Hands all rows of a query whose binding is done to their owners, and ends it.  Owners and rows
 * ascend by file_id and no.  Columns key_at to key_at + 2 of a row are its file_id, its owner's no
 * and the number of its list. */
int read_owned(struct query *q, struct row_owner *owners, size_t n, int key_at, row_fn *row,
               struct err *e);

#endif
