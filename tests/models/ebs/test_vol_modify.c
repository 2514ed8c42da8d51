/* tests/models/ebs/test_vol_modify.c - when a volume may be modified again, on either side of
 * 2026-01-15. */
#include "models/ebs/vol_modify.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/vol_init.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { STARTS = 5 };

static int64_t at(const char *text)
{
    struct span s = span_of(text);
    int64_t t;
    bool zoned;
    if (!text)
        return UNKNOWN;
    assert_int_equal(time_parse_iso(&s, &t, &zoned), 0);
    return t;
}

static const struct modify_case {
    const char *why, *starts[STARTS], *complete, *from, *next;
    int64_t slots_left; /* after one at `next` */
} cases[] = {
    { "never modified, 6 h rule: at once, and then a wait",
      { NULL },
      NULL,
      "2026-01-14T10:00:00Z",
      "2026-01-14T10:00:00Z",
      0 },
    { "never modified, four a day: at once, three left",
      { NULL },
      NULL,
      "2026-01-15T10:00:00Z",
      "2026-01-15T10:00:00Z",
      3 },
    { "an hour ago, 6 h rule: 5 h to wait",
      { "2026-01-14T09:00:00Z" },
      NULL,
      "2026-01-14T10:00:00Z",
      "2026-01-14T15:00:00Z",
      0 },
    { "an hour ago, four a day: at once, two left",
      { "2026-01-16T09:00:00Z" },
      NULL,
      "2026-01-16T10:00:00Z",
      "2026-01-16T10:00:00Z",
      2 },
    { "still optimizing: when it is complete",
      { "2026-01-16T09:00:00Z" },
      "2026-01-16T11:30:00Z",
      "2026-01-16T10:00:00Z",
      "2026-01-16T11:30:00Z",
      2 },
    { "four within the day: when the first of them is a day old",
      { "2026-01-16T01:00:00Z", "2026-01-16T02:00:00Z", "2026-01-16T03:00:00Z",
        "2026-01-16T04:00:00Z" },
      NULL,
      "2026-01-16T10:00:00Z",
      "2026-01-17T01:00:00Z",
      0 },
    { "the fifth of the list is what is a day old",
      { "2026-01-14T23:00:00Z", "2026-01-16T02:00:00Z", "2026-01-16T03:00:00Z",
        "2026-01-16T04:00:00Z" },
      NULL,
      "2026-01-16T10:00:00Z",
      "2026-01-16T10:00:00Z",
      0 },
    { "the wait of 6 h ends with the day before the new rule",
      { "2026-01-14T20:00:00Z" },
      NULL,
      "2026-01-14T21:00:00Z",
      "2026-01-15T00:00:00Z",
      2 },
};

static void next_and_slots(void **state)
{
    const struct modify_case *c = *state;
    int64_t starts_ms[STARTS];
    struct vol_modify_history h = { .starts_ms = starts_ms, .complete_ms = at(c->complete) };
    for (; h.n < STARTS && c->starts[h.n]; h.n++)
        starts_ms[h.n] = at(c->starts[h.n]);
    int64_t next_ms = vol_modify_next_ms(&h, at(c->from));
    char got[32];
    assert_string_equal(time_format_iso(got, next_ms), c->next);
    assert_int_equal(vol_modify_slots_left(&h, next_ms), c->slots_left);
}

static int64_t day(int year, int month, int of_month)
{
    return time_from_civil(&(struct civil){ .year = year, .month = month, .day = of_month });
}

static void by_day(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        int year, month, day;
        int64_t wait_s;
    } rows[] = {
        { "long before", 2019, 6, 1, 21600 },
        { "the last day of the cooldown", 2026, 1, 14, 21600 },
        { "the first of four a day", 2026, 1, 15, 0 },
        { "since", 2026, 11, 30, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct vol_modify_rule *r =
            vol_modify_rule_at(day(rows[i].year, rows[i].month, rows[i].day));
        assert_int_equal(r->wait_s, rows[i].wait_s);
        assert_int_equal(r->in_24_h, 4); /* four times 6 h are a day */
    }
    assert_int_equal(vol_modify_rule_at(day(2026, 2, 1))->valid_from_ms, day(2026, 1, 15));
    assert_int_equal(vol_modify_rule_at(day(2025, 2, 1))->valid_from_ms, UNKNOWN);
}

/* 6 h for a TiB: half of it, 3 h. */
static void optimizing(void **state)
{
    (void)state;
    assert_true(vol_optimizing_s(1024) == 6 * 3600);
    assert_true(vol_optimizing_s(512) == 3 * 3600);
    assert_true(isnan(vol_optimizing_s(UNKNOWN)));
}

/* EBS031: 3 TB at 300 MiB/s are 2.649 h, 3 TiB 2.913 h, and its source says 2.8. */
static void initialization(void **state)
{
    (void)state;
    double tb_h = vol_init_s(3e12 / 1073741824.0, 300) / 3600;
    double tib_h = vol_init_s(3 * 1024, 300) / 3600;
    assert_true(fabs(tb_h - 2.649) < 5e-4 && fabs(tib_h - 2.913) < 5e-4);
    assert_true(tb_h < 2.8 && 2.8 < tib_h);
    assert_true(isnan(vol_init_mibps(at("2025-05-05T00:00:00Z"))));
    assert_true(vol_init_mibps(at("2025-05-06T00:00:00Z")) == 300);
    assert_true(isnan(vol_init_s(10, NAN)));
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[N + 3] = { { "which rule holds on a day", by_day, NULL, NULL, NULL },
                                       { "a TiB in 6 h", optimizing, NULL, NULL, NULL },
                                       { "a rate since 2025-05-06", initialization, NULL, NULL,
                                         NULL } };
    for (size_t i = 0; i < N; i++)
        tests[i + 3] = (struct CMUnitTest){ cases[i].why, next_and_slots, NULL, NULL,
                                            (void *)(size_t)&cases[i] };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
