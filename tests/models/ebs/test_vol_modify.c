/* tests/models/ebs/test_vol_modify.c - how often a volume may be modified, by day
 * (facts/modification_rules.csv). */
#include "models/ebs/vol_modify.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_day) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
