/* data/store/row_list.c - see row_list.h. */
#include "data/store/row_list.h"

/* A new item at the end, zeroed; NULL when memory is out. */
static void *list_add(struct list *l)
{
    if (l->n == l->room) {
        size_t room = l->room ? l->room * 2 : 16;
        void *items = arena_grow(l->arena, l->items, l->n, room, l->size);
        if (!items)
            return NULL;
        l->items = items;
        l->room = room;
    }
    return (char *)l->items + l->size * l->n++;
}

static void add_row(struct query *q, struct list *l, row_fn *row)
{
    void *item = list_add(l);
    if (item)
        row(q, l->arena, item);
    else
        q->no_memory = true;
}

int read_list(struct query *q, struct list *l, row_fn *row, struct err *e)
{
    while (query_step(q))
        add_row(q, l, row);
    return query_end(q, e);
}

int read_owned(struct query *q, struct row_owner *owners, size_t n, int key_at, row_fn *row,
               struct err *e)
{
    size_t at = 0;
    while (query_step(q)) {
        int64_t file_id = query_get_int(q, key_at), no = query_get_int(q, key_at + 1);
        while (at < n && (owners[at].file_id < file_id ||
                          (owners[at].file_id == file_id && owners[at].no < no)))
            at++;
        if (at < n && owners[at].file_id == file_id && owners[at].no == no)
            add_row(q, &owners[at].rows[query_get_int(q, key_at + 2)], row);
    }
    return query_end(q, e);
}
