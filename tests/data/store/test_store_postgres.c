/* tests/data/store/test_store_postgres.c - what only a store on a server does: refuse URLs and
 * databases, keep any bytes as text, serve several at once; and who may do what. */
#include "data/store/postgres_db.h"
#include "tests/data/store/postgres_steps.h"
#include "tests/seeded.h"

#include <signal.h>
#include <sys/wait.h>

/* Every statement is there, and is one thing. */
static void test_statements(void **state)
{
    (void)state;
    for (size_t i = 0; i < SQL_COUNT; i++) {
        const struct postgres_statement *p = &postgres_statements[i];
        if ((p->sql != NULL) + (p->table != NULL) + p->later != 1)
            fail_msg("statement %zu", i);
        assert_true(!p->table || (p->columns && p->publish));
    }
}

/* --- refusals ----------------------------------------------------------------------------------
 */

static void test_password_in_the_url(void **state)
{
    (void)state;
    static const char *const urls[] = {
        "postgresql://dba:secret@localhost/volplan",
        "postgres://dba:secret@localhost/volplan",
        "postgresql://dba@localhost/volplan?password=secret",
        "postgresql://dba@localhost/volplan?sslpassword=secret",
        "postgresql://dba:secret@[localhost/volplan", /* no URL, which libpq would repeat */
        "postgresql://dba:secret@localhost:port/volplan?what=1",
    };
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct err e = { 0 };
        struct store *s = NULL;
        assert_int_equal(open_url(urls[i], STORE_READ, &s, &e), ERR_USAGE);
        assert_null(strstr(e.text, "secret"));
        assert_int_equal(store_init(urls[i], NULL, &e), ERR_USAGE);
        assert_null(strstr(e.text, "secret"));
    }
}

static void test_no_server(void **state)
{
    (void)state;
    char url[400];
    expect_refused("postgresql://localhost:1/volplan", STORE_READ, ERR_STORE,
                   "is the server running");
    expect_refused("postgresql:///volplan?host=/nonexistent", STORE_READ, ERR_STORE,
                   "is the server running");
    char long_url[600]; /* an error has 480 bytes */
    snprintf(long_url, sizeof long_url,
             "postgresql:///volplan?host=/nonexistent&application_name=%0400d", 0);
    expect_refused(long_url, STORE_READ, ERR_STORE, "is the server running");
    expect_refused(url_with(url, "dbname=absent"), STORE_READ, ERR_STORE, "createdb");
    expect_refused(url_with(url, "user=absent"), STORE_READ, ERR_STORE, "docs/fleets.md");
}

static void test_no_schema(void **state)
{
    (void)state;
    fixture_run_server("ALTER SCHEMA volplan RENAME TO away");
    expect_refused(fixture_db, STORE_READ, ERR_STORE, "'volplan store init' makes one");
    expect_refused(fixture_db, STORE_CREATE, ERR_STORE, "'volplan store init' makes one");
    fixture_run_server("ALTER SCHEMA away RENAME TO volplan");
}

static void test_other_schema_version(void **state)
{
    (void)state;
    struct err e = { 0 };
    fixture_run_server("UPDATE volplan.store SET schema_version = 99");
    expect_refused(fixture_db, STORE_WRITE, ERR_STORE, "newer volplan (schema 99");
    assert_int_equal(store_init(fixture_db, NULL, &e), ERR_STORE);
    fixture_run_server("UPDATE volplan.store SET schema_version = 0");
    expect_refused(fixture_db, STORE_WRITE, ERR_STORE, "'volplan store init' upgrades it");
    char sql[80];
    snprintf(sql, sizeof sql, "UPDATE volplan.store SET schema_version = %d", postgres_version);
    fixture_run_server(sql);
}

static void test_database_of_another_encoding(void **state)
{
    (void)state;
    char url[400];
    fixture_run_server("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    expect_refused(url_with(url, "dbname=latin"), STORE_READ, ERR_STORE, "ENCODING 'UTF8'");
    fixture_run_server("DROP DATABASE latin");
}

/* Making a store that is there changes nothing in it. */
static void test_init_twice(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_WRITE);
    put_good_file(s, 1, false);
    store_close(s);
    const char *before = fixture_dump(&a);
    assert_int_equal(store_init(fixture_db, NULL, &e), 0);
    assert_string_equal(fixture_dump(&a), before);
    arena_release(&a);
}

/* --- text --------------------------------------------------------------------------------------
 */

static void test_text_comes_back(void **state)
{
    (void)state;
    static const struct span texts[] = {
        SPAN_LIT("plain"),
        SPAN_LIT("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80"),
        SPAN_LIT("a\0b"),
        SPAN_LIT("\xff\xfe"),
        SPAN_LIT("cut \xe2\x82"),
        SPAN_LIT("surrogate \xed\xa0\x80 long \xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf beyond "
                 "\xf4\x90\x80\x80 \xf5"),
        SPAN_LIT("a stand-in itself \xf4\x8f\xb8\x80 \xf4\x8f\xbb\xbf"),
        SPAN_LIT("its neighbours \xf4\x8f\xb7\xbf \xf4\x8f\xbc\x80"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena a = { 0 };
        struct span kept = postgres_text_encode(&a, texts[i]);
        assert_non_null(kept.ptr);
        assert_null(memchr(kept.ptr, 0, kept.len));
        struct span back = postgres_text_decode(&a, kept);
        assert_true(span_eq(back, texts[i]));
        arena_release(&a);
    }
}

static void test_any_bytes_come_back(void **state)
{
    (void)state;
    static const unsigned char often[] = {
        0, 0x20, 0x80, 0xb8, 0xbf, 0x8f, 0xc3, 0xe2, 0xed, 0xf4
    };
    struct seeded chance = seeded_case(7, 0);
    for (int i = 0; i < 20000; i++) {
        struct arena a = { 0 };
        char text[24];
        for (size_t k = 0; k < sizeof text; k++)
            text[k] = seeded_chance(&chance, 50) ? (char)often[seeded_next(&chance) % sizeof often]
                                                 : (char)seeded_next(&chance);
        struct span given = { text, sizeof text };
        struct span kept = postgres_text_encode(&a, given);
        assert_null(memchr(kept.ptr, 0, kept.len));
        assert_true(span_eq(postgres_text_decode(&a, kept), given));
        arena_release(&a);
    }
}

/* A column of another type is damage, which is told. */
static void test_column_of_another_type(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store_file *files = NULL;
    size_t n = 0;
    struct store *s = fixture_open(STORE_WRITE);
    put_good_file(s, 1, false);
    store_close(s);
    fixture_run_server("ALTER TABLE volplan.file ALTER rows TYPE int");
    s = fixture_open(STORE_READ);
    assert_int_equal(store_files(s, "PRD1", &a, &files, &n, &e), ERR_STORE);
    assert_non_null(strstr(e.text, "damaged (column 'rows'"));
    store_close(s);
    fixture_run_server("ALTER TABLE volplan.file ALTER rows TYPE bigint");
    arena_release(&a);
}

/* The server takes what the stand-ins make of it, and the program gets it back. */
static void test_bytes_in_the_store(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store_file *files = NULL;
    size_t n = 0;
    bool known = true;
    struct store *s = fixture_open(STORE_WRITE);
    struct store_file_start start = fixture_start("PRD\xff");
    struct store_file_end end = fixture_end(1);
    start.path = "in/\xc3(.txt";
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    assert_int_equal(store_file_warning(s, 1, "saw \xf4\x8f\xb8\x81 and \xe2\x82", &e), 0);
    if (store_file_commit(s, &end, &known, &e))
        fail_msg("%s", e.text);
    assert_int_equal(store_files(s, "PRD\xff", &a, &files, &n, &e), 0);
    assert_int_equal(n, 1);
    assert_string_equal(files[0].path, "in/\xc3(.txt");
    assert_string_equal(files[0].warnings[0].text, "saw \xf4\x8f\xb8\x81 and \xe2\x82");
    store_close(s);
    arena_release(&a);
}

/* --- several at once ---------------------------------------------------------------------------
 */

/* Both have read the whole file before either is done. */
static void test_two_load_the_same(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s[2];
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(1);
    for (int i = 0; i < 2; i++) {
        s[i] = fixture_open(STORE_WRITE);
        assert_int_equal(store_file_begin(s[i], &start, &e), 0);
        assert_int_equal(put_samples(s[i], 3000, &e), 0);
    }
    for (int i = 0; i < 2; i++) {
        bool known = i == 0;
        if (store_file_commit(s[i], &end, &known, &e))
            fail_msg("%s", e.text);
        assert_int_equal(known, i == 1);
    }
    put_good_file(s[0], 1, true);
    put_good_file(s[1], 2, false);
    for (int i = 0; i < 2; i++)
        store_close(s[i]);
    assert_string_equal(fixture_ask(&a, "SELECT count(*), (SELECT count(*) FROM series),"
                                        " (SELECT sum(n_samples) FROM chunk) FROM file"),
                        "2|2|6060\n");
    arena_release(&a);
}

enum { LOADERS = 8, SHARED_FILES = 12, KILLS = 3 };

/* All files, each loader in an order of its own; every other file has so many samples that some of
 * them are copied before it is complete. */
static void load_shared_files(int loader)
{
    struct err e = { 0 };
    struct store *s = NULL;
    if (store_open(fixture_db, &(struct store_options){ .mode = STORE_WRITE }, &s, &e))
        _exit(1);
    for (int i = 0; i < SHARED_FILES; i++) {
        bool known = false;
        int file = (i * (loader % 2 ? 5 : 7) + loader) % SHARED_FILES;
        if (put_file(s, (unsigned char)(1 + file), file % 2 ? 40 : 3000, &known, &e)) {
            fprintf(stderr, "loader %d: %s\n", loader, e.text);
            _exit(2);
        }
    }
    store_close(s);
    _exit(0);
}

static pid_t start_loader(int loader)
{
    pid_t child = fork();
    if (child == 0)
        load_shared_files(loader);
    assert_true(child > 0);
    return child;
}

/* Each is killed some times at any moment, and started again. */
static void run_killed_loaders(struct seeded *chance)
{
    pid_t child[LOADERS];
    for (int i = 0; i < LOADERS; i++)
        child[i] = start_loader(i);
    for (int k = 0; k < KILLS * LOADERS; k++) {
        usleep((useconds_t)seeded_int(chance, 0, 11999));
        int victim = k % LOADERS, status = 0;
        kill(child[victim], SIGKILL);
        assert_int_equal(waitpid(child[victim], &status, 0), child[victim]);
        assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
        child[victim] = start_loader(victim);
    }
    for (int i = 0; i < LOADERS; i++) {
        int status = 0;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
}

/* Nothing is there twice and nothing is missing.  FULL=1 runs 50 rounds. */
static void test_many_load_the_same(void **state)
{
    const char *full = getenv("FULL");
    struct seeded chance = seeded_case(7, 1);
    for (int round = full && *full == '1' ? 50 : 2; round > 0; round--) {
        struct arena a = { 0 };
        assert_int_equal(fixture_setup(state), 0);
        run_killed_loaders(&chance);
        /* 2 devices; 6 * 2 * (40 + 3000) samples; 40 minutes are one hour, 3 000 are 50 */
        assert_string_equal(
            fixture_ask(&a, "SELECT count(*), count(DISTINCT content_hash),"
                            " (SELECT count(*) FROM system), (SELECT count(*) FROM series),"
                            " (SELECT sum(n_samples) FROM chunk), (SELECT count(*) FROM hourly)"
                            " FROM file"),
            "12|12|1|2|36480|612\n");
        arena_release(&a);
    }
}

/* --- who may do what ---------------------------------------------------------------------------
 */

/* The statements of docs/fleets.md between two of its words, but for making the database. */
static void run_manual(const char *from, const char *to)
{
    static char manual[20000];
    FILE *f = fopen("docs/fleets.md", "rb");
    assert_non_null(f);
    manual[fread(manual, 1, sizeof manual - 1, f)] = '\0';
    fclose(f);
    char *begin = strstr(manual, from), *end = begin ? strstr(begin, to) : NULL;
    assert_non_null(end);
    *end = '\0';
    fixture_run_server(begin);
}

static void test_roles(void **state)
{
    (void)state;
    char loader[400], reader[400];
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s = NULL;
    bool known = false;
    url_with(loader, "user=anna");
    url_with(reader, "user=ben");
    run_manual("CREATE ROLE volplan_load", "```");
    run_manual("GRANT USAGE", "```");

    assert_int_equal(open_url(loader, STORE_WRITE, &s, &e), 0);
    put_good_file(s, 1, false);
    put_good_file(s, 1, true);
    assert_int_equal(store_layout_set(s, "PRD1", "{}", &e), 0);
    assert_int_equal(store_layout_set(s, "PRD1", "{\"a\":1}", &e), 0);
    store_close(s);

    struct store_series *series = NULL;
    size_t n = 0;
    assert_int_equal(open_url(reader, STORE_READ, &s, &e), 0);
    assert_int_equal(store_series(s, "PRD1", &a, &series, &n, &e), 0);
    assert_int_equal(n, 2);
    store_close(s);
    assert_int_equal(open_url(reader, STORE_WRITE, &s, &e), 0);
    assert_int_equal(put_file(s, 2, 10, &known, &e), ERR_STORE);
    assert_non_null(strstr(e.text, "docs/fleets.md"));
    store_close(s);

    fixture_run_server(
        "SET ROLE anna; DO $$ BEGIN DELETE FROM volplan.file;"
        " RAISE 'a loader deletes'; EXCEPTION WHEN insufficient_privilege THEN END $$");
    fixture_run_server("DROP OWNED BY volplan_load, volplan_read CASCADE;"
                       "DROP ROLE anna, ben, volplan_load, volplan_read");
    arena_release(&a);
}

/* The statements for psql run and find something. */
static void test_manual_for_psql(void **state)
{
    (void)state;
    struct arena a = { 0 };
    static char manual[20000];
    struct store *s = fixture_open(STORE_WRITE);
    put_good_file(s, 1, false);
    store_close(s);
    FILE *f = fopen("docs/fleets.md", "rb");
    assert_non_null(f);
    manual[fread(manual, 1, sizeof manual - 1, f)] = '\0';
    fclose(f);
    int n = 0;
    for (char *sql = manual; (sql = strstr(sql, "```psql\n")) != NULL; n++) {
        sql += strlen("```psql\n");
        char *close = strstr(sql, "```");
        assert_non_null(close);
        *close = '\0';
        if (!*fixture_ask(&a, sql))
            fail_msg("nothing from: %s", sql);
        sql = close + 1;
    }
    assert_true(n >= 1);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        FIXTURE_TEST(test_statements),
        FIXTURE_TEST(test_password_in_the_url),
        FIXTURE_TEST(test_no_server),
        FIXTURE_TEST(test_no_schema),
        FIXTURE_TEST(test_other_schema_version),
        FIXTURE_TEST(test_database_of_another_encoding),
        FIXTURE_TEST(test_init_twice),
        FIXTURE_TEST(test_text_comes_back),
        FIXTURE_TEST(test_any_bytes_come_back),
        FIXTURE_TEST(test_column_of_another_type),
        FIXTURE_TEST(test_bytes_in_the_store),
        FIXTURE_TEST(test_two_load_the_same),
        FIXTURE_TEST(test_many_load_the_same),
        FIXTURE_TEST(test_roles),
        FIXTURE_TEST(test_manual_for_psql),
    };
    return fixture_run_servers(t, sizeof t / sizeof *t);
}
