/* tests/data/store/test_store_spread.c - where the rows of a store lie whose tables several servers
 * keep, which servers are refused, and what Citus is asked to do.  What such a store answers is in
 * the tests that run on every kind of store (store_fixture.h). */
#include "tests/data/store/store_fixture.h"
#include "tests/each_allocation.h"

#include <pthread.h>

enum { PARTS = 3, SYSTEMS = 24 };

static char part_host[PARTS][128];

/* --- small steps -------------------------------------------------------------------------------
 */

static const char *ask_on(const char *host, struct arena *a, const char *sql)
{
    PGconn *server = fixture_connect_to(host);
    const char *rows = fixture_query_server(server, a, sql);
    PQfinish(server);
    return rows;
}

static long count_on(const char *host, const char *sql)
{
    struct arena a = { 0 };
    long n = strtol(ask_on(host, &a, sql), NULL, 10);
    arena_release(&a);
    return n;
}

static void put_systems(void)
{
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_WRITE);
    for (int i = 0; i < SYSTEMS; i++) {
        char name[16];
        bool known = true;
        snprintf(name, sizeof name, "PRD%d", i);
        struct store_file_start start = fixture_start(name);
        struct store_file_end end = fixture_end(1);
        assert_int_equal(store_file_begin(s, &start, &e), 0);
        fixture_put(s, "sda", 0, 30);
        if (store_file_commit(s, &end, &known, &e))
            fail_msg("%s", e.text);
        assert_false(known);
    }
    store_close(s);
}

static void expect_init_refused(const char *hosts, const char *words)
{
    struct err e = { 0 };
    struct store_spread spread = { .hosts = hosts };
    int rc = store_init(fixture_db, &spread, &e);
    if (!rc || !strstr(e.text, words))
        fail_msg("--fdw %s: %d, '%s' is not in: %s", hosts, rc, words, e.text);
}

static int setup_unspread(void **state)
{
    const char *parts = fixture_parts;
    (void)state;
    fixture_drop_schemas();
    fixture_made = true; /* no table yet */
    fixture_parts = NULL;
    int rc = fixture_setup_server();
    fixture_parts = parts;
    return rc;
}

static int drop_all(void **state)
{
    (void)state;
    fixture_drop_schemas();
    fixture_made = false;
    return 0;
}

/* --- where rows are ----------------------------------------------------------------------------
 */

/* A system lies on one server, all servers have some, and the one that is asked keeps only names.
 */
static void test_rows_lie_on_parts(void **state)
{
    (void)state;
    static const char *const tables[] = { "file", "series", "chunk", "hourly" };
    put_systems();
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        char systems[96];
        long n = 0;
        snprintf(systems, sizeof systems, "SELECT count(DISTINCT system_id) FROM volplan.%s",
                 tables[t]);
        for (int i = 0; i < PARTS; i++) {
            long here = count_on(part_host[i], systems);
            assert_in_range(here, 1, SYSTEMS - 1);
            n += here;
        }
        assert_int_equal(n, SYSTEMS);
        assert_int_equal(count_on(NULL, systems), SYSTEMS);
    }
    assert_int_equal(count_on(NULL, "SELECT count(*) FROM volplan.system"), SYSTEMS);
    for (int i = 0; i < PARTS; i++)
        assert_int_equal(count_on(part_host[i], "SELECT count(*) FROM volplan.system"), 0);
}

/* A statement about one system asks one server; so only the plan of it has to be looked at. */
static void test_one_system_is_one_part(void **state)
{
    (void)state;
    struct arena a = { 0 };
    put_systems();
    const char *plan =
        ask_on(NULL, &a,
               "EXPLAIN SELECT * FROM volplan.chunk JOIN volplan.series USING(system_id, series_id)"
               " WHERE system_id = 1");
    int scans = 0;
    for (const char *p = plan; (p = strstr(p, "Foreign Scan")) != NULL; p++)
        scans++;
    assert_in_range(scans, 1, 2);
    arena_release(&a);
}

/* What the parts say of their own tables. */
static void test_bytes_are_those_of_the_parts(void **state)
{
    (void)state;
    put_systems();
    static const char own[] = "SELECT pg_total_relation_size('volplan.chunk')";
    long bytes = count_on(NULL, own);
    assert_int_equal(bytes, 0);
    for (int i = 0; i < PARTS; i++)
        bytes += count_on(part_host[i], own);
    assert_true(bytes > 0);
    assert_int_equal(count_on(NULL,
                              "SELECT sum(bytes) FROM volplan.table_bytes WHERE name = 'chunk'"),
                     bytes);
}

/* --- which servers -----------------------------------------------------------------------------
 */

static void test_hosts_that_are_none(void **state)
{
    (void)state;
    char twice[300], itself[300], gone[300];
    snprintf(twice, sizeof twice, "%s,%s:5432", part_host[0], part_host[0]);
    snprintf(gone, sizeof gone, "%s,%s:1", part_host[0], part_host[1]);
    PGconn *server = fixture_server();
    snprintf(itself, sizeof itself, "%s,%s", part_host[0], PQhost(server));
    PQfinish(server);
    expect_init_refused("", "a host is missing");
    expect_init_refused("db1,,db2", "a host is missing");
    expect_init_refused("db1, ", "a host is missing");
    expect_init_refused("[]:5433", "a host is missing");
    expect_init_refused("db1,db1:5432", "is there twice");
    expect_init_refused(twice, "is there twice");
    expect_init_refused(itself, "is the database of the store itself");
    expect_init_refused(gone, "its part on");
    expect_init_refused(gone, "is the server running");
    expect_init_refused("[::1]:1", "is the server running");
    assert_int_equal(count_on(NULL, "SELECT count(*) FROM pg_foreign_table"), 0);
}

static void test_a_part_of_another_store(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct store_spread spread = { .hosts = fixture_parts };
    fixture_run_on(part_host[1], "CREATE SCHEMA volplan;"
                                 "COMMENT ON SCHEMA volplan IS 'a part of another'");
    expect_init_refused(fixture_parts, "keeps rows of another store");
    fixture_run_on(part_host[1], "DROP SCHEMA volplan CASCADE");
    assert_int_equal(store_init(fixture_db, &spread, &e), 0);
}

/* The rows of a store that was dropped without its parts do not come back in the next one. */
static void test_a_part_with_rows(void **state)
{
    (void)state;
    put_systems();
    fixture_run_server("DROP SCHEMA volplan CASCADE");
    expect_init_refused(fixture_parts, "keeps rows of another store");
    assert_int_equal(count_on(NULL, "SELECT count(*) FROM pg_foreign_table"), 0);
}

static void test_spread_once(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store_spread spread = { .hosts = fixture_parts };
    put_systems();
    const char *before = fixture_dump(&a);
    expect_init_refused(part_host[0], "is spread over 3 other servers already");
    assert_int_equal(store_init(fixture_db, &(struct store_spread){ .citus = true }, &e),
                     ERR_USAGE);
    assert_int_equal(store_init(fixture_db, &spread, &e), 0);
    assert_int_equal(store_init(fixture_db, NULL, &e), 0);
    assert_string_equal(fixture_dump(&a), before);
    arena_release(&a);
}

static void *init_in_thread(void *ctx)
{
    struct err *e = ctx;
    store_init(fixture_db, &(struct store_spread){ .hosts = fixture_parts }, e);
    return NULL;
}

/* The second one finds it made; it does not make it anew below the first. */
static void test_spread_by_two_at_once(void **state)
{
    (void)state;
    enum { N = 2 };
    pthread_t thread[N];
    struct err e[N] = { 0 };
    for (int i = 0; i < N; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, init_in_thread, &e[i]), 0);
    for (int i = 0; i < N; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < N; i++)
        if (e[i].code)
            fail_msg("%s", e[i].text);
    put_systems();
    assert_int_equal(count_on(NULL, "SELECT count(*) FROM volplan.file"), SYSTEMS);
}

/* What was begun does not hinder the next try; nor is a store that is spread changed. */
static void test_spread_without_memory(void **state)
{
    (void)state;
    struct store_spread spread = { .hosts = fixture_parts };
    for (int spread_already = 0; spread_already < 2; spread_already++) {
        struct each_allocation it = { 0 };
        while (each_allocation(&it))
            it.rc = store_init(fixture_db, &spread, &it.e);
    }
    put_systems();
    assert_int_equal(count_on(NULL, "SELECT count(*) FROM volplan.file"), SYSTEMS);
}

/* A store that was dropped leaves the names of its servers where the extension is in another
 * schema.  None of them gets rows unless it is named again. */
static void test_servers_of_a_dropped_store(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store_spread spread = { .hosts = fixture_parts };
    fixture_run_server("CREATE EXTENSION postgres_fdw SCHEMA public;"
                       "CREATE SERVER volplan_part_2 FOREIGN DATA WRAPPER postgres_fdw;"
                       "CREATE SERVER volplan_part_4 FOREIGN DATA WRAPPER postgres_fdw");
    int rc = store_init(fixture_db, &spread, &e);
    const char *servers =
        ask_on(NULL, &a, "SELECT srvname FROM pg_foreign_server ORDER BY srvname");
    fixture_run_server("DROP EXTENSION postgres_fdw CASCADE");
    if (rc)
        fail_msg("%s", e.text);
    assert_string_equal(servers, "volplan_part_1\nvolplan_part_2\nvolplan_part_3\n");
    arena_release(&a);
}

/* Whose a part is goes with the database when it is restored elsewhere, or upgraded to another
 * PostgreSQL: it is written in the schema, and no name or number of a server. */
static void test_mark_is_in_the_schema(void **state)
{
    (void)state;
    static const char mark[] = "SELECT obj_description('volplan'::regnamespace, 'pg_namespace')";
    struct arena a = { 0 };
    const char *of_whole = ask_on(NULL, &a, mark);
    assert_true(strlen(of_whole) > 32);
    for (int i = 0; i < PARTS; i++)
        assert_string_equal(ask_on(part_host[i], &a, mark),
                            arena_printf(&a, "a part of %s", of_whole));
    arena_release(&a);
}

/* The store's database may have got another name since, in which a part's is not looked for. */
static void test_database_of_a_part(void **state)
{
    (void)state;
    struct err e = { 0 };
    fixture_run_server("ALTER SERVER volplan_part_2 OPTIONS(SET dbname 'of this name')");
    assert_int_equal(store_init(fixture_db, NULL, &e), ERR_STORE);
    if (!strstr(e.text, "of this name"))
        fail_msg("%s", e.text);
}

/* The first server, restored to a time before the systems were there, gives numbers again; what
 * lies on the parts under them would be taken for the new systems'. */
static void test_first_server_restored(void **state)
{
    (void)state;
    struct err e = { 0 };
    put_systems();
    fixture_run_server("DELETE FROM volplan.system; SELECT setval('volplan.system_ids', 1, false),"
                       " setval('volplan.file_ids', 1, false),"
                       " setval('volplan.series_ids', 1, false)");
    if (store_init(fixture_db, NULL, &e))
        fail_msg("%s", e.text);
    put_systems();
    assert_int_equal(count_on(NULL, "SELECT count(*) FROM volplan.file"), 2 * SYSTEMS);
    assert_int_equal(count_on(NULL, "SELECT count(*) FROM volplan.file f"
                                    " JOIN volplan.system USING(system_id)"
                                    " JOIN volplan.series s USING(system_id)"),
                     SYSTEMS);
}

/* Rows that were loaded there would be taken for those of systems with the same numbers. */
static void test_a_part_is_no_store(void **state)
{
    (void)state;
    char url[300];
    PGconn *server = fixture_server();
    snprintf(url, sizeof url, "postgresql://%s@/%s?host=%s", PQuser(server), PQdb(server),
             part_host[1]);
    PQfinish(server);
    static const enum store_mode modes[] = { STORE_READ, STORE_WRITE, STORE_CREATE };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct err e = { 0 };
        struct store *s = NULL;
        int rc = store_open(url, &(struct store_options){ .mode = modes[i] }, &s, &e);
        assert_int_equal(rc, ERR_USAGE);
        assert_non_null(strstr(e.text, "the URL of its first server"));
    }
    assert_int_equal(store_init(url, NULL, &(struct err){ 0 }), ERR_USAGE);
}

static void test_a_store_with_files(void **state)
{
    (void)state;
    struct arena a = { 0 };
    put_systems();
    const char *before = fixture_dump(&a);
    expect_init_refused(fixture_parts, "holds files already");
    assert_string_equal(fixture_dump(&a), before);
    arena_release(&a);
}

/* --- Citus -------------------------------------------------------------------------------------
 *
 * Debian has none: functions of the same names write down what they are asked.  The names and their
 * arguments are those of "Citus Utility Functions" in its manual. */

static const char citus_stub[] =
    "SET search_path = volplan; CREATE TABLE pg_dist_partition(logicalrelid regclass);"
    "CREATE TABLE asked(what text);"
    "CREATE FUNCTION create_reference_table(t regclass) RETURNS void LANGUAGE sql AS"
    " $$ INSERT INTO asked VALUES(t || ' everywhere');"
    "    INSERT INTO pg_dist_partition VALUES(t) $$;"
    "CREATE FUNCTION create_distributed_table(t regclass, by text, colocate_with text)"
    " RETURNS void LANGUAGE sql AS"
    " $$ INSERT INTO asked VALUES(t || ' by ' || by || ' with ' || colocate_with);"
    "    INSERT INTO pg_dist_partition VALUES(t) $$;"
    "CREATE FUNCTION citus_total_relation_size(regclass) RETURNS bigint LANGUAGE sql AS"
    " 'SELECT 7::bigint'";

static void test_no_citus(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct store_spread citus = { .citus = true };
    assert_int_equal(store_init(fixture_db, &citus, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "CREATE EXTENSION citus"));
}

/* Every table with a system, and each once. */
static void test_citus(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store_spread citus = { .citus = true };
    fixture_run_server(citus_stub);
    for (int i = 0; i < 2; i++)
        if (store_init(fixture_db, &citus, &e))
            fail_msg("%s", e.text);
    assert_string_equal(ask_on(NULL, &a, "SELECT what FROM volplan.asked"),
                        "system everywhere\n"
                        "layout by system_id with none\n"
                        "bill_line by system_id with layout\n"
                        "chunk by system_id with layout\n"
                        "file by system_id with layout\n"
                        "hourly by system_id with layout\n"
                        "metric by system_id with layout\n"
                        "metric_chunk by system_id with layout\n"
                        "plan_result by system_id with layout\n"
                        "record by system_id with layout\n"
                        "record_field by system_id with layout\n"
                        "series by system_id with layout\n"
                        "snapshot by system_id with layout\n"
                        "snapshot_event by system_id with layout\n"
                        "snapshot_io by system_id with layout\n"
                        "snapshot_stat by system_id with layout\n"
                        "volume_config by system_id with layout\n"
                        "volume_modification by system_id with layout\n"
                        "warning by system_id with layout\n");
    assert_int_equal(count_on(NULL, "SELECT bytes FROM volplan.table_bytes WHERE name = 'chunk'"),
                     7);
    arena_release(&a);
}

#define SPREAD_TEST(f)   cmocka_unit_test_setup_teardown(f, fixture_setup, drop_all)
#define UNSPREAD_TEST(f) cmocka_unit_test_setup_teardown(f, setup_unspread, drop_all)

int main(void)
{
    fixture_parts = getenv("VOLPLAN_TEST_PARTS");
    if (!fixture_parts) {
        printf("not run: a store that is spread: VOLPLAN_TEST_PARTS names no servers\n");
        return 0;
    }
    fixture_on_server = true;
    struct span rest = span_of(fixture_parts), part;
    for (int i = 0; i < PARTS && span_field(&rest, ',', &part) == 0; i++)
        snprintf(part_host[i], sizeof part_host[i], "%.*s", (int)part.len, part.ptr);
    const struct CMUnitTest t[] = {
        SPREAD_TEST(test_rows_lie_on_parts),
        SPREAD_TEST(test_one_system_is_one_part),
        SPREAD_TEST(test_bytes_are_those_of_the_parts),
        SPREAD_TEST(test_a_part_with_rows),
        SPREAD_TEST(test_spread_once),
        SPREAD_TEST(test_mark_is_in_the_schema),
        SPREAD_TEST(test_a_part_is_no_store),
        SPREAD_TEST(test_database_of_a_part),
        SPREAD_TEST(test_first_server_restored),
        UNSPREAD_TEST(test_hosts_that_are_none),
        UNSPREAD_TEST(test_a_part_of_another_store),
        UNSPREAD_TEST(test_spread_by_two_at_once),
        UNSPREAD_TEST(test_spread_without_memory),
        UNSPREAD_TEST(test_servers_of_a_dropped_store),
        UNSPREAD_TEST(test_a_store_with_files),
        UNSPREAD_TEST(test_no_citus),
        UNSPREAD_TEST(test_citus),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
