/* tests/models/core/test_mem.c - arrays that grow. */
#include "models/core/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void what_is_in_it_stays(void **state)
{
    (void)state;
    int *items = NULL;
    size_t room = 0;
    for (int n = 0; n < 1000; n++) {
        int *grown = mem_room(items, (size_t)n, 1, &room, sizeof *grown);
        assert_non_null(grown);
        assert_true(room > (size_t)n);
        items = grown;
        items[n] = n;
    }
    for (int n = 0; n < 1000; n++)
        assert_int_equal(items[n], n);
    assert_true(room < 2000); /* doubled, not more */
    mem_free(items);
}

static void room_that_is_there_is_used(void **state)
{
    (void)state;
    size_t room = 0;
    char *items = mem_room(NULL, 0, 100, &room, 1);
    assert_non_null(items);
    assert_true(room >= 100);
    size_t had = room;
    long calls = mem_calls;
    assert_ptr_equal(mem_room(items, room - 7, 7, &room, 1), items);
    assert_int_equal(mem_calls, calls);
    items = mem_room(items, had - 7, 8, &room, 1);
    assert_non_null(items);
    assert_int_equal(mem_calls, calls + 1);
    assert_int_equal(room, 2 * had);
    mem_free(items);
}

static void a_size_beyond_memory_is_refused(void **state)
{
    (void)state;
    size_t room = 0;
    assert_null(mem_room(NULL, 0, SIZE_MAX / 8, &room, 16));
    assert_null(mem_room(NULL, 3, SIZE_MAX - 1, &room, 1));
    assert_int_equal(room, 0);
}

static void nothing_has_changed_when_memory_is_out(void **state)
{
    (void)state;
    size_t room = 0;
    char *items = mem_room(NULL, 0, 1, &room, 1);
    assert_non_null(items);
    items[0] = 'x';
    size_t had = room;
    mem_fail_at = mem_calls + 1;
    assert_null(mem_room(items, had, 1, &room, 1));
    mem_fail_at = 0;
    assert_int_equal(room, had);
    assert_int_equal(items[0], 'x');
    mem_free(items);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_it_stays),
        cmocka_unit_test(room_that_is_there_is_used),
        cmocka_unit_test(a_size_beyond_memory_is_refused),
        cmocka_unit_test(nothing_has_changed_when_memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
