/* tests/data/store/test_store.c - what is put into the store comes out of it. */
#include "tests/data/store/store_fixture.h"

struct gathered {
    struct store_sample sample[10000];
    int64_t file_id[10000];
    size_t n, n_blocks;
};

static int gather(void *ctx, int64_t file_id, const struct store_sample *samples, size_t n,
                  struct err *e)
{
    (void)e;
    struct gathered *g = ctx;
    for (size_t i = 0; i < n && g->n < 10000; i++, g->n++) {
        g->sample[g->n] = samples[i];
        g->file_id[g->n] = file_id;
    }
    g->n_blocks++;
    return 0;
}

static void put(struct store *s, const char *device, int from, int to)
{
    struct err e = { 0 };
    for (int i = from; i < to; i++) {
        struct io_sample sample = fixture_sample(device, i);
        if (store_file_sample(s, &sample, &e))
            fail_msg("%s", e.text);
    }
}

static void put_file(struct store *s, unsigned char hash, const char *device, int from, int to,
                     bool want_known)
{
    struct err e = { 0 };
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(hash);
    bool known = !want_known;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    put(s, device, from, to);
    if (store_file_commit(s, &end, &known, &e))
        fail_msg("%s", e.text);
    assert_int_equal(known, want_known);
}

static void assert_same(double a, double b)
{
    assert_true(isnan(a) ? isnan(b) : a == b);
}

static void assert_is_sample(const struct store_sample *got, const char *device, int i)
{
    struct io_sample want = fixture_sample(device, i);
    assert_int_equal(got->begin_ms, want.time_ms - 60000);
    assert_int_equal(got->end_ms, want.time_ms);
    assert_int_equal(got->line, want.line);
    assert_int_equal(got->flags, 0);
    assert_same(got->reads_per_s, want.reads_per_s);
    assert_same(got->writes_per_s, want.writes_per_s);
    assert_same(got->read_kib_per_s, want.read_kib_per_s);
    assert_same(got->write_kib_per_s, want.write_kib_per_s);
    assert_same(got->read_merge_pct, want.read_merge_pct);
    assert_same(got->write_merge_pct, want.write_merge_pct);
    assert_same(got->read_await_ms, want.read_await_ms);
    assert_same(got->write_await_ms, want.write_await_ms);
    assert_same(got->await_ms, want.await_ms);
    assert_same(got->queue, want.queue);
    assert_same(got->util_pct, want.util_pct);
}

static struct gathered gathered;

static const struct gathered *read_series(struct store *s, const char *name)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store_series *series = NULL;
    size_t n = 0;
    gathered.n = gathered.n_blocks = 0;
    assert_int_equal(store_series(s, "PRD1", &a, &series, &n, &e), 0);
    for (size_t i = 0; i < n; i++)
        if (strcmp(series[i].name, name) == 0) {
            assert_int_equal(store_samples(s, &series[i], gather, &gathered, &e), 0);
            assert_int_equal(series[i].n_samples, gathered.n);
        }
    arena_release(&a);
    return &gathered;
}

/* 9 000 samples are eight full blocks of 1 024 and 808 more, after the device's buffer has grown.
 */
static void test_samples_over_blocks(void **state)
{
    (void)state;
    struct store *s = fixture_open(STORE_CREATE);
    put_file(s, 1, "nvme1n1", 0, 9000, false);
    store_close(s);

    s = fixture_open(STORE_READ);
    const struct gathered *g = read_series(s, "nvme1n1");
    assert_int_equal(g->n, 9000);
    assert_int_equal(g->n_blocks, 9);
    for (int i = 0; i < 9000; i++)
        assert_is_sample(&g->sample[i], "nvme1n1", i);
    store_close(s);
}

/* Devices come in turns, one drops out and comes back, a new one appears. */
static void test_devices_in_turns(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(1);
    bool known = true;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    for (int i = 0; i < 100; i++) {
        put(s, "nvme1n1", i, i + 1);
        if (i % 10)
            put(s, "nvme2n1", i, i + 1);
        if (i >= 50)
            put(s, "dm-0", i, i + 1);
    }
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);
    assert_false(known);

    assert_int_equal(read_series(s, "nvme1n1")->n, 100);
    const struct gathered *g = read_series(s, "nvme2n1");
    assert_int_equal(g->n, 90);
    assert_is_sample(&g->sample[0], "nvme2n1", 1);
    assert_is_sample(&g->sample[89], "nvme2n1", 99);
    g = read_series(s, "dm-0");
    assert_int_equal(g->n, 50);
    assert_is_sample(&g->sample[0], "dm-0", 50);
    store_close(s);
}

/* The second device puts its first whole block earlier by 0.618 (40 503 / 65 536) of three quarters
 * of 1 024 samples, which is 474; from then on its blocks are whole as well. */
static void test_blocks_at_different_times(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(1);
    bool known = true;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    for (int i = 0; i < 2000; i++) {
        put(s, "sda", i, i + 1);
        put(s, "sdb", i, i + 1);
    }
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);
    assert_string_equal(fixture_ask(&a, "SELECT name, n_samples FROM chunk JOIN series "
                                        "USING (series_id) ORDER BY name, block_no"),
                        "sda|1024\nsda|976\nsdb|550\nsdb|1024\nsdb|426\n");
    const struct gathered *g = read_series(s, "sdb");
    assert_int_equal(g->n, 2000);
    for (int i = 0; i < 2000; i++)
        assert_is_sample(&g->sample[i], "sdb", i);
    arena_release(&a);
    store_close(s);
}

/* Beyond the buffer's bound devices share the room, and nothing is lost. */
static void test_more_devices_than_room(void **state)
{
    (void)state;
    enum { DEVICES = 3000, ROUNDS = 200 };
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(1);
    bool known = true;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    for (int i = 0; i < ROUNDS; i++)
        for (int d = 0; d < DEVICES; d++) {
            char name[16];
            snprintf(name, sizeof name, "sd%d", d);
            put(s, name, i, i + 1);
        }
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);
    const struct gathered *g = read_series(s, "sd2999");
    assert_int_equal(g->n, ROUNDS);
    for (int i = 0; i < ROUNDS; i++)
        assert_is_sample(&g->sample[i], "sd2999", i);
    assert_string_equal(fixture_ask(&a, "SELECT sum(n_samples) FROM chunk"), "600000\n");
    arena_release(&a);
    store_close(s);
}

static void test_too_many_devices(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct store_file_start start = fixture_start("PRD1");
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    int rc = 0, d = 0;
    for (; !rc && d < STORE_DEVICES_MAX + 10; d++) {
        char name[16];
        snprintf(name, sizeof name, "sd%d", d);
        struct io_sample sample = fixture_sample(name, 0);
        rc = store_file_sample(s, &sample, &e);
    }
    assert_int_equal(rc, ERR_LIMIT);
    assert_int_equal(d, STORE_DEVICES_MAX + 1);
    assert_non_null(strstr(e.text, "16384 devices"));
    store_close(s);
}

static void test_long_device_name(void **state)
{
    (void)state;
    struct err e = { 0 };
    char name[300] = "";
    memset(name, 'x', 256);
    struct store *s = fixture_open(STORE_CREATE);
    struct store_file_start start = fixture_start("PRD1");
    struct io_sample sample = fixture_sample(name, 0);
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    assert_int_equal(store_file_sample(s, &sample, &e), ERR_LIMIT);
    assert_non_null(strstr(e.text, "256"));
    store_close(s);
}

/* What has no time, no interval or an absurd one is kept as unknown. */
static void test_times(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(1);
    struct io_sample sample[4];
    bool known = true;
    for (int i = 0; i < 4; i++)
        sample[i] = fixture_sample("sda", i);
    sample[0].time_ms = UNKNOWN;
    sample[0].since_boot = true;
    sample[1].interval_s = NAN;
    sample[1].artefact = true;
    sample[2].interval_s = 1e300;
    sample[3].time_ms = INT64_MAX;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(store_file_sample(s, &sample[i], &e), 0);
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);

    const struct gathered *g = read_series(s, "sda");
    assert_int_equal(g->n, 4);
    assert_true(g->sample[0].begin_ms == UNKNOWN && g->sample[0].end_ms == UNKNOWN);
    assert_int_equal(g->sample[0].flags, STORE_SINCE_BOOT);
    assert_true(g->sample[1].begin_ms == UNKNOWN && g->sample[1].end_ms == sample[1].time_ms);
    assert_int_equal(g->sample[1].flags, STORE_ARTEFACT);
    assert_true(g->sample[2].begin_ms == UNKNOWN && g->sample[2].end_ms == sample[2].time_ms);
    assert_true(g->sample[3].begin_ms == UNKNOWN && g->sample[3].end_ms == UNKNOWN);
    store_close(s);
}

/* Minutes 58..61 after 06:00: two in each hour; total KiB/s = 24 i + 0.75, IOPS = 2 i + 0.75. */
static void test_hourly(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    put_file(s, 1, "sda", 58, 62, false);
    store_close(s);
    assert_string_equal(
        fixture_ask(&a, "SELECT hour_ms, n_samples, covered_ms, min_mibps * 1024,"
                        " max_mibps * 1024, mean_mibps * 1024, worst_minute_mibps * 1024,"
                        " min_iops, max_iops, mean_iops, worst_minute_iops FROM hourly"
                        " ORDER BY hour_ms"),
        "1652853600000|2|120000|1392.75|1416.75|1404.75|1416.75|116.75|118.75|117.75|118.75\n"
        "1652857200000|2|120000|1440.75|1464.75|1452.75|1464.75|120.75|122.75|121.75|122.75\n");
    arena_release(&a);
}

static void test_hourly_leaves_out(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(1);
    bool known = true;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    struct io_sample boot = fixture_sample("sda", 0), artefact = fixture_sample("sda", 1);
    boot.since_boot = true;
    artefact.artefact = true;
    assert_int_equal(store_file_sample(s, &boot, &e), 0);
    assert_int_equal(store_file_sample(s, &artefact, &e), 0);
    put(s, "sda", 2, 4);
    put(s, "sda", 2, 4); /* the clock was set back */
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);
    store_close(s);
    assert_string_equal(fixture_ask(&a,
                                    "SELECT n_samples, covered_ms, min_iops, max_iops FROM hourly"),
                        "2|120000|4.75|6.75\n");
    arena_release(&a);
}

/* The blobs can be read with SQL alone. */
static void test_sample_value_view(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    put_file(s, 1, "sda", 0, 600, false);
    store_close(s);
    /* sample 300: fixture_sample by hand */
    assert_string_equal(
        fixture_ask(&a, "SELECT column_name, value FROM sample_value WHERE sample_no = 300"),
        "begin_ms|1652871600000\nend_ms|1652871660000\nline|910\nflags|0\n"
        "reads_per_s|300.25\nwrites_per_s|300.5\nread_kib_per_s|4800.75\nwrite_kib_per_s|2400\n"
        "read_merge_pct|0\nwrite_merge_pct|1.25\nread_await_ms|0.61\nwrite_await_ms|NULL\n"
        "await_ms|0.0033003300330033\nqueue|0.3\nutil_pct|98\n"
        "total_per_s|NULL\ntotal_kib_per_s|NULL\nlongest_ms|NULL\n");
    assert_string_equal(fixture_ask(&a,
                                    "SELECT value FROM sample_value"
                                    " WHERE sample_no = 301 AND column_name = 'write_merge_pct'"),
                        "NULL\n");
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
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(1);
    struct awr_stat redo = { "redo size", 1, 2, 3 };
    struct awr_snapshot w = { .begin_ms = 0, .end_ms = 3600000, .stats = &redo, .n_stats = 1 };
    struct metric_sample m = { .metric = SPAN_LIT("VolumeReadOps"),
                               .instance_number = UNKNOWN,
                               .period_s = 60 };
    struct bill_line line = { .line_type = SPAN_LIT("Usage") };
    bool known = true;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    put(s, "sda", 0, 3);
    assert_int_equal(store_file_snapshot(s, &w, &e), 0);
    assert_int_equal(store_file_metric(s, &m, &e), 0);
    assert_int_equal(store_file_bill_line(s, &line, &e), 0);
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);
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

static void test_known_file_adds_nothing(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    put_file(s, 1, "sda", 0, 100, false);
    const char *before = fixture_dump(&a);
    put_file(s, 1, "sda", 0, 100, true);
    assert_string_equal(fixture_dump(&a), before);
    put_file(s, 2, "sda", 100, 200, false);
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
    put_file(s, 1, "sda", 0, 10, false);
    struct store_file_start start = fixture_start(c->system);
    struct store_file_end end = fixture_end(1);
    start.zone = c->zone;
    start.date_ms = c->date_ms;
    bool known = !c->known;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    put(s, "sda", 0, 10);
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);
    assert_int_equal(known, c->known);
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
    put(s, "sda", 0, 5000);
    assert_int_equal(store_file_warning(s, 3, "odd", &e), 0);
    store_file_rollback(s);
    assert_string_equal(fixture_dump(&a), before);

    assert_int_equal(store_file_begin(s, &start, &e), 0); /* closing rolls back as well */
    put(s, "sda", 0, 5000);
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
    struct store_file_end end = fixture_end(1);
    bool known = true;
    start.zone = "Europe/Berlin";
    start.date_ms = 86400000;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    put(s, "sda", 0, 1);
    assert_int_equal(store_file_warning(s, 0, "the whole file", &e), 0);
    assert_int_equal(store_file_warning(s, 17, "row was cut", &e), 0);
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);

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

/* --- snapshots ---------------------------------------------------------------------------------
 */

static const struct awr_io_row filetypes[] = {
    { "Data File", 1e9, 2e9, 37.9, 60.5, 3e6, 4e6, 6.46, NAN, NAN, NAN, 101 },
    { "Log File", NAN, 0, NAN, 0, 5e6, NAN, NAN, 0.25, NAN, NAN, 102 },
};
static const struct awr_io_row functions[] = {
    { "LGWR", 1, 2, 3, 4, 5, 6, NAN, NAN, 7, 8.5, 120 },
};
static const struct awr_event events[] = {
    { "log file sync", "Commit", 208804, 20000, 95.59, 40.5, 60 },
    { "DB CPU", NULL, NAN, 7926.6, NAN, 16.1, 61 },
};
static const struct awr_stat load_profile[] = { { "redo_bytes_per_s", NAN, 11730577, 40 } };
static const struct awr_stat io_profile[] = { { "Total Requests", NAN, 1987, 0 } };
static const struct awr_stat stats[] = { { "redo size", 1.26e11, 11730577.1, 300 },
                                         { "redo writes", 5, NAN, 301 } };

static const struct awr_snapshot snapshot = { .db_name = "PRD1",
                                              .db_id = 1184620317,
                                              .instance = "PRD11",
                                              .instance_number = 1,
                                              .host = NULL,
                                              .release = "19.0.0.0.0",
                                              .platform = "Linux x86 64-bit",
                                              .rac = -1,
                                              .cpus = NAN,
                                              .begin_ms = 7200000,
                                              .end_ms = 10800000,
                                              .elapsed_s = 3600,
                                              .db_time_s = 7200.5,
                                              .filetypes = filetypes,
                                              .n_filetypes = 2,
                                              .functions = functions,
                                              .n_functions = 1,
                                              .events = events,
                                              .n_events = 2,
                                              .load_profile = load_profile,
                                              .n_load_profile = 1,
                                              .io_profile = io_profile,
                                              .n_io_profile = 1,
                                              .stats = stats,
                                              .n_stats = 2 };

static void assert_same_stats(const struct awr_stat *got, const struct awr_stat *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(got[i].name, want[i].name);
        assert_same(got[i].total, want[i].total);
        assert_same(got[i].per_s, want[i].per_s);
        assert_int_equal(got[i].line, want[i].line);
    }
}

static void assert_same_rows(const struct awr_io_row *got, const struct awr_io_row *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(got[i].name, want[i].name);
        assert_same(got[i].read_bytes, want[i].read_bytes);
        assert_same(got[i].write_bytes, want[i].write_bytes);
        assert_same(got[i].read_requests_per_s, want[i].read_requests_per_s);
        assert_same(got[i].write_requests_per_s, want[i].write_requests_per_s);
        assert_same(got[i].read_bytes_per_s, want[i].read_bytes_per_s);
        assert_same(got[i].write_bytes_per_s, want[i].write_bytes_per_s);
        assert_same(got[i].small_read_ms, want[i].small_read_ms);
        assert_same(got[i].large_read_ms, want[i].large_read_ms);
        assert_same(got[i].waits, want[i].waits);
        assert_same(got[i].wait_avg_ms, want[i].wait_avg_ms);
        assert_int_equal(got[i].line, want[i].line);
    }
}

static void test_snapshots(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct store_file_start start = fixture_start("PRD1");
    struct store_file_end end = fixture_end(1);
    struct awr_snapshot earlier = { .begin_ms = 3600000,
                                    .end_ms = 7200000,
                                    .db_id = UNKNOWN,
                                    .instance_number = UNKNOWN,
                                    .rac = 1,
                                    .cpus = 32,
                                    .elapsed_s = NAN,
                                    .db_time_s = NAN };
    bool known = true;
    assert_int_equal(store_file_begin(s, &start, &e), 0);
    if (store_file_snapshot(s, &snapshot, &e) || store_file_snapshot(s, &earlier, &e))
        fail_msg("%s", e.text);
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);

    const struct awr_snapshot *const *w = NULL;
    size_t n = 0;
    assert_int_equal(store_snapshots(s, "PRD1", &a, &w, &n, &e), 0);
    assert_int_equal(n, 2);
    assert_int_equal(w[0]->begin_ms, 3600000); /* ascending, though it came second */
    assert_int_equal(w[0]->rac, 1);
    assert_true(w[0]->db_id == UNKNOWN && w[0]->db_name == NULL && isnan(w[0]->elapsed_s));
    assert_int_equal(w[0]->n_filetypes + w[0]->n_functions + w[0]->n_events + w[0]->n_stats, 0);

    const struct awr_snapshot *g = w[1];
    assert_string_equal(g->db_name, "PRD1");
    assert_int_equal(g->db_id, 1184620317);
    assert_string_equal(g->instance, "PRD11");
    assert_int_equal(g->instance_number, 1);
    assert_null(g->host);
    assert_string_equal(g->release, "19.0.0.0.0");
    assert_string_equal(g->platform, "Linux x86 64-bit");
    assert_int_equal(g->rac, -1);
    assert_true(isnan(g->cpus));
    assert_int_equal(g->end_ms, 10800000);
    assert_true(g->elapsed_s == 3600 && g->db_time_s == 7200.5);
    assert_true(g->file_id > 0);
    assert_int_equal(g->n_filetypes, 2);
    assert_same_rows(g->filetypes, filetypes, 2);
    assert_int_equal(g->n_functions, 1);
    assert_same_rows(g->functions, functions, 1);
    assert_int_equal(g->n_load_profile, 1);
    assert_same_stats(g->load_profile, load_profile, 1);
    assert_int_equal(g->n_io_profile, 1);
    assert_same_stats(g->io_profile, io_profile, 1);
    assert_int_equal(g->n_stats, 2);
    assert_same_stats(g->stats, stats, 2);
    assert_int_equal(g->n_events, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(g->events[i].name, events[i].name);
        assert_same(g->events[i].waits, events[i].waits);
        assert_same(g->events[i].time_s, events[i].time_s);
        assert_same(g->events[i].avg_ms, events[i].avg_ms);
        assert_same(g->events[i].pct_db_time, events[i].pct_db_time);
        assert_int_equal(g->events[i].line, events[i].line);
    }
    assert_string_equal(g->events[0].wait_class, "Commit");
    assert_null(g->events[1].wait_class);
    store_close(s);
    arena_release(&a);
}

/* --- systems and layouts -----------------------------------------------------------------------
 */

static void test_layout(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct arena a = { 0 };
    const char *json = "?", *system = NULL;
    struct store *s = fixture_open(STORE_CREATE);
    assert_int_equal(store_layout_get(s, "PRD1", &a, &json, &e), 0);
    assert_null(json);
    assert_int_equal(store_layout_set(s, "PRD1", "{\"system\":\"PRD1\"}", &e), 0);
    assert_int_equal(store_layout_set(s, "PRD1", "{\"system\":\"PRD1\",\"groups\":[]}", &e), 0);
    assert_int_equal(store_layout_set(s, "ABC", "{}", &e), 0);
    store_close(s);

    s = fixture_open(STORE_READ);
    assert_int_equal(store_layout_get(s, "PRD1", &a, &json, &e), 0);
    assert_string_equal(json, "{\"system\":\"PRD1\",\"groups\":[]}");
    const char *const *names = NULL;
    size_t n = 0;
    assert_int_equal(store_systems(s, &a, &names, &n, &e), 0);
    assert_int_equal(n, 2);
    assert_string_equal(names[0], "ABC");
    assert_string_equal(names[1], "PRD1");

    assert_int_equal(store_system_resolve(s, "PRD1", &a, &system, &e), 0);
    assert_string_equal(system, "PRD1");
    assert_int_equal(store_system_resolve(s, NULL, &a, &system, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "ABC, PRD1"));
    assert_int_equal(store_system_resolve(s, "PRD", &a, &system, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "no system 'PRD'"));
    assert_int_equal(store_layout_set(s, "PRD1", "{}", &e), ERR_STORE);
    store_close(s);
    arena_release(&a);
}

static void test_resolve_the_only_one(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct arena a = { 0 };
    const char *system = NULL;
    struct store *s = fixture_open(STORE_CREATE);
    assert_int_equal(store_system_resolve(s, NULL, &a, &system, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "holds no system yet"));
    assert_int_equal(store_layout_set(s, "PRD1", "{}", &e), 0);
    assert_int_equal(store_system_resolve(s, NULL, &a, &system, &e), 0);
    assert_string_equal(system, "PRD1");
    store_close(s);
    arena_release(&a);
}

#define STORE_TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest plain[] = {
        STORE_TEST(test_samples_over_blocks),
        STORE_TEST(test_devices_in_turns),
        STORE_TEST(test_blocks_at_different_times),
        STORE_TEST(test_more_devices_than_room),
        STORE_TEST(test_too_many_devices),
        STORE_TEST(test_long_device_name),
        STORE_TEST(test_times),
        STORE_TEST(test_hourly),
        STORE_TEST(test_hourly_leaves_out),
        STORE_TEST(test_sample_value_view),
        STORE_TEST(test_manual),
        STORE_TEST(test_known_file_adds_nothing),
        STORE_TEST(test_rollback_leaves_nothing),
        STORE_TEST(test_warnings),
        STORE_TEST(test_snapshots),
        STORE_TEST(test_layout),
        STORE_TEST(test_resolve_the_only_one),
    };
    enum { N = sizeof plain / sizeof *plain, N_KEYS = sizeof keys / sizeof *keys };
    struct CMUnitTest t[N + N_KEYS];
    memcpy(t, plain, sizeof plain);
    for (size_t i = 0; i < N_KEYS; i++)
        t[N + i] = (struct CMUnitTest){ keys[i].why, test_key, fixture_setup, fixture_teardown,
                                        (void *)(uintptr_t)&keys[i] };
    return fixture_run(t, sizeof t / sizeof *t);
}
