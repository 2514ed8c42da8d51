/* tests/models/ebs/test_vol_service.c - queue depth, and minutes of a day that may be slow. */
#include "models/ebs/vol_service.h"

#include "models/core/unit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct depth_case {
    const char *why;
    enum volume_type type;
    double iops;
    int64_t want;
} depths[] = {
    { "the guide's rule: 1 for 1 000", VOL_GP3, 3000, 3 },
    { "a part of a request is one more", VOL_IO2, 3001, 4 },
    { "never none", VOL_IO1, 100, 1 },
    { "exactly a thousand", VOL_GP2, 1000, 1 },
    { "no rule for HDD", VOL_ST1, 500, UNKNOWN },
    { "nor for magnetic", VOL_STANDARD, 100, UNKNOWN },
    { "a type that nobody knows", VOL_TYPE_COUNT, 3000, UNKNOWN },
    { "IOPS that nobody knows", VOL_GP3, NAN, UNKNOWN },
    { "more than there can be", VOL_IO2, 1e300, UNKNOWN },
};

static void depth(void **state)
{
    const struct depth_case *c = *state;
    assert_int_equal(vol_queue_depth(c->type, c->iops), c->want);
}

/* 1 % of 1 440 minutes, and 0.1 % */
static void short_minutes(void **state)
{
    (void)state;
    static const enum volume_type percent[] = { VOL_GP2, VOL_GP3, VOL_ST1, VOL_SC1 };
    for (size_t i = 0; i < sizeof percent / sizeof *percent; i++)
        assert_true(fabs(vol_short_minutes_a_day(percent[i]) - 14.4) < 1e-9);
    assert_true(fabs(vol_short_minutes_a_day(VOL_IO1) - 1.44) < 1e-9);
    assert_true(fabs(vol_short_minutes_a_day(VOL_IO2) - 1.44) < 1e-9);
    assert_true(isnan(vol_short_minutes_a_day(VOL_STANDARD)));
    assert_true(isnan(vol_short_minutes_a_day(VOL_TYPE_COUNT)));
}

int main(void)
{
    enum { N = sizeof depths / sizeof *depths };
    struct CMUnitTest t[N + 1];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ depths[i].why, depth, NULL, NULL, (void *)(size_t)&depths[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(short_minutes);
    return cmocka_run_group_tests(t, NULL, NULL);
}
