/* data/store/store_blocks.h - the blocks of a series or of a metric, out of the store and thinner
 * back in. */
#ifndef DATA_STORE_STORE_BLOCKS_H
#define DATA_STORE_STORE_BLOCKS_H

#include "data/store/store.h"

struct store_block {
    int64_t file_id, block_no;
    size_t n; /* samples, or values */
    bool changed;
};

/* = {0} is none; released by store_blocks_release.  One of a series has samples, of a metric
 * values. */
struct store_blocks {
    struct store_block *block;
    size_t n_blocks, blocks_room;
    union { /* of all blocks, one after the other */
        void *row;
        struct store_sample *sample;
        struct store_metric_value *value;
    };
    size_t row_bytes, n_rows, rows_room;
};

/* The blocks that begin before a time, files in loading order; replaces what b has, which was of
 * the same kind. */
int store_blocks_read(struct store *s, const struct store_series *series, int64_t before_ms,
                      struct store_blocks *b, struct err *e);
int store_value_blocks_read(struct store *s, const struct store_metric *metric, int64_t before_ms,
                            struct store_blocks *b, struct err *e);
/* Writes back the blocks that are marked as changed; those that have no rows left go. */
int store_blocks_write(struct store *s, const struct store_series *series,
                       const struct store_blocks *b, struct err *e);
int store_value_blocks_write(struct store *s, const struct store_metric *metric,
                             const struct store_blocks *b, struct err *e);
void store_blocks_release(struct store_blocks *b);

#endif
