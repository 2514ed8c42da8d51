/* tests/data/store/test_store_samples.c - samples come out of the store as they went in, and its
 * hours sum them up. */
#include "tests/data/store/store_fixture.h"

struct gathered {
    struct store_sample sample[10000];
    size_t n, n_blocks;
};

static int gather(void *ctx, int64_t file_id, const struct store_sample *samples, size_t n,
                  struct err *e)
{
    (void)e;
    struct gathered *g = ctx;
    assert_true(file_id > 0 && g->n + n <= 10000);
    memcpy(g->sample + g->n, samples, n * sizeof *samples);
    g->n += n;
    g->n_blocks++;
    return 0;
}

static void assert_is_sample(const struct store_sample *got, const char *device, int i)
{
    struct io_sample want = fixture_sample(device, i);
    assert_int_equal(got->begin_ms, want.time_ms - 60000);
    assert_int_equal(got->end_ms, want.time_ms);
    assert_int_equal(got->line, want.line);
    assert_int_equal(got->flags, 0);
    fixture_assert_same(got->reads_per_s, want.reads_per_s);
    fixture_assert_same(got->writes_per_s, want.writes_per_s);
    fixture_assert_same(got->read_kib_per_s, want.read_kib_per_s);
    fixture_assert_same(got->write_kib_per_s, want.write_kib_per_s);
    fixture_assert_same(got->read_merge_pct, want.read_merge_pct);
    fixture_assert_same(got->write_merge_pct, want.write_merge_pct);
    fixture_assert_same(got->read_await_ms, want.read_await_ms);
    fixture_assert_same(got->write_await_ms, want.write_await_ms);
    fixture_assert_same(got->await_ms, want.await_ms);
    fixture_assert_same(got->queue, want.queue);
    fixture_assert_same(got->util_pct, want.util_pct);
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
    fixture_put_file(s, 1, "nvme1n1", 0, 9000);
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
    struct store *s = fixture_open(STORE_CREATE);
    fixture_begin(s);
    for (int i = 0; i < 100; i++) {
        fixture_put(s, "nvme1n1", i, i + 1);
        if (i % 10)
            fixture_put(s, "nvme2n1", i, i + 1);
        if (i >= 50)
            fixture_put(s, "dm-0", i, i + 1);
    }
    fixture_commit(s, 1);

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
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    fixture_begin(s);
    for (int i = 0; i < 2000; i++) {
        fixture_put(s, "sda", i, i + 1);
        fixture_put(s, "sdb", i, i + 1);
    }
    fixture_commit(s, 1);
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
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    fixture_begin(s);
    for (int i = 0; i < ROUNDS; i++)
        for (int d = 0; d < DEVICES; d++) {
            char name[16];
            snprintf(name, sizeof name, "sd%d", d);
            fixture_put(s, name, i, i + 1);
        }
    fixture_commit(s, 1);
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
    fixture_begin(s);
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
    struct io_sample sample = fixture_sample(name, 0);
    fixture_begin(s);
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
    struct io_sample sample[4];
    for (int i = 0; i < 4; i++)
        sample[i] = fixture_sample("sda", i);
    sample[0].time_ms = UNKNOWN;
    sample[0].since_boot = true;
    sample[1].interval_s = NAN;
    sample[1].artefact = true;
    sample[2].interval_s = 1e300;
    sample[3].time_ms = INT64_MAX;
    fixture_begin(s);
    for (int i = 0; i < 4; i++)
        assert_int_equal(store_file_sample(s, &sample[i], &e), 0);
    fixture_commit(s, 1);

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
    fixture_put_file(s, 1, "sda", 58, 62);
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
    fixture_begin(s);
    struct io_sample boot = fixture_sample("sda", 0), artefact = fixture_sample("sda", 1);
    boot.since_boot = true;
    artefact.artefact = true;
    assert_int_equal(store_file_sample(s, &boot, &e), 0);
    assert_int_equal(store_file_sample(s, &artefact, &e), 0);
    fixture_put(s, "sda", 2, 4);
    fixture_put(s, "sda", 2, 4); /* the clock was set back */
    fixture_commit(s, 1);
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
    fixture_put_file(s, 1, "sda", 0, 600);
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

int main(void)
{
    const struct CMUnitTest t[] = {
        FIXTURE_TEST(test_samples_over_blocks),
        FIXTURE_TEST(test_devices_in_turns),
        FIXTURE_TEST(test_blocks_at_different_times),
        FIXTURE_TEST(test_more_devices_than_room),
        FIXTURE_TEST(test_too_many_devices),
        FIXTURE_TEST(test_long_device_name),
        FIXTURE_TEST(test_times),
        FIXTURE_TEST(test_hourly),
        FIXTURE_TEST(test_hourly_leaves_out),
        FIXTURE_TEST(test_sample_value_view),
    };
    return fixture_run(t, sizeof t / sizeof *t);
}
