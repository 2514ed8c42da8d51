/* planner/demand/awr_join.c - see awr_join.h. */
#include "planner/demand/awr_join.h"

#include <math.h>

/* TUNING: the first and last minutes of a period often lack a sample, so what counts as
 * covered need not be whole. */
static const double joins_below = 0.5, compares_from = 0.95;

/* Of one AWR period: how long the devices cover it and how much they moved meanwhile. */
struct overlap {
    double covered_ms, mib;
};

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Moves *from to the first point that ends after the period began. */
static struct overlap overlap_of(const struct load_points *p, const struct load_point *period,
                                 size_t *from)
{
    struct overlap o = { 0, 0 };
    while (*from < p->n && p->at[*from].end_ms <= period->begin_ms)
        ++*from;
    for (size_t i = *from; i < p->n && p->at[i].begin_ms < period->end_ms; i++) {
        const struct load_point *q = &p->at[i];
        double ms =
            (double)(min64(q->end_ms, period->end_ms) - max64(q->begin_ms, period->begin_ms));
        double mibps = point_total_mibps(q);
        o.covered_ms += ms;
        o.mib += isnan(mibps) ? 0 : mibps * ms / 1e3;
    }
    return o;
}

struct join {
    const struct load_points *devices;
    struct load_point *at;
    size_t n, next; /* points written; first device point not yet written */
};

static void copy_devices_until(struct join *j, int64_t begin_ms)
{
    while (j->next < j->devices->n && j->devices->at[j->next].begin_ms < begin_ms)
        j->at[j->n++] = j->devices->at[j->next++];
}

/* The parts of a period that no device point covers, in order between the device points. */
static void join_period(struct join *j, const struct load_point *period)
{
    int64_t t = period->begin_ms;
    copy_devices_until(j, t);
    if (j->n)
        t = max64(t, j->at[j->n - 1].end_ms);
    while (t < period->end_ms) {
        bool more = j->next < j->devices->n;
        int64_t gap_end = more ? j->devices->at[j->next].begin_ms : period->end_ms;
        gap_end = min64(gap_end, period->end_ms);
        if (gap_end > t) {
            struct load_point piece = *period;
            piece.begin_ms = t;
            piece.end_ms = gap_end;
            j->at[j->n++] = piece;
            t = gap_end;
        } else {
            j->at[j->n++] = j->devices->at[j->next++];
            t = max64(t, j->at[j->n - 1].end_ms);
        }
    }
}

int awr_join(const struct load_points *awr, struct load_points *points, double *difference_pct,
             struct arena *a, struct err *e)
{
    double awr_mib = 0, device_mib = 0;
    size_t from = 0, n_alone = 0;
    for (size_t i = 0; i < awr->n; i++) {
        const struct load_point *w = &awr->at[i];
        double length_ms = (double)(w->end_ms - w->begin_ms), mibps = point_total_mibps(w);
        struct overlap o = overlap_of(points, w, &from);
        n_alone += o.covered_ms < joins_below * length_ms;
        if (o.covered_ms >= compares_from * length_ms && !isnan(mibps)) {
            awr_mib += mibps * o.covered_ms / 1e3;
            device_mib += o.mib;
        }
    }
    *difference_pct = device_mib > 0 ? (awr_mib / device_mib - 1) * 100 : NAN;
    if (!n_alone)
        return 0;

    /* Every gap is before a device point or at the end of a period. */
    size_t room = 2 * points->n + awr->n;
    struct join j = { points, arena_array(a, room, sizeof *j.at), 0, 0 };
    if (!j.at)
        return err_nomem(e);
    from = 0;
    for (size_t i = 0; i < awr->n; i++) {
        const struct load_point *w = &awr->at[i];
        struct overlap o = overlap_of(points, w, &from);
        if (o.covered_ms < joins_below * (double)(w->end_ms - w->begin_ms))
            join_period(&j, w);
    }
    while (j.next < points->n)
        j.at[j.n++] = points->at[j.next++];
    *points = (struct load_points){ j.at, j.n };
    return 0;
}
