/* tests/data/test_ingest_files.c - files and folders on their way into the store. */
#include "data/ingest_files.h"
#include "data/load.h"
#include "models/core/mem.h"
#include "models/core/timestamp.h"
#include "tests/data/store/store_torture.h"

#define LINUX(host) "Linux 5.4.17 (" host ") \t05/18/2022 \t_x86_64_\t(32 CPU)\n\n"
#define HEAD                                                                                       \
    "Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrqm r_await "   \
    "w_await aqu-sz rareq-sz wareq-sz  svctm  %util\n"
#define ROW(device, r)                                                                             \
    device "         " r                                                                           \
           "   20.00    320.00    160.00     0.00     1.00   0.00   4.76    0.61    0.83   0.03 "  \
           "   16.00     8.00   0.00  12.30\n"
#define STAMP(time) "05/18/2022 " time " AM\n"

/* Since boot, then two minutes. */
#define IOSTAT(host)                                                                               \
    LINUX(host)                                                                                    \
    STAMP("07:00:00")                                                                              \
    HEAD ROW("sda", "  1.00") "\n" STAMP("07:01:00")                                               \
        HEAD ROW("sda", " 30.00") "\n" STAMP("07:02:00") HEAD ROW("sda", " 40.00") "\n"

#define UNSTAMPED HEAD ROW("sda", "  1.00") "\n" HEAD ROW("sda", " 30.00") "\n"

static void path_of(char out[160], const char *name)
{
    snprintf(out, 160, "%s/%s", fixture_dir, name);
}

static void write_file(const char *name, const char *bytes, size_t n)
{
    char path[160];
    path_of(path, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void write_text(const char *name, const char *text)
{
    write_file(name, text, strlen(text));
}

static void make_folder(const char *name)
{
    char path[160];
    path_of(path, name);
    assert_int_equal(mkdir(path, 0755), 0);
}

static struct ingest_files_options options(const char *system)
{
    return (struct ingest_files_options){ .parse = { .date_ms = UNKNOWN, .interval_s = NAN },
                                          .system = system };
}

static struct ingest_results ingest(struct store *s, const char *name,
                                    const struct ingest_files_options *o, struct arena *a)
{
    struct ingest_results results = { 0 };
    struct err e = { 0 };
    char path[160];
    path_of(path, name);
    if (ingest_path(s, path, o, a, &results, &e))
        fail_msg("%s", e.text);
    return results;
}

static void test_new_then_known(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options(NULL);
    write_text("a.jpg", IOSTAT("db1.example")); /* the name says nothing */
    struct store *s = fixture_open(STORE_CREATE);
    struct ingest_results got = ingest(s, "a.jpg", &o, &a);
    assert_int_equal(got.n, 1);
    const struct ingest_result *r = &got.item[0];
    if (r->error)
        fail_msg("%s", r->error);
    assert_int_equal(r->status, INGEST_NEW);
    assert_string_equal(r->format, "iostat");
    assert_string_equal(r->system, "db1.example");
    assert_int_equal(r->rows, 3);
    assert_int_equal(r->skipped, 0);
    assert_int_equal(r->bytes, strlen(IOSTAT("db1.example")));
    char text[32];
    assert_string_equal(time_format_iso(text, r->first_ms), "2022-05-18T07:00:00Z");
    assert_string_equal(time_format_iso(text, r->last_ms), "2022-05-18T07:02:00Z");

    const char *before = fixture_dump(&a);
    write_text("b", IOSTAT("db1.example")); /* the same content under another name */
    got = ingest(s, "b", &o, &a);
    assert_int_equal(got.item[0].status, INGEST_KNOWN);
    assert_string_equal(ingest_status_name(got.item[0].status), "known");
    assert_int_equal(got.item[0].rows, 3);
    assert_string_equal(fixture_dump(&a), before);

    struct system_load l;
    struct err e = { 0 };
    assert_int_equal(load_system(s, NULL, &a, &l, &e), 0);
    assert_int_equal(l.n_series, 1);
    assert_int_equal(l.series[0].n, 2);
    assert_int_equal(l.series[0].n_since_boot, 1);
    assert_true(l.series[0].read_iops[0] == 30 && l.series[0].read_iops[1] == 40);
    assert_true(l.series[0].read_mibps[0] == 320 / 1024.0);
    /* lines: Linux, blank, stamp, head, row, blank, stamp, head, row = 9 */
    assert_int_equal(l.series[0].line[0], 9);
    store_close(s);
    arena_release(&a);
}

struct bad_case {
    const char *why, *name, *bytes;
    size_t n;
    int code;
    const char *words;
};

#define BYTES(text) text, sizeof(text) - 1

static const struct bad_case bad[] = {
    { "empty", "empty.txt", BYTES(""), ERR_PARSE, "empty.txt:1" },
    { "binary", "image.txt",
      BYTES("\x7f"
            "ELF\0\0\1\2\3\0\0\xff\xfe"),
      ERR_PARSE, "image.txt:1" },
    { "an AWR without its end", "awr.txt",
      BYTES("WORKLOAD REPOSITORY report for\n\nDB Name         DB Id    Instance     Inst Num\n"),
      ERR_PARSE, "awr.txt:" },
    { "a file that names no host", "nohost.txt",
      BYTES(STAMP("07:00:00") HEAD ROW("sda", "  1.00") "\n" STAMP("07:01:00")
                HEAD ROW("sda", " 30.00")),
      ERR_USAGE, "--system" },
    { "samples without a time", "notime.txt", BYTES(LINUX("db1.example") UNSTAMPED), ERR_USAGE,
      "--date" },
};

/* It says why, leaves nothing, and the file behind it loads. */
static void test_bad(void **state)
{
    const struct bad_case *c = *state;
    struct arena a = { 0 };
    struct ingest_files_options o = options(NULL);
    struct store *s = fixture_open(STORE_CREATE);
    const char *before = fixture_dump(&a);
    make_folder("in");
    char name[64];
    snprintf(name, sizeof name, "in/%s", c->name);
    write_file(name, c->bytes, c->n);
    struct ingest_results got = ingest(s, "in", &o, &a);
    assert_int_equal(got.n, 1);
    assert_int_equal(got.item[0].status, INGEST_FAILED);
    assert_int_equal(got.item[0].code, c->code);
    assert_non_null(got.item[0].error);
    if (!strstr(got.item[0].error, c->words))
        fail_msg("%s", got.item[0].error);
    assert_null(strchr(got.item[0].error, '\n'));
    assert_string_equal(fixture_dump(&a), before);

    write_text("in/zzz", IOSTAT("db1.example"));
    got = ingest(s, "in", &o, &a);
    assert_int_equal(got.n, 2);
    assert_int_equal(got.item[0].status, INGEST_FAILED);
    assert_int_equal(got.item[1].status, INGEST_NEW);
    store_close(s);
    arena_release(&a);
}

static void test_system_date_and_interval_given(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options("PRD1");
    o.parse.date_ms = INT64_C(1652832000000); /* 2022-05-18 */
    o.parse.interval_s = 60;
    o.zone_name = "UTC";
    write_text("in.txt", UNSTAMPED);
    struct store *s = fixture_open(STORE_CREATE);
    struct ingest_results got = ingest(s, "in.txt", &o, &a);
    if (got.item[0].error)
        fail_msg("%s", got.item[0].error);
    assert_string_equal(got.item[0].system, "PRD1");
    assert_int_equal(got.item[0].status, INGEST_NEW);
    store_close(s);
    assert_string_equal(fixture_ask(&a, "SELECT name, date_ms, zone FROM file"
                                        " JOIN system USING(system_id)"),
                        "PRD1|1652832000000|UTC\n");
    arena_release(&a);
}

/* A row cut in the middle: the file loads without it and says so, now and later. */
static void test_warning_is_kept(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct ingest_files_options o = options(NULL);
    write_text("in.txt", IOSTAT("db1.example") STAMP("07:03:00") HEAD "sda     50.00   2");
    struct store *s = fixture_open(STORE_CREATE);
    struct ingest_results got = ingest(s, "in.txt", &o, &a);
    assert_int_equal(got.item[0].status, INGEST_NEW);
    assert_int_equal(got.item[0].rows, 3);
    assert_int_equal(got.item[0].skipped, 1);
    assert_true(got.item[0].n_warnings >= 1);

    struct store_file *files = NULL;
    size_t n = 0;
    assert_int_equal(store_files(s, "db1.example", &a, &files, &n, &e), 0);
    assert_int_equal(n, 1);
    assert_int_equal(files[0].n_warnings, got.item[0].n_warnings);
    for (size_t i = 0; i < files[0].n_warnings; i++) {
        assert_int_equal(files[0].warnings[i].line, got.item[0].warnings[i].line);
        assert_string_equal(files[0].warnings[i].text, got.item[0].warnings[i].text);
    }
    store_close(s);
    arena_release(&a);
}

/* --- folders -----------------------------------------------------------------------------------
 */

static void test_folder(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options(NULL);
    char target[160], link[160];
    make_folder("b");
    make_folder("b/c");
    write_text("a.txt", IOSTAT("db1"));
    write_text("b/c/1.txt", IOSTAT("db2"));
    write_text("b/z.txt", IOSTAT("db3"));
    write_text("d.txt", IOSTAT("db4"));
    write_text(".hidden", "?");
    path_of(link, "b/c/up");
    path_of(target, "b");
    assert_int_equal(symlink(target, link), 0); /* leads back to a folder above */
    path_of(link, "b/link.txt");
    path_of(target, "a.txt");
    assert_int_equal(symlink(target, link), 0);
    path_of(link, "pipe");
    assert_int_equal(mkfifo(link, 0644), 0);

    struct store *s = fixture_open(STORE_CREATE); /* lies in the folder as well */
    struct ingest_results got = ingest(s, "", &o, &a);
    static const struct {
        const char *name;
        enum ingest_status status;
    } want[] = { { "/a.txt", INGEST_NEW },
                 { "/b/c/1.txt", INGEST_NEW },
                 { "/b/link.txt", INGEST_KNOWN },
                 { "/b/z.txt", INGEST_NEW },
                 { "/d.txt", INGEST_NEW } };
    enum { N = sizeof want / sizeof *want };
    for (size_t i = 0; i < got.n && i < N; i++) {
        if (got.item[i].error)
            fail_msg("%s", got.item[i].error);
        assert_true(span_ends(span_of(got.item[i].path), want[i].name));
        assert_int_equal(got.item[i].status, want[i].status);
    }
    assert_int_equal(got.n, N);
    store_close(s);
    assert_string_equal(fixture_ask(&a, "SELECT name FROM system ORDER BY 1"),
                        "db1\ndb2\ndb3\ndb4\n");
    arena_release(&a);
}

static void test_too_deep(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options(NULL);
    char name[160] = "x";
    make_folder(name);
    for (int i = 0; i < INGEST_DEPTH_MAX; i++) {
        size_t at = strlen(name);
        snprintf(name + at, sizeof name - at, "/x");
        make_folder(name);
    }
    write_text("x/y", IOSTAT("db1"));
    struct ingest_results got = ingest(NULL, "x", &o, &a);
    assert_int_equal(got.n, 2);
    assert_int_equal(got.item[0].code, ERR_LIMIT);
    assert_int_equal(got.item[1].status, INGEST_NEW);
    arena_release(&a);
}

static void test_not_there(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options(NULL);
    struct ingest_results got = ingest(NULL, "nothing", &o, &a);
    assert_int_equal(got.n, 1);
    assert_int_equal(got.item[0].code, ERR_FILE);
    assert_non_null(strstr(got.item[0].error, "nothing"));
    assert_null(got.item[0].format);
    arena_release(&a);
}

static void test_store_itself(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options(NULL);
    struct store *s = fixture_open(STORE_CREATE);
    struct ingest_results got = ingest(s, "store.db", &o, &a);
    assert_int_equal(got.n, 1);
    assert_int_equal(got.item[0].code, ERR_USAGE);
    assert_non_null(strstr(got.item[0].error, "the store itself"));
    store_close(s);
    arena_release(&a);
}

/* --- hosts -------------------------------------------------------------------------------------
 */

/* The demo's AWR text with another host, 16 characters wide. */
static void write_awr(const char *name, const char *host)
{
    char *text = mem_alloc(200000);
    FILE *f = fopen("data/demo/awr_prd1_0700_0959.txt", "rb");
    assert_true(text && f);
    size_t n = fread(text, 1, 199999, f);
    fclose(f);
    text[n] = '\0';
    char *row = strstr(text, "\nprd1db ");
    assert_non_null(row);
    memcpy(row + 1, host, 16);
    write_file(name, text, n);
    mem_free(text);
}

struct host_case {
    const char *why, *host, *systems[3], *want;
};

static const struct host_case hosts[] = {
    { "a cut name is the one system that begins with it",
      "prd1db.eu.exampl",
      { "prd1db.eu.example.com" },
      "prd1db.eu.example.com" },
    { "two begin with it: a system of its own",
      "prd1db.eu.exampl",
      { "prd1db.eu.example.com", "prd1db.eu.example.org" },
      "prd1db.eu.exampl" },
    { "the whole name goes first",
      "prd1db.eu.exampl",
      { "prd1db.eu.exampl", "prd1db.eu.example.com" },
      "prd1db.eu.exampl" },
    { "a shorter name was not cut", "prd1db          ", { "prd1db.eu.example.com" }, "prd1db" },
    { "no system yet", "prd1db.eu.exampl", { NULL }, "prd1db.eu.exampl" },
};

static void test_host(void **state)
{
    const struct host_case *c = *state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct ingest_files_options o = options(NULL);
    struct store *s = fixture_open(STORE_CREATE);
    for (size_t i = 0; i < 3 && c->systems[i]; i++)
        assert_int_equal(store_layout_set(s, c->systems[i], "{}", &e), 0);
    write_awr("awr.txt", c->host);
    struct ingest_results got = ingest(s, "awr.txt", &o, &a);
    if (got.item[0].error)
        fail_msg("%s", got.item[0].error);
    assert_string_equal(got.item[0].format, "awr");
    assert_string_equal(got.item[0].system, c->want);
    store_close(s);
    arena_release(&a);
}

/* Sixteen characters of iostat are the whole name. */
static void test_iostat_host_is_whole(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct ingest_files_options o = options(NULL);
    struct store *s = fixture_open(STORE_CREATE);
    assert_int_equal(store_layout_set(s, "prod-database-01b", "{}", &e), 0);
    write_text("in.txt", IOSTAT("prod-database-01"));
    struct ingest_results got = ingest(s, "in.txt", &o, &a);
    assert_string_equal(got.item[0].system, "prod-database-01");
    store_close(s);
    arena_release(&a);
}

/* --- without a store ---------------------------------------------------------------------------
 */

static int count_sample(void *ctx, const struct io_sample *sample, struct err *e)
{
    (void)e;
    assert_true(span_is(sample->device, "sda"));
    ++*(int *)ctx;
    return 0;
}

static void test_tap(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options(NULL);
    int n = 0;
    struct sink tap = { .ctx = &n, .sample = count_sample };
    o.tap = &tap;
    write_text("in.txt", UNSTAMPED); /* neither host nor time is needed */
    struct ingest_results got = ingest(NULL, "in.txt", &o, &a);
    if (got.item[0].error)
        fail_msg("%s", got.item[0].error);
    assert_int_equal(got.item[0].status, INGEST_NEW);
    assert_int_equal(n, 2);
    assert_true(got.item[0].first_ms == UNKNOWN && got.item[0].last_ms == UNKNOWN);
    arena_release(&a);
}

/* --- no memory, no disk ------------------------------------------------------------------------
 */

static int ingest_folder(struct err *e)
{
    struct arena a = { 0 };
    struct store *s = NULL;
    struct ingest_results results = { 0 };
    struct ingest_files_options o = options(NULL);
    char path[160];
    path_of(path, "in");
    int rc = store_open(fixture_db, &(struct store_options){ .mode = STORE_CREATE }, &s, e);
    if (!rc)
        rc = ingest_path(s, path, &o, &a, &results, e);
    arena_release(&a);
    store_close(s);
    return rc;
}

/* Every allocation of a folder with a good and a bad file fails in turn. */
static void test_torture(void **state)
{
    (void)state;
    make_folder("in");
    write_text("in/1", "nothing that is known\n");
    write_text("in/2", IOSTAT("db2"));
    store_close(fixture_open(STORE_CREATE));
    assert_true(store_torture(ingest_folder, 16, true) > 50);
}

static void test_locked_store_stops(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct ingest_results results = { 0 };
    struct ingest_files_options o = options(NULL);
    char path[160];
    write_text("in.txt", IOSTAT("db1"));
    path_of(path, "in.txt");
    struct store *s = fixture_open(STORE_CREATE);
    sqlite3 *db = fixture_connect();
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(ingest_path(s, path, &o, &a, &results, &e), ERR_STORE);
    assert_non_null(strstr(e.text, "locked"));
    sqlite3_close(db);
    store_close(s);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest plain[] = {
        FIXTURE_TEST(test_new_then_known),
        FIXTURE_TEST(test_system_date_and_interval_given),
        FIXTURE_TEST(test_warning_is_kept),
        FIXTURE_TEST(test_folder),
        FIXTURE_TEST(test_too_deep),
        FIXTURE_TEST(test_not_there),
        FIXTURE_TEST(test_store_itself),
        FIXTURE_TEST(test_iostat_host_is_whole),
        FIXTURE_TEST(test_tap),
        FIXTURE_TEST(test_torture),
        FIXTURE_TEST(test_locked_store_stops),
    };
    enum {
        N = sizeof plain / sizeof *plain,
        N_BAD = sizeof bad / sizeof *bad,
        N_HOSTS = sizeof hosts / sizeof *hosts
    };
    struct CMUnitTest t[N + N_BAD + N_HOSTS];
    size_t n = N;
    memcpy(t, plain, sizeof plain);
    for (size_t i = 0; i < N_BAD; i++)
        t[n++] = (struct CMUnitTest){ bad[i].why, test_bad, fixture_setup, fixture_teardown,
                                      (void *)(uintptr_t)&bad[i] };
    for (size_t i = 0; i < N_HOSTS; i++)
        t[n++] = (struct CMUnitTest){ hosts[i].why, test_host, fixture_setup, fixture_teardown,
                                      (void *)(uintptr_t)&hosts[i] };
    return cmocka_run_group_tests(t, NULL, NULL);
}
