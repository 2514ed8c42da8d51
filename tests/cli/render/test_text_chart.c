/* tests/cli/render/test_text_chart.c - charts of characters.
 *
 * The property runs on random series: SEED=N replays, COUNT=N sets their number. */
#include "cli/render/printable.h"
#include "cli/render/text_chart.h"
#include "models/core/unit.h"
#include "tests/cli/render/capture.h"
#include "tests/each_allocation.h"
#include "tests/seeded.h"

#include <stdint.h>
#include <string.h>

enum { MINUTE_MS = 60000, ROOM = 3000 };
#define SIX INT64_C(1652853600000) /* 2022-05-18T06:00Z */

static struct emit_step steps[ROOM];

static void step_of(const void *series, size_t i, struct emit_step *out)
{
    *out = ((const struct emit_step *)series)[i];
}

/* One step a minute from 06:00 on; NaN = not measured, a negative value is marked. */
static struct emit_chart minutes_of(const double *v, size_t n, const char *label)
{
    for (size_t i = 0; i < n; i++)
        steps[i] = (struct emit_step){ SIX + (int64_t)i * MINUTE_MS,
                                       SIX + (int64_t)(i + 1) * MINUTE_MS, fabs(v[i]), v[i] < 0 };
    return (struct emit_chart){ label, SIX, SIX + (int64_t)n * MINUTE_MS, n, step_of, steps };
}

static void expect(const struct emit_chart *chart, struct text_page page, const char *want)
{
    struct capture c;
    capture_open(&c);
    c.m = render_text(c.f, page);
    assert_non_null(c.m);
    emit_chart(c.m, chart);
    capture_expect(&c, want);
}

/* 40 columns less 2 of indent, 2 x 5 of times and 2 blanks: 26 bars. */
enum { BARS_40 = 26 };

/* Of a top of 80 each eighth is 10: 10 is the lowest, 11 already the second. */
static void eighths_rounded_up(void **state)
{
    (void)state;
    const double v[BARS_40] = { 0,  1,  10, 11, 20, 21, 30, 31, 40, 41, 50, 51, 60,
                                61, 70, 71, 79, 80, 0,  0,  0,  0,  0,  0,  0,  0 };
    struct emit_chart chart = minutes_of(v, BARS_40, "REDO1");
    expect(&chart, (struct text_page){ .columns = 40, .charts = CHARTS_BLOCKS },
           "  REDO1\n"
           "  06:00 ▁▁▁▂▂▃▃▄▄▅▅▆▆▇▇███▁▁▁▁▁▁▁▁ 06:26\n");
    expect(&chart, (struct text_page){ .columns = 40, .charts = CHARTS_ASCII },
           "  REDO1\n"
           "  06:00 ___..,,--==++**###________ 06:26\n");
}

static void what_is_not_known_is_blank(void **state)
{
    (void)state;
    double v[BARS_40];
    for (size_t i = 0; i < BARS_40; i++)
        v[i] = i % 2 ? NAN : 8;
    v[0] = NAN;
    struct emit_chart chart = minutes_of(v, BARS_40, "A");
    expect(&chart, (struct text_page){ .columns = 40, .charts = CHARTS_ASCII },
           "  A\n"
           "  06:00   # # # # # # # # # # # #  06:26\n");
}

static void ceilings_are_marked(void **state)
{
    (void)state;
    double v[BARS_40] = { 0 };
    v[3] = v[5] = -8;
    v[4] = -4;
    struct emit_chart chart = minutes_of(v, BARS_40, "A");
    expect(&chart, (struct text_page){ .columns = 40, .charts = CHARTS_ASCII },
           "  A\n"
           "  06:00 ___#-#____________________ 06:26\n"
           "           ^^^\n");
    expect(&chart, (struct text_page){ .columns = 40, .colour = true, .charts = CHARTS_ASCII },
           "  A\n"
           "  06:00 ___#-#____________________ 06:26\n"
           "        \033[31m   ^^^\033[0m\n");
}

/* 80 columns: 80 - 2 - 10 - 2 - 3 - 36 leaves 27 bars; a label beyond 36 stands above all 66. */
static void a_label_stands_beside_where_it_fits(void **state)
{
    (void)state;
    double v[66];
    for (size_t i = 0; i < 66; i++)
        v[i] = 1;
    struct emit_chart chart = minutes_of(v, 27, "123456789 123456789 123456789 123456");
    expect(&chart, (struct text_page){ .columns = 80, .charts = CHARTS_ASCII },
           "  06:00 ########################### 06:27   123456789 123456789 123456789 123456\n");
    chart = minutes_of(v, 66, "123456789 123456789 123456789 1234567");
    expect(&chart, (struct text_page){ .columns = 80, .charts = CHARTS_ASCII },
           "  123456789 123456789 123456789 1234567\n"
           "  06:00 ##################################################################"
           " 07:06\n");
}

static void more_than_a_day_has_dates(void **state)
{
    (void)state;
    steps[0] = (struct emit_step){ SIX, SIX + 86400000, 2, false };
    steps[1] = (struct emit_step){ SIX + 86400000, SIX + 2 * 86400000, 1, false };
    struct emit_chart chart = { "A", SIX, SIX + 2 * 86400000, 2, step_of, steps };
    expect(&chart, (struct text_page){ .columns = 40, .charts = CHARTS_ASCII },
           "  A\n"
           "  2022-05-18 ########-------- 2022-05-20\n");
}

static void nothing_known_is_not_drawn(void **state)
{
    (void)state;
    const double v[] = { NAN, NAN };
    struct emit_chart chart = minutes_of(v, 2, "A");
    expect(&chart, (struct text_page){ .charts = CHARTS_BLOCKS }, "");
    chart.n = 0;
    expect(&chart, (struct text_page){ .charts = CHARTS_BLOCKS }, "");
    const double one[] = { 1 };
    chart = minutes_of(one, 1, "A");
    chart.end_ms = chart.begin_ms;
    expect(&chart, (struct text_page){ .charts = CHARTS_BLOCKS }, "");
}

static void nothing_is_drawn_off_a_terminal(void **state)
{
    (void)state;
    const double v[] = { 1, 2 };
    struct emit_chart chart = minutes_of(v, 2, "A");
    expect(&chart, (struct text_page){ .charts = CHARTS_NONE }, "");
    struct emit *(*const machine[])(FILE *) = { render_json, render_csv };
    static const char *const empty[] = { "{}\n", "" };
    for (size_t i = 0; i < 2; i++) {
        struct capture c;
        capture_open(&c);
        c.m = machine[i](c.f);
        assert_non_null(c.m);
        emit_chart(c.m, &chart);
        capture_expect(&c, empty[i]);
    }
}

static void a_hostile_label_is_made_safe(void **state)
{
    (void)state;
    const double v[] = { 1, 2 };
    struct emit_chart chart = minutes_of(v, 2, "\033]0;x\a");
    expect(&chart, (struct text_page){ .charts = CHARTS_ASCII },
           "  06:00 -----------------------"
           "######################## 06:02   \\x1b]0;x\\x07\n");
}

/* --- a peak is never hidden ------------------------------------------------------------------- */

/* What the documents promise of column k of n, by walking every step for it: 0 = blank, else 1 +
 * the index of its character. */
static int wanted_level(const struct emit_chart *c, size_t k, size_t n, double top)
{
    int64_t span = c->end_ms - c->begin_ms;
    double best = NAN;
    for (size_t i = 0; i < c->n; i++) {
        /* in units of 1/n ms, so that columns begin at whole numbers */
        int64_t begin = (steps[i].begin_ms - c->begin_ms) * (int64_t)n;
        int64_t last = (steps[i].end_ms - 1 - c->begin_ms) * (int64_t)n;
        if (begin < (int64_t)(k + 1) * span && last >= (int64_t)k * span)
            best = fmax(best, steps[i].value);
    }
    if (isnan(best))
        return 0;
    int level = 1;
    while (level < 8 && best * 8 > top * level)
        level++;
    return level;
}

static void random_steps(struct seeded *chance, struct emit_chart *c)
{
    int64_t at = SIX;
    c->n = 1 + seeded_next(chance) % (ROOM - 1);
    for (size_t i = 0; i < c->n; i++) {
        at +=
            seeded_next(chance) % 8 ? 0 : (int64_t)(seeded_next(chance) % 5000) * 1000; /* a gap */
        int64_t end = at + 1000 * (1 + (int64_t)(seeded_next(chance) % (i % 97 ? 60 : 7200)));
        double value =
            seeded_next(chance) % 50 ? (double)(seeded_next(chance) % 64) : 1024; /* few and high */
        steps[i] = (struct emit_step){ at, end, seeded_next(chance) % 10 ? value : NAN, false };
        at = end;
    }
    c->begin_ms = steps[0].begin_ms;
    c->end_ms = at;
}

static void every_column_shows_its_highest(void **state)
{
    (void)state;
    static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    const char *count_text = getenv("COUNT");
    struct seeded chance = { seed_of_run(20220518) };
    long count = count_text ? strtol(count_text, NULL, 10) : 300;
    for (long round = 0; round < count; round++) {
        uint64_t now = chance.state;
        struct emit_chart chart = { .label = "A", .step = step_of, .series = steps };
        struct text_page page = { 40 + seeded_next(&chance) % 61, false, CHARTS_BLOCKS };
        struct buf b = { 0 };
        random_steps(&chance, &chart);
        text_chart_put(&b, &chart, chart.label, &page);
        buf_put(&b, "", 1);
        assert_false(b.failed);
        double top = NAN;
        for (size_t i = 0; i < chart.n; i++)
            top = fmax(top, steps[i].value);
        assert_true(top >= 0);
        bool day = chart.end_ms - chart.begin_ms <= 86400000;
        size_t around = day ? 14 : 24, n = page.columns - around;
        bool beside = n >= 24 + 39; /* MIN_BARS, and GAP with LABEL_COLUMNS */
        n -= beside ? 39 : 0;
        const char *at = b.ptr + (beside ? 0 : strlen("  A\n")) + (day ? 8 : 13);
        for (size_t k = 0; k < n; k++) {
            const char *want = blocks[wanted_level(&chart, k, n, top)];
            if (strncmp(at, want, strlen(want)) != 0)
                fail_msg("SEED=%llu: column %zu of %zu is not '%s' in:\n%s",
                         (unsigned long long)now, k, n, want, b.ptr);
            at += strlen(want);
        }
        assert_int_equal(*at, ' ');
        for (const char *line = b.ptr; *line; line += strcspn(line, "\n") + 1)
            assert_true(printable_columns(line, strcspn(line, "\n")) <= page.columns);
        buf_release(&b);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const double v[] = { 1, -2 };
    struct emit_chart chart = minutes_of(v, 2, "A");
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        struct capture c;
        capture_open(&c);
        c.m = render_text(c.f, (struct text_page){ .charts = CHARTS_BLOCKS });
        it.rc = ERR_NOMEM;
        if (c.m) {
            emit_label(c.m, "a", "b");
            emit_chart(c.m, &chart);
            it.rc = emit_close(c.m, &it.e);
        }
        fclose(c.f);
        free(c.text);
    }
    assert_true(it.n > 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(eighths_rounded_up),
        cmocka_unit_test(what_is_not_known_is_blank),
        cmocka_unit_test(ceilings_are_marked),
        cmocka_unit_test(a_label_stands_beside_where_it_fits),
        cmocka_unit_test(more_than_a_day_has_dates),
        cmocka_unit_test(nothing_known_is_not_drawn),
        cmocka_unit_test(nothing_is_drawn_off_a_terminal),
        cmocka_unit_test(a_hostile_label_is_made_safe),
        cmocka_unit_test(every_column_shows_its_highest),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("text_chart", tests, NULL, NULL);
}
