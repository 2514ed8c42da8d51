/* tests/data/test_load.c - samples of several files as one series in time order. */
#include "data/load.h"
#include "tests/data/store/store_fixture.h"

enum { MAX_POINTS = 6 };

struct interval {
    int file; /* 1, 2, ...: in the order of loading */
    double begin_s, end_s;
    double iops;
};

struct merge_case {
    const char *why;
    struct interval in[MAX_POINTS];
    size_t n_in;
    struct interval want[MAX_POINTS];
    size_t n_want, n_overlaps, n_duplicates;
};

static const struct merge_case merges[] = {
    { "files in the order of time",
      { { 1, 0, 60, 1 }, { 1, 60, 120, 2 }, { 2, 120, 180, 3 } },
      3,
      { { 1, 0, 60, 1 }, { 1, 60, 120, 2 }, { 2, 120, 180, 3 } },
      3,
      0,
      0 },
    { "the later part was loaded first",
      { { 1, 120, 180, 3 }, { 2, 0, 60, 1 }, { 2, 60, 120, 2 } },
      3,
      { { 2, 0, 60, 1 }, { 2, 60, 120, 2 }, { 1, 120, 180, 3 } },
      3,
      0,
      0 },
    { "the same minute in both: the first loaded stays",
      { { 1, 0, 60, 1 }, { 1, 60, 120, 2 }, { 2, 60, 120, 99 }, { 2, 120, 180, 3 } },
      4,
      { { 1, 0, 60, 1 }, { 1, 60, 120, 2 }, { 2, 120, 180, 3 } },
      3,
      0,
      1 },
    { "the same file goes back in time, as when a clock is set back",
      { { 1, 0, 60, 1 }, { 1, 60, 120, 2 }, { 1, 60, 120, 98 }, { 1, 120, 180, 3 } },
      4,
      { { 1, 0, 60, 1 }, { 1, 60, 120, 2 }, { 1, 120, 180, 3 } },
      3,
      0,
      1 },
    { "seconds inside a minute that was there first",
      { { 1, 0, 60, 1 }, { 2, 10, 11, 7 }, { 2, 11, 12, 8 }, { 2, 60, 61, 9 } },
      4,
      { { 1, 0, 60, 1 }, { 2, 60, 61, 9 } },
      2,
      2,
      0 },
    { "a minute over seconds that were there first",
      { { 1, 10, 11, 7 }, { 1, 11, 12, 8 }, { 2, 0, 60, 1 } },
      3,
      { { 1, 10, 11, 7 }, { 1, 11, 12, 8 } },
      2,
      1,
      0 },
    /* 6 s of 60 is a tenth */
    { "an overlap of a tenth is the clock: the later one is cut",
      { { 1, 0, 60, 1 }, { 1, 54, 114, 2 } },
      2,
      { { 1, 0, 60, 1 }, { 1, 60, 114, 2 } },
      2,
      0,
      0 },
    { "a little more is not",
      { { 1, 0, 60, 1 }, { 1, 53, 113, 2 } },
      2,
      { { 1, 0, 60, 1 } },
      1,
      1,
      0 },
    { "the later one is cut, though it was loaded first",
      { { 1, 57, 117, 2 }, { 2, 0, 60, 1 } },
      2,
      { { 2, 0, 60, 1 }, { 1, 60, 117, 2 } },
      2,
      0,
      0 },
    { "two files loaded later give way to one that lies across them",
      { { 1, 30, 90, 5 }, { 2, 0, 60, 1 }, { 2, 60, 120, 2 } },
      3,
      { { 1, 30, 90, 5 } },
      1,
      2,
      0 },
    { "a gap stays a gap",
      { { 1, 0, 60, 1 }, { 1, 600, 660, 2 } },
      2,
      { { 1, 0, 60, 1 }, { 1, 600, 660, 2 } },
      2,
      0,
      0 },
};

static struct io_sample sample_of(const struct interval *v)
{
    struct io_sample s = fixture_sample("sda", 0);
    s.time_ms = (int64_t)(v->end_s * 1000);
    s.interval_s = v->end_s - v->begin_s;
    s.reads_per_s = v->iops;
    s.writes_per_s = v->iops / 2;
    s.read_kib_per_s = v->iops * 1024;
    s.write_kib_per_s = NAN;
    s.line = (int64_t)v->iops + 100;
    return s;
}

static void begin_file(struct store *s, int file)
{
    struct err e = { 0 };
    char path[32];
    snprintf(path, sizeof path, "file%d.txt", file);
    struct store_file_start start = fixture_start("PRD1");
    start.path = path;
    if (store_file_begin(s, &start, &e))
        fail_msg("%s", e.text);
}

static struct system_load load(struct store *s, struct arena *a)
{
    struct err e = { 0 };
    struct system_load l;
    if (load_system(s, NULL, a, &l, &e))
        fail_msg("%s", e.text);
    return l;
}

static void test_merge(void **state)
{
    const struct merge_case *c = *state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    for (size_t i = 0; i < c->n_in; i++) {
        if (i == 0 || c->in[i].file != c->in[i - 1].file)
            begin_file(s, c->in[i].file);
        struct io_sample sample = sample_of(&c->in[i]);
        fixture_put_sample(s, &sample);
        if (i + 1 == c->n_in || c->in[i].file != c->in[i + 1].file)
            fixture_commit(s, (unsigned char)(c->in[i].file));
    }
    struct system_load l = load(s, &a);
    store_close(s);
    assert_string_equal(l.system, "PRD1");
    assert_int_equal(l.n_series, 1);
    const struct load_series *r = &l.series[0];
    assert_int_equal(r->kind, SERIES_DEVICE);
    assert_int_equal(r->counts, COUNT_BLOCK);
    assert_string_equal(r->name, "sda");
    assert_string_equal(r->host, "db1.example");
    assert_true(r->instance_number == UNKNOWN);
    assert_int_equal(r->n, c->n_want);
    assert_int_equal(r->n_overlaps, c->n_overlaps);
    assert_int_equal(r->n_duplicates, c->n_duplicates);
    for (size_t i = 0; i < r->n; i++) {
        const struct interval *w = &c->want[i];
        assert_int_equal(r->begin_ms[i], (int64_t)(w->begin_s * 1000));
        assert_int_equal(r->end_ms[i], (int64_t)(w->end_s * 1000));
        assert_true(r->read_iops[i] == w->iops);
        assert_true(r->write_iops[i] == w->iops / 2);
        assert_true(r->read_mibps[i] == w->iops);
        assert_true(isnan(r->write_mibps[i]));
        assert_int_equal(r->file_id[i], w->file);
        assert_int_equal(r->line[i], (int64_t)w->iops + 100);
    }
    assert_int_equal(l.n_files, (size_t)c->in[c->n_in - 1].file);
    assert_int_equal(l.file_ids[0], 1);
    assert_string_equal(l.file_paths[0], "file1.txt");
    arena_release(&a);
}

static void test_left_out(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    begin_file(s, 1);
    struct io_sample sample[7];
    for (int i = 0; i < 7; i++)
        sample[i] = fixture_sample("sda", i);
    sample[0].since_boot = true;
    sample[1].artefact = true;
    sample[2].artefact = true;
    sample[3].time_ms = UNKNOWN;
    sample[4].interval_s = NAN;
    sample[5].interval_s = 0.0001; /* rounds to nothing */
    for (int i = 0; i < 7; i++)
        fixture_put_sample(s, &sample[i]);
    struct io_sample boot = fixture_sample("sdb", 0);
    boot.since_boot = true;
    fixture_put_sample(s, &boot);
    fixture_commit(s, 1);

    struct system_load l = load(s, &a);
    store_close(s);
    assert_int_equal(l.n_series, 2);
    assert_int_equal(l.series[0].n, 1);
    assert_int_equal(l.series[0].end_ms[0], sample[6].time_ms);
    assert_int_equal(l.series[0].n_since_boot, 1);
    assert_int_equal(l.series[0].n_artefacts, 2);
    assert_int_equal(l.series[0].n_untimed, 3);
    assert_int_equal(l.series[0].n_overlaps, 0);
    assert_string_equal(l.series[1].name, "sdb");
    assert_int_equal(l.series[1].n, 0);
    assert_int_equal(l.series[1].n_since_boot, 1);
    arena_release(&a);
}

/* --- file types of AWR --------------------------------------------------------------------------
 */

/* 2 MiB/s and 3 MiB/s, in bytes. */
static const struct awr_io_row rows[] = {
    { "Data File", NAN, NAN, 37.9, 60.5, 2 * 1048576.0, 3 * 1048576.0, NAN, NAN, NAN, NAN, 101 },
    { "Log File", NAN, NAN, NAN, 5, NAN, 1048576, NAN, NAN, NAN, NAN, 102 },
    { "TOTAL:", NAN, NAN, 40, 70, 1, 1, NAN, NAN, NAN, NAN, 103 },
};

static void put_snapshot(struct store *s, int file, const char *db, int64_t instance, int hour)
{
    struct err e = { 0 };
    struct awr_snapshot w = { .db_name = db,
                              .db_id = 1,
                              .instance_number = instance,
                              .host = "prd1db",
                              .begin_ms = hour * INT64_C(3600000),
                              .end_ms = (hour + 1) * INT64_C(3600000),
                              .filetypes = rows,
                              .n_filetypes = 3 };
    begin_file(s, file);
    if (store_file_snapshot(s, &w, &e))
        fail_msg("%s", e.text);
    fixture_commit(s, (unsigned char)file);
}

static void test_filetypes(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    put_snapshot(s, 1, "PRD", 1, 11);
    put_snapshot(s, 2, "PRD", 1, 10); /* loaded later, but earlier */
    put_snapshot(s, 3, "PRD", 2, 10);
    put_snapshot(s, 4, "PRD", 1, 10); /* the same report again, in another form */

    struct system_load l = load(s, &a);
    store_close(s);
    assert_int_equal(l.n_snapshots, 3);
    assert_int_equal(l.n_duplicate_snapshots, 1);
    assert_int_equal(l.snapshots[0]->file_id, 2);
    assert_int_equal(l.snapshots[1]->file_id, 3);
    assert_int_equal(l.snapshots[2]->file_id, 1);

    assert_int_equal(l.n_series, 4); /* two file types of two instances, no TOTAL */
    const struct load_series *data = &l.series[0], *log = &l.series[1];
    assert_int_equal(data->kind, SERIES_FILETYPE);
    assert_int_equal(data->counts, COUNT_ORACLE);
    assert_string_equal(data->host, "PRD");
    assert_string_equal(data->name, "Data File");
    assert_int_equal(data->instance_number, 1);
    assert_int_equal(data->n, 2);
    assert_int_equal(data->n_overlaps, 0);
    assert_int_equal(data->begin_ms[0], 36000000);
    assert_int_equal(data->end_ms[0], 39600000);
    assert_int_equal(data->file_id[0], 2);
    assert_int_equal(data->file_id[1], 1);
    assert_int_equal(data->line[0], 101);
    assert_true(data->read_iops[0] == 37.9 && data->write_iops[0] == 60.5);
    assert_true(data->read_mibps[0] == 2 && data->write_mibps[0] == 3);
    assert_string_equal(log->name, "Log File");
    assert_true(isnan(log->read_iops[1]) && isnan(log->read_mibps[1]));
    assert_true(log->write_mibps[1] == 1);
    assert_int_equal(l.series[2].instance_number, 2);
    assert_string_equal(l.series[3].name, "Log File");
    arena_release(&a);
}

static int put_one(struct store *s, int64_t instance, struct err *e)
{
    struct awr_snapshot w = { .db_name = "PRD",
                              .db_id = 1,
                              .instance_number = instance,
                              .begin_ms = 0,
                              .end_ms = 3600000,
                              .filetypes = rows,
                              .n_filetypes = 3 };
    return store_file_snapshot(s, &w, e);
}

/* A report of a cluster tells each instance and their sum. */
static void test_cluster_is_not_counted_twice(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    begin_file(s, 1);
    assert_int_equal(put_one(s, UNKNOWN, &e), 0);
    assert_int_equal(put_one(s, 1, &e), 0);
    assert_int_equal(put_one(s, 2, &e), 0);
    fixture_commit(s, 1);
    struct system_load l = load(s, &a);
    store_close(s);
    assert_int_equal(l.n_snapshots, 3);
    assert_int_equal(l.n_series, 4); /* two file types of two instances */
    for (size_t i = 0; i < l.n_series; i++)
        assert_true(l.series[i].instance_number != UNKNOWN);
    arena_release(&a);
}

/* Reports of the cluster and of its instances, each in a file of its own.  All have the same rows:
 * two instances then have twice the bytes of the cluster, none is missing. */
static void test_cluster_beside_instances(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    for (int64_t i = 0; i < 3; i++) {
        begin_file(s, (int)i + 1);
        assert_int_equal(put_one(s, i ? i : UNKNOWN, &e), 0);
        fixture_commit(s, (unsigned char)((int)i + 1));
    }
    struct system_load l = load(s, &a);
    store_close(s);
    assert_int_equal(l.n_series, 4);
    for (size_t i = 0; i < l.n_series; i++)
        assert_true(l.series[i].instance_number != UNKNOWN);
    assert_int_equal(l.n_warnings, 1);
    assert_non_null(strstr(l.warnings[0].text, "this report of the cluster is not counted"));
    arena_release(&a);
}

/* An instance that has a tenth of its cluster's load: the others were not reported. */
static void test_cluster_beside_one_instance(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct awr_io_row small[] = { { .name = "Data File", .read_bytes_per_s = 1 } };
    struct awr_snapshot one = { .db_name = "PRD",
                                .db_id = 1,
                                .instance_number = 2,
                                .end_ms = 3600000,
                                .filetypes = small,
                                .n_filetypes = 1 };
    struct store *s = fixture_open(STORE_CREATE);
    begin_file(s, 1);
    assert_int_equal(put_one(s, UNKNOWN, &e), 0);
    fixture_commit(s, 1);
    begin_file(s, 2);
    assert_int_equal(store_file_snapshot(s, &one, &e), 0);
    fixture_commit(s, 2);
    struct system_load l = load(s, &a);
    store_close(s);
    assert_int_equal(l.n_series, 2);
    for (size_t i = 0; i < l.n_series; i++)
        assert_int_equal(l.series[i].instance_number, UNKNOWN);
    assert_int_equal(l.n_warnings, 1);
    assert_non_null(strstr(l.warnings[0].text, "less than nine tenths"));
    arena_release(&a);
}

/* A report that tells the sum alone is all there is. */
static void test_cluster_alone(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    begin_file(s, 1);
    assert_int_equal(put_one(s, UNKNOWN, &e), 0);
    fixture_commit(s, 1);
    struct system_load l = load(s, &a);
    store_close(s);
    assert_int_equal(l.n_series, 2);
    arena_release(&a);
}

static void test_unknown_system(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct system_load l;
    struct store *s = fixture_open(STORE_CREATE);
    put_snapshot(s, 1, "PRD", 1, 11);
    assert_int_equal(load_system(s, "PRD9", &a, &l, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "PRD9"));
    assert_int_equal(load_system(s, "PRD1", &a, &l, &e), 0); /* the failure left nothing open */
    store_close(s);
    arena_release(&a);
}

/* A layout alone makes a system; its load is empty. */
static void test_nothing_measured(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    assert_int_equal(store_layout_set(s, "PRD1", "{}", &e), 0);
    struct system_load l = load(s, &a);
    assert_int_equal(l.n_series + l.n_snapshots + l.n_files, 0);
    store_close(s);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest plain[] = {
        FIXTURE_TEST(test_left_out),
        FIXTURE_TEST(test_filetypes),
        FIXTURE_TEST(test_cluster_is_not_counted_twice),
        FIXTURE_TEST(test_cluster_beside_instances),
        FIXTURE_TEST(test_cluster_beside_one_instance),
        FIXTURE_TEST(test_cluster_alone),
        FIXTURE_TEST(test_unknown_system),
        FIXTURE_TEST(test_nothing_measured),
    };
    enum { N = sizeof plain / sizeof *plain, N_MERGES = sizeof merges / sizeof *merges };
    struct CMUnitTest t[N + N_MERGES];
    memcpy(t, plain, sizeof plain);
    for (size_t i = 0; i < N_MERGES; i++)
        t[N + i] = (struct CMUnitTest){ merges[i].why, test_merge, fixture_setup, fixture_teardown,
                                        (void *)(uintptr_t)&merges[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
