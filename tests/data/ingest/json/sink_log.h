/* tests/data/ingest/json/sink_log.h - writes down what a reader of an AWS format hands over.
 *
 * One line per call, so that an expectation is a text:
 *   metric NS METRIC DIMENSION STATISTIC[/text] period[~] time value unit @line   (~ = inferred)
 *   volume ID TYPE GIB IOPS MIBPS STATE INSTANCE DEVICE ZONE NAME attachments
 *   modification ID STATE FROM -> TO progress start end
 *   bill START END ACCOUNT REGION RESOURCE USAGE AMOUNT UNIT COST CURRENCY TYPE list @line
 *   KIND key=value ...                          (a record; unknown fields are left out)
 *   warning LINE text
 *   rows N skipped N                            or   CODE text
 */
#ifndef TESTS_DATA_INGEST_JSON_SINK_LOG_H
#define TESTS_DATA_INGEST_JSON_SINK_LOG_H

#include "tests/data/ingest/text_log.h"

#include <stdlib.h>

#include "data/ingest/cloudwatch/cloudwatch.h"
#include "data/ingest/layout/layout_json.h"
#include "models/core/mem.h"

static int log_metric(void *ctx, const struct metric_sample *s, struct err *e)
{
    struct text_log *g = ctx;
    (void)e;
    log_add(g, "metric");
    log_span(g, s->namespace_name);
    log_span(g, s->metric);
    log_span(g, s->dimension);
    log_add(g, " %s", metric_statistic_name(s->statistic));
    if (!span_is(s->statistic_text, metric_statistic_name(s->statistic)))
        log_add(g, "/%.*s", (int)s->statistic_text.len, s->statistic_text.ptr);
    if (isnan(s->period_s))
        log_add(g, " -");
    else
        log_add(g, " %g%s", s->period_s, s->period_inferred ? "~" : "");
    log_time(g, s->time_ms);
    log_add(g, " %.10g", s->value);
    log_span(g, s->unit);
    log_add(g, " @%lld\n", (long long)s->line);
    return 0;
}

static void log_spec(struct text_log *g, const struct volume_spec *v)
{
    log_add(g, " %s", volume_type_name(v->type));
    log_int(g, v->size_gib);
    log_int(g, v->iops);
    log_int(g, v->throughput_mibps);
}

static int log_volume(void *ctx, const struct volume_config *v, struct err *e)
{
    struct text_log *g = ctx;
    (void)e;
    log_add(g, "volume");
    log_span(g, v->volume_id);
    log_spec(g, &v->spec);
    log_span(g, v->state);
    log_span(g, v->instance_id);
    log_span(g, v->device);
    log_span(g, v->zone);
    log_span(g, v->name);
    log_int(g, v->attachments);
    log_add(g, "%s @%lld\n", v->multi_attach ? " multi" : "", (long long)v->line);
    return 0;
}

static int log_modification(void *ctx, const struct volume_modification *m, struct err *e)
{
    struct text_log *g = ctx;
    (void)e;
    log_add(g, "modification");
    log_span(g, m->volume_id);
    log_span(g, m->state);
    log_spec(g, &m->from);
    log_add(g, " ->");
    log_spec(g, &m->to);
    log_add(g, " %g%%", m->progress_pct);
    log_time(g, m->start_ms);
    log_time(g, m->end_ms);
    log_add(g, "\n");
    return 0;
}

static void log_money(struct text_log *g, money m, bool has, int decimals)
{
    char buf[64];
    log_add(g, " %s", has ? money_format(buf, m, decimals) : "-");
}

static int log_bill_line(void *ctx, const struct bill_line *l, struct err *e)
{
    struct text_log *g = ctx;
    (void)e;
    log_add(g, "bill");
    log_time(g, l->start_ms);
    log_time(g, l->end_ms);
    log_span(g, l->account);
    log_span(g, l->region);
    log_span(g, l->resource);
    log_span(g, l->usage_type);
    log_money(g, l->amount, l->has_amount, 12);
    log_span(g, l->unit);
    log_money(g, l->cost, l->has_cost, l->cost_decimals > 12 ? 12 : l->cost_decimals);
    log_span(g, l->currency);
    log_span(g, l->line_type);
    log_money(g, l->list_cost, l->has_list_cost, 4);
    log_add(g, " @%lld\n", (long long)l->line);
    return 0;
}

static int log_record(void *ctx, const struct record *r, struct err *e)
{
    struct text_log *g = ctx;
    (void)e;
    log_fields(g, r);
    log_add(g, "\n");
    return 0;
}

/* Reads text under the path "f" as the format of that name, or as the one detected (NULL). */
static int log_read(struct text_log *g, const char *format, struct span text,
                    const struct ingest_options *options, struct err *e)
{
    struct sink sink = { .metric = log_metric,
                         .volume = log_volume,
                         .modification = log_modification,
                         .bill_line = log_bill_line,
                         .record = log_record };
    return log_reading(g, sink, format, text, options, e);
}

struct log_case {
    const char *why, *format, *in, *want;
    double interval_s; /* 0 = not stated */
};

static void check_log(void **state)
{
    static struct text_log g;
    const struct log_case *c = *state;
    struct err e;
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    const struct format *detected = NULL;
    if (c->interval_s > 0)
        o.interval_s = c->interval_s;
    struct source *src = source_of_span("f", span_of(c->in));
    assert_non_null(src);
    assert_int_equal(format_of(src, &o, &detected, &e), 0);
    assert_string_equal(detected->name, c->format);
    source_close(src);
    log_read(&g, c->format, span_of(c->in), &o, &e);
    assert_string_equal(g.text, c->want);
}

/* Every allocation fails once: ERR_NOMEM each time, until it succeeds with the text wanted. */
static void torture_log(const struct log_case *c)
{
    static struct text_log g;
    struct err e;
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    if (c->interval_s > 0)
        o.interval_s = c->interval_s;
    int rc;
    long n = 0;
    do {
        atomic_store(&mem_calls, 0);
        atomic_store(&mem_fail_at, ++n);
        rc = log_read(&g, c->format, span_of(c->in), &o, &e);
        if (rc && rc != ERR_NOMEM)
            break; /* a refusal that needs no more memory */
        assert_true(n < 100000);
    } while (rc);
    atomic_store(&mem_fail_at, 0);
    assert_true(n > 1);
    assert_string_equal(g.text, c->want);
}

/* A text cut at any byte, and with any byte made another, ends without a crash and within
 * ERR_NOMEM's absence. */
static void mangle_log(const struct log_case *c)
{
    static struct text_log g;
    struct err e;
    size_t len = strlen(c->in);
    char *copy = malloc(len + 1);
    assert_non_null(copy);
    for (size_t i = 0; i <= len; i++) {
        memcpy(copy, c->in, len);
        assert_int_not_equal(log_read(&g, c->format, (struct span){ copy, i }, NULL, &e),
                             ERR_NOMEM);
        if (i == len)
            break;
        for (const char *with = "\"\\[]{},:0-\n\x80"; *with; with++) {
            copy[i] = *with;
            assert_int_not_equal(log_read(&g, c->format, (struct span){ copy, len }, NULL, &e),
                                 ERR_NOMEM);
        }
    }
    free(copy);
}

struct log_cases {
    const struct log_case *at;
    size_t n;
};

static void torture_all(void **state)
{
    const struct log_cases *all = *state;
    for (size_t i = 0; i < all->n; i++)
        torture_log(&all->at[i]);
}

struct head_case {
    const char *why, *head;
    bool is_one;
};

/* Which beginnings of a file a format takes for its own. */
__attribute__((unused)) static void check_heads(const char *format, const struct head_case *heads,
                                                size_t n)
{
    const struct format *f = format_find(format);
    assert_non_null(f);
    for (size_t i = 0; i < n; i++)
        if ((f->detect(span_of(heads[i].head)) > 0) != heads[i].is_one)
            fail_msg("%s: %s", heads[i].why, heads[i].head);
}

/* The rows as tests of their own, all of them with every allocation failing, and more. */
static int run_log_cases(const struct log_case *cases, size_t n_cases,
                         const struct CMUnitTest *more, size_t n_more)
{
    enum { TESTS_MAX = 200 };
    static struct CMUnitTest tests[TESTS_MAX];
    struct log_cases all = { cases, n_cases };
    size_t n = 0;
    layout_init();
    if (n_cases + n_more >= TESTS_MAX)
        return 1;
    for (size_t i = 0; i < n_cases; i++)
        tests[n++] = (struct CMUnitTest){ cases[i].why, check_log, NULL, NULL,
                                          (void *)(uintptr_t)&cases[i] };
    tests[n++] = (struct CMUnitTest){ "every allocation fails", torture_all, NULL, NULL, &all };
    for (size_t i = 0; i < n_more; i++)
        tests[n++] = more[i];
    return _cmocka_run_group_tests("aws", tests, n, NULL, NULL);
}

#endif
