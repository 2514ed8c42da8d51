/* tests/data/ingest/iostat/iostat_got.h - what iostat_read finds in a text, for tests that compare
 * it with lines: one per sample, "time interval device", one per warning. */
#ifndef TESTS_DATA_INGEST_IOSTAT_IOSTAT_GOT_H
#define TESTS_DATA_INGEST_IOSTAT_IOSTAT_GOT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/ingest/iostat/iostat.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#define N(a) (sizeof(a) / sizeof *(a))

#define LINUX "Linux 5.4.17 (db1.example) \t05/18/2022 \t_x86_64_\t(16 CPU)\n\n"
#define CPU                                                                                        \
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"                                    \
    "           2.15    0.00    1.07    0.11    0.00   96.67\n\n"
/* A short heading: order and blanks are free. */
#define HEAD  "Device r/s rkB/s w/s wkB/s r_await w_await aqu-sz %util\n"
#define ROW   "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n\n"
#define TABLE CPU HEAD ROW

struct got {
    struct io_sample last;
    char host[256], device[256]; /* of last */
    size_t n, n_warnings;
    char times[2000]; /* "time interval device[*since boot]\n" */
    char warnings[4000];
};

static inline int on_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    (void)e;
    struct got *g = ctx;
    char t[32], interval[32] = "-";
    if (!isnan(s->interval_s))
        snprintf(interval, sizeof interval, "%g", s->interval_s);
    size_t at = strlen(g->times);
    snprintf(g->times + at, sizeof g->times - at, "%s %s %.*s%s\n", time_format_iso(t, s->time_ms),
             interval, SPAN_ARG(s->device), s->since_boot ? " boot" : "");
    snprintf(g->host, sizeof g->host, "%.*s", SPAN_ARG(s->host));
    snprintf(g->device, sizeof g->device, "%.*s", SPAN_ARG(s->device));
    g->last = *s;
    g->n++;
    return 0;
}

static inline int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)e;
    struct got *g = ctx;
    size_t at = strlen(g->warnings);
    snprintf(g->warnings + at, sizeof g->warnings - at, "%lld: %s\n", (long long)line, text);
    g->n_warnings++;
    return 0;
}

static inline int read_text(struct span text, const struct ingest_options *o, struct got *g,
                            int64_t *skipped, struct err *e)
{
    static const struct ingest_options plain = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct arena a = { 0 };
    struct sink sink = { .ctx = g, .sample = on_sample, .warning = on_warning };
    struct source *src = source_of_span("f", text);
    int64_t rows = -1;
    int rc = src ? iostat_read(src, o ? o : &plain, &sink, &a, &rows, skipped, e) : err_nomem(e);
    if (!rc)
        assert_int_equal(rows, g->n);
    source_close(src);
    arena_release(&a);
    return rc;
}

static inline void read_ok(const char *text, const struct ingest_options *o, struct got *g)
{
    int64_t skipped;
    struct err e = { 0 };
    *g = (struct got){ .n = 0 };
    if (read_text(span_of(text), o, g, &skipped, &e))
        fail_msg("%s", e.text);
}

/* A test for each row of cases, which run gets. */
#define CASE_TESTS(cases, run)                                                                     \
    for (size_t i = 0; i < N(cases); i++)                                                          \
        t[n++] = (struct CMUnitTest)                                                               \
        {                                                                                          \
            cases[i].why, run, NULL, NULL, (void *)(uintptr_t)&cases[i]                            \
        }

#endif
