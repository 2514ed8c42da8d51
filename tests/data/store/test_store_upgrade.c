/* tests/data/store/test_store_upgrade.c - stores of older schemas are brought up to date. */
#include "tests/data/store/store_fixture.h"

static const char *read_sql(const char *path)
{
    static char sql[20000];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    sql[fread(sql, 1, sizeof sql - 1, f)] = '\0';
    assert_true(feof(f));
    fclose(f);
    return sql;
}

/* A store made by the first schema: three reports of sda and a layout. */
static void make_version_1(void)
{
    const char *sql = read_sql(fixture_on_server ? "tests/data/store/postgres_schema_1.sql"
                                                 : "tests/data/store/schema_1.sql");
    if (fixture_on_server) {
        fixture_run_server("DROP SCHEMA volplan CASCADE");
        fixture_run_server(sql);
        return;
    }
    sqlite3 *db = fixture_connect();
    char *why = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &why))
        fail_msg("%s", why);
    sqlite3_close(db);
}

/* A server's store is brought up to date by somebody, a file by opening it. */
static void upgrade(void)
{
    struct err e = { 0 };
    if (fixture_on_server && store_init(fixture_db, NULL, &e))
        fail_msg("%s", e.text);
}

static int take(void *ctx, int64_t file_id, const struct store_sample *samples, size_t n,
                struct err *e)
{
    (void)e;
    assert_int_equal(file_id, 1);
    assert_int_equal(n, 3);
    memcpy(ctx, samples, n * sizeof *samples);
    return 0;
}

/* What the first schema kept is there, and what it did not have is unknown. */
static void test_upgrade_keeps_samples(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store_sample sample[3] = { 0 };
    struct store_series *series = NULL;
    const char *layout = NULL;
    size_t n = 0;
    make_version_1();
    upgrade();
    struct store *s = fixture_open(STORE_READ);
    assert_int_equal(store_series(s, "PRD1", &a, &series, &n, &e), 0);
    assert_int_equal(n, 1);
    assert_int_equal(series[0].n_samples, 3);
    if (store_samples(s, &series[0], take, sample, &e))
        fail_msg("%s", e.text);
    assert_int_equal(sample[0].flags, STORE_SINCE_BOOT);
    assert_true(sample[1].reads_per_s == 20 && sample[1].write_kib_per_s == 64);
    assert_int_equal(sample[2].end_ms, INT64_C(1652853720000)); /* 2022-05-18 06:02 */
    for (int i = 0; i < 3; i++)
        assert_true(isnan(sample[i].total_per_s) && isnan(sample[i].total_kib_per_s));
    assert_int_equal(store_layout_get(s, "PRD1", &a, &layout, &e), 0);
    assert_non_null(strstr(layout, "\"DATA\""));
    store_close(s);
    if (!fixture_on_server) {
        assert_string_equal(fixture_ask(&a, "PRAGMA user_version"), "4\n");
        assert_string_equal(fixture_ask(&a, "PRAGMA integrity_check"), "ok\n");
    }
    assert_string_equal(fixture_ask(&a, "SELECT value FROM sample_value"
                                        " WHERE column_name = 'reads_per_s' ORDER BY 1"),
                        fixture_on_server ? "10.5\n20\n30\n" : "10.5\n20.0\n30.0\n");
    arena_release(&a);
}

/* Columns, keys, indexes, views and sequences, and the number. */
static const char schema_of_file[] =
    "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name";
static const char schema_of_server[] =
    "SELECT relname, attname, format_type(atttypid, atttypmod), attnotnull, attstorage, "
    "attcollation,"
    "  pg_get_expr(adbin, adrelid)"
    " FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid"
    " LEFT JOIN pg_attrdef ON adrelid = c.oid AND adnum = attnum"
    " WHERE relnamespace = 'volplan'::regnamespace AND attnum > 0"
    " UNION ALL SELECT conrelid::regclass::name, conname, pg_get_constraintdef(oid), NULL, NULL, "
    "NULL,"
    "  NULL FROM pg_constraint WHERE connamespace = 'volplan'::regnamespace"
    " UNION ALL SELECT tablename, indexname, indexdef, NULL, NULL, NULL, NULL FROM pg_indexes"
    "  WHERE schemaname = 'volplan'"
    " UNION ALL SELECT viewname, NULL, definition, NULL, NULL, NULL, NULL FROM pg_views"
    "  WHERE schemaname = 'volplan'"
    " UNION ALL SELECT 'store', 'schema_version', schema_version::text, NULL, NULL, NULL, NULL"
    "  FROM store ORDER BY 1, 2, 3";

/* An upgraded store is as a new one. */
static void test_upgrade_gives_the_same_schema(void **state)
{
    (void)state;
    const char *sql = fixture_on_server ? schema_of_server : schema_of_file;
    struct arena a = { 0 };
    make_version_1();
    upgrade();
    store_close(fixture_open(STORE_READ));
    const char *upgraded = fixture_ask(&a, sql);
    assert_true(strlen(upgraded) > 1000);
    if (fixture_on_server)
        fixture_run_server("DROP SCHEMA volplan CASCADE");
    else
        assert_int_equal(unlink(fixture_db), 0);
    upgrade();
    store_close(fixture_open(STORE_CREATE));
    assert_string_equal(fixture_ask(&a, sql), upgraded);
    arena_release(&a);
}

/* An old store takes new kinds of files. */
static void test_upgrade_takes_metrics(void **state)
{
    (void)state;
    struct arena a = { 0 };
    make_version_1();
    upgrade();
    struct store *s = fixture_open(STORE_WRITE);
    struct metric_sample m = { .metric = SPAN_LIT("VolumeReadOps"),
                               .statistic = STATISTIC_SUM,
                               .counts = COUNT_EBS,
                               .instance_number = UNKNOWN,
                               .period_s = 60,
                               .value = 5 };
    fixture_begin(s);
    fixture_put_metric(s, &m);
    fixture_commit(s, 1);
    store_close(s);
    assert_string_equal(fixture_ask(&a, "SELECT metric, counts FROM metric"),
                        "VolumeReadOps|ebs\n");
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        FIXTURE_TEST(test_upgrade_keeps_samples),
        FIXTURE_TEST(test_upgrade_gives_the_same_schema),
        FIXTURE_TEST(test_upgrade_takes_metrics),
    };
    return fixture_run_unspread(t, sizeof t / sizeof *t);
}
