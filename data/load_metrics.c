/* data/load_metrics.c - see load_metrics.h.
 *
 *   load_metrics
 *     add_owner         metric_owner_points -> series_list_put
 *     read_series       what is no part of a load: a metric series */
#include "data/load_metrics.h"

#include "data/metric_owner.h"
#include "models/core/mem.h"

#include <math.h>
#include <stdlib.h>

/* The series of one owner, from its n metrics. */
static int add_owner(struct store *s, const struct metric_use *use, size_t n, struct series_list *l,
                     struct points *scratch, struct err *e)
{
    struct load_series head = {
        .kind = use->kind, .counts = COUNT_EBS, .name = use->owner, .instance_number = UNKNOWN
    };
    points_clear(scratch);
    int rc = metric_owner_points(s, use, n, scratch, e);
    return rc ? rc : series_list_put(l, scratch, &head, e);
}

/* --- the other metrics ---------------------------------------------------------------------------
 */

struct value {
    int64_t time_ms, file_id, line;
    double period_s, value;
    size_t order;
};

struct values {
    struct value *item;
    size_t n, room;
};

static int gather_values(void *ctx, int64_t file_id, const struct store_metric_value *values,
                         size_t n, struct err *e)
{
    struct values *v = ctx;
    struct value *item = mem_room(v->item, v->n, n, &v->room, sizeof *item);
    if (!item)
        return err_nomem(e);
    v->item = item;
    for (size_t i = 0; i < n; i++, v->n++)
        v->item[v->n] = (struct value){ .time_ms = values[i].time_ms,
                                        .file_id = file_id,
                                        .line = values[i].line,
                                        .period_s = values[i].period_s,
                                        .value = values[i].value,
                                        .order = v->n };
    return 0;
}

/* Unknown periods behind the known ones. */
static int by_time_and_period(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    if (x->time_ms != y->time_ms)
        return x->time_ms < y->time_ms ? -1 : 1;
    double px = isnan(x->period_s) ? INFINITY : x->period_s;
    double py = isnan(y->period_s) ? INFINITY : y->period_s;
    if (px < py || px > py)
        return px < py ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Of the same time and period, as in two exports that overlap, the one loaded first stays. */
static size_t drop_repeated(struct value *v, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const struct value *last = kept ? &v[kept - 1] : NULL;
        if (last && last->time_ms == v[i].time_ms && !islessgreater(last->period_s, v[i].period_s))
            continue;
        v[kept++] = v[i];
    }
    return kept;
}

static int read_series(struct store *s, const struct store_metric *metric, struct values *scratch,
                       struct arena *a, struct metric_series *out, struct err *e)
{
    scratch->n = 0;
    int rc = store_metric_values(s, metric, gather_values, scratch, e);
    if (rc)
        return rc;
    if (scratch->n)
        qsort(scratch->item, scratch->n, sizeof *scratch->item, by_time_and_period);
    size_t n = drop_repeated(scratch->item, scratch->n);
    int64_t *time_ms = arena_array(a, n, sizeof *time_ms);
    int64_t *file_id = arena_array(a, n, sizeof *file_id), *line = arena_array(a, n, sizeof *line);
    double *period_s = arena_array(a, n, sizeof *period_s),
           *value = arena_array(a, n, sizeof *value);
    if (!time_ms || !file_id || !line || !period_s || !value)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        time_ms[i] = scratch->item[i].time_ms;
        file_id[i] = scratch->item[i].file_id;
        line[i] = scratch->item[i].line;
        period_s[i] = scratch->item[i].period_s;
        value[i] = scratch->item[i].value;
    }
    *out = metric->head;
    out->n = n;
    out->time_ms = time_ms;
    out->file_id = file_id;
    out->line = line;
    out->period_s = period_s;
    out->value = value;
    return 0;
}

/* --- all of them ---------------------------------------------------------------------------------
 */

static int add_metrics(struct store *s, const struct metric_use *use, size_t n, struct arena *a,
                       struct system_load *io, struct err *e)
{
    struct metric_series *series = arena_array(a, n, sizeof *series);
    struct values scratch = { 0 };
    int rc = 0;
    if (!series)
        return err_nomem(e);
    for (size_t i = 0; i < n && !rc; i++)
        rc = read_series(s, use[i].metric, &scratch, a, &series[i], e);
    mem_free(scratch.item);
    if (rc)
        return rc;
    io->metrics = series;
    io->n_metrics = n;
    return 0;
}

int load_metrics(struct store *s, const char *system, struct series_list *l, struct points *scratch,
                 struct system_load *io, struct err *e)
{
    struct metric_use *use = NULL;
    size_t n = 0, at = 0, together;
    int rc = metric_uses(s, system, l->arena, &use, &n, e);
    while (!rc && (together = metric_uses_together(use + at, n - at)) > 0) {
        rc = add_owner(s, use + at, together, l, scratch, e);
        at += together;
    }
    return rc ? rc : add_metrics(s, use + at, n - at, l->arena, io, e);
}
