/* tests/data/ingest/awr/test_awr_variants.c - what spools, mail and old tools do to a report.
 *
 * Each variant changes the bytes of a good report without changing what it says: the same
 * must be read.  Then figures that contradict each other, limits, and failing allocations. */
#include "tests/data/ingest/awr/awr_fixture.h"

#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

static char input[FILE_MAX_BYTES], changed[4 * FILE_MAX_BYTES];
static size_t n_input, n_changed;
static struct reading plain, x;

static void add(const char *s, size_t n)
{
    assert_true(n_changed + n <= sizeof changed);
    memcpy(changed + n_changed, s, n);
    n_changed += n;
}

/* The input line by line, each line given to fn, which adds what it likes. */
static void each_line(void (*fn)(struct span line, size_t no))
{
    size_t no = 0;
    for (size_t at = 0; at < n_input; no++) {
        const char *nl = memchr(input + at, '\n', n_input - at);
        size_t end = nl ? (size_t)(nl - input) : n_input;
        fn((struct span){ input + at, end - at }, no);
        at = end + 1;
    }
}

/* --- variants --------------------------------------------------------------------------------- */

static void crlf(struct span line, size_t no)
{
    (void)no;
    add(line.ptr, line.len);
    add("\r\n", 2);
}

static void crcrlf(struct span line, size_t no)
{
    (void)no;
    add(line.ptr, line.len);
    add("\r\r\n", 3);
}

static void lone_cr(struct span line, size_t no)
{
    (void)no;
    add(line.ptr, line.len);
    add("\r", 1);
}

static void some_lone_cr(struct span line, size_t no)
{
    add(line.ptr, line.len);
    add(no % 5 ? "\r\n" : "\r", no % 5 ? 2 : 1);
}

static void trailing_blanks(struct span line, size_t no)
{
    (void)no;
    add(line.ptr, line.len);
    add("                 \n", 18);
}

static void trailing_zeros(struct span line, size_t no)
{
    (void)no;
    add(line.ptr, line.len);
    add("\0\0\n", 3);
}

static void question_marks(struct span line, size_t no)
{
    (void)no;
    if (line.len && line.ptr[0] == '\f') {
        add("?\n", 2);
        line = span_cut(line, 1, line.len);
    }
    add(line.ptr, line.len);
    add("   \n", 4);
}

static void no_form_feeds(struct span line, size_t no)
{
    (void)no;
    if (line.len && line.ptr[0] == '\f')
        line = span_cut(line, 1, line.len);
    add(line.ptr, line.len);
    add("\n", 1);
}

/* SQL*Plus with a small page size: even between headings and ruler. */
static void output_headings(struct span line, size_t no)
{
    if (no % 7 == 3)
        add("\nOUTPUT\n", 8);
    add(line.ptr, line.len);
    add("\n", 1);
}

static void doubled_quotes(struct span line, size_t no)
{
    (void)no;
    for (size_t i = 0; i < line.len; i++) {
        add(&line.ptr[i], 1);
        if (line.ptr[i] == '"')
            add("\"", 1);
    }
    add("\n", 1);
}

static void upper_case_tags(struct span line, size_t no)
{
    bool in_name = false;
    (void)no;
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        in_name = c == '<' || (in_name && ((c >= 'a' && c <= 'z') || c == '/'));
        char up = in_name && c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
        add(&up, 1);
    }
    add("\n", 1);
}

static void one_line(struct span line, size_t no)
{
    (void)no;
    add(line.ptr, line.len);
    add(" ", 1);
}

static const struct variant {
    const char *why, *name;
    void (*fn)(struct span line, size_t no);
} variants[] = {
    { "CRLF", "prd1_19c.in", crlf },
    { "CRLF twice over", "prd1_19c.in", crcrlf },
    { "lone CR", "prd1_19c.in", lone_cr },
    { "CRLF mixed with lone CR", "prd1_19c.in", some_lone_cr },
    { "trailing blanks", "prd1_19c.in", trailing_blanks },
    { "trailing NUL", "prd2_112.in", trailing_zeros },
    { "form feeds turned into '?' lines", "prd1_19c.in", question_marks },
    { "form feeds lost", "prd1_19c.in", no_form_feeds },
    { "OUTPUT every seven lines, 19c", "prd1_19c.in", output_headings },
    { "OUTPUT every seven lines, 11.2", "prd2_112.in", output_headings },
    { "HTML: CRLF", "prd1_19c.html", crlf },
    { "HTML: CRLF mixed with lone CR", "prd1_19c.html", some_lone_cr },
    { "HTML: quotes doubled by CSV", "prd1_19c.html", doubled_quotes },
    { "HTML: tags in capitals", "prd2_112.html", upper_case_tags },
    { "HTML: all in one line", "prd1_19c.html", one_line },
};

static void same_report(void **state)
{
    const struct variant *v = *state;
    n_input = load_fixture(FIXTURES, v->name, input);
    n_changed = 0;
    each_line(v->fn);
    read_bytes(&plain, "plain", input, n_input, NULL);
    read_bytes(&x, "changed", changed, n_changed, NULL);
    assert_string_equal(x.err.text, "");
    assert_true(x.dump_len > 1000);
    assert_string_equal(x.dump, plain.dump);
    assert_string_equal(x.warnings, plain.warnings);
    arena_release(&plain.arena);
    arena_release(&x.arena);
}

static void two_reports_in_one_file(void **state)
{
    static struct reading first;
    (void)state;
    n_input = load_fixture(FIXTURES, "prd1_19c.in", input);
    n_changed = 0;
    read_bytes(&first, "first", input, n_input, NULL);
    add(input, n_input);
    n_input = load_fixture(FIXTURES, "prd2_112.in", input);
    read_bytes(&plain, "second", input, n_input, NULL);
    add(input, n_input);
    read_bytes(&x, "both", changed, n_changed, NULL);
    assert_int_equal(x.rc, 0);
    assert_int_equal(x.rows, 2);
    assert_true(strncmp(x.dump, first.dump, first.dump_len) == 0);
    assert_string_equal(x.dump + first.dump_len, plain.dump);
    arena_release(&first.arena);
    arena_release(&plain.arena);
    arena_release(&x.arena);
}

/* --- replacing -------------------------------------------------------------------------------- */

/* The input with the first `what` behind `after` replaced. */
static void replace(const char *after, const char *what, const char *by)
{
    struct span all = { input, n_input };
    ptrdiff_t from = span_find(all, after);
    assert_true(from >= 0);
    ptrdiff_t at = span_find(span_cut(all, (size_t)from, all.len), what);
    assert_true(at >= 0);
    size_t cut = (size_t)(from + at);
    n_changed = 0;
    add(input, cut);
    add(by, strlen(by));
    add(input + cut + strlen(what), n_input - cut - strlen(what));
}

static const struct contradiction {
    const char *why, *name, *after, *what, *by, *warning;
    const char *dump; /* what must be read; NULL: nothing in particular */
} contradictions[] = {
    { "a rate of 37.323 GiB/s against 392.1 GiB in three hours", "prd1_19c.in", "\nLog File ",
      "37.323M", "37.323G",
      "155: 'Log File': the read rate is printed as 38218.752 MiB/s, but the total over the "
      "elapsed time gives 37.322: taken is the latter\n",
      "filetype \"Log File\" read 401510.4 MiB 37.9/s 37.322" },
    { "an overflow is total / elapsed: 392.1 * 1024 / 10758", "prd1_19c.in", "\nLog File ",
      "37.323M", "#######", "", "37.9/s 37.32203" },
    { "rows do not add up", "prd1_19c.in", "\nArchive Log ", " 22.1 ", "822.1 ",
      "162: read requests/s: the rows add up to 2180.5, but TOTAL is 1380.6\n", NULL },
    { "a request counter above the whole instance's", "prd1_19c.in", "\nBuffer Cache Re ",
      " 1239.8", "1239832",
      "read requests/s are more than the 1380.6 of the whole instance in IO Profile: taken as "
      "unknown\n",
      "function \"Buffer Cache Reads\" read 215961.6 MiB -/s" },
    { "printed minutes far from begin and end", "prd1_19c.in", "Elapsed:", "179.30", "119.30",
      "0: elapsed time is printed as 119.30 min, but begin and end are 179.30 min apart: taken is "
      "179.30 min\n",
      " elapsed 10758 s" },
    { "clocks set back within the period", "prd2_112.in", "End Snap:", "18:45:06", "17:45:06",
      "0: elapsed time is printed as 15.03 min, but begin and end are -44.98 min apart: taken is "
      "15.03 min\n",
      " elapsed 901.8 s" },
    { "most rates contradict: the period is doubted, the rates are kept", "prd1_19c.in",
      "End Snap:", "09:59:18", "08:59:18",
      "155: totals over the elapsed time contradict 12 of 12 rates: is the period right?\n",
      "filetype \"Log File\" read 401510.4 MiB 37.9/s 37.323 MiB/s" },
    { "a file type printed twice", "prd1_19c.in", "\nTemp File ", "Temp File", "Data File",
      "161: 'Data File' is printed twice (first in line 157): not added\n", NULL },
    { "no value at all", "prd2_112.in", "\nLog File ", ".823529", "       ", "",
      "filetype \"Log File\" read 0 MiB 0/s 0 MiB/s write 742 MiB 371.2/s 0.823529" },
};

static void contradiction(void **state)
{
    const struct contradiction *c = *state;
    n_input = load_fixture(FIXTURES, c->name, input);
    replace(c->after, c->what, c->by);
    read_bytes(&x, "changed", changed, n_changed, NULL);
    assert_string_equal(x.err.text, "");
    if (*c->warning ? !strstr(x.warnings, c->warning) : strstr(x.warnings, "taken") != NULL)
        fail_msg("warnings: %s", x.warnings);
    if (c->dump && !strstr(x.dump, c->dump))
        fail_msg("read: %s", x.dump);
    arena_release(&x.arena);
}

/* A text report clips names: two statistics of one name and different totals are neither. */
static void ambiguous_statistic(void **state)
{
    (void)state;
    n_input = load_fixture(FIXTURES, "prd2_112.in", input);
    read_bytes(&plain, "plain", input, n_input, NULL);
    replace("DB/Inst: PRD2/prd21", "redo writes", "redo size  ");
    read_bytes(&x, "changed", changed, n_changed, NULL);
    assert_non_null(strstr(plain.dump, "stat \"redo size\""));
    assert_null(strstr(x.dump, "stat \"redo size\""));
    assert_non_null(strstr(x.dump, "stat \"session uga memory\""));
    assert_int_equal(x.skipped, plain.skipped + 1);
    arena_release(&plain.arena);
    arena_release(&x.arena);
}

/* --- other languages -------------------------------------------------------------------------- */

static void decimal_comma(void **state)
{
    static const char report[] =
        "WORKLOAD REPOSITORY report for\n\n"
        "              Snap Id      Snap Time      Sessions Curs/Sess\n"
        "            --------- ------------------- -------- ---------\n"
        "Begin Snap:       812 18-Mai-22 07:00:00     1.095       2,6\n"
        "  End Snap:       813 18-Mai-22 08:00:00     1.068       2,6\n"
        "   Elapsed:               60,00 (mins)\n"
        "   DB Time:            1.326,27 (mins)\n\n"
        "Load Profile                    Per Second   Per Transaction  Per Exec  Per Call\n"
        "~~~~~~~~~~~~~~~            ---------------   --------------- --------- ---------\n"
        "      Redo size (bytes):      12.116.295,7          51.122,3\n\n"
        "End of Report\n";
    (void)state;
    read_bytes(&x, "comma", report, sizeof report - 1, NULL);
    assert_string_equal(x.err.text, "");
    char begin[32];
    assert_string_equal(time_format_iso(begin, x.s.begin_ms), "2022-05-18T07:00:00Z");
    assert_true(fabs(x.s.db_time_s - 1326.27 * 60) < 1e-6);
    assert_int_equal(x.s.n_load_profile, 2);
    assert_true(fabs(x.s.load_profile[0].per_s - 12116295.7) < 1e-6);
    assert_true(fabs(x.s.load_profile[1].per_s - 51122.3) < 1e-6);
    arena_release(&x.arena);
}

/* A character of several bytes is one column wide. */
static void utf8_in_a_row(void **state)
{
    (void)state;
    n_input = load_fixture(FIXTURES, "prd1_19c.in", input);
    replace("\nOther ", "Other ", "D\xC3\xA9j\xC3\xA0  ");
    read_bytes(&x, "utf8", changed, n_changed, NULL);
    assert_non_null(strstr(x.dump, "filetype \"D\xC3\xA9j\xC3\xA0\" read 47411.2 MiB 34.9/s"));
    arena_release(&x.arena);
}

/* --- limits ----------------------------------------------------------------------------------- */

static void long_line(void **state)
{
    (void)state;
    n_input = load_fixture(FIXTURES, "prd1_19c.in", input);
    n_changed = 0;
    add("WORKLOAD REPOSITORY report for\n", 31);
    for (int i = 0; i < 900 * 1024; i++)
        add("x", 1);
    add("\n", 1);
    add(input, n_input);
    read_bytes(&x, "long", changed, n_changed, NULL);
    assert_int_equal(x.rc, ERR_PARSE); /* the second title before the end of the first report */
    assert_string_equal(x.err.text, "long:4: the report is cut short: no \"End of Report\" up to "
                                    "this line");
    arena_release(&x.arena);
}

static void line_beyond_the_limit(void **state)
{
    static char bytes[SOURCE_LINE_MAX + 100];
    (void)state;
    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, "WORKLOAD REPOSITORY report for\n", 31);
    read_bytes(&x, "long", bytes, sizeof bytes, NULL);
    assert_int_equal(x.rc, ERR_LIMIT);
    assert_string_equal(x.err.text, "long:2: line longer than 1048576 bytes");
    assert_int_equal(x.n_snapshots, 0);
    arena_release(&x.arena);
}

static void deep_html(void **state)
{
    static const char title[] = "<html><body><h1>WORKLOAD REPOSITORY report for</h1>\n";
    (void)state;
    n_changed = 0;
    add(title, sizeof title - 1);
    for (int i = 0; i < 100000; i++)
        add("<div>", 5);
    read_bytes(&x, "deep", changed, n_changed, NULL);
    assert_int_equal(x.rc, ERR_LIMIT);
    assert_string_equal(x.err.text, "deep:2: elements nested deeper than 256");
    arena_release(&x.arena);
}

/* Things that libxml2 compares with each other: seconds here, were they passed on. */
static void many_names(void **state)
{
    static const char title[] = "<html><body><h1>WORKLOAD REPOSITORY report for</h1>\n<p ";
    char name[32];
    (void)state;
    n_changed = 0;
    add(title, sizeof title - 1);
    for (int i = 0; i < 30000; i++) {
        int n = snprintf(name, sizeof name, "a%d=1 ", i);
        add(name, (size_t)n);
    }
    add(">\n", 2);
    for (int i = 0; i < 30000; i++) {
        int n = snprintf(name, sizeof name, "<z%d/>", i);
        add(name, (size_t)n);
    }
    n_input = load_fixture(FIXTURES, "prd2_112.html", input);
    /* without its own title: the tables belong to the one above */
    struct span tables = { input, n_input };
    ptrdiff_t from = span_find(tables, "<table");
    assert_true(from > 0);
    add(input + from, n_input - (size_t)from);
    read_bytes(&x, "names", changed, n_changed, NULL);
    assert_string_equal(x.err.text, "");
    assert_int_equal(x.s.n_filetypes, 5);
    arena_release(&x.arena);
}

static void many_rows(void **state)
{
    static const char head[] = "<html><body><h1>WORKLOAD REPOSITORY report for</h1><table><tr>"
                               "<th>Event<th>Waits<th>Time(s)<th>% DB time<th>Wait Class</tr>";
    (void)state;
    n_changed = 0;
    add(head, sizeof head - 1);
    for (int i = 0; i < 1025; i++)
        add("<tr><td>e<td>1<td>1<td>1<td>c</tr>\n", 36);
    read_bytes(&x, "many", changed, n_changed, NULL);
    assert_int_equal(x.rc, ERR_LIMIT);
    assert_string_equal(x.err.text, "many:1025: more than 1024 rows in one section");
    arena_release(&x.arena);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void torture(void **state)
{
    const char *name = *state;
    n_input = load_fixture(FIXTURES, name, input);
    read_without_memory(name, input, n_input);
}

int main(void)
{
    enum {
        VARIANTS = sizeof variants / sizeof *variants,
        CONTRADICTIONS = sizeof contradictions / sizeof *contradictions,
    };
    static char text_112[] = "prd2_112.in", html_112[] = "prd2_112.html";
    struct CMUnitTest tests[VARIANTS + CONTRADICTIONS + 11] = {
        cmocka_unit_test(two_reports_in_one_file),
        cmocka_unit_test(ambiguous_statistic),
        cmocka_unit_test(decimal_comma),
        cmocka_unit_test(utf8_in_a_row),
        cmocka_unit_test(long_line),
        cmocka_unit_test(line_beyond_the_limit),
        cmocka_unit_test(deep_html),
        cmocka_unit_test(many_names),
        cmocka_unit_test(many_rows),
        { "every allocation fails: text", torture, NULL, NULL, text_112 },
        { "every allocation fails: HTML", torture, NULL, NULL, html_112 },
    };
    size_t n = 11;
    for (size_t i = 0; i < VARIANTS; i++)
        tests[n++] = (struct CMUnitTest){ variants[i].why, same_report, NULL, NULL,
                                          (void *)(uintptr_t)&variants[i] };
    for (size_t i = 0; i < CONTRADICTIONS; i++)
        tests[n++] = (struct CMUnitTest){ contradictions[i].why, contradiction, NULL, NULL,
                                          (void *)(uintptr_t)&contradictions[i] };
    awr_html_global_init();
    int failed = _cmocka_run_group_tests("awr_variants", tests, n, NULL, NULL) != 0;
    awr_html_global_release();
    return failed;
}
