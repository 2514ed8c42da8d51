/* tests/fuzz/fuzz_os.h - any bytes as each of a list of formats of operating system tools.
 *
 * Beyond "no crash": names have 1 to 255 bytes, lines are within the input, intervals are positive
 * or unknown, rates are numbers that a device can have or the sample says that it is an artefact,
 * fields of records are finite, rows are counted right, and the error is one of input, never of
 * memory. */
#ifndef TESTS_FUZZ_FUZZ_OS_H
#define TESTS_FUZZ_FUZZ_OS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "data/ingest/format.h"
#include "data/zone.h"
#include "models/core/unit.h"

struct seen {
    int64_t rows, lines;
};

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void demand_rate(const struct io_sample *s, double v)
{
    demand(isnan(v) || s->artefact || (v >= 0 && isfinite(v)));
}

static int on_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    struct seen *seen = ctx;
    (void)e;
    seen->rows++;
    demand(s->device.len >= 1 && s->device.len <= 255 && s->host.len <= 255);
    demand(s->line >= 1 && s->line <= seen->lines);
    demand(isnan(s->interval_s) || s->interval_s > 0);
    demand_rate(s, s->reads_per_s);
    demand_rate(s, s->writes_per_s);
    demand_rate(s, s->read_kib_per_s);
    demand_rate(s, s->write_kib_per_s);
    demand_rate(s, s->total_per_s);
    demand_rate(s, s->total_kib_per_s);
    return 0;
}

static int on_record(void *ctx, const struct record *r, struct err *e)
{
    struct seen *seen = ctx;
    (void)e;
    seen->rows++;
    demand(r->kind && r->n_fields >= 1 && r->n_fields <= RECORD_FIELDS_MAX);
    demand(r->line >= 1 && r->line <= seen->lines);
    for (size_t i = 0; i < r->n_fields; i++) {
        const struct record_field *f = &r->fields[i];
        demand(f->key && *f->key && !isinf(f->num) && (isnan(f->num) || !f->text.len));
    }
    return 0;
}

static int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    const struct seen *seen = ctx;
    (void)e;
    demand(line >= 0 && line <= seen->lines && *text);
    return 0;
}

static void read_as(const struct format *f, struct span text, const struct ingest_options *o,
                    int64_t lines)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct seen seen = { 0, lines };
    struct sink sink = {
        .ctx = &seen, .sample = on_sample, .record = on_record, .warning = on_warning
    };
    struct source *src = source_of_span("input", text);
    int64_t rows = 0, skipped = 0;
    demand(src != NULL);
    int rc = f->read(src, o, &sink, &a, &rows, &skipped, &e);
    demand(rc == 0 || ((rc == ERR_PARSE || rc == ERR_LIMIT) && e.code == rc));
    demand(rc || (rows == seen.rows && skipped >= 0));
    source_close(src);
    arena_release(&a);
}

static int read_as_each(const char *const *names, size_t n, const uint8_t *data, size_t size)
{
    struct span text = { (const char *)data, size };
    struct arena a = { 0 };
    struct err e;
    int64_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n' || data[i] == '\r';
    struct ingest_options plain = { .date_ms = UNKNOWN, .interval_s = (double)NAN };
    struct ingest_options told = { .date_ms = INT64_C(1652832000000), /* 2022-05-18 */
                                   .interval_s = 1e9 };
    demand(zone_open(SPAN_LIT("-03:30"), &a, &told.zone, &e) == 0);
    for (size_t i = 0; i < n; i++) {
        const struct format *f = format_find(names[i]);
        demand(f != NULL);
        f->detect(text);
        read_as(f, text, &plain, lines);
        read_as(f, text, &told, lines);
    }
    arena_release(&a);
    return 0;
}

#endif
