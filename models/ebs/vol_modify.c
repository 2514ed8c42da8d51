/* models/ebs/vol_modify.c - see vol_modify.h. */
#include "models/ebs/vol_modify.h"

#include "models/core/unit.h"

/* 2026-01-15 00:00 UTC */
#define FOUR_A_DAY_MS INT64_C(1768435200000)

const struct vol_modify_rule *vol_modify_rule_at(int64_t time_ms)
{
    static const struct vol_modify_rule rules[] = {
        { UNKNOWN, 21600, 4, "6 h apart" },
        { FOUR_A_DAY_MS, 0, 4, "four in 24 h, each after the one before is complete" },
    };
    return time_ms >= FOUR_A_DAY_MS ? &rules[1] : &rules[0];
}
