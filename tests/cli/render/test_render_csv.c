/* tests/cli/render/test_render_csv.c - RFC 4180, and nothing that a spreadsheet would run. */
#include "tests/cli/render/capture.h"
#include "tests/each_allocation.h"
#include "tests/row_tests.h"

static const struct emit_col cols[] = { { "name", "name", true } };

static void open_csv(struct capture *c)
{
    capture_open(c);
    c->m = render_csv(c->f);
    assert_non_null(c->m);
}

static const struct cell_case {
    const char *why, *in, *want;
} cells[] = {
    { "plain", "Log File", "Log File" },
    { "a comma needs quotes", "a,b", "\"a,b\"" },
    { "quotes are doubled", "say \"x\"", "\"say \"\"x\"\"\"" },
    { "a line break stays, in quotes", "a\nb", "\"a\nb\"" },
    { "=: a formula is defused", "=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\"" },
    { "+", "+1", "'+1" },
    { "-", "-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0" },
    { "@", "@SUM(1)", "'@SUM(1)" },
    { "an = inside is no formula", "a=1", "a=1" },
    { "escape sequences are shown", "\033[2J", "\\x1b[2J" },
    { "a leading tab starts a formula in some programs", "\t=1", "\\x09=1" },
    { "broken UTF-8 is shown", "\xff", "\\xff" },
    { "empty", "", "" },
};

static void cell(void **state)
{
    const struct cell_case *t = *state;
    char want[200];
    struct capture c;
    open_csv(&c);
    emit_table(c.m, "rows", cols, 1);
    emit_begin(c.m, NULL, EMIT_OBJECT);
    emit_text(c.m, "name", t->in);
    emit_end(c.m);
    emit_end(c.m);
    snprintf(want, sizeof want, "name\r\n%s\r\n", t->want);
    capture_expect(&c, want);
}

static void values(void **state)
{
    (void)state;
    struct capture c;
    open_csv(&c);
    emit_text(c.m, "system", "outside of the table");
    emit_table(c.m, "rows", cols, 1);
    emit_begin(c.m, NULL, EMIT_OBJECT);
    emit_num(c.m, "negative", UNIT_NONE, -1.5); /* a number is no formula */
    emit_int(c.m, "unknown", UNIT_NONE, UNKNOWN);
    emit_bool(c.m, "flag", true);
    emit_time(c.m, "at", 0);
    emit_usd(c.m, "usd", 387500000);
    emit_decimal(c.m, "exact", "-0.000000000001"); /* nor is this one */
    emit_say(c.m, "words");
    emit_cell(c.m, "name", "words");
    emit_end(c.m);
    emit_end(c.m);
    capture_expect(&c, "negative,unknown,flag,at,usd,exact\r\n"
                       "-1.5,,true,1970-01-01T00:00:00Z,387.5,-0.000000000001\r\n");
}

static void columns_are_those_of_all_rows(void **state)
{
    (void)state;
    struct capture c;
    open_csv(&c);
    emit_table(c.m, "rows", cols, 1);
    for (int i = 0; i < 3; i++) {
        emit_begin(c.m, NULL, EMIT_OBJECT);
        emit_int(c.m, "n", UNIT_NONE, i);
        if (i == 1) {
            emit_begin(c.m, "chosen", EMIT_OBJECT);
            emit_int(c.m, "size_gib", UNIT_GIB, 500);
            emit_begin(c.m, "deeper", EMIT_OBJECT);
            emit_int(c.m, "x", UNIT_NONE, 7);
            emit_end(c.m);
            emit_end(c.m);
        } else
            emit_null(c.m, "chosen");
        emit_begin(c.m, "list", EMIT_LIST); /* lists inside a row are left to JSON */
        emit_int(c.m, NULL, UNIT_NONE, 1);
        emit_begin(c.m, NULL, EMIT_OBJECT);
        emit_int(c.m, "size_gib", UNIT_GIB, 1);
        emit_end(c.m);
        emit_end(c.m);
        emit_int(c.m, "last", UNIT_NONE, i);
        emit_end(c.m);
    }
    emit_end(c.m);
    capture_expect(&c, "n,chosen,last,chosen.size_gib,chosen.deeper.x\r\n"
                       "0,,0,,\r\n1,,1,500,7\r\n2,,2,,\r\n");
}

static void the_first_table_and_its_like(void **state)
{
    (void)state;
    struct capture c;
    open_csv(&c);
    emit_begin(c.m, "files", EMIT_LIST);
    for (int i = 0; i < 2; i++) {
        emit_begin(c.m, NULL, EMIT_OBJECT);
        emit_table(c.m, "samples", cols, 1);
        emit_begin(c.m, NULL, EMIT_OBJECT);
        emit_int(c.m, "n", UNIT_NONE, i);
        emit_end(c.m);
        emit_end(c.m);
        emit_table(c.m, "others", cols, 1);
        emit_begin(c.m, NULL, EMIT_OBJECT);
        emit_int(c.m, "n", UNIT_NONE, 99);
        emit_end(c.m);
        emit_end(c.m);
        emit_end(c.m);
    }
    emit_end(c.m);
    capture_expect(&c, "n\r\n0\r\n1\r\n");
}

static void emit_rows(struct emit *m, int n, bool extra_at_end)
{
    emit_table(m, "rows", cols, 1);
    for (int i = 0; i < n; i++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_int(m, "n", UNIT_NONE, i);
        if (extra_at_end && i == n - 1)
            emit_int(m, "extra", UNIT_NONE, 1);
        emit_end(m);
    }
    emit_end(m);
}

static void many_rows(void **state)
{
    (void)state;
    struct capture c;
    struct err e = { 0 };
    open_csv(&c);
    emit_rows(c.m, 3 * CSV_HEAD_ROWS, false);
    assert_int_equal(capture_close(&c, &e), 0);
    int lines = 0;
    for (size_t i = 0; i < c.len; i++)
        lines += c.text[i] == '\n';
    assert_int_equal(lines, 3 * CSV_HEAD_ROWS + 1);
    assert_non_null(strstr(c.text, "\r\n2999\r\n"));
    free(c.text);
}

static void a_late_column_is_an_error_not_a_loss(void **state)
{
    (void)state;
    struct capture c;
    struct err e = { 0 };
    open_csv(&c);
    emit_rows(c.m, CSV_HEAD_ROWS + 1, true);
    assert_int_equal(capture_close(&c, &e), ERR_LIMIT);
    free(c.text);
}

static void a_table_without_rows_is_empty(void **state)
{
    (void)state;
    struct capture c;
    open_csv(&c);
    emit_rows(c.m, 0, false);
    capture_expect(&c, "");
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    struct err e = { 0 };
    struct emit *m = render_csv(full);
    assert_non_null(m);
    emit_rows(m, 1, false);
    assert_int_equal(emit_close(m, &e), ERR_IO);
    fclose(full);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        struct capture c;
        capture_open(&c);
        c.m = render_csv(c.f);
        it.rc = ERR_NOMEM;
        if (c.m) {
            emit_rows(c.m, 40, false);
            it.rc = emit_close(c.m, &it.e);
        }
        fclose(c.f);
        free(c.text);
    }
}

int main(void)
{
    struct CMUnitTest t[40];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, cells, cell);
    static const struct CMUnitTest more[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(columns_are_those_of_all_rows),
        cmocka_unit_test(the_first_table_and_its_like),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(a_late_column_is_an_error_not_a_loss),
        cmocka_unit_test(a_table_without_rows_is_empty),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(every_allocation_may_fail),
    };
    memcpy(t + n, more, sizeof more);
    n += sizeof more / sizeof *more;
    return _cmocka_run_group_tests("render_csv", t, n, NULL, NULL);
}
