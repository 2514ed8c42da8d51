/* data/store/sample_column.h - one column of a block of samples, or of values of a metric, as
 * bytes, and back.
 *
 *   byte 0      width w of a value: 0, 1, 2, 4 or 8
 *   byte 1      decimals d, 0 to 4; or 255: the values are IEEE 754 doubles, w is 8
 *   bytes 2-9   base, a signed integer
 *   then        n values of w bytes, unsigned; all bits set = unknown
 *
 * Everything is little-endian.  A value is (base + stored) / 10^d.  With w = 0 nothing
 * follows and every value is base / 10^d, or unknown when base is the smallest integer.
 *
 * Tools print a few decimals, so that almost every column fits in two bytes a value.
 * The decimals are only used where they give back every value exactly. */
#ifndef DATA_STORE_SAMPLE_COLUMN_H
#define DATA_STORE_SAMPLE_COLUMN_H

#include "data/store/store.h"

enum { COLUMN_HEAD_BYTES = 10, COLUMN_BYTES_MAX = COLUMN_HEAD_BYTES + 8 * STORE_BLOCK_SAMPLES };

/* X(field of struct store_sample = SQL column, kind); those of the first schema */
#define SAMPLE_COLUMNS_1(X)                                                                        \
    X(begin_ms, INT)                                                                               \
    X(end_ms, INT)                                                                                 \
    X(line, INT)                                                                                   \
    X(flags, INT)                                                                                  \
    X(reads_per_s, NUM)                                                                            \
    X(writes_per_s, NUM)                                                                           \
    X(read_kib_per_s, NUM)                                                                         \
    X(write_kib_per_s, NUM)                                                                        \
    X(read_merge_pct, NUM)                                                                         \
    X(write_merge_pct, NUM)                                                                        \
    X(read_await_ms, NUM)                                                                          \
    X(write_await_ms, NUM)                                                                         \
    X(await_ms, NUM)                                                                               \
    X(queue, NUM)                                                                                  \
    X(util_pct, NUM)

/* of the second */
#define SAMPLE_COLUMNS_2(X)                                                                        \
    SAMPLE_COLUMNS_1(X)                                                                            \
    X(total_per_s, NUM)                                                                            \
    X(total_kib_per_s, NUM)

#define SAMPLE_COLUMNS(X)                                                                          \
    SAMPLE_COLUMNS_2(X)                                                                            \
    X(longest_ms, INT)

/* X(field of struct store_metric_value = SQL column, kind) */
#define VALUE_COLUMNS(X)                                                                           \
    X(time_ms, INT)                                                                                \
    X(period_s, NUM)                                                                               \
    X(value, NUM)                                                                                  \
    X(line, INT)

enum sample_column {
#define X(field, kind) COLUMN_##field,
    SAMPLE_COLUMNS(X)
#undef X
        COLUMN_COUNT
};

enum value_column {
#define X(field, kind) VALUE_COLUMN_##field,
    VALUE_COLUMNS(X)
#undef X
        VALUE_COLUMN_COUNT
};

/* Writes column c of n <= STORE_BLOCK_SAMPLES samples; returns the number of bytes. */
size_t column_put(unsigned char out[COLUMN_BYTES_MAX], enum sample_column c,
                  const struct store_sample *samples, size_t n);
size_t value_column_put(unsigned char out[COLUMN_BYTES_MAX], enum value_column c,
                        const struct store_metric_value *values, size_t n);
/* Sets field c of n <= STORE_BLOCK_SAMPLES samples; non-zero when the bytes are not such a column.
 */
int column_get(const unsigned char *bytes, size_t n_bytes, enum sample_column c,
               struct store_sample *samples, size_t n);
int value_column_get(const unsigned char *bytes, size_t n_bytes, enum value_column c,
                     struct store_metric_value *values, size_t n);

#endif
