/* tests/cli/render/test_render_text.c - pages for people. */
#include "cli/render/printable.h"
#include "tests/cli/render/capture.h"
#include "tests/each_allocation.h"

static void open_text(struct capture *c, size_t columns)
{
    capture_open(c);
    c->m = render_text(c->f, (struct text_page){ .columns = columns });
    assert_non_null(c->m);
}

static const struct emit_col two[] = { { "name", "group", true }, { "mibps", "MiB/s", false } };

static void row(struct emit *m, const char *name, double mibps)
{
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "name", name);
    emit_num(m, "mibps", UNIT_MIBPS, mibps);
    emit_text(m, "not_shown", "has no heading");
    emit_end(m);
}

static void tables_are_aligned(void **state)
{
    (void)state;
    struct capture c;
    open_text(&c, 0);
    emit_table(c.m, "groups", two, 2);
    row(c.m, "REDO1", 1280.5);
    row(c.m, "FRA", NAN);
    row(c.m, "D", 4);
    emit_end(c.m);
    capture_expect(&c, "group    MiB/s\n"
                       "REDO1  1 280.5\n"
                       "FRA          -\n"
                       "D          4.0\n");
}

static void words_win_over_values(void **state)
{
    (void)state;
    struct capture c;
    open_text(&c, 0);
    emit_table(c.m, "groups", two, 2);
    emit_begin(c.m, NULL, EMIT_OBJECT);
    emit_cell(c.m, "mibps", ">= %d", 500);
    emit_num(c.m, "mibps", UNIT_MIBPS, 500);
    emit_text(c.m, "name", "REDO1");
    emit_begin(c.m, "demand", EMIT_OBJECT);
    emit_text(c.m, "name", "of an object inside: not this row's");
    emit_end(c.m);
    emit_end(c.m);
    emit_end(c.m);
    capture_expect(&c, "group   MiB/s\nREDO1  >= 500\n");
}

static void what_is_said_in_a_row_follows_the_table(void **state)
{
    (void)state;
    static const struct emit_col inner[] = { { "spec", "why not", true } };
    struct capture c;
    open_text(&c, 0);
    emit_say(c.m, "before");
    emit_table(c.m, "groups", two, 2);
    emit_begin(c.m, NULL, EMIT_OBJECT);
    emit_text(c.m, "name", "REDO1");
    emit_say(c.m, "said inside");
    emit_table(c.m, "rejected", inner, 1);
    emit_begin(c.m, NULL, EMIT_OBJECT);
    emit_text(c.m, "spec", "1 x gp3");
    emit_end(c.m);
    emit_end(c.m);
    emit_end(c.m);
    emit_end(c.m);
    emit_say(c.m, "after");
    capture_expect(&c, "before\ngroup\nREDO1\nsaid inside\nwhy not\n1 x gp3\nafter\n");
}

static void a_table_without_rows_says_nothing(void **state)
{
    (void)state;
    struct capture c;
    open_text(&c, 0);
    emit_table(c.m, "groups", two, 2);
    emit_end(c.m);
    capture_expect(&c, "");
}

static void labels_stand_in_line(void **state)
{
    (void)state;
    struct capture c;
    open_text(&c, 0);
    emit_label(c.m, "carries", "%d MiB/s", 500);
    emit_label(c.m, "ask next", "volplan size");
    emit_say(c.m, "%s", "");
    emit_label(c.m, "a", "new run");
    capture_expect(&c, "  carries    500 MiB/s\n  ask next   volplan size\n\n  a   new run\n");
}

static void labels_wrap_behind_themselves(void **state)
{
    (void)state;
    struct capture c;
    open_text(&c, 40);
    emit_label(c.m, "today", "the same volume is sold as 1 280 MiB/s since then");
    capture_expect(&c, "  today   the same volume is sold as\n"
                       "          1 280 MiB/s since then\n");
}

static void numbers_are_not_broken(void **state)
{
    (void)state;
    struct capture c;
    open_text(&c, 40);
    emit_say(c.m, "%s", "flat from some and then up to 32 000 IOPS"); /* "32" would fit */
    capture_expect(&c, "flat from some and then up to 32 000\nIOPS\n");
}

static void a_long_word_is_cut(void **state)
{
    (void)state;
    struct capture c;
    open_text(&c, 40);
    emit_say(c.m, "0123456789012345678901234567890123456789%s", "tail");
    capture_expect(&c, "0123456789012345678901234567890123456789\ntail\n");
}

/* No line of a hostile table may be wider than the page or hold a control character. */
static void assert_page(const char *text, size_t columns)
{
    for (const char *line = text; *line;) {
        size_t len = strcspn(line, "\n");
        assert_true(printable_columns(line, len) <= columns);
        for (size_t i = 0; i < len; i++)
            assert_true((unsigned char)line[i] >= 0x20 && line[i] != 0x7f);
        line += len + (line[len] == '\n');
    }
}

static void hostile_names(void **state)
{
    (void)state;
    static const size_t widths[] = { 40, 80, 100 };
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct capture c;
        struct err e = { 0 };
        char name[600];
        open_text(&c, widths[i]);
        memset(name, 'x', sizeof name);
        memcpy(name, "\033]0;owned\a\r\n\xff", 13);
        name[sizeof name - 1] = '\0';
        emit_say(c.m, "%s is at its ceiling", name);
        emit_label(c.m, name, "%s", name);
        emit_table(c.m, "groups", two, 2);
        row(c.m, name, 1);
        row(c.m, "ok", 2);
        emit_end(c.m);
        assert_int_equal(capture_close(&c, &e), 0);
        assert_null(strchr(c.text, '\033'));
        assert_non_null(strstr(c.text, "\\x1b]0;owned"));
        assert_page(strstr(c.text, "group"), widths[i]);
        free(c.text);
    }
}

static void wide_tables_wrap_then_fold(void **state)
{
    (void)state;
    static const struct emit_col cols[] = {
        { "a", "name", true },
        { "b", "first column", false },
        { "c", "second column", false },
        { "d", "remark", true },
    };
    struct capture c;
    open_text(&c, 44);
    emit_table(c.m, "rows", cols, 4);
    emit_begin(c.m, NULL, EMIT_OBJECT);
    emit_text(c.m, "a", "REDO1");
    emit_int(c.m, "b", UNIT_NONE, 1000000);
    emit_int(c.m, "c", UNIT_NONE, 2);
    emit_text(c.m, "d", "a remark that does not fit beside all of the others");
    emit_end(c.m);
    emit_end(c.m);
    capture_expect(&c, "name   first column  second column\n"
                       "REDO1     1 000 000              2\n"
                       "\n"
                       "name   remark\n"
                       "REDO1  a remark that does\n"
                       "       not fit beside all\n"
                       "       of the others\n");
}

static void colour_only_where_asked(void **state)
{
    (void)state;
    struct capture c;
    capture_open(&c);
    c.m = render_text(c.f, (struct text_page){ .colour = true });
    assert_non_null(c.m);
    emit_label(c.m, "costs", "1");
    emit_table(c.m, "groups", two, 2);
    row(c.m, "A", 1);
    emit_end(c.m);
    capture_expect(&c, "  \033[2mcosts\033[0m   1\n\033[1mgroup  MiB/s\n\033[0mA        1.0\n");
}

static void times_and_money(void **state)
{
    (void)state;
    static const struct emit_col cols[] = {
        { "a", "at", true }, { "b", "sharp", true },  { "c", "USD", false },
        { "d", "ok", true }, { "e", "exact", false },
    };
    struct capture c;
    open_text(&c, 0);
    emit_table(c.m, "rows", cols, 5);
    emit_begin(c.m, NULL, EMIT_OBJECT);
    emit_time(c.m, "a", 1652857200000);
    emit_time(c.m, "b", 1652857201000);
    emit_usd(c.m, "c", 3598500000);
    emit_bool(c.m, "d", true);
    emit_decimal(c.m, "e", "0.000000000001");
    emit_end(c.m);
    emit_end(c.m);
    capture_expect(&c, "at                sharp                     USD  ok            exact\n"
                       "2022-05-18 07:00  2022-05-18 07:00:01  3 598.50  yes  0.000000000001\n");
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    struct err e = { 0 };
    struct emit *m = render_text(full, (struct text_page){ 0 });
    assert_non_null(m);
    emit_say(m, "words");
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
        c.m = render_text(c.f, (struct text_page){ .columns = 50 });
        it.rc = ERR_NOMEM;
        if (c.m) {
            emit_label(c.m, "a", "b");
            emit_table(c.m, "groups", two, 2);
            row(c.m, "REDO1", 1);
            emit_say(c.m, "inside");
            emit_label(c.m, "label", "inside");
            emit_end(c.m);
            emit_say(c.m, "after");
            it.rc = emit_close(c.m, &it.e);
        }
        fclose(c.f);
        free(c.text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_aligned),
        cmocka_unit_test(words_win_over_values),
        cmocka_unit_test(what_is_said_in_a_row_follows_the_table),
        cmocka_unit_test(a_table_without_rows_says_nothing),
        cmocka_unit_test(labels_stand_in_line),
        cmocka_unit_test(labels_wrap_behind_themselves),
        cmocka_unit_test(numbers_are_not_broken),
        cmocka_unit_test(a_long_word_is_cut),
        cmocka_unit_test(hostile_names),
        cmocka_unit_test(wide_tables_wrap_then_fold),
        cmocka_unit_test(colour_only_where_asked),
        cmocka_unit_test(times_and_money),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("render_text", tests, NULL, NULL);
}
