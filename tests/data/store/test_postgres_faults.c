/* tests/data/store/test_postgres_faults.c - what fails on a server and on the way to it: locks, a
 * connection that is cut anywhere, errors while rows move and at commit, rights that are missing,
 * memory.  Each gives an error that says what to do, leaves nothing, and the next file is loaded
 * with the same handle. */
#include "data/store/store_results.h"
#include "data/store/store_upkeep.h"
#include "tests/data/store/cut_wire.h"
#include "tests/data/store/postgres_steps.h"
#include "tests/data/store/store_torture.h"

/* --- steps that fail ---------------------------------------------------------------------------
 */

typedef int step_fn(struct store *s, struct err *e);

static int load_file(struct store *s, struct err *e)
{
    bool known = false;
    return put_file(s, 2, 30, &known, e);
}

static int set_layout(struct store *s, struct err *e)
{
    return store_layout_set(s, "PRD1", "{}", e);
}

static int list_files(struct store *s, struct err *e)
{
    struct arena a = { 0 };
    struct store_file *files = NULL;
    size_t n = 0;
    int rc = store_files(s, "PRD1", &a, &files, &n, e);
    arena_release(&a);
    return rc;
}

static int prune(struct store *s, struct err *e)
{
    struct arena a = { 0 };
    struct store_table *t = NULL;
    size_t n = 0;
    int rc = store_change_begin(s, e);
    if (!rc) {
        rc = store_prune(s, INT64_C(1700000000000), &a, &t, &n, e);
        int rc_end = store_change_end(s, !rc, rc ? NULL : e);
        rc = rc ? rc : rc_end;
    }
    arena_release(&a);
    return rc;
}

static void fails(struct store *s, step_fn *step, const char *words)
{
    struct err e = { 0 };
    assert_int_equal(step(s, &e), ERR_STORE);
    expect_words(&e, words);
}

static void works(struct store *s, step_fn *step)
{
    struct err e = { 0 };
    if (step(s, &e))
        fail_msg("%s", e.text);
}

/* A store that holds one file; the lock wait is short. */
static struct store *open_with_a_file(void)
{
    struct err e = { 0 };
    struct store *s = NULL;
    if (open_url(fixture_db, STORE_WRITE, &s, &e))
        fail_msg("%s", e.text);
    put_good_file(s, 1, false);
    return s;
}

/* --- locks -------------------------------------------------------------------------------------
 */

static const struct locked {
    const char *why, *table;
    step_fn *step;
} locked[] = {
    { "a lock on systems stops loading", "system", load_file },
    { "a lock on samples stops loading", "chunk", load_file },
    { "a lock on files stops reading", "file", list_files },
    { "a lock on layouts stops setting one", "layout", set_layout },
    { "a lock on hours stops pruning", "hourly", prune },
};

static void test_locked(void **state)
{
    const struct locked *l = *state;
    struct arena a = { 0 };
    struct store *s = open_with_a_file();
    const char *before = fixture_dump(&a);
    PGconn *other = fixture_server();
    fixture_query_server(other, &a, arena_printf(&a, "BEGIN; LOCK TABLE volplan.%s", l->table));
    fails(s, l->step, "locked by another loader for too long; run the command again");
    fixture_query_server(other, &a, "ROLLBACK");
    PQfinish(other);
    assert_string_equal(fixture_dump(&a), before);
    works(s, l->step);
    store_close(s);
    arena_release(&a);
}

static void test_locked_when_opened(void **state)
{
    (void)state;
    struct arena a = { 0 };
    PGconn *other = fixture_server();
    fixture_query_server(other, &a, "BEGIN; LOCK TABLE volplan.store");
    expect_refused(fixture_db, STORE_READ, ERR_STORE, "locked by another loader for too long");
    PQfinish(other);
    store_close(fixture_open(STORE_READ));
    arena_release(&a);
}

/* --- errors of the server ----------------------------------------------------------------------
 */

#define WHILE_ROWS_MOVE "chunk", "IMMEDIATE"
#define AT_COMMIT       "file", "DEFERRED"

/* What a trigger does when rows of this table are there. */
static const struct fault {
    const char *why, *table, *when, *does, *words;
} faults[] = {
    { "cut while rows move", WHILE_ROWS_MOVE, "PERFORM pg_terminate_backend(pg_backend_pid())",
      "run the command again when it is back" },
    { "cut at commit", AT_COMMIT, "PERFORM pg_terminate_backend(pg_backend_pid())",
      "run the command again when it is back" },
    { "too slow at commit", AT_COMMIT,
      "PERFORM pg_cancel_backend(pg_backend_pid()); PERFORM pg_sleep(9)",
      "gave up after its time-out; run the command again" },
    { "a deadlock while rows move", WHILE_ROWS_MOVE, "RAISE SQLSTATE '40P01'",
      "broke a deadlock; run the command again" },
    { "no space while rows move", WHILE_ROWS_MOVE, "RAISE SQLSTATE '53100'",
      "no space left on the server's disk" },
    { "no space at commit", AT_COMMIT, "RAISE SQLSTATE '53100'",
      "no space left on the server's disk" },
    { "no memory while rows move", WHILE_ROWS_MOVE, "RAISE SQLSTATE '53200'",
      "the server is out of memory" },
    { "a server that became a standby", WHILE_ROWS_MOVE, "RAISE SQLSTATE '25006'",
      "the server can only be read" },
    { "an error that is not known", AT_COMMIT, "RAISE 'the words of the server'",
      "the words of the server" },
};

static void plant(const struct fault *f)
{
    struct arena a = { 0 };
    fixture_run_server(
        arena_printf(&a,
                     "CREATE FUNCTION volplan.fault() RETURNS trigger LANGUAGE plpgsql AS"
                     " $$ BEGIN %s; RETURN NEW; END $$;"
                     "CREATE CONSTRAINT TRIGGER fault AFTER INSERT ON volplan.%s"
                     " DEFERRABLE INITIALLY %s FOR EACH ROW EXECUTE FUNCTION volplan.fault()",
                     f->does, f->table, f->when));
    arena_release(&a);
}

static void test_fault(void **state)
{
    const struct fault *f = *state;
    struct arena a = { 0 };
    struct store *s = open_with_a_file();
    const char *before = fixture_dump(&a);
    plant(f);
    fails(s, load_file, f->words);
    assert_string_equal(fixture_dump(&a), before);
    fixture_run_server("DROP FUNCTION volplan.fault() CASCADE");
    works(s, load_file);
    store_close(s);
    arena_release(&a);
}

/* --- a server that goes away -------------------------------------------------------------------
 */

#define CUT_OTHERS                                                                                 \
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"                                       \
    " WHERE application_name = 'volplan' AND pid <> pg_backend_pid()"

static void test_cut_in_a_file(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_WRITE);
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(2);
    bool known = false;
    put_good_file(s, 1, false);
    const char *before = fixture_dump(&a);
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    fixture_run_server(CUT_OTHERS);
    int rc = put_samples(s, 20000, &e);
    if (!rc)
        rc = store_file_commit(s, &end, &known, &e);
    assert_int_equal(rc, ERR_STORE);
    assert_non_null(strstr(e.text, "run the command again when it is back"));
    store_file_rollback(s);
    assert_string_equal(fixture_dump(&a), before);
    put_good_file(s, 2, false); /* connects anew */
    store_close(s);
    arena_release(&a);
}

static void test_cut_between_files(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_WRITE);
    put_good_file(s, 1, false);
    fixture_run_server(CUT_OTHERS);
    put_good_file(s, 2, false);
    fixture_run_server(CUT_OTHERS);
    assert_int_equal(store_layout_set(s, "PRD1", "{}", &e), 0);
    fixture_run_server(CUT_OTHERS);
    assert_int_equal(store_read_begin(s, &e), 0);
    store_read_end(s);
    store_close(s);
}

/* --- a wire that is cut ------------------------------------------------------------------------
 */

static struct cut_wire wire;
static char wire_url[120];

static int start_wire(void **state)
{
    int rc = fixture_setup(state);
    PGconn *server = fixture_server();
    snprintf(fixture_dir, sizeof fixture_dir, "/tmp/test-wire-XXXXXX");
    bool started = PQhost(server)[0] == '/' && mkdtemp(fixture_dir) &&
                   wire_start(&wire, fixture_dir, PQhost(server));
    PQfinish(server);
    snprintf(wire_url, sizeof wire_url, "postgresql://postgres@/volplan?host=%s", fixture_dir);
    return started ? rc : -1;
}

static int stop_wire(void **state)
{
    (void)state;
    wire_stop(&wire);
    return rmdir(fixture_dir);
}

enum { WIRE_SAMPLES = 300, CUTS = 24, LAST_BYTES = 24 };

static int put_long_file(struct store *s, unsigned char hash, bool *out_known, struct err *e)
{
    return put_file(s, hash, WIRE_SAMPLES, out_known, e);
}

/* Each of the files that are there is there whole: 2 devices of 300 minutes, which are 5 hours. */
static void expect_whole_files(int at_least, int at_most)
{
    struct arena a = { 0 };
    const char *have = fixture_ask(&a, "SELECT count(*), (SELECT sum(n_samples) FROM chunk),"
                                       " (SELECT count(*) FROM hourly) FROM file");
    int n = have[0] - '0';
    assert_in_range(n, at_least, at_most);
    assert_string_equal(have, arena_printf(&a, "%d|%d|%d\n", n, n * 600, n * 10));
    arena_release(&a);
}

/* Whether it was cut.  Whoever is cut off from a commit does not know whether it was made. */
static bool cut_after(enum wire_direction d, long bytes)
{
    struct err e = { 0 };
    struct store *s = NULL;
    bool known = false;
    assert_int_equal(fixture_setup(NULL), 0);
    wire_set(&wire, d, wire_uncut);
    if (store_open(wire_url, &(struct store_options){ .mode = STORE_WRITE }, &s, &e) ||
        put_long_file(s, 1, &known, &e))
        fail_msg("%s", e.text);
    wire_set(&wire, d, bytes);
    int rc = put_long_file(s, 2, &known, &e);
    if (rc) {
        assert_int_equal(rc, ERR_STORE);
        if (!strstr(e.text, "run the command again") && !strstr(e.text, "in a moment"))
            fail_msg("after %ld bytes: %s", bytes, e.text);
    }
    expect_whole_files(rc ? 1 : 2, 2);
    wire_set(&wire, d, wire_uncut);
    if (put_long_file(s, 2, &known, &e))
        fail_msg("after %ld bytes, again: %s", bytes, e.text);
    expect_whole_files(2, 2);
    store_close(s);
    return rc != 0;
}

/* How many bytes a file is. */
static long measure(enum wire_direction d)
{
    struct err e = { 0 };
    struct store *s = NULL;
    bool known = false;
    assert_int_equal(fixture_setup(NULL), 0);
    wire_set(&wire, d, wire_uncut);
    assert_int_equal(store_open(wire_url, &(struct store_options){ .mode = STORE_WRITE }, &s, &e),
                     0);
    assert_int_equal(put_long_file(s, 1, &known, &e), 0);
    long before = atomic_load(&wire.left[d]);
    assert_int_equal(put_long_file(s, 2, &known, &e), 0);
    long bytes = before - atomic_load(&wire.left[d]);
    store_close(s);
    return bytes;
}

static const enum wire_direction directions[] = { WIRE_TO_SERVER, WIRE_FROM_SERVER };

/* Anywhere in a file, and at each of its last bytes, of which the commit is; numbers in it have
 * some digits more or less.  FULL=1 cuts at 400 places. */
static void test_cut_anywhere(void **state)
{
    const enum wire_direction *d = *state;
    const char *full = getenv("FULL");
    long n_bytes = measure(*d), last = n_bytes - LAST_BYTES;
    long cuts = full && *full == '1' ? 400 : CUTS;
    assert_true(last > cuts);
    for (long i = 0; i < cuts; i++)
        assert_true(cut_after(*d, 1 + i * last / cuts));
    while (last < n_bytes + LAST_BYTES && cut_after(*d, last))
        last++;
    assert_in_range(last, n_bytes - LAST_BYTES / 2, n_bytes + LAST_BYTES - 1);
}

/* --- rights ------------------------------------------------------------------------------------
 */

static int claim(struct store *s, struct err *e)
{
    return store_claims_open(s, e);
}

/* A role that may read fails at everything else, and can go on reading. */
static void test_reader(void **state)
{
    (void)state;
    static step_fn *const writing[] = { load_file, set_layout, prune, claim };
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = NULL;
    char reader[400];
    store_close(open_with_a_file());
    const char *before = fixture_dump(&a);
    fixture_run_server("CREATE ROLE ben LOGIN; GRANT USAGE ON SCHEMA volplan TO ben;"
                       "GRANT SELECT ON ALL TABLES IN SCHEMA volplan TO ben");
    assert_int_equal(open_url(url_with(reader, "user=ben"), STORE_WRITE, &s, &e), 0);
    for (size_t i = 0; i < sizeof writing / sizeof *writing; i++) {
        fails(s, writing[i], "docs/fleets.md has the SQL for loading and reading roles");
        works(s, list_files);
    }
    store_close(s);
    assert_string_equal(fixture_dump(&a), before);
    fixture_run_server("DROP OWNED BY ben; DROP ROLE ben");
    arena_release(&a);
}

/* Of the store, and of the database. */
static void test_stranger(void **state)
{
    (void)state;
    char stranger[400];
    url_with(stranger, "user=carl");
    fixture_run_server("CREATE ROLE carl LOGIN");
    expect_refused(stranger, STORE_READ, ERR_STORE,
                   "docs/fleets.md has the SQL for loading and reading roles");
    fixture_run_server("REVOKE CONNECT ON DATABASE volplan FROM public");
    expect_refused(stranger, STORE_READ, ERR_STORE,
                   "docs/fleets.md has the SQL that makes the roles");
    fixture_run_server("GRANT CONNECT ON DATABASE volplan TO public; DROP ROLE carl");
}

/* --- no memory ---------------------------------------------------------------------------------
 */

static int open_put_close(struct err *e)
{
    struct store *s = NULL;
    bool known = false;
    int rc = open_url(fixture_db, STORE_WRITE, &s, e);
    if (rc)
        return rc;
    rc = put_file(s, 2, 20, &known, e);
    store_close(s);
    return rc;
}

/* libpq's own allocations are its business. */
static void test_no_memory(void **state)
{
    (void)state;
    assert_true(store_torture(open_put_close, 1, true) > 10);
}

int main(void)
{
    if (!getenv("VOLPLAN_TEST_PG")) {
        printf("not run: faults of a PostgreSQL server: VOLPLAN_TEST_PG names none\n");
        return 0;
    }
    fixture_on_server = true;
    enum { L = sizeof locked / sizeof *locked, F = sizeof faults / sizeof *faults, OTHERS = 8 };
    struct CMUnitTest t[L + F + OTHERS] = {
        FIXTURE_TEST(test_locked_when_opened),
        FIXTURE_TEST(test_cut_in_a_file),
        FIXTURE_TEST(test_cut_between_files),
        FIXTURE_TEST(test_reader),
        FIXTURE_TEST(test_stranger),
        FIXTURE_TEST(test_no_memory),
        { "a wire to the server that is cut", test_cut_anywhere, start_wire, stop_wire,
          (void *)(uintptr_t)&directions[0] },
        { "a wire from the server that is cut", test_cut_anywhere, start_wire, stop_wire,
          (void *)(uintptr_t)&directions[1] },
    };
    for (size_t i = 0; i < L; i++)
        t[OTHERS + i] = (struct CMUnitTest){ locked[i].why, test_locked, fixture_setup,
                                             fixture_teardown, (void *)(uintptr_t)&locked[i] };
    for (size_t i = 0; i < F; i++)
        t[OTHERS + L + i] = (struct CMUnitTest){ faults[i].why, test_fault, fixture_setup,
                                                 fixture_teardown, (void *)(uintptr_t)&faults[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
