/* tests/data/store/test_store_copy.c - all of one store into another: between two files, and where
 * VOLPLAN_TEST_PG names a server, from a file to it and back.
 *
 * What came out of a copy is held against stores that were loaded, row by row of every table. */
#include "data/rollup.h"
#include "data/store/store_copy.h"
#include "data/store/store_upkeep.h"
#include "tests/data/store/full_store.h"
#include "tests/each_allocation.h"

/* --- two stores at once ------------------------------------------------------------------------
 */

struct place {
    bool on_server;
    char path[sizeof fixture_db];
};

/* The fixture is about this store from here on. */
static void enter(const struct place *p)
{
    fixture_on_server = p->on_server;
    memcpy(fixture_db, p->path, sizeof fixture_db);
}

/* An empty store. */
static struct place new_place(const char *file, bool on_server)
{
    struct place p = { .on_server = on_server };
    if (on_server) {
        assert_int_equal(fixture_setup_server(), 0);
        memcpy(p.path, fixture_db, sizeof p.path);
    } else {
        snprintf(p.path, sizeof p.path, "%s/%s", fixture_dir, file);
        unlink(p.path);
    }
    return p;
}

static struct store *open_at(const struct place *p, enum store_mode mode)
{
    enter(p);
    return fixture_open(mode);
}

static const char *dump_of(const struct place *p, struct arena *a)
{
    enter(p);
    return fixture_dump(a);
}

static void run_sql_at(const struct place *p, const char *sql)
{
    struct arena a = { 0 };
    enter(p);
    fixture_ask(&a, sql);
    arena_release(&a);
}

/* --- what is copied ----------------------------------------------------------------------------
 */

struct copied_between {
    const char *why;
    bool from_server, to_server;
};

/* Every table has something, and the first hour of PRD1 is rolled up. */
static struct place loaded(const char *file, bool on_server)
{
    struct err e = { 0 };
    struct rollup_counts counts = { 0 };
    struct place p = new_place(file, on_server);
    enter(&p);
    struct store *s = full_store();
    assert_int_equal(store_change_begin(s, &e), 0);
    assert_int_equal(rollup_system(s, "PRD1", start_ms + 60 * minute_ms, &counts, &e), 0);
    assert_true(counts.samples_after < counts.samples_before);
    assert_int_equal(store_change_end(s, true, &e), 0);
    store_close(s);
    return p;
}

static struct store_copied copy(const struct place *from, const struct place *to)
{
    struct err e = { 0 };
    struct store_copied copied;
    struct store *s = open_at(from, STORE_READ), *t = open_at(to, STORE_CREATE);
    if (store_copy(s, t, &copied, &e))
        fail_msg("%s", e.text);
    store_close(t);
    store_close(s);
    return copied;
}

/* A count of changes is of how a store was filled, not of what is in it. */
static const char *comparable(const struct place *p, struct arena *a)
{
    if (p->on_server)
        run_sql_at(p, "UPDATE system SET changes = 0");
    return dump_of(p, a);
}

/* The same where numbers were taken in vain: it is copied into a file once more. */
static const char *dump_as_file(const struct place *p, struct arena *a)
{
    struct place back = new_place("back.db", false);
    copy(p, &back);
    return dump_of(&back, a);
}

/* Twice is once. */
static void test_copy(void **state)
{
    const struct copied_between *c = *state;
    struct arena a = { 0 };
    struct place loaded_there = loaded("loaded.db", c->to_server);
    const char *want = comparable(&loaded_there, &a);
    struct place to = new_place("to.db", c->to_server);
    struct place from = loaded("from.db", c->from_server);
    for (int64_t i = 0; i < 2; i++) {
        struct store_copied copied = copy(&from, &to);
        assert_int_equal(copied.files, i ? 0 : 3);
        assert_int_equal(copied.known, i ? 3 : 0);
        assert_int_equal(copied.systems, 2);
        assert_int_equal(copied.layouts, 1);
        assert_string_equal(comparable(&to, &a), want);
    }
    arena_release(&a);
}

/* A copy that stops at a damaged file keeps those before it, and goes on when it is mended. */
static void test_copy_stops(void **state)
{
    const struct copied_between *c = *state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store_copied copied;
    struct place loaded_file = loaded("loaded.db", false), to = new_place("to.db", c->to_server);
    struct place from = loaded("from.db", c->from_server);
    run_sql_at(&from, "UPDATE metric_chunk SET metric_id = metric_id + 77 WHERE file_id = 2");
    struct store *s = open_at(&from, STORE_READ), *t = open_at(&to, STORE_CREATE);
    assert_int_equal(store_copy(s, t, &copied, &e), ERR_STORE);
    assert_non_null(strstr(e.text, "file 2 names a metric that is not there"));
    assert_int_equal(copied.files, 1);
    store_close(t);
    store_close(s);
    assert_string_equal(fixture_ask(&a, "SELECT count(*), (SELECT count(*) FROM metric_chunk),"
                                        " (SELECT max(file_id) FROM chunk) FROM file"),
                        "1|1|1\n");
    run_sql_at(&from, "UPDATE metric_chunk SET metric_id = metric_id - 77 WHERE file_id = 2");
    copied = copy(&from, &to);
    assert_int_equal(copied.files, 2);
    assert_int_equal(copied.known, 1);
    assert_string_equal(dump_as_file(&to, &a), dump_of(&loaded_file, &a));
    arena_release(&a);
}

static struct place with_a_file(const char *file, bool on_server)
{
    struct place p = new_place(file, on_server);
    struct store *s = open_at(&p, STORE_CREATE);
    full_put_file(s, "PRD1", 1, 0, 70);
    store_close(s);
    return p;
}

static void test_each_allocation(void **state)
{
    const struct copied_between *c = *state;
    struct arena a = { 0 };
    struct each_allocation it = { 0 };
    struct store_copied copied;
    struct place to = new_place("to.db", c->to_server);
    struct place from = with_a_file("from.db", c->from_server);
    struct place loaded_file = with_a_file("loaded.db", false);
    struct store *s = open_at(&from, STORE_READ);
    struct store *t = open_at(&to, STORE_CREATE);
    while (each_allocation(&it))
        it.rc = store_copy(s, t, &copied, &it.e);
    store_close(t);
    store_close(s);
    assert_string_equal(dump_as_file(&to, &a), dump_of(&loaded_file, &a));
    arena_release(&a);
}

/* --- which -------------------------------------------------------------------------------------
 */

static int setup(void **state)
{
    fixture_on_server = false;
    return fixture_setup(state);
}

static int teardown(void **state)
{
    fixture_on_server = false;
    return fixture_teardown(state);
}

int main(void)
{
    static const struct copied_between ways[] = {
        { "a file to a file", false, false },
        { "a file to a server", false, true },
        { "a server to a file", true, false },
    };
    static const CMUnitTestFunction tests[] = { test_copy, test_copy_stops, test_each_allocation };
    enum { TESTS = sizeof tests / sizeof *tests };
    int failed = 0;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct CMUnitTest t[TESTS];
        if (w > 0 && !getenv("VOLPLAN_TEST_PG")) {
            printf("not run: copies to and from PostgreSQL: VOLPLAN_TEST_PG names no server\n");
            break;
        }
        for (size_t i = 0; i < TESTS; i++)
            t[i] =
                (struct CMUnitTest){ "", tests[i], setup, teardown, (void *)(uintptr_t)&ways[w] };
        t[0].name = "all of it";
        t[1].name = "a damaged file";
        t[2].name = "each allocation fails";
        failed += _cmocka_run_group_tests(ways[w].why, t, TESTS, NULL, NULL);
    }
    return failed;
}
