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

int read_list(struct query *q, struct list *l, row_fn *row, struct err *e)
{
    while (query_step(q)) {
        void *item = list_add(l);
        if (!item) {
            query_end(q, NULL);
            return err_nomem(e);
        }
        row(q, l->arena, item);
    }
    return query_end(q, e);
}
