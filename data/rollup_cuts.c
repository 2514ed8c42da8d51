/* data/rollup_cuts.c - see rollup_cuts.h. */
#include "data/rollup_cuts.h"

#include "data/rollup_values.h"
#include "data/series_points.h"
#include "data/store/metric_value.h"
#include "models/core/mem.h"
#include "models/core/timestamp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t hour_length_ms = 3600000, minute_length_ms = 60000;

void rollup_cuts_release(struct rollup_cuts *c)
{
    mem_free(c->hours.item);
    kept_times_release(&c->kept);
    mem_free(c->edge);
    *c = (struct rollup_cuts){ 0 };
}

/* --- edges -------------------------------------------------------------------------------------
 */

static int by_time(const void *a, const void *b)
{
    int64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static void settle_edges(struct rollup_cuts *c)
{
    size_t kept = 0;
    if (c->n_edges)
        qsort(c->edge, c->n_edges, sizeof *c->edge, by_time);
    for (size_t i = 0; i < c->n_edges; i++)
        if (!kept || c->edge[kept - 1] != c->edge[i])
            c->edge[kept++] = c->edge[i];
    c->n_edges = kept;
}

/* Most are there already: room grows where without the repeated ones half of it is taken. */
static int edge_room(struct rollup_cuts *c, struct err *e)
{
    if (c->n_edges < c->edges_room)
        return 0;
    settle_edges(c);
    if (c->n_edges < c->edges_room / 2)
        return 0;
    int64_t *edge = mem_room(c->edge, c->edges_room, 1, &c->edges_room, sizeof *edge);
    if (!edge)
        return err_nomem(e);
    c->edge = edge;
    return 0;
}

int rollup_cuts_edge(struct rollup_cuts *c, int64_t at_ms, struct err *e)
{
    int rc = edge_room(c, e);
    if (!rc)
        c->edge[c->n_edges++] = at_ms;
    return rc;
}

bool rollup_cuts_is_edge(const struct rollup_cuts *c, int64_t at_ms)
{
    return c->n_edges && bsearch(&at_ms, c->edge, c->n_edges, sizeof *c->edge, by_time);
}

/* --- what stays --------------------------------------------------------------------------------
 */

static int64_t hour_floor(int64_t t_ms)
{
    return time_floor(t_ms, hour_length_ms);
}

int rollup_cuts_keep_hours(struct rollup_cuts *c, int64_t begin_ms, int64_t end_ms, struct err *e)
{
    struct stretch hours = { hour_floor(begin_ms), hour_floor(end_ms - 1) + hour_length_ms };
    const struct stretch *last = c->hours.n ? &c->hours.item[c->hours.n - 1] : NULL;
    if (last && last->begin_ms <= hours.begin_ms && last->end_ms >= hours.end_ms)
        return 0;
    return stretches_add(&c->hours, hours.begin_ms, hours.end_ms, e);
}

int rollup_cuts_settle(struct rollup_cuts *c, struct err *e)
{
    int rc = 0;
    stretches_settle(&c->hours);
    stretches_settle(&c->kept.exact);
    for (size_t i = 0; i < c->kept.exact.n && !rc; i++) {
        rc = rollup_cuts_edge(c, c->kept.exact.item[i].begin_ms, e);
        if (!rc)
            rc = rollup_cuts_edge(c, c->kept.exact.item[i].end_ms, e);
    }
    settle_edges(c);
    return rc;
}

bool rollup_cuts_meet(const struct rollup_cuts *c, int64_t begin_ms, int64_t end_ms)
{
    return stretches_meet(&c->hours, begin_ms, end_ms) ||
           stretches_meet(&c->kept.exact, begin_ms, end_ms);
}

/* --- what values cover -------------------------------------------------------------------------
 */

struct value_span {
    int64_t begin_ms, end_ms, file_id;
    size_t order;
    double value;
    bool minute, mean;
};

void value_spans_release(struct value_spans *l)
{
    mem_free(l->item);
    *l = (struct value_spans){ 0 };
}

void value_spans_clear(struct value_spans *l)
{
    l->n = l->order = 0;
}

void value_spans_next_metric(struct value_spans *l)
{
    l->order++;
}

int value_spans_add(struct value_spans *l, int64_t file_id, const struct store_metric_value *values,
                    size_t n, struct err *e)
{
    struct value_span *item = mem_room(l->item, l->n, n, &l->room, sizeof *item);
    if (!item)
        return err_nomem(e);
    l->item = item;
    for (size_t i = 0; i < n; i++) {
        const struct store_metric_value *v = &values[i];
        int64_t end_ms = store_value_end_ms(v);
        size_t order = l->order++;
        if (points_are_times(v->time_ms, end_ms) && !isnan(v->value))
            l->item[l->n++] = (struct value_span){ v->time_ms,
                                                   end_ms,
                                                   file_id,
                                                   order,
                                                   v->value,
                                                   rollup_value_is_minute(v) && v->value >= 0,
                                                   store_value_is_mean(v) };
    }
    return 0;
}

static int by_begin(const void *a, const void *b)
{
    const struct value_span *x = a, *y = b;
    if (x->begin_ms != y->begin_ms)
        return x->begin_ms < y->begin_ms ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Whether b, which was read behind a, can be put to it. */
static bool goes_on(const struct value_span *a, const struct value_span *b)
{
    return a->minute && b->minute && b->begin_ms == a->end_ms && b->file_id == a->file_id &&
           b->order == a->order + 1;
}

/* In the order in which they were read. */
static int mark_edges(const struct value_spans *l, struct rollup_cuts *c, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < l->n && !rc; i++) {
        const struct value_span *v = &l->item[i];
        if (i == 0 || !goes_on(v - 1, v))
            rc = rollup_cuts_edge(c, v->begin_ms, e);
        if (!rc && (i + 1 == l->n || !goes_on(v, v + 1)))
            rc = rollup_cuts_edge(c, v->end_ms, e);
    }
    return rc;
}

static bool on_minutes(const struct value_span *v)
{
    return v->begin_ms % minute_length_ms == 0 && v->end_ms % minute_length_ms == 0;
}

/* Minutes that were loaded twice have the same edges: the first one still counts. */
static bool again(const struct value_span *a, const struct value_span *b)
{
    return a->minute && b->minute && a->begin_ms == b->begin_ms;
}

/* reach_ms is how far those before it reach. */
static int mark_hours(const struct value_span *v, int64_t reach_ms, struct rollup_cuts *c,
                      struct err *e)
{
    if (v->mean || !on_minutes(v))
        return rollup_cuts_keep_hours(c, v->begin_ms, v->end_ms, e);
    if (v->begin_ms < reach_ms && !again(v - 1, v))
        return rollup_cuts_keep_hours(c, v->begin_ms, v->end_ms < reach_ms ? v->end_ms : reach_ms,
                                      e);
    return 0;
}

int value_spans_mark(struct value_spans *l, struct rollup_cuts *c, struct err *e)
{
    int rc = mark_edges(l, c, e);
    int64_t reach_ms = INT64_MIN;
    if (l->n)
        qsort(l->item, l->n, sizeof *l->item, by_begin);
    for (size_t i = 0; i < l->n && !rc; i++) {
        const struct value_span *v = &l->item[i];
        rc = mark_hours(v, reach_ms, c, e);
        reach_ms = v->end_ms > reach_ms ? v->end_ms : reach_ms;
    }
    return rc;
}

/* --- extremes ----------------------------------------------------------------------------------
 */

/* Of the hour in progress; NULL = none yet. */
struct extremes {
    const struct value_span *most, *least;
};

static int keep(struct rollup_cuts *c, const struct value_span *v, struct err *e)
{
    return stretches_add(&c->kept.exact, v->begin_ms, v->end_ms, e);
}

static int close_hour(const struct extremes *x, bool is_total, struct rollup_cuts *c, struct err *e)
{
    if (!x->most || !(x->most->value > x->least->value))
        return 0;
    int rc = keep(c, x->most, e);
    return rc || is_total ? rc : keep(c, x->least, e);
}

int value_spans_keep_extremes(const struct value_spans *l, bool is_total, struct rollup_cuts *c,
                              struct err *e)
{
    struct extremes x = { 0 };
    int rc = 0;
    for (size_t i = 0; i < l->n && !rc; i++) {
        const struct value_span *v = &l->item[i];
        if (!v->minute || (i && again(v - 1, v)))
            continue;
        if (x.most && hour_floor(v->begin_ms) != hour_floor(x.most->begin_ms)) {
            rc = close_hour(&x, is_total, c, e);
            x = (struct extremes){ 0 };
        }
        x.most = !x.most || v->value > x.most->value ? v : x.most;
        x.least = !x.least || v->value < x.least->value ? v : x.least;
    }
    return rc ? rc : close_hour(&x, is_total, c, e);
}
