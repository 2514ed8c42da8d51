/* tests/fuzz/fuzz_oracle.c - any bytes as each of the extracts of Oracle: AWR-Miner, and spooled
 * CSV.
 *
 * Beyond "no crash": what a reader hands over is finite and has its name, time and line, rows are
 * counted right, the error is one of input. */
#include "data/ingest/format.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    int64_t rows, lines;
};

static void must(bool ok)
{
    if (!ok)
        abort();
}

static int on_metric(void *ctx, const struct metric_sample *s, struct err *e)
{
    struct seen *seen = ctx;
    (void)e;
    seen->rows++;
    must(isfinite(s->value) && (isnan(s->period_s) || s->period_s > 0));
    must(s->line > 0 && s->line <= seen->lines);
    return 0;
}

static int on_record(void *ctx, const struct record *r, struct err *e)
{
    struct seen *seen = ctx;
    (void)e;
    seen->rows++;
    must(r->n_fields > 0 && r->n_fields <= RECORD_FIELDS_MAX && r->line <= seen->lines);
    for (size_t i = 0; i < r->n_fields; i++)
        must(r->fields[i].key && !isinf(r->fields[i].num));
    return 0;
}

static int on_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    struct seen *seen = ctx;
    (void)e;
    seen->rows++;
    must(s->end_ms > s->begin_ms && s->elapsed_s > 0 && s->n_filetypes + s->n_stats > 0);
    for (size_t i = 0; i < s->n_filetypes; i++)
        must(s->filetypes[i].name && s->filetypes[i].name[0] &&
             !(s->filetypes[i].read_requests_per_s < 0));
    for (size_t i = 1; i < s->n_stats; i++)
        must(strcmp(s->stats[i - 1].name, s->stats[i].name) < 0);
    return 0;
}

static int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    const struct seen *seen = ctx;
    (void)e;
    must(line >= 0 && line <= seen->lines && text[0]);
    return 0;
}

static void read_as(const char *name, struct span text)
{
    const struct format *f = format_find(name);
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct seen seen = { .lines = 1 };
    struct sink sink = { .ctx = &seen,
                         .metric = on_metric,
                         .record = on_record,
                         .snapshot = on_snapshot,
                         .warning = on_warning };
    struct arena a = { 0 };
    struct err e = { 0 };
    int64_t rows = 0, skipped = 0;
    for (size_t i = 0; i < text.len; i++)
        seen.lines += text.ptr[i] == '\n' || text.ptr[i] == '\r';
    struct source *src = source_of_span("fuzz", text);
    must(f && src);
    int score = f->detect(text);
    must(score >= 0 && score <= 100);
    int rc = f->read(src, &o, &sink, &a, &rows, &skipped, &e);
    must(rc == 0 || ((rc == ERR_PARSE || rc == ERR_LIMIT) && e.code == rc && e.text[0]));
    must(rc || (rows == seen.rows && skipped >= 0));
    source_close(src);
    arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "awr_miner", "dma_csv", "esp_csv", "volplan_csv",
                                         "perfsheet" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        read_as(names[i], (struct span){ (const char *)data, size });
    return 0;
}
