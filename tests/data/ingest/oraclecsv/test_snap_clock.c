/* tests/data/ingest/oraclecsv/test_snap_clock.c - an hour that came twice, by snapshot numbers.
 *
 * In Berlin 02:30 came twice on 2025-10-26: at 00:30 and at 01:30 UTC. */
#include "data/ingest/oraclecsv/snap_clock.h"

#include "tests/data/ingest/oraclecsv/metric_log.h"

#include "data/zone.h"

#define N(a) (sizeof(a) / sizeof *(a))

static struct arena arena;
static const struct zone *berlin;

static int64_t minute_of(int hour, int minute)
{
    struct civil c = { .year = 2025, .month = 10, .day = 26, .hour = hour, .minute = minute };
    return time_from_civil(&c);
}

static const struct row_case {
    const char *why;
    int wall_hour, wall_minute;
    int64_t snap;
    int utc_hour, utc_minute;
    int64_t undecided; /* so far */
} rows[] = {
    { "a first row cannot know", 2, 30, 10, 0, 30, 1 },
    { "the other instance of that snapshot", 2, 30, 10, 0, 30, 1 },
    { "the same time under the next number is an hour later", 2, 30, 11, 1, 30, 1 },
    { "and so is its other instance", 2, 30, 11, 1, 30, 1 },
    { "on into the day", 3, 30, 12, 2, 30, 1 },
    { "a lower number begins another series", 1, 30, 9, -1, 30, 1 },
    { "which goes on", 2, 30, 10, 0, 30, 1 },
    { "and comes to the second pass", 2, 30, 11, 1, 30, 1 },
    { "without a number the first pass is taken", 2, 30, UNKNOWN, 0, 30, 2 },
    { "again", 2, 30, UNKNOWN, 0, 30, 3 },
    { "a time that came once is none of them", 4, 30, UNKNOWN, 3, 30, 3 },
};

static void rows_of_both_passes(void **state)
{
    (void)state;
    struct snap_clock c = { 0 };
    for (size_t i = 0; i < N(rows); i++) {
        int64_t utc_ms =
            snap_clock_utc(&c, berlin, minute_of(rows[i].wall_hour, rows[i].wall_minute),
                           rows[i].snap);
        int64_t want_ms = minute_of(0, rows[i].utc_minute) + rows[i].utc_hour * INT64_C(3600000);
        if (utc_ms != want_ms || c.n_undecided != rows[i].undecided)
            fail_msg("%s: %lld, not %lld; %lld undecided", rows[i].why, (long long)utc_ms,
                     (long long)want_ms, (long long)c.n_undecided);
    }
}

/* AWR-Miner's rows, hourly: 02:00 was at 00:00 UTC and at 01:00. */
static void both_passes_of_an_extract(void **state)
{
    (void)state;
    static struct text_log g;
    struct err e = { 0 };
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN, .zone = berlin };
    log_read(&g, "awr_miner",
             SPAN_LIT("~~BEGIN-MAIN-METRICS~~\n"
                      "      snap      dur_m end                  inst  redo_mb_s\n"
                      "---------- ---------- -------------- ---------- ----------\n"
                      "       775         60 25/10/26 01:00          1          1\n"
                      "       776         60 25/10/26 02:00          1          2\n"
                      "       777         60 25/10/26 02:00          1          3\n"
                      "       778         60 25/10/26 03:00          1          4\n"
                      "~~END-MAIN-METRICS~~\n"),
             &o, &e);
    assert_string_equal(g.text,
                        "metric - 1 redo_mb_s | - | Rate 3600 2025-10-25T22:00:00Z 1 MiB/s @4\n"
                        "metric - 1 redo_mb_s | - | Rate 3600 2025-10-25T23:00:00Z 2 MiB/s @5\n"
                        "metric - 1 redo_mb_s | - | Rate 3600 2025-10-26T00:00:00Z 3 MiB/s @6\n"
                        "metric - 1 redo_mb_s | - | Rate 3600 2025-10-26T01:00:00Z 4 MiB/s @7\n"
                        "rows 4 skipped 0\n");
}

/* ESP numbers no snapshots. */
static void what_cannot_be_told_apart_is_counted(void **state)
{
    (void)state;
    static struct text_log g;
    struct err e = { 0 };
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN, .zone = berlin };
    log_read(&g, "esp_csv",
             SPAN_LIT("collection_host,category,data_element,source,instance_number,value\n"
                      "db1,disk_ts,r_iops,2025-10-26/02:00:00,1,5\n"
                      "db1,disk_ts,r_iops,2025-10-26/02:00:00,1,6\n"),
             &o, &e);
    const char *told = strstr(g.text, "warning");
    assert_non_null(told);
    assert_string_equal(told, "warning 0 2 rows of an hour that the clock showed twice: taken for "
                              "the first pass\nrows 2 skipped 0\n");
}

static int open_zone(void **state)
{
    (void)state;
    struct err e = { 0 };
    return zone_open(SPAN_LIT("Europe/Berlin"), &arena, &berlin, &e);
}

static int release_zone(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rows_of_both_passes),
                                        cmocka_unit_test(both_passes_of_an_extract),
                                        cmocka_unit_test(what_cannot_be_told_apart_is_counted) };
    return cmocka_run_group_tests_name("snap_clock", tests, open_zone, release_zone);
}
