/* tests/samples/aws_export.h - reads one public AWS export and keeps all that it hands over. */
#ifndef TESTS_SAMPLES_AWS_EXPORT_H
#define TESTS_SAMPLES_AWS_EXPORT_H

#include "data/ingest/archive/expand.h"
#include "data/ingest/format.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define FOLDER "../shared/samples/aws/"
#define N(a)   (sizeof(a) / sizeof *(a))

/* Copies in arrays; texts live in the arena. */
static struct got {
    struct arena arena;
    const char *format; /* NULL = refused */
    struct err err;
    int64_t rows, skipped;
    struct metric_sample *metrics;
    struct volume_config *volumes;
    struct bill_line *bills;
    struct {
        const char *kind;
        struct record_field *fields;
        size_t n;
    } * records;
    struct {
        int64_t line;
        const char *text;
    } * warnings;
    size_t n_metrics, n_volumes, n_bills, n_records, n_warnings, n_modifications;
} got;

/* Room for one more element of an array that grows by doubling. */
#define GROW(array, n)                                                                             \
    do {                                                                                           \
        if (((n) & ((n)-1)) == 0) {                                                                \
            (array) = arena_grow(&got.arena, (array), (n), (n) ? (n)*2 : 1, sizeof *(array));      \
            assert_non_null(array);                                                                \
        }                                                                                          \
    } while (0)

static struct span keep(struct span s)
{
    char *copy = arena_strndup(&got.arena, s.len ? s.ptr : "", s.len);
    assert_non_null(copy);
    return (struct span){ copy, s.len };
}

static int on_metric(void *ctx, const struct metric_sample *s, struct err *e)
{
    (void)ctx;
    (void)e;
    GROW(got.metrics, got.n_metrics);
    struct metric_sample *m = &got.metrics[got.n_metrics++];
    *m = *s;
    m->namespace_name = keep(s->namespace_name);
    m->metric = keep(s->metric);
    m->dimension = keep(s->dimension);
    m->statistic_text = keep(s->statistic_text);
    return 0;
}

static int on_volume(void *ctx, const struct volume_config *s, struct err *e)
{
    (void)ctx;
    (void)e;
    GROW(got.volumes, got.n_volumes);
    struct volume_config *v = &got.volumes[got.n_volumes++];
    *v = *s;
    v->volume_id = keep(s->volume_id);
    v->state = keep(s->state);
    v->instance_id = keep(s->instance_id);
    v->device = keep(s->device);
    v->zone = keep(s->zone);
    return 0;
}

static int on_modification(void *ctx, const struct volume_modification *m, struct err *e)
{
    (void)ctx;
    (void)m;
    (void)e;
    got.n_modifications++;
    return 0;
}

static int on_bill_line(void *ctx, const struct bill_line *s, struct err *e)
{
    (void)ctx;
    (void)e;
    GROW(got.bills, got.n_bills);
    struct bill_line *l = &got.bills[got.n_bills++];
    *l = *s;
    l->account = keep(s->account);
    l->operation = keep(s->operation);
    l->line_type = keep(s->line_type);
    l->region = keep(s->region);
    l->resource = keep(s->resource);
    l->usage_type = keep(s->usage_type);
    l->unit = keep(s->unit);
    l->currency = keep(s->currency);
    return 0;
}

static int on_record(void *ctx, const struct record *r, struct err *e)
{
    (void)ctx;
    (void)e;
    GROW(got.records, got.n_records);
    struct record_field *fields = arena_array(&got.arena, r->n_fields, sizeof *fields);
    assert_non_null(fields);
    for (size_t i = 0; i < r->n_fields; i++) {
        fields[i] = r->fields[i];
        fields[i].text = keep(r->fields[i].text);
    }
    got.records[got.n_records].kind = r->kind;
    got.records[got.n_records].fields = fields;
    got.records[got.n_records++].n = r->n_fields;
    return 0;
}

static int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)ctx;
    (void)e;
    GROW(got.warnings, got.n_warnings);
    got.warnings[got.n_warnings].line = line;
    got.warnings[got.n_warnings++].text = keep(span_of(text)).ptr;
    return 0;
}

/* Reads a file of the folder into got; interval_s: what the user states, or NaN. */
static void read_file(const char *file, double interval_s)
{
    struct sink sink = { .metric = on_metric,
                         .volume = on_volume,
                         .modification = on_modification,
                         .bill_line = on_bill_line,
                         .record = on_record,
                         .warning = on_warning };
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = interval_s };
    const struct format *f;
    char path[300];
    struct source *src;
    arena_release(&got.arena);
    got = (struct got){ .format = NULL };
    snprintf(path, sizeof path, FOLDER "%s", file);
    assert_int_equal(source_open(path, &src, &got.err), 0);
    struct arena a = { 0 };
    struct source *inner;
    struct expander *x = expand_open(src, &(struct expand_options){ .max_bytes = 0 });
    assert_non_null(x);
    assert_int_equal(expand_next(x, &inner, &got.err), 1);
    int rc = format_of(inner, &o, &f, &got.err);
    if (!rc)
        rc = f->read(inner, &o, &sink, &a, &got.rows, &got.skipped, &got.err);
    if (!rc)
        got.format = f->name;
    arena_release(&a);
    expand_close(x);
    source_close(src);
}

static bool warned(const char *words)
{
    for (size_t i = 0; i < got.n_warnings; i++)
        if (strstr(got.warnings[i].text, words))
            return true;
    return false;
}

static bool warned_at(int64_t line, const char *words)
{
    for (size_t i = 0; i < got.n_warnings; i++)
        if (got.warnings[i].line == line && strstr(got.warnings[i].text, words))
            return true;
    return false;
}

#endif
