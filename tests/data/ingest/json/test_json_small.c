/* tests/data/ingest/json/test_json_small.c - small documents: where they are wrong, and texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "data/ingest/json/json_small.h"
#include "tests/row_tests.h"

#define N(a) (sizeof(a) / sizeof *(a))

static const struct value_case {
    const char *why, *in;
    const char *value; /* NULL: refused */
    const char *error;
} values[] = {
    { "blanks around it do not count", " \n[1]\n", "[1]", NULL },
    { "only blanks", " \n", NULL, "empty: expected a list" },
    { "what is wrong, with its place", "[1,\n 2 3]", NULL,
      "line 2, column 4: not valid JSON: expected ',' or ']'" },
    { "a second value", "[1]\n[2]", NULL,
      "line 2, column 1: not valid JSON: something follows the document" },
};

static void only_value(void **state)
{
    const struct value_case *c = *state;
    struct json_value v;
    struct err e = { 0 };
    int rc = json_only_value(span_of(c->in), "a list", &v, &e);
    if (c->value) {
        assert_int_equal(rc, 0);
        assert_true(span_is(v.text, c->value));
    } else {
        assert_int_equal(rc, ERR_PARSE);
        assert_string_equal(e.text, c->error);
    }
}

static const struct string_case {
    const char *why, *in;
    const char *text; /* NULL: ERR_PARSE */
} strings[] = {
    { "plain", "\"REDO1\"", "REDO1" },
    { "escapes are undone: U+00E9 is C3 A9 in UTF-8", "\"a\\u00e9\\/\\n\"", "a\xc3\xa9/\n" },
    { "an empty one is no name", "\"\"", NULL },
    { "a number", "12", NULL },
    { "null", "null", NULL },
};

static int read_string(const char *json, struct arena *a, const char **out)
{
    struct json_value v;
    struct err e = { 0 };
    assert_int_equal(json_only_value(span_of(json), "a text", &v, &e), 0);
    return json_string(v, a, out);
}

static void string(void **state)
{
    const struct string_case *c = *state;
    struct arena a = { 0 };
    const char *text = NULL;
    int rc = read_string(c->in, &a, &text);
    assert_int_equal(rc, c->text ? 0 : ERR_PARSE);
    if (c->text)
        assert_string_equal(text, c->text);
    arena_release(&a);
}

/* 255 bytes are taken, 256 are not, however they are written: \u0041 is one byte, written as 6. */
static void longest(void **state)
{
    (void)state;
    for (int n = 255; n <= 256; n++)
        for (int escaped = 0; escaped < 2; escaped++) {
            char json[2000] = "\"";
            struct arena a = { 0 };
            const char *text = NULL;
            for (int i = 0; i < n; i++)
                strcat(json, escaped ? "\\u0041" : "A");
            strcat(json, "\"");
            assert_int_equal(read_string(json, &a, &text), n == 255 ? 0 : ERR_PARSE);
            if (n == 255) {
                assert_int_equal(strlen(text), 255);
                assert_int_equal(strspn(text, "A"), 255);
            }
            arena_release(&a);
        }
}

int main(void)
{
    struct CMUnitTest t[N(values) + N(strings) + 1];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, values, only_value);
    ADD_ROW_TESTS(t, n, strings, string);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(longest);
    return _cmocka_run_group_tests("json_small", t, n, NULL, NULL);
}
