/* data/ingest/oraclecsv/metric_batch.c - see metric_batch.h. */
#include "data/ingest/oraclecsv/metric_batch.h"

#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 }; /* METRIC_BATCH_MAX is this times a power of two */

struct metric_sample metric_sample_unknown(void)
{
    return (struct metric_sample){ .instance_number = UNKNOWN,
                                   .statistic = STATISTIC_OTHER,
                                   .counts = COUNT_ORACLE,
                                   .period_s = NAN,
                                   .time_ms = UNKNOWN,
                                   .value = NAN };
}

static int compare_span(struct span a, struct span b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n ? memcmp(a.ptr, b.ptr, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

/* Samples stand in an array, so the later one of a series has the higher address. */
static int by_series(const void *pa, const void *pb)
{
    const struct metric_sample *a = *(const struct metric_sample *const *)pa;
    const struct metric_sample *b = *(const struct metric_sample *const *)pb;
    int c = compare_span(a->system, b->system);
    if (!c)
        c = compare_span(a->metric, b->metric);
    if (!c)
        c = compare_span(a->dimension, b->dimension);
    if (!c)
        c = (a->instance_number > b->instance_number) - (a->instance_number < b->instance_number);
    if (!c)
        c = (a->statistic > b->statistic) - (a->statistic < b->statistic);
    if (!c)
        c = compare_span(a->statistic_text, b->statistic_text);
    return c ? c : (a > b) - (a < b);
}

int metric_batch_flush(struct metric_batch *b, struct err *e)
{
    if (!b->n)
        return 0;
    const struct metric_sample **order = arena_array(&b->arena, b->n, sizeof(void *));
    if (!order)
        return err_nomem(e);
    for (size_t i = 0; i < b->n; i++)
        order[i] = &b->samples[i];
    qsort(order, b->n, sizeof(void *), by_series);
    int rc = 0;
    for (size_t i = 0; i < b->n && !rc; i++)
        rc = b->sink->metric(b->sink->ctx, order[i], e);
    b->n_handed_over += (int64_t)b->n;
    metric_batch_release(b);
    return rc;
}

void metric_batch_release(struct metric_batch *b)
{
    arena_release(&b->arena);
    b->samples = NULL;
    b->n = b->room = 0;
}

/* A copy in the arena; non-zero without memory. */
static int keep(struct metric_batch *b, struct span *s)
{
    if (!s->len)
        return 0;
    s->ptr = arena_strndup(&b->arena, s->ptr, s->len);
    return s->ptr ? 0 : ERR_NOMEM;
}

int metric_batch_add(struct metric_batch *b, const struct metric_sample *s, struct err *e)
{
    int rc = b->n == METRIC_BATCH_MAX ? metric_batch_flush(b, e) : 0;
    if (rc)
        return rc;
    if (b->n == b->room) {
        size_t room = b->room ? b->room * 2 : FIRST_ROOM;
        struct metric_sample *grown =
            arena_grow(&b->arena, b->samples, b->n, room, sizeof *b->samples);
        if (!grown)
            return err_nomem(e);
        b->samples = grown;
        b->room = room;
    }
    struct metric_sample *copy = &b->samples[b->n];
    *copy = *s;
    if (keep(b, &copy->system) || keep(b, &copy->metric) || keep(b, &copy->dimension) ||
        keep(b, &copy->statistic_text) || keep(b, &copy->unit))
        return err_nomem(e);
    b->n++;
    return 0;
}
