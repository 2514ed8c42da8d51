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

static int change_group(const struct group_demand *measured, const struct layout_group *group,
                        const struct load_change *c, const struct peak_factors *factors,
                        struct arena *a, struct group_demand *out, struct err *e)
{
    *out = *measured;
    out->group = group;
    if (is_none(c))
        return 0;
    size_t n = measured->points.n;
    out->points.at = arena_array(a, n ? n : 1, sizeof *out->points.at);
    if (!out->points.at)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        out->points.at[i] = changed_point(&measured->points.at[i], c);
    struct peak_demand peak = peak_demand_of(&out->points, factors);
    out->demand = peak.demand;
    out->total_iops = peak.total_iops;
    out->peak_factor = peak.peak_factor;
    out->censored_by = peak.censored_by;
    return 0;
}

struct load_change load_change_none(size_t from)
{
    return (struct load_change){
        .from = from, .read = 1, .write = 1, .write_requests = 1, .added_request_kib = 1024
    };
}

int demand_change(const struct system_demand *measured, const struct layout *layout,
                  const struct load_change *changes, struct arena *a, struct system_demand *out,
                  struct err *e)
{
    struct system_demand d = *measured;
    struct peak_factors factors = { measured->options_used.peak_factor };
    size_t n = layout->n_groups, room = n ? n : 1;
    struct group_demand *groups = arena_array(a, room, sizeof *groups);
    const struct load_points **points = arena_array(a, room, sizeof(struct load_points *));
    struct load_points assumed;
    if (!groups || !points)
        return err_nomem(e);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        rc = change_group(&measured->groups[changes[i].from], &layout->groups[i], &changes[i],
                          &factors, a, &groups[i], e);
        points[i] = &groups[i].points;
    }
    if (!rc)
        rc = load_points_of_points(points, n, NULL, a, &d.points, e);
    if (!rc)
        rc = load_points_of_points(points, n, &factors, a, &assumed, e);
    if (rc)
        return rc;
    struct peak_demand peak = peak_demand_of(&assumed, &factors);
    d.layout = layout;
    d.groups = groups;
    d.n_groups = n;
    d.demand = peak.demand;
    d.censored_by = peak.censored_by;
    *out = d;
    return 0;
}
