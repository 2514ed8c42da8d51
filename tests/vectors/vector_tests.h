/* tests/vectors/vector_tests.h - a CSV file of worked examples as tests, one a row.
 *
 * A column says what kind of example a row is.  Rows that are left out are named by their id. */
#ifndef TESTS_VECTORS_VECTOR_TESTS_H
#define TESTS_VECTORS_VECTOR_TESTS_H

#include "tests/vectors/vector_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct vector_file {
    const char *path, *kind_column;
    const char *const *left_out; /* ids */
    size_t n_left_out;
};

static inline bool vector_left_out(const struct vector_file *f, const struct vector_rows *v,
                                   size_t row)
{
    for (size_t i = 0; i < f->n_left_out; i++)
        if (span_is(vector_text(v, row, "id"), f->left_out[i]))
            return true;
    return false;
}

/* Each id that is left out is that of one row. */
static inline void vector_assert_left_out(const struct vector_file *f, const struct vector_rows *v)
{
    size_t n = 0;
    for (size_t row = 0; row < v->n; row++)
        n += vector_left_out(f, v, row);
    assert_int_equal(n, f->n_left_out);
}

/* So many rows of a kind are tested. */
static inline void vector_assert_count(const struct vector_file *f, const struct vector_rows *v,
                                       const char *kind, size_t want)
{
    size_t n = 0;
    for (size_t row = 0; row < v->n; row++)
        n += !vector_left_out(f, v, row) && span_is(vector_text(v, row, f->kind_column), kind);
    assert_int_equal(n, want);
}

/* Reads the file into *v and runs `counted`, then `each` on every row: its state is the row. */
static inline int vector_tests_run(const char *title, const struct vector_file *f,
                                   struct vector_rows **v, CMUnitTestFunction counted,
                                   CMUnitTestFunction each)
{
    struct vector_rows *r = *v = vector_rows_read(f->path);
    if (!r) {
        fprintf(stderr, "%s is not there\n", f->path);
        return 1;
    }
    struct CMUnitTest *tests = mem_zalloc(r->n + 1, sizeof *tests);
    size_t n = 0;
    tests[n++] = (struct CMUnitTest){ "every row counted", counted, NULL, NULL, NULL };
    for (size_t row = 0; row < r->n; row++) {
        struct span id = vector_text(r, row, "id"), kind = vector_text(r, row, f->kind_column);
        if (!vector_left_out(f, r, row))
            tests[n++] = (struct CMUnitTest){
                .name = arena_printf(&r->arena, "%.*s %.*s", SPAN_ARG(id), SPAN_ARG(kind)),
                .test_func = each,
                .initial_state = &r->rows[row],
            };
    }
    int failed = _cmocka_run_group_tests(title, tests, n, NULL, NULL);
    mem_free(tests);
    vector_rows_free(r);
    return failed;
}

#endif
