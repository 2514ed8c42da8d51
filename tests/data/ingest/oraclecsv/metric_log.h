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

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/ingest/format.h"
#include "models/core/mem.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

struct metric_log {
    char text[64 * 1024];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static inline void log_add(struct metric_log *g,
                                                                 const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(g->text + g->n, sizeof g->text - g->n, fmt, ap);
    va_end(ap);
    assert_true(n >= 0 && (size_t)n < sizeof g->text - g->n);
    g->n += (size_t)n;
}

static inline void log_span(struct metric_log *g, struct span s)
{
    log_add(g, " %.*s", s.len ? (int)s.len : 1, s.len ? s.ptr : "-");
}

static inline void log_num(struct metric_log *g, double v)
{
    if (isnan(v))
        log_add(g, " -");
    else
        log_add(g, " %.10g", v);
}

static inline void log_int(struct metric_log *g, int64_t v)
{
    if (v == UNKNOWN)
        log_add(g, " -");
    else
        log_add(g, " %lld", (long long)v);
}

static inline void log_time(struct metric_log *g, int64_t t)
{
    char buf[32];
    log_add(g, " %s", time_format_iso(buf, t));
}

static inline int log_metric(void *ctx, const struct metric_sample *s, struct err *e)
{
    struct metric_log *g = ctx;
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
    struct metric_log *g = ctx;
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
    struct metric_log *g = ctx;
    (void)e;
    log_add(g, "%s", r->kind);
    for (size_t i = 0; i < r->n_fields; i++) {
        const struct record_field *f = &r->fields[i];
        if (f->text.len)
            log_add(g, " %s=%.*s", f->key, (int)f->text.len, f->text.ptr);
        else if (!isnan(f->num))
            log_add(g, " %s=%.10g", f->key, f->num);
    }
    log_add(g, " @%lld\n", (long long)r->line);
    return 0;
}

static inline int log_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)e;
    log_add(ctx, "warning %lld %s\n", (long long)line, text);
    return 0;
}

/* Reads text under the path "f" as the format that is detected, or as the one of that name. */
static inline int log_read(struct metric_log *g, const char *format, struct span text,
                           const struct ingest_options *options, struct err *e)
{
    struct sink sink = { .ctx = g,
                         .metric = log_metric,
                         .snapshot = log_snapshot,
                         .record = log_record,
                         .warning = log_warning };
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct arena a = { 0 };
    const struct format *f = NULL;
    int64_t rows = 0, skipped = 0;
    if (options)
        o = *options;
    o.format = format;
    g->n = 0;
    g->text[0] = '\0';
    struct source *src = source_of_span("f", text);
    int rc = src ? format_of(src, &o, &f, e) : err_nomem(e);
    if (!rc)
        rc = f->read(src, &o, &sink, &a, &rows, &skipped, e);
    if (rc)
        log_add(g, "%d %s\n", rc, e->text);
    else
        log_add(g, "rows %lld skipped %lld\n", (long long)rows, (long long)skipped);
    source_close(src);
    arena_release(&a);
    return rc;
}

struct log_case {
    const char *why, *format, *in, *want;
    double interval_s; /* 0 = not stated */
    int64_t date_ms;   /* 0 = not stated */
};

static inline void check_log(void **state)
{
    static struct metric_log g;
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
    static struct metric_log g;
    const struct log_case *c = *state;
    for (long at = 1;; at++) {
        struct err e = { 0 };
        mem_calls = 0;
        mem_fail_at = at;
        int rc = log_read(&g, c->format, span_of(c->in), NULL, &e);
        mem_fail_at = 0;
        if (!rc)
            break;
        assert_int_equal(rc, ERR_NOMEM);
    }
}

#endif
