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
    double mibps, counted_iops, pct;
    unsigned flags;
};

static struct use use_of(const struct load_point *p, const struct group_ceiling *one)
{
    struct use u = { .mibps = point_total_mibps(p) };
    u.counted_iops = ceiling_counts(one, p);
    u.pct = 100 * fmax(u.mibps / one->max_throughput_mibps, u.counted_iops / one->max_iops);
    u.flags = ceiling_flags(one, p);
    return u;
}

/* What brings it closest to its ceiling, against the mean of its group. */
static double skew_of(const struct use *u, const struct group_ceiling *one,
                      const struct load_point *group, double n_volumes)
{
    bool by_requests = u->counted_iops / one->max_iops > u->mibps / one->max_throughput_mibps;
    return n_volumes * (by_requests ? u->counted_iops / ceiling_counts(one, group)
                                    : u->mibps / point_total_mibps(group));
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
        if (flags & POINT_ARTEFACT || !(flags & POINT_AT_CEILING) ||
            q->flags & (POINT_AT_CEILING | POINT_HOT_VOLUME))
            continue;
        q->flags |= POINT_HOT_VOLUME;
        first_s += (double)(q->end_ms - q->begin_ms) / 1e3;
    }
    return first_s;
}

/* The largest loads, averages after the peak factor. */
struct worst {
    double mibps, iops, counted;
};

static void raise(struct worst *w, const struct load_point *p, const struct peak_factors *factors)
{
    double times = peak_range(factors, p->interval_s).central;
    w->mibps = fmax(w->mibps, point_total_mibps(p) * times);
    w->iops = fmax(w->iops, point_total_iops(p) * times);
    w->counted = fmax(w->counted, p->counted_iops * times);
}

static void walk_volume(const struct load_member *m, struct ceiling_clock *clock,
                        const struct peak_factors *factors, struct load_points *points,
                        struct worst *worst, struct hot_volume *out)
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
        const struct group_ceiling *one = volume_ceiling_at(clock, p.begin_ms);
        struct use u = use_of(&p, one);
        out->ceiling_seconds += mark(points, at, &p, u.flags);
        if (u.flags & POINT_ARTEFACT || points->at[at].flags & POINT_ARTEFACT)
            continue;
        was_at_ceiling = was_at_ceiling || u.flags & POINT_AT_CEILING;
        raise(worst, &p, factors);
        if (!(u.pct > out->used_pct) && !(isnan(out->used_pct) && !isnan(u.pct)))
            continue;
        out->name = m->series->name;
        out->used_pct = u.pct;
        out->mibps = u.mibps;
        out->counted_iops = u.counted_iops;
        out->time_ms = p.begin_ms;
        out->line = m->series->line ? m->series->line[i] : UNKNOWN;
        out->file_id = m->series->file_id ? m->series->file_id[i] : UNKNOWN;
        out->skew = skew_of(&u, one, &points->at[at], (double)out->n_volumes);
    }
    out->n_at_ceiling += was_at_ceiling;
}

static double uneven(double one, double n_volumes, double sum)
{
    double times = one * n_volumes / sum;
    return times > even_within ? times : 1;
}

static void compare(const struct worst *one, const struct load_points *points,
                    const struct peak_factors *factors, struct hot_volume *out)
{
    struct worst sum = { NAN, NAN, NAN };
    double n = (double)out->n_volumes;
    for (size_t i = 0; i < points->n; i++)
        if (!(points->at[i].flags & POINT_ARTEFACT))
            raise(&sum, &points->at[i], factors);
    out->uneven_mibps = uneven(one->mibps, n, sum.mibps);
    out->uneven_iops = uneven(one->iops, n, sum.iops);
    out->uneven_counted = uneven(one->counted, n, sum.counted);
}

void hot_volume_find(const struct load_member *members, size_t n, struct ceiling_clock *clock,
                     const struct peak_factors *factors, struct load_points *points,
                     struct hot_volume *out)
{
    *out = (struct hot_volume){ .used_pct = NAN,
                                .mibps = NAN,
                                .counted_iops = NAN,
                                .time_ms = UNKNOWN,
                                .file_id = UNKNOWN,
                                .line = UNKNOWN,
                                .skew = NAN,
                                .uneven_mibps = 1,
                                .uneven_iops = 1,
                                .uneven_counted = 1 };
    int64_t n_volumes = layout_volume_count(clock->group);
    if (!each_is_measured(members, n, n_volumes))
        return;
    struct worst one = { NAN, NAN, NAN };
    out->n_volumes = (size_t)n_volumes;
    for (size_t i = 0; i < n; i++)
        walk_volume(&members[i], clock, factors, points, &one, out);
    compare(&one, points, factors, out);
}
