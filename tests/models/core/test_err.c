/* tests/models/core/test_err.c - codes, words and exit statuses. */
#include "models/core/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_set_returns_the_code(void **state)
{
    (void)state;
    struct err e = { 0 };
    assert_int_equal(err_set(&e, ERR_PARSE, "%s:%d", "a.txt", 7), ERR_PARSE);
    assert_int_equal(e.code, ERR_PARSE);
    assert_string_equal(e.text, "a.txt:7");
    assert_int_equal(err_set(NULL, ERR_FILE, "nobody listens"), ERR_FILE);
}

static void test_prefix(void **state)
{
    (void)state;
    struct err e = { 0 };
    err_set(&e, ERR_PARSE, "bad value '%s'", "x");
    assert_int_equal(err_prefix(&e, "%s:%d", "a.txt", 7), ERR_PARSE);
    assert_string_equal(e.text, "a.txt:7: bad value 'x'");
}

static void test_long_words_are_cut(void **state)
{
    (void)state;
    struct err e = { 0 };
    char longer[2000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    err_set(&e, ERR_PARSE, "%s", longer);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    err_prefix(&e, "first");
    assert_int_equal(strncmp(e.text, "first: xxx", 10), 0);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    err_prefix(&e, "%s", longer);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
}

static void test_exit_statuses_are_those_of_the_design(void **state)
{
    (void)state;
    static const struct {
        int code, status;
    } want[] = { { 0, 0 },         { ERR_NO, 1 },    { ERR_USAGE, 2 },     { ERR_PARSE, 3 },
                 { ERR_FILE, 3 },  { ERR_LIMIT, 3 }, { -999, 4 },          { ERR_NOMEM, 5 },
                 { ERR_STORE, 5 }, { ERR_IO, 5 },    { ERR_STOPPED, 130 }, { ERR_PIPE, 141 } };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_int_equal(err_exit_status(want[i].code), want[i].status);
    assert_string_equal(err_meaning(ERR_NOMEM), "out of memory");
    assert_string_equal(err_meaning(-999), "unknown error");
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(test_set_returns_the_code),
        cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_long_words_are_cut),
        cmocka_unit_test(test_exit_statuses_are_those_of_the_design),
    };
    return cmocka_run_group_tests_name("err", t, NULL, NULL);
}
