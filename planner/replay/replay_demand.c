/* planner/replay/replay_demand.c - see replay_demand.h. */
#include "planner/replay/replay_demand.h"

#include "models/core/unit.h"
#include "models/ebs/io_count.h"

#include <math.h>

struct column {
    const struct load_points *points;
    bool counts_mib;
    size_t next; /* the first point that ends after the cursor */
    double total_mibps[REPLAY_DEMAND_BLOCK], counted_iops[REPLAY_DEMAND_BLOCK];
};

struct replay_demand {
    struct column *columns;
    const double **total_mibps, **counted_iops;
    size_t n_columns;
    int64_t begin_ms, cursor_ms;
    double edge_s[REPLAY_DEMAND_BLOCK + 1];
};

int replay_demand_open(const struct load_points *const *points, const bool *counts_mib, size_t n,
                       struct arena *a, struct replay_demand **out, struct err *e)
{
    struct replay_demand *d = arena_alloc(a, sizeof *d);
    if (!d)
        return err_nomem(e);
    d->columns = arena_array(a, n + 1, sizeof *d->columns);
    d->total_mibps = arena_array(a, n + 1, sizeof *d->total_mibps);
    d->counted_iops = arena_array(a, n + 1, sizeof *d->counted_iops);
    if (!d->columns || !d->total_mibps || !d->counted_iops)
        return err_nomem(e);
    d->n_columns = n;
    d->begin_ms = UNKNOWN;
    for (size_t g = 0; g < n; g++) {
        struct column *c = &d->columns[g];
        c->points = points[g];
        c->counts_mib = counts_mib[g];
        d->total_mibps[g] = c->total_mibps;
        d->counted_iops[g] = c->counted_iops;
        if (points[g]->n && (d->begin_ms == UNKNOWN || points[g]->at[0].begin_ms < d->begin_ms))
            d->begin_ms = points[g]->at[0].begin_ms;
    }
    d->cursor_ms = d->begin_ms;
    *out = d;
    return 0;
}

int64_t replay_demand_begin_ms(const struct replay_demand *d)
{
    return d->begin_ms;
}

int64_t replay_demand_end_ms(const struct replay_demand *d)
{
    int64_t end_ms = UNKNOWN;
    for (size_t g = 0; g < d->n_columns; g++) {
        const struct load_points *p = d->columns[g].points;
        if (p->n && p->at[p->n - 1].end_ms > end_ms)
            end_ms = p->at[p->n - 1].end_ms;
    }
    return end_ms;
}

/* The next edge after the cursor of any group; INT64_MAX = none. */
static int64_t next_edge_ms(struct replay_demand *d)
{
    int64_t next_ms = INT64_MAX;
    for (size_t g = 0; g < d->n_columns; g++) {
        struct column *c = &d->columns[g];
        while (c->next < c->points->n && c->points->at[c->next].end_ms <= d->cursor_ms)
            c->next++;
        if (c->next == c->points->n)
            continue;
        const struct load_point *p = &c->points->at[c->next];
        int64_t edge_ms = p->begin_ms > d->cursor_ms ? p->begin_ms : p->end_ms;
        next_ms = edge_ms < next_ms ? edge_ms : next_ms;
    }
    return next_ms;
}

static void fill(struct column *c, size_t i, int64_t begin_ms)
{
    const struct load_point *p = c->next < c->points->n ? &c->points->at[c->next] : NULL;
    c->total_mibps[i] = c->counted_iops[i] = NAN;
    if (!p || p->begin_ms > begin_ms || (p->flags & POINT_ARTEFACT))
        return;
    c->total_mibps[i] = point_total_mibps(p);
    c->counted_iops[i] = c->counts_mib
                             ? io_counted_likely(point_total_iops(p), c->total_mibps[i], 1024)
                             : p->counted_iops;
}

bool replay_demand_next(struct replay_demand *d, struct replay_block *out)
{
    size_t n = 0;
    for (; n < REPLAY_DEMAND_BLOCK; n++) {
        int64_t next_ms = next_edge_ms(d);
        if (next_ms == INT64_MAX)
            break;
        for (size_t g = 0; g < d->n_columns; g++)
            fill(&d->columns[g], n, d->cursor_ms);
        d->edge_s[n] = (double)(d->cursor_ms - d->begin_ms) / 1000;
        d->edge_s[n + 1] = (double)(next_ms - d->begin_ms) / 1000;
        d->cursor_ms = next_ms;
    }
    *out = (struct replay_block){
        .n = n, .edge_s = d->edge_s, .total_mibps = d->total_mibps, .counted_iops = d->counted_iops
    };
    return n > 0;
}
