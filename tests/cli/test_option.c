/* tests/cli/test_option.c - values of options as people type them. */
#include "cli/option.h"
#include "models/vocab/volume.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct value_case {
    const char *why;
    enum option_id id;
    const char *text;
    int64_t whole;    /* UNKNOWN: look at number */
    double number;    /* NaN and whole UNKNOWN: refused */
    const char *says; /* what the refusal names */
} values[] = {
    { "a bare size is GiB", OPT_SIZE, "500", 500, NAN, NULL },
    { "TiB are converted", OPT_SIZE, "2TiB", 2048, NAN, NULL },
    { "2 TB is 1862.6 GiB: rounded up, sizes are whole", OPT_SIZE, "2TB", 1863, NAN, NULL },
    { "0.3 TiB is 307.2 GiB", OPT_SIZE, "0.3TiB", 308, NAN, NULL },
    { "a conversion's dust does not add one: 1024 GiB", OPT_SIZE, "1048576MiB", 1024, NAN, NULL },
    { "K is 1 000 for IOPS", OPT_IOPS, "64K", 64000, NAN, NULL },
    { "a size is no number of IOPS", OPT_IOPS, "64GiB", UNKNOWN, NAN, "GiB" },
    { "a throughput is no size", OPT_SIZE, "500MiB/s", UNKNOWN, NAN, "MiB/s" },
    { "1.05 GB/s is 1001.36 MiB/s", OPT_THROUGHPUT, "1.05GB/s", UNKNOWN, 1.05e9 / 1048576, NULL },
    { "of an instance a bare number is MB/s", OPT_THROUGHPUT_MB_S, "850", UNKNOWN, 850, NULL },
    { "1 000 MiB/s are 1048.576 MB/s", OPT_THROUGHPUT_MB_S, "1000MiB/s", UNKNOWN, 1048.576, NULL },
    { "a negative size", OPT_SIZE, "-5", UNKNOWN, NAN, "expected 0 or more" },
    { "more than there is", OPT_SIZE, "1e16", UNKNOWN, NAN, "beyond 1e15" },
    { "no volume of 0 GiB", OPT_SIZE, "0", UNKNOWN, NAN, "between" },
    { "no number", OPT_SIZE, "big", UNKNOWN, NAN, "not a number" },
    { "nothing", OPT_SIZE, "", UNKNOWN, NAN, "empty" },
    { "nan would poison every comparison", OPT_HEADROOM, "nan", UNKNOWN, NAN, "not a number" },
    { "a percent sign may stand there", OPT_HEADROOM, "20%", UNKNOWN, 20, NULL },
    { "10 MiB requests", OPT_IO_SIZE, "1MiB", UNKNOWN, 1024, NULL },
    { "a day: 2022-06-01", OPT_AS_OF, "2022-06-01", INT64_C(1654041600000), NAN, NULL },
    { "a day that does not exist", OPT_AS_OF, "2022-06-31", UNKNOWN, NAN, "YYYY-MM-DD" },
    { "a day with a tail", OPT_AS_OF, "2022-06-01x", UNKNOWN, NAN, "YYYY-MM-DD" },
    { "a time with its zone", OPT_FROM, "2022-06-01T02:00:00+02:00", INT64_C(1654041600000), NAN,
      NULL },
    { "a word of several", OPT_BY, "device", 1, NAN, NULL },
    { "a word that is nearly one", OPT_BY, "devise", UNKNOWN, NAN, "did you mean 'device'" },
    { "volume types as a mask", OPT_TYPES, "gp3,io2", 1 << VOL_GP3 | 1 << VOL_IO2, NAN, NULL },
    { "an unknown type", OPT_TYPES, "gp3,io9", UNKNOWN, NAN, "io9" },
    { "an empty type", OPT_TYPES, "gp3,", UNKNOWN, NAN, "no volume type" },
};

static void value(void **state)
{
    const struct value_case *c = *state;
    struct option_value v = { 0 };
    struct err e = { 0 };
    int rc = option_parse(&option_table[c->id], c->text, &v, &e);
    if (c->says) {
        assert_int_equal(rc, ERR_USAGE);
        assert_non_null(strstr(e.text, c->says));
        assert_false(v.set);
        return;
    }
    assert_int_equal(rc, 0);
    assert_true(v.set);
    if (c->whole != UNKNOWN)
        assert_int_equal(v.whole, c->whole);
    else
        assert_true(fabs(v.number - c->number) < 1e-9 * c->number);
}

int main(void)
{
    enum { N = sizeof values / sizeof *values };
    struct CMUnitTest t[N];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ values[i].why, value, NULL, NULL, (void *)(size_t)&values[i] };
    return cmocka_run_group_tests_name("option", t, NULL, NULL);
}
