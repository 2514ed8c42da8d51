/* tests/data/ingest/test_utf16.c - UTF-16 against the examples of RFC 2781 and RFC 3629. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "data/ingest/utf16.h"

#define N(a) (sizeof(a) / sizeof *(a))
#define BYTES(s)                                                                                   \
    {                                                                                              \
        (s), sizeof(s) - 1                                                                         \
    }

static const struct decode_case {
    const char *why;
    struct span big_endian;
    struct span want;
} cases[] = {
    { "ASCII", BYTES("\0A\0\x7F"), BYTES("A\x7F") },
    { "a NUL", BYTES("\0\0"), BYTES("\0") },
    { "two bytes: U+0080, U+03A9, U+07FF", BYTES("\0\x80\x03\xA9\x07\xFF"),
      BYTES("\xC2\x80\xCE\xA9\xDF\xBF") },
    { "three bytes: U+0800, U+2262, U+FFFF", BYTES("\x08\0\x22\x62\xFF\xFF"),
      BYTES("\xE0\xA0\x80\xE2\x89\xA2\xEF\xBF\xBF") },
    { "a pair: U+233B4, RFC 3629 section 7", BYTES("\xD8\x4C\xDF\xB4"), BYTES("\xF0\xA3\x8E\xB4") },
    { "the first and the last pair", BYTES("\xD8\0\xDC\0\xDB\xFF\xDF\xFF"),
      BYTES("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF") },
    { "a low surrogate alone", BYTES("\xDC\0\0A"),
      BYTES("\xEF\xBF\xBD"
            "A") },
    { "a high surrogate alone", BYTES("\xD8\0\0A"),
      BYTES("\xEF\xBF\xBD"
            "A") },
    { "two high surrogates and a low one", BYTES("\xD8\0\xD8\0\xDC\0"),
      BYTES("\xEF\xBF\xBD\xF0\x90\x80\x80") },
    { "a high surrogate at the end", BYTES("\0A\xD8\0"), BYTES("A\xEF\xBF\xBD") },
    { "half a unit at the end", BYTES("\0A\0"), BYTES("A\xEF\xBF\xBD") },
    { "both at the end", BYTES("\xD8\0\xDC"), BYTES("\xEF\xBF\xBD\xEF\xBF\xBD") },
};

/* In pieces of every size, in both byte orders. */
static void decodes(void **state)
{
    const struct decode_case *c = *state;
    for (int little = 0; little < 2; little++) {
        char in[16];
        size_t len = c->big_endian.len;
        for (size_t i = 0; i < len; i++)
            in[i ^ (little && (i ^ 1) < len ? 1 : 0)] = c->big_endian.ptr[i];
        for (size_t piece = 1; piece <= len; piece++) {
            char out[64];
            size_t n = 0;
            struct utf16 u = { .big_endian = !little };
            for (size_t i = 0; i < len; i += piece) {
                size_t part = piece < len - i ? piece : len - i;
                size_t got = utf16_decode(&u, (struct span){ in + i, part }, out + n);
                assert_true(got <= UTF16_ROOM(part));
                n += got;
            }
            n += utf16_finish(&u, out + n);
            assert_int_equal(n, c->want.len);
            assert_memory_equal(out, c->want.ptr, n);
        }
    }
}

int main(void)
{
    struct CMUnitTest t[N(cases)];
    for (size_t i = 0; i < N(cases); i++)
        t[i] =
            (struct CMUnitTest){ cases[i].why, decodes, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    return _cmocka_run_group_tests("utf16", t, N(cases), NULL, NULL);
}
