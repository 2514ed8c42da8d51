/* tests/models/core/test_money.c - exact decimals of bills and price lists. */
#include "models/core/money.h"
#include "tests/row_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct money_case {
    const char *why, *text;
    bool ok;
    const char *with12; /* as money_format prints it with 12 decimals */
    bool rounded;
    int decimals;
} cases[] = {
    { "the price of io2 tier 3", "0.03185", true, "0.031850000000", false, 5 },
    { "twelve decimals", "0.000000000001", true, "0.000000000001", false, 12 },
    { "half of the last decimal rounds away from zero", "0.0000000000005", true, "0.000000000001",
      true, 13 },
    { "negative credit", "-2.6137", true, "-2.613700000000", false, 4 },
    { "zero as Hive writes it", "0E-11", true, "0.000000000000", false, 11 },
    { "scientific", "1.776500e-06", true, "0.000001776500", false, 12 },
    { "an exponent that makes it whole", "1.5e3", true, "1500.000000000000", false, 0 },
    { "eighteen digits before the point", "999999999999999999.999999999999", true,
      "999999999999999999.999999999999", false, 12 },
    { "nineteen do not fit", "1000000000000000000", false, NULL, false, 0 },
    { "an exponent beyond reason", "1e99999", false, NULL, false, 0 },
    { "far below the last decimal", "1e-900", true, "0.000000000000", true, 900 },
    { "more digits than a money holds", "0.1234567890123456789012345678901234567890", true,
      "0.123456789012", true, 40 },
    { "no digit", "-.", false, NULL, false, 0 },
    { "text", "NULL", false, NULL, false, 0 },
};

static void test_parse(void **state)
{
    const struct money_case *c = *state;
    struct span s = span_of(c->text);
    money m = 7;
    bool rounded;
    int decimals;
    char buf[64];
    if (!c->ok) {
        assert_int_not_equal(money_parse(&s, &m, &rounded, &decimals), 0);
        assert_true(m == 7);
        return;
    }
    assert_int_equal(money_parse(&s, &m, &rounded, &decimals), 0);
    assert_int_equal(s.len, 0);
    assert_string_equal(money_format(buf, m, 12), c->with12);
    assert_int_equal(rounded, c->rounded);
    assert_int_equal(decimals, c->decimals);
}

static const struct format_case {
    const char *why, *text;
    int decimals;
    const char *want;
} formats[] = {
    { "cents", "3598.5", 2, "3598.50" },
    { "half a cent rounds up", "0.005", 2, "0.01" },
    { "and away from zero", "-0.005", 2, "-0.01" },
    { "minus nothing is nothing", "-0.0049", 2, "0.00" },
    { "no decimals, no point", "12.5", 0, "13" },
};

static void test_format(void **state)
{
    const struct format_case *c = *state;
    struct span s = span_of(c->text);
    money m;
    char buf[64];
    assert_int_equal(money_parse(&s, &m, NULL, NULL), 0);
    assert_string_equal(money_format(buf, m, c->decimals), c->want);
}

static const struct exact_case {
    const char *why, *text, *want;
} exacts[] = {
    { "the last decimal", "0.000000000001", "0.000000000001" },
    { "zeros at the end go", "12.500", "12.5" },
    { "and the point with them", "-12.0", "-12" },
    { "zeros before the point stay", "100", "100" },
    { "zero", "0", "0" },
};

static void test_exact(void **state)
{
    const struct exact_case *c = *state;
    struct span s = span_of(c->text);
    money m;
    char buf[64];
    assert_int_equal(money_parse(&s, &m, NULL, NULL), 0);
    assert_string_equal(money_exact(buf, m), c->want);
}

int main(void)
{
    struct CMUnitTest t[32];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, cases, test_parse);
    ADD_ROW_TESTS(t, n, formats, test_format);
    ADD_ROW_TESTS(t, n, exacts, test_exact);
    return _cmocka_run_group_tests("money", t, n, NULL, NULL);
}
