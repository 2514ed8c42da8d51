/* tests/samples/aws_truth.h - compares a figure with an entry of TRUTH.json. */
#ifndef TESTS_SAMPLES_AWS_TRUTH_H
#define TESTS_SAMPLES_AWS_TRUTH_H

#include "models/core/timestamp.h"
#include "tests/samples/aws_export.h"

#include <cjson/cJSON.h>

static cJSON *truth;
static const char *now; /* the entry that is compared */
static int n_figures;

static const cJSON *member(const cJSON *object, const char *key)
{
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!m)
        fail_msg("%s: TRUTH.json has no '%s' here", now, key);
    return m;
}

static double number(const cJSON *v)
{
    double d = NAN;
    struct span s = span_of(cJSON_GetStringValue(v));
    if (cJSON_IsNumber(v))
        return v->valuedouble;
    if (span_double(&s, &d))
        return NAN;
    return d;
}

/* One figure: NaN where the truth is null. */
static void same(const char *what, double is, const cJSON *want, double tolerance)
{
    double w = number(want);
    n_figures++;
    if (cJSON_IsNull(want) ? !isnan(is) : !(fabs(is - w) <= tolerance))
        fail_msg("%s: %s is %.12g, the truth is %.12g", now, what, is, w);
}

static void same_text(const char *what, struct span is, const cJSON *want)
{
    n_figures++;
    if (!span_is(is, cJSON_IsNull(want) ? "" : cJSON_GetStringValue(want)))
        fail_msg("%s: %s is '%.*s', the truth is '%s'", now, what, SPAN_ARG(is),
                 cJSON_GetStringValue(want));
}

static void same_time(const char *what, int64_t is, const cJSON *want)
{
    struct span s = span_of(cJSON_GetStringValue(want));
    int64_t t;
    bool zoned;
    assert_int_equal(time_parse_iso(&s, &t, &zoned), 0);
    n_figures++;
    if (t != is)
        fail_msg("%s: %s differs from %s", now, what, cJSON_GetStringValue(want));
}

static void same_money(const char *what, money is, const cJSON *want)
{
    struct span s = span_of(cJSON_GetStringValue(want));
    money w;
    assert_int_equal(money_parse(&s, &w, NULL, NULL), 0);
    n_figures++;
    if (is != w)
        fail_msg("%s: %s differs from %s", now, what, cJSON_GetStringValue(want));
}

static void same_int(const char *what, int64_t is, const cJSON *want)
{
    same(what, is == UNKNOWN ? NAN : (double)is, want, 0);
}

/* The statistic of a metric of one dimension at one time; NULL = missing. */
static const struct metric_sample *sample(const char *metric, const char *dimension, int64_t t,
                                          const char *statistic)
{
    for (size_t i = 0; i < got.n_metrics; i++) {
        const struct metric_sample *s = &got.metrics[i];
        if ((t == UNKNOWN || s->time_ms == t) && span_is(s->metric, metric) &&
            span_is(s->dimension, dimension) && span_is(s->statistic_text, statistic))
            return s;
    }
    return NULL;
}

static double per_s(const char *metric, const char *dimension, int64_t t)
{
    const struct metric_sample *s = sample(metric, dimension, t, "Sum");
    return s ? metric_sample_per_s(s) : NAN;
}

#endif
