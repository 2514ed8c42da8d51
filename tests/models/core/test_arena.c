/* tests/models/core/test_arena.c - arena, and the allocator below it. */
#include "models/core/arena.h"
#include "models/core/mem.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_pieces_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    struct arena a = { 0 };
    unsigned char *was = NULL;
    size_t was_n = 0;
    for (size_t n = 0; n < 3000; n += 7) {
        unsigned char *p = arena_alloc(&a, n);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, n);
        for (size_t i = 0; i < was_n; i++)
            assert_int_equal(was[i], 0xff);
        was = p;
        was_n = n;
    }
    arena_release(&a);
    assert_null(a.top);
}

/* The second round needs no memory but what the first had, and finds it zeroed. */
static void test_reuse_keeps_the_memory(void **state)
{
    (void)state;
    struct arena a = { 0 };
    const size_t sizes[] = { 16, 5000000, 100, 3000, 700000, 40 };
    for (int round = 0; round < 3; round++) {
        long before = atomic_load(&mem_calls);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            unsigned char *p = arena_alloc(&a, sizes[i]);
            assert_non_null(p);
            assert_int_equal(p[0] | p[sizes[i] / 2] | p[sizes[i] - 1], 0);
            memset(p, 0xff, sizes[i]);
        }
        assert_true(round == 0 || atomic_load(&mem_calls) == before);
        arena_reuse(&a);
        assert_null(a.top);
    }
    /* what is small does not take a large block */
    assert_non_null(arena_alloc(&a, 16));
    long before = atomic_load(&mem_calls);
    assert_non_null(arena_alloc(&a, 5000000));
    assert_int_equal(atomic_load(&mem_calls), before);
    arena_release(&a);
    assert_null(a.spare);
}

static void test_large_piece_keeps_the_room_of_the_top(void **state)
{
    (void)state;
    struct arena a = { 0 };
    char *small = arena_alloc(&a, 16);
    assert_non_null(arena_alloc(&a, (size_t)8 << 20));
    char *next = arena_alloc(&a, 16);
    assert_ptr_equal(next, small + 16);
    arena_release(&a);
}

static void test_overflow_is_refused(void **state)
{
    (void)state;
    struct arena a = { 0 };
    assert_null(arena_array(&a, SIZE_MAX / 2, 3));
    assert_null(arena_alloc(&a, SIZE_MAX));
    assert_null(arena_strndup(&a, "", SIZE_MAX));
    arena_release(&a);
}

static void test_adopted_pieces_stay(void **state)
{
    (void)state;
    struct arena a = { 0 }, first = { 0 }, second = { 0 };
    char *x = arena_strdup(&first, "x"), *y = arena_strdup(&second, "y");
    arena_adopt(&a, &first); /* into an empty one, and into one that has a block */
    arena_adopt(&a, &second);
    arena_adopt(&a, &second);
    assert_true(!first.top && !second.top);
    assert_string_equal(x, "x");
    assert_string_equal(y, "y");
    assert_non_null(arena_alloc(&a, 8));
    arena_release(&a);
}

static void test_texts(void **state)
{
    (void)state;
    struct arena a = { 0 };
    assert_string_equal(arena_printf(&a, "%d x %s", 2, "io2"), "2 x io2");
    assert_string_equal(arena_strndup(&a, "nvme8n1p1", 7), "nvme8n1");
    int *grown = arena_grow(&a, (int[]){ 1, 2 }, 2, 4, sizeof *grown);
    assert_true(grown[0] == 1 && grown[1] == 2 && grown[3] == 0);
    arena_release(&a);
}

static void test_the_nth_allocation_fails_and_all_after_it(void **state)
{
    (void)state;
    struct arena a = { 0 };
    atomic_store(&mem_calls, 0);
    atomic_store(&mem_fail_at, 2);
    void *first = mem_alloc(8);
    assert_non_null(first);
    assert_null(mem_zalloc(1, 8));
    assert_null(mem_realloc(first, 16));
    assert_null(arena_alloc(&a, 8));
    atomic_store(&mem_fail_at, 0);
    assert_non_null(arena_alloc(&a, 8));
    mem_free(first);
    mem_free(NULL);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(test_pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(test_reuse_keeps_the_memory),
        cmocka_unit_test(test_large_piece_keeps_the_room_of_the_top),
        cmocka_unit_test(test_overflow_is_refused),
        cmocka_unit_test(test_adopted_pieces_stay),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_the_nth_allocation_fails_and_all_after_it),
    };
    return cmocka_run_group_tests_name("arena", t, NULL, NULL);
}
