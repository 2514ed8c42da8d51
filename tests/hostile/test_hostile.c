/* tests/hostile/test_hostile.c - inputs that are broken, absurd or made to hurt, on the whole way
 * from a file on disk into the store.  Those of gigabytes are in gigabytes.sh.
 *
 * Every file ends as loaded or as refused with one line, in seconds, and the store is sound
 * and holds what the table says.  The host text is db1, three reports of one device. */
#include "tests/data/ingest/archive/packer.h"

#include "data/ingest_files.h"
#include "tests/data/store/store_fixture.h"

#define N(a) (sizeof(a) / sizeof *(a))
#define BYTES(s)                                                                                   \
    {                                                                                              \
        (s), sizeof(s) - 1                                                                         \
    }

enum { DEEP = 100000, SECONDS_MAX = 60 };

#define HOST  "Linux 5.4.17 (db1) \t05/18/2022 \t_x86_64_\t(32 CPU)\n\n"
#define HEAD  "Device            r/s     w/s     rkB/s     wkB/s  %util\n"
#define AT(t) "05/18/2022 07:0" t ":00 AM\n" HEAD
#define ROW   "sda 30.00 20.00 320.00 160.00 0.03\n\n"
#define TWO   HOST AT("0") ROW AT("1") ROW

struct outcome {
    size_t results;
    int64_t rows;        /* -1 = the last file is refused */
    const char *words;   /* in its error, or in its first warning; NULL = it has none */
    double last_reads_s; /* reads/s of the last sample; NaN = unknown; -1 = not looked at */
};

/* --- texts -------------------------------------------------------------------------------------
 */

static const struct text_case {
    const char *why;
    struct span text;
    struct outcome want;
} texts[] = {
    { "nothing wrong", BYTES(TWO AT("2") ROW), { 1, 3, NULL, 30 } },
    { "nan is unknown",
      BYTES(TWO AT("2") "sda nan 20 320 160 0.03\n"),
      { 1, 3, "'nan': taken as unknown", NAN } },
    { "inf is unknown",
      BYTES(TWO AT("2") "sda inf 20 320 160 0.03\n"),
      { 1, 3, "'inf': taken as unknown", NAN } },
    { "-inf is unknown",
      BYTES(TWO AT("2") "sda -inf 20 320 160 0.03\n"),
      { 1, 3, "'-inf': taken as unknown", NAN } },
    { "a negative rate is kept as an artefact",
      BYTES(TWO AT("2") "sda -30 20 320 160 0.03\n"),
      { 1, 3, "more than a device can do", -30 } },
    { "a hexadecimal number is none",
      BYTES(TWO AT("2") "sda 0x10 20 320 160 0.03\n"),
      { 1, 2, "'0x10' is not a number", -1 } },
    { "time that goes back",
      BYTES(HOST AT("0") ROW AT("2") ROW AT("1") ROW),
      { 1, 3, "time goes back", 30 } },
    { "the same time twice",
      BYTES(TWO AT("1") ROW AT("2") ROW),
      { 1, 4, "is that of the report before", 30 } },
    { "a row cut in the middle",
      BYTES(TWO AT("2") "sda 30.00 20"),
      { 1, 2, "the file ends in this row", -1 } },
    { "NUL bytes in a row",
      BYTES(TWO AT("2") "sda\0 30.00 20.00 320.00 160.00 0.03\n"),
      { 1, 3, NULL, 30 } },
    { "NUL bytes at the end", BYTES(TWO AT("2") ROW "\0\0\0\0\0\0\0\0"), { 1, 3, NULL, 30 } },
    { "a name in GBK",
      BYTES(TWO AT("2") "\xB4\xC5\xC5\xCC 30.00 20.00 320.00 160.00 0.03\n"),
      { 1, 3, NULL, 30 } },
    { "a host in GBK",
      BYTES("Linux 5.4.17 (\xCA\xFD\xBE\xDD\xBF\xE2) \t05/18/2022 \t_x86_64_\t(32 CPU)\n\n" AT("0")
                ROW AT("1") ROW),
      { 1, 2, NULL, 30 } },
    { "a name that is no UTF-8",
      BYTES(TWO AT("2") "s\xFF\xC3(\xED\xA0\x80 30.00 20.00 320.00 160.00 0.03\n"),
      { 1, 3, NULL, 30 } },
    { "a UTF-8 mark", BYTES("\xEF\xBB\xBF" TWO), { 1, 2, NULL, 30 } },
    { "nothing but zeros",
      BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
      { 1, -1, "looks like binary data", -1 } },
    { "deep JSON without more", BYTES("[[[["), { 1, -1, "looks like JSON", -1 } },
};

/* --- made ones ---------------------------------------------------------------------------------
 */

static struct bytes repeat(const char *before, const char *piece, size_t n, const char *after)
{
    struct bytes b = bytes_of(span_of(before));
    size_t len = strlen(piece);
    b.ptr = realloc(b.ptr, b.len + n * len + 1);
    assert_non_null(b.ptr);
    for (size_t i = 0; i < n; i++, b.len += len)
        memcpy(b.ptr + b.len, piece, len);
    bytes_add(&b, span_of(after));
    return b;
}

static struct bytes long_line(void)
{
    return repeat(TWO, "x", 3 << 20, "\n");
}

static struct bytes only_a_long_line(void)
{
    return repeat("", "x", 3 << 20, "");
}

static struct bytes long_name(void)
{
    return repeat(TWO AT("2"), "d", 5000, " 30.00 20.00 320.00 160.00 0.03\n");
}

static struct bytes digits_400(void)
{
    return repeat(TWO AT("2") "sda ", "9", 400, " 20.00 320.00 160.00 0.03\n");
}

static struct bytes decimals_400(void)
{
    return repeat(TWO AT("2") "sda 1.", "9", 400, " 20.00 320.00 160.00 0.03\n");
}

static struct bytes cr_only(void)
{
    struct bytes b = bytes_of(SPAN_LIT(TWO));
    for (size_t i = 0; i < b.len; i++)
        b.ptr[i] = b.ptr[i] == '\n' ? '\r' : b.ptr[i];
    return b;
}

static struct bytes utf16(const char *mark, bool big_endian)
{
    struct bytes b = bytes_of(span_of(mark));
    for (const char *c = TWO; *c; c++) {
        char pair[2] = { big_endian ? '\0' : *c, big_endian ? *c : '\0' };
        bytes_add(&b, (struct span){ pair, 2 });
    }
    return b;
}

static struct bytes utf16_le(void)
{
    return utf16("\xFF\xFE", false);
}

static struct bytes utf16_be(void)
{
    return utf16("\xFE\xFF", true);
}

static struct bytes deep_tables(void)
{
    return repeat("<html><head><title>AWR Report for DB: PRD1</title></head><body>"
                  "<h1>WORKLOAD REPOSITORY report for</h1>",
                  "<table><tr><td>", DEEP, "");
}

static struct bytes deep_divs(void)
{
    return repeat("", "<div>", DEEP, "");
}

static struct bytes tar_with_names(void)
{
    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    pack_open(&p);
    pack_entry(&p, "d/link", AE_IFLNK, "/etc/passwd", SPAN_LIT(""));
    pack_file(&p, "../../../../tmp/hostile", SPAN_LIT(TWO));
    pack_file(&p, "/etc/hostile", SPAN_LIT(TWO AT("2") ROW));
    return pack_end(&p);
}

static struct bytes cut_tar(void)
{
    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    pack_open(&p);
    pack_file(&p, "a", SPAN_LIT(TWO));
    pack_file(&p, "b", SPAN_LIT(TWO AT("2") ROW));
    struct bytes b = pack_end(&p);
    b.len = 512 + 512 + 512 + 100; /* header and content of a, header of b, some of b */
    return b;
}

static struct bytes cut_gzip(void)
{
    struct bytes b = pack_one(PACK_GZIP, "x", SPAN_LIT(TWO));
    b.len -= 9;
    return b;
}

static struct bytes bomb(void)
{
    return pack_again(PACK_ZIP, "bomb", repeat("", "0000000000000000", 70 << 16, ""));
}

static const struct made_case {
    const char *why;
    struct bytes (*make)(void);
    struct outcome want;
} made[] = {
    { "a line longer than all memory should be",
      long_line,
      { 1, -1, ":11: line longer than", -1 } },
    { "nothing but a long line",
      only_a_long_line,
      { 1, -1, "looks like text of another kind", -1 } },
    { "a device name of 5 000 bytes", long_name, { 1, 2, "a device name of 5000 bytes", -1 } },
    { "400 digits are beyond a double", digits_400, { 1, 2, "is not a number", -1 } },
    { "400 decimals are not: 1.99... is 2", decimals_400, { 1, 3, NULL, 2 } },
    { "CR as the only line end", cr_only, { 1, 2, NULL, 30 } },
    { "UTF-16, low byte first", utf16_le, { 1, 2, NULL, 30 } },
    { "UTF-16, high byte first", utf16_be, { 1, 2, NULL, 30 } },
    { "HTML tables 100 000 deep", deep_tables, { 1, -1, "nested deeper than", -1 } },
    { "HTML 100 000 deep that is no report", deep_divs, { 1, -1, "looks like HTML", -1 } },
    { "a tar with ../ and absolute names and a link", tar_with_names, { 2, 3, NULL, 30 } },
    { "a tar cut short: its first file loads",
      cut_tar,
      { 2, -1, "/in/b: the tar archive is", -1 } },
    { "a gzip file cut short", cut_gzip, { 1, -1, "/in: the gzip data is cut short", -1 } },
    { "a zip bomb", bomb, { 1, -1, "--max-expand SIZE raises it", -1 } },
};

/* What each JSON reader is told by, with 100 000 brackets behind it. */
static const char *const json_beginnings[] = {
    "[",
    "{\"a\":",
    "{\"Label\": \"VolumeReadOps\", \"Datapoints\": ",
    "{\"MetricDataResults\": ",
    "{\"metric_stream_name\": \"s\", \"namespace\": \"AWS/EBS\", \"dimensions\": ",
    "{\"Volumes\": ",
    "{\"Reservations\": ",
    "{\"VolumesModifications\": ",
    "{\"InstanceTypes\": ",
    "{\"volumeRecommendations\": ",
    "{\"blockdevices\": ",
    "{\"sysstat\": {\"hosts\": ",
};

/* --- running them ------------------------------------------------------------------------------
 */

static const char *write_input(struct span bytes)
{
    static char path[160];
    snprintf(path, sizeof path, "%s/in", fixture_dir);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, f), bytes.len);
    assert_int_equal(fclose(f), 0);
    return path;
}

static int take_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    (void)e;
    *(double *)ctx = s->reads_per_s;
    return 0;
}

static void check_last_reads(double got, double want)
{
    if (isnan(want))
        assert_true(isnan(got));
    else if (want != -1)
        assert_true(got == want);
}

static void check_input(struct span bytes, const struct outcome *want)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct ingest_results results = { 0 };
    double reads = -2;
    struct sink tap = { .ctx = &reads, .sample = take_sample };
    struct ingest_files_options o = { .parse = { .date_ms = UNKNOWN, .interval_s = NAN },
                                      .tap = &tap };
    const char *path = write_input(bytes);
    struct store *s = fixture_open(STORE_CREATE);
    alarm(SECONDS_MAX);
    if (ingest_path(s, path, &o, &a, &results, &e))
        fail_msg("%s", e.text);
    alarm(0);
    store_close(s);

    assert_int_equal(results.n, want->results);
    const struct ingest_result *r = &results.item[results.n - 1];
    if (want->rows < 0) {
        assert_int_equal(r->status, INGEST_FAILED);
        assert_null(strchr(r->error, '\n'));
        if (!strstr(r->error, want->words))
            fail_msg("%s", r->error);
    } else {
        if (r->error)
            fail_msg("%s", r->error);
        assert_int_equal(r->rows, want->rows);
        assert_int_equal(r->n_warnings > 0, want->words != NULL);
        if (want->words && !strstr(r->warnings[0].text, want->words))
            fail_msg("%s", r->warnings[0].text);
        check_last_reads(reads, want->last_reads_s);
    }
    assert_string_equal(fixture_ask(&a, "PRAGMA integrity_check"), "ok\n");
    char files[32];
    snprintf(files, sizeof files, "%zu\n", want->results - (want->rows < 0));
    assert_string_equal(fixture_ask(&a, "SELECT count(*) FROM file"), files);
    arena_release(&a);
}

static void run_text(void **state)
{
    const struct text_case *c = *state;
    check_input(c->text, &c->want);
}

static void run_made(void **state)
{
    const struct made_case *c = *state;
    struct bytes b = c->make();
    check_input(span_of_bytes(b), &c->want);
    free(b.ptr);
}

/* Open only, and closed again, as arrays and as objects. */
static void deep_json(void **state)
{
    const char *beginning = *state;
    static const struct outcome refused = { 1, -1, "/in:1: ", -1 };
    struct bytes b[] = {
        repeat(beginning, "[", DEEP, ""),
        repeat(beginning, "{\"a\":", DEEP, ""),
        repeat(beginning, "[", DEEP, ""),
    };
    struct bytes ends = repeat("", "]", DEEP, "}}\n");
    bytes_add(&b[2], span_of_bytes(ends));
    free(ends.ptr);
    for (size_t i = 0; i < N(b); i++) {
        check_input(span_of_bytes(b[i]), &refused);
        free(b[i].ptr);
    }
}

int main(void)
{
    struct CMUnitTest t[N(texts) + N(made) + N(json_beginnings)];
    size_t n = 0;
    for (size_t i = 0; i < N(texts); i++)
        t[n++] = (struct CMUnitTest){ texts[i].why, run_text, fixture_setup, fixture_teardown,
                                      (void *)(uintptr_t)&texts[i] };
    for (size_t i = 0; i < N(made); i++)
        t[n++] = (struct CMUnitTest){ made[i].why, run_made, fixture_setup, fixture_teardown,
                                      (void *)(uintptr_t)&made[i] };
    for (size_t i = 0; i < N(json_beginnings); i++)
        t[n++] = (struct CMUnitTest){ json_beginnings[i], deep_json, fixture_setup,
                                      fixture_teardown, (void *)(uintptr_t)json_beginnings[i] };
    return _cmocka_run_group_tests("hostile", t, n, NULL, NULL);
}
