/* tests/models/ebs/rule_case.h - short ways to a day, a rule and a spec, for the tests of this
 * folder. */
#ifndef TESTS_MODELS_EBS_RULE_CASE_H
#define TESTS_MODELS_EBS_RULE_CASE_H

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/vol_rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* "2022-06-01"; NULL is UNKNOWN. */
static inline int64_t day_ms(const char *day)
{
    struct span s = span_of(day);
    int64_t t = UNKNOWN;
    if (day)
        assert_int_equal(time_parse_date(&s, &t), 0);
    return t;
}

static inline const struct vol_rule *rule_on(enum volume_type type, const char *day)
{
    return vol_rule_at(&builtin_catalogue, type, day_ms(day), NULL, UNKNOWN);
}

#define TODAY "2026-11-30"
#define NONE  UNKNOWN

#endif
