/* tests/data/store/roll.h - PRD1 of the fixture's store thinned out, in a change of its own. */
#ifndef TESTS_DATA_STORE_ROLL_H
#define TESTS_DATA_STORE_ROLL_H

#include "data/rollup.h"
#include "data/store/store_upkeep.h"
#include "tests/data/store/store_fixture.h"

static inline void roll(struct store *s, int64_t before_ms, struct rollup_counts *counts)
{
    struct err e = { 0 };
    assert_int_equal(store_change_begin(s, &e), 0);
    if (rollup_system(s, "PRD1", before_ms, counts, &e))
        fail_msg("%s", e.text);
    assert_int_equal(store_change_end(s, true, &e), 0);
}

#endif
