/* tests/fuzz/fuzz_awr.c - AWR reports, text and HTML: whatever comes must be read or refused.
 *
 * The reader is chosen from the content, so the corpus holds both kinds.  What the sink is
 * given must make sense. */
#include "data/ingest/awr/awr.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void check_io_rows(const struct awr_io_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        must(rows[i].name && rows[i].name[0] && rows[i].line > 0);
        must(!isinf(rows[i].read_bytes_per_s) && !isinf(rows[i].write_bytes_per_s));
        must(!(rows[i].read_requests_per_s < 0) && !(rows[i].write_requests_per_s < 0));
    }
}

static void check_stats(const struct awr_stat *stats, size_t n)
{
    for (size_t i = 0; i < n; i++)
        must(stats[i].name && strlen(stats[i].name) < 1024 && stats[i].line > 0);
}

static int on_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    (void)ctx;
    (void)e;
    must(s->begin_ms != UNKNOWN && s->end_ms != UNKNOWN && s->elapsed_s > 0);
    check_io_rows(s->filetypes, s->n_filetypes);
    check_io_rows(s->functions, s->n_functions);
    check_stats(s->load_profile, s->n_load_profile);
    check_stats(s->io_profile, s->n_io_profile);
    check_stats(s->stats, s->n_stats);
    for (size_t i = 1; i < s->n_stats; i++)
        must(strcmp(s->stats[i - 1].name, s->stats[i].name) < 0);
    return 0;
}

static int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)ctx;
    (void)e;
    must(line >= 0 && text[0]);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
    if (!ready)
        awr_html_global_init();
    ready = true;

    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct sink sink = { .snapshot = on_snapshot, .warning = on_warning };
    struct arena a = { 0 };
    struct err e = { 0 };
    int64_t rows = 0, skipped = 0;
    struct span bytes = { (const char *)data, size };
    struct source *src = source_of_span("fuzz", bytes);
    if (!src)
        return 0;
    must(awr_detect(bytes) >= 0);
    int rc = awr_read(src, &o, &sink, &a, &rows, &skipped, &e);
    must(rc == 0 ? rows > 0 : e.text[0] != '\0');
    source_close(src);
    arena_release(&a);
    return 0;
}
