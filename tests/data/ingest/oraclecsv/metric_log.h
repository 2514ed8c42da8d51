/* tests/data/ingest/oraclecsv/metric_log.h - writes down what a reader of Oracle extracts hands
 * over.
 *
 *   metric SYSTEM INSTANCE METRIC | DIMENSION | STATISTIC[/text] period time value UNIT @line
 *   snapshot INSTANCE begin end elapsed
 *     filetype NAME bytes requests/s bytes/s (read, then written) @line    stat NAME total per_s
 * @line KIND key=value ...                  (a record; unknown fields are left out) warning LINE
 * text rows N skipped N                    or   CODE text */
#ifndef TESTS_DATA_INGEST_ORACLECSV_METRIC_LOG_H
#define TESTS_DATA_INGEST_ORACLECSV_METRIC_LOG_H

#include "tests/data/ingest/text_log.h"

#include "tests/each_allocation.h"

static inline int log_metric(void *ctx, const struct metric_sample *s, struct err *e)
{
    struct text_log *g = ctx;
    (void)e;
    assert_int_equal(s->counts, COUNT_ORACLE);
    log_add(g, "metric");
    log_span(g, s->system);
    log_int(g, s->instance_number);
    log_span(g, s->metric);
    log_add(g, " |");
    log_span(g, s->dimension);
    log_add(g, " | %s", metric_statistic_name(s->statistic));
    if (s->statistic_text.len)
        log_add(g, "/%.*s", (int)s->statistic_text.len, s->statistic_text.ptr);
    log_num(g, s->period_s);
    log_time(g, s->time_ms);
    log_num(g, s->value);
    log_span(g, s->unit);
    log_add(g, " @%lld\n", (long long)s->line);
    return 0;
}

static inline int log_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    struct text_log *g = ctx;
    (void)e;
    log_add(g, "snapshot");
    log_int(g, s->instance_number);
    log_time(g, s->begin_ms);
    log_time(g, s->end_ms);
    log_num(g, s->elapsed_s);
    log_add(g, "\n");
    for (size_t i = 0; i < s->n_filetypes; i++) {
        const struct awr_io_row *r = &s->filetypes[i];
        log_add(g, "  filetype %s", r->name);
        log_num(g, r->read_bytes);
        log_num(g, r->read_requests_per_s);
        log_num(g, r->read_bytes_per_s);
        log_num(g, r->write_bytes);
        log_num(g, r->write_requests_per_s);
        log_num(g, r->write_bytes_per_s);
        log_add(g, " @%lld\n", (long long)r->line);
    }
    for (size_t i = 0; i < s->n_stats; i++) {
        log_add(g, "  stat %s", s->stats[i].name);
        log_num(g, s->stats[i].total);
        log_num(g, s->stats[i].per_s);
        log_add(g, " @%lld\n", (long long)s->stats[i].line);
    }
    return 0;
}

static inline int log_record(void *ctx, const struct record *r, struct err *e)
{
    struct text_log *g = ctx;
    (void)e;
    log_fields(g, r);
    log_add(g, " @%lld\n", (long long)r->line);
    return 0;
}

/* Reads text under the path "f" as the format that is detected, or as the one of that name. */
static inline int log_read(struct text_log *g, const char *format, struct span text,
                           const struct ingest_options *options, struct err *e)
{
    struct sink sink = { .metric = log_metric, .snapshot = log_snapshot, .record = log_record };
    return log_reading(g, sink, format, text, options, e);
}

struct log_case {
    const char *why, *format, *in, *want;
    double interval_s; /* 0 = not stated */
    int64_t date_ms;   /* 0 = not stated */
};

static inline void check_log(void **state)
{
    static struct text_log g;
    const struct log_case *c = *state;
    struct err e = { 0 };
    struct ingest_options o = { .date_ms = c->date_ms ? c->date_ms : UNKNOWN,
                                .interval_s = c->interval_s > 0 ? c->interval_s : NAN };
    log_read(&g, c->format, span_of(c->in), &o, &e);
    assert_string_equal(g.text, c->want);
}

/* Lets allocation 1, 2, 3 ... and all after it fail, until the text is read. */
static inline void check_memory(void **state)
{
    static struct text_log g;
    const struct log_case *c = *state;
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = log_read(&g, c->format, span_of(c->in), NULL, &it.e);
}

#endif
