/* tests/data/test_rollup_values.c - by hand: which values of a metric a rollup puts together, and
 * to what. */
#include "tests/data/store/roll.h"

#include "data/load.h"
#include "data/rollup.h"
#include "data/rollup_values.h"
#include "data/store/store_upkeep.h"
#include "models/vocab/metric_series.h"

static const int64_t start_ms = INT64_C(1652853600000), hour_ms = 3600000, minute_ms = 60000;

static struct store_metric_value minute_value(int i, double value)
{
    return (struct store_metric_value){
        .time_ms = start_ms + i * minute_ms, .line = 10 + i, .period_s = 60, .value = value
    };
}

struct statistic_case {
    const char *why;
    enum metric_statistic statistic;
    size_t want_n;
    double want;
};

/* Of three minutes at 4, 1 and 4.75. */
static void test_statistic(void **state)
{
    const struct statistic_case *c = *state;
    struct rollup_cuts cuts = { 0 };
    const struct store_metric_value in[] = { minute_value(0, 4), minute_value(1, 1),
                                             minute_value(2, 4.75) };
    struct store_metric_value out[3];
    assert_int_equal(rollup_values_thin(c->statistic, in, 3, start_ms + hour_ms, &cuts, out),
                     c->want_n);
    assert_int_equal(out[0].time_ms, start_ms);
    assert_true(out[0].value == c->want);
    assert_true(out[0].period_s == (c->want_n == 1 ? 180 : 60));
    assert_true(out[0].line == (c->want_n == 1 ? UNKNOWN : 10));
}

static struct statistic_case statistics[] = {
    { "a sum is one of the longer time", STATISTIC_SUM, 1, 9.75 },
    { "an average is weighted by time", STATISTIC_AVERAGE, 1, 3.25 },
    { "so is a rate", STATISTIC_RATE, 1, 3.25 },
    { "the largest of maxima", STATISTIC_MAXIMUM, 1, 4.75 },
    { "the smallest of minima", STATISTIC_MINIMUM, 1, 1 },
    { "as many samples as all had", STATISTIC_COUNT, 1, 9.75 },
    { "a percentile stays", STATISTIC_OTHER, 3, 4 },
};

struct apart_case {
    const char *why;
    struct store_metric_value a, b;
    int64_t before_ms, edge_ms, kept_ms; /* after the start; 0 = none */
};

/* What two values are not put together over. */
static void test_apart(void **state)
{
    const struct apart_case *c = *state;
    struct rollup_cuts cuts = { 0 };
    struct err e = { 0 };
    struct store_metric_value in[] = { c->a, c->b }, out[2];
    for (int i = 0; i < 2; i++)
        in[i].time_ms = in[i].time_ms == UNKNOWN ? UNKNOWN : in[i].time_ms + start_ms;
    if (c->edge_ms)
        assert_int_equal(rollup_cuts_edge(&cuts, start_ms + c->edge_ms, &e), 0);
    if (c->kept_ms)
        assert_int_equal(rollup_cuts_keep_hours(&cuts, start_ms + c->kept_ms,
                                                start_ms + c->kept_ms + 1, &e),
                         0);
    assert_int_equal(rollup_cuts_settle(&cuts, &e), 0);
    assert_int_equal(rollup_values_thin(STATISTIC_SUM, in, 2, start_ms + c->before_ms, &cuts, out),
                     2);
    assert_memory_equal(out, in, sizeof out);
    rollup_cuts_release(&cuts);
}

#define AT(seconds, period_s)                                                                      \
    {                                                                                              \
        (seconds) * INT64_C(1000), 7, period_s, 1                                                  \
    }
static struct apart_case apart_cases[] = {
    { "a minute is missing between", AT(0, 60), AT(120, 60), 7200000, 0, 0 },
    { "an hour ends", AT(3540, 60), AT(3600, 60), 7200000, 0, 0 },
    { "an edge", AT(0, 60), AT(60, 60), 7200000, 60000, 0 },
    { "the hour stays", AT(0, 60), AT(60, 60), 7200000, 0, 1800000 },
    { "the limit is between them", AT(0, 60), AT(60, 60), 60000, 0, 0 },
    { "five minutes are no minute", AT(0, 60), AT(60, 300), 7200000, 0, 0 },
    { "no period is told", AT(0, 60), AT(60, NAN), 7200000, 0, 0 },
    { "no time is told", AT(0, 60), { UNKNOWN, 7, 60, 1 }, 7200000, 0, 0 },
    { "a time beyond all times",
      AT(0, 60),
      { INT64_MAX - 1652853600000, 7, 60, 1 },
      7200000,
      0,
      0 },
    { "between minutes of the clock", AT(30, 60), AT(90, 60), 7200000, 0, 0 },
    { "one is a mean", AT(0, 60), { 60000, UNKNOWN, 60, 1 }, 7200000, 0, 0 },
    { "unknown stays unknown", AT(0, 60), { 60000, 7, 60, NAN }, 7200000, 0, 0 },
};

/* --- edges -----------------------------------------------------------------------------------
 */

struct edge_case {
    const char *why;
    int64_t file_id; /* of the second minute */
    bool other_metric;
    double value;
    bool want_edge;
};

/* Two minutes that follow each other: whether there is an edge between them. */
static void test_edge(void **state)
{
    const struct edge_case *c = *state;
    struct rollup_cuts cuts = { 0 };
    struct value_spans spans = { 0 };
    struct err e = { 0 };
    struct store_metric_value a = minute_value(5, 1), b = minute_value(6, c->value);
    assert_int_equal(value_spans_add(&spans, 1, &a, 1, &e), 0);
    if (c->other_metric)
        value_spans_next_metric(&spans);
    assert_int_equal(value_spans_add(&spans, c->file_id, &b, 1, &e), 0);
    assert_int_equal(value_spans_mark(&spans, &cuts, &e), 0);
    assert_int_equal(rollup_cuts_settle(&cuts, &e), 0);
    assert_true(rollup_cuts_is_edge(&cuts, start_ms + 5 * minute_ms));
    assert_true(rollup_cuts_is_edge(&cuts, start_ms + 6 * minute_ms) == c->want_edge);
    assert_true(isnan(c->value) || rollup_cuts_is_edge(&cuts, start_ms + 7 * minute_ms));
    assert_false(rollup_cuts_is_edge(&cuts, start_ms + 4 * minute_ms));
    assert_false(rollup_cuts_meet(&cuts, start_ms, start_ms + hour_ms));
    value_spans_release(&spans);
    rollup_cuts_release(&cuts);
}

static struct edge_case edges[] = {
    { "one goes on from the other", 1, false, 1, false },
    { "another file begins", 2, false, 1, true },
    { "another metric tells it", 1, true, 1, true },
    { "less than nothing is no load", 1, false, -1, true },
    { "what is measured ends", 1, false, NAN, true },
};

/* --- in the store ------------------------------------------------------------------------------
 */

/* Minutes [from, to) of a metric that is no load: 2, but for 9 at minute 10 of hours and 1 at
 * minute 20; `more` on top of all, and then 20 at minute 30. */
static void put_queue(struct store *s, unsigned char hash, int from, int to, int by, double more)
{
    fixture_begin(s);
    for (int i = from; i < to; i += by) {
        struct metric_sample v = { .metric = SPAN_LIT("VolumeQueueLength"),
                                   .dimension = SPAN_LIT("VolumeId=vol-a"),
                                   .instance_number = UNKNOWN,
                                   .statistic = STATISTIC_AVERAGE,
                                   .counts = COUNT_EBS,
                                   .period_s = 60 * by,
                                   .time_ms = start_ms + i * minute_ms,
                                   .value = more > 0 && i % 60 == 30 ? 20
                                                                     : (i % 60 == 10   ? 9
                                                                        : i % 60 == 20 ? 1
                                                                                       : 2) +
                                                                           more,
                                   .line = 1 + i };
        fixture_put_metric(s, &v);
    }
    fixture_commit(s, hash);
}

/* The hour's highest and lowest minute, and a mean before, between and after them. */
static void assert_queue(const struct metric_series *m, size_t at, int first)
{
    static const int begin[] = { 0, 10, 11, 20, 21 }, length[] = { 10, 1, 9, 1, 39 };
    static const double value[] = { 2, 9, 2, 1, 2 };
    assert_true(m->n >= at + 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(m->time_ms[at + i], start_ms + (first + begin[i]) * minute_ms);
        assert_true(m->period_s[at + i] == 60 * length[i]);
        assert_true(m->value[at + i] == value[i]);
    }
}

struct queue_case {
    const char *why;
    int again_from, again_to, again_by; /* what the second file tells of the hour 0 of the first */
    int64_t want_before, want_after;
    size_t want_n; /* values that count; the last five are of hour 2 */
};

static void test_queue(void **state)
{
    const struct queue_case *c = *state;
    struct rollup_counts counts = { 0 };
    struct arena a = { 0 };
    struct err e = { 0 };
    struct system_load l;
    struct store *s = fixture_open(STORE_CREATE);
    put_queue(s, 1, 0, 60, 1, 0);
    put_queue(s, 2, c->again_from, c->again_to, c->again_by, 1);
    put_queue(s, 3, 120, 180, 1, 0);
    roll(s, start_ms + 3 * hour_ms, &counts);
    assert_int_equal(counts.values_before, c->want_before);
    assert_int_equal(counts.values_after, c->want_after);
    assert_int_equal(load_system(s, "PRD1", &a, &l, &e), 0);
    assert_int_equal(l.n_metrics, 1);
    assert_int_equal(l.metrics[0].n, c->want_n);
    assert_queue(&l.metrics[0], c->want_n - 5, 120);
    if (c->want_n == 10)
        assert_queue(&l.metrics[0], 0, 0);
    store_close(s);
    arena_release(&a);
}

static struct queue_case queues[] = {
    { "an hour that was loaded twice: each becomes five, and the first counts", 0, 60, 1, 180, 15,
      10 },
    { "an hour in which five minutes are one as well stays", 55, 60, 5, 121, 61 + 5, 61 + 5 },
};

int main(void)
{
    enum {
        N_STATISTICS = sizeof statistics / sizeof *statistics,
        N_APART = sizeof apart_cases / sizeof *apart_cases,
        N_EDGES = sizeof edges / sizeof *edges,
        N_QUEUES = sizeof queues / sizeof *queues
    };
    struct CMUnitTest t[N_STATISTICS + N_APART + N_EDGES + N_QUEUES];
    size_t n = 0;
    for (size_t i = 0; i < N_STATISTICS; i++)
        t[n++] =
            (struct CMUnitTest){ statistics[i].why, test_statistic, NULL, NULL, &statistics[i] };
    for (size_t i = 0; i < N_APART; i++)
        t[n++] = (struct CMUnitTest){ apart_cases[i].why, test_apart, NULL, NULL, &apart_cases[i] };
    for (size_t i = 0; i < N_EDGES; i++)
        t[n++] = (struct CMUnitTest){ edges[i].why, test_edge, NULL, NULL, &edges[i] };
    for (size_t i = 0; i < N_QUEUES; i++)
        t[n++] = (struct CMUnitTest){ queues[i].why, test_queue, fixture_setup, fixture_teardown,
                                      &queues[i] };
    return fixture_run(t, n);
}
