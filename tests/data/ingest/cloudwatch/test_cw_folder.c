/* tests/data/ingest/cloudwatch/test_cw_folder.c - request files beside an answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/ingest/cloudwatch/cw_folder.h"
#include "tests/each_allocation.h"

static char folder[] = "/tmp/volplan_cw_folder_XXXXXX";
static const char *const files[][2] = {
    { "answer.json", "{\"MetricDataResults\":[{\"Id\":\"a\",\"Timestamps\":[],\"Values\":[]}]}" },
    { "request.json", "[{\"Id\":\"a\",\"Expression\":\"m1+m2\"}]" },
    { "other.txt", "{\"MetricDataQueries\":[{\"Id\":\"b\",\"Expression\":\"m3\"}]}" },
    { "broken.json", "[{\"Id\":\"c\",\"Expression\":\"m4\"}," },
    { "notes", "Dear all," },
};

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || chdir(folder))
        return -1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *f = fopen(files[i][0], "w");
        if (!f || fputs(files[i][1], f) < 0 || fclose(f))
            return -1;
    }
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i][0]);
    return chdir("/") || rmdir(folder);
}

/* Both forms are found whatever their names; the broken one and all others are passed over. */
static void finds_requests(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct cw_request r = { 0 };
    struct err e;
    bool ambiguous;
    assert_int_equal(cw_request_add_folder(folder, NULL, NULL, &a, &r, &e), 0);
    assert_int_equal(r.n, 2);
    assert_true(span_is(cw_request_find(&r, SPAN_LIT("a"), &ambiguous)->expression, "m1+m2"));
    assert_true(span_is(cw_request_find(&r, SPAN_LIT("b"), &ambiguous)->expression, "m3"));
    assert_null(cw_request_find(&r, SPAN_LIT("c"), &ambiguous));
    arena_release(&a);
}

static bool skip_all(void *ctx, const struct stat *st)
{
    (void)st;
    ++*(int *)ctx;
    return true;
}

static void skips_what_it_must(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct cw_request r = { 0 };
    struct err e;
    int asked = 0;
    assert_int_equal(cw_request_add_folder(folder, skip_all, &asked, &a, &r, &e), 0);
    assert_int_equal(asked, 5);
    assert_int_equal(r.n, 0);
    assert_int_equal(cw_request_add_folder("/does/not/exist", NULL, NULL, &a, &r, &e), 0);
    arena_release(&a);
}

static void torture(void **state)
{
    (void)state;
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        struct cw_request r = { 0 };
        it.rc = cw_request_add_folder(folder, NULL, NULL, &it.a, &r, &it.e);
    }
    assert_true(it.n > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_requests),
        cmocka_unit_test(skips_what_it_must),
        cmocka_unit_test(torture),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
