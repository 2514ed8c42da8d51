/* data/rate_lane.c - see rate_lane.h.
 *
 * Finishing is a sweep over time: a heap holds the intervals that have begun, the shortest on top,
 * and each piece of time goes to the one on top. */
#include "data/rate_lane.h"

#include "data/series_points.h"
#include "models/core/mem.h"

#include <math.h>
#include <stdlib.h>

enum { REST_MS_MIN = 60000 };

void rate_lane_release(struct rate_lane *l)
{
    mem_free(l->item);
    *l = (struct rate_lane){ 0 };
}

static int push(struct rate_lane *l, struct rate v, struct err *e)
{
    struct rate *item = mem_room(l->item, l->n, 1, &l->room, sizeof *item);
    if (!item)
        return err_nomem(e);
    l->item = item;
    l->item[l->n++] = v;
    return 0;
}

int rate_lane_add(struct rate_lane *l, struct rate v, struct err *e)
{
    if (!points_are_times(v.begin_ms, v.end_ms)) {
        l->n_untimed++;
        return 0;
    }
    if (isnan(v.per_s))
        return 0;
    if (v.per_s < 0 || isinf(v.per_s)) {
        l->n_artefacts++;
        return 0;
    }
    v.order = l->n;
    return push(l, v, e);
}

/* --- the finest at any time ----------------------------------------------------------------------
 */

static int by_begin(const void *a, const void *b)
{
    const struct rate *x = a, *y = b;
    if (x->begin_ms != y->begin_ms)
        return x->begin_ms < y->begin_ms ? -1 : 1;
    if (x->end_ms != y->end_ms)
        return x->end_ms < y->end_ms ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static bool is_finer(const struct rate *x, const struct rate *y)
{
    int64_t x_ms = x->end_ms - x->begin_ms, y_ms = y->end_ms - y->begin_ms;
    return x_ms < y_ms || (x_ms == y_ms && x->order < y->order);
}

/* Indexes of intervals that have begun; the finest is the first. */
struct heap {
    const struct rate *of;
    size_t *item;
    size_t n;
};

static void heap_swap(struct heap *h, size_t i, size_t j)
{
    size_t t = h->item[i];
    h->item[i] = h->item[j];
    h->item[j] = t;
}

static bool heap_less(const struct heap *h, size_t i, size_t j)
{
    return is_finer(&h->of[h->item[i]], &h->of[h->item[j]]);
}

static void heap_push(struct heap *h, size_t rate)
{
    size_t i = h->n++;
    h->item[i] = rate;
    for (; i && heap_less(h, i, (i - 1) / 2); i = (i - 1) / 2)
        heap_swap(h, i, (i - 1) / 2);
}

static void heap_pop(struct heap *h)
{
    h->item[0] = h->item[--h->n];
    for (size_t i = 0, least = 0;; i = least) {
        size_t left = 2 * i + 1, right = left + 1;
        if (left < h->n && heap_less(h, left, least))
            least = left;
        if (right < h->n && heap_less(h, right, least))
            least = right;
        if (least == i)
            return;
        heap_swap(h, i, least);
    }
}

/* Appends [begin_ms, end_ms) of an interval, which may go on from the piece before. */
static int put_piece(struct rate_lane *out, const struct rate *r, int64_t begin_ms, int64_t end_ms,
                     struct err *e)
{
    struct rate *last = out->n ? &out->item[out->n - 1] : NULL;
    if (last && last->order == r->order && last->end_ms == begin_ms) {
        last->end_ms = end_ms;
        return 0;
    }
    struct rate piece = *r;
    piece.begin_ms = begin_ms;
    piece.end_ms = end_ms;
    return push(out, piece, e);
}

static int sweep(const struct rate_lane *in, struct heap *h, struct rate_lane *out, struct err *e)
{
    int64_t t_ms = INT64_MIN;
    size_t next = 0;
    int rc = 0;
    while (!rc && (next < in->n || h->n)) {
        while (h->n && in->item[h->item[0]].end_ms <= t_ms)
            heap_pop(h);
        if (!h->n && next < in->n)
            t_ms = in->item[next].begin_ms;
        while (next < in->n && in->item[next].begin_ms <= t_ms)
            heap_push(h, next++);
        if (!h->n)
            continue;
        const struct rate *top = &in->item[h->item[0]];
        int64_t end_ms = top->end_ms;
        if (next < in->n && in->item[next].begin_ms < end_ms)
            end_ms = in->item[next].begin_ms;
        if (end_ms > t_ms)
            rc = put_piece(out, top, t_ms, end_ms, e);
        t_ms = end_ms > t_ms ? end_ms : t_ms;
    }
    return rc;
}

/* Without the short rests of intervals that were cut. */
static void drop_rests(const int64_t *length_ms, struct rate_lane *pieces, size_t *n_whole)
{
    size_t kept = 0;
    *n_whole = 0;
    for (size_t i = 0; i < pieces->n; i++) {
        const struct rate *r = &pieces->item[i];
        bool whole = r->end_ms - r->begin_ms == length_ms[r->order];
        *n_whole += whole;
        if (whole || r->end_ms - r->begin_ms > REST_MS_MIN)
            pieces->item[kept++] = *r;
    }
    pieces->n = kept;
}

/* Replaces the sorted intervals by the pieces of them that stay; the room is for all of them. */
static int keep_finest(struct rate_lane *l, struct heap *h, int64_t *length_ms, struct err *e)
{
    struct rate_lane pieces = { 0 };
    size_t n_whole = 0;
    size_t n_again = 0; /* exactly the time of an earlier one */
    for (size_t i = 0; i < l->n; i++) {
        const struct rate *r = &l->item[i];
        length_ms[r->order] = r->end_ms - r->begin_ms;
        n_again += i && r[-1].begin_ms == r->begin_ms && r[-1].end_ms == r->end_ms;
    }
    int rc = sweep(l, h, &pieces, e);
    if (rc) {
        rate_lane_release(&pieces);
        return rc;
    }
    drop_rests(length_ms, &pieces, &n_whole);
    l->n_duplicates += n_again;
    l->n_overlaps += l->n - n_whole - n_again;
    mem_free(l->item);
    l->item = pieces.item;
    l->n = pieces.n;
    l->room = pieces.room;
    l->at = 0;
    return 0;
}

int rate_lane_finish(struct rate_lane *l, struct err *e)
{
    if (!l->n)
        return 0;
    qsort(l->item, l->n, sizeof *l->item, by_begin);
    struct heap h = { .of = l->item, .item = mem_alloc(l->n * sizeof *h.item) };
    int64_t *length_ms = mem_alloc(l->n * sizeof *length_ms);
    int rc;
    if (h.item && length_ms)
        rc = keep_finest(l, &h, length_ms, e);
    else
        rc = err_nomem(e);
    mem_free(h.item);
    mem_free(length_ms);
    return rc;
}

/* --- several lanes together ----------------------------------------------------------------------
 */

int rate_lanes_next(struct rate_lane *lanes, size_t n, int64_t from_ms, int64_t *begin_ms,
                    int64_t *end_ms)
{
    int64_t begin = INT64_MAX, end = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        struct rate_lane *l = &lanes[i];
        while (l->at < l->n && l->item[l->at].end_ms <= from_ms)
            l->at++;
        if (l->at < l->n && l->item[l->at].begin_ms < begin)
            begin = l->item[l->at].begin_ms;
    }
    if (begin == INT64_MAX)
        return false;
    begin = begin > from_ms ? begin : from_ms;
    for (size_t i = 0; i < n; i++) {
        const struct rate_lane *l = &lanes[i];
        if (l->at < l->n && l->item[l->at].begin_ms <= begin && l->item[l->at].end_ms > end)
            end = l->item[l->at].end_ms;
    }
    *begin_ms = begin;
    *end_ms = end;
    return true;
}

struct rate_span rate_lane_mean(struct rate_lane *l, int64_t begin_ms, int64_t end_ms)
{
    double sum = 0, covered_ms = 0;
    size_t n = 0;
    struct rate_span out = { .per_s = NAN };
    for (size_t i = l->at; i < l->n && l->item[i].begin_ms < end_ms; i++) {
        const struct rate *r = &l->item[i];
        int64_t from = r->begin_ms > begin_ms ? r->begin_ms : begin_ms;
        int64_t to = r->end_ms < end_ms ? r->end_ms : end_ms;
        if (from >= to)
            continue;
        if (n++ == 0)
            out = (struct rate_span){ .per_s = r->per_s, .file_id = r->file_id, .line = r->line };
        int64_t longest_ms = r->longest_ms ? r->longest_ms : r->end_ms - r->begin_ms;
        out.longest_ms = longest_ms > out.longest_ms ? longest_ms : out.longest_ms;
        out.is_mean = out.is_mean || r->longest_ms;
        sum += r->per_s * (double)(to - from);
        covered_ms += (double)(to - from);
    }
    if (n > 1)
        out.per_s = sum / covered_ms;
    return out;
}
