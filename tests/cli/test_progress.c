/* tests/cli/test_progress.c - the bar of a long load. */
#include "cli/progress.h"
#include "cli/render/printable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FULL  "\xe2\x96\x88"
#define EMPTY "\xe2\x96\x91"
#define X4(s) s s s s

static const struct line_case {
    const char *why, *path;
    int64_t done, total, elapsed_ms;
    int columns;
    const char *want;
} lines[] = {
    { "half of it, 14 cells", "a.txt", 50, 100, 0, 80,
      "a.txt  " X4(FULL) FULL FULL FULL X4(EMPTY) EMPTY EMPTY EMPTY "  50 %" },
    { "410 MB in a second, 1 640 to go: 4 s", "a", 410000000, 2050000000, 1000, 80,
      "a  " FULL FULL FULL X4(EMPTY) X4(EMPTY) EMPTY EMPTY EMPTY "  20 %  410 MB/s  4 s left" },
    { "never above 100 %, though a file has grown", "a", 300, 100, 0, 80,
      "a  " X4(FULL) X4(FULL) X4(FULL) FULL FULL " 100 %" },
    { "no rate before a second has passed", "a", 410000000, 0, 999, 80, "a  410 MB" },
    { "nothing done, nothing known", "a", 0, 0, 5000, 80, "a  0 MB" },
    { "a long path keeps its end", "/var/lib/oracle/awr/awrrpt_1_101.html", 1000000, 0, 0, 30,
      "\xe2\x80\xa6"
      "e/awr/awrrpt_1_101.html  1 MB" },
    { "a hostile name cannot move the cursor", "a\033[2J", 1000000, 0, 0, 80, "a\\x1b[2J  1 MB" },
};

static void line(void **state)
{
    const struct line_case *c = *state;
    char buf[PROGRESS_ROOM];
    progress_line(buf, c->path, c->done, c->total, c->elapsed_ms, c->columns);
    assert_string_equal(buf, c->want);
    assert_true(printable_columns(buf, strlen(buf)) <= (size_t)c->columns);
}

static void items(void **state)
{
    (void)state;
    char buf[PROGRESS_ROOM];
    /* 75 in 3 s, 225 to go: 9 s; a quarter of 14 cells is 3.5. */
    assert_string_equal(progress_items_line(buf, "PRD1", 75, 300, 3000, 80),
                        "PRD1  " X4(FULL) X4(EMPTY) X4(EMPTY) EMPTY EMPTY " 75 of 300  9 s left");
    assert_string_equal(progress_items_line(buf, "PRD1", 1, 1, 5000, 80),
                        "PRD1  " X4(FULL) X4(FULL) X4(FULL) FULL FULL " 1 of 1");
}

static int64_t now_ms;
static int64_t ticks(void)
{
    return now_ms;
}

struct screen {
    struct cli_env env;
    struct app app;
    char *text;
    size_t len;
};

static void open_screen(struct screen *s, bool is_terminal)
{
    *s = (struct screen){ .env = { .err_is_terminal = is_terminal, .ticks_ms = ticks } };
    s->app.env = &s->env;
    s->app.err = open_memstream(&s->text, &s->len);
    assert_non_null(s->app.err);
    now_ms = 1000;
}

static void close_screen(struct screen *s)
{
    fclose(s->app.err);
    free(s->text);
}

static void short_work_shows_nothing(void **state)
{
    (void)state;
    struct screen s;
    struct progress p;
    open_screen(&s, true);
    progress_start(&p, &s.app, NULL, 0);
    now_ms += 400;
    progress_step(&p, "a", 1000);
    progress_stop(&p);
    fflush(s.app.err);
    assert_int_equal(s.len, 0);
    close_screen(&s);
}

static void long_work_shows_a_bar_and_clears_it(void **state)
{
    (void)state;
    struct screen s;
    struct progress p;
    open_screen(&s, true);
    static const char *const paths[] = { "data/demo" };
    progress_start(&p, &s.app, paths, 1);
    assert_true(p.total_bytes > 5000); /* the AWR report alone has more */
    now_ms += 600;
    progress_step(&p, "data/demo/a", 1000);
    now_ms += 50; /* too soon for another */
    progress_step(&p, "data/demo/b", 500);
    assert_int_equal(p.done_bytes, 1000);
    progress_stop(&p);
    fflush(s.app.err);
    assert_non_null(strstr(s.text, "data/demo/a  "));
    assert_null(strstr(s.text, "data/demo/b"));
    assert_string_equal(s.text + s.len - 4, "\r\033[K");
    close_screen(&s);
}

/* 7 of 14 cells; of 35 columns bar and count take 22, two blanks 2: 11 are left for the name. */
static void the_bar_is_ascii_where_the_locale_is(void **state)
{
    (void)state;
    static const struct {
        bool utf8;
        const char *want;
    } cases[] = {
        { true, "\xe2\x80\xa6"
                "9abcdefghi  " X4(FULL) FULL FULL FULL X4(EMPTY) EMPTY EMPTY EMPTY },
        { false, "<9abcdefghi  #######....... 5 of 10" },
    };
    for (size_t i = 0; i < 2; i++) {
        struct screen s;
        struct progress p;
        open_screen(&s, true);
        s.env.utf8 = cases[i].utf8;
        s.env.columns = 36;
        progress_start_items(&p, &s.app, 10);
        now_ms += 600;
        progress_item(&p, "0123456789abcdefghi", 5);
        progress_stop(&p);
        fflush(s.app.err);
        if (!strstr(s.text, cases[i].want))
            fail_msg("'%s' is not in '%s'", cases[i].want, s.text);
        close_screen(&s);
    }
}

static void no_terminal_no_bar(void **state)
{
    (void)state;
    struct screen s;
    struct progress p;
    open_screen(&s, false);
    progress_start(&p, &s.app, NULL, 0);
    now_ms += 10000;
    progress_step(&p, "a", 1000);
    progress_stop(&p);
    fflush(s.app.err);
    assert_int_equal(s.len, 0);
    close_screen(&s);
}

int main(void)
{
    enum { N = sizeof lines / sizeof *lines };
    struct CMUnitTest t[N + 5];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ lines[i].why, line, NULL, NULL, (void *)(size_t)&lines[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(short_work_shows_nothing);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(long_work_shows_a_bar_and_clears_it);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(no_terminal_no_bar);
    t[N + 3] = (struct CMUnitTest)cmocka_unit_test(items);
    t[N + 4] = (struct CMUnitTest)cmocka_unit_test(the_bar_is_ascii_where_the_locale_is);
    return cmocka_run_group_tests_name("progress", t, NULL, NULL);
}
