/* tests/fuzz/fuzz_iostat.c - any bytes as the text of iostat.
 *
 * Beyond "no crash": a sample has a name of 1 to 255 bytes, rates that are numbers, a line within
 * the input, and an interval that is positive or unknown. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "data/ingest/iostat/iostat.h"
#include "data/zone.h"
#include "models/core/unit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    int64_t samples, lines;
};

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static int on_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    (void)e;
    struct seen *seen = ctx;
    seen->samples++;
    demand(s->device.len >= 1 && s->device.len <= 255 && s->host.len <= 255);
    demand(s->line >= 1 && s->line <= seen->lines);
    demand(isnan(s->interval_s) || s->interval_s > 0);
    demand(s->artefact || !(s->reads_per_s < 0 || s->writes_per_s < 0 || s->read_kib_per_s < 0 ||
                            s->write_kib_per_s < 0 || s->total_per_s < 0));
    return 0;
}

static int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)e;
    demand(line >= 0 && line <= ((struct seen *)ctx)->lines && *text);
    return 0;
}

static void read_as(struct span text, const struct ingest_options *o, int64_t lines)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct seen seen = { 0, lines };
    struct sink sink = { .ctx = &seen, .sample = on_sample, .warning = on_warning };
    struct source *src = source_of_span("input", text);
    int64_t rows, skipped;
    demand(src != NULL);
    int rc = iostat_read(src, o, &sink, &a, &rows, &skipped, &e);
    demand(rc == 0 || rc == ERR_PARSE || rc == ERR_LIMIT);
    demand(rc ? e.code == rc : rows == seen.samples && skipped >= 0);
    source_close(src);
    arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = { (const char *)data, size };
    struct arena a = { 0 };
    struct err e;
    int64_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n' || data[i] == '\r';

    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    iostat_detect(text);
    read_as(text, &o, lines);

    o.date_ms = INT64_C(1652832000000); /* 2022-05-18 */
    o.interval_s = 1e9;
    demand(zone_open(SPAN_LIT("-03:30"), &a, &o.zone, &e) == 0);
    read_as(text, &o, lines);
    arena_release(&a);
    return 0;
}
