/* data/rollup_blocks.h - the blocks of a series or of a metric made thinner, file by file. */
#ifndef DATA_ROLLUP_BLOCKS_H
#define DATA_ROLLUP_BLOCKS_H

#include "data/store/store_blocks.h"

/* What is left of the n rows of a file, to out; how many they are.  out and scratch have room for
 * n. */
typedef size_t rollup_thin_fn(void *ctx, const void *rows, size_t n, void *out, void *scratch);

/* = {0} is none; kept from one use to the next. */
struct rollup_room {
    void *out, *scratch;
    size_t n_bytes;
};

void rollup_room_release(struct rollup_room *r);
/* Marks the blocks that have changed. */
int rollup_blocks_thin(struct store_blocks *b, rollup_thin_fn *thin, void *ctx,
                       struct rollup_room *room, struct err *e);

#endif
