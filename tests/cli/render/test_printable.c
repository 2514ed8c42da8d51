/* tests/cli/render/test_printable.c - bytes from files, made safe to show. */
#include "cli/render/printable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct shown {
    const char *why, *in, *want;
    size_t columns;
} shown[] = {
    { "plain text stays", "Log File", "Log File", 8 },
    { "an escape sequence cannot reach the terminal", "\033[31mred\033[0m", "\\x1b[31mred\\x1b[0m",
      18 },
    { "a bell, a backspace and a line break are shown", "a\ab\bc\nd", "a\\x07b\\x08c\\x0ad", 16 },
    { "DEL is a control character", "a\x7f", "a\\x7f", 5 },
    { "the 8-bit CSI (C1) too, though it is well-formed UTF-8",
      "\xc2\x9b"
      "31m",
      "\\x9b31m", 7 },
    { "letters of other scripts stay", "d\xc3\xbcsk", "d\xc3\xbcsk", 4 },
    { "a wide character takes two columns", "\xe6\x97\xa5", "\xe6\x97\xa5", 2 },
    { "a combining mark takes none", "e\xcc\x81", "e\xcc\x81", 1 },
    { "a right-to-left override would turn the line around",
      "\xe2\x80\xae"
      "abc",
      "\\u202eabc", 9 },
    { "a zero-width space hides a difference",
      "a\xe2\x80\x8b"
      "b",
      "a\\u200bb", 8 },
    { "a byte that starts nothing", "\xff", "\\xff", 4 },
    { "a lone continuation byte",
      "\x80"
      "a",
      "\\x80a", 5 },
    { "a sequence cut by the end", "\xe2\x82", "\\xe2\\x82", 8 },
    { "an overlong slash", "\xc0\xaf", "\\xc0\\xaf", 8 },
    { "a surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80", 12 },
    { "beyond U+10FFFF", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", 16 },
    { "nothing", "", "", 0 },
};

static void shows(void **state)
{
    const struct shown *c = *state;
    char out[128] = "";
    size_t columns = 0, len = 0;
    struct printable p;
    for (const char *s = c->in; printable_next(&s, &p);) {
        assert_true(len + p.len < sizeof out);
        memcpy(out + len, p.text, p.len);
        len += p.len;
        columns += p.columns;
    }
    out[len] = '\0';
    assert_string_equal(out, c->want);
    assert_int_equal(columns, c->columns);
    assert_int_equal(printable_columns(out, len), c->columns);
}

static void put_is_the_same(void **state)
{
    (void)state;
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    assert_non_null(f);
    printable_put(f, "a\033b");
    fclose(f);
    assert_string_equal(text, "a\\x1bb");
    free(text);
}

static void utf8_round_trip(void **state)
{
    (void)state;
    static const uint32_t codes[] = { 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char bytes[4];
        uint32_t back;
        size_t n = utf8_put(bytes, codes[i]);
        assert_int_equal(utf8_next(bytes, n, &back), n);
        assert_int_equal(back, codes[i]);
    }
}

int main(void)
{
    enum { N = sizeof shown / sizeof *shown };
    struct CMUnitTest t[N + 2];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ shown[i].why, shows, NULL, NULL, (void *)(size_t)&shown[i] };
    t[N] = (struct CMUnitTest){ "printable_put", put_is_the_same, NULL, NULL, NULL };
    t[N + 1] = (struct CMUnitTest){ "UTF-8 there and back", utf8_round_trip, NULL, NULL, NULL };
    return cmocka_run_group_tests_name("printable", t, NULL, NULL);
}
