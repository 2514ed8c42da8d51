/* data/rollup_blocks.c - see rollup_blocks.h. */
#include "data/rollup_blocks.h"

#include "models/core/mem.h"

#include <string.h>

void rollup_room_release(struct rollup_room *r)
{
    mem_free(r->out);
    mem_free(r->scratch);
    *r = (struct rollup_room){ 0 };
}

static int make_room(struct rollup_room *r, size_t n_bytes, struct err *e)
{
    if (n_bytes <= r->n_bytes)
        return 0;
    rollup_room_release(r);
    r->out = mem_alloc(n_bytes);
    r->scratch = mem_alloc(n_bytes);
    if (!r->out || !r->scratch)
        return err_nomem(e);
    r->n_bytes = n_bytes;
    return 0;
}

/* The blocks of a file become as many as are still needed: some get none. */
static void share_out(struct store_block *block, size_t n_blocks, size_t left)
{
    enum { ROOM_MIN = STORE_BLOCK_SAMPLES / 4 };
    for (size_t i = 0; i < n_blocks; i++) {
        size_t room = block[i].n > ROOM_MIN ? block[i].n : ROOM_MIN;
        block[i].n = left < room ? left : room;
        block[i].changed = true;
        left -= block[i].n;
    }
}

int rollup_blocks_thin(struct store_blocks *b, rollup_thin_fn *thin, void *ctx,
                       struct rollup_room *room, struct err *e)
{
    int rc = make_room(room, b->n_rows * b->row_bytes, e);
    if (rc || !b->n_rows)
        return rc;
    char *row = b->row;
    size_t from = 0, to = 0;
    for (size_t k = 0, end; k < b->n_blocks; k = end) {
        size_t n = 0;
        for (end = k; end < b->n_blocks && b->block[end].file_id == b->block[k].file_id; end++)
            n += b->block[end].n;
        size_t left = thin(ctx, row + from * b->row_bytes, n, room->out, room->scratch);
        memcpy(row + to * b->row_bytes, room->out, left * b->row_bytes);
        if (left < n)
            share_out(&b->block[k], end - k, left);
        from += n;
        to += left;
    }
    b->n_rows = to;
    return 0;
}
