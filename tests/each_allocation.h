/* tests/each_allocation.h - one call again and again, each time with its next allocation failing.
 *
 *     struct each_allocation it = { 0 };
 *     while (each_allocation(&it))
 *         it.rc = plan_build(&demand, &options, &it.a, &plan, &it.e);
 *
 * It ends with the first call that gets all it asks for.  The calls before must answer ERR_NOMEM,
 * and there must be some.  What the body does besides the call is short of memory too. */
#ifndef TESTS_EACH_ALLOCATION_H
#define TESTS_EACH_ALLOCATION_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct each_allocation {
    int rc;         /* of the call */
    struct arena a; /* for the call, empty each time */
    struct err e;   /* likewise */
    long n;         /* the allocation that fails; at the end one more than the calls that failed */
};

static inline bool each_allocation(struct each_allocation *it)
{
    mem_fail_at = 0;
    arena_release(&it->a);
    if (it->rc && it->rc != ERR_NOMEM)
        fail_msg("allocation %ld: %d %s", it->n, it->rc, it->e.text);
    if (it->n && !it->rc) {
        assert_true(it->n > 1);
        return false;
    }
    it->e = (struct err){ 0 };
    mem_calls = 0;
    mem_fail_at = ++it->n;
    return true;
}

#endif
