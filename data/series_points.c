/* data/series_points.c - see series_points.h. */
#include "data/series_points.h"

#include "models/core/mem.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Years 1 to 9999: what lies outside is no time, and differences cannot overflow. */
static const int64_t time_max_ms = INT64_C(253402300800000);
/* An overlap of up to this part of the shorter interval is jitter. */
enum { JITTER_PART = 10 };

void points_clear(struct points *p)
{
    *p = (struct points){
        .item = p->item, .room = p->room, .artefact_max_mibps = NAN, .artefact_max_ms = UNKNOWN
    };
}

bool points_are_times(int64_t begin_ms, int64_t end_ms)
{
    return begin_ms > -time_max_ms && end_ms < time_max_ms && begin_ms < end_ms;
}

int points_add(struct points *p, struct point v, struct err *e)
{
    if (!points_are_times(v.begin_ms, v.end_ms)) {
        p->n_untimed++;
        return 0;
    }
    struct point *item = mem_room(p->item, p->n, 1, &p->room, sizeof *item);
    if (!item)
        return err_nomem(e);
    p->item = item;
    v.order = p->n;
    p->item[p->n++] = v;
    return 0;
}

/* --- merging -----------------------------------------------------------------------------------
 */

static int by_time(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    if (x->begin_ms != y->begin_ms)
        return x->begin_ms < y->begin_ms ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static bool in_order(const struct points *p)
{
    for (size_t i = 1; i < p->n; i++)
        if (p->item[i].begin_ms < p->item[i - 1].begin_ms)
            return false;
    return true;
}

static int64_t length_ms(const struct point *p)
{
    return p->end_ms - p->begin_ms;
}

/* How long two intervals overlap, of which b does not begin before a. */
static int64_t overlap_ms(const struct point *a, const struct point *b)
{
    int64_t end_ms = a->end_ms < b->end_ms ? a->end_ms : b->end_ms;
    return end_ms > b->begin_ms ? end_ms - b->begin_ms : 0;
}

static bool is_jitter(const struct point *a, const struct point *b, int64_t overlap)
{
    int64_t shorter = length_ms(a) < length_ms(b) ? length_ms(a) : length_ms(b);
    return overlap <= shorter / JITTER_PART;
}

/* Sorts by time and leaves of overlapping points the one loaded first.  Points that are
 * kept do not overlap and begin in ascending order, so that only the last one kept can
 * be in the way of the next. */
static void merge_points(struct points *p)
{
    if (p->n && !in_order(p))
        qsort(p->item, p->n, sizeof *p->item, by_time);
    size_t kept = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct point next = p->item[i];
        bool keep = true;
        while (kept && keep) {
            const struct point *last = &p->item[kept - 1];
            int64_t overlap = overlap_ms(last, &next);
            if (is_jitter(last, &next, overlap)) {
                next.begin_ms += overlap;
                break;
            }
            bool same = last->begin_ms == next.begin_ms && last->end_ms == next.end_ms;
            *(same ? &p->n_duplicates : &p->n_overlaps) += 1;
            if (next.order < last->order)
                kept--;
            else
                keep = false;
        }
        if (keep)
            p->item[kept++] = next;
    }
    p->n = kept;
}

/* --- series ------------------------------------------------------------------------------------
 */

/* A new series at the end; NULL when memory is out. */
static struct load_series *add_series(struct series_list *l)
{
    if (l->n == l->room) {
        size_t room = l->room ? l->room * 2 : 32;
        struct load_series *grown = arena_grow(l->arena, l->item, l->n, room, sizeof *grown);
        if (!grown)
            return NULL;
        l->item = grown;
        l->room = room;
    }
    return &l->item[l->n++];
}

/* The numbers at `offset` of every point; NULL when memory is out. */
static double *column_of(struct arena *a, const struct points *p, size_t offset)
{
    double *v = arena_array(a, p->n, sizeof *v);
    for (size_t i = 0; v && i < p->n; i++)
        memcpy(&v[i], (const char *)&p->item[i] + offset, sizeof v[i]);
    return v;
}

static bool some_known(const struct points *p, size_t offset)
{
    double v = NAN;
    for (size_t i = 0; i < p->n && isnan(v); i++)
        memcpy(&v, (const char *)&p->item[i] + offset, sizeof v);
    return !isnan(v);
}

static int put_rates(struct arena *a, const struct points *p, struct load_series *out,
                     struct err *e)
{
    bool unsplit = some_known(p, offsetof(struct point, unsplit_iops)) ||
                   some_known(p, offsetof(struct point, unsplit_mibps));
    const struct {
        const double **to;
        size_t offset;
        bool wanted;
    } columns[] = {
        { &out->read_iops, offsetof(struct point, read_iops), true },
        { &out->write_iops, offsetof(struct point, write_iops), true },
        { &out->read_mibps, offsetof(struct point, read_mibps), true },
        { &out->write_mibps, offsetof(struct point, write_mibps), true },
        { &out->unsplit_iops, offsetof(struct point, unsplit_iops), unsplit },
        { &out->unsplit_mibps, offsetof(struct point, unsplit_mibps), unsplit },
        { &out->read_merge_pct, offsetof(struct point, read_merge_pct),
          some_known(p, offsetof(struct point, read_merge_pct)) },
        { &out->read_await_ms, offsetof(struct point, read_await_ms),
          some_known(p, offsetof(struct point, read_await_ms)) },
        { &out->write_await_ms, offsetof(struct point, write_await_ms),
          some_known(p, offsetof(struct point, write_await_ms)) },
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (!columns[i].wanted)
            continue;
        *columns[i].to = column_of(a, p, columns[i].offset);
        if (!*columns[i].to)
            return err_nomem(e);
    }
    return 0;
}

/* NULL in *out where all is as measured. */
static int put_longest(struct arena *a, const struct points *p, struct load_series *out,
                       struct err *e)
{
    bool any = false;
    for (size_t i = 0; i < p->n && !any; i++)
        any = p->item[i].longest_ms;
    if (!any)
        return 0;
    int64_t *longest_ms = arena_array(a, p->n, sizeof *longest_ms);
    if (!longest_ms)
        return err_nomem(e);
    for (size_t i = 0; i < p->n; i++)
        longest_ms[i] = p->item[i].longest_ms ? p->item[i].longest_ms : UNKNOWN;
    out->longest_ms = longest_ms;
    return 0;
}

int series_list_put(struct series_list *l, struct points *p, const struct load_series *head,
                    struct err *e)
{
    struct load_series *series = add_series(l);
    if (!series)
        return err_nomem(e);
    merge_points(p);

    enum { N_INT = 4 };
    int64_t *ints = arena_array(l->arena, p->n, N_INT * sizeof *ints);
    if (!ints)
        return err_nomem(e);
    int64_t *begin_ms = ints, *end_ms = ints + p->n;
    int64_t *file_id = ints + 2 * p->n, *line = ints + 3 * p->n;
    for (size_t i = 0; i < p->n; i++) {
        const struct point *v = &p->item[i];
        begin_ms[i] = v->begin_ms;
        end_ms[i] = v->end_ms;
        file_id[i] = v->file_id;
        line[i] = v->line;
    }
    *series = *head;
    series->n = p->n;
    series->begin_ms = begin_ms;
    series->end_ms = end_ms;
    series->file_id = file_id;
    series->line = line;
    series->n_since_boot = p->n_since_boot;
    series->n_artefacts = p->n_artefacts;
    series->n_overlaps = p->n_overlaps;
    series->n_duplicates = p->n_duplicates;
    series->n_untimed = p->n_untimed;
    series->n_resets = p->n_resets;
    series->n_folds = p->n_folds;
    series->artefact_max_mibps = p->artefact_max_mibps;
    series->artefact_max_ms = p->artefact_max_ms;
    int rc = put_longest(l->arena, p, series, e);
    return rc ? rc : put_rates(l->arena, p, series, e);
}
