/* tests/data/store/store_fixture.h - a store in a folder of its own, and all of it as text. */
#ifndef TESTS_DATA_STORE_STORE_FIXTURE_H
#define TESTS_DATA_STORE_STORE_FIXTURE_H

#include "data/store/store.h"
#include "models/core/arena.h"
#include "models/core/unit.h"

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

static char fixture_dir[64], fixture_db[96];

static inline int fixture_setup(void **state)
{
    (void)state;
    struct err e = { 0 };
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
    sqlite3 *db = fixture_connect();
    const char *text = fixture_query(db, a, sql);
    sqlite3_close(db);
    return text;
}

/* Every row of every table. */
static inline const char *fixture_dump(struct arena *a)
{
    static const char *const tables[] = { "system",         "layout",        "file",
                                          "warning",        "series",        "chunk",
                                          "hourly",         "snapshot",      "snapshot_io",
                                          "snapshot_event", "snapshot_stat", "metric",
                                          "metric_chunk",   "volume_config", "volume_modification",
                                          "bill_line",      "record",        "record_field" };
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

#endif
