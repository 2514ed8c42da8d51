/* tests/data/test_rollup_groups.c - by hand: a rollup keeps the peaks of the groups of the layout,
 * leaves alone what it must, and writes back every sample that is left. */
#include "tests/data/store/store_fixture.h"

#include "data/load.h"
#include "data/rollup.h"
#include "data/store/store_upkeep.h"

enum { HOUR = 60 }; /* minutes */
static const int64_t start_ms = INT64_C(1652853600000), hour_ms = 3600000, minute_ms = 60000;

static void set_rate(struct io_sample *v, double rate)
{
    v->reads_per_s = v->total_per_s = rate;
    v->read_kib_per_s = v->total_kib_per_s = 8 * rate;
    v->writes_per_s = v->write_kib_per_s = 0;
}

struct peak {
    int minute;
    double rate[3]; /* of sda, sdb and sdc */
};

static double rate_at(const struct peak *peaks, size_t n, int minute, int device)
{
    for (size_t i = 0; i < n; i++)
        if (peaks[i].minute == minute)
            return peaks[i].rate[device];
    return 1;
}

static void begin_file(struct store *s)
{
    struct err e = { 0 };
    struct store_file_start start = fixture_start("PRD1");
    assert_int_equal(store_file_begin(s, &start, &e), 0);
}

/* Minutes [from, to) of three devices, all at 1 request/s but for the peaks. */
static void put_minutes(struct store *s, int from, int to, const struct peak *peaks, size_t n)
{
    static const char *const names[] = { "sda", "sdb", "sdc" };
    struct err e = { 0 };
    for (int i = from; i < to; i++)
        for (int d = 0; d < 3; d++) {
            struct io_sample v = fixture_sample(names[d], i);
            set_rate(&v, rate_at(peaks, n, i, d));
            assert_int_equal(store_file_sample(s, &v, &e), 0);
        }
}

static void end_file(struct store *s, unsigned char hash)
{
    struct err e = { 0 };
    bool known;
    struct store_file_end end = fixture_end(hash);
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);
}

static struct rollup_counts roll(struct store *s, int64_t before_ms)
{
    struct err e = { 0 };
    struct rollup_counts counts = { 0 };
    assert_int_equal(store_change_begin(s, &e), 0);
    if (rollup_system(s, "PRD1", before_ms, &counts, &e))
        fail_msg("%s", e.text);
    assert_int_equal(store_change_end(s, true, &e), 0);
    return counts;
}

static void set_layout(struct store *s, const char *json)
{
    struct err e = { 0 };
    if (store_layout_set(s, "PRD1", json, &e))
        fail_msg("%s", e.text);
}

static struct store *new_store(void)
{
    unlink(fixture_db);
    return fixture_open(STORE_CREATE);
}

/* Each minute is the highest of one thing alone: sda, sdb, sdc, AB = sda + sdb (18; 14 when all are
 * highest), BC = sdb + sdc, and the sum of all three (21).  They stay, of every device; between
 * them seven stretches become a mean each: 6 + 7 of 60 samples. */
static const struct peak peaks[] = {
    { 5, { 10, 0, 0 } }, { 10, { 0, 10, 0 } }, { 15, { 0, 0, 10 } },
    { 20, { 9, 9, 0 } }, { 25, { 0, 9, 9 } },  { 30, { 7, 7, 7 } },
};
enum { N_PEAKS = sizeof peaks / sizeof *peaks };

static void assert_peaks(struct store *s)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct system_load l;
    assert_int_equal(load_system(s, "PRD1", &a, &l, &e), 0);
    assert_int_equal(l.n_series, 3);
    for (size_t i = 0; i < N_PEAKS; i++)
        for (size_t d = 0; d < 3; d++) {
            int64_t begin_ms = start_ms + peaks[i].minute * minute_ms;
            size_t at = load_series_at(&l.series[d], begin_ms);
            assert_true(at < l.series[d].n);
            assert_int_equal(l.series[d].begin_ms[at], begin_ms);
            assert_int_equal(l.series[d].end_ms[at], begin_ms + minute_ms);
            assert_true(l.series[d].read_iops[at] == peaks[i].rate[d]);
        }
    arena_release(&a);
}

static void test_peaks_of_groups(void **state)
{
    (void)state;
    struct store *s = new_store();
    set_layout(s, "{\"system\": \"PRD1\", \"groups\": ["
                  "{\"name\": \"AB\", \"role\": \"data\", \"devices\": [\"sda\", \"sdb\"]},"
                  "{\"name\": \"BC\", \"role\": \"data\", \"devices\": [\"sdb\", \"sdc\"]}]}");
    begin_file(s);
    put_minutes(s, 0, HOUR, peaks, N_PEAKS);
    end_file(s, 1);
    struct rollup_counts counts = roll(s, start_ms + hour_ms);
    assert_int_equal(counts.samples_before, 3 * 60);
    assert_int_equal(counts.samples_after, 3 * (6 + 7));
    assert_peaks(s);
    /* without the groups their peaks would go, were the hour thinned out again */
    set_layout(s, "{\"system\": \"PRD1\"}");
    counts = roll(s, start_ms + hour_ms);
    assert_int_equal(counts.samples_before, 3 * 13);
    assert_int_equal(counts.samples_after, 3 * 13);
    assert_peaks(s);
    store_close(s);
}

/* Reads and writes per second of one device, and KiB/s: most requests (35), most MiB/s (8 of 1 MiB,
 * which EBS counts as 8 * 4 = 32), and between them what EBS counts most of: 25 small reads and 6
 * writes of 512 KiB, 25 + 6 * 2 = 37.  That one is the highest of nothing else. */
static void test_peak_of_counted_requests(void **state)
{
    (void)state;
    static const struct {
        int minute;
        double reads, writes, read_kib, write_kib;
    } loads[] = { { 5, 35, 0, 35 * 8, 0 },
                  { 15, 0, 8, 0, 8 * 1024 },
                  { 25, 25, 6, 25 * 8, 6 * 512 } };
    struct arena a = { 0 };
    struct err e = { 0 };
    struct system_load l;
    struct store *s = new_store();
    begin_file(s);
    for (int i = 0; i < HOUR; i++) {
        struct io_sample v = fixture_sample("sda", i);
        set_rate(&v, 1);
        for (size_t k = 0; k < sizeof loads / sizeof *loads; k++)
            if (loads[k].minute == i) {
                v.reads_per_s = loads[k].reads;
                v.writes_per_s = loads[k].writes;
                v.read_kib_per_s = loads[k].read_kib;
                v.write_kib_per_s = loads[k].write_kib;
                v.total_per_s = v.reads_per_s + v.writes_per_s;
                v.total_kib_per_s = v.read_kib_per_s + v.write_kib_per_s;
            }
        assert_int_equal(store_file_sample(s, &v, &e), 0);
    }
    end_file(s, 1);
    assert_int_equal(roll(s, start_ms + hour_ms).samples_after, 3 + 4);
    assert_int_equal(load_system(s, "PRD1", &a, &l, &e), 0);
    size_t at = load_series_at(&l.series[0], start_ms + 25 * minute_ms);
    assert_int_equal(l.series[0].end_ms[at], start_ms + 26 * minute_ms);
    assert_true(l.series[0].read_iops[at] == 25 && l.series[0].write_iops[at] == 6);
    store_close(s);
    arena_release(&a);
}

/* --- what stays, and what does not -------------------------------------------------------------
 */

/* A clock that was set back: minutes 30 to 39 come twice. */
static void test_clock_set_back(void **state)
{
    (void)state;
    struct store *s = new_store();
    begin_file(s);
    put_minutes(s, 0, 40, NULL, 0);
    put_minutes(s, 30, HOUR, NULL, 0);
    end_file(s, 1);
    struct rollup_counts counts = roll(s, start_ms + hour_ms);
    assert_int_equal(counts.samples_before, 3 * 70);
    assert_int_equal(counts.samples_after, 3 * 70);
    store_close(s);
}

/* Two files that meet at half past do not overlap.  Of equal minutes the first is the peak: it and
 * one mean are left of the first file, one mean of the second. */
static void test_files_that_meet(void **state)
{
    (void)state;
    struct store *s = new_store();
    begin_file(s);
    put_minutes(s, 0, 30, NULL, 0);
    end_file(s, 1);
    begin_file(s);
    put_minutes(s, 30, HOUR, NULL, 0);
    end_file(s, 2);
    struct rollup_counts counts = roll(s, start_ms + hour_ms);
    assert_int_equal(counts.samples_before, 3 * 60);
    assert_int_equal(counts.samples_after, 3 * 3);
    store_close(s);
}

/* Until half past an hour: the hour before it is thinned out to its peak and a mean, its own is
 * not. */
static void test_hour_under_way(void **state)
{
    (void)state;
    struct store *s = new_store();
    begin_file(s);
    put_minutes(s, 0, 2 * HOUR, NULL, 0);
    end_file(s, 1);
    struct rollup_counts counts = roll(s, start_ms + hour_ms + 30 * minute_ms);
    assert_int_equal(counts.samples_before, 3 * 60);
    assert_int_equal(counts.samples_after, 3 * 2);
    store_close(s);
}

/* 1 500 seconds with a second between each do not go on; the last three do.  The first is the peak
 * of equal ones, its minute is the worst: three become one, and the 1 500 are all there. */
static void test_every_sample_is_written(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct system_load l;
    struct store *s = new_store();
    begin_file(s);
    for (int i = 0; i < 1503; i++) {
        struct io_sample v = fixture_sample("sda", 0);
        set_rate(&v, 1);
        v.interval_s = 1;
        v.time_ms = start_ms + 1000 * (i < 1500 ? 2 * i + 1 : 3000 + i - 1500 + 1);
        assert_int_equal(store_file_sample(s, &v, &e), 0);
    }
    end_file(s, 1);
    struct rollup_counts counts = roll(s, start_ms + hour_ms);
    assert_int_equal(counts.samples_before, 1503);
    assert_int_equal(counts.samples_after, 1501);
    assert_int_equal(load_system(s, "PRD1", &a, &l, &e), 0);
    assert_int_equal(l.n_series, 1);
    assert_int_equal(l.series[0].n, 1501);
    for (size_t i = 0; i < 1500; i++)
        assert_int_equal(l.series[0].begin_ms[i], start_ms + 2000 * (int64_t)i);
    assert_int_equal(l.series[0].end_ms[1500], start_ms + 3003000);
    store_close(s);
    arena_release(&a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peaks_of_groups), cmocka_unit_test(test_peak_of_counted_requests),
        cmocka_unit_test(test_clock_set_back),  cmocka_unit_test(test_files_that_meet),
        cmocka_unit_test(test_hour_under_way),  cmocka_unit_test(test_every_sample_is_written),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
