/* tests/models/vocab/test_io_sample.c - what is completed in a sample, and what is an artefact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "models/core/unit.h"
#include "models/vocab/io_sample.h"

static void unknown(void **state)
{
    (void)state;
    struct io_sample s = io_sample_unknown();
    assert_true(s.time_ms == UNKNOWN && isnan(s.interval_s) && isnan(s.total_per_s));
    io_sample_complete(&s);
    assert_true(isnan(s.total_per_s) && isnan(s.total_kib_per_s) && isnan(s.request_kib));
    assert_false(s.artefact);
    assert_false(s.since_boot);
}

static void both_directions(void **state)
{
    (void)state;
    struct io_sample s = io_sample_unknown();
    s.reads_per_s = 30;
    s.writes_per_s = 10;
    s.read_kib_per_s = 240;
    s.write_kib_per_s = 160;
    io_sample_complete(&s);
    assert_true(s.total_per_s == 40 && s.total_kib_per_s == 400);
    assert_true(s.read_request_kib == 8 && s.write_request_kib == 16 && s.request_kib == 10);
}

static void sizes_may_have_more_digits_than_rates(void **state)
{
    (void)state;
    struct io_sample s = io_sample_unknown();
    s.reads_per_s = 3;
    s.writes_per_s = 1;
    s.read_kib_per_s = 20.48; /* printed as 0.02 MB/s */
    s.write_kib_per_s = 0;
    s.read_request_kib = 6.67;
    s.write_request_kib = 4;
    io_sample_complete(&s);
    assert_true(fabs(s.request_kib - (3 * 6.67 + 4) / 4) < 1e-12);
}

static void one_direction_is_never_the_whole(void **state)
{
    (void)state;
    struct io_sample s = io_sample_unknown();
    s.reads_per_s = 100;
    s.read_kib_per_s = 800;
    io_sample_complete(&s);
    assert_true(isnan(s.total_per_s) && isnan(s.total_kib_per_s) && isnan(s.request_kib));
    assert_true(s.read_request_kib == 8);
}

static void totals_are_never_split(void **state)
{
    (void)state;
    struct io_sample s = io_sample_unknown();
    s.total_per_s = 10;
    s.read_kib_per_s = 64;
    s.write_kib_per_s = 16;
    io_sample_complete(&s);
    assert_true(isnan(s.reads_per_s) && isnan(s.writes_per_s) && isnan(s.read_request_kib));
    assert_true(s.total_kib_per_s == 80 && s.request_kib == 8);
}

static void printed_totals_stay(void **state)
{
    (void)state;
    struct io_sample s = io_sample_unknown();
    s.reads_per_s = 0.4; /* nmon rounds each to one decimal */
    s.writes_per_s = 1.7;
    s.total_per_s = 2.2;
    s.request_kib = 8.3;
    io_sample_complete(&s);
    assert_true(s.total_per_s == 2.2 && s.request_kib == 8.3);
}

static void artefacts(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        double total_per_s, total_kib_per_s, util_pct, writes_per_s;
        bool want;
    } rows[] = {
        { "the largest io2 volume", 256000, 4096000, 100, NAN, false },
        { "5 million requests", 5e6, 1, 1, NAN, false },
        { "more", 5e6 + 1, 1, 1, NAN, true },
        { "more than 200 GiB/s", 1, 200.0 * 1048576 + 1, 1, NAN, true },
        { "ten intervals in one", 1, 1, 1000, NAN, false },
        { "more", 1, 1, 1000.01, NAN, true },
        { "a negative rate", 1, 1, 1, -0.01, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct io_sample s = io_sample_unknown();
        s.total_per_s = rows[i].total_per_s;
        s.total_kib_per_s = rows[i].total_kib_per_s;
        s.util_pct = rows[i].util_pct;
        s.writes_per_s = rows[i].writes_per_s;
        io_sample_complete(&s);
        if (s.artefact != rows[i].want)
            fail_msg("%s", rows[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown),
        cmocka_unit_test(both_directions),
        cmocka_unit_test(sizes_may_have_more_digits_than_rates),
        cmocka_unit_test(one_direction_is_never_the_whole),
        cmocka_unit_test(totals_are_never_split),
        cmocka_unit_test(printed_totals_stay),
        cmocka_unit_test(artefacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
