/* tests/data/ingest/text_log.h - what a reader hands over, as a text to compare with.
 *
 * Unknown is "-".  A test's own header adds how it writes what its formats hand over. */
#ifndef TESTS_DATA_INGEST_TEXT_LOG_H
#define TESTS_DATA_INGEST_TEXT_LOG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/ingest/format.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

struct text_log {
    char text[64 * 1024];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static inline void log_add(struct text_log *g,
                                                                 const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(g->text + g->n, sizeof g->text - g->n, fmt, ap);
    va_end(ap);
    assert_true(n >= 0 && (size_t)n < sizeof g->text - g->n);
    g->n += (size_t)n;
}

static inline void log_span(struct text_log *g, struct span s)
{
    log_add(g, " %.*s", s.len ? (int)s.len : 1, s.len ? s.ptr : "-");
}

static inline void log_num(struct text_log *g, double v)
{
    if (isnan(v))
        log_add(g, " -");
    else
        log_add(g, " %.10g", v);
}

static inline void log_int(struct text_log *g, int64_t v)
{
    if (v == UNKNOWN)
        log_add(g, " -");
    else
        log_add(g, " %lld", (long long)v);
}

static inline void log_time(struct text_log *g, int64_t t)
{
    char buf[32];
    log_add(g, " %s", time_format_iso(buf, t));
}

static inline int log_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)e;
    log_add(ctx, "warning %lld %s\n", (long long)line, text);
    return 0;
}

/* Kind and known fields of a record, without an end of line. */
static inline void log_fields(struct text_log *g, const struct record *r)
{
    log_add(g, "%s", r->kind);
    for (size_t i = 0; i < r->n_fields; i++) {
        const struct record_field *f = &r->fields[i];
        if (f->text.len)
            log_add(g, " %s=%.*s", f->key, (int)f->text.len, f->text.ptr);
        else if (!isnan(f->num))
            log_add(g, " %s=%.10g", f->key, f->num);
    }
}

/* Reads text under the path "f" into the sink as the format that is detected, or as the one of
 * that name; the last line tells the rows, or the error. */
static inline int log_reading(struct text_log *g, struct sink sink, const char *format,
                              struct span text, const struct ingest_options *options, struct err *e)
{
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct arena a = { 0 };
    const struct format *f = NULL;
    int64_t rows = 0, skipped = 0;
    if (options)
        o = *options;
    o.format = format;
    sink.ctx = g;
    sink.warning = log_warning;
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

#endif
