/* tests/data/ingest/cloudwatch/test_metric_vectors.c - rows of kind "metric" of
 * shared/vectors/ebs.csv.
 *
 * Each row is turned into what CloudWatch would send for it, read, and compared with what the
 * row says the metric is. */
#include "tests/data/ingest/json/sink_log.h"

#include "data/ingest/csv/csv.h"
#include "models/ebs/io_count.h"

#define PATH "tests/vectors/ebs.csv"

struct seen {
    double value, per_s;
    enum metric_statistic statistic;
    int n;
};

static int keep_sample(void *ctx, const struct metric_sample *s, struct err *e)
{
    struct seen *g = ctx;
    (void)e;
    *g = (struct seen){ s->value, metric_sample_per_s(s), s->statistic, g->n + 1 };
    return 0;
}

/* The sample of an answer with one point: Sum = sum of that metric over a period. */
static struct seen read_point(const char *metric, double sum, double period_s)
{
    char text[300];
    struct seen g = { .n = 0 };
    struct sink sink = { .ctx = &g, .metric = keep_sample };
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = period_s };
    struct arena a = { 0 };
    struct err e;
    int64_t rows, skipped;
    snprintf(
        text, sizeof text,
        "{\"Label\":\"%s\",\"Datapoints\":[{\"Timestamp\":\"2026-03-02T10:00:00Z\",\"Sum\":%g}]}",
        metric, sum);
    struct source *src = source_of_span("point.json", span_of(text));
    assert_non_null(src);
    assert_int_equal(cw_stats_read(src, &o, &sink, &a, &rows, &skipped, &e), 0);
    assert_int_equal(g.n, 1);
    source_close(src);
    arena_release(&a);
    return g;
}

/* "ops=150;each_s=1": the number of a name; the test fails when it is not there. */
static double part(struct span text, const char *name)
{
    struct span item, key;
    double v = NAN;
    while (span_field(&text, ';', &item) == 0)
        if (span_field(&item, '=', &key) == 0 && span_is(key, name) && span_double(&item, &v) == 0)
            return v;
    fail_msg("no '%s' in the vector", name);
    return v;
}

/* V091: one request of io_kib counts as so many units of 256 KiB, and is a counter. */
static void consumed_ops(struct span expect, double io_kib)
{
    double units = part(expect, "VolumeConsumedReadWriteOps");
    assert_true(io_counted(io_kib, 256) == units);
    struct seen g = read_point("VolumeConsumedReadWriteOps", units, 60);
    assert_int_equal(g.statistic, STATISTIC_SUM);
    assert_true(g.value == units && fabs(g.per_s - units / 60) < 1e-12);
}

/* V092: requests in parallel take more time than the period has; nothing is clamped. */
static void total_time(struct span expect)
{
    double ops = part(expect, "ops"), period_s = part(expect, "period");
    double total_s = part(expect, "VolumeTotalReadTime");
    struct seen time = read_point("VolumeTotalReadTime", ops * part(expect, "each_s"), period_s);
    struct seen requests = read_point("VolumeReadOps", ops, period_s);
    assert_true(time.value == total_s && total_s > period_s);
    assert_true(time.value / requests.value * 1000 ==
                part(expect, "each_s") * 1000); /* ms per op */
    assert_true(fabs(requests.per_s - ops / period_s) < 1e-12);
}

static void vectors(void **state)
{
    (void)state;
    struct source *src;
    struct arena a = { 0 };
    struct csv c;
    struct err e;
    int n = 0;
    assert_int_equal(source_open(PATH, &src, &e), 0);
    assert_int_equal(csv_open(&c, src, ',', &a, &e), 1);
    ptrdiff_t id = csv_column(&c, "id"), kind = csv_column(&c, "kind");
    ptrdiff_t kib = csv_column(&c, "io_kib"), other = csv_column(&c, "expect_other");
    while (csv_next(&c, &e) == 1) {
        if (!span_is(csv_field(&c, kind), "metric"))
            continue;
        struct span text = csv_field(&c, kib);
        double io_kib = NAN;
        (void)span_double(&text, &io_kib);
        n++;
        if (span_is(csv_field(&c, id), "V091"))
            consumed_ops(csv_field(&c, other), io_kib);
        else if (span_is(csv_field(&c, id), "V092"))
            total_time(csv_field(&c, other));
        else
            fail_msg("a vector of kind metric that this test does not know");
    }
    assert_int_equal(n, 2);
    source_close(src);
    arena_release(&a);
}

/* What is a rate and what never is one (domain/ebs.md section 3). */
static void rates(void **state)
{
    (void)state;
    const struct {
        const char *why;
        enum metric_statistic statistic;
        double period_s, value, want; /* NaN = none */
    } rows[] = {
        { "Sum over its period", STATISTIC_SUM, 300, 600, 2 },
        { "a rate is left alone", STATISTIC_RATE, 300, 600, 600 },
        { "an average of a counter", STATISTIC_AVERAGE, 300, 600, NAN },
        { "a maximum", STATISTIC_MAXIMUM, 300, 600, NAN },
        { "a sum over an unknown period", STATISTIC_SUM, NAN, 600, NAN },
        { "something else", STATISTIC_OTHER, 300, 600, NAN },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct metric_sample s = { .statistic = rows[i].statistic,
                                   .period_s = rows[i].period_s,
                                   .value = rows[i].value };
        double got = metric_sample_per_s(&s);
        if (isnan(rows[i].want) ? !isnan(got) : got != rows[i].want)
            fail_msg("%s: %g", rows[i].why, got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(vectors), cmocka_unit_test(rates) };
    (void)run_log_cases;
    (void)check_log;
    (void)torture_log;
    (void)mangle_log;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
