/* tests/data/ingest/awr/awr_fixture.h - reads a report out of memory and writes down what came. */
#ifndef TESTS_DATA_INGEST_AWR_AWR_FIXTURE_H
#define TESTS_DATA_INGEST_AWR_AWR_FIXTURE_H

#include "data/ingest/awr/awr.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "tests/each_allocation.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define FIXTURES "tests/data/ingest/awr/"

enum { DUMP_MAX = 64 * 1024, FILE_MAX_BYTES = 256 * 1024, WARNINGS_MAX = 4096 };

struct reading {
    struct arena arena;
    struct err err;
    int rc;
    int n_snapshots;
    int64_t rows, skipped;
    struct awr_snapshot s;       /* the last; lives in the arena */
    char warnings[WARNINGS_MAX]; /* "line: text\n" of each */
    char dump[DUMP_MAX];
    size_t dump_len;
};

/* The file's bytes and a NUL; returns how many without it. */
static inline size_t load_fixture(const char *folder, const char *name, char buf[FILE_MAX_BYTES])
{
    char path[200];
    snprintf(path, sizeof path, "%s%s", folder, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(buf, 1, FILE_MAX_BYTES, f);
    assert_true(feof(f) && n < FILE_MAX_BYTES);
    fclose(f);
    buf[n] = '\0';
    return n;
}

__attribute__((format(printf, 2, 3))) static inline void put(struct reading *x, const char *fmt,
                                                             ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(x->dump + x->dump_len, DUMP_MAX - x->dump_len, fmt, ap);
    va_end(ap);
    if (n > 0)
        x->dump_len += (size_t)n;
    if (x->dump_len >= DUMP_MAX)
        x->dump_len = DUMP_MAX - 1;
}

static inline void put_num(struct reading *x, const char *before, double v, const char *after)
{
    if (isnan(v))
        put(x, "%s-%s", before, after);
    else
        put(x, "%s%.10g%s", before, v, after);
}

static inline const char *or_dash(const char *text)
{
    return text ? text : "-";
}

static inline void put_io_rows(struct reading *x, const char *kind, const struct awr_io_row *rows,
                               size_t n)
{
    bool by_type = strcmp(kind, "filetype") == 0;
    for (size_t i = 0; i < n; i++) {
        const struct awr_io_row *r = &rows[i];
        put(x, "%s \"%s\"", kind, r->name);
        put_num(x, " read ", r->read_bytes / MIB_BYTES, " MiB");
        put_num(x, " ", r->read_requests_per_s, "/s");
        put_num(x, " ", r->read_bytes_per_s / MIB_BYTES, " MiB/s");
        put_num(x, " write ", r->write_bytes / MIB_BYTES, " MiB");
        put_num(x, " ", r->write_requests_per_s, "/s");
        put_num(x, " ", r->write_bytes_per_s / MIB_BYTES, " MiB/s");
        put_num(x, " ", by_type ? r->small_read_ms : r->waits, "");
        put_num(x, " ", by_type ? r->large_read_ms : r->wait_avg_ms, "\n");
    }
}

static inline void put_stats(struct reading *x, const struct awr_snapshot *s)
{
    for (size_t i = 0; i < s->n_load_profile; i++) {
        put(x, "load %s", s->load_profile[i].name);
        put_num(x, " ", s->load_profile[i].per_s, "\n");
    }
    for (size_t i = 0; i < s->n_io_profile; i++) {
        put(x, "io \"%s\"", s->io_profile[i].name);
        put_num(x, " ", s->io_profile[i].per_s, "\n");
    }
    for (size_t i = 0; i < s->n_stats; i++) {
        put(x, "stat \"%s\"", s->stats[i].name);
        put_num(x, " total ", s->stats[i].total, "");
        put_num(x, " per_s ", s->stats[i].per_s, "\n");
    }
}

/* Everything but the line numbers, so that a text and an HTML report can have one expectation. */
static inline void put_snapshot(struct reading *x, const struct awr_snapshot *s)
{
    char begin[32], end[32];
    put(x, "snapshot db %s id %lld instance %s number %lld host %s release %s platform %s rac %d",
        or_dash(s->db_name), (long long)s->db_id, or_dash(s->instance),
        (long long)s->instance_number, or_dash(s->host), or_dash(s->release), or_dash(s->platform),
        s->rac);
    put_num(x, " cpus ", s->cpus, "\n");
    put(x, "period %s %s", time_format_iso(begin, s->begin_ms), time_format_iso(end, s->end_ms));
    put_num(x, " elapsed ", s->elapsed_s, " s");
    put_num(x, " db_time ", s->db_time_s, " s\n");
    put_io_rows(x, "filetype", s->filetypes, s->n_filetypes);
    put_io_rows(x, "function", s->functions, s->n_functions);
    for (size_t i = 0; i < s->n_events; i++) {
        const struct awr_event *v = &s->events[i];
        put(x, "event \"%s\"", v->name);
        put_num(x, " waits ", v->waits, "");
        put_num(x, " time ", v->time_s, " s");
        put_num(x, " avg ", v->avg_ms, " ms");
        put_num(x, " pct ", v->pct_db_time, "");
        put(x, " class %s\n", or_dash(v->wait_class));
    }
    put_stats(x, s);
}

static inline int reading_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    struct reading *x = ctx;
    (void)e;
    x->s = *s;
    x->n_snapshots++;
    put_snapshot(x, s);
    return 0;
}

static inline int reading_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    struct reading *x = ctx;
    (void)e;
    size_t n = strlen(x->warnings);
    snprintf(x->warnings + n, sizeof x->warnings - n, "%lld: %s\n", (long long)line, text);
    return 0;
}

/* x->rc is what awr_read returned.  The caller releases x->arena. */
static inline void read_bytes(struct reading *x, const char *path, const char *bytes, size_t n,
                              const struct zone *zone)
{
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN, .zone = zone };
    struct sink sink = { .ctx = x, .snapshot = reading_snapshot, .warning = reading_warning };
    memset(x, 0, sizeof *x);
    struct source *src = source_of_span(path, (struct span){ bytes, n });
    x->rc = src ? awr_read(src, &o, &sink, &x->arena, &x->rows, &x->skipped, &x->err)
                : err_nomem(&x->err);
    source_close(src);
}

/* Every allocation may fail: no snapshot then, and at last the same ones as ever. */
static inline void read_without_memory(const char *path, const char *bytes, size_t n)
{
    static struct reading plain, x;
    read_bytes(&plain, path, bytes, n, NULL);
    assert_int_equal(plain.rc, 0);
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        read_bytes(&x, path, bytes, n, NULL);
        it.rc = x.rc;
        if (x.rc)
            assert_int_equal(x.n_snapshots, 0);
        else
            assert_string_equal(x.dump, plain.dump);
        arena_release(&x.arena);
    }
    assert_true(it.n > 3);
    arena_release(&plain.arena);
}

#endif
