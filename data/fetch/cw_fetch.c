/* data/fetch/cw_fetch.c - see cw_fetch.h. */
#include "data/fetch/cw_fetch.h"

#include "data/fetch/fetch_keep.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

static const char record_kind[] = "fetched_metrics";

/* Of a region: the same id means nothing elsewhere. */
static int load_covered(struct store *s, const char *system, const char *region, struct arena *a,
                        struct cw_covered **out, size_t *out_n, struct err *e)
{
    const struct stored_record *r;
    size_t n, kept = 0;
    int rc = store_records(s, system, a, &r, &n, e);
    if (rc)
        return rc;
    struct cw_covered *c = arena_array(a, n + 1, sizeof *c);
    if (!c)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        const char *where = stored_record_text(&r[i], "region");
        const char *id = stored_record_text(&r[i], "resource");
        double from_s = stored_record_num(&r[i], "from_epoch_s");
        double to_s = stored_record_num(&r[i], "to_epoch_s");
        double period_s = stored_record_num(&r[i], "period_s");
        if (strcmp(r[i].kind, record_kind) != 0 || !where || strcmp(where, region) != 0 || !id ||
            !(from_s >= 0 && from_s < to_s && to_s < 1e11 && period_s >= 1 && period_s < 1e6))
            continue;
        c[kept++] = (struct cw_covered){ id, (int64_t)from_s * 1000, (int64_t)to_s * 1000,
                                         (int64_t)period_s };
    }
    *out = c;
    *out_n = kept;
    return 0;
}

/* One question: of the same times and period, within what one call takes.  An instance with
 * detailed monitoring is asked alone: its answer may be worth nothing. */
static size_t batch_of(const struct cw_window *w, size_t n, const struct cw_resource *resources)
{
    size_t metrics = 0, count = 0;
    if (resources[w->resource].is_instance && w->period_s < CW_BASIC_S)
        return 1;
    while (count < n && w[count].from_ms == w->from_ms && w[count].to_ms == w->to_ms &&
           w[count].period_s == w->period_s) {
        metrics += cw_metrics_of(&resources[w[count].resource]);
        if (metrics > CW_QUERIES_MAX)
            break;
        count++;
    }
    return count;
}

static void fill_fields(struct record_field f[5], const struct cw_window *w,
                        const struct cw_resource *r, const char *region)
{
    const struct record_field fields[5] = {
        { "region", UNIT_NONE, NAN, span_of(region) },
        { "resource", UNIT_NONE, NAN, span_of(r->id) },
        { "from_epoch_s", UNIT_S, (double)w->from_ms / 1000, { 0 } },
        { "to_epoch_s", UNIT_S, (double)w->to_ms / 1000, { 0 } },
        { "period_s", UNIT_S, (double)w->period_s, { 0 } },
    };
    memcpy(f, fields, sizeof fields);
}

/* What is kept: the answer in the window's period, or in that of basic monitoring. */
static int ask_batch(struct aws_client *c, const struct cw_window *w, size_t n,
                     const struct cw_resource *resources, struct arena *a, struct span *out_text,
                     struct err *e)
{
    bool basic = false;
    int rc = cw_ask(c, w, n, resources, a, out_text, &basic, e);
    if (rc || !basic)
        return rc;
    struct cw_window coarse = *w;
    coarse.period_s = CW_BASIC_S;
    return cw_ask(c, &coarse, 1, resources, a, out_text, &basic, e);
}

static int fetch_batch(struct aws_client *c, struct store *s, const char *system,
                       const struct cw_window *w, size_t n, const struct cw_resource *resources,
                       int64_t *rows, struct err *e)
{
    struct arena a = { 0 };
    char from[32], to[32];
    struct record *records = arena_array(&a, n, sizeof *records);
    struct record_field(*fields)[5] = arena_array(&a, n, sizeof *fields);
    struct fetch_file f = { .system = system, .format = "cw_data", .n_records = n };
    int rc = records && fields ? ask_batch(c, w, n, resources, &a, &f.text, e) : err_nomem(e);
    for (size_t i = 0; !rc && i < n; i++) {
        fill_fields(fields[i], &w[i], &resources[w[i].resource], c->region);
        records[i] = (struct record){ record_kind, UNKNOWN, fields[i], 5, 0 };
    }
    f.records = records;
    f.path = arena_printf(&a, "aws:%s/cloudwatch/%s/%s/%.0f s", c->region,
                          time_format_iso(from, w->from_ms), time_format_iso(to, w->to_ms),
                          (double)w->period_s);
    if (!rc && !f.path)
        rc = err_nomem(e);
    if (!rc)
        rc = fetch_keep(s, &f, rows, e);
    arena_release(&a);
    return rc;
}

int cw_fetch(struct aws_client *c, struct store *s, const char *system,
             const struct cw_resource *resources, size_t n, const struct cw_range *range,
             void (*progress)(void *ctx, size_t done, size_t total), void *ctx,
             struct cw_fetched *out, struct err *e)
{
    struct arena a = { 0 };
    struct cw_covered *covered = NULL;
    struct cw_windows windows = { 0 };
    struct cw_fetched sum = { 0 };
    size_t n_covered = 0;
    int rc = load_covered(s, system, c->region, &a, &covered, &n_covered, e);
    if (!rc)
        rc = cw_windows_plan(range, resources, n, covered, n_covered, &a, &windows, e);
    for (size_t i = 0, count; !rc && i < windows.n; i += count) {
        int64_t rows = 0;
        count = batch_of(windows.at + i, windows.n - i, resources);
        if (progress)
            progress(ctx, i, windows.n);
        rc = fetch_batch(c, s, system, windows.at + i, count, resources, &rows, e);
        sum.rows += rows;
    }
    sum.resumed = windows.known;
    arena_release(&a);
    if (!rc)
        *out = sum;
    return rc;
}
