/* data/store/block_buffer.h - samples of many series on their way into blocks.
 *
 * A series is known by a key of several parts.  Its samples, of one size for all, wait until a
 * block is full; with many series the blocks get smaller, so that memory stays bounded: at
 * most series_max series and samples_max samples (series_max * BLOCK_ROOM_MIN fits in them).
 *
 *   block_buffer_find          the series of a key, or
 *   block_buffer_open          a new one
 *   block_buffer_slot          where its next sample goes */
#ifndef DATA_STORE_BLOCK_BUFFER_H
#define DATA_STORE_BLOCK_BUFFER_H

#include "models/core/err.h"
#include "models/core/span.h"

enum { BLOCK_ROOM_MIN = 16, BLOCK_KEY_PARTS = 12 };

struct block_buffer_options {
    size_t sample_bytes, key_parts;
    size_t series_max, samples_max, block_max;
    /* Takes a block away; what it returns is passed on when not 0. */
    int (*put)(void *ctx, int64_t series_id, const void *samples, size_t n, struct err *e);
    void *ctx;
};

struct block_buffer;

/* NULL when memory is out. */
struct block_buffer *block_buffer_new(const struct block_buffer_options *o);
void block_buffer_free(struct block_buffer *b); /* NULL does nothing; drops what waits */
size_t block_buffer_count(const struct block_buffer *b);

/* The number of the series, counted from 0 as they were opened; false when there is none.  The
 * series after the one found last is tried first: files repeat their order. */
bool block_buffer_find(struct block_buffer *b, const struct span *key, size_t *out);
/* The next number; the key is not there yet and the buffer not full. */
int block_buffer_open(struct block_buffer *b, const struct span *key, int64_t series_id,
                      struct err *e);
int64_t block_buffer_series_id(const struct block_buffer *b, size_t series);
/* Room for one more sample, to be filled before the next call. */
int block_buffer_slot(struct block_buffer *b, size_t series, void **out, struct err *e);
/* Puts everything that waits. */
int block_buffer_flush(struct block_buffer *b, struct err *e);
/* Forgets all series; nothing may wait. */
void block_buffer_clear(struct block_buffer *b);

#endif
