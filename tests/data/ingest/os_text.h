/* tests/data/ingest/os_text.h - what a format finds in a text, as lines, for tests that compare
 * texts.
 *
 * A sample: "time interval host device" and what is known of it; a record: its kind and fields; a
 * warning: "! line: words"; an error: "ERROR words".  Unknown is "-". */
#ifndef TESTS_DATA_INGEST_OS_TEXT_H
#define TESTS_DATA_INGEST_OS_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/ingest/format.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "tests/each_allocation.h"

#define N(a) (sizeof(a) / sizeof *(a))

typedef int read_fn(struct source *src, const struct ingest_options *o, struct sink *sink,
                    struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

struct lines {
    char text[32768];
    size_t at;
    int64_t n_handed;
};

__attribute__((format(printf, 2, 3))) static inline void put(struct lines *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(l->text + l->at, sizeof l->text - l->at, fmt, ap);
    va_end(ap);
    assert_true(n >= 0 && (size_t)n < sizeof l->text - l->at);
    l->at += (size_t)n;
}

static inline void put_value(struct lines *l, const char *key, double v)
{
    if (!isnan(v))
        put(l, " %s=%.6g", key, v);
}

static inline int put_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    (void)e;
    struct lines *l = ctx;
    char t[32], interval[32] = "-";
    if (!isnan(s->interval_s))
        snprintf(interval, sizeof interval, "%g", s->interval_s);
    put(l, "%s %s %.*s %.*s", time_format_iso(t, s->time_ms), interval,
        s->host.len ? (int)s->host.len : 1, s->host.len ? s->host.ptr : "-", SPAN_ARG(s->device));
    put_value(l, "r", s->reads_per_s);
    put_value(l, "w", s->writes_per_s);
    put_value(l, "rk", s->read_kib_per_s);
    put_value(l, "wk", s->write_kib_per_s);
    put_value(l, "t", s->total_per_s);
    put_value(l, "tk", s->total_kib_per_s);
    put_value(l, "rs", s->read_request_kib);
    put_value(l, "ws", s->write_request_kib);
    put_value(l, "s", s->request_kib);
    put_value(l, "rm", s->read_merge_pct);
    put_value(l, "wm", s->write_merge_pct);
    put_value(l, "ra", s->read_await_ms);
    put_value(l, "wa", s->write_await_ms);
    put_value(l, "a", s->await_ms);
    put_value(l, "q", s->queue);
    put_value(l, "u", s->util_pct);
    put(l, "%s%s\n", s->since_boot ? " boot" : "", s->artefact ? " artefact" : "");
    l->n_handed++;
    return 0;
}

static inline int put_record(void *ctx, const struct record *r, struct err *e)
{
    (void)e;
    struct lines *l = ctx;
    char t[32];
    put(l, "%s", r->kind);
    if (r->time_ms != UNKNOWN)
        put(l, " %s", time_format_iso(t, r->time_ms));
    for (size_t i = 0; i < r->n_fields; i++) {
        const struct record_field *f = &r->fields[i];
        if (!isnan(f->num))
            put(l, " %s=%.10g", f->key, f->num);
        else if (f->text.len)
            put(l, " %s='%.*s'", f->key, SPAN_ARG(f->text));
    }
    put(l, "\n");
    l->n_handed++;
    return 0;
}

static inline int put_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)e;
    put(ctx, "! %lld: %s\n", (long long)line, text);
    return 0;
}

static inline int read_span(read_fn *read, struct span text, const struct ingest_options *o,
                            struct lines *l, int64_t *skipped)
{
    static const struct ingest_options plain = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct arena a = { 0 };
    struct err e = { 0 };
    struct sink sink = {
        .ctx = l, .sample = put_sample, .record = put_record, .warning = put_warning
    };
    struct source *src = source_of_span("f", text);
    int64_t rows = 0;
    int rc = src ? read(src, o ? o : &plain, &sink, &a, &rows, skipped, &e) : err_nomem(&e);
    source_close(src);
    arena_release(&a);
    if (rc) {
        assert_int_equal(rc, e.code);
        if (rc != ERR_NOMEM)
            put(l, "ERROR %s\n", e.text);
    } else {
        assert_int_equal(rows, l->n_handed);
    }
    return rc;
}

/* The lines that the text gives, compared. */
static inline void expect_lines(read_fn *read, const char *text, const struct ingest_options *o,
                                const char *want)
{
    static struct lines l;
    int64_t skipped = 0;
    l = (struct lines){ .at = 0 };
    read_span(read, span_of(text), o, &l, &skipped);
    assert_string_equal(l.text, want);
}

/* Every allocation may fail: ERR_NOMEM, and nothing leaks (the sanitizer says so). */
static inline void expect_nomem(read_fn *read, struct span text)
{
    static struct lines l;
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        int64_t skipped = 0;
        l = (struct lines){ .at = 0 };
        it.rc = read_span(read, text, NULL, &l, &skipped);
        assert_true(it.n < 1000);
    }
}

/* Cut anywhere, a text is read or refused, and never gives more rows than when it is whole. */
static inline void expect_cuts(read_fn *read, struct span text)
{
    static struct lines l;
    int64_t skipped = 0, whole;
    l = (struct lines){ .at = 0 };
    assert_int_equal(read_span(read, text, NULL, &l, &skipped), 0);
    whole = l.n_handed;
    for (size_t len = 0; len < text.len; len++) {
        char *copy = malloc(len ? len : 1); /* of just that size, for the sanitizer */
        assert_non_null(copy);
        memcpy(copy, text.ptr, len);
        l = (struct lines){ .at = 0 };
        int rc = read_span(read, (struct span){ copy, len }, NULL, &l, &skipped);
        free(copy);
        if ((rc != 0 && rc != ERR_PARSE) || l.n_handed > whole)
            fail_msg("cut at %zu: %s", len, l.text);
    }
}

static inline int refuse_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    (void)s;
    ++*(int *)ctx;
    return err_set(e, ERR_STORE, "no");
}

static inline int refuse_record(void *ctx, const struct record *r, struct err *e)
{
    (void)r;
    ++*(int *)ctx;
    return err_set(e, ERR_STORE, "no");
}

/* A sink that says no is obeyed at once; one that nobody listens to is left alone. */
static inline void expect_obeyed(read_fn *read, struct span text)
{
    static const struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    for (int listens = 0; listens < 2; listens++) {
        struct arena a = { 0 };
        struct err e = { 0 };
        int calls = 0;
        int64_t rows = 0, skipped = 0;
        struct sink sink = { .ctx = &calls };
        if (listens) {
            sink.sample = refuse_sample;
            sink.record = refuse_record;
        }
        struct source *src = source_of_span("f", text);
        assert_int_equal(read(src, &o, &sink, &a, &rows, &skipped, &e), listens ? ERR_STORE : 0);
        assert_int_equal(calls, listens);
        source_close(src);
        arena_release(&a);
    }
}

#endif
