/* tests/data/ingest/csv/test_csv.c - records of RFC 4180 and what is wrong with others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/ingest/csv/csv.h"
#include "tests/each_allocation.h"

#define N(a) (sizeof(a) / sizeof *(a))

/* A record is written "LINE:[field][field]", with "!fault" behind a broken one. */
static const struct csv_case {
    const char *why, *in, *want;
} cases[] = {
    { "plain fields", "a,b,c\n1,2,3\n", "1:[a][b][c] 2:[1][2][3]" },
    { "CR LF, and no line end at the end", "a,b\r\n1,2", "1:[a][b] 2:[1][2]" },
    { "empty fields", "a,b,c\n,,\n", "1:[a][b][c] 2:[][][]" },
    { "a byte order mark is not part of the first name",
      "\xEF\xBB\xBF"
      "a,b\n1,2\n",
      "1:[a][b] 2:[1][2]" },
    { "a separator inside quotes", "a,b\n\"x, Inc.\",2\n", "1:[a][b] 2:[x, Inc.][2]" },
    { "doubled quotes", "a,b\n\"{\"\"k\"\": \"\"v\"\"}\",2\n", "1:[a][b] 2:[{\"k\": \"v\"}][2]" },
    { "only doubled quotes", "a\n\"\"\"\"\n", "1:[a] 2:[\"]" },
    { "an empty quoted field", "a,b\n\"\",\"\"\n", "1:[a][b] 2:[][]" },
    { "a record over three lines; the next one's line is right", "a,b\n\"x\ny\n\",2\n3,4\n",
      "1:[a][b] 2:[x\ny\n][2] 5:[3][4]" },
    { "doubled quotes over two lines", "a,b\n\"\"\"x\"\"\n\"\"y\",2\n",
      "1:[a][b] 2:[\"x\"\n\"y][2]" },
    { "a quote that does not open its field is text", "a,b\n5\" disk,2\n",
      "1:[a][b] 2:[5\" disk][2]" },
    { "blank lines are passed over", "a,b\n\n1,2\n\n", "1:[a][b] 3:[1][2]" },
    { "too few fields; what is left of the record before is gone", "a,b,c\n1,2,3\n4\n",
      "1:[a][b][c] 2:[1][2][3] 3:[4][][]/1" },
    { "too many fields: an unquoted comma", "a,b\nx, Inc.,2\n", "1:[a][b] 2:[x][ Inc.]/3" },
    { "text behind a closing quote", "a,b\n\"x\"y,2\n",
      "1:[a][b] 2:[x][2]!text after a closing quote" },
    { "quotes that are never closed", "a,b\n\"x,2\n3,4\n",
      "1:[a][b] 2:[x,2\n3,4][]/1!the input ends inside quotes" },
    { "a field longer than a word of the fast path", "a,b\n0123456789abcdef,0123456,\n",
      "1:[a][b] 2:[0123456789abcdef][0123456]/3" },
    { "bytes above 127 are text", "a,b\n\xC3\xA9\xAC,\xFF\n", "1:[a][b] 2:[\xC3\xA9\xAC][\xFF]" },
};

static void write_record(char *out, size_t room, const struct csv *c, const struct span *fields)
{
    size_t at = strlen(out);
    at += (size_t)snprintf(out + at, room - at, "%s%lld:", at ? " " : "", (long long)c->line);
    for (size_t i = 0; i < c->n_columns; i++)
        at += (size_t)snprintf(out + at, room - at, "[%.*s]", (int)fields[i].len,
                               fields[i].ptr ? fields[i].ptr : "");
    if (fields == c->fields && c->n_fields != c->n_columns)
        at += (size_t)snprintf(out + at, room - at, "/%zu", c->n_fields);
    if (fields == c->fields && c->fault)
        snprintf(out + at, room - at, "!%s", c->fault);
}

static int read_all(const char *text, char *out, size_t room, struct err *e)
{
    struct csv c;
    struct arena a = { 0 };
    struct source *src = source_of_span("f.csv", span_of(text));
    out[0] = '\0';
    int rc = src ? csv_open(&c, src, ',', &a, e) : err_nomem(e);
    if (rc == 1)
        write_record(out, room, &c, c.names);
    while (rc == 1 && (rc = csv_next(&c, e)) == 1)
        write_record(out, room, &c, c.fields);
    source_close(src);
    arena_release(&a);
    return rc;
}

static void records(void **state)
{
    const struct csv_case *c = *state;
    char got[500];
    struct err e;
    assert_int_equal(read_all(c->in, got, sizeof got, &e), 0);
    assert_string_equal(got, c->want);
}

static void torture(void **state)
{
    (void)state;
    const char *text = "a,b\n\"\"\"x\"\"\n\"\"y\",2\n3,4\n";
    char got[500];
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = read_all(text, got, sizeof got, &it.e);
    assert_true(it.n > 3);
    assert_string_equal(got, "1:[a][b] 2:[\"x\"\n\"y][2] 4:[3][4]");
}

/* A quote at the start swallows the rest of the file, which must not be kept in memory. */
static void endless_quote(void **state)
{
    (void)state;
    enum { LINE = 1000, LINES = CSV_RECORD_MAX / LINE + 10 };
    char *text = malloc(3 + (size_t)LINE * LINES), *at = text;
    static char got[CSV_RECORD_MAX];
    struct err e;
    assert_non_null(text);
    at += sprintf(at, "a\n\"");
    for (int i = 0; i < LINES; i++, at += LINE) {
        memset(at, 'x', LINE);
        at[LINE - 1] = '\n';
    }
    at[-1] = '\0';
    assert_int_equal(read_all(text, got, sizeof got, &e), ERR_LIMIT);
    assert_string_equal(e.text,
                        "f.csv:2: record longer than 4194304 bytes; is a quote not closed?");
    free(text);
}

static void too_many_columns(void **state)
{
    (void)state;
    static char text[CSV_COLUMNS_MAX + 3], got[100];
    struct err e;
    memset(text, ',', sizeof text - 1);
    assert_int_equal(read_all(text, got, sizeof got, &e), ERR_LIMIT);
    assert_string_equal(e.text, "f.csv:1: 8195 columns, more than 8192");
}

static void columns_by_name(void **state)
{
    (void)state;
    struct csv c;
    struct arena a = { 0 };
    struct err e;
    struct source *src = source_of_span("f.csv", SPAN_LIT("a, ResourceId ,b\n1,2,3\n"));
    assert_non_null(src);
    assert_int_equal(csv_open(&c, src, ',', &a, &e), 1);
    assert_int_equal(csv_next(&c, &e), 1);
    assert_int_equal(csv_column(&c, "ResourceId"), 1);
    assert_int_equal(csv_column(&c, "ResourceID"), -1);
    assert_int_equal(csv_column_nocase(&c, "ResourceID"), 1);
    assert_true(span_is(csv_field(&c, 1), "2"));
    assert_int_equal(csv_field(&c, -1).len, 0);
    source_close(src);
    arena_release(&a);
}

static void heads(void **state)
{
    (void)state;
    struct span head =
        SPAN_LIT("\n\"identity/LineItemId\",lineItem/UsageType\nlineItem/Operation\n");
    assert_true(csv_head_has(head, "lineItem/UsageType"));
    assert_true(csv_head_has(head, "identity/LineItemId"));
    assert_false(csv_head_has(head, "lineItem/Operation")); /* not of the first line */
    assert_false(csv_head_has((struct span){ 0 }, "a"));
}

int main(void)
{
    struct CMUnitTest t[N(cases) + 5];
    size_t n = 0;
    for (size_t i = 0; i < N(cases); i++)
        t[n++] =
            (struct CMUnitTest){ cases[i].why, records, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    t[n++] = (struct CMUnitTest)cmocka_unit_test(torture);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(endless_quote);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(too_many_columns);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(columns_by_name);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(heads);
    return _cmocka_run_group_tests("csv", t, n, NULL, NULL);
}
