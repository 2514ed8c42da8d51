/* tests/data/ingest/awr/test_awr_kinds.c - reports of several parts: clusters and compared periods,
 * and what the newest releases put before a report.
 *
 * The same report as text and as HTML has one expectation, NAME.out, worked out from the cells as
 * printed: MB are MiB, Redo Size (k) is KiB, of two instances the sum. */
#include "tests/data/ingest/awr/awr_fixture.h"

#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

static char input[FILE_MAX_BYTES], wanted[FILE_MAX_BYTES];
static struct reading x;

/* The reads by function of the cluster and of its third instance are counter faults; lines differ
 * between text and HTML. */
#define RAC_WARNING_1                                                                              \
    ": 'TOTAL': 298913810.7 read requests/s are more than the 1739.4 of the whole instance in IO " \
    "Profile: taken as unknown\n"
#define RAC_WARNING_2                                                                              \
    ": 'Smart Scan': 9999999.0 read requests/s are more than the 4.3 of the whole instance in "    \
    "the table by file type: taken as unknown\n"

static const struct golden {
    const char *why, *in, *out;
    int (*detect)(struct span head);
    int rows;
    const char *warnings[2];
} goldens[] = {
    { "cluster, 19c text",
      "prd4_rac19c.in",
      "prd4_rac19c.out",
      awr_rac_detect,
      3,
      { RAC_WARNING_1, RAC_WARNING_2 } },
    { "cluster, 19c HTML",
      "prd4_rac19c.html",
      "prd4_rac19c.out",
      awr_rac_detect,
      3,
      { RAC_WARNING_1, RAC_WARNING_2 } },
    { "cluster, 11.2 text: a column for each name, no sums",
      "prd5_rac112.in",
      "prd5_rac112.out",
      awr_rac_detect,
      3,
      { NULL } },
    { "cluster, 11.2 HTML", "prd5_rac112.html", "prd5_rac112.out", awr_rac_detect, 3, { NULL } },
    { "two periods, text", "prd6_diff.in", "prd6_diff.out", awr_diff_detect, 2, { NULL } },
    { "two periods, HTML", "prd6_diff.html", "prd6_diff.out", awr_diff_detect, 2, { NULL } },
};

static void whole_report(void **state)
{
    const struct golden *g = *state;
    size_t n = load_fixture(FIXTURES, g->in, input);
    load_fixture(FIXTURES, g->out, wanted);
    assert_int_equal(g->detect((struct span){ input, n }), 95);
    assert_int_equal(awr_detect((struct span){ input, n }), 0);
    read_bytes(&x, g->in, input, n, NULL);
    assert_string_equal(x.err.text, "");
    assert_int_equal(x.rows, g->rows);
    assert_string_equal(x.dump, wanted);
    for (size_t i = 0; i < 2 && g->warnings[i]; i++)
        assert_non_null(strstr(x.warnings, g->warnings[i]));
    if (!g->warnings[0])
        assert_string_equal(x.warnings, "");
    arena_release(&x.arena);
}

/* A report of two periods never says that it ends: cut within a table, or before its Load Profile,
 * it is refused. */
static void cut_short(void **state)
{
    static const struct {
        const char *name, *at, *error;
    } cuts[] = {
        { "prd6_diff.in", "\nWorkload Comparison", "the input stops within a table" },
        { "prd6_diff.in", "redo writes", "the input stops within a table" },
        { "prd6_diff.html", "Top Timed Events", NULL },
        { "prd6_diff.html", "Load Profile", "no Load Profile of both periods" },
        { "prd6_diff.html", "redo writes", "the input stops within a table" },
        { "prd4_rac19c.in", "End of Report", "no \"End of Report\"" },
        { "prd4_rac19c.html", "End of Report", "no \"End of Report\"" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        size_t n = load_fixture(FIXTURES, cuts[i].name, input);
        ptrdiff_t at = span_find((struct span){ input, n }, cuts[i].at);
        assert_true(at > 0);
        read_bytes(&x, "cut", input, (size_t)at, NULL);
        assert_int_equal(x.rc, cuts[i].error ? ERR_PARSE : 0);
        if (cuts[i].error && !strstr(x.err.text, cuts[i].error))
            fail_msg("%s", x.err.text);
        assert_int_equal(x.n_snapshots, cuts[i].error ? 0 : 2);
        arena_release(&x.arena);
    }
}

/* --- one cell of a good report changed ----------------------------------------------------------
 */

static const struct change {
    const char *why, *name, *what, *by;
    const char *error;   /* NULL: it is read */
    const char *warning; /* part of the warnings; NULL: none in particular */
    const char *read;    /* part of what is read */
} changes[] = {
    { "a garbled event costs its row", "prd1_19c.in", "8,568,722     6823.3",
      "8,568,722     68z3.3", NULL,
      "66: top events, 'db file sequential read': column 'total wait time (sec)': bad value "
      "'68z3.3', expected a count like 521.8K; the row is left out\n",
      "event \"DB CPU\"" },
    { "a cluster's garbled event", "prd4_rac19c.in", "144,000", "144,0zz", NULL,
      "Top Timed Events, '*': column 'event waits': bad value '144,0zz', expected a count like "
      "521.8K; the row is left out\n",
      "event \"DB CPU\"" },
    { "a cluster's garbled load", "prd4_rac19c.in", "1,638.50", "1,638.5o",
      "changed:56: System Statistics - Per Second, '1': column 'redo size (k)/s': bad value "
      "'1,638.5o', expected a number like 1,801.13",
      NULL, NULL },
    { "a cluster's garbled file type", "prd4_rac19c.html", "<td class=\"awrc\">8.26",
      "<td class=\"awrc\">8.z6",
      "changed:77: IOStat by File Type, '*': column 'requests reads/s': bad "
      "value '8.z6', expected a count like 521.8K",
      NULL, NULL },
    { "an instance listed twice", "prd5_rac112.in", "\n2  prd52", "\n1  prd52", NULL,
      "instance 1 is listed twice: not added\n", "number 1 host db1.example" },
    { "a cluster without instances", "prd5_rac112.in", "I# Instance ", "I# Instanze ",
      "changed:57: no begin and end of the period", NULL, NULL },
    { "a period that ends before it begins", "prd6_diff.in", "18-May-22 08:00:00",
      "18-May-22 06:00:00", NULL,
      "elapsed time is printed as 60.00 min, but begin and end are -60.00 min apart", NULL },
    { "redo of a period that cannot be read", "prd6_diff.in", "552,173.5", "552,l73.5",
      "changed:26: Load Profile, 'Redo size:': column '2nd per sec': bad value '552,l73.5', "
      "expected "
      "a number like 1,801.13",
      NULL, NULL },
    { "requests of a period that are negative", "prd6_diff.in", "581.9 861.5", "581.9 -61.5",
      "column 'total reads 2nd': bad value '-61.5', expected a count like 521.8K", NULL, NULL },
};

static void changed_cell(void **state)
{
    const struct change *c = *state;
    static char changed[FILE_MAX_BYTES];
    size_t n = load_fixture(FIXTURES, c->name, input);
    struct span all = { input, n };
    ptrdiff_t at = span_find(all, c->what);
    const char *by = c->by ? c->by : c->what;
    assert_true(at > 0);
    size_t head = (size_t)at, tail = head + strlen(c->what);
    int len = snprintf(changed, sizeof changed, "%.*s%s%s", (int)head, input, by, input + tail);
    assert_true(len > 0 && len < FILE_MAX_BYTES);
    read_bytes(&x, "changed", changed, (size_t)len, NULL);
    if (c->error ? !strstr(x.err.text, c->error) : x.err.text[0])
        fail_msg("error: %s", x.err.text);
    if (c->warning && !strstr(x.warnings, c->warning))
        fail_msg("warnings: %s", x.warnings);
    if (c->read && !strstr(x.dump, c->read))
        fail_msg("read: %s", x.dump);
    arena_release(&x.arena);
}

/* --- single reports -----------------------------------------------------------------------------
 */

#define LOAD_23AI                                                                                  \
    "Load Profile                    Per Second   Per Transaction  Per Exec  Per Call\n"           \
    "~~~~~~~~~~~~~~~            ---------------   --------------- --------- ---------\n"           \
    "      Redo size (bytes):      12,116,295.7          51,122.3\n"                               \
    "            User logons:               1.5               0.0\n\n"

/* 21c and 23ai: a user name behind the instance, open containers, a role of two words. */
static void report_of_23ai(void **state)
{
    static const char report[] =
        "WORKLOAD REPOSITORY report for\n\n"
        "DB Name         DB Id    Unique Name DB Role          Edition Release    RAC CDB\n"
        "------------ ----------- ----------- ---------------- ------- ---------- --- ---\n"
        "PRD9          9876543210 PRD9_fra2b  PHYSICAL STANDBY XP      23.0.0.0.0 NO  YES\n\n"
        "Instance     Inst Num Startup Time    User Name    System Data Visible\n"
        "------------ -------- --------------- ------------ --------------------\n"
        "PRD9                1 23-Jun-24 09:29 SYS          YES\n\n"
        "Container DB Id  Container Name       Open Time\n"
        "--------------- --------------- ---------------\n"
        "      549332648 CDB$ROOT        29-Jun-24 13:19\n"
        "     3978915883 PDB9            29-Jun-24 13:20\n\n"
        "Host Name        Platform                         CPUs Cores Sockets Memory(GB)\n"
        "---------------- -------------------------------- ---- ----- ------- ----------\n"
        "db9.example      Linux x86 64-bit                    4     2       1      14.43\n\n"
        "              Snap Id      Snap Time      Sessions Curs/Sess Pluggable Databases Open\n"
        "            --------- ------------------- -------- --------- ------------------------\n"
        "Begin Snap:        12 29-Jun-24 14:00:00        61       1.4                        1\n"
        "  End Snap:        13 29-Jun-24 15:00:00        63       1.5                        1\n"
        "   Elapsed:               60.00 (mins)\n"
        "   DB Time:                0.52 (mins)\n\n" LOAD_23AI "End of Report\n";
    (void)state;
    read_bytes(&x, "23ai", report, sizeof report - 1, NULL);
    assert_string_equal(x.err.text, "");
    assert_non_null(strstr(x.dump,
                           "snapshot db PRD9 id 9876543210 instance PRD9 number 1 host "
                           "db9.example release 23.0.0.0.0 platform Linux x86 64-bit rac 0 "
                           "cpus 4\n"
                           "period 2024-06-29T14:00:00Z 2024-06-29T15:00:00Z elapsed 3600 s "
                           "db_time 31.2 s\n"
                           "load redo_bytes_per_s 12116295.7\n"
                           "load redo_bytes_per_txn 51122.3\n"
                           "load user_logons_per_s 1.5\n"));
    arena_release(&x.arena);
}

/* A report of a decimal comma as UTF-16, as a German Windows saves it. */
static void utf16_with_decimal_comma(void **state)
{
    static const char report[] = "WORKLOAD REPOSITORY report for\n\n"
                                 "              Snap Id      Snap Time      Sessions Curs/Sess\n"
                                 "            --------- ------------------- -------- ---------\n"
                                 "Begin Snap:       812 18-M\xE4r-22 07:00:00     1.095       2,6\n"
                                 "  End Snap:       813 18-M\xE4r-22 08:00:00     1.068       2,6\n"
                                 "   Elapsed:               60,00 (mins)\n"
                                 "   DB Time:            1.326,27 (mins)\n\n"
                                 "End of Report\n";
    char wide[2 * sizeof report + 2];
    size_t n = 0;
    (void)state;
    wide[n++] = '\xFF';
    wide[n++] = '\xFE';
    for (size_t i = 0; i < sizeof report - 1; i++) {
        wide[n++] = report[i];
        wide[n++] = '\0';
    }
    read_bytes(&x, "utf16", wide, n, NULL);
    assert_string_equal(x.err.text, "");
    char begin[32];
    assert_string_equal(time_format_iso(begin, x.s.begin_ms), "2022-03-18T07:00:00Z");
    assert_true(fabs(x.s.db_time_s - 1326.27 * 60) < 1e-6);
    arena_release(&x.arena);
}

static void piece_without_head(void **state)
{
    static const char piece[] = "```\nLoad Profile\n~~~~~~~~~~~~\n"
                                "                           Per Second      Per Transaction\n"
                                "                      ---------------      ---------------\n"
                                "       Redo size:          140,839.60             5,345.24\n```\n";
    (void)state;
    assert_int_equal(awr_detect((struct span){ piece, sizeof piece - 1 }), 40);
    read_bytes(&x, "piece.md", piece, sizeof piece - 1, NULL);
    assert_int_equal(x.rc, ERR_PARSE);
    assert_string_equal(x.err.text,
                        "piece.md:1: no title \"WORKLOAD REPOSITORY report\": this is not an AWR "
                        "report, or a piece of one without its head");
    arena_release(&x.arena);
}

/* Three garbled rows are told, the rest counted. */
static void many_garbled_rows(void **state)
{
    static const char head[] =
        "WORKLOAD REPOSITORY report for\n\n"
        "              Snap Id      Snap Time      Sessions Curs/Sess\n"
        "            --------- ------------------- -------- ---------\n"
        "Begin Snap:       812 18-May-22 07:00:00     1,095       2.6\n"
        "  End Snap:       813 18-May-22 08:00:00     1,068       2.6\n\n"
        "Statistic                                     Total     per Second     per Trans\n"
        "-------------------------------- ------------------ -------------- -------------\n";
    char report[4096];
    (void)state;
    size_t n = (size_t)snprintf(report, sizeof report, "%s", head);
    for (int i = 0; i < 9; i++)
        n += (size_t)snprintf(report + n, sizeof report - n, "stat %d %44s %14s\n", i,
                              i == 4 ? "7,200" : "7,2oo", "2.0");
    snprintf(report + n, sizeof report - n, "\nEnd of Report\n");
    read_bytes(&x, "many", report, strlen(report), NULL);
    assert_string_equal(x.err.text, "");
    assert_int_equal(x.s.n_stats, 1);
    assert_int_equal(x.skipped, 8);
    assert_non_null(strstr(x.warnings,
                           "10: Instance Activity Stats, 'stat 0': column 'total': bad value "
                           "'7,2oo', expected a number like 1,801.13; the row is left "
                           "out\n"));
    assert_null(strstr(x.warnings, "'stat 3'"));
    assert_non_null(strstr(x.warnings, "0: 5 more rows with a bad value are left out\n"));
    arena_release(&x.arena);
}

static void many_instances(void **state)
{
    static const char head[] = "<html><h1>WORKLOAD REPOSITORY REPORT "
                               "(RAC)</h1><table><tr><th>I#<th>Instance<th>Begin Snap "
                               "Time<th>End Snap Time</tr>";
    size_t n = 0;
    (void)state;
    n += (size_t)snprintf(input, sizeof input, "%s", head);
    for (int i = 1; i <= 300; i++)
        n += (size_t)snprintf(input + n, sizeof input - n,
                              "<tr><td>%d<td>i<td>18-May-22 07:00<td>18-May-22 08:00</tr>\n", i);
    read_bytes(&x, "many", input, n, NULL);
    assert_int_equal(x.rc, ERR_LIMIT);
    arena_release(&x.arena);
}

/* --- memory -------------------------------------------------------------------------------------
 */

static void torture(void **state)
{
    const char *name = *state;
    size_t n = load_fixture(FIXTURES, name, input);
    read_without_memory("rac", input, n);
}

static char rac_text[] = "prd4_rac19c.in", wide_html[] = "prd5_rac112.html",
            diff_text[] = "prd6_diff.in", diff_html[] = "prd6_diff.html";

int main(void)
{
    enum {
        N_GOLDENS = sizeof goldens / sizeof *goldens,
        N_CHANGES = sizeof changes / sizeof *changes
    };
    struct CMUnitTest tests[N_GOLDENS + N_CHANGES + 10] = {
        cmocka_unit_test(cut_short),
        cmocka_unit_test(report_of_23ai),
        cmocka_unit_test(utf16_with_decimal_comma),
        cmocka_unit_test(piece_without_head),
        cmocka_unit_test(many_garbled_rows),
        cmocka_unit_test(many_instances),
        cmocka_unit_test_prestate(torture, rac_text),
        cmocka_unit_test_prestate(torture, wide_html),
        cmocka_unit_test_prestate(torture, diff_text),
        cmocka_unit_test_prestate(torture, diff_html),
    };
    size_t n = 10;
    for (size_t i = 0; i < N_GOLDENS; i++)
        tests[n++] = (struct CMUnitTest){ goldens[i].why, whole_report, NULL, NULL,
                                          (void *)(uintptr_t)&goldens[i] };
    for (size_t i = 0; i < N_CHANGES; i++)
        tests[n++] = (struct CMUnitTest){ changes[i].why, changed_cell, NULL, NULL,
                                          (void *)(uintptr_t)&changes[i] };
    awr_html_global_init();
    int failed = _cmocka_run_group_tests("awr_kinds", tests, n, NULL, NULL) != 0;
    awr_html_global_release();
    return failed;
}
