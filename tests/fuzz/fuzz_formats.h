/* tests/fuzz/fuzz_formats.h - any bytes as each of a list of formats.
 *
 * Beyond "no crash": what a reader hands over is within its own promises, rows are counted right,
 * the error is one of input, never of memory. */
#ifndef TESTS_FUZZ_FUZZ_FORMATS_H
#define TESTS_FUZZ_FUZZ_FORMATS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "data/ingest/format.h"
#include "data/ingest/layout/layout_json.h"
#include "models/core/unit.h"

struct seen {
    int64_t rows, lines;
    bool undated; /* the format has metrics of no time */
};

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void demand_line(const struct seen *seen, int64_t line)
{
    demand(line >= 0 && line <= seen->lines);
}

static void demand_time(int64_t t)
{
    demand(t == UNKNOWN || (t > INT64_C(-62135596800001) && t < INT64_C(253402473600000)));
}

static int on_metric(void *ctx, const struct metric_sample *s, struct err *e)
{
    struct seen *seen = ctx;
    (void)e;
    seen->rows++;
    demand(isfinite(s->value) && (isnan(s->period_s) || s->period_s > 0));
    demand(seen->undated || s->time_ms != UNKNOWN);
    demand_time(s->time_ms);
    demand(s->line > 0);
    demand_line(seen, s->line);
    return 0;
}

static int on_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    struct seen *seen = ctx;
    (void)e;
    seen->rows++;
    demand(s->end_ms > s->begin_ms && s->elapsed_s > 0 && s->n_filetypes + s->n_stats > 0);
    for (size_t i = 0; i < s->n_filetypes; i++)
        demand(s->filetypes[i].name && s->filetypes[i].name[0] &&
               !(s->filetypes[i].read_requests_per_s < 0));
    for (size_t i = 1; i < s->n_stats; i++)
        demand(strcmp(s->stats[i - 1].name, s->stats[i].name) < 0);
    return 0;
}

static int on_volume(void *ctx, const struct volume_config *v, struct err *e)
{
    struct seen *seen = ctx;
    (void)e;
    seen->rows++;
    demand(v->volume_id.len >= 4 && v->spec.count == 1 && v->spec.type <= VOL_TYPE_COUNT);
    demand(v->spec.size_gib == UNKNOWN || v->spec.size_gib >= 0);
    demand(v->spec.iops == UNKNOWN || v->spec.iops >= 0);
    demand_time(v->created_ms);
    demand_line(seen, v->line);
    return 0;
}

static int on_modification(void *ctx, const struct volume_modification *m, struct err *e)
{
    struct seen *seen = ctx;
    (void)e;
    seen->rows++;
    demand(m->volume_id.len >= 4 && m->from.type <= VOL_TYPE_COUNT && m->to.type <= VOL_TYPE_COUNT);
    demand_line(seen, m->line);
    return 0;
}

static int on_bill_line(void *ctx, const struct bill_line *l, struct err *e)
{
    struct seen *seen = ctx;
    char text[64];
    (void)e;
    seen->rows++;
    demand(l->usage_type.len > 0 && l->cost_decimals >= 0);
    if (l->has_cost)
        money_format(text, l->cost, 12);
    if (l->has_amount)
        money_format(text, l->amount, 12);
    demand_time(l->start_ms);
    demand_time(l->end_ms);
    demand_line(seen, l->line);
    return 0;
}

static int on_record(void *ctx, const struct record *r, struct err *e)
{
    struct seen *seen = ctx;
    (void)e;
    seen->rows++;
    demand(r->kind && r->n_fields > 0 && r->n_fields <= RECORD_FIELDS_MAX);
    for (size_t i = 0; i < r->n_fields; i++)
        demand(r->fields[i].key && !isinf(r->fields[i].num));
    demand_line(seen, r->line);
    return 0;
}

static int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)e;
    demand(*text);
    demand_line(ctx, line);
    return 0;
}

static void read_as(const char *name, struct span text)
{
    const struct format *f = format_find(name);
    const struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct seen seen = { .lines = 1 };
    seen.undated = strcmp(name, "dma_csv") == 0 || strcmp(name, "esp_csv") == 0;
    struct sink sink = { .ctx = &seen,
                         .metric = on_metric,
                         .snapshot = on_snapshot,
                         .volume = on_volume,
                         .modification = on_modification,
                         .bill_line = on_bill_line,
                         .record = on_record,
                         .warning = on_warning };
    struct arena a = { 0 };
    struct err e = { 0 };
    int64_t rows = 0, skipped = 0;
    for (size_t i = 0; i < text.len; i++)
        seen.lines += text.ptr[i] == '\n' || text.ptr[i] == '\r';
    struct source *src = source_of_span("input", text);
    demand(f && src);
    int score = f->detect(text);
    demand(score >= 0 && score <= 100);
    int rc = f->read(src, &o, &sink, &a, &rows, &skipped, &e);
    demand(rc == 0 || ((rc == ERR_PARSE || rc == ERR_LIMIT) && e.code == rc && *e.text));
    demand(rc || (rows == seen.rows && skipped >= 0));
    source_close(src);
    arena_release(&a);
}

static int read_as_each(const char *const *names, size_t n, const uint8_t *data, size_t size)
{
    static bool ready;
    if (!ready)
        layout_init();
    ready = true;
    for (size_t i = 0; i < n; i++)
        read_as(names[i], (struct span){ (const char *)data, size });
    return 0;
}

#endif
