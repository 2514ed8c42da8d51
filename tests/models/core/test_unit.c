/* tests/models/core/test_unit.c - quantities as people type and read them. */
#include "models/core/unit.h"
#include "tests/row_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct parse_case {
    const char *why, *text;
    enum unit want;
    double value; /* NaN = refused */
} parses[] = {
    { "bare GiB", "500", UNIT_GIB, 500 },
    { "TiB to GiB", "2TiB", UNIT_GIB, 2048 },
    { "a blank before the unit", "2 TiB", UNIT_GIB, 2048 },
    { "case does not matter", "2tib", UNIT_GIB, 2048 },
    { "decimal GB to GiB: 1e9 / 2^30", "1GB", UNIT_GIB, 0.931322574615478515625 },
    { "thousands of IOPS", "64K", UNIT_IOPS, 64000 },
    { "IOPS by name", "417 IOPS", UNIT_IOPS, 417 },
    { "decimal GB/s to MiB/s: 1.05e9 / 2^20", "1.05GB/s", UNIT_MIBPS, 1001.3580322265625 },
    { "MiB/s to MB/s: 1.048576 each", "1000MiB/s", UNIT_MB_S, 1048.576 },
    { "hours to seconds", "1.5h", UNIT_S, 5400 },
    { "percent", "20%", UNIT_PCT, 20 },
    { "a rate is no size", "500MiB/s", UNIT_GIB, NAN },
    { "a size is no rate", "500MiB", UNIT_MIBPS, NAN },
    { "K of bytes is ambiguous, so refused for sizes", "64K", UNIT_GIB, NAN },
    { "negative", "-1", UNIT_GIB, NAN },
    { "not a number", "many", UNIT_IOPS, NAN },
    { "absurd", "1e16", UNIT_IOPS, NAN },
    { "trailing text", "5000x", UNIT_IOPS, NAN },
};

static void test_parse(void **state)
{
    const struct parse_case *c = *state;
    struct err e = { 0 };
    double v = NAN;
    int rc = unit_parse(span_of(c->text), c->want, &v, &e);
    if (isnan(c->value)) {
        assert_int_equal(rc, ERR_USAGE);
        assert_non_null(strstr(e.text, c->text));
    } else {
        assert_int_equal(rc, 0);
        assert_true(fabs(v - c->value) <= 1e-12 * c->value);
    }
}

static const struct format_case {
    const char *why;
    double value;
    int decimals;
    const char *want;
} formats[] = {
    { "thousands", 64000, 0, "64 000" },
    { "millions", 1440000, 0, "1 440 000" },
    { "three digits have no blank", 417, 0, "417" },
    { "negative", -1234.5, 1, "-1 234.5" },
    { "negative of three digits", -123, 0, "-123" },
    { "unknown", NAN, 1, "-" },
    { "beyond what is a quantity", 1e300, 0, "-" },
    { "rounded", 0.995, 2, "0.99" }, /* 0.995 is below one half in binary */
};

static void test_format(void **state)
{
    const struct format_case *c = *state;
    char buf[48];
    assert_string_equal(unit_format(buf, c->value, c->decimals), c->want);
}

static void test_format_usd(void **state)
{
    (void)state;
    char buf[48];
    assert_string_equal(unit_format_usd(buf, 3598500000), "3 598.50");
    assert_string_equal(unit_format_usd(buf, UNKNOWN), "-");
    /* half a cent goes up, as on a bill: 501 GiB of io2 cost 501 * 0.125 = 62.625 */
    assert_string_equal(unit_format_usd(buf, 62625000), "62.63");
    assert_string_equal(unit_format_usd(buf, 62624999), "62.62");
    assert_string_equal(unit_format_usd(buf, -62625000), "-62.63");
}

int main(void)
{
    struct CMUnitTest t[40];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, parses, test_parse);
    ADD_ROW_TESTS(t, n, formats, test_format);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_format_usd);
    return _cmocka_run_group_tests("unit", t, n, NULL, NULL);
}
