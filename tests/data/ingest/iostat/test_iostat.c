/* tests/data/ingest/iostat/test_iostat.c - odd lines, refusals, texts that are cut. */
#include "tests/data/ingest/iostat/iostat_got.h"

#include "tests/each_allocation.h"

static const struct odd_case {
    const char *why, *text, *want, *warnings;
    int64_t skipped;
} odd_cases[] = {
    { "the last row is cut between two values",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"
      "sdb 1.00 8.00 0.00",
      "2022-05-18T07:00:00Z - sda\n", "4: the file ends in this row: it is left out\n", 1 },
    { "the last row is cut in its last value",
      "2022-05-18 07:00:00\n" HEAD "sdb 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.1", "",
      "3: the file ends in this row: it is left out\n", 1 },
    { "the last row is whole, only its line end is missing",
      "2022-05-18 07:00:00\n" HEAD "sdb 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10",
      "2022-05-18T07:00:00Z - sdb\n", "", 0 },
    { "the name at the end may be cut: left out",
      "2022-05-18 07:00:00\n r/s rkB/s w/s wkB/s %util Device\n 1.00 8.00 0.00 0.00 0.10 nvme1", "",
      "3: the file ends in this row: it is left out\n", 1 },
    { "the heading is cut", "2022-05-18 07:00:00\nDevice r/s rkB/s w/s wk", "",
      "2: the file ends in this heading: it is left out\n"
      "0: no device table (iostat -c, or nothing but a header)\n",
      0 },
    { "a short row in the middle is skipped",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00\nsdb 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n",
      "2022-05-18T07:00:00Z - sdb\n", "3: row skipped: 2 of 8 values\n", 1 },
    { "a long row is skipped",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10 7.00\n", "",
      "3: row skipped: more than 8 values\n", 1 },
    { "a prompt within a table is skipped",
      "2022-05-18 07:00:00\n" HEAD "[oracle@db1 ~]$ iostat -x 5\n", "",
      "3: row skipped: '~]$' is not a number\n", 1 },
    { "after three of a kind they are counted",
      "2022-05-18 07:00:00\n" HEAD "a x\nb x\nc x\nd x\ne x\n", "",
      "3: row skipped: 'x' is not a number\n4: row skipped: 'x' is not a number\n"
      "5: row skipped: 'x' is not a number\n0: in all 5 rows were skipped\n",
      5 },
    { "group rows are sums",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"
      " ASMDATA 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n",
      "2022-05-18T07:00:00Z - sda\n",
      "4: group 'ASMDATA' (iostat -g) is a sum of devices: skipped\n", 1 },
    { "groups without their devices (-H) are all there is",
      "2022-05-18 07:00:00\n" HEAD " ASMDATA 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"
      " ASMREDO 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n",
      "2022-05-18T07:00:00Z - ASMDATA\n2022-05-18T07:00:00Z - ASMREDO\n", "", 0 },
    { "a text that is indented as a whole has no groups",
      " 2022-05-18 07:00:00\n " HEAD " sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n \n",
      "2022-05-18T07:00:00Z - sda\n", "", 0 },
    { "an unknown column is skipped",
      "2022-05-18 07:00:00\nDevice r/s rkB/s w/s wkB/s z/s %util\n"
      "sda 1.00 8.00 0.00 0.00 9.00 0.10\n",
      "2022-05-18T07:00:00Z - sda\n", "2: unknown column 'z/s' is skipped\n", 0 },
    { "a new Linux line ends a table that was cut",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"
      "Linux 5.4 (db1) \t2022-05-18 \t_x86_64_\n2022-05-18 08:00:00\n" HEAD
      "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n",
      "2022-05-18T07:00:00Z - sda\n2022-05-18T08:00:00Z - sda boot\n", "", 0 },
    { "lines of a collector around the reports",
      "### started\nzzz ***Wed May 18 07:00:00 UTC 2022\n2022-05-18 07:00:00\n" TABLE
      "zzz ***Wed May 18 07:01:00 UTC 2022\n2022-05-18 07:01:00\n" TABLE,
      "2022-05-18T07:00:00Z - sda\n2022-05-18T07:01:00Z 60 sda\n", "", 0 },
    { "a size that is half the truth is told",
      "2022-05-18 07:00:00\nDevice r/s rkB/s w/s wkB/s rareq-sz %util\n"
      "sda 10.00 160.00 0.00 0.00 8.00 0.10\n",
      "2022-05-18T07:00:00Z - sda\n",
      "3: device sda: the mean request size printed is far from bytes / requests, which is used\n",
      0 },
    { "a device just attached shows its lifetime",
      "2022-05-18 07:00:00\n" HEAD "sda 900.00 8.00 0.00 0.00 0.50 0.00 0.00 34569.89\n",
      "2022-05-18T07:00:00Z - sda\n",
      "3: device sda: more than a device can do in this interval (just attached, or a counter that "
      "wrapped)\n",
      0 },
    { "a figure that is no number is unknown, and told",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00 0.00 0.00 nan 0.00 0.00 0.10\n"
      "sdb 1.00 8.00 0.00 0.00 -inf 0.00 0.00 0.10\n",
      "2022-05-18T07:00:00Z - sda\n2022-05-18T07:00:00Z - sdb\n",
      "3: device sda: a figure is 'nan': taken as unknown\n"
      "4: device sdb: a figure is '-inf': taken as unknown\n",
      0 },
    { "a device twice in one report, and again in the next",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"
      "sdb 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\nsda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"
      "\n2022-05-18 07:00:05\n" HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n",
      "2022-05-18T07:00:00Z - sda\n2022-05-18T07:00:00Z - sdb\n2022-05-18T07:00:00Z - sda\n"
      "2022-05-18T07:00:05Z 5 sda\n",
      "5: device sda stands in this report before: both rows are kept\n", 0 },
    { "a line of nothing but feeds is blank", "\v\f\n2022-05-18 07:00:00\n" HEAD "\f\v\n" HEAD, "",
      "5: this report has no time stamp that can be read\n", 0 },
    { "iostat -c", LINUX CPU, "", "0: no device table (iostat -c, or nothing but a header)\n", 0 },
};

static void odd_lines(void **state)
{
    const struct odd_case *c = *state;
    struct got g = { .n = 0 };
    int64_t skipped;
    struct err e = { 0 };
    if (read_text(span_of(c->text), NULL, &g, &skipped, &e))
        fail_msg("%s", e.text);
    assert_string_equal(g.times, c->want);
    assert_string_equal(g.warnings, c->warnings);
    assert_int_equal(skipped, c->skipped);
}

static void artefacts(void **state)
{
    (void)state;
    static const struct {
        const char *why, *row;
        bool want;
    } rows[] = {
        { "a device may be above 100 %", "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 180.00\n", false },
        { "ten intervals in one are too many", "sda 1.00 8.00 0.00 0.00 0.5 0 0 1000.01\n", true },
        { "3.5 million requests a second and high use",
          "sda 1234569.20 108.40 2345679.50 99382869.60 0.37 0.42 1444.46 34569.89\n", true },
        { "5 000 001 requests a second", "sda 5000001.00 8.00 0.00 0.00 0.5 0 0 100.00\n", true },
        { "a negative rate", "sda -12.00 8.00 0.00 0.00 0.5 0 0 100.00\n", true },
        { "the largest io2 volume", "sda 256000.00 4096000.00 0.00 0.00 0.5 0 0 100.00\n", false },
    };
    for (size_t i = 0; i < N(rows); i++) {
        char text[400];
        struct got g;
        snprintf(text, sizeof text, "%s%s", HEAD, rows[i].row);
        read_ok(text, NULL, &g);
        assert_int_equal(g.n, 1);
        if (g.last.artefact != rows[i].want)
            fail_msg("%s", rows[i].why);
    }
}

static void names_and_bytes(void **state)
{
    (void)state;
    struct got g;
    struct err e;
    int64_t skipped;
    read_ok(LINUX HEAD "cciss!c0d0 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n", NULL, &g);
    assert_string_equal(g.device, "cciss/c0d0");
    assert_string_equal(g.host, "db1.example");

    /* zeros behind the values, as 11.5.7 printed them */
    static const char nul[] = HEAD "sda 1.50\0 8.00\0 0.00\0 0.00\0 0.50\0 0.00\0 0.00\0 0.10\0\n";
    g = (struct got){ .n = 0 };
    assert_int_equal(read_text((struct span){ nul, sizeof nul - 1 }, NULL, &g, &skipped, &e), 0);
    assert_int_equal(g.n, 1);
    assert_true(g.last.reads_per_s == 1.5 && g.last.util_pct == 0.1);

    /* colours of a terminal */
    read_ok("\x1B[1m" HEAD
            "\x1B[32;22mnvme1n1   \x1B[0m\x1B[34;1m  1.50\x1B[0m 8.00 0.00 0.00 0.50 0.00 "
            "0.00 \x1B[31;1m  0.10\x1B[0m\n",
            NULL, &g);
    assert_string_equal(g.device, "nvme1n1");
    assert_true(g.last.reads_per_s == 1.5 && g.last.util_pct == 0.1);

    /* CRLF, and a value wider than its column */
    read_ok("Device    r/s rkB/s w/s wkB/s %util\r\nsda 64000.00 99382869.60 0.00 0.00 0.10\r\n",
            NULL, &g);
    assert_true(g.last.read_kib_per_s == 99382869.60 && g.last.util_pct == 0.1);

    char text[1200], name[400];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, "%s%s 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n", HEAD, name);
    read_ok(text, NULL, &g);
    assert_int_equal(g.n, 0);
    assert_non_null(strstr(g.warnings, "a device name of 399 bytes"));
}

/* --- refusals --------------------------------------------------------------------------------- */

static const struct refusal_case {
    const char *why, *text, *want;
} refusal_cases[] = {
    { "a heading wrapped by mail", "Device:    rrqm/s wrqm/s   r/s   w/s  rsec/s  wsec/s\n",
      "f:1: no column '%util' in this heading (was the text wrapped?)" },
    { "a date that contradicts the others",
      LINUX "05/18/2022 07:00:00 AM\n" TABLE "19/05/2022 07:00:00 AM\n" TABLE,
      "f:10: date 19/05/2022 is not month/day like the dates before it; say --date" },
    { "a day that does not exist", "2022-02-30 07:00:00\n" TABLE, "f:1: date 2022/02/30 is not" },
    { "nothing of iostat in it", "hello\nworld\n", "f:1: no report of iostat in it" },
};

static void refusals(void **state)
{
    const struct refusal_case *c = *state;
    struct got g = { .n = 0 };
    int64_t skipped;
    struct err e = { 0 };
    assert_int_equal(read_text(span_of(c->text), NULL, &g, &skipped, &e), ERR_PARSE);
    if (strncmp(e.text, c->want, strlen(c->want)) != 0)
        fail_msg("'%s' does not begin with '%s'", e.text, c->want);
}

static const struct detect_case {
    const char *why, *text;
    bool want;
} detect_cases[] = {
    { "an extended table", LINUX TABLE, true },
    { "a plain table", "Device: tps kB_read/s\n", true },
    { "JSON", "{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"disk\": [{\"disk_device\": \"a\"",
      true },
    { "JSON of sadf", "{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"disk\": [{\"disk-device\"",
      false },
    { "iostat -c", LINUX CPU, true },
    { "sar", "Linux 5.4 (db1) \t05/18/2022 \t_x86_64_\t(2 CPU)\n\n07:00:00  DEV  tps  rkB/s\n",
      false },
    { "prose", "Device Mapper is a framework of the Linux kernel (LVM)\n", false },
    { "a host list", "object3: Device: rrqm/s wrqm/s r/s w/s rkB/s wkB/s %util\n", false },
    { "nothing", "", false },
};

static void detects(void **state)
{
    const struct detect_case *c = *state;
    assert_int_equal(iostat_detect(span_of(c->text)) > 0, c->want);
}

/* --- any cut, no memory ----------------------------------------------------------------------- */

#define CUT_TEXT                                                                                   \
    LINUX "05/18/2022 07:00:00 AM\n" CPU HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"      \
          "sdb 2.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n\n"                                        \
          "05/18/2022 07:01:00 AM\n" CPU HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"      \
          "sdb 2.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n\n"

/* Cut anywhere, the text gives the rows that are whole, and no error. */
static void cut_anywhere(void **state)
{
    (void)state;
    static const char text[] = CUT_TEXT;
    size_t first_row = (size_t)(strstr(text, "sda") - text);
    for (size_t len = first_row; len < sizeof text; len++) {
        size_t whole = 0;
        for (const char *p = text; (p = strstr(p, "0.10")) && p + 4 <= text + len; p += 4)
            whole++;
        char *copy = malloc(len); /* of just that size, for the sanitizer */
        assert_non_null(copy);
        memcpy(copy, text, len);
        struct got g = { .n = 0 };
        int64_t skipped;
        struct err e = { 0 };
        if (read_text((struct span){ copy, len }, NULL, &g, &skipped, &e))
            fail_msg("cut at %zu: %s", len, e.text);
        if (g.n != whole)
            fail_msg("cut at %zu: %zu rows, expected %zu", len, g.n, whole);
        free(copy);
    }
}

static void without_memory(void **state)
{
    (void)state;
    static const char text[] = "\x1B[0m" CUT_TEXT;
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        struct got g = { .n = 0 };
        int64_t skipped;
        it.rc = read_text((struct span){ text, sizeof text - 1 }, NULL, &g, &skipped, &it.e);
        assert_int_equal(it.e.code, it.rc);
    }
    assert_int_equal(it.n, 4); /* the source, the line without escapes, the devices seen */
}

/* A sink that says no is obeyed at once. */
static int say_no(void *ctx, const struct io_sample *s, struct err *e)
{
    (void)s;
    ++*(int *)ctx;
    return err_set(e, ERR_STORE, "no");
}

static void the_sink_may_end_it(void **state)
{
    (void)state;
    static const struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct arena a = { 0 };
    struct err e;
    int calls = 0;
    int64_t rows, skipped;
    struct sink sink = { .ctx = &calls, .sample = say_no, .warning = on_warning };
    struct source *src = source_of_span("f", SPAN_LIT(CUT_TEXT));
    assert_int_equal(iostat_read(src, &o, &sink, &a, &rows, &skipped, &e), ERR_STORE);
    assert_int_equal(calls, 1);
    source_close(src);
    arena_release(&a);
}

int main(void)
{
    struct CMUnitTest t[N(odd_cases) + N(refusal_cases) + N(detect_cases) + 5];
    size_t n = 0;
    CASE_TESTS(odd_cases, odd_lines);
    CASE_TESTS(refusal_cases, refusals);
    CASE_TESTS(detect_cases, detects);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(artefacts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(names_and_bytes);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(cut_anywhere);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(without_memory);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(the_sink_may_end_it);
    return _cmocka_run_group_tests("iostat", t, n, NULL, NULL);
}
