/* tests/planner/report/test_load_chart.c - which points of a load a chart gets, and with what
 * words. */
#include "planner/report/load_chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct recorder {
    struct emit emit;
    struct emit_chart charts[4];
    struct emit_step steps[4][8];
    char labels[4][100];
    size_t n, said;
};

static void rec_words(struct emit *m, const char *label, const char *text, bool is_cell)
{
    (void)label, (void)text, (void)is_cell;
    ((struct recorder *)m)->said++;
}

static void rec_chart(struct emit *m, const struct emit_chart *c)
{
    struct recorder *r = (struct recorder *)m;
    assert_true(r->n < 4 && c->n <= 8);
    r->charts[r->n] = *c;
    strncpy(r->labels[r->n], c->label, sizeof r->labels[0] - 1);
    for (size_t i = 0; i < c->n; i++)
        c->step(c->series, i, &r->steps[r->n][i]);
    r->n++;
}

static struct recorder record(const struct load_chart *charts, size_t n, bool draws)
{
    static const struct emit_ops ops = { .words = rec_words, .chart = rec_chart };
    struct recorder r = { .emit = { .ops = &ops, .people = true, .charts = draws } };
    draw_load(&r.emit, charts, n);
    return r;
}

/* Reads and writes are one load; a point may be split or not. */
static struct load_point points_of_a[] = {
    { .begin_ms = 1000, .end_ms = 2000, .read_mibps = 30, .write_mibps = 12, .unsplit_mibps = NAN },
    { 2000, 3000, .read_mibps = NAN, .write_mibps = NAN, .unsplit_mibps = 7,
      .flags = POINT_PARTIAL | POINT_CENSORED_WAITS },
    { 3000, 4000, .read_mibps = 900, .write_mibps = 0, .unsplit_mibps = NAN,
      .flags = POINT_ARTEFACT | POINT_CENSORED_THROUGHPUT },
    { 4000, 5000, .read_mibps = 0, .write_mibps = 50, .unsplit_mibps = NAN,
      .flags = POINT_CENSORED_IOPS },
    { 5000, 6000, .read_mibps = NAN, .write_mibps = NAN, .unsplit_mibps = NAN,
      .flags = POINT_HOT_VOLUME },
};
static struct load_point points_of_b[] = {
    { .begin_ms = 500,
      .end_ms = 9000,
      .read_mibps = 1,
      .write_mibps = 0,
      .unsplit_mibps = NAN,
      .flags = POINT_CENSORED_INSTANCE },
};
static const struct load_points a = { points_of_a, 5 }, b = { points_of_b, 1 };

static void what_is_drawn(void **state)
{
    (void)state;
    const struct load_chart charts[] = { { "A", &a, 50, 125 }, { "B", &b, 1, NAN } };
    struct recorder r = record(charts, 2, true);
    assert_int_equal(r.n, 2);
    assert_int_equal(r.said, 2); /* a blank line and how to read them */
    assert_string_equal(r.labels[0], "A, peak 50, ceiling 125");
    assert_string_equal(r.labels[1], "B, peak 1");
    for (size_t i = 0; i < 2; i++) { /* both on the same time */
        assert_int_equal(r.charts[i].begin_ms, 500);
        assert_int_equal(r.charts[i].end_ms, 9000);
    }
    static const double values[] = { 42, 7, NAN, 50, NAN };
    static const bool marked[] = { false, false, false, true, true };
    for (size_t i = 0; i < 5; i++) {
        const struct emit_step *s = &r.steps[0][i];
        assert_int_equal(s->begin_ms, 1000 * (i + 1));
        assert_int_equal(s->end_ms, 1000 * (i + 2));
        assert_true(isnan(values[i]) ? isnan(s->value) != 0 : s->value == values[i]);
        assert_int_equal(s->marked, marked[i]);
    }
    assert_true(r.steps[1][0].marked);
}

static void what_was_not_measured_is_left_out(void **state)
{
    (void)state;
    const struct load_points none = { NULL, 0 };
    const struct load_chart charts[] = { { "NONE", &none, NAN, 125 }, { "B", &b, 1, NAN } };
    struct recorder r = record(charts, 2, true);
    assert_int_equal(r.n, 1);
    assert_string_equal(r.labels[0], "B, peak 1");
    r = record(charts, 1, true);
    assert_int_equal(r.n + r.said, 0);
    r = record(charts, 0, true);
    assert_int_equal(r.n + r.said, 0);
}

static void nothing_is_said_where_nothing_is_drawn(void **state)
{
    (void)state;
    const struct load_chart charts[] = { { "A", &a, 50, 125 } };
    struct recorder r = record(charts, 1, false);
    assert_int_equal(r.n + r.said, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_drawn),
        cmocka_unit_test(what_was_not_measured_is_left_out),
        cmocka_unit_test(nothing_is_said_where_nothing_is_drawn),
    };
    return cmocka_run_group_tests_name("load_chart", tests, NULL, NULL);
}
