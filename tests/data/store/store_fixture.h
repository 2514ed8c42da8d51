/* tests/data/store/store_fixture.h - a store of its own, in a folder or on the server that
 * VOLPLAN_TEST_PG names (tests/pg_server.sh starts one), also with its tables spread over those
 * that VOLPLAN_TEST_PARTS names; and all of it as text. */
#ifndef TESTS_DATA_STORE_STORE_FIXTURE_H
#define TESTS_DATA_STORE_STORE_FIXTURE_H

#include "data/store/store.h"
#include "models/core/arena.h"
#include "models/core/unit.h"

#include <libpq-fe.h>
#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char fixture_dir[64], fixture_db[256];
static bool fixture_on_server, fixture_made;
static const char *fixture_parts; /* NULL = the server keeps the tables itself */

static inline void fixture_print_nothing(void *unused, const char *message)
{
    (void)unused;
    (void)message;
}

/* The server of the store, or another one in its place. */
static inline PGconn *fixture_connect_to(const char *host)
{
    const char *const keywords[] = { "dbname", host ? "host" : NULL, NULL };
    const char *const values[] = { fixture_db, host, NULL };
    PGconn *server = PQconnectdbParams(keywords, values, 1);
    if (PQstatus(server) != CONNECTION_OK)
        fail_msg("%s", PQerrorMessage(server));
    PQsetNoticeProcessor(server, fixture_print_nothing, NULL);
    return server;
}

static inline PGconn *fixture_server(void)
{
    return fixture_connect_to(NULL);
}

/* Runs SQL on the server; the rows as text, "|" between cells, in the arena.  A double is written
 * as SQLite writes it. */
static inline const char *fixture_query_server(PGconn *server, struct arena *a, const char *sql)
{
    PGresult *r = PQexec(server, sql);
    if (PQresultStatus(r) != PGRES_TUPLES_OK && PQresultStatus(r) != PGRES_COMMAND_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(server));
    enum { FLOAT8 = 701 };
    const char *text = "";
    for (int i = 0; i < PQntuples(r); i++)
        for (int c = 0; c < PQnfields(r); c++) {
            const char *cell = PQgetisnull(r, i, c) ? "NULL" : PQgetvalue(r, i, c);
            bool whole = PQftype(r, c) == FLOAT8 && !PQgetisnull(r, i, c) && !strpbrk(cell, ".e");
            text = arena_printf(a, "%s%s%s%s%s", text, c ? "|" : "", cell, whole ? ".0" : "",
                                c + 1 == PQnfields(r) ? "\n" : "");
            assert_non_null(text);
        }
    PQclear(r);
    return text;
}

static inline void fixture_run_on(const char *host, const char *sql)
{
    struct arena a = { 0 };
    PGconn *server = fixture_connect_to(host);
    fixture_query_server(server, &a, sql);
    PQfinish(server);
    arena_release(&a);
}

static inline void fixture_run_server(const char *sql)
{
    fixture_run_on(NULL, sql);
}

static inline void fixture_drop_schemas(void)
{
    static const char drop[] = "DROP SCHEMA IF EXISTS volplan CASCADE";
    char host[128];
    fixture_run_server(drop);
    for (struct span rest = span_of(fixture_parts), part; span_field(&rest, ',', &part) == 0;) {
        snprintf(host, sizeof host, "%.*s", (int)part.len, part.ptr);
        fixture_run_on(host, drop);
    }
}

/* The schema is made once; making files is slow, so that tables with little in them are not
 * truncated.  Numbers begin at 1. */
static inline int fixture_setup_server(void)
{
    struct err e = { 0 };
    struct store_spread spread = { .hosts = fixture_parts };
    snprintf(fixture_db, sizeof fixture_db, "%s", getenv("VOLPLAN_TEST_PG"));
    if (!fixture_made)
        fixture_drop_schemas();
    int rc = store_global_init(&e);
    if (!rc)
        rc = store_init(fixture_db, fixture_parts ? &spread : NULL, &e);
    if (rc)
        fail_msg("%s", e.text);
    fixture_run_server(
        "DO $$ DECLARE t text; BEGIN"
        " FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'volplan'"
        "  AND tablename <> 'store' LOOP"
        "  IF pg_table_size('volplan.' || t) > 4000000 THEN EXECUTE 'TRUNCATE volplan.' || t;"
        "  ELSE EXECUTE 'DELETE FROM volplan.' || t; END IF;"
        " END LOOP; END $$;"
        "ALTER SEQUENCE volplan.system_ids RESTART; ALTER SEQUENCE volplan.file_ids RESTART;"
        "ALTER SEQUENCE volplan.series_ids RESTART; ALTER SEQUENCE volplan.metric_ids RESTART");
    fixture_made = true;
    return rc;
}

static inline int fixture_setup(void **state)
{
    (void)state;
    struct err e = { 0 };
    if (fixture_on_server)
        return fixture_setup_server();
    snprintf(fixture_dir, sizeof fixture_dir, "/tmp/test-store-XXXXXX");
    if (!mkdtemp(fixture_dir) || chmod(fixture_dir, 0755))
        return -1;
    snprintf(fixture_db, sizeof fixture_db, "%s/store.db", fixture_dir);
    return store_global_init(&e);
}

static inline int fixture_teardown(void **state)
{
    (void)state;
    char command[96];
    if (fixture_on_server)
        return 0;
    snprintf(command, sizeof command, "rm -rf '%s'", fixture_dir);
    return system(command);
}

static inline struct store *fixture_open(enum store_mode mode)
{
    struct err e = { 0 };
    struct store *s = NULL;
    struct store_options o = { .mode = mode, .wait_ms = 50 };
    if (store_open(fixture_db, &o, &s, &e))
        fail_msg("%s", e.text);
    return s;
}

/* One statement's rows as text, "|" between cells, in the arena. */
static inline const char *fixture_query(sqlite3 *db, struct arena *a, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL))
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    const char *text = "";
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        for (int c = 0; c < sqlite3_column_count(stmt); c++) {
            const char *cell = (const char *)sqlite3_column_text(stmt, c);
            text = arena_printf(a, "%s%s%s", text, c ? "|" : "", cell ? cell : "NULL");
            assert_non_null(text);
        }
        text = arena_printf(a, "%s\n", text);
        assert_non_null(text);
    }
    sqlite3_finalize(stmt);
    return text;
}

static inline sqlite3 *fixture_connect(void)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(fixture_db, &db), SQLITE_OK);
    return db;
}

static inline const char *fixture_ask(struct arena *a, const char *sql)
{
    if (fixture_on_server) {
        PGconn *server = fixture_server();
        fixture_query_server(server, a, "SET search_path = volplan; SET extra_float_digits = 0");
        const char *rows = fixture_query_server(server, a, sql);
        PQfinish(server);
        return rows;
    }
    sqlite3 *db = fixture_connect();
    const char *text = fixture_query(db, a, sql);
    sqlite3_close(db);
    return text;
}

static inline const char *fixture_dump_server(struct arena *a)
{
    PGconn *server = fixture_server();
    const char *names = fixture_query_server(
        server, a, "SELECT tablename FROM pg_tables WHERE schemaname = 'volplan' ORDER BY 1");
    const char *text = "";
    for (struct span rest = span_of(names), name;
         span_field(&rest, '\n', &name) == 0 && name.len;) {
        const char *sql = arena_printf(a, "SELECT t::text FROM volplan.%.*s t ORDER BY 1",
                                       (int)name.len, name.ptr);
        text = arena_printf(a, "%s%.*s:\n%s", text, (int)name.len, name.ptr,
                            fixture_query_server(server, a, sql));
        assert_non_null(text);
    }
    PQfinish(server);
    return text;
}

/* Every row of every table. */
static inline const char *fixture_dump(struct arena *a)
{
    if (fixture_on_server)
        return fixture_dump_server(a);
    static const char *const tables[] = {
        "system",        "layout", "file",         "warning",       "series",
        "chunk",         "hourly", "snapshot",     "snapshot_io",   "snapshot_event",
        "snapshot_stat", "metric", "metric_chunk", "volume_config", "volume_modification",
        "bill_line",     "record", "record_field", "plan_result"
    };
    enum { N = sizeof tables / sizeof *tables };
    sqlite3 *db = fixture_connect();
    const char *count =
        fixture_query(db, a, "SELECT count(*) FROM sqlite_schema WHERE type = 'table'");
    assert_int_equal(strtol(count, NULL, 10), N);
    const char *text = "";
    for (size_t i = 0; i < N; i++) {
        char sql[320];
        snprintf(sql, sizeof sql,
                 "SELECT group_concat('quote(\"' || name || '\")', '||\"|\"||')"
                 " FROM pragma_table_info('%s')",
                 tables[i]);
        const char *columns = fixture_query(db, a, sql);
        char *rows = arena_printf(a, "SELECT %.*s FROM %s ORDER BY 1", (int)strlen(columns) - 1,
                                  columns, tables[i]);
        assert_non_null(rows);
        for (char *p = rows; (p = strchr(p, '"')) != NULL && p[1] == '|'; p += 3)
            p[0] = p[2] = '\'';
        text = arena_printf(a, "%s%s:\n%s", text, tables[i], fixture_query(db, a, rows));
        assert_non_null(text);
    }
    sqlite3_close(db);
    return text;
}

/* Minute number i of a device, with figures that tell it from every other one. */
static inline struct io_sample fixture_sample(const char *device, int i)
{
    return (struct io_sample){ .time_ms = INT64_C(1652853600000) + (i + 1) * INT64_C(60000),
                               .interval_s = 60,
                               .host = span_of("db1.example"),
                               .device = span_of(device),
                               .reads_per_s = i + 0.25,
                               .writes_per_s = i + 0.5,
                               .read_kib_per_s = i * 16 + 0.75,
                               .write_kib_per_s = i * 8,
                               .read_request_kib = NAN,
                               .write_request_kib = NAN,
                               .read_merge_pct = i % 100,
                               .write_merge_pct = i % 2 ? NAN : 1.25,
                               .read_await_ms = 0.61,
                               .write_await_ms = NAN,
                               .await_ms = 1.0 / (i + 3),
                               .queue = i / 1000.0,
                               .util_pct = i % 101,
                               .total_per_s = 2 * i + 0.75,
                               .total_kib_per_s = i * 24 + 0.75,
                               .line = 10 + 3 * i };
}

static inline struct store_file_start fixture_start(const char *system)
{
    return (struct store_file_start){
        .system = system, .path = "in/iostat.txt", .format = "iostat", .date_ms = UNKNOWN
    };
}

/* A file whose hash begins with these bytes. */
static inline struct store_file_end fixture_end(unsigned char hash)
{
    return (struct store_file_end){ .content_hash = { hash, 0, 7 },
                                    .rows = 10,
                                    .skipped = 1,
                                    .bytes = 4096,
                                    .first_ms = INT64_C(1652853600000),
                                    .last_ms = INT64_C(1652857200000) };
}

/* A file of PRD1 begins. */
static inline void fixture_begin(struct store *s)
{
    struct err e = { 0 };
    struct store_file_start start = fixture_start("PRD1");
    if (store_file_begin(s, &start, &e))
        fail_msg("%s", e.text);
}

static inline void fixture_put_sample(struct store *s, const struct io_sample *sample)
{
    struct err e = { 0 };
    if (store_file_sample(s, sample, &e))
        fail_msg("%s", e.text);
}

/* A device's minutes number `from` up to the one before `to`. */
static inline void fixture_put(struct store *s, const char *device, int from, int to)
{
    for (int i = from; i < to; i++) {
        struct io_sample sample = fixture_sample(device, i);
        fixture_put_sample(s, &sample);
    }
}

static inline void fixture_put_metric(struct store *s, const struct metric_sample *m)
{
    struct err e = { 0 };
    if (store_file_metric(s, m, &e))
        fail_msg("%s", e.text);
}

static inline void fixture_commit_as(struct store *s, unsigned char hash, bool want_known)
{
    struct err e = { 0 };
    struct store_file_end end = fixture_end(hash);
    bool known = !want_known;
    if (store_file_commit(s, &end, &known, &e))
        fail_msg("%s", e.text);
    assert_int_equal(known, want_known);
}

/* The file is a new one. */
static inline void fixture_commit(struct store *s, unsigned char hash)
{
    fixture_commit_as(s, hash, false);
}

static inline void fixture_put_file(struct store *s, unsigned char hash, const char *device,
                                    int from, int to)
{
    fixture_begin(s);
    fixture_put(s, device, from, to);
    fixture_commit(s, hash);
}

/* NAN is the same as NAN. */
static inline void fixture_assert_same(double a, double b)
{
    assert_true(isnan(a) ? isnan(b) : a == b);
}

#define FIXTURE_TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

/* Runs the tests on a server. */
static inline int fixture_run_server_tests(const struct CMUnitTest *t, size_t n)
{
    if (!getenv("VOLPLAN_TEST_PG")) {
        printf("not run: the store on PostgreSQL: VOLPLAN_TEST_PG names no server\n");
        return 0;
    }
    fixture_on_server = true;
    return _cmocka_run_group_tests("on a PostgreSQL server", t, n, NULL, NULL);
}

/* Also on one whose tables others keep. */
static inline int fixture_run_servers(const struct CMUnitTest *t, size_t n)
{
    int failed = fixture_run_server_tests(t, n);
    fixture_parts = getenv("VOLPLAN_TEST_PARTS");
    fixture_made = false;
    if (fixture_parts)
        return failed + _cmocka_run_group_tests("spread over PostgreSQL servers", t, n, NULL, NULL);
    printf("not run: a store that is spread: VOLPLAN_TEST_PARTS names no servers\n");
    return failed;
}

/* On a file and on a server. */
static inline int fixture_run_unspread(const struct CMUnitTest *t, size_t n)
{
    int failed = _cmocka_run_group_tests("on a SQLite file", t, n, NULL, NULL);
    return failed + fixture_run_server_tests(t, n);
}

/* On all three. */
static inline int fixture_run(const struct CMUnitTest *t, size_t n)
{
    int failed = _cmocka_run_group_tests("on a SQLite file", t, n, NULL, NULL);
    return failed + fixture_run_servers(t, n);
}

#endif
