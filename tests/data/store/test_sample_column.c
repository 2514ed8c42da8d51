/* tests/data/store/test_sample_column.c - columns as bytes, written down by hand. */
#include "data/store/sample_column.h"
#include "models/core/unit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { CASE_VALUES = 3, CASE_BYTES = 40 };

struct num_case {
    const char *why;
    double v[CASE_VALUES];
    size_t n_bytes;
    unsigned char bytes[CASE_BYTES];
};

/* width, decimals, base (8 bytes), values */
static const struct num_case nums[] = {
    { "equal values: the head alone", { 7, 7, 7 }, 10, { 0, 0, 7 } },
    { "nothing known: base is the smallest integer",
      { NAN, NAN, NAN },
      10,
      { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80 } },
    { "two decimals: 150, 175, 149 above 149",
      { 1.5, 1.75, 1.49 },
      13,
      { 1, 2, 149, 0, 0, 0, 0, 0, 0, 0, 1, 26, 0 } },
    { "an unknown among equals needs a byte",
      { 7, NAN, 7 },
      13,
      { 1, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0 } },
    { "a range of 254 fits in a byte, 255 is unknown",
      { 0, 254, NAN },
      13,
      { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 254, 0xff } },
    { "a range of 255 does not",
      { 0, 255, 1 },
      16,
      { 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 1, 0 } },
    { "negative: -1 is the base",
      { -1, 0, 1 },
      13,
      { 1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0, 1, 2 } },
    { "four bytes: 70000 = 0x11170",
      { 0, 70000, 1 },
      22,
      { 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x70, 0x11, 1, 0, 1, 0, 0, 0 } },
    { "no four decimals: doubles, 0.5 = 0x3fe..., 2^-20 = 0x3eb...",
      { 0.5, 0x1p-20, NAN },
      34,
      { 8,    255, 0, 0, 0, 0, 0, 0,    0,    0,    0,    0,    0,    0,    0,    0,    0xe0,
        0x3f, 0,   0, 0, 0, 0, 0, 0xb0, 0x3e, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },
    { "an integer that is too large for the decimals of another: doubles, 2^50 = 0x431...",
      { 0x1p50, 0.5, NAN },
      34,
      { 8,    255, 0, 0, 0, 0, 0, 0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10,
        0x43, 0,   0, 0, 0, 0, 0, 0xe0, 0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },
};

static void test_num(void **state)
{
    const struct num_case *c = *state;
    struct store_sample in[CASE_VALUES] = { 0 }, out[CASE_VALUES] = { 0 };
    static unsigned char bytes[COLUMN_BYTES_MAX];
    for (size_t i = 0; i < CASE_VALUES; i++)
        in[i].queue = c->v[i];
    assert_int_equal(column_put(bytes, COLUMN_queue, in, CASE_VALUES), c->n_bytes);
    assert_memory_equal(bytes, c->bytes, c->n_bytes);
    assert_int_equal(column_get(bytes, c->n_bytes, COLUMN_queue, out, CASE_VALUES), 0);
    for (size_t i = 0; i < CASE_VALUES; i++)
        assert_true(isnan(c->v[i]) ? isnan(out[i].queue) : out[i].queue == c->v[i]);
}

/* Every way a number can be hard to keep comes back exactly. */
static void test_num_exact(void **state)
{
    (void)state;
    static const double hard[] = {
        0.1 + 0.2, 1.0 / 3,   1e-5,        1e300, 4503599627370497.5, 0x1p51,
        -0x1p51,   0x1p-1074, 123456.7891, 0.07,  9007199254740993.0, NAN
    };
    enum { N = sizeof hard / sizeof *hard };
    static unsigned char bytes[COLUMN_BYTES_MAX];
    for (size_t i = 0; i < N; i++) {
        struct store_sample in[2] = { { .queue = hard[i] }, { .queue = 0 } }, out[2];
        size_t n = column_put(bytes, COLUMN_queue, in, 2);
        assert_int_equal(column_get(bytes, n, COLUMN_queue, out, 2), 0);
        assert_true(isnan(hard[i]) ? isnan(out[0].queue) : out[0].queue == hard[i]);
        assert_true(out[1].queue == 0);
    }
}

/* All that a tool can print with two decimals up to 1 000.00. */
static void test_two_decimals(void **state)
{
    (void)state;
    static struct store_sample in[STORE_BLOCK_SAMPLES], out[STORE_BLOCK_SAMPLES];
    static unsigned char bytes[COLUMN_BYTES_MAX];
    for (int from = 0; from < 100000; from += STORE_BLOCK_SAMPLES) {
        for (int i = 0; i < STORE_BLOCK_SAMPLES; i++)
            in[i].util_pct = (from + i) / 100.0;
        size_t n = column_put(bytes, COLUMN_util_pct, in, STORE_BLOCK_SAMPLES);
        assert_int_equal(n, COLUMN_HEAD_BYTES + 2 * STORE_BLOCK_SAMPLES);
        assert_int_equal(column_get(bytes, n, COLUMN_util_pct, out, STORE_BLOCK_SAMPLES), 0);
        for (int i = 0; i < STORE_BLOCK_SAMPLES; i++)
            assert_true(out[i].util_pct == in[i].util_pct);
    }
}

static void test_int(void **state)
{
    (void)state;
    static unsigned char bytes[COLUMN_BYTES_MAX];
    const int64_t values[] = { UNKNOWN, INT64_MAX, UNKNOWN + 1, 0 };
    struct store_sample in[4] = { 0 }, out[4] = { 0 };
    for (size_t i = 0; i < 4; i++)
        in[i].begin_ms = values[i];
    size_t n = column_put(bytes, COLUMN_begin_ms, in, 4);
    assert_int_equal(n, COLUMN_HEAD_BYTES + 4 * 8);
    assert_int_equal(column_get(bytes, n, COLUMN_begin_ms, out, 4), 0);
    for (size_t i = 0; i < 4; i++)
        assert_true(out[i].begin_ms == values[i]);
}

struct bad_case {
    const char *why;
    enum sample_column column;
    size_t n_bytes;
    unsigned char bytes[12];
};

static const struct bad_case bad[] = {
    { "nothing at all", COLUMN_queue, 0, { 0 } },
    { "half a head", COLUMN_queue, 9, { 0 } },
    { "no such width", COLUMN_queue, 12, { 3 } },
    { "fewer values than samples", COLUMN_queue, 11, { 1 } },
    { "bytes behind a constant", COLUMN_queue, 11, { 0 } },
    { "too many decimals", COLUMN_queue, 12, { 1, 5 } },
    { "a double of one byte", COLUMN_queue, 12, { 1, 255 } },
    { "an integer with decimals", COLUMN_line, 12, { 1, 2 } },
};

static void test_bad(void **state)
{
    const struct bad_case *c = *state;
    struct store_sample out[2];
    assert_int_not_equal(column_get(c->bytes, c->n_bytes, c->column, out, 2), 0);
}

int main(void)
{
    enum { N_NUM = sizeof nums / sizeof *nums, N_BAD = sizeof bad / sizeof *bad };
    struct CMUnitTest t[N_NUM + N_BAD + 3];
    size_t n = 0;
    for (size_t i = 0; i < N_NUM; i++)
        t[n++] =
            (struct CMUnitTest){ nums[i].why, test_num, NULL, NULL, (void *)(uintptr_t)&nums[i] };
    for (size_t i = 0; i < N_BAD; i++)
        t[n++] =
            (struct CMUnitTest){ bad[i].why, test_bad, NULL, NULL, (void *)(uintptr_t)&bad[i] };
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_num_exact);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_two_decimals);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_int);
    return cmocka_run_group_tests(t, NULL, NULL);
}
