/* tests/data/store/test_store_files.c - which file is a known one, what a file leaves behind when
 * it is not committed and what the store tells of it when it is. */
#include "tests/data/store/store_fixture.h"

static void test_known_file_adds_nothing(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    fixture_put_file(s, 1, "sda", 0, 100);
    const char *before = fixture_dump(&a);
    fixture_begin(s);
    fixture_put(s, "sda", 0, 100);
    fixture_commit_as(s, 1, true);
    assert_string_equal(fixture_dump(&a), before);
    fixture_put_file(s, 2, "sda", 100, 200);
    assert_string_not_equal(fixture_dump(&a), before);
    store_close(s);
    arena_release(&a);
}

struct key_case {
    const char *why;
    const char *system, *zone;
    int64_t date_ms;
    bool known;
};

static const struct key_case keys[] = {
    { "the same", "PRD1", NULL, UNKNOWN, true },
    { "UTC by name is the same", "PRD1", "UTC", UNKNOWN, true },
    { "another system", "PRD2", NULL, UNKNOWN, false },
    { "another zone", "PRD1", "+02:00", UNKNOWN, false },
    { "with a date", "PRD1", NULL, 0, false },
};

static void test_key(void **state)
{
    const struct key_case *c = *state;
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    fixture_put_file(s, 1, "sda", 0, 10);
    struct store_file_start start = fixture_start(c->system);
    start.zone = c->zone;
    start.date_ms = c->date_ms;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    fixture_put(s, "sda", 0, 10);
    fixture_commit_as(s, 1, c->known);
    store_close(s);
}

static void test_rollback_leaves_nothing(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    const char *before = fixture_dump(&a);
    struct store_file_start start = fixture_start("PRD9");
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    fixture_put(s, "sda", 0, 5000);
    assert_int_equal(store_file_warning(s, 3, "odd", &e), 0);
    store_file_rollback(s);
    assert_string_equal(fixture_dump(&a), before);

    assert_int_equal(store_file_begin(s, &start, &e), 0); /* closing rolls back as well */
    fixture_put(s, "sda", 0, 5000);
    store_close(s);
    assert_string_equal(fixture_dump(&a), before);
    arena_release(&a);
}

static void test_warnings(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct store_file_start start = fixture_start("PRD1");
    const struct store_file_end end = fixture_end(1);
    start.zone = "Europe/Berlin";
    start.date_ms = 86400000;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    fixture_put(s, "sda", 0, 1);
    assert_int_equal(store_file_warning(s, 0, "the whole file", &e), 0);
    assert_int_equal(store_file_warning(s, 17, "row was cut", &e), 0);
    fixture_commit(s, 1);

    struct store_file *files = NULL;
    size_t n = 0;
    assert_int_equal(store_files(s, "PRD1", &a, &files, &n, &e), 0);
    assert_int_equal(n, 1);
    assert_string_equal(files[0].path, "in/iostat.txt");
    assert_string_equal(files[0].format, "iostat");
    assert_string_equal(files[0].zone, "Europe/Berlin");
    assert_int_equal(files[0].date_ms, 86400000);
    assert_int_equal(files[0].rows, 10);
    assert_int_equal(files[0].skipped, 1);
    assert_int_equal(files[0].bytes, 4096);
    assert_int_equal(files[0].first_ms, end.first_ms);
    assert_int_equal(files[0].last_ms, end.last_ms);
    assert_int_equal(files[0].n_warnings, 2);
    assert_int_equal(files[0].warnings[0].line, 0);
    assert_string_equal(files[0].warnings[0].text, "the whole file");
    assert_int_equal(files[0].warnings[1].line, 17);
    assert_string_equal(files[0].warnings[1].text, "row was cut");
    store_close(s);
    arena_release(&a);
}

/* Every statement of docs/store.md runs and finds something. */
static void test_manual(void **state)
{
    (void)state;
    if (fixture_on_server) /* docs/fleets.md has statements for psql */
        return;
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct awr_stat redo = { "redo size", 1, 2, 3 };
    struct awr_snapshot w = { .begin_ms = 0, .end_ms = 3600000, .stats = &redo, .n_stats = 1 };
    struct metric_sample m = { .metric = SPAN_LIT("VolumeReadOps"),
                               .instance_number = UNKNOWN,
                               .period_s = 60 };
    struct bill_line line = { .line_type = SPAN_LIT("Usage") };
    fixture_begin(s);
    fixture_put(s, "sda", 0, 3);
    assert_int_equal(store_file_snapshot(s, &w, &e), 0);
    assert_int_equal(store_file_metric(s, &m, &e), 0);
    assert_int_equal(store_file_bill_line(s, &line, &e), 0);
    fixture_commit(s, 1);
    store_close(s);

    static char manual[20000];
    FILE *f = fopen("docs/store.md", "rb");
    assert_non_null(f);
    manual[fread(manual, 1, sizeof manual - 1, f)] = '\0';
    fclose(f);
    int n = 0;
    for (char *sql = manual; (sql = strstr(sql, "```sql\n")) != NULL; n++) {
        sql += strlen("```sql\n");
        char *close = strstr(sql, "```");
        assert_non_null(close);
        *close = '\0';
        if (!*fixture_ask(&a, sql))
            fail_msg("nothing from: %s", sql);
        sql = close + 1;
    }
    assert_true(n >= 7);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest plain[] = {
        FIXTURE_TEST(test_manual),
        FIXTURE_TEST(test_known_file_adds_nothing),
        FIXTURE_TEST(test_rollback_leaves_nothing),
        FIXTURE_TEST(test_warnings),
    };
    enum { N = sizeof plain / sizeof *plain, N_KEYS = sizeof keys / sizeof *keys };
    struct CMUnitTest t[N + N_KEYS];
    memcpy(t, plain, sizeof plain);
    for (size_t i = 0; i < N_KEYS; i++)
        t[N + i] = (struct CMUnitTest){ keys[i].why, test_key, fixture_setup, fixture_teardown,
                                        (void *)(uintptr_t)&keys[i] };
    return fixture_run(t, sizeof t / sizeof *t);
}
