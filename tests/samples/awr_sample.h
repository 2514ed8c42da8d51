/* tests/samples/awr_sample.h - reading a public file through the format table, and comparing what
 * came of it with its truth (a row of ../shared/samples/awr/TRUTH.json).
 *
 * Figures that may differ are listed in `exceptions`, each with its reason. */
#ifndef TESTS_SAMPLES_AWR_SAMPLE_H
#define TESTS_SAMPLES_AWR_SAMPLE_H

#include "data/ingest/awr/awr.h"
#include "data/ingest/awr/awr_cell.h"
#include "data/ingest/awr/awr_name.h"
#include "data/ingest/format.h"
#include "models/core/mem.h"
#include "models/core/unit.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define FOLDER "../shared/samples/awr/"

enum { SNAPSHOTS_MAX = 8 };

static struct sample {
    const cJSON *truth;
    const char *file;
    char path[256];
    const char *format; /* as detected; NULL */
    struct arena arena;
    struct awr_snapshot s; /* the last */
    struct awr_snapshot all[SNAPSHOTS_MAX];
    int n_snapshots, n_wrong, n_compared, n_warnings;
    int64_t rows, n_handed_over; /* what the reader says, and what came */
    struct err err;
} now;

static int n_figures; /* of all files */

/* --- reading ---------------------------------------------------------------------------------- */

/* Everything the callback is given lives in the arena of the read, which this test keeps. */
static inline int on_snapshot(void *ctx, const struct awr_snapshot *s, struct err *e)
{
    struct sample *x = ctx;
    (void)e;
    x->s = *s;
    if (x->n_snapshots < SNAPSHOTS_MAX)
        x->all[x->n_snapshots] = *s;
    x->n_snapshots++;
    x->n_handed_over++;
    return 0;
}

static inline int on_metric(void *ctx, const struct metric_sample *m, struct err *e)
{
    struct sample *x = ctx;
    (void)e;
    assert_true(m->metric.len > 0 && m->line > 0 && isfinite(m->value));
    x->n_handed_over++;
    return 0;
}

static inline int on_record(void *ctx, const struct record *r, struct err *e)
{
    struct sample *x = ctx;
    (void)e;
    assert_true(r->n_fields > 0 && r->line > 0);
    x->n_handed_over++;
    return 0;
}

static inline int on_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    struct sample *x = ctx;
    (void)e;
    assert_true(s->device.len > 0);
    x->n_handed_over++;
    return 0;
}

static inline int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    struct sample *x = ctx;
    (void)e;
    x->n_warnings++;
    if (getenv("VERBOSE"))
        printf("    %s:%lld: %s\n", x->path, (long long)line, text);
    return 0;
}

/* Through the format table, as every input goes. */
static inline int read_sample(struct sample *x, const char *file)
{
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct sink sink = { .ctx = x,
                         .snapshot = on_snapshot,
                         .metric = on_metric,
                         .record = on_record,
                         .sample = on_sample,
                         .warning = on_warning };
    const struct format *format = NULL;
    struct source *src = NULL;
    int64_t skipped = 0;
    x->file = file;
    snprintf(x->path, sizeof x->path, FOLDER "%s", file);
    int rc = source_open(x->path, &src, &x->err);
    if (!rc)
        rc = format_of(src, &o, &format, &x->err);
    if (!rc)
        x->format = format->name;
    if (!rc)
        rc = format->read(src, &o, &sink, &x->arena, &x->rows, &skipped, &x->err);
    source_close(src);
    return rc;
}

/* --- comparing -------------------------------------------------------------------------------- */

/* figure: what wrong() prints, from its start. */
static const struct exception {
    const char *file, *figure, *why;
} exceptions[] = {
    { NULL, NULL, NULL },
};

static inline void wrong(struct sample *x, const char *where, const char *what, const char *got,
                         const char *want)
{
    char figure[300];
    snprintf(figure, sizeof figure, "%s: %s", where, what);
    for (const struct exception *k = exceptions; k->file; k++)
        if (strcmp(k->file, x->file) == 0 && strncmp(k->figure, figure, strlen(k->figure)) == 0)
            return;
    printf("    %s: %s: got %s, want %s\n", x->file, figure, got, want);
    x->n_wrong++;
}

static inline void compare_num(struct sample *x, const char *where, const char *what, double got,
                               const cJSON *want)
{
    double w = cJSON_IsNumber(want) ? want->valuedouble : NAN;
    char got_text[40], want_text[40];
    x->n_compared++;
    n_figures++;
    if (isnan(w) ? isnan(got) : fabs(got - w) <= 1e-9 * fmax(1, fabs(w)))
        return;
    snprintf(got_text, sizeof got_text, "%.10g", got);
    snprintf(want_text, sizeof want_text, "%.10g", w);
    wrong(x, where, what, got_text, want_text);
}

static inline void compare_text(struct sample *x, const char *what, const char *got,
                                const cJSON *want)
{
    const char *w = cJSON_IsString(want) && want->valuestring[0] ? want->valuestring : NULL;
    x->n_compared++;
    if (w == got || (w && got && strcmp(w, got) == 0))
        return;
    wrong(x, "header", what, got ? got : "nothing", w ? w : "nothing");
}

/* Text reports clip names; the parser completes those it knows. */
static inline bool same_name(const char *got, const char *printed)
{
    size_t n = strlen(printed);
    if (n && printed[n - 1] == ':')
        n--;
    return strncmp(got, printed, n) == 0 && (got[n] == '\0' || n >= 14);
}

static inline const cJSON *at(const cJSON *list, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(list, key);
}

static inline const char *text_of(const cJSON *row, const char *a, const char *b)
{
    const cJSON *v = at(row, a);
    if (!v)
        v = at(row, b);
    return cJSON_IsString(v) ? v->valuestring : "";
}

static inline double find_stat(const struct awr_stat *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].per_s;
    return NAN;
}

static inline void compare_io_profile_of(struct sample *x, const struct awr_snapshot *s)
{
    static const char *const of[] = { "read+write", "read", "write" };
    const cJSON *line;
    cJSON_ArrayForEach(line, at(x->truth, "io_profile"))
    {
        for (int i = 0; i < 3; i++) {
            char name[120];
            snprintf(name, sizeof name, "%.80s %s", line->string, of[i]);
            compare_num(x, "io_profile", name, find_stat(s->io_profile, s->n_io_profile, name),
                        cJSON_GetArrayItem(line, i));
        }
    }
}

#endif
