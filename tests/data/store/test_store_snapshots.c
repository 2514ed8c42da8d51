/* tests/data/store/test_store_snapshots.c - a report comes out of the store as it went in. */
#include "tests/data/store/store_fixture.h"

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
        fixture_assert_same(got[i].total, want[i].total);
        fixture_assert_same(got[i].per_s, want[i].per_s);
        assert_int_equal(got[i].line, want[i].line);
    }
}

static void assert_same_rows(const struct awr_io_row *got, const struct awr_io_row *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(got[i].name, want[i].name);
        fixture_assert_same(got[i].read_bytes, want[i].read_bytes);
        fixture_assert_same(got[i].write_bytes, want[i].write_bytes);
        fixture_assert_same(got[i].read_requests_per_s, want[i].read_requests_per_s);
        fixture_assert_same(got[i].write_requests_per_s, want[i].write_requests_per_s);
        fixture_assert_same(got[i].read_bytes_per_s, want[i].read_bytes_per_s);
        fixture_assert_same(got[i].write_bytes_per_s, want[i].write_bytes_per_s);
        fixture_assert_same(got[i].small_read_ms, want[i].small_read_ms);
        fixture_assert_same(got[i].large_read_ms, want[i].large_read_ms);
        fixture_assert_same(got[i].waits, want[i].waits);
        fixture_assert_same(got[i].wait_avg_ms, want[i].wait_avg_ms);
        assert_int_equal(got[i].line, want[i].line);
    }
}

static void test_snapshots(void **state)
{
    (void)state;
    struct err e = { 0 };
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct awr_snapshot earlier = { .begin_ms = 3600000,
                                    .end_ms = 7200000,
                                    .db_id = UNKNOWN,
                                    .instance_number = UNKNOWN,
                                    .rac = 1,
                                    .cpus = 32,
                                    .elapsed_s = NAN,
                                    .db_time_s = NAN };
    fixture_begin(s);
    if (store_file_snapshot(s, &snapshot, &e) || store_file_snapshot(s, &earlier, &e))
        fail_msg("%s", e.text);
    fixture_commit(s, 1);

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
        fixture_assert_same(g->events[i].waits, events[i].waits);
        fixture_assert_same(g->events[i].time_s, events[i].time_s);
        fixture_assert_same(g->events[i].avg_ms, events[i].avg_ms);
        fixture_assert_same(g->events[i].pct_db_time, events[i].pct_db_time);
        assert_int_equal(g->events[i].line, events[i].line);
    }
    assert_string_equal(g->events[0].wait_class, "Commit");
    assert_null(g->events[1].wait_class);
    store_close(s);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        FIXTURE_TEST(test_snapshots),
    };
    return fixture_run(t, sizeof t / sizeof *t);
}
