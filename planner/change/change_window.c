/* planner/change/change_window.c - see change_window.h. */
#include "planner/change/change_window.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/oracle/asm.h"

#include <math.h>

enum { MINUTES = 24 * 60, MINUTE_S = 60, MINUTE_MS = 1000 * MINUTE_S };
/* A move of more days never ends, as people see it. */
enum { MOVE_DAYS_MAX = 366 };
/* Counted requests of 256 KiB in a MiB, as the instance counts them. */
#define REQUESTS_PER_MIB 4.0

/* The largest load in each minute of the day; NaN = never measured. */
struct lane {
    double mibps[MINUTES], iops[MINUTES];
};

struct change_day {
    struct instance_caps caps;
    struct lane *groups, *instance;
    size_t n_groups;
};

static void keep_larger(double *at, double v)
{
    if (!(*at >= v))
        *at = isnan(v) ? *at : v;
}

static void keep_moment(struct lane *l, size_t minute, const struct replay_moment *m)
{
    if (isnan(m->asked_mibps) && isnan(m->asked_iops))
        return;
    keep_larger(&l->mibps[minute], m->served_mibps);
    keep_larger(&l->iops[minute], m->asked_iops);
}

static size_t minute_of(int64_t t_ms)
{
    return (size_t)(((t_ms % DAY_MS) + DAY_MS) % DAY_MS / MINUTE_MS);
}

static int keep_interval(void *context, const struct replay_interval *i)
{
    struct change_day *day = context;
    int64_t n = (i->end_ms - 1) / MINUTE_MS - i->begin_ms / MINUTE_MS + 1;
    size_t minute = minute_of(i->begin_ms);
    for (int64_t k = 0; k < n && k < MINUTES; k++, minute = (minute + 1) % MINUTES) {
        for (size_t g = 0; g < day->n_groups; g++)
            keep_moment(&day->groups[g], minute, &i->groups[g]);
        keep_moment(day->instance, minute, &i->instance);
    }
    return 0;
}

static void fill(double v[MINUTES], double with)
{
    for (size_t i = 0; i < MINUTES; i++)
        if (isnan(v[i]))
            v[i] = with;
}

static void fill_with_largest(double v[MINUTES])
{
    double largest = NAN;
    for (size_t i = 0; i < MINUTES; i++)
        largest = fmax(largest, v[i]);
    fill(v, largest);
}

int change_day_build(const struct system_demand *d, const struct change_options *o, struct arena *a,
                     const struct change_day **out, struct err *e)
{
    struct replay_system replayed;
    struct change_day *day = arena_alloc(a, sizeof *day);
    struct lane *lanes = arena_array(a, d->n_groups + 1, sizeof *lanes);
    if (!day || !lanes)
        return err_nomem(e);
    *day = (struct change_day){ .groups = lanes,
                                .instance = lanes + d->n_groups,
                                .n_groups = d->n_groups };
    for (size_t g = 0; g <= d->n_groups; g++)
        for (size_t i = 0; i < MINUTES; i++)
            lanes[g].mibps[i] = lanes[g].iops[i] = NAN;
    struct replay_question q = { .demand = d,
                                 .catalogue = o->catalogue,
                                 .instance = o->instance,
                                 .weighting = o->weighting,
                                 .each = keep_interval,
                                 .context = day };
    int rc = replay_system(&q, a, &replayed, e);
    if (rc)
        return rc;
    day->caps = replayed.caps;
    for (size_t g = 0; g <= d->n_groups; g++) {
        fill_with_largest(lanes[g].mibps);
        fill_with_largest(lanes[g].iops);
    }
    *out = day;
    return 0;
}

const struct instance_caps *change_caps(const struct change_day *day)
{
    return &day->caps;
}

/* What of a ceiling a load leaves to requests of 1 MiB; NaN = no ceiling. */
static double left_mibps(const struct replay_group *g, double load_mibps, double load_iops)
{
    double iops = isnan(g->credits) ? g->max_iops : g->earn_iops;
    double mibps = g->max_throughput_mibps - load_mibps;
    double by_requests = (iops - (isnan(load_iops) ? 0 : load_iops)) / g->requests_per_mib;
    return g->requests_per_mib > 0 ? fmin(mibps, by_requests) : mibps;
}

/* MiB/s that a group sustains. */
static double sustained_mibps(const struct replay_group *g)
{
    return left_mibps(g, 0, 0);
}

/* MB/s that the instance leaves. */
static double left_mb_s(const struct instance_caps *c, double load_mibps, double load_iops)
{
    double by_requests = (c->baseline_iops - (isnan(load_iops) ? 0 : load_iops)) / REQUESTS_PER_MIB;
    return fmin(c->baseline_mb_s - load_mibps * MB_PER_MIB, by_requests * MB_PER_MIB);
}

double change_move_alone_s(const struct change_day *day, const struct change_move *m)
{
    double mb_s = left_mb_s(&day->caps, 0, 0) * (m->once ? 2 : 1);
    struct asm_rebalance r = asm_rebalance(m->moved_gib, sustained_mibps(&m->source),
                                           sustained_mibps(&m->destination), mb_s);
    return isnan(r.rate_mibps) ? NAN : r.seconds;
}

/* What a move takes in a minute of the day, MiB/s; NaN = no ceiling is known. */
static double rate_at(const struct change_day *day, const struct change_move *m, size_t minute)
{
    const struct lane *own = &day->groups[m->group], *all = day->instance;
    double mb_s = left_mb_s(&day->caps, all->mibps[minute], all->iops[minute]) * (m->once ? 2 : 1);
    double mibps =
        asm_rebalance(1, left_mibps(&m->source, own->mibps[minute], own->iops[minute]),
                      left_mibps(&m->destination, own->mibps[minute], own->iops[minute]), mb_s)
            .rate_mibps;
    return isnan(mibps) ? NAN : fmax(mibps, 0);
}

double change_move_s(const struct change_day *day, const struct change_move *m, int64_t start_ms)
{
    double rates[MINUTES], day_mib = 0, left_mib = m->moved_gib * 1024;
    if (isnan(day->groups[m->group].mibps[0]) || isnan(left_mib))
        return NAN;
    for (size_t i = 0; i < MINUTES; i++) {
        rates[i] = rate_at(day, m, i);
        day_mib += rates[i] * MINUTE_S;
    }
    if (isnan(day_mib))
        return NAN;
    if (!(left_mib <= day_mib * MOVE_DAYS_MAX))
        return INFINITY;
    double s = 0;
    if (left_mib > day_mib) { /* whole days at once */
        s = floor(left_mib / day_mib) * MINUTES * MINUTE_S;
        left_mib = fmax(0, left_mib - floor(left_mib / day_mib) * day_mib);
    }
    size_t minute = minute_of(start_ms);
    double span_s = (double)(MINUTE_MS - ((start_ms % MINUTE_MS) + MINUTE_MS) % MINUTE_MS) / 1000;
    for (int n = 0; n <= MINUTES && left_mib > 0; n++) {
        double mibps = rates[minute];
        if (mibps * span_s >= left_mib)
            return s + left_mib / mibps;
        left_mib -= mibps * span_s;
        s += span_s;
        span_s = MINUTE_S;
        minute = (minute + 1) % MINUTES;
    }
    return s;
}
