/* tests/row_tests.h - each row of a table as a test named by its `why`. */
#ifndef TESTS_ROW_TESTS_H
#define TESTS_ROW_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Puts them into tests[] from n on, which counts them; the state of fn is the row. */
#define ADD_ROW_TESTS(tests, n, rows, fn)                                                          \
    for (size_t row = 0; row < sizeof(rows) / sizeof *(rows); row++)                               \
        (tests)[(n)++] = (struct CMUnitTest)                                                       \
        {                                                                                          \
            .name = (rows)[row].why, .test_func = (fn),                                            \
            .initial_state = (void *)(uintptr_t) & (rows)[row]                                     \
        }

#endif
