/* tests/models/core/test_span.c - bounded cell parsers. */
#include "models/core/span.h"
#include "models/core/unit.h"
#include "tests/row_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct number_case {
    const char *why, *text;
    bool ok;
    double want;
    size_t left; /* characters not read */
};

static const struct number_case doubles[] = {
    { "an integer", "417", true, 417, 0 },
    { "no leading zero, as AWR prints", ".046586", true, .046586, 0 },
    { "no digit after the point", "5.", true, 5, 0 },
    { "a suffix is left for the caller", "392.1G", true, 392.1, 1 },
    { "scientific, as AWR overflows", "7.1E+04", true, 71000, 0 },
    { "an exponent without digits is not one", "7.1E+", true, 7.1, 2 },
    { "negative", "-0.5", true, -0.5, 0 },
    { "exact: 2^53 - 1", "9007199254740991", true, 9007199254740991.0, 0 },
    { "beyond 19 digits only the size counts", "123456789012345678901234", true,
      1.2345678901234568e23, 0 },
    { "small", "1e-5", true, 1e-5, 0 },
    { "underflow is zero", "1e-5000", true, 0, 0 },
    { "a minus alone", "-", false, 0, 1 },
    { "a point alone", ".", false, 0, 1 },
    { "empty", "", false, 0, 0 },
    { "nan is not a number", "nan", false, 0, 3 },
    { "inf is not a number", "inf", false, 0, 3 },
    { "overflow", "1e400", false, 0, 5 },
    { "an exponent beyond reason", "1e99999999999", false, 0, 13 },
};

static void test_double(void **state)
{
    const struct number_case *c = *state;
    struct span s = span_of(c->text);
    double v = -7;
    assert_int_equal(span_double(&s, &v) == 0, c->ok);
    assert_int_equal(s.len, c->left);
    if (c->ok)
        assert_true(v == c->want);
    else
        assert_true(v == -7);
}

static void test_double_of_400_digits(void **state)
{
    (void)state;
    char text[400];
    memset(text, '9', sizeof text);
    struct span s = { text, sizeof text };
    double v;
    assert_int_not_equal(span_double(&s, &v), 0);
    assert_int_equal(s.len, sizeof text);
}

static const struct number_case commas[] = {
    { "thousands separators", "4,319.92", true, 4319.92, 0 },
    { "twice", "12,345,678", true, 12345678, 0 },
    { "two digits after a comma end the number", "12,34", true, 12, 3 },
    { "a comma in front is not part of a number", ",123", false, 0, 4 },
};

static void test_commas(void **state)
{
    const struct number_case *c = *state;
    struct span s = span_of(c->text);
    double v;
    assert_int_equal(span_double_commas(&s, &v) == 0, c->ok);
    assert_int_equal(s.len, c->left);
    if (c->ok)
        assert_true(v == c->want);
}

static const struct int_case {
    const char *why, *text;
    bool ok;
    int64_t want;
} ints[] = {
    { "largest", "9223372036854775807", true, INT64_MAX },
    { "one more does not fit", "9223372036854775808", false, 0 },
    { "smallest", "-9223372036854775808", true, INT64_MIN },
    { "one less does not fit", "-9223372036854775809", false, 0 },
    { "plus sign", "+12", true, 12 },
    { "leading zeros", "007", true, 7 },
    { "no digit", "x", false, 0 },
};

static void test_int(void **state)
{
    const struct int_case *c = *state;
    struct span s = span_of(c->text);
    int64_t v;
    assert_int_equal(span_int(&s, &v) == 0, c->ok);
    if (c->ok)
        assert_true(v == c->want);
}

static void test_fields(void **state)
{
    (void)state;
    struct span s = span_of("a,,b"), f;
    assert_int_equal(span_field(&s, ',', &f), 0);
    assert_true(span_is(f, "a"));
    assert_int_equal(span_field(&s, ',', &f), 0);
    assert_true(span_is(f, ""));
    assert_int_equal(span_field(&s, ',', &f), 0);
    assert_true(span_is(f, "b"));
    assert_int_not_equal(span_field(&s, ',', &f), 0);
}

static void test_words(void **state)
{
    (void)state;
    const char text[] = "  one\ttwo\0 three \r";
    struct span s = { text, sizeof text - 1 }, w;
    assert_int_equal(span_word(&s, &w), 0);
    assert_true(span_is(w, "one"));
    assert_int_equal(span_word(&s, &w), 0);
    assert_true(span_is(w, "two"));
    assert_int_equal(span_word(&s, &w), 0);
    assert_true(span_is(w, "three"));
    assert_int_not_equal(span_word(&s, &w), 0);
}

static void test_find_and_cut(void **state)
{
    (void)state;
    struct span s = span_of("IOStat by Filetype summary");
    assert_int_equal(span_find(s, "Filetype"), 10);
    assert_int_equal(span_find(s, "Function"), -1);
    assert_true(span_is(span_cut(s, 10, 18), "Filetype"));
    assert_true(span_is(span_cut(s, 19, 999), "summary"));
    assert_int_equal(span_cut(s, 500, 600).len, 0);
    assert_true(span_starts(s, "IOStat") && span_ends(s, "summary"));
    assert_true(span_eq_nocase(SPAN_LIT("MiB/s"), SPAN_LIT("mib/S")));
    assert_false(span_eq_nocase(SPAN_LIT("MiB"), SPAN_LIT("MB")));
}

int main(void)
{
    struct CMUnitTest t[64];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, doubles, test_double);
    ADD_ROW_TESTS(t, n, commas, test_commas);
    ADD_ROW_TESTS(t, n, ints, test_int);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_double_of_400_digits);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_fields);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_words);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_find_and_cut);
    return _cmocka_run_group_tests("span", t, n, NULL, NULL);
}
