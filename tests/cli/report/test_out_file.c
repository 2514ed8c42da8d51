/* tests/cli/report/test_out_file.c - a file is there whole or not at all. */
#include "cli/report/out_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[] = "/tmp/volplan-out-XXXXXX";
static char path[64], draft[80];

static int setup(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/page.html", dir);
    snprintf(draft, sizeof draft, "%s.part0", path);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(dir); /* fails where a draft was left */
}

static void assert_holds(const char *want)
{
    char got[64] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(got, sizeof got, f));
    fclose(f);
    assert_string_equal(got, want);
}

static void write_file(const char *text, int rc)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct out_file o;
    assert_int_equal(out_file_open(&o, path, &a, &e), 0);
    fputs(text, o.f);
    assert_int_equal(out_file_close(&o, rc, &e), rc);
    arena_release(&a);
}

static void it_is_there_at_the_end(void **state)
{
    (void)state;
    write_file("first", 0);
    assert_holds("first");
    assert_int_not_equal(access(draft, F_OK), 0);
}

static void after_an_error_the_old_one_stays(void **state)
{
    (void)state;
    write_file("second", ERR_PARSE);
    assert_holds("first");
    assert_int_not_equal(access(draft, F_OK), 0);
}

/* Another program writes the same file: its draft is not touched. */
static void a_draft_of_others_stays(void **state)
{
    (void)state;
    FILE *f = fopen(draft, "w");
    assert_non_null(f);
    fputs("theirs", f);
    fclose(f);
    write_file("third", 0);
    assert_holds("third");
    assert_int_equal(access(draft, F_OK), 0);
    unlink(draft);
}

static void readers_may_read_it(void **state)
{
    struct stat s;
    (void)state;
    mode_t mask = umask(022);
    write_file("fourth", 0);
    umask(mask);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0644);
}

static void what_is_no_file_is_refused(void **state)
{
    static const char *const targets[] = { "/dev/null", "/tmp", "/tmp/volplan-not-there/x.html" };
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        struct arena a = { 0 };
        struct err e = { 0 };
        struct out_file o;
        assert_int_equal(out_file_open(&o, targets[i], &a, &e), ERR_USAGE);
        assert_non_null(strstr(e.text, targets[i]));
        arena_release(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_there_at_the_end),
        cmocka_unit_test(after_an_error_the_old_one_stays),
        cmocka_unit_test(a_draft_of_others_stays),
        cmocka_unit_test(readers_may_read_it),
        cmocka_unit_test(what_is_no_file_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
