/* tests/data/store/store_torture.h - a step on the fixture's store while memory runs out. */
#ifndef TESTS_DATA_STORE_STORE_TORTURE_H
#define TESTS_DATA_STORE_STORE_TORTURE_H

#include "tests/data/store/store_fixture.h"
#include "tests/each_allocation.h"

/* Allocation 1, 2, 3 ... and all after it fail, until the step succeeds: then it has changed the
 * store or not, as told, and failing it has left it as it was, which is looked at every so many
 * times.  Returns the allocation that no longer failed. */
static inline long store_torture(int (*step)(struct err *), long every, bool changes)
{
    struct arena a = { 0 };
    struct each_allocation it = { 0 };
    const char *before = fixture_dump(&a);
    while (each_allocation(&it)) {
        it.rc = step(&it.e);
        mem_fail_at = 0;
        if (it.rc && it.n % every == 0)
            assert_string_equal(fixture_dump(&a), before);
    }
    assert_int_equal(strcmp(fixture_dump(&a), before) != 0, changes);
    arena_release(&a);
    return it.n;
}

#endif
