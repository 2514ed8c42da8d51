/* planner/demand/load_points.c - see load_points.h. */
#include "planner/demand/load_points.h"

#include "models/core/unit.h"
#include "models/ebs/io_count.h"

#include <math.h>

/* One member under way: a series, or points. */
struct lane {
    const struct load_member *member;
    const struct load_points *points;
    size_t n, i;
};

struct sweep {
    struct lane *lanes;
    size_t n_lanes;
    int64_t t_ms, to_ms; /* where the next piece begins; where all ends */
};

static int64_t lane_begin(const struct lane *l)
{
    return l->points ? l->points->at[l->i].begin_ms : l->member->series->begin_ms[l->i];
}

static int64_t lane_end(const struct lane *l)
{
    return l->points ? l->points->at[l->i].end_ms : l->member->series->end_ms[l->i];
}

static void sweep_start(struct sweep *s, int64_t from_ms, int64_t to_ms)
{
    for (size_t i = 0; i < s->n_lanes; i++)
        s->lanes[i].i = 0;
    s->t_ms = from_ms == UNKNOWN ? INT64_MIN : from_ms;
    s->to_ms = to_ms == UNKNOWN ? INT64_MAX : to_ms;
}

/* The next piece of time on which every lane is constant and at least one was measured. */
static bool sweep_next(struct sweep *s, int64_t *begin_ms, int64_t *end_ms)
{
    for (;;) {
        int64_t next_ms = INT64_MAX;
        bool active = false;
        for (size_t i = 0; i < s->n_lanes; i++) {
            struct lane *l = &s->lanes[i];
            while (l->i < l->n && lane_end(l) <= s->t_ms)
                l->i++;
            if (l->i == l->n)
                continue;
            bool here = lane_begin(l) <= s->t_ms;
            int64_t edge_ms = here ? lane_end(l) : lane_begin(l);
            active |= here;
            next_ms = edge_ms < next_ms ? edge_ms : next_ms;
        }
        if (next_ms == INT64_MAX || s->t_ms >= s->to_ms)
            return false;
        *begin_ms = s->t_ms;
        *end_ms = next_ms < s->to_ms ? next_ms : s->to_ms;
        s->t_ms = next_ms;
        if (active)
            return true;
    }
}

static void add(double *sum, double v)
{
    *sum = known_sum(*sum, v);
}

/* EBS requests of one direction; either figure may be unknown. */
static void add_counted(struct load_point *p, double iops, double mibps)
{
    enum { SSD_CAP_KIB = 256 };
    double one = isnan(iops) ? mibps * 1024 / SSD_CAP_KIB : iops;
    bool both = !isnan(iops) && !isnan(mibps);
    add(&p->counted_iops, both ? io_counted_likely(iops, mibps, SSD_CAP_KIB) : one);
    add(&p->counted_iops_high, both ? io_counted_high(iops, mibps, SSD_CAP_KIB) : one);
}

static void add_sample(struct load_point *p, const struct load_member *m, size_t i)
{
    const struct load_series *s = m->series;
    double read_iops = s->read_iops[i] * m->read_factor;
    double write_iops = s->write_iops[i] * m->write_factor;
    double read_mibps = s->read_mibps[i] * m->read_factor;
    double write_mibps = s->write_mibps[i] * m->write_factor;
    add(&p->read_iops, read_iops);
    add(&p->write_iops, write_iops);
    add(&p->read_mibps, read_mibps);
    add(&p->write_mibps, write_mibps);
    add_counted(p, read_iops, read_mibps);
    add_counted(p, write_iops, write_mibps);
    if (s->unsplit_iops) {
        double factor = fmax(m->read_factor, m->write_factor);
        double iops = s->unsplit_iops[i] * factor, mibps = s->unsplit_mibps[i] * factor;
        add(&p->unsplit_iops, iops);
        add(&p->unsplit_mibps, mibps);
        add_counted(p, iops, mibps);
    }
    p->interval_s = fmax(p->interval_s, load_series_interval_s(s, i));
}

static void add_point(struct load_point *p, const struct load_point *q,
                      const struct peak_factors *factors)
{
    double f = factors ? peak_range(factors, q->interval_s).central : 1;
    add(&p->read_iops, q->read_iops * f);
    add(&p->write_iops, q->write_iops * f);
    add(&p->read_mibps, q->read_mibps * f);
    add(&p->write_mibps, q->write_mibps * f);
    add(&p->unsplit_iops, q->unsplit_iops * f);
    add(&p->unsplit_mibps, q->unsplit_mibps * f);
    add(&p->counted_iops, q->counted_iops * f);
    add(&p->counted_iops_high, q->counted_iops_high * f);
    p->interval_s = fmax(p->interval_s, q->interval_s);
    p->flags |= q->flags;
    if (factors && !interval_is_measured(q->interval_s))
        p->flags |= POINT_ASSUMED;
}

static struct load_point empty_point(int64_t begin_ms, int64_t end_ms)
{
    return (struct load_point){ begin_ms, end_ms, 0, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN, NAN };
}

struct load_point load_point_of_sample(const struct load_member *m, size_t i)
{
    struct load_point p = empty_point(m->series->begin_ms[i], m->series->end_ms[i]);
    add_sample(&p, m, i);
    return p;
}

/* Made where it is to lie, since points are long. */
static void add_piece(const struct sweep *s, int64_t begin_ms, int64_t end_ms,
                      const struct peak_factors *factors, struct load_points *out)
{
    struct load_point *p = &out->at[out->n++];
    *p = empty_point(begin_ms, end_ms);
    for (size_t i = 0; i < s->n_lanes; i++) {
        const struct lane *l = &s->lanes[i];
        if (l->i == l->n || lane_begin(l) > begin_ms)
            p->flags |= POINT_PARTIAL;
        else if (l->points)
            add_point(p, &l->points->at[l->i], factors);
        else
            add_sample(p, l->member, l->i);
    }
}

/* Whether all lanes stand at the same piece, not empty and not before last_ms. */
static bool in_step(const struct sweep *s, int64_t last_ms, int64_t *begin_ms, int64_t *end_ms)
{
    *begin_ms = lane_begin(&s->lanes[0]);
    *end_ms = lane_end(&s->lanes[0]);
    bool step = *begin_ms >= last_ms && *end_ms > *begin_ms;
    for (size_t k = 1; k < s->n_lanes && step; k++)
        step = lane_begin(&s->lanes[k]) == *begin_ms && lane_end(&s->lanes[k]) == *end_ms;
    return step;
}

/* Where all lanes have the same pieces, as the samples of one tool have, these are the pieces of
 * the sum, and no union of edges has to be swept.  False when they have not. */
static bool sum_in_step(struct sweep *s, const struct peak_factors *factors, struct load_points *p)
{
    int64_t last_ms = INT64_MIN, begin_ms, end_ms;
    for (size_t i = 0; i < s->lanes[0].n; i++) {
        for (size_t k = 0; k < s->n_lanes; k++)
            s->lanes[k].i = i;
        if (!in_step(s, last_ms, &begin_ms, &end_ms))
            return false;
        add_piece(s, begin_ms, end_ms, factors, p);
        last_ms = end_ms;
    }
    return true;
}

static bool equally_long(const struct sweep *s)
{
    bool equal = s->n_lanes > 0;
    for (size_t k = 1; k < s->n_lanes; k++)
        equal &= s->lanes[k].n == s->lanes[0].n;
    return equal;
}

static int sweep_all(struct sweep *s, int64_t from_ms, int64_t to_ms,
                     const struct peak_factors *factors, struct arena *a, struct load_points *out,
                     struct err *e)
{
    int64_t begin_ms, end_ms;
    struct load_points p = { NULL, 0 };
    size_t room = 0, n = 0;
    if (from_ms == UNKNOWN && to_ms == UNKNOWN && equally_long(s)) {
        room = s->lanes[0].n;
        p.at = arena_array(a, room ? room : 1, sizeof *p.at);
        if (!p.at)
            return err_nomem(e);
        if (sum_in_step(s, factors, &p)) {
            *out = p;
            return 0;
        }
    }
    for (sweep_start(s, from_ms, to_ms); sweep_next(s, &begin_ms, &end_ms);)
        n++;
    p.n = 0;
    if (n > room || !p.at)
        p.at = arena_array(a, n ? n : 1, sizeof *p.at);
    if (!p.at)
        return err_nomem(e);
    for (sweep_start(s, from_ms, to_ms); sweep_next(s, &begin_ms, &end_ms);)
        add_piece(s, begin_ms, end_ms, factors, &p);
    *out = p;
    return 0;
}

int load_points_of_series(const struct load_member *members, size_t n, int64_t from_ms,
                          int64_t to_ms, struct arena *a, struct load_points *out, struct err *e)
{
    struct sweep s = { arena_array(a, n ? n : 1, sizeof *s.lanes), n, 0, 0 };
    if (!s.lanes)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        s.lanes[i] = (struct lane){ &members[i], NULL, members[i].series->n, 0 };
    return sweep_all(&s, from_ms, to_ms, NULL, a, out, e);
}

int load_points_of_points(const struct load_points *const *members, size_t n,
                          const struct peak_factors *factors, struct arena *a,
                          struct load_points *out, struct err *e)
{
    struct sweep s = { arena_array(a, n ? n : 1, sizeof *s.lanes), n, 0, 0 };
    if (!s.lanes)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        s.lanes[i] = (struct lane){ NULL, members[i], members[i]->n, 0 };
    return sweep_all(&s, UNKNOWN, UNKNOWN, factors, a, out, e);
}

bool load_points_all_measured(const struct load_points *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (!interval_is_measured(p->at[i].interval_s))
            return false;
    return true;
}

int load_points_measured_and_assumed(const struct load_points *const *members, size_t n,
                                     const struct peak_factors *factors, struct arena *a,
                                     struct load_points *out_measured,
                                     struct load_points *out_assumed, struct err *e)
{
    int rc = load_points_of_points(members, n, NULL, a, out_measured, e);
    if (rc)
        return rc;
    *out_assumed = *out_measured;
    return load_points_all_measured(out_measured)
               ? 0
               : load_points_of_points(members, n, factors, a, out_assumed, e);
}
