/* tests/models/core/test_timestamp.c - the calendar, against known instants. */
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct iso_case {
    const char *why, *text;
    int64_t want_ms; /* UNKNOWN = refused */
    bool zoned;
    const char *again; /* as time_format_iso prints it */
} isos[] = {
    { "the epoch", "1970-01-01T00:00:00Z", 0, true, "1970-01-01T00:00:00Z" },
    { "2^31 s", "2038-01-19T03:14:08Z", INT64_C(2147483648000), true, "2038-01-19T03:14:08Z" },
    { "a billion seconds", "2001-09-09 01:46:40", INT64_C(1000000000000), false,
      "2001-09-09T01:46:40Z" },
    { "before the epoch", "1969-12-31T23:59:59.250Z", -750, true, "1969-12-31T23:59:59.250Z" },
    { "an offset is taken off", "2001-09-09T03:46:40+02:00", INT64_C(1000000000000), true,
      "2001-09-09T01:46:40Z" },
    { "an offset without colon", "2001-09-08T20:16:40-0530", INT64_C(1000000000000), true,
      "2001-09-09T01:46:40Z" },
    { "no seconds", "1970-01-02T00:01", 86460000, false, "1970-01-02T00:01:00Z" },
    { "a day alone", "1970-01-02", 86400000, false, "1970-01-02T00:00:00Z" },
    { "29 February of a leap century", "2000-02-29", INT64_C(951782400000), false,
      "2000-02-29T00:00:00Z" },
    { "no 29 February in 1900", "1900-02-29", UNKNOWN, false, NULL },
    { "no month 13", "2022-13-01", UNKNOWN, false, NULL },
    { "no day 0", "2022-01-00", UNKNOWN, false, NULL },
    { "no hour 24", "2022-01-01T24:00:00Z", UNKNOWN, false, NULL },
    { "no offset of 15 hours", "2022-01-01T00:00:00+15:00", UNKNOWN, false, NULL },
    { "two digits of a year", "22-01-01", UNKNOWN, false, NULL },
    { "no year 0", "0000-01-01", UNKNOWN, false, NULL },
};

static void test_iso(void **state)
{
    const struct iso_case *c = *state;
    struct span s = span_of(c->text);
    int64_t t = 42;
    bool zoned = !c->zoned;
    char buf[32];
    if (c->want_ms == UNKNOWN) {
        assert_int_not_equal(time_parse_iso(&s, &t, &zoned), 0);
        assert_int_equal(t, 42);
        return;
    }
    assert_int_equal(time_parse_iso(&s, &t, &zoned), 0);
    assert_true(t == c->want_ms);
    assert_int_equal(zoned, c->zoned);
    assert_int_equal(s.len, 0);
    assert_string_equal(time_format_iso(buf, t), c->again);
}

static void test_every_day_comes_back(void **state)
{
    (void)state;
    struct civil first = { .year = 1, .month = 1, .day = 1 };
    int64_t t = time_from_civil(&first);
    int weekday = time_weekday(t);
    assert_int_equal(weekday, 0); /* 0001-01-01 is a Monday in the proleptic calendar */
    for (struct civil c = first; c.year <= 9999; t += DAY_MS, weekday = (weekday + 1) % 7) {
        assert_true(time_from_civil(&c) == t);
        assert_int_equal(time_weekday(t), weekday);
        c = time_to_civil(t + DAY_MS);
    }
}

static void test_months(void **state)
{
    (void)state;
    static const struct {
        const char *at, *start, *end;
    } rows[] = {
        { "2024-02-29T23:59:59Z", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z" },
        { "2026-12-31T00:00:00Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z" },
        { "2026-06-01T00:00:00Z", "2026-06-01T00:00:00Z", "2026-07-01T00:00:00Z" },
        { "9999-12-01T00:00:00Z", "9999-12-01T00:00:00Z", "-" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct span s = span_of(rows[i].at);
        char text[32];
        int64_t t;
        bool zoned;
        assert_int_equal(time_parse_iso(&s, &t, &zoned), 0);
        assert_string_equal(time_format_iso(text, time_month_start(t)), rows[i].start);
        assert_string_equal(time_format_iso(text, time_month_end(t)), rows[i].end);
    }
}

static void test_floor(void **state)
{
    (void)state;
    assert_int_equal(time_floor(60000, 60000), 60000);
    assert_int_equal(time_floor(119999, 60000), 60000);
    assert_int_equal(time_floor(0, 60000), 0);
    assert_int_equal(time_floor(-1, 60000), -60000); /* before the epoch it is earlier too */
    assert_int_equal(time_floor(-60000, 60000), -60000);
    assert_int_equal(time_floor(-60001, 60000), -120000);
}

static void test_weekday_of_the_incident(void **state)
{
    (void)state;
    struct span s = span_of("2022-05-18");
    int64_t t;
    assert_int_equal(time_parse_date(&s, &t), 0);
    assert_int_equal(time_weekday(t), 2); /* a Wednesday */
}

int main(void)
{
    struct CMUnitTest t[24];
    size_t n = 0;
    for (size_t i = 0; i < sizeof isos / sizeof *isos; i++)
        t[n++] =
            (struct CMUnitTest){ isos[i].why, test_iso, NULL, NULL, (void *)(uintptr_t)&isos[i] };
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_every_day_comes_back);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_months);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_floor);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_weekday_of_the_incident);
    return _cmocka_run_group_tests("timestamp", t, n, NULL, NULL);
}
