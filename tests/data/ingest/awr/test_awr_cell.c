/* tests/data/ingest/awr/test_awr_cell.c - single cells, times and names of AWR reports. */
#include "data/ingest/awr/awr_cell.h"
#include "data/ingest/awr/awr_name.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "tests/row_tests.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

enum { BAD = 1, COMMA = 2 };

static const struct cell_case {
    const char *why;
    awr_cell_fn *parse;
    const char *cell;
    double want; /* NaN = unknown */
    int flags;
} cells[] = {
    { "G is 1024 MiB", awr_cell_bytes, "392.1G", 392.1 * 1024 * 1024 * 1024, 0 },
    { "T of a long period", awr_cell_bytes, "44.3T", 44.3 * 1024 * 1024 * 1024 * 1024, 0 },
    { "M", awr_cell_bytes, "7921M", 7921.0 * 1048576, 0 },
    { "K", awr_cell_bytes, "16K", 16384, 0 },
    { "0M is a figure", awr_cell_bytes, "0M", 0, 0 },
    { "blank is unknown", awr_cell_bytes, "", NAN, 0 },
    { "no such suffix", awr_cell_bytes, "12Q", 0, BAD },
    { "lower case is none", awr_cell_bytes, "12g", 0, BAD },
    { "beyond a double", awr_cell_bytes, "1E308P", 0, BAD },
    { "rate with M", awr_cell_bytes_per_mibs, "37.323M", 37.323 * 1048576, 0 },
    { "rate with G", awr_cell_bytes_per_mibs, "1.5G", 1536.0 * 1048576, 0 },
    { "7 characters: suffix dropped", awr_cell_bytes_per_mibs, "122.106", 122.106 * 1048576, 0 },
    { "11.2.0.3: never a suffix", awr_cell_bytes_per_mibs, ".046586", .046586 * 1048576, 0 },
    { "no digit before the point", awr_cell_bytes_per_mibs, ".041M", .041 * 1048576, 0 },
    { "rate overflow", awr_cell_bytes_per_mibs, "#######", NAN, 0 },
    { "negative rate", awr_cell_bytes_per_mibs, "-1M", 0, BAD },
    { "count in thousands", awr_cell_count, "521.8K", 521800, 0 },
    { "count in millions", awr_cell_count, "1.6M", 1.6e6, 0 },
    { "count with commas", awr_cell_count, "1,418,459", 1418459, 0 },
    { "two digits of 70542.65", awr_cell_count, "7.1E+04", 71000, 0 },
    { "events of days", awr_cell_count, "4.8E+08", 4.8e8, 0 },
    { "seconds in thousands", awr_cell_count, "153.7K", 153700, 0 },
    { "statistic", awr_cell_number, "1,197,460,209,636", 1197460209636.0, 0 },
    { "statistic in scientific notation", awr_cell_number, "1.56683817E+09", 1566838170, 0 },
    { "statistic overflow", awr_cell_number, "############", NAN, 0 },
    { "statistic below zero", awr_cell_number, "-69", -69, 0 },
    { "garbage behind a number", awr_cell_number, "12x", 0, BAD },
    { "two numbers", awr_cell_number, "12 13", 0, BAD },
    { "comma at the wrong place", awr_cell_number, "12,34", 0, BAD },
    { "nan is no number", awr_cell_number, "nan", 0, BAD },
    { "ms", awr_cell_ms, "6.46ms", 6.46, 0 },
    { "us", awr_cell_ms, "356.68us", .35668, 0 },
    { "ns of nothing", awr_cell_ms, ".00ns", 0, 0 },
    { "s with a blank", awr_cell_ms, "186.48 s", 186480, 0 },
    { "ms clipped by its column", awr_cell_ms, "1190.07m", 1190.07, 0 },
    { "11.2 has no unit: ms", awr_cell_ms, "20.2", 20.2, 0 },
    { "11.2 text says N/A", awr_cell_ms, "N/A", NAN, 0 },
    { "no such unit", awr_cell_ms, "6.46mm", 0, BAD },
    { "decimal comma", awr_cell_bytes_per_mibs, "37,323M", 37.323 * 1048576, COMMA },
    { "decimal comma, thousands", awr_cell_number, "1.801,13", 1801.13, COMMA },
    { "decimal comma, no thousands", awr_cell_ms, ",96ms", .96, COMMA },
    { "longer than any number", awr_cell_number,
      "1111111111111111111111111111111111111111111111111111111111111111111111,5", 0, BAD | COMMA },
};

static void cell(void **state)
{
    const struct cell_case *c = *state;
    double got = -1;
    int rc = c->parse(span_of(c->cell), (c->flags & COMMA) != 0, &got);
    assert_int_equal(rc != 0, c->flags & BAD);
    if (rc)
        assert_true(got == -1); /* written on success only */
    else if (isnan(c->want))
        assert_true(isnan(got));
    else
        assert_true(fabs(got - c->want) <= 1e-12 * fabs(c->want));
}

static const struct time_case {
    const char *why, *cell, *want; /* NULL: refused */
} times[] = {
    { "as English reports print it", "18-May-22 07:00:00", "2022-05-18T07:00:00Z" },
    { "startup time has no seconds", "23-Jun-21 09:29", "2021-06-23T09:29:00Z" },
    { "capitals", "01-DEC-09 23:59:59", "2009-12-01T23:59:59Z" },
    { "four digits of a year", "01-Dec-2009 00:00:00", "2009-12-01T00:00:00Z" },
    { "German", "18-Mai-22 07:00:00", "2022-05-18T07:00:00Z" },
    { "German March in UTF-8", "01-M\xC3\x84RZ-22 07:00:00", "2022-03-01T07:00:00Z" },
    { "French with a dot", "01-JANV.-22 07:00:00", "2022-01-01T07:00:00Z" },
    { "French December",
      "25-D\xC3\x89"
      "C.-22 07:00:00",
      "2022-12-25T07:00:00Z" },
    { "Spanish", "01-ENE-22 07:00:00", "2022-01-01T07:00:00Z" },
    { "Portuguese", "01-SET-22 07:00:00", "2022-09-01T07:00:00Z" },
    { "Italian", "01-LUG-22 07:00:00", "2022-07-01T07:00:00Z" },
    { "no such day", "31-Feb-22 07:00:00", NULL },
    { "leap day", "29-Feb-24 07:00:00", "2024-02-29T07:00:00Z" },
    { "no such month", "18-Foo-22 07:00:00", NULL },
    { "German, small letters with an accent", "18-M\xC3\xA4r-22 07:00:00", "2022-03-18T07:00:00Z" },
    { "French, small letters with an accent", "18-f\xC3\xA9vr.-22 07:00:00",
      "2022-02-18T07:00:00Z" },
    { "Chinese, UTF-8", "18-5\xE6\x9C\x88 -22 07:00:00", "2022-05-18T07:00:00Z" },
    { "Chinese, GBK", "18-12\xD4\xC2-22 07:00:00", "2022-12-18T07:00:00Z" },
    { "Korean, UTF-8", "18-5\xEC\x9B\x94 -22 07:00:00", "2022-05-18T07:00:00Z" },
    { "a month in digits alone could be anything", "18-05-22 07:00:00", NULL },
    { "no thirteenth month", "18-13\xE6\x9C\x88 -22 07:00:00", NULL },
    { "no such hour", "18-May-22 24:00:00", NULL },
    { "three digits of a year", "18-May-022 07:00:00", NULL },
    { "year 0", "18-May-0000 07:00:00", NULL },
    { "signs are no digits", "+8-May-22 07:00:00", NULL },
    { "date alone", "18-May-22", NULL },
    { "something behind", "18-May-22 07:00:00 x", NULL },
    { "blank", "", NULL },
};

static void instant(void **state)
{
    const struct time_case *c = *state;
    int64_t got = UNKNOWN;
    char text[32];
    int rc = awr_cell_time(span_of(c->cell), &got);
    assert_int_equal(rc != 0, c->want == NULL);
    assert_string_equal(time_format_iso(text, got), c->want ? c->want : "-");
}

static void minutes(void **state)
{
    bool comma = false;
    double s = -1;
    (void)state;
    assert_int_equal(awr_cell_minutes(SPAN_LIT("60.22 (mins)"), &comma, &s), 0);
    assert_true(!comma && fabs(s - 3613.2) < 1e-9);
    assert_int_equal(awr_cell_minutes(SPAN_LIT("4,319.92 (mins)"), &comma, &s), 0);
    assert_true(!comma && fabs(s - 259195.2) < 1e-6);
    assert_int_not_equal(awr_cell_minutes(SPAN_LIT("60.22 (hours)"), &comma, &s), 0);
    assert_int_not_equal(awr_cell_minutes(SPAN_LIT(""), &comma, &s), 0);
    assert_int_equal(awr_cell_minutes(SPAN_LIT("4.319,92 (mins)"), &comma, &s), 0);
    assert_true(comma && fabs(s - 259195.2) < 1e-6);
}

static const struct name_case {
    const char *why;
    enum awr_name_kind kind;
    const char *name;
    size_t width;
    const char *want;
} names[] = {
    { "clipped to 14", AWR_FILETYPE, "Archive Log Ba", 14, "Archive Log Backup" },
    { "clipped to 15", AWR_FUNCTION, "Buffer Cache Re", 15, "Buffer Cache Reads" },
    { "whole, though it begins another", AWR_FILETYPE, "Archive Log", 11, "Archive Log" },
    { "fits its column", AWR_FILETYPE, "Flashback Log", 14, "Flashback Log" },
    { "shorter than its column", AWR_FILETYPE, "Data", 14, "Data" },
    { "HTML clips nothing", AWR_FILETYPE, "Archive Log Ba", 0, "Archive Log Ba" },
    { "begins several", AWR_FILETYPE, "Data File ", 10, "Data File " },
    { "a blank at the cut", AWR_EVENT, "log file switch (archiving nee", 30,
      "log file switch (archiving needed)" },
    { "one short of its column", AWR_STATISTIC, "redo KB read (memory) for transp", 33,
      "redo KB read (memory) for transport" },
    { "class clipped to 8", AWR_WAIT_CLASS, "System I", 8, "System I/O" },
    { "nothing", AWR_EVENT, "", 30, "" },
};

static void whole_name(void **state)
{
    const struct name_case *c = *state;
    struct span got = awr_name_whole(c->kind, span_of(c->name), c->width);
    assert_true(span_is(got, c->want));
}

static const struct key_case {
    const char *why, *name, *per, *want;
} keys[] = {
    { "11.2.0.3 and before", "Redo size", "per_s", "redo_bytes_per_s" },
    { "since 11.2.0.4", "Redo size (bytes)", "per_s", "redo_bytes_per_s" },
    { "MB are MiB", "Read IO (MB)", "per_s", "read_io_mib_per_s" },
    { "requests", "Write IO requests", "per_txn", "write_io_requests_per_txn" },
    { "blocks, not requests", "Physical reads", "per_s", "physical_read_blocks_per_s" },
    { "text and HTML of RAC", "RAC GC blocks served", "per_s", "gc_blocks_served_per_s" },
    { "not known", "Cell  Offload (MB) ", "per_call", "cell_offload_mb_per_call" },
    { "no letter in it", "***", "per_s", "figure_per_s" },
};

static void load_key(void **state)
{
    const struct key_case *c = *state;
    struct arena a = { 0 };
    assert_string_equal(awr_load_key(&a, span_of(c->name), c->per), c->want);
    arena_release(&a);
}

int main(void)
{
    struct CMUnitTest tests[128] = { cmocka_unit_test(minutes) };
    size_t n = 1;
    ADD_ROW_TESTS(tests, n, cells, cell);
    ADD_ROW_TESTS(tests, n, times, instant);
    ADD_ROW_TESTS(tests, n, names, whole_name);
    ADD_ROW_TESTS(tests, n, keys, load_key);
    return _cmocka_run_group_tests("awr_cell", tests, n, NULL, NULL);
}
