/* tests/data/store/test_store_faults.c - what the store does when it cannot do what it should:
 * strange files, locks, read-only files, a killed process, a full disk, no memory. */
#include "data/load.h"
#include "tests/data/store/store_torture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

/* --- small steps -------------------------------------------------------------------------------
 */

static void write_bytes(const char *bytes, size_t n)
{
    FILE *f = fopen(fixture_db, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void run_sql(const char *sql)
{
    sqlite3 *db = fixture_connect();
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static int open_as(enum store_mode mode, struct store **out, struct err *e)
{
    return store_open(fixture_db, &(struct store_options){ .mode = mode, .wait_ms = 50 }, out, e);
}

static const struct awr_io_row filetypes[] = {
    { "Data File", 1, 2, 3, 4, 5, 6, 7, 8, NAN, NAN, 9 },
};
static const struct awr_stat stats[] = { { "redo size", 1, 2, 3 } };
static const struct awr_snapshot snapshot = { .db_name = "PRD1",
                                              .begin_ms = 0,
                                              .end_ms = 3600000,
                                              .filetypes = filetypes,
                                              .n_filetypes = 1,
                                              .stats = stats,
                                              .n_stats = 1 };

/* One file of two devices and a snapshot; rolled back when something fails. */
static int put_file(struct store *s, unsigned char hash, int n_samples, struct err *e)
{
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(hash);
    bool known = false;
    int rc = store_file_begin(s, &start, e);
    for (int i = 0; i < n_samples && !rc; i++) {
        struct io_sample a = fixture_sample("sda", i), b = fixture_sample("sdb", i);
        rc = store_file_sample(s, &a, e);
        if (!rc)
            rc = store_file_sample(s, &b, e);
    }
    if (!rc)
        rc = store_file_snapshot(s, &snapshot, e);
    if (!rc)
        rc = store_file_warning(s, 1, "odd", e);
    if (!rc)
        return store_file_commit(s, &end, &known, e);
    store_file_rollback(s);
    return rc;
}

static void make_store(void)
{
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    if (put_file(s, 1, 30, &e))
        fail_msg("%s", e.text);
    store_close(s);
}

/* --- opening -----------------------------------------------------------------------------------
 */

static void test_create_and_reopen(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = NULL;
    assert_int_equal(open_as(STORE_READ, &s, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "no store here"));
    assert_int_equal(open_as(STORE_WRITE, &s, &e), ERR_USAGE);
    assert_int_equal(access(fixture_db, F_OK), -1); /* asking makes nothing */
    assert_int_equal(open_as(STORE_CREATE, &s, &e), 0);
    assert_string_equal(store_path(s), fixture_db);
    store_close(s);
    assert_string_equal(fixture_ask(&a, "PRAGMA user_version"), "4\n");
    assert_string_equal(fixture_ask(&a, "PRAGMA integrity_check"), "ok\n");
    assert_int_equal(open_as(STORE_CREATE, &s, &e), 0);
    store_close(s);
    arena_release(&a);
}

static void test_empty_file(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct store *s = NULL;
    write_bytes("", 0);
    assert_int_equal(open_as(STORE_READ, &s, &e), ERR_USAGE);
    assert_int_equal(open_as(STORE_CREATE, &s, &e), 0);
    assert_int_equal(put_file(s, 1, 10, &e), 0);
    store_close(s);
    assert_int_equal(open_as(STORE_READ, &s, &e), 0);
    store_close(s);
}

static void test_version_0(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = NULL;
    run_sql("CREATE TABLE t(a); DROP TABLE t"); /* a database without anything */
    assert_int_equal(open_as(STORE_CREATE, &s, &e), 0);
    assert_int_equal(put_file(s, 1, 10, &e), 0);
    store_close(s);
    assert_string_equal(fixture_ask(&a, "PRAGMA user_version"), "4\n");
    arena_release(&a);
}

static void test_newer(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct store *s = NULL;
    make_store();
    run_sql("PRAGMA user_version = 99");
    assert_int_equal(open_as(STORE_CREATE, &s, &e), ERR_STORE);
    assert_non_null(strstr(e.text, "newer volplan (schema 99"));
    assert_int_equal(open_as(STORE_READ, &s, &e), ERR_STORE);
}

static void test_not_ours(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct store *s = NULL;
    run_sql("CREATE TABLE t(a)");
    assert_int_equal(open_as(STORE_CREATE, &s, &e), ERR_STORE);
    assert_non_null(strstr(e.text, "not a volplan store"));
    run_sql("PRAGMA user_version = 1");
    assert_int_equal(open_as(STORE_READ, &s, &e), ERR_STORE);
}

static void test_not_sqlite(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct store *s = NULL;
    char text[2000];
    memset(text, 'x', sizeof text);
    write_bytes(text, sizeof text);
    assert_int_equal(open_as(STORE_CREATE, &s, &e), ERR_STORE);
    assert_non_null(strstr(e.text, "not a volplan store"));
    assert_non_null(strstr(e.text, fixture_db));
}

static void test_folder_or_nothing(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct store *s = NULL;
    struct store_options o = { .mode = STORE_CREATE };
    assert_int_equal(store_open(fixture_dir, &o, &s, &e), ERR_STORE);
    assert_int_equal(store_open("", &o, &s, &e), ERR_USAGE);
    assert_int_equal(store_open("/nonexistent/x/y.db", &o, &s, &e), ERR_STORE);
    store_close(NULL);
}

/* Damage inside is an error, never a crash. */
static void test_damaged_samples(void **state)
{
    (void)state;
    static const char *const damages[] = {
        "UPDATE chunk SET n_samples = 99999999",
        "UPDATE chunk SET n_samples = -1",
        "UPDATE chunk SET queue = x''",
        "UPDATE chunk SET begin_ms = x'0100'",
        "UPDATE chunk SET n_samples = n_samples + 1",
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct arena a = { 0 };
        struct err e = { 0 };
        struct system_load load;
        unlink(fixture_db);
        make_store();
        run_sql(damages[i]);
        struct store *s = fixture_open(STORE_READ);
        assert_int_equal(load_system(s, NULL, &a, &load, &e), ERR_STORE);
        assert_non_null(strstr(e.text, "damaged"));
        store_close(s);
        arena_release(&a);
    }
}

/* --- locks, rights, killing --------------------------------------------------------------------
 */

static void test_locked(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    make_store();
    const char *before = fixture_dump(&a);
    struct store *s = fixture_open(STORE_CREATE), *other = NULL;
    sqlite3 *db = fixture_connect();
    assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(put_file(s, 2, 10, &e), ERR_STORE);
    assert_non_null(strstr(e.text, "locked by another process (waited 0.1 s)"));
    assert_int_equal(open_as(STORE_READ, &other, &e), ERR_STORE);
    assert_non_null(strstr(e.text, "locked"));
    sqlite3_close(db);
    assert_string_equal(fixture_dump(&a), before);
    assert_int_equal(put_file(s, 2, 10, &e), 0); /* the same handle goes on */
    store_close(s);
    arena_release(&a);
}

/* In a child without root's rights, which file modes do not bind. */
static int as_nobody(int (*step)(void))
{
    pid_t child = fork();
    if (child == 0)
        _exit(setuid(geteuid() ? geteuid() : 65534) ? 98 : step());
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static int step_read_only(void)
{
    struct err e = { 0 };
    struct store *s = NULL;
    struct arena a = { 0 };
    struct system_load load;
    if (open_as(STORE_CREATE, &s, &e) != ERR_STORE || !strstr(e.text, "cannot be written"))
        return 1;
    if (open_as(STORE_READ, &s, &e)) /* reading is enough for a plan */
        return 2;
    if (load_system(s, NULL, &a, &load, &e) || load.n_series != 3)
        return 3;
    if (put_file(s, 2, 10, &e) != ERR_STORE)
        return 4;
    store_close(s);
    arena_release(&a);
    return 0;
}

static void test_read_only(void **state)
{
    (void)state;
    make_store();
    assert_int_equal(chmod(fixture_db, 0444), 0);
    assert_int_equal(as_nobody(step_read_only), 0);
}

/* Half a large file is in the database and its journal when the process dies. */
static void test_killed(void **state)
{
    (void)state;
    struct arena a = { 0 };
    make_store();
    const char *before = fixture_dump(&a);
    char journal[sizeof fixture_db + 16];
    snprintf(journal, sizeof journal, "%s-journal", fixture_db);
    pid_t child = fork();
    if (child == 0) {
        struct err e = { 0 };
        struct store *s = fixture_open(STORE_WRITE);
        struct store_file_start start = fixture_start("PRD2");
        if (store_file_begin(s, &start, &e) == 0)
            for (int i = 0; i < 1000000; i++) {
                struct io_sample sample = fixture_sample("sda", i);
                sample.queue = 1.0 / (i + 1);
                sample.await_ms = 1.0 / (i + 7);
                store_file_sample(s, &sample, &e);
            }
        raise(SIGKILL);
    }
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(access(journal, F_OK), 0); /* it did die in the middle */

    struct store *s = fixture_open(STORE_READ);
    struct system_load load;
    struct err e = { 0 };
    assert_int_equal(load_system(s, NULL, &a, &load, &e), 0);
    store_close(s);
    assert_string_equal(fixture_dump(&a), before);
    assert_string_equal(fixture_ask(&a, "PRAGMA integrity_check"), "ok\n");
    arena_release(&a);
}

/* --- a disk that fails -------------------------------------------------------------------------
 */

/* The methods of a database lock, those of a journal do not: each kind has its own shim. */
static const sqlite3_io_methods *real_db, *real_journal;
static sqlite3_io_methods faulty_db, faulty_journal;
static sqlite3_vfs *real_vfs, faulty_vfs;
static long n_writes, fail_write_at;
static int fail_code;

static bool write_fails(void)
{
    return fail_write_at && ++n_writes >= fail_write_at;
}

static const sqlite3_io_methods *real_of(const sqlite3_file *f)
{
    return f->pMethods == &faulty_db ? real_db : real_journal;
}

static int faulty_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at)
{
    return write_fails() ? fail_code : real_of(f)->xWrite(f, bytes, n, at);
}

static int faulty_sync(sqlite3_file *f, int flags)
{
    return write_fails() ? SQLITE_IOERR_FSYNC : real_of(f)->xSync(f, flags);
}

static int faulty_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *f, int flags, int *out)
{
    (void)vfs;
    int rc = real_vfs->xOpen(real_vfs, path, f, flags, out);
    if (!f->pMethods)
        return rc;
    bool is_db = flags & SQLITE_OPEN_MAIN_DB;
    sqlite3_io_methods *faulty = is_db ? &faulty_db : &faulty_journal;
    *(is_db ? &real_db : &real_journal) = f->pMethods;
    *faulty = *f->pMethods;
    faulty->xWrite = faulty_write;
    faulty->xSync = faulty_sync;
    f->pMethods = faulty;
    return rc;
}

/* Write or sync number 1, 2, 3 ... and all after it fail, until nothing does. */
static void fail_every_write(int code, const char *words)
{
    struct arena a = { 0 };
    make_store();
    const char *before = fixture_dump(&a);
    real_vfs = sqlite3_vfs_find(NULL);
    faulty_vfs = *real_vfs;
    faulty_vfs.zName = "faulty";
    faulty_vfs.xOpen = faulty_open;
    int rc = ERR_STORE;
    long n = 0;
    fail_code = code;
    while (rc) {
        struct err e = { 0 };
        assert_int_equal(sqlite3_vfs_register(&faulty_vfs, 1), SQLITE_OK);
        struct store *s = fixture_open(STORE_WRITE);
        n_writes = 0;
        fail_write_at = ++n;
        rc = put_file(s, 2, 1500, &e);
        fail_write_at = 0;
        store_close(s);
        assert_int_equal(sqlite3_vfs_unregister(&faulty_vfs), SQLITE_OK);
        assert_int_equal(sqlite3_vfs_register(real_vfs, 1), SQLITE_OK);
        if (!rc)
            break;
        assert_int_equal(rc, ERR_STORE);
        assert_non_null(strstr(e.text, fixture_db));
        if (n == 1)
            assert_non_null(strstr(e.text, words));
        assert_string_equal(fixture_dump(&a), before);
    }
    assert_true(n > 10); /* there was something to fail */
    assert_string_not_equal(fixture_dump(&a), before);
    arena_release(&a);
}

static void test_disk_full(void **state)
{
    (void)state;
    fail_every_write(SQLITE_FULL, "no space left on the disk");
}

static void test_disk_error(void **state)
{
    (void)state;
    fail_every_write(SQLITE_IOERR_WRITE, "disk I/O error");
}

/* --- no memory ---------------------------------------------------------------------------------
 */

static int open_put_close(struct err *e)
{
    struct store *s = NULL;
    int rc = open_as(STORE_CREATE, &s, e);
    if (rc)
        return rc;
    rc = put_file(s, 2, 20, e);
    store_close(s);
    return rc;
}

static int open_load_close(struct err *e)
{
    struct store *s = NULL;
    struct arena a = { 0 };
    struct system_load load;
    int rc = open_as(STORE_READ, &s, e);
    if (rc)
        return rc;
    rc = load_system(s, "PRD1", &a, &load, e);
    arena_release(&a);
    store_close(s);
    return rc;
}

static int set_layout(struct err *e)
{
    struct store *s = NULL;
    struct arena a = { 0 };
    const char *json = NULL;
    int rc = open_as(STORE_WRITE, &s, e);
    if (rc)
        return rc;
    rc = store_layout_get(s, "PRD1", &a, &json, e);
    if (!rc)
        rc = store_layout_set(s, "PRD7", "{}", e);
    arena_release(&a);
    store_close(s);
    return rc;
}

static int create(struct err *e)
{
    struct store *s = NULL;
    int rc = open_as(STORE_CREATE, &s, e);
    if (!rc)
        store_close(s);
    return rc;
}

static void torture(int (*step)(struct err *), bool changes)
{
    assert_true(store_torture(step, 16, changes) > 20);
}

static void test_torture_put(void **state)
{
    (void)state;
    make_store();
    torture(open_put_close, true);
}

static void test_torture_load(void **state)
{
    (void)state;
    make_store();
    torture(open_load_close, false);
}

static void test_torture_layout(void **state)
{
    (void)state;
    make_store();
    torture(set_layout, true);
}

/* A store that could not be made is no store: it is made later as if nothing had been. */
static void test_torture_create(void **state)
{
    (void)state;
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = create(&it.e);
    assert_true(it.n > 20);
    make_store();
}

int main(void)
{
    const struct CMUnitTest t[] = {
        FIXTURE_TEST(test_create_and_reopen),
        FIXTURE_TEST(test_empty_file),
        FIXTURE_TEST(test_version_0),
        FIXTURE_TEST(test_newer),
        FIXTURE_TEST(test_not_ours),
        FIXTURE_TEST(test_not_sqlite),
        FIXTURE_TEST(test_folder_or_nothing),
        FIXTURE_TEST(test_damaged_samples),
        FIXTURE_TEST(test_locked),
        FIXTURE_TEST(test_read_only),
        FIXTURE_TEST(test_killed),
        FIXTURE_TEST(test_disk_full),
        FIXTURE_TEST(test_disk_error),
        FIXTURE_TEST(test_torture_put),
        FIXTURE_TEST(test_torture_load),
        FIXTURE_TEST(test_torture_layout),
        FIXTURE_TEST(test_torture_create),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
