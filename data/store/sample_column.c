/* data/store/sample_column.c - see sample_column.h. */
#include "data/store/sample_column.h"

#include "models/core/unit.h"
#include "models/core/wide.h"

#include <assert.h>
#include <endian.h>
#include <math.h>
#include <string.h>

static_assert(STORE_BLOCK_SAMPLES % WIDE == 0, "a full block is in whole steps");

enum { DECIMALS_MAX = 4, DECIMALS_DOUBLE = 255 };

static const double power_of_ten[DECIMALS_MAX + 1] = { 1, 10, 100, 1000, 10000 };

enum column_kind { INT, NUM };

struct column {
    enum column_kind kind;
    size_t offset, stride; /* of the field; of the structure it is in */
};

static const struct column columns[COLUMN_COUNT] = {
#define X(field, kind)                                                                             \
    [COLUMN_##field] = { kind, offsetof(struct store_sample, field), sizeof(struct store_sample) },
    SAMPLE_COLUMNS(X)
#undef X
};

static const struct column value_columns[VALUE_COLUMN_COUNT] = {
#define X(field, kind)                                                                             \
    [VALUE_COLUMN_##field] = { kind, offsetof(struct store_metric_value, field),                   \
                               sizeof(struct store_metric_value) },
    VALUE_COLUMNS(X)
#undef X
};

/* --- bytes -------------------------------------------------------------------------------------
 */

static void put_bytes(unsigned char *out, uint64_t v, unsigned width)
{
    uint64_t little_endian = htole64(v);
    memcpy(out, &little_endian, width);
}

static uint64_t get_bytes(const unsigned char *in, unsigned width)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < width; i++)
        v |= (uint64_t)in[i] << 8 * i;
    return v;
}

/* The bits of a 64-bit integer as the other signedness, without an out-of-range conversion. */
static int64_t as_signed(uint64_t v)
{
    int64_t r;
    memcpy(&r, &v, sizeof r);
    return r;
}

static uint64_t all_ones(unsigned width)
{
    return UINT64_MAX >> (64 - 8 * width);
}

/* --- writing -----------------------------------------------------------------------------------
 */

static size_t put_head(unsigned char *out, unsigned width, unsigned decimals, int64_t base)
{
    out[0] = (unsigned char)width;
    out[1] = (unsigned char)decimals;
    put_bytes(out + 2, (uint64_t)base, 8);
    return COLUMN_HEAD_BYTES;
}

/* UNKNOWN is the smallest integer, so that a range over known values never has all bits set. */
static unsigned width_of(uint64_t range, bool some_unknown)
{
    if (range == 0 && !some_unknown)
        return 0;
    for (unsigned width = 1; width < 8; width *= 2)
        if (range < all_ones(width))
            return width;
    return 8;
}

/* Inlined for each width, which makes a copy of that many bytes one store. */
static inline __attribute__((always_inline)) void put_values(unsigned char *out, const int64_t *v,
                                                             size_t n, int64_t min, unsigned width)
{
    for (size_t i = 0; i < n; i++)
        put_bytes(out + i * width,
                  v[i] == UNKNOWN ? all_ones(width) : (uint64_t)v[i] - (uint64_t)min, width);
}

MAY_BE_WIDE static size_t put_ints(unsigned char *out, const int64_t *v, size_t n,
                                   unsigned decimals)
{
    int64_t min = INT64_MAX, max = UNKNOWN, some_unknown = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t unknown = -(int64_t)(v[i] == UNKNOWN); /* all bits or none, which is no jump */
        int64_t at_least = v[i] ^ unknown;             /* UNKNOWN is the largest here */
        min = at_least < min ? at_least : min;
        max = v[i] > max ? v[i] : max;
        some_unknown |= unknown;
    }
    if (max == UNKNOWN)
        return put_head(out, 0, decimals, UNKNOWN);

    unsigned width = width_of((uint64_t)max - (uint64_t)min, some_unknown);
    size_t at = put_head(out, width, decimals, min);
    switch (width) {
    case 1:
        put_values(out + at, v, n, min, 1);
        break;
    case 2:
        put_values(out + at, v, n, min, 2);
        break;
    case 4:
        put_values(out + at, v, n, min, 4);
        break;
    case 8:
        put_values(out + at, v, n, min, 8);
        break;
    default: /* 0: the base says it all */
        break;
    }
    return at + n * width;
}

static size_t put_doubles(unsigned char *out, const double *v, size_t n)
{
    size_t at = put_head(out, 8, DECIMALS_DOUBLE, 0);
    for (size_t i = 0; i < n; i++, at += 8) {
        uint64_t bits = UINT64_MAX;
        if (!isnan(v[i]))
            memcpy(&bits, &v[i], sizeof bits);
        put_bytes(out + at, bits, 8);
    }
    return at;
}

/* The values times power, as integers; false where one of them has more decimals than that.  v and
 * out have room for n in whole steps. */
MAY_BE_WIDE static bool scale(const double *v, size_t n, double power, int64_t *out)
{
    /* the nearest integer of |x| < 2^51: adding 1.5 * 2^52 leaves no bits for a fraction */
    const double shift = 6755399441055744.0;
    const int64_t shift_bits = INT64_C(0x4338000000000000);
    for (size_t i = 0; i < n; i += WIDE) {
        wide_f64 value = *(const wide_f64 *)(v + i), x = value * power, shifted = x + shift;
        /* NOLINTNEXTLINE(misc-redundant-expression): false for a NaN */
        wide_i64 known = value == value;
        wide_i64 fits = (x > -0x1p51) & (x < 0x1p51) & ((shifted - shift) / power == value);
        wide_i64 bad = known & ~fits;
        if (bad[0] | bad[1] | bad[2] | bad[3])
            return false;
        *(wide_i64 *)(out + i) = (known & ((wide_i64)shifted - shift_bits)) | (~known & UNKNOWN);
    }
    return true;
}

static size_t put_nums(unsigned char *out, double *v, size_t n)
{
    for (size_t i = n; i % WIDE; i++)
        v[i] = NAN;
    int64_t scaled[STORE_BLOCK_SAMPLES];
    for (unsigned decimals = 0; decimals <= DECIMALS_MAX; decimals++)
        if (scale(v, n, power_of_ten[decimals], scaled))
            return put_ints(out, scaled, n, decimals);
    return put_doubles(out, v, n);
}

static size_t put_column(unsigned char *out, const struct column *c, const void *rows, size_t n)
{
    const char *field = (const char *)rows + c->offset;
    if (c->kind == INT) {
        int64_t v[STORE_BLOCK_SAMPLES];
        for (size_t i = 0; i < n; i++, field += c->stride)
            memcpy(&v[i], field, sizeof v[i]);
        return put_ints(out, v, n, 0);
    }
    double v[STORE_BLOCK_SAMPLES];
    for (size_t i = 0; i < n; i++, field += c->stride)
        memcpy(&v[i], field, sizeof v[i]);
    return put_nums(out, v, n);
}

size_t column_put(unsigned char out[COLUMN_BYTES_MAX], enum sample_column c,
                  const struct store_sample *samples, size_t n)
{
    return put_column(out, &columns[c], samples, n);
}

size_t value_column_put(unsigned char out[COLUMN_BYTES_MAX], enum value_column c,
                        const struct store_metric_value *values, size_t n)
{
    return put_column(out, &value_columns[c], values, n);
}

/* --- reading -----------------------------------------------------------------------------------
 */

struct head {
    unsigned width, decimals;
    uint64_t base;
};

static int get_head(const unsigned char *bytes, size_t n_bytes, size_t n, struct head *out)
{
    if (n_bytes < COLUMN_HEAD_BYTES)
        return -1;
    struct head h = { bytes[0], bytes[1], get_bytes(bytes + 2, 8) };
    bool width_ok = h.width == 0 || h.width == 1 || h.width == 2 || h.width == 4 || h.width == 8;
    bool decimals_ok =
        h.decimals <= DECIMALS_MAX || (h.decimals == DECIMALS_DOUBLE && h.width == 8);
    if (!width_ok || !decimals_ok || n_bytes - COLUMN_HEAD_BYTES != n * h.width)
        return -1;
    *out = h;
    return 0;
}

static int64_t get_int(const struct head *h, const unsigned char *bytes, size_t i)
{
    if (h->width == 0)
        return as_signed(h->base);
    uint64_t v = get_bytes(bytes + COLUMN_HEAD_BYTES + i * h->width, h->width);
    return v == all_ones(h->width) ? UNKNOWN : as_signed(h->base + v);
}

static double get_num(const struct head *h, const unsigned char *bytes, size_t i)
{
    if (h->decimals != DECIMALS_DOUBLE) {
        int64_t v = get_int(h, bytes, i);
        return v == UNKNOWN ? NAN : (double)v / power_of_ten[h->decimals];
    }
    double v;
    uint64_t bits = get_bytes(bytes + COLUMN_HEAD_BYTES + i * 8, 8);
    memcpy(&v, &bits, sizeof v);
    return v;
}

static int get_column(const unsigned char *bytes, size_t n_bytes, const struct column *c,
                      void *rows, size_t n)
{
    struct head h;
    if (get_head(bytes, n_bytes, n, &h))
        return -1;
    if (c->kind == INT && h.decimals != 0)
        return -1;
    char *field = (char *)rows + c->offset;
    for (size_t i = 0; i < n; i++, field += c->stride) {
        if (c->kind == INT) {
            int64_t v = get_int(&h, bytes, i);
            memcpy(field, &v, sizeof v);
        } else {
            double v = get_num(&h, bytes, i);
            memcpy(field, &v, sizeof v);
        }
    }
    return 0;
}

int column_get(const unsigned char *bytes, size_t n_bytes, enum sample_column c,
               struct store_sample *samples, size_t n)
{
    return get_column(bytes, n_bytes, &columns[c], samples, n);
}

int value_column_get(const unsigned char *bytes, size_t n_bytes, enum value_column c,
                     struct store_metric_value *values, size_t n)
{
    return get_column(bytes, n_bytes, &value_columns[c], values, n);
}
