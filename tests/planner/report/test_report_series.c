/* tests/planner/report/test_report_series.c - charts for machines: a host's figures in MB/s, and
 * what is too long for one picture is told closely around its peaks. */
#include "planner/report/report_series.h"

#include "models/core/arena.h"
#include "planner/report/pack.h"
#include "tests/planner/report/told.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MINUTES = 4100, PEAK = 2050, MINUTE_MS = 60000 };

static struct load_point at[MINUTES];
static unsigned char marks[MINUTES + 1], binding[MINUTES + 1];

/* The chart of a host with n minutes of 1 MiB/s from 0 on, and 100 at the peak. */
static struct charts charts_of(size_t n, size_t peak)
{
    static struct load_points points;
    static struct chart chart;
    for (size_t i = 0; i < n; i++)
        at[i] = (struct load_point){ .begin_ms = (int64_t)i * MINUTE_MS,
                                     .end_ms = (int64_t)(i + 1) * MINUTE_MS,
                                     .interval_s = 60,
                                     .read_mibps = i == peak ? 100 : 1,
                                     .write_mibps = 0,
                                     .unsplit_mibps = NAN,
                                     .read_iops = 10,
                                     .write_iops = 0,
                                     .unsplit_iops = NAN,
                                     .counted_iops = 10 };
    memset(binding, ENVELOPE_NO_BINDING, sizeof binding);
    points = (struct load_points){ .at = at, .n = n };
    chart = (struct chart){ .name = "PRD1", .marks = { &points, marks, binding } };
    return (struct charts){ .at = &chart, .n = 1, .from_ms = 0, .to_ms = (int64_t)n * MINUTE_MS };
}

static void tell(const struct charts *c)
{
    struct emit m = told_emitter();
    struct err e = { 0 };
    assert_int_equal(report_series(&m, c, &e), 0);
    assert_int_equal(m.failed, 0);
}

/* 100 MiB/s are 104.8576 MB/s. */
static void a_host_is_told_in_mb(void **state)
{
    (void)state;
    char got[240];
    struct arena a = { 0 };
    struct charts c = charts_of(1, 0);
    const double want = 104.8576;
    size_t place = 0;
    tell(&c);
    assert_non_null(told_next("mb_s", &place));
    assert_string_equal(told_next("unit", &place)->text, "MB/s");
    assert_non_null(told_next("read", &place));
    strcpy(got, told_next("b64", &place)->text);
    struct emit m = told_emitter();
    emit_pack_f32(&m, "read", &want, 1, &a);
    place = 0;
    assert_string_equal(got, told_next("b64", &place)->text);
    arena_release(&a);
}

static void what_fits_needs_no_detail(void **state)
{
    (void)state;
    struct charts c = charts_of(100, 50);
    size_t place = 0;
    tell(&c);
    assert_true(told_next("exact", &place)->value.flag);
    assert_non_null(told_next("detail", &place));
    assert_null(told_next("charts", &place));
}

/* 4 100 minutes are more than the 4 000 buckets of a picture.  480 minutes around the middle of the
 * peak's minute, 4 hours before 2 050.5 minutes, have a bucket each. */
static void the_peak_is_told_closely(void **state)
{
    (void)state;
    struct charts c = charts_of(MINUTES, PEAK);
    size_t place = 0, n = 0;
    bool found = false;
    tell(&c);
    assert_false(told_next("exact", &place)->value.flag);
    assert_non_null(told_next("detail", &place));
    for (const struct told *t; (t = told_next("from_ms", &place)) != NULL; n++) {
        found |= t->value.integer == PEAK * MINUTE_MS + MINUTE_MS / 2 - 4 * INT64_C(3600000);
        assert_true(told_next("exact", &place)->value.flag);
    }
    assert_true(n >= 1 && found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_is_told_in_mb),
        cmocka_unit_test(what_fits_needs_no_detail),
        cmocka_unit_test(the_peak_is_told_closely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
