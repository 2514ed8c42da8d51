/* planner/replay/replay_trial.c - see replay_trial.h. */
#include "planner/replay/replay_trial.h"

#include "models/core/unit.h"
#include "planner/replay/replay_demand.h"

#include <math.h>
#include <string.h>

/* TUNING: points between two looks at the limits. */
enum { BETWEEN_LOOKS = 1024 };

/* Columns of replay_demand: requests of volumes that count 256 KiB, and that count 1 MiB. */
enum { COUNTS_KIB, COUNTS_MIB, COUNTS };

struct replay_trial {
    struct replay *replay;
    struct replay_era era;
    struct replay_group ceilings;
    double *edge_s, *total_mibps, *counted_iops[COUNTS];
    size_t n;
};

static size_t pieces(const struct load_points *p)
{
    size_t n = p->n;
    for (size_t i = 1; i < p->n; i++)
        n += p->at[i].begin_ms > p->at[i - 1].end_ms;
    return n;
}

static void copy_scaled(double *to, const double *from, size_t n, double factor)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i] * factor;
}

static void copy_blocks(struct replay_trial *t, struct replay_demand *d, double factor)
{
    struct replay_block b;
    while (replay_demand_next(d, &b)) {
        memcpy(t->edge_s + t->n, b.edge_s, (b.n + 1) * sizeof *t->edge_s);
        copy_scaled(t->total_mibps + t->n, b.total_mibps[COUNTS_KIB], b.n, factor);
        for (int c = 0; c < COUNTS; c++)
            copy_scaled(t->counted_iops[c] + t->n, b.counted_iops[c], b.n, factor);
        t->n += b.n;
    }
}

int replay_trial_open(const struct load_points *points, double factor, struct arena *a,
                      struct replay_trial **out, struct err *e)
{
    const struct load_points *both[COUNTS] = { points, points };
    const bool counts_mib[COUNTS] = { [COUNTS_MIB] = true };
    struct replay_demand *d;
    size_t n = pieces(points) + 1;
    struct replay_trial *t = arena_alloc(a, sizeof *t);
    if (!t)
        return err_nomem(e);
    t->edge_s = arena_array(a, n + 1, sizeof *t->edge_s);
    t->total_mibps = arena_array(a, n, sizeof *t->total_mibps);
    for (int c = 0; c < COUNTS; c++)
        t->counted_iops[c] = arena_array(a, n, sizeof *t->counted_iops[c]);
    if (!t->edge_s || !t->total_mibps || !t->counted_iops[COUNTS_KIB] ||
        !t->counted_iops[COUNTS_MIB])
        return err_nomem(e);
    t->ceilings = replay_group_unknown();
    t->era = (struct replay_era){ 0, &t->ceilings, replay_instance_unknown() };
    int rc = replay_open(1, &t->era, 1, a, &t->replay, e);
    if (!rc)
        rc = replay_demand_open(both, counts_mib, COUNTS, a, &d, e);
    if (rc)
        return rc;
    copy_blocks(t, d, factor);
    *out = t;
    return 0;
}

static bool within(const struct replay_result *r, const struct replay_limits *l)
{
    return !(r->throttled_s > l->max_throttled_s) && !(r->worst_delay_ms > l->max_delay_ms);
}

bool replay_trial_run(struct replay_trial *t, const struct replay_group *ceilings,
                      const struct replay_limits *limits, struct replay_result *out)
{
    static const struct replay_limits none = { NAN, NAN };
    const struct replay_limits *l = limits ? limits : &none;
    bool of_mib = ceilings->requests_per_mib == 1;
    const double *counted_iops = t->counted_iops[of_mib ? COUNTS_MIB : COUNTS_KIB];
    struct replay_result r;
    t->ceilings = *ceilings;
    replay_restart(t->replay, &t->era, 1);
    replay_group_result(t->replay, 0, &r);
    for (size_t at = 0; at < t->n && within(&r, l); at += BETWEEN_LOOKS) {
        const double *mibps = t->total_mibps + at, *iops = counted_iops + at;
        struct replay_block b = { .n = t->n - at < BETWEEN_LOOKS ? t->n - at : BETWEEN_LOOKS,
                                  .edge_s = t->edge_s + at,
                                  .total_mibps = &mibps,
                                  .counted_iops = &iops };
        replay_feed(t->replay, &b);
        replay_group_result(t->replay, 0, &r);
    }
    if (out)
        *out = r;
    return within(&r, l);
}

bool replay_trial_spec(struct replay_trial *t, const struct catalogue *c,
                       const struct volume_spec *spec, double skew, const char *instance_type,
                       int64_t rules_ms, const struct replay_limits *limits,
                       struct replay_result *out)
{
    struct layout_volumes row = { *spec, UNKNOWN };
    struct replay_group ceilings;
    return replay_group_at(c, &row, 1, skew, instance_type, rules_ms, &ceilings) &&
           replay_trial_run(t, &ceilings, limits, out);
}
