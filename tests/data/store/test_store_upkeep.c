/* tests/data/store/test_store_upkeep.c - checking and pruning a store. */
#include "data/rollup.h"
#include "data/store/store_upkeep.h"
#include "tests/data/store/full_store.h"
#include "tests/each_allocation.h"

static void run_sql(const char *sql)
{
    struct arena a = { 0 };
    if (fixture_on_server) {
        fixture_ask(&a, sql);
        arena_release(&a);
        return;
    }
    sqlite3 *db = fixture_connect();
    char *why = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &why))
        fail_msg("%s", why);
    sqlite3_close(db);
}

/* --- check -------------------------------------------------------------------------------------
 */

struct damage {
    const char *why, *sql;
    const char *words; /* that the only problem has; NULL = none */
};

static struct damage damages[] = {
    { "a sound store", "SELECT 1", NULL },
    { "a block that is cut short",
      "UPDATE chunk SET reads_per_s = substr(reads_per_s, 1, 2) WHERE series_id = 1 AND file_id = "
      "1",
      "samples of series 1" },
    { "a metric's block", "UPDATE metric_chunk SET value = substr(value, 1, 0) WHERE file_id = 1",
      "values of metric 1" },
    { "a file that is gone",
      "DELETE FROM warning; UPDATE record_field SET file_id = 99"
      " WHERE file_id = 1 AND field_no = 1",
      "1 rows of record_field name a file" },
    { "a series that is gone",
      "UPDATE hourly SET series_id = 98 WHERE series_id = 1 AND"
      " hour_ms = 1652853600000",
      "1 rows of hourly name a series" },
    { "an hour whose mean is above its most",
      "UPDATE hourly SET max_mibps = 0 WHERE series_id = 2"
      " AND file_id = 1 AND hour_ms = 1652857200000",
      "1 rows of hourly have a mean MiB/s" },
    { "an hour of two hours",
      "UPDATE hourly SET covered_ms = 7200000 WHERE series_id = 2"
      " AND file_id = 1 AND hour_ms = 1652857200000",
      "cover no time, or more than an hour" },
};

static void test_check(void **state)
{
    const struct damage *d = *state;
    struct arena a = { 0 };
    struct err e = { 0 };
    const char *const *problems = NULL;
    size_t n = 0;
    store_close(full_store());
    run_sql(d->sql);
    struct store *s = fixture_open(STORE_READ);
    if (store_check(s, &a, &problems, &n, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < n; i++)
        if (!d->words || !strstr(problems[i], d->words))
            print_error("%s\n", problems[i]);
    assert_int_equal(n, d->words != NULL);
    assert_true(!d->words || strstr(problems[0], d->words));
    store_close(s);
    arena_release(&a);
}

/* Of 101 damaged devices the first 100 are told. */
static void test_check_of_many(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(1);
    const char *const *problems = NULL;
    size_t n = 0;
    bool known;
    struct store *s = fixture_open(STORE_CREATE);
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    for (int i = 0; i < STORE_PROBLEMS_MAX + 1; i++) {
        char name[16];
        snprintf(name, sizeof name, "sd%d", i);
        struct io_sample v = fixture_sample(name, 0);
        assert_int_equal(store_file_sample(s, &v, &e), 0);
    }
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);
    store_close(s);
    run_sql("UPDATE chunk SET reads_per_s = substr(reads_per_s, 1, 2)");
    s = fixture_open(STORE_READ);
    assert_int_equal(store_check(s, &a, &problems, &n, &e), 0);
    assert_int_equal(n, 100);
    for (size_t i = 0; i < n; i++)
        assert_non_null(strstr(problems[i], "samples of series"));
    store_close(s);
    arena_release(&a);
}

/* --- prune -------------------------------------------------------------------------------------
 */

static int64_t gone(const struct store_table *t, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(t[i].name, name) == 0)
            return t[i].rows;
    fail_msg("no table %s", name);
    return 0;
}

/* What ends by this minute after the start; kept or undone. */
static struct store_table *prune(struct store *s, int minutes, bool keep, struct arena *a,
                                 size_t *out_n)
{
    struct err e = { 0 };
    struct store_table *t = NULL;
    assert_int_equal(store_change_begin(s, &e), 0);
    assert_int_equal(store_prune(s, start_ms + minutes * minute_ms, a, &t, out_n, &e), 0);
    assert_int_equal(store_change_end(s, keep, &e), 0);
    return t;
}

/* By two hours after the start the first files of both systems have ended: two of three, with two
 * blocks of samples each, two of three metric blocks; hours: 2 of both devices of PRD1, 2 of PRD2.
 */
static void test_prune(void **state)
{
    (void)state;
    struct arena a = { 0 };
    size_t n = 0;
    struct store *s = full_store();
    const char *was = fixture_dump(&a);
    prune(s, 120, false, &a, &n);
    assert_string_equal(fixture_dump(&a), was);
    struct store_table *t = prune(s, 120, true, &a, &n);
    assert_int_equal(gone(t, n, "file"), 2);
    assert_int_equal(gone(t, n, "chunk"), 4);
    assert_int_equal(gone(t, n, "metric_chunk"), 2);
    assert_int_equal(gone(t, n, "hourly"), 8);
    assert_int_equal(gone(t, n, "snapshot_io"), 2);
    assert_int_equal(gone(t, n, "record_field"), 4);
    assert_int_equal(gone(t, n, "series"), 2); /* of PRD2 nothing is left */
    assert_int_equal(gone(t, n, "metric"), 1);
    assert_int_equal(gone(t, n, "system"), 0);
    assert_string_equal(fixture_ask(&a, "SELECT file_id FROM file"), "3\n");
    assert_string_equal(fixture_ask(&a, "SELECT DISTINCT file_id FROM chunk"), "3\n");
    struct err e = { 0 };
    const char *const *problems = NULL;
    assert_int_equal(store_check(s, &a, &problems, &n, &e), 0);
    assert_int_equal(n, 0);
    store_close(s);
    arena_release(&a);
}

/* A file that goes on loses the hours that have ended: 3 to 4 of 3 to 5, and no block. */
static void test_prune_within_a_file(void **state)
{
    (void)state;
    struct arena a = { 0 };
    size_t n = 0;
    struct store *s = full_store();
    struct store_table *t = prune(s, 299, true, &a, &n);
    assert_int_equal(gone(t, n, "file"), 2);
    assert_int_equal(gone(t, n, "chunk"), 4);
    assert_int_equal(gone(t, n, "hourly"), 8 + 2);
    store_close(s);
    arena_release(&a);
}

/* --- memory ------------------------------------------------------------------------------------
 */

static void test_each_allocation(void **state)
{
    (void)state;
    struct each_allocation check = { 0 }, prune = { 0 }, roll = { 0 };
    struct arena a = { 0 };
    struct err e = { 0 };
    const char *const *problems = NULL;
    struct store_table *t = NULL;
    struct rollup_counts counts = { 0 };
    size_t n = 0;
    struct store *s = fixture_open(STORE_CREATE);
    full_put_file(s, "PRD1", 1, 0, 70);
    while (each_allocation(&check))
        check.rc = store_check(s, &check.a, &problems, &n, &check.e);
    const char *was = fixture_dump(&a);
    while (each_allocation(&prune)) {
        prune.rc = store_change_begin(s, &prune.e);
        if (!prune.rc)
            prune.rc = store_prune(s, start_ms + 100 * minute_ms, &prune.a, &t, &n, &prune.e);
        mem_fail_at = 0;
        assert_int_equal(store_change_end(s, false, &e), 0);
    }
    while (each_allocation(&roll)) {
        roll.rc = store_change_begin(s, &roll.e);
        if (!roll.rc)
            roll.rc = rollup_system(s, "PRD1", start_ms + 100 * minute_ms, &counts, &roll.e);
        mem_fail_at = 0;
        assert_int_equal(store_change_end(s, false, &e), 0);
    }
    assert_string_equal(fixture_dump(&a), was);
    store_close(s);
    arena_release(&a);
}

int main(void)
{
    enum { N = sizeof damages / sizeof *damages };
    struct CMUnitTest tests[4 + N] = {
        FIXTURE_TEST(test_check_of_many),
        FIXTURE_TEST(test_prune),
        FIXTURE_TEST(test_prune_within_a_file),
        FIXTURE_TEST(test_each_allocation),
    };
    for (size_t i = 0; i < N; i++)
        tests[4 + i] = (struct CMUnitTest){ damages[i].why, test_check, fixture_setup,
                                            fixture_teardown, &damages[i] };
    return fixture_run(tests, 4 + N);
}
