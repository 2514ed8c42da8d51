/* tests/data/ingest/text/test_text_number.c - numbers, names and lines as tools print them. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/text/text_line.h"
#include "data/ingest/text/text_number.h"
#include "tests/row_tests.h"

static const struct number_case {
    const char *why, *text;
    double value; /* NaN: unknown */
    int decimals;
    char suffix;
    double kib; /* where the heading says 1 024 KiB */
} number_cases[] = {
    { "digits", "174", 174, 0, 0, 174 * 1024.0 },
    { "a point", "90.78", 90.78, 2, 0, 90.78 * 1024 },
    { "a comma in locales that write it so", "15,57", 15.57, 2, 0, 15.57 * 1024 },
    { "nothing behind the point", "5.", 5, 0, 0, 5120 },
    { "a sign", "-12.50", -12.5, 2, 0, -12800 },
    { "an exponent", "1e3", 1000, 0, 0, 1024000 },
    { "more digits than a double holds", "12345678901234567890", 12345678901234567890.0, 0, 0,
      12345678901234567890.0 * 1024 },
    { "k is KiB, whatever the heading says", "72.8k", 72.8, 1, 'k', 72.8 },
    { "K too", "3K", 3, 0, 'k', 3 },
    { "M is 1 024 of them", "6.5M", 6.5, 1, 'M', 6656 },
    { "G", "1.5G", 1.5, 1, 'G', 1.5 * 1048576 },
    { "bytes", "512B", 512, 0, 'B', 0.5 },
    { "a share", "10.4%", 10.4, 1, '%', (double)NAN },
    { "a rounded number with a comma", "6,5M", 6.5, 1, 'M', 6656 },
    { "nan", "nan", (double)NAN, 0, 0, (double)NAN },
    { "-nan", "-nan", (double)NAN, 0, 0, (double)NAN },
    { "inf", "inf", (double)NAN, 0, 0, (double)NAN },
};

static void numbers(void **state)
{
    const struct number_case *c = *state;
    struct text_number n = { 0 };
    assert_int_equal(text_number_of(span_of(c->text), &n), 0);
    assert_true(isnan(c->value) ? isnan(n.value)
                                : fabs(n.value - c->value) <= 1e-9 * fabs(c->value));
    assert_int_equal(n.decimals, c->decimals);
    assert_int_equal(n.suffix, c->suffix);
    double kib = text_kib(&n, 1024);
    assert_true(isnan(c->kib) ? isnan(kib) : fabs(kib - c->kib) <= 1e-9 * fabs(c->kib));
}

static void no_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = { "", " ", "-", "sda", "1.2.3", "1,2,3", "5Q", "M", "1 2" };
    struct text_number n;
    for (size_t i = 0; i < N(texts); i++)
        if (text_number_of(span_of(texts[i]), &n) == 0)
            fail_msg("'%s' was read as %g", texts[i], n.value);
    char long_comma[80];
    memset(long_comma, '1', sizeof long_comma);
    long_comma[40] = ',';
    assert_int_not_equal(text_number_of((struct span){ long_comma, sizeof long_comma }, &n), 0);
}

/* The same in the middle of a row. */
static void numbers_of_a_row(void **state)
{
    (void)state;
    static const struct row_case {
        const char *why, *text;
        double value; /* NaN: no number */
        int decimals;
    } rows[] = {
        { "one digit", "0.01", 0.01, 2 },
        { "the most that fit in eight bytes", "98765.43", 98765.43, 2 },
        { "one more", "987654.32", 987654.32, 2 },
        { "every digit", "1234.56", 1234.56, 2 },
        { "and the others", "7089.99", 7089.99, 2 },
        { "one decimal", "12.5", 12.5, 1 },
        { "three", "12.345", 12.345, 3 },
        { "none", "12", 12, 0 },
        { "a comma", "12,34", 12.34, 2 },
        { "a sign", "-2.50", -2.5, 2 },
        { "two points", "1.23.4", (double)NAN, 0 },
        { "no digit before the point", ".12x", (double)NAN, 0 },
        { "the character before 0", "1/.00", (double)NAN, 0 },
        { "the character behind 9", "1:.00", (double)NAN, 0 },
        { "a letter in the decimals", "1.0a", (double)NAN, 0 },
        { "a byte that is no ASCII", "1\xB2.00", (double)NAN, 0 },
        { "another",
          "1.\xFF"
          "0",
          (double)NAN, 0 },
    };
    for (size_t i = 0; i < N(rows); i++) {
        char row[64];
        struct text_number n;
        int len = snprintf(row, sizeof row, "%s         3.25 100.00", rows[i].text);
        const char *end = text_number(row, row + len, &n);
        if (isnan(rows[i].value)) {
            if (end)
                fail_msg("%s: read as %g", rows[i].why, n.value);
            continue;
        }
        if (end != row + strlen(rows[i].text) || n.value != rows[i].value ||
            n.decimals != rows[i].decimals || n.suffix)
            fail_msg("%s: %g with %d decimals", rows[i].why, n.value, n.decimals);
        const char *next = text_skip_gap(end, row + len);
        assert_ptr_equal(next, strstr(row, "3.25"));
    }
}

static void ends_at_a_gap(void **state)
{
    (void)state;
    static const char text[] = "1.50\0 2.50";
    struct text_number n;
    const char *end = text_number(text, text + sizeof text - 1, &n);
    assert_ptr_equal(end, text + 4);
    assert_true(n.value == 1.5);
}

static void lines_and_names(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e;
    char buf[TEXT_NAME_MAX];
    struct source *src =
        source_of_span("f", SPAN_LIT("\x1B[1mDevice\x1B[0m  x\x1B[31;1m1\x1B[m\nplain\n\x1B["));
    struct text_lines lines = { .src = src, .a = &a };
    struct span line;
    assert_int_equal(text_line_next(&lines, &line, &e), 1);
    assert_true(span_is(line, "Device  x1"));
    assert_int_equal(text_line_next(&lines, &line, &e), 1);
    assert_true(span_is(line, "plain"));
    assert_int_equal(text_line_next(&lines, &line, &e), 1);
    assert_int_equal(line.len, 0);
    assert_int_equal(text_line_next(&lines, &line, &e), 0);
    source_close(src);
    arena_release(&a);

    assert_true(span_is(text_device_name(SPAN_LIT("cciss!c0d0"), buf), "cciss/c0d0"));
    assert_true(span_is(text_device_name(SPAN_LIT("sda"), buf), "sda"));
}

int main(void)
{
    struct CMUnitTest t[N(number_cases) + 4];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, number_cases, numbers);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(no_numbers);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(numbers_of_a_row);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(ends_at_a_gap);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(lines_and_names);
    return _cmocka_run_group_tests("text_number", t, n, NULL, NULL);
}
