/* tests/data/ingest/awr/test_awr_read.c - whole reports against expectations, broken ones
 * against their message.
 *
 * The expectations NAME.out were worked out from the cells as printed (1 G = 1024 MiB, a rate
 * over an overflow = total / elapsed), not taken from the parser.  The 19c fixture holds the
 * table "IOStat by Filetype summary" and the top events of a published investigation. */
#include "tests/data/ingest/awr/awr_fixture.h"

#include "data/zone.h"

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <setjmp.h>

#include <cmocka.h>

static char input[FILE_MAX_BYTES], wanted[FILE_MAX_BYTES];
static struct reading x;

/* --- goldens ---------------------------------------------------------------------------------- */

static const struct golden {
    const char *why, *in, *out, *warnings;
} goldens[] = {
    { "19c text", "prd1_19c.in", "prd1_19c.out",
      "0: averages over snapshots 812 to 815, 3.0 h: peaks within are not seen\n" },
    { "19c HTML, the same report", "prd1_19c.html", "prd1_19c.out",
      "0: averages over snapshots 812 to 815, 3.0 h: peaks within are not seen\n" },
    { "11.2.0.3 text: no suffix, N/A, two digits, doubled statistic", "prd2_112.in", "prd2_112.out",
      "" },
    { "11.2.0.3 HTML: blank for N/A, tables without titles, spool text behind the end",
      "prd2_112.html", "prd2_112.out", "" },
    { "10g text: two columns of Load Profile, no IOStat", "prd3_10g.in", "prd3_10g.out",
      "0: no table \"IOStat by Filetype summary\": the load is known of the whole instance "
      "only\n" },
};

static void whole_report(void **state)
{
    const struct golden *g = *state;
    size_t n = load_fixture(FIXTURES, g->in, input);
    load_fixture(FIXTURES, g->out, wanted);
    assert_int_equal(awr_detect((struct span){ input, n }), 95);
    read_bytes(&x, g->in, input, n, NULL);
    assert_string_equal(x.err.text, "");
    assert_int_equal(x.rc, 0);
    assert_int_equal(x.rows, 1);
    assert_string_equal(x.dump, wanted);
    assert_string_equal(x.warnings, g->warnings);
    arena_release(&x.arena);
}

/* Rows of the article add up to its TOTAL row within 0.2, blanks counting nothing. */
static void rows_add_up(void **state)
{
    double read_mibps = 0, write_mibps = 0, read_iops = 0, write_iops = 0;
    (void)state;
    size_t n = load_fixture(FIXTURES, "prd1_19c.in", input);
    read_bytes(&x, "in", input, n, NULL);
    assert_int_equal(x.s.n_filetypes, 8);
    const struct awr_io_row *rows = x.s.filetypes, *total = &rows[7];
    for (size_t i = 0; i < 7; i++) {
        read_mibps += rows[i].read_bytes_per_s / MIB_BYTES;
        write_mibps += rows[i].write_bytes_per_s / MIB_BYTES;
        read_iops += rows[i].read_requests_per_s;
        write_iops += rows[i].write_requests_per_s;
    }
    assert_string_equal(total->name, "TOTAL");
    assert_true(fabs(read_mibps - total->read_bytes_per_s / MIB_BYTES) <= 0.2);
    assert_true(fabs(write_mibps - total->write_bytes_per_s / MIB_BYTES) <= 0.2);
    assert_true(fabs(read_iops - total->read_requests_per_s) <= 0.2);
    assert_true(fabs(write_iops - total->write_requests_per_s) <= 0.2);
    /* its one latency stands under "Small": "Large" is blank, not 0 */
    assert_string_equal(rows[4].name, "Flashback Log");
    assert_true(fabs(rows[4].small_read_ms - 0.47143) < 1e-12);
    assert_true(isnan(rows[4].large_read_ms));
    arena_release(&x.arena);
}

/* Line numbers, counted in the fixtures. */
static void lines(void **state)
{
    static const struct {
        const char *name;
        int64_t log_file, redo_size, first_event;
    } files[] = { { "prd1_19c.in", 155, 101, 64 }, { "prd1_19c.html", 131, 95, 67 } };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        size_t n = load_fixture(FIXTURES, files[i].name, input);
        read_bytes(&x, "in", input, n, NULL);
        assert_int_equal(x.s.filetypes[0].line, files[i].log_file);
        assert_int_equal(x.s.events[0].line, files[i].first_event);
        for (size_t k = 0; k < x.s.n_stats; k++)
            if (strcmp(x.s.stats[k].name, "redo size") == 0)
                assert_int_equal(x.s.stats[k].line, files[i].redo_size);
        arena_release(&x.arena);
    }
}

static void zone_given(void **state)
{
    struct arena a = { 0 };
    const struct zone *zone;
    struct err e = { 0 };
    (void)state;
    size_t n = load_fixture(FIXTURES, "prd1_19c.in", input);
    assert_int_equal(zone_open(SPAN_LIT("+02:00"), &a, &zone, &e), 0);
    read_bytes(&x, "in", input, n, zone);
    char text[32];
    assert_string_equal(time_format_iso(text, x.s.begin_ms), "2022-05-18T05:00:00Z");
    assert_true(x.s.elapsed_s == 10758);
    arena_release(&x.arena);
    arena_release(&a);
}

/* --- what must be refused --------------------------------------------------------------------- */

#define BAD FIXTURES "bad/"

static void refused(void **state)
{
    const char *name = *state;
    char file[80], path[120];
    snprintf(file, sizeof file, "%.60s.err", name);
    load_fixture(BAD, file, wanted);
    wanted[strcspn(wanted, "\n")] = '\0';
    snprintf(file, sizeof file, "%.60s.in", name);
    size_t n = load_fixture(BAD, file, input);
    snprintf(path, sizeof path, BAD "%s", file);
    read_bytes(&x, path, input, n, NULL);
    assert_string_equal(x.err.text, wanted);
    assert_int_equal(x.rc, ERR_PARSE);
    assert_int_equal(x.n_snapshots, 0);
    arena_release(&x.arena);
}

/* Every NAME.in in bad/ is a test; returns their number. */
static size_t list_bad(char names[][64], size_t most)
{
    DIR *d = opendir(BAD);
    size_t n = 0;
    struct dirent *entry;
    while (d && (entry = readdir(d)) && n < most) {
        size_t len = strlen(entry->d_name);
        if (len > 3 && len < 64 && strcmp(entry->d_name + len - 3, ".in") == 0)
            snprintf(names[n++], 64, "%.*s", (int)(len - 3), entry->d_name);
    }
    if (d)
        closedir(d);
    return n;
}

static void not_detected(void **state)
{
    (void)state;
    assert_int_equal(awr_detect(SPAN_LIT("")), 0);
    assert_int_equal(awr_detect(SPAN_LIT("Device r/s w/s\nnvme0n1 1 2\n")), 0);
    assert_int_equal(awr_detect(SPAN_LIT("see the WORKLOAD REPOSITORY report\n")), 0);
    assert_int_equal(awr_detect(SPAN_LIT("SQL> x\n\fWORKLOAD REPOSITORY report for\n")), 95);
    assert_int_equal(awr_detect(SPAN_LIT("\nSTATSPACK report for\n")), 0);
    assert_int_equal(awr_detect(SPAN_LIT("~~BEGIN-OS-INFORMATION~~\n")), 0);
}

int main(void)
{
    enum { GOLDENS = sizeof goldens / sizeof *goldens, BAD_MAX = 60 };
    static char bad[BAD_MAX][64];
    struct CMUnitTest tests[GOLDENS + BAD_MAX + 5] = {
        cmocka_unit_test(rows_add_up),
        cmocka_unit_test(lines),
        cmocka_unit_test(zone_given),
        cmocka_unit_test(not_detected),
    };
    size_t n = 4, n_bad = list_bad(bad, BAD_MAX);
    for (size_t i = 0; i < GOLDENS; i++)
        tests[n++] = (struct CMUnitTest){ goldens[i].why, whole_report, NULL, NULL,
                                          (void *)(uintptr_t)&goldens[i] };
    for (size_t i = 0; i < n_bad; i++)
        tests[n++] = (struct CMUnitTest){ bad[i], refused, NULL, NULL, bad[i] };
    awr_html_global_init();
    int failed = n_bad < 20 || _cmocka_run_group_tests("awr_read", tests, n, NULL, NULL) != 0;
    awr_html_global_release();
    return failed;
}
