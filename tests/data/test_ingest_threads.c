/* tests/data/test_ingest_threads.c - a large file through one thread and through two: the store
 * and what is said of the file must not differ. */
#include "data/ingest_files.h"
#include "data/intake.h"
#include "models/core/mem.h"
#include "tests/data/store/store_fixture.h"

#define N(a) (sizeof(a) / sizeof *(a))

static const char head[] = "Device            r/s     w/s     rkB/s     wkB/s  %util\n";

/* Reports from 07:00:00 on, a second apart; what is put behind report `at` comes as it is. */
struct text_plan {
    int devices, reports, at;
    const char *behind;
};

static void write_plan(const char *path, const struct text_plan *p)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("Linux 5.4.17 (db1.example) \t05/18/2022 \t_x86_64_\t(32 CPU)\n\n", f);
    for (int i = 0; i < p->reports; i++) {
        fprintf(f, "05/18/2022 07:%02d:%02d AM\n%s", i / 60 % 60, i % 60, head);
        for (int d = 0; d < p->devices; d++)
            fprintf(f, "nvme%dn1 %10.2f %8.2f %10.2f %8.2f %6.2f\n", d, i * 1.25, d * 0.5, i * 20.0,
                    d * 4.0, i % 100 + 0.5);
        fputs("\n", f);
        if (i == p->at)
            fputs(p->behind, f);
    }
    assert_int_equal(fclose(f), 0);
}

static char *read_store(size_t *n)
{
    FILE *f = fopen(fixture_db, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *n = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*n);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n, f), *n);
    fclose(f);
    return bytes;
}

static int ingest(const char *path, int jobs, struct arena *a, struct ingest_results *results,
                  struct err *e)
{
    struct store *s = NULL;
    struct ingest_files_options o = { .parse = { .date_ms = UNKNOWN, .interval_s = NAN },
                                      .jobs = jobs };
    int rc = store_open(fixture_db, &(struct store_options){ .mode = STORE_CREATE }, &s, e);
    if (!rc)
        rc = ingest_path(s, path, &o, a, results, e);
    store_close(s);
    return rc;
}

static const struct thread_case {
    const char *why;
    struct text_plan plan;
    enum ingest_status status;
    const char *error; /* in its words; NULL = none */
} cases[] = {
    { "a whole file", { 40, 300, -1, "" }, INGEST_NEW, NULL },
    { "rows that are skipped, and said to be",
      { 40, 300, 200, "05/18/2022 07:03:20 AM\nDevice r/s w/s rkB/s wkB/s %util\nsda 1 x 3 4 5\n" },
      INGEST_NEW,
      NULL },
    { "the parser fails in the middle",
      { 40, 300, 200, "Device            r/s     w/s     rkB/s     wkB/s\n" },
      INGEST_FAILED,
      "'%util'" },
    /* lines 1 and 2, stamp, heading, then a row for each device: device 16 385 is in line 16 389 */
    { "the store refuses a sample",
      { 16400, 2, -1, "" },
      INGEST_FAILED,
      "in.txt:16389: more than" },
    { "and the parser fails after it",
      { 16400, 1, 0, "Device            r/s     w/s     rkB/s     wkB/s\n" },
      INGEST_FAILED,
      "in.txt:16389: more than" },
};

static void same_with_two(void **state)
{
    const struct thread_case *c = *state;
    struct arena a = { 0 };
    char *stores[2], in[96];
    size_t n[2];
    const struct ingest_result *r[2];
    snprintf(in, sizeof in, "%s/in.txt", fixture_dir);
    write_plan(in, &c->plan);
    for (int i = 0; i < 2; i++) {
        struct err e = { 0 };
        struct ingest_results results = { 0 };
        unlink(fixture_db);
        if (ingest(in, i + 1, &a, &results, &e))
            fail_msg("%d: %s", i + 1, e.text);
        assert_int_equal(results.n, 1);
        r[i] = &results.item[0];
        stores[i] = read_store(&n[i]);
        if (r[i]->status != c->status)
            fail_msg("%d: %s", i + 1, r[i]->error);
        assert_int_equal(!!r[i]->error, !!c->error);
        if (c->error && !strstr(r[i]->error, c->error))
            fail_msg("%d: %s", i + 1, r[i]->error);
    }
    if (!c->error) {
        assert_int_equal(r[0]->rows, (int64_t)c->plan.devices * c->plan.reports);
        assert_int_equal(r[1]->rows, r[0]->rows);
        assert_int_equal(r[1]->n_warnings, r[0]->n_warnings);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(stores[0], stores[1], n[0]);
    free(stores[0]);
    free(stores[1]);
    arena_release(&a);
}

/* Samples, then values of a metric between them, and names of any length. */
static void put_mixed(int jobs)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct store *s = fixture_open(STORE_CREATE);
    struct ingest_files_options o = { .parse = { .date_ms = UNKNOWN, .interval_s = NAN },
                                      .jobs = jobs };
    struct warning_list warnings = { .arena = &a };
    struct source *src = source_of_span("mixed", SPAN_LIT("x"));
    struct intake t = { .store = s,
                        .options = &o,
                        .arena = &a,
                        .warnings = &warnings,
                        .outer = src,
                        .path = "mixed",
                        .format = "iostat",
                        .first_ms = UNKNOWN,
                        .last_ms = UNKNOWN };
    struct sink sink = intake_sink(&t);
    for (int i = 0; i < 9000; i++) {
        struct io_sample sample = fixture_sample(i % 2 ? "sda" : "sdb", i);
        assert_int_equal(sink.sample(sink.ctx, &sample, &e), 0);
        if (i % 1000 != 999)
            continue;
        struct metric_sample m = { .metric = SPAN_LIT("redo_mb_s"),
                                   .statistic = STATISTIC_RATE,
                                   .instance_number = UNKNOWN,
                                   .period_s = 60,
                                   .time_ms = sample.time_ms,
                                   .value = i,
                                   .line = i };
        assert_int_equal(sink.metric(sink.ctx, &m, &e), 0);
    }
    assert_int_equal(t.queue != NULL, jobs > 1);
    /* more bytes than the queue holds: refused by the store, not by the queue */
    static char name[64 * 1024];
    memset(name, 'x', sizeof name);
    struct io_sample sample = fixture_sample("sda", 9000);
    sample.device = (struct span){ name, sizeof name };
    assert_int_equal(sink.sample(sink.ctx, &sample, &e), ERR_LIMIT);
    assert_int_equal(intake_end(&t, 0, &e), 0);
    bool known = true;
    struct store_file_end end = {
        .rows = 9000, .bytes = 1, .first_ms = t.first_ms, .last_ms = t.last_ms
    };
    assert_int_equal(store_file_commit(s, &end, &known, &e), 0);
    assert_false(known);
    source_close(src);
    store_close(s);
    arena_release(&a);
}

static void mixed(void **state)
{
    (void)state;
    size_t n[2];
    char *stores[2];
    for (int i = 0; i < 2; i++) {
        unlink(fixture_db);
        put_mixed(i + 1);
        stores[i] = read_store(&n[i]);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(stores[0], stores[1], n[0]);
    free(stores[0]);
    free(stores[1]);
}

/* Allocations fail from one on, in whichever thread makes it: no hang, no leak, nothing kept. */
static void no_memory(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct text_plan plan = { 300, 20, -1, "" };
    char in[96];
    snprintf(in, sizeof in, "%s/in.txt", fixture_dir);
    write_plan(in, &plan);
    store_close(fixture_open(STORE_CREATE));
    const char *before = fixture_dump(&a);
    int rc;
    long n = 0;
    do {
        struct ingest_results results = { 0 };
        struct arena run = { 0 };
        struct err e = { 0 };
        n += n < 100 ? 9 : 37;
        atomic_store(&mem_calls, 0);
        atomic_store(&mem_fail_at, n);
        rc = ingest(in, 2, &run, &results, &e);
        atomic_store(&mem_fail_at, 0);
        if (rc && rc != ERR_NOMEM)
            fail_msg("allocation %ld: %s", n, e.text);
        arena_release(&run);
        if (rc && n % 8 == 0)
            assert_string_equal(fixture_dump(&a), before);
    } while (rc);
    assert_true(n > 500); /* 300 series alone take more */
    const char *rows = fixture_ask(&a, "SELECT sum(n_samples) FROM chunk");
    assert_string_equal(rows, "6000\n");
    arena_release(&a);
}

int main(void)
{
    struct CMUnitTest t[N(cases) + 2];
    size_t n = 0;
    for (size_t i = 0; i < N(cases); i++)
        t[n++] = (struct CMUnitTest){ cases[i].why, same_with_two, fixture_setup, fixture_teardown,
                                      (void *)(uintptr_t)&cases[i] };
    t[n++] =
        (struct CMUnitTest)cmocka_unit_test_setup_teardown(mixed, fixture_setup, fixture_teardown);
    t[n++] = (struct CMUnitTest)cmocka_unit_test_setup_teardown(no_memory, fixture_setup,
                                                                fixture_teardown);
    return _cmocka_run_group_tests("ingest_threads", t, n, NULL, NULL);
}
