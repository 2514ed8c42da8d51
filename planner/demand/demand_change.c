/* planner/demand/demand_change.c - see demand_change.h. */
#include "planner/demand/demand_change.h"

#include "models/ebs/io_count.h"
#include "planner/demand/peak_demand.h"

#include <math.h>

enum { SSD_CAP_KIB = 256 };

/* Requests per s of a direction as EBS counts them; 0 where nothing is known. */
struct counted {
    double likely, high;
};

static struct counted counted_of(double iops, double mibps)
{
    if (isnan(mibps))
        mibps = 0;
    if (isnan(iops))
        iops = mibps * 1024 / SSD_CAP_KIB;
    return (struct counted){ io_counted_likely(iops, mibps, SSD_CAP_KIB),
                             io_counted_high(iops, mibps, SSD_CAP_KIB) };
}

static void add(double *sum, double v)
{
    if (v > 0)
        *sum = isnan(*sum) ? v : *sum + v;
}

/* The point counts the requests of each of its members by itself: what the change does to the mean
 * request is held against that. */
static void recount(struct load_point *p, const struct load_point *old)
{
    struct counted r0 = counted_of(old->read_iops, old->read_mibps);
    struct counted w0 = counted_of(old->write_iops, old->write_mibps);
    struct counted r1 = counted_of(p->read_iops, p->read_mibps);
    struct counted w1 = counted_of(p->write_iops, p->write_mibps);
    struct counted u0 = counted_of(old->unsplit_iops, old->unsplit_mibps);
    struct counted u1 = counted_of(p->unsplit_iops, p->unsplit_mibps);
    double likely0 = r0.likely + w0.likely + u0.likely, high0 = r0.high + w0.high + u0.high;
    double likely1 = r1.likely + w1.likely + u1.likely, high1 = r1.high + w1.high + u1.high;
    p->counted_iops = likely0 > 0 ? old->counted_iops * (likely1 / likely0) : likely1;
    p->counted_iops_high = high0 > 0 ? old->counted_iops_high * (high1 / high0) : high1;
}

struct load_change load_change_none(size_t from)
{
    return (struct load_change){
        .from = from, .read = 1, .write = 1, .write_requests = 1, .added_request_kib = 1024
    };
}

static bool is_none(const struct load_change *c)
{
    return c->read == 1 && c->read_per_write == 0 && c->write == 1 && c->write_requests == 1;
}

static struct load_point changed_point(const struct load_point *old, const struct load_change *c)
{
    struct load_point p = *old;
    double added_mibps = old->write_mibps * c->read_per_write;
    p.read_mibps *= c->read;
    p.read_iops *= c->read;
    add(&p.read_mibps, added_mibps);
    add(&p.read_iops, added_mibps * 1024 / c->added_request_kib);
    p.write_mibps *= c->write;
    p.write_iops *= c->write_requests;
    p.unsplit_mibps *= fmax(c->read, c->write); /* what is not known as either grows as both may */
    p.unsplit_iops *= fmax(c->read, c->write_requests);
    recount(&p, old);
    return p;
}

/* --- moved in time ---------------------------------------------------------------------------- */

/* From 0 to the length of the wrap. */
static int64_t shift_of(const struct load_shape *s)
{
    int64_t length_ms = s->wrap_end_ms - s->wrap_begin_ms;
    int64_t shift_ms = length_ms > 0 ? s->shift_ms % length_ms : 0;
    return shift_ms < 0 ? shift_ms + length_ms : shift_ms;
}

/* Replaces p, sorted, by what its points are after the shift. */
static int shift_points(struct load_points *p, const struct load_shape *s, struct arena *a,
                        struct err *e)
{
    int64_t length_ms = s->wrap_end_ms - s->wrap_begin_ms, shift_ms = shift_of(s);
    if (!shift_ms)
        return 0;
    struct load_points out = { arena_array(a, p->n + 1, sizeof *out.at), 0 };
    if (!out.at)
        return err_nomem(e);
    for (int wrapped = 1; wrapped >= 0; wrapped--) {
        int64_t low_ms = wrapped ? s->wrap_end_ms : INT64_MIN;
        int64_t high_ms = wrapped ? INT64_MAX : s->wrap_end_ms;
        for (size_t i = 0; i < p->n; i++) {
            struct load_point q = p->at[i];
            q.begin_ms += shift_ms;
            q.end_ms += shift_ms;
            q.begin_ms = q.begin_ms < low_ms ? low_ms : q.begin_ms;
            q.end_ms = q.end_ms > high_ms ? high_ms : q.end_ms;
            if (q.begin_ms >= q.end_ms)
                continue;
            q.begin_ms -= wrapped ? length_ms : 0;
            q.end_ms -= wrapped ? length_ms : 0;
            out.at[out.n++] = q;
        }
    }
    *p = out;
    return 0;
}

/* --- requests cut ----------------------------------------------------------------------------- */

double request_cut_iops(struct request_cut cut, double iops, double mibps)
{
    double known = isnan(iops) ? mibps * 1024 / SSD_CAP_KIB : iops;
    double more = mibps * 1024 / cut.kib - known;
    return more > 0 ? known + cut.share * more : iops;
}

/* Counts a direction as if all of it were cut, and cuts it. */
static void cut_direction(double *iops, double mibps, struct request_cut cut, struct counted *sum)
{
    double all = request_cut_iops((struct request_cut){ cut.kib, 1 }, *iops, mibps);
    struct counted c = counted_of(all, mibps);
    sum->likely += c.likely;
    sum->high += c.high;
    *iops = request_cut_iops(cut, *iops, mibps);
}

/* A request counts at least one, so what counted stays the least. */
static void cut_point(struct load_point *p, struct request_cut cut)
{
    struct counted all = { 0, 0 };
    if (isinf(cut.kib))
        return;
    cut_direction(&p->read_iops, p->read_mibps, cut, &all);
    cut_direction(&p->write_iops, p->write_mibps, cut, &all);
    cut_direction(&p->unsplit_iops, p->unsplit_mibps, cut, &all);
    double likely = isnan(p->counted_iops) ? 0 : p->counted_iops;
    double high = isnan(p->counted_iops_high) ? 0 : p->counted_iops_high;
    p->counted_iops = likely + cut.share * fmax(0, all.likely - likely);
    p->counted_iops_high = high + cut.share * fmax(0, all.high - high);
}

/* --- a group ---------------------------------------------------------------------------------- */

static const struct load_shape no_shape = { .all = { INFINITY, 1 }, .some = { INFINITY, 1 } };

/* The loads that make a group: what was measured, changed, and what is added. */
struct lanes {
    struct load_points *at;
    const struct load_points **list; /* pointers to all of them */
    size_t n;
};

/* What becomes of a group's points. */
struct making {
    const struct load_change *change;
    const struct load_shape *shape;
    double share; /* of the load, that shape->some is cut of */
    const struct peak_factors *factors;
    struct arena *a;
    struct err *e;
};

static bool cuts(const struct load_shape *s)
{
    return !isinf(s->all.kib) || !isinf(s->some.kib);
}

/* Changed and cut in one walk, since points are long; p itself where nothing is.  What they ask for
 * before they are cut goes to uncut, which may be NULL. */
static int make_points(const struct making *m, const struct load_points *p, struct load_points *out,
                       struct peak_requests *uncut)
{
    struct request_cut some = { m->shape->some.kib, m->share };
    bool as_it_is = is_none(m->change), cut = cuts(m->shape);
    *out = *p;
    if (as_it_is && !cut)
        return 0;
    out->at = arena_array(m->a, p->n ? p->n : 1, sizeof *out->at);
    if (!out->at)
        return err_nomem(m->e);
    for (size_t i = 0; i < p->n; i++) {
        struct load_point q = as_it_is ? p->at[i] : changed_point(&p->at[i], m->change);
        if (uncut)
            peak_requests_raise(uncut, &q, m->factors);
        if (cut) {
            cut_point(&q, m->shape->all);
            cut_point(&q, some);
        }
        out->at[i] = q;
    }
    return 0;
}

/* The group's own first; added loads are cut, and otherwise what they are. */
static int make_lanes(const struct making *m, const struct load_points *own, struct lanes *out,
                      struct peak_requests *uncut)
{
    const struct load_shape *s = m->shape;
    const struct load_change none = load_change_none(0);
    struct making added = *m;
    size_t n = 1 + s->n_added;
    struct lanes l = { arena_array(m->a, n, sizeof *l.at),
                       arena_array(m->a, n, sizeof(struct load_points *)), n };
    if (!l.at || !l.list)
        return err_nomem(m->e);
    int rc = make_points(m, own, &l.at[0], uncut);
    if (!rc)
        rc = shift_points(&l.at[0], s, m->a, m->e);
    added.change = &none;
    for (size_t i = 1; i < n && !rc; i++)
        rc = make_points(&added, &s->added[i - 1], &l.at[i], NULL);
    for (size_t i = 0; i < n; i++)
        l.list[i] = &l.at[i];
    if (!rc)
        *out = l;
    return rc;
}

/* The busiest volume asks for what it did, or for its bytes in requests that are cut. */
static double uneven_after_cut(double uneven_bytes, double uneven_requests, double was, double now)
{
    return fmax(uneven_bytes, now > 0 ? uneven_requests * (was / now) : uneven_requests);
}

static void cut_hot_volume(const struct peak_requests *uncut, struct group_demand *g)
{
    struct hot_volume *h = &g->hot;
    h->uneven_iops =
        uneven_after_cut(h->uneven_mibps, h->uneven_iops, uncut->total_iops, g->total_iops);
    h->uneven_counted = uneven_after_cut(h->uneven_mibps, h->uneven_counted, uncut->counted_iops,
                                         g->demand.counted_iops);
}

/* *out: what the group needs.  *passed: what the instance passes of it. */
static int change_group(const struct group_demand *measured, const struct layout_group *group,
                        const struct load_change *c, const struct peak_factors *factors,
                        struct arena *a, struct group_demand *out, struct lanes *passed,
                        struct err *e)
{
    const struct load_shape *s = c->shape ? c->shape : &no_shape;
    struct making m = { c, s, 1, factors, a, e };
    bool as_measured = is_none(c) && !shift_of(s);
    struct peak_requests uncut = { measured->total_iops, measured->demand.counted_iops };
    struct load_points assumed;
    struct lanes needed;
    if (!as_measured)
        uncut = (struct peak_requests){ NAN, NAN };
    *out = *measured;
    out->group = group;
    int rc = make_lanes(&m, &measured->points, &needed, cuts(s) && !as_measured ? &uncut : NULL);
    if (rc)
        return rc;
    *passed = needed;
    m.share = s->some.share;
    if (!isinf(s->some.kib) && m.share < 1)
        rc = make_lanes(&m, &measured->points, passed, NULL);
    if (rc || (is_none(c) && !c->shape))
        return rc;
    out->points = assumed = needed.at[0];
    if (needed.n > 1)
        rc = load_points_measured_and_assumed(needed.list, needed.n, factors, a, &out->points,
                                              &assumed, e);
    if (rc)
        return rc;
    struct peak_demand peak = peak_demand_of(&assumed, factors);
    out->demand = peak.demand;
    out->total_iops = peak.total_iops;
    out->peak_factor = peak.peak_factor;
    out->censored_by = peak.censored_by;
    if (cuts(s))
        cut_hot_volume(&uncut, out);
    return 0;
}

/* The instance: the sum of all lanes of all groups. */
static int change_instance(const struct lanes *groups, const struct peak_factors *factors,
                           struct arena *a, struct system_demand *d, struct err *e)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n_groups; i++)
        n += groups[i].n;
    const struct load_points **all = arena_array(a, n ? n : 1, sizeof(struct load_points *));
    struct load_points assumed;
    if (!all)
        return err_nomem(e);
    n = 0;
    for (size_t i = 0; i < d->n_groups; i++)
        for (size_t k = 0; k < groups[i].n; k++)
            all[n++] = groups[i].list[k];
    int rc = load_points_measured_and_assumed(all, n, factors, a, &d->points, &assumed, e);
    if (rc)
        return rc;
    struct peak_demand peak = peak_demand_of(&assumed, factors);
    d->demand = peak.demand;
    d->censored_by = peak.censored_by;
    return 0;
}

bool load_change_alike(const struct load_change *x, const struct load_change *y)
{
    return x->from == y->from && x->read == y->read && x->read_per_write == y->read_per_write &&
           x->write == y->write && x->write_requests == y->write_requests &&
           x->added_request_kib == y->added_request_kib && x->shape == y->shape;
}

/* Whether the instance passes of a group what it needs: one lane, the group's points. */
static bool passes_as_needed(const struct load_shape *s)
{
    return !s || (!s->n_added && (isinf(s->some.kib) || s->some.share >= 1));
}

/* Group i as it is in `known`, where it passes as needed. */
static int take_group(const struct changed_demand *known, size_t i, struct arena *a,
                      struct group_demand *out, struct lanes *passed, struct err *e)
{
    const struct load_change none = load_change_none(0);
    const struct making m = { &none, &no_shape, 1, NULL, a, e };
    *out = known->demand->groups[i];
    return make_lanes(&m, &out->points, passed, NULL);
}

/* passed: one for each group of layout.  known may be NULL. */
static int change_groups(const struct system_demand *measured, const struct layout *layout,
                         const struct load_change *changes, const struct changed_demand *known,
                         struct arena *a, struct lanes *passed, struct system_demand *out,
                         struct err *e)
{
    struct peak_factors factors = { measured->options_used.peak_factor };
    size_t n = layout->n_groups;
    struct group_demand *groups = arena_array(a, n ? n : 1, sizeof *groups);
    int rc = groups ? 0 : err_nomem(e);
    for (size_t i = 0; i < n && !rc; i++) {
        const struct load_change *c = &changes[i];
        if (known && passes_as_needed(c->shape) && load_change_alike(c, &known->changes[i]))
            rc = take_group(known, i, a, &groups[i], &passed[i], e);
        else
            rc = change_group(&measured->groups[c->from], &layout->groups[i], c, &factors, a,
                              &groups[i], &passed[i], e);
    }
    if (rc)
        return rc;
    *out = *measured;
    out->layout = layout;
    out->groups = groups;
    out->n_groups = n;
    return 0;
}

static struct lanes *lanes_new(const struct layout *l, struct arena *a)
{
    return arena_array(a, l->n_groups ? l->n_groups : 1, sizeof(struct lanes));
}

int demand_change_groups(const struct system_demand *measured, const struct layout *layout,
                         const struct load_change *changes, const struct changed_demand *known,
                         struct arena *a, struct system_demand *out, struct err *e)
{
    struct lanes *passed = lanes_new(layout, a);
    return passed ? change_groups(measured, layout, changes, known, a, passed, out, e)
                  : err_nomem(e);
}

int demand_change_like(const struct system_demand *measured, const struct layout *layout,
                       const struct load_change *changes, const struct changed_demand *known,
                       struct arena *a, struct system_demand *out, struct err *e)
{
    struct peak_factors factors = { measured->options_used.peak_factor };
    struct system_demand d;
    struct lanes *passed = lanes_new(layout, a);
    if (!passed)
        return err_nomem(e);
    int rc = change_groups(measured, layout, changes, known, a, passed, &d, e);
    if (!rc)
        rc = change_instance(passed, &factors, a, &d, e);
    if (!rc)
        *out = d;
    return rc;
}

int demand_change(const struct system_demand *measured, const struct layout *layout,
                  const struct load_change *changes, struct arena *a, struct system_demand *out,
                  struct err *e)
{
    return demand_change_like(measured, layout, changes, NULL, a, out, e);
}
