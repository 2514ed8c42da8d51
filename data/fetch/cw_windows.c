/* data/fetch/cw_windows.c - see cw_windows.h. */
#include "data/fetch/cw_windows.h"

#include "models/core/timestamp.h"

#include <stdlib.h>
#include <string.h>

#define HOUR_MS   INT64_C(3600000)
#define MINUTE_MS INT64_C(60000)

/* TUNING: how late EBS's points come at most, with a reserve. */
enum { LATE_MINUTES = 15 };

static const struct tier {
    int64_t period_s, kept_days, window_days;
} tiers[] = {
    { 60, 15, 1 },
    { 300, 63, 5 },
    { 3600, 455, 60 },
};
enum { TIERS = sizeof tiers / sizeof *tiers };

static int64_t ceil_to(int64_t t_ms, int64_t step_ms)
{
    return time_floor(t_ms + step_ms - 1, step_ms);
}

int64_t cw_windows_end(int64_t now_ms)
{
    return time_floor(now_ms - LATE_MINUTES * MINUTE_MS, 5 * MINUTE_MS);
}

static int covered_order(const void *x, const void *y)
{
    const struct cw_covered *a = x, *b = y;
    int order = strcmp(a->id, b->id);
    return order ? order : (a->from_ms > b->from_ms) - (a->from_ms < b->from_ms);
}

static int window_order(const void *x, const void *y)
{
    const struct cw_window *a = x, *b = y;
    if (a->period_s != b->period_s)
        return a->period_s < b->period_s ? -1 : 1;
    if (a->from_ms != b->from_ms)
        return a->from_ms < b->from_ms ? -1 : 1;
    if (a->to_ms != b->to_ms)
        return a->to_ms < b->to_ms ? -1 : 1;
    return (a->resource > b->resource) - (a->resource < b->resource);
}

static int add(struct cw_windows *l, struct cw_window w, struct arena *a, struct err *e)
{
    if (l->n == l->room) {
        size_t room = l->room ? 2 * l->room : 64;
        struct cw_window *grown = arena_grow(a, l->at, l->n, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        l->at = grown;
        l->room = room;
    }
    l->at[l->n++] = w;
    return 0;
}

/* A gap, cut at the fixed times. */
static int add_gap(struct cw_windows *l, struct cw_window gap, struct arena *a, struct err *e)
{
    int64_t cell_ms = DAY_MS;
    for (size_t i = 0; i < TIERS; i++)
        if (tiers[i].period_s <= gap.period_s)
            cell_ms = tiers[i].window_days * DAY_MS;
    int rc = 0;
    while (!rc && gap.from_ms < gap.to_ms) {
        struct cw_window w = gap;
        int64_t cut = time_floor(gap.from_ms, cell_ms) + cell_ms;
        w.to_ms = cut < gap.to_ms ? cut : gap.to_ms;
        rc = add(l, w, a, e);
        gap.from_ms = w.to_ms;
    }
    return rc;
}

/* The parts of a stretch that none of the covered ones of its resource, of known_s at most, has. */
static int add_stretch(struct cw_windows *l, struct cw_window stretch, int64_t known_s,
                       const struct cw_covered *covered, size_t n, struct arena *a, struct err *e)
{
    struct cw_window gap = stretch;
    int rc = 0;
    for (size_t i = 0; !rc && i < n; i++) {
        const struct cw_covered *c = &covered[i];
        if (c->period_s > known_s || c->to_ms <= gap.from_ms || c->from_ms >= stretch.to_ms)
            continue;
        l->known = true;
        gap.to_ms = c->from_ms;
        rc = add_gap(l, gap, a, e);
        gap.from_ms = c->to_ms;
    }
    gap.to_ms = stretch.to_ms;
    return rc ? rc : add_gap(l, gap, a, e);
}

/* The covered ones of an id. */
static const struct cw_covered *covered_of(const char *id, const struct cw_covered *c, size_t n,
                                           size_t *out_n)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(c[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (*out_n = 0; low + *out_n < n && strcmp(c[low + *out_n].id, id) == 0;)
        ++*out_n;
    return c + low;
}

static int plan_resource(const struct cw_range *range, const struct cw_resource *r, size_t index,
                         const struct cw_covered *covered, size_t n_covered, struct arena *a,
                         struct cw_windows *out, struct err *e)
{
    int64_t end = cw_windows_end(range->now_ms);
    int64_t least_s = r->is_instance && !r->detailed ? CW_BASIC_S : tiers[0].period_s;
    size_t n;
    const struct cw_covered *of = covered_of(r->id, covered, n_covered, &n);
    if (range->period_s > least_s)
        least_s = range->period_s;
    if (range->to_ms < end)
        end = range->to_ms;
    int rc = 0;
    int64_t newer = end; /* where the finer tier begins */
    for (size_t i = 0; !rc && i < TIERS; i++) {
        const struct tier *t = &tiers[i];
        int64_t begin = ceil_to(range->now_ms - t->kept_days * DAY_MS, HOUR_MS);
        int64_t period_s = t->period_s > least_s ? t->period_s : least_s;
        int64_t step_ms = (period_s > CW_BASIC_S ? period_s : CW_BASIC_S) * 1000;
        if (begin < range->from_ms)
            begin = range->from_ms;
        struct cw_window stretch = { time_floor(begin, step_ms), time_floor(newer, step_ms),
                                     period_s, index };
        int64_t known_s = r->is_instance && period_s < CW_BASIC_S ? CW_BASIC_S : period_s;
        if (stretch.from_ms < stretch.to_ms)
            rc = add_stretch(out, stretch, known_s, of, n, a, e);
        if (begin < newer)
            newer = begin;
    }
    return rc;
}

int cw_windows_plan(const struct cw_range *range, const struct cw_resource *resources, size_t n,
                    struct cw_covered *covered, size_t n_covered, struct arena *a,
                    struct cw_windows *out, struct err *e)
{
    *out = (struct cw_windows){ 0 };
    if (n_covered)
        qsort(covered, n_covered, sizeof *covered, covered_order);
    int rc = 0;
    for (size_t i = 0; !rc && i < n; i++)
        rc = plan_resource(range, &resources[i], i, covered, n_covered, a, out, e);
    if (!rc && out->n)
        qsort(out->at, out->n, sizeof *out->at, window_order);
    return rc;
}
