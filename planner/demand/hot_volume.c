/* planner/demand/hot_volume.c - see hot_volume.h. */
#include "planner/demand/hot_volume.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

/* TUNING: clocks of samplers and short requests make even stripes differ this much. */
static const double even_within = 1.05;

static bool same_host(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static size_t on_same_host(const struct load_member *members, size_t n, size_t i)
{
    size_t count = 0;
    for (size_t k = 0; k < n; k++)
        count += same_host(members[k].series->host, members[i].series->host);
    return count;
}

static bool each_is_measured(const struct load_member *members, size_t n, int64_t n_volumes)
{
    if (n_volumes < 2 || n < (size_t)n_volumes)
        return false;
    for (size_t i = 0; i < n; i++)
        if (members[i].series->kind == SERIES_FILETYPE ||
            on_same_host(members, n, i) != (size_t)n_volumes)
            return false;
    return true;
}

/* Of one volume at a time. */
struct use {
    double mibps, total_iops, counted_iops, pct;
    unsigned flags;
};

static struct use use_of(const struct load_point *p, const struct group_ceiling *one)
{
    struct use u = { .mibps = point_total_mibps(p), .total_iops = point_total_iops(p) };
    u.counted_iops = ceiling_counts(one, p);
    u.pct = 100 * fmax(u.mibps / one->max_throughput_mibps, u.counted_iops / one->max_iops);
    u.flags = ceiling_flags(one, p);
    return u;
}

/* The mean of the group's volumes over the point that holds at time_ms. */
static double mean_mibps(const struct load_points *p, size_t at, double n_volumes)
{
    return at < p->n ? point_total_mibps(&p->at[at]) / n_volumes : NAN;
}

/* Marks the group's points inside a sample, of which at is the first; returns the seconds for which
 * this volume is the first at its ceiling. */
static double mark(struct load_points *p, size_t at, const struct load_point *sample,
                   unsigned flags)
{
    double first_s = 0;
    for (size_t i = at; i < p->n && p->at[i].begin_ms < sample->end_ms; i++) {
        struct load_point *q = &p->at[i];
        q->flags |= flags & POINT_ARTEFACT;
        if (!(flags & POINT_AT_CEILING) || q->flags & (POINT_AT_CEILING | POINT_HOT_VOLUME))
            continue;
        q->flags |= POINT_HOT_VOLUME;
        first_s += (double)(q->end_ms - q->begin_ms) / 1e3;
    }
    return first_s;
}

static void raise_need(struct hot_volume *out, const struct load_point *p, const struct use *u,
                       const struct peak_factors *factors)
{
    double times = peak_range(factors, p->interval_s).central * (double)out->n_volumes;
    out->need_mibps = fmax(out->need_mibps, u->mibps * times);
    out->need_iops = fmax(out->need_iops, u->total_iops * times);
    out->need_counted_iops = fmax(out->need_counted_iops, p->counted_iops * times);
    out->need_counted_iops_high = fmax(out->need_counted_iops_high, p->counted_iops_high * times);
}

static void walk_volume(const struct load_member *m, struct ceiling_clock *clock,
                        const struct peak_factors *factors, struct load_points *points,
                        struct hot_volume *out)
{
    size_t at = 0;
    bool was_at_ceiling = false;
    for (size_t i = 0; i < m->series->n; i++) {
        struct load_point p = load_point_of_sample(m, i);
        while (at < points->n && points->at[at].end_ms <= p.begin_ms)
            at++;
        if (at == points->n)
            break;
        if (points->at[at].begin_ms >= p.end_ms)
            continue; /* outside of what is looked at */
        struct use u = use_of(&p, volume_ceiling_at(clock, p.begin_ms));
        out->ceiling_seconds += mark(points, at, &p, u.flags);
        if (u.flags & POINT_ARTEFACT || points->at[at].flags & POINT_ARTEFACT)
            continue;
        was_at_ceiling = was_at_ceiling || u.flags & POINT_AT_CEILING;
        raise_need(out, &p, &u, factors);
        if (!(u.pct > out->used_pct) && !(isnan(out->used_pct) && !isnan(u.pct)))
            continue;
        out->name = m->series->name;
        out->used_pct = u.pct;
        out->mibps = u.mibps;
        out->counted_iops = u.counted_iops;
        out->time_ms = p.begin_ms;
        out->skew = u.mibps / mean_mibps(points, at, (double)out->n_volumes);
    }
    out->n_at_ceiling += was_at_ceiling;
}

static double beyond(double need, double sum)
{
    return need > sum * even_within ? need : NAN;
}

/* What a stripe as even as samples can be would need by itself. */
static void forget_noise(const struct load_points *points, const struct peak_factors *factors,
                         struct hot_volume *out)
{
    double mibps = NAN, iops = NAN, counted = NAN, high = NAN;
    for (size_t i = 0; i < points->n; i++) {
        const struct load_point *p = &points->at[i];
        double times = peak_range(factors, p->interval_s).central;
        if (p->flags & POINT_ARTEFACT)
            continue;
        mibps = fmax(mibps, point_total_mibps(p) * times);
        iops = fmax(iops, point_total_iops(p) * times);
        counted = fmax(counted, p->counted_iops * times);
        high = fmax(high, p->counted_iops_high * times);
    }
    out->need_mibps = beyond(out->need_mibps, mibps);
    out->need_iops = beyond(out->need_iops, iops);
    out->need_counted_iops = beyond(out->need_counted_iops, counted);
    out->need_counted_iops_high = beyond(out->need_counted_iops_high, high);
}

void hot_volume_find(const struct load_member *members, size_t n, struct ceiling_clock *clock,
                     const struct peak_factors *factors, struct load_points *points,
                     struct hot_volume *out)
{
    *out = (struct hot_volume){ .used_pct = NAN,
                                .mibps = NAN,
                                .counted_iops = NAN,
                                .time_ms = UNKNOWN,
                                .skew = NAN,
                                .need_mibps = NAN,
                                .need_iops = NAN,
                                .need_counted_iops = NAN,
                                .need_counted_iops_high = NAN };
    int64_t n_volumes = group_volumes(clock->group);
    if (!each_is_measured(members, n, n_volumes))
        return;
    out->n_volumes = (size_t)n_volumes;
    for (size_t i = 0; i < n; i++)
        walk_volume(&members[i], clock, factors, points, out);
    forget_noise(points, factors, out);
}
