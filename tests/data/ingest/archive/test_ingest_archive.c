/* tests/data/ingest/archive/test_ingest_archive.c - archives on their way into the store. */
#include "tests/data/ingest/archive/packer.h"

#include "data/ingest_files.h"
#include "tests/data/store/store_fixture.h"
#include "tests/each_allocation.h"

#define LINUX(host) "Linux 5.4.17 (" host ") \t05/18/2022 \t_x86_64_\t(32 CPU)\n\n"
#define HEAD        "Device            r/s     w/s     rkB/s     wkB/s  %util\n"
#define ROWS        "sda             30.00   20.00    320.00    160.00   0.03\n"
#define IOSTAT(host)                                                                               \
    LINUX(host)                                                                                    \
    "05/18/2022 07:00:00 AM\n" HEAD ROWS "\n05/18/2022 07:01:00 AM\n" HEAD ROWS                    \
    "\n05/18/2022 07:02:00 AM\n" HEAD ROWS "\n"
#define LIT(bytes) ((struct span){ (bytes), sizeof(bytes) - 1 })

static const char *write_bytes(struct bytes b)
{
    static char path[160];
    snprintf(path, sizeof path, "%s/in", fixture_dir);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(b.ptr, 1, b.len, f), b.len);
    assert_int_equal(fclose(f), 0);
    free(b.ptr);
    return path;
}

static struct bytes box(void)
{
    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    struct bytes gz = pack_one(PACK_GZIP, "x", LIT(IOSTAT("db2")));
    bytes_add(&gz, LIT("trail"));
    pack_open(&p);
    pack_entry(&p, "first", AE_IFLNK, "a", LIT(""));
    pack_file(&p, "a", LIT(IOSTAT("db1")));
    pack_file(&p, "note.txt", LIT("hello\n"));
    pack_file(&p, "b.gz", span_of_bytes(gz));
    pack_entry(&p, "last", AE_IFLNK, "a", LIT(""));
    free(gz.ptr);
    return pack_again(PACK_GZIP, "x", pack_end(&p));
}

static struct ingest_files_options options(void)
{
    return (struct ingest_files_options){ .parse = { .date_ms = UNKNOWN, .interval_s = NAN } };
}

static struct ingest_results ingest(struct store *s, const char *path,
                                    const struct ingest_files_options *o, struct arena *a)
{
    struct ingest_results results = { 0 };
    struct err e = { 0 };
    if (ingest_path(s, path, o, a, &results, &e))
        fail_msg("%s", e.text);
    return results;
}

static void is_member(const struct ingest_result *r, const char *name, enum ingest_status status,
                      const char *system)
{
    char path[200];
    snprintf(path, sizeof path, "%s/in%s", fixture_dir, name);
    assert_string_equal(r->path, path);
    if (r->error && status != INGEST_FAILED)
        fail_msg("%s", r->error);
    assert_int_equal(r->status, status);
    if (system)
        assert_string_equal(r->system, system);
}

static void has_warning(const struct ingest_result *r, size_t i, const char *words)
{
    assert_true(i < r->n_warnings);
    assert_int_equal(r->warnings[i].line, 0);
    if (!strstr(r->warnings[i].text, words))
        fail_msg("%s", r->warnings[i].text);
}

static void every_member_is_a_file(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options();
    struct store *s = fixture_open(STORE_CREATE);
    struct ingest_results got = ingest(s, write_bytes(box()), &o, &a);
    assert_int_equal(got.n, 3);
    is_member(&got.item[0], "/a", INGEST_NEW, "db1");
    is_member(&got.item[1], "/note.txt", INGEST_FAILED, NULL);
    is_member(&got.item[2], "/b.gz", INGEST_NEW, "db2");
    assert_int_equal(got.item[0].bytes, strlen(IOSTAT("db1")));
    assert_int_equal(got.item[2].rows, 3);

    /* What was left out is said with the file before it, at the start with the first one. */
    assert_int_equal(got.item[0].n_warnings, 1);
    has_warning(&got.item[0], 0, "/in/first is a link: left out");
    assert_int_equal(got.item[1].n_warnings, 0);
    assert_int_equal(got.item[2].n_warnings, 2);
    has_warning(&got.item[2], 0, "/in/b.gz has more bytes behind its gzip data: left out");
    has_warning(&got.item[2], 1, "/in/last is a link: left out");
    store_close(s);
    assert_string_equal(fixture_ask(&a, "SELECT name, rows FROM file JOIN system USING(system_id)"
                                        " ORDER BY name"),
                        "db1|3\ndb2|3\n");
    arena_release(&a);
}

/* Known by its unpacked content, wherever it lies. */
static void known_in_and_out_of_an_archive(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options();
    struct store *s = fixture_open(STORE_CREATE);
    struct ingest_results got = ingest(s, write_bytes(bytes_of(LIT(IOSTAT("db2")))), &o, &a);
    is_member(&got.item[0], "", INGEST_NEW, "db2");
    const char *before = fixture_dump(&a);
    got = ingest(s, write_bytes(pack_one(PACK_XZ, "x", LIT(IOSTAT("db2")))), &o, &a);
    is_member(&got.item[0], "", INGEST_KNOWN, "db2");
    assert_string_equal(fixture_dump(&a), before);

    got = ingest(s, write_bytes(box()), &o, &a);
    is_member(&got.item[0], "/a", INGEST_NEW, "db1");
    is_member(&got.item[2], "/b.gz", INGEST_KNOWN, "db2");
    store_close(s);
    arena_release(&a);
}

/* The text would do, but its last byte never comes: nothing of it stays. */
static void a_damaged_member_leaves_nothing(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options();
    struct store *s = fixture_open(STORE_CREATE);
    const char *before = fixture_dump(&a);
    struct bytes b = pack_one(PACK_GZIP, "x", LIT(IOSTAT("db2")));
    b.len -= 8;
    struct ingest_results got = ingest(s, write_bytes(b), &o, &a);
    assert_int_equal(got.n, 1);
    is_member(&got.item[0], "", INGEST_FAILED, NULL);
    assert_non_null(strstr(got.item[0].error, "/in: the gzip data is cut short"));
    assert_string_equal(fixture_dump(&a), before);
    store_close(s);
    arena_release(&a);
}

/* It looks like nothing known, and that it is a bomb is the better reason. */
static void a_bomb_is_called_one(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options();
    struct bytes zeros = { calloc(70 << 20, 1), 70 << 20 };
    assert_non_null(zeros.ptr);
    const char *path = write_bytes(pack_again(PACK_GZIP, "x", zeros));
    struct ingest_results got = ingest(NULL, path, &o, &a);
    assert_int_equal(got.item[0].code, ERR_LIMIT);
    assert_non_null(strstr(got.item[0].error, "1 000 times"));
    o.max_expand_bytes = 128 << 20;
    got = ingest(NULL, path, &o, &a);
    assert_int_equal(got.item[0].code, ERR_PARSE);
    assert_non_null(strstr(got.item[0].error, "looks like binary data"));
    arena_release(&a);
}

struct told {
    char text[400];
    int64_t bytes;
};

static void on_begin(void *ctx, const char *path)
{
    struct told *t = ctx;
    size_t n = strlen(t->text);
    snprintf(t->text + n, sizeof t->text - n, "begin %s\n", path + strlen(fixture_dir));
}

static int on_end(void *ctx, const struct ingest_result *r, struct err *e)
{
    (void)e;
    struct told *t = ctx;
    size_t n = strlen(t->text);
    snprintf(t->text + n, sizeof t->text - n, "end %s, %zu warnings\n",
             r->path + strlen(fixture_dir), r->n_warnings);
    return 0;
}

/* The bar counts the bytes of the file on disk. */
static void on_progress(void *ctx, const char *path, int64_t bytes)
{
    struct told *t = ctx;
    assert_string_equal(path + strlen(fixture_dir), "/in");
    assert_true(bytes >= t->bytes);
    t->bytes = bytes;
}

static void begin_end_and_progress(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options();
    struct told t = { "", 0 };
    o.begin = on_begin;
    o.end = on_end;
    o.file_ctx = o.progress_ctx = &t;
    o.progress = on_progress;
    struct bytes b = box();
    int64_t size = (int64_t)b.len;
    ingest(NULL, write_bytes(b), &o, &a);
    assert_string_equal(t.text, "begin /in/a\nend /in/a, 1 warnings\n"
                                "begin /in/note.txt\nend /in/note.txt, 0 warnings\n"
                                "begin /in/b.gz\nend /in/b.gz, 2 warnings\n");
    assert_int_equal(t.bytes, size);
    arena_release(&a);
}

static void warnings_have_a_limit(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct ingest_files_options o = options();
    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    pack_open(&p);
    pack_file(&p, "a", LIT(IOSTAT("db1")));
    for (int i = 0; i < INGEST_WARNINGS_MAX + 7; i++)
        pack_entry(&p, "l", AE_IFLNK, "a", LIT(""));
    struct ingest_results got = ingest(NULL, write_bytes(pack_end(&p)), &o, &a);
    assert_int_equal(got.n, 1);
    assert_int_equal(got.item[0].n_warnings, INGEST_WARNINGS_MAX + 1);
    has_warning(&got.item[0], INGEST_WARNINGS_MAX, "7 more warnings");
    arena_release(&a);
}

/* 10 000 members that give nothing are named, the others counted; what is good is not counted out.
 */
static void failures_have_a_limit(void **state)
{
    (void)state;
    enum { NAMED = 10000, MORE = 3 };
    struct arena a = { 0 };
    struct ingest_files_options o = options();
    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    pack_open(&p);
    for (int i = 0; i < NAMED + MORE; i++)
        pack_file(&p, "empty", LIT(""));
    pack_file(&p, "a", LIT(IOSTAT("db1")));
    const char *path = write_bytes(pack_end(&p));
    struct ingest_results got = ingest(NULL, path, &o, &a);
    assert_int_equal(got.n, NAMED + 2);
    assert_int_equal(got.item[NAMED - 1].status, INGEST_FAILED);
    assert_int_equal(got.item[NAMED].status, INGEST_NEW);
    assert_int_equal(got.item[NAMED + 1].status, INGEST_FAILED);
    assert_string_equal(got.item[NAMED + 1].path, path);
    assert_non_null(
        strstr(got.item[NAMED + 1].error, "3 more members failed: only the first 10000 are named"));
    arena_release(&a);
}

static void without_memory(void **state)
{
    (void)state;
    struct ingest_files_options o = options();
    const char *path = write_bytes(box());
    struct store *s = fixture_open(STORE_CREATE);
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        struct ingest_results results = { 0 };
        it.rc = ingest_path(s, path, &o, &it.a, &results, &it.e);
    }
    assert_true(it.n > 20);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(every_member_is_a_file, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(known_in_and_out_of_an_archive, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(a_damaged_member_leaves_nothing, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(a_bomb_is_called_one, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(begin_end_and_progress, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(warnings_have_a_limit, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(failures_have_a_limit, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(without_memory, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
