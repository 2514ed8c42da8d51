/* planner/solve/plan_pareto.c - see plan_pareto.h. */
#include "planner/solve/plan_pareto.h"

#include "models/core/unit.h"
#include "planner/solve/attachments.h"
#include "planner/solve/plan_instance.h"

#include <math.h>
#include <stdlib.h>

/* TUNING: steps that people choose between; more make the front longer, not better. */
static const double ladder_pct[] = { 0, 10, 20, 30, 50, 75, 100, 150, 200 };

enum { STEPS = sizeof ladder_pct / sizeof *ladder_pct + 1 };

struct front {
    const struct plan *p;
    struct arena *a;
    struct err *e;
    struct plan_point *points;
    size_t n, room;
    int64_t kept_microusd, kept_rank_microusd; /* UNKNOWN = a kept group has no price */
};

static void sum_kept(struct front *f)
{
    for (size_t g = 0; g < f->p->n_groups; g++) {
        const struct plan_group *k = &f->p->groups[g];
        if (!k->kept)
            continue;
        if (k->chosen.total_microusd == UNKNOWN || f->kept_microusd == UNKNOWN) {
            f->kept_microusd = f->kept_rank_microusd = UNKNOWN;
            continue;
        }
        f->kept_microusd += k->chosen.total_microusd;
        f->kept_rank_microusd += k->chosen.rank_microusd;
    }
}

static bool beats(const struct plan_point *a, const struct plan_point *b)
{
    return a->total_microusd <= b->total_microusd && a->count <= b->count &&
           a->headroom_pct >= b->headroom_pct * (1 - 1e-9);
}

/* The least of what is offered above the demand; of what carries it in replay only, the headroom of
 * the load that was replayed.  fmin leaves out what nobody asked for. */
static double headroom_of(const struct size_option *o, double replayed_pct)
{
    return o->by_replay ? replayed_pct : fmin(o->iops_headroom_pct, o->throughput_headroom_pct);
}

static struct plan_point point_of(const struct front *f, const struct free_groups *free_groups,
                                  const struct size_option **chosen, int64_t volumes,
                                  double headroom_pct)
{
    struct plan_point p = { .headroom_pct = INFINITY,
                            .count = volumes + free_groups->kept,
                            .total_microusd = f->kept_microusd,
                            .rank_microusd = f->kept_rank_microusd };
    for (size_t i = 0; i < free_groups->n; i++) {
        p.headroom_pct = fmin(p.headroom_pct, headroom_of(chosen[i], headroom_pct));
        p.total_microusd += chosen[i]->total_microusd;
        p.rank_microusd += chosen[i]->rank_microusd;
    }
    return p;
}

/* The point outlives the menus that its options lie in: their words are left behind. */
static int keep_point(struct front *f, const struct free_groups *free_groups,
                      const struct size_option **chosen, struct plan_point point)
{
    if (f->n == f->room) {
        f->room = f->room ? 2 * f->room : 64;
        f->points = arena_grow(f->a, f->points, f->n, f->room, sizeof *f->points);
    }
    struct size_option *options = arena_array(f->a, f->p->n_groups, sizeof *options);
    if (!f->points || !options)
        return err_nomem(f->e);
    for (size_t i = 0; i < free_groups->n; i++) {
        struct size_option *o = &options[free_groups->index[i]];
        *o = *chosen[i];
        o->risk = NULL;
        o->n_notes = 0;
    }
    point.options = options;
    f->points[f->n++] = point;
    return 0;
}

static int add_point(struct front *f, const struct free_groups *free_groups,
                     const struct size_option **chosen, int64_t volumes, double headroom_pct)
{
    struct plan_point point = point_of(f, free_groups, chosen, volumes, headroom_pct);
    for (size_t i = 0; i < f->n; i++)
        if (beats(&f->points[i], &point))
            return 0;
    return keep_point(f, free_groups, chosen, point);
}

/* Volumes that can be attached to the instance, or, where it is not known, to any. */
static int64_t attachable(const struct plan *p)
{
    const struct catalogue *c = p->options_used.catalogue;
    bool known = p->instance.caps.volumes != UNKNOWN;
    int64_t most = known ? p->instance.caps.volumes : 0;
    for (size_t i = 0; i < c->n_instances && !known; i++)
        if (c->instances[i].max_ebs_attachments > most)
            most = c->instances[i].max_ebs_attachments;
    return most;
}

/* Every number of volumes at one headroom; what is needed for it is in scratch. */
static int add_step(struct front *f, double headroom_pct, struct arena *scratch)
{
    const struct plan *p = f->p;
    struct plan_options o = p->options_used;
    struct free_groups free_groups;
    struct count_table t;
    o.headroom_pct = headroom_pct;
    int64_t slots = attachable(p) - plan_root_volumes(p->demand->layout);
    int rc = attachments_menus(p->demand, &o, slots, scratch, &free_groups, f->e);
    if (rc || free_groups.fewest == UNKNOWN || !free_groups.n)
        return rc;
    slots -= free_groups.kept;
    slots = slots < free_groups.most ? slots : free_groups.most;
    if (slots < free_groups.fewest)
        return 0;
    const struct size_option **chosen =
        arena_array(scratch, free_groups.n, sizeof(struct size_option *));
    if (!chosen)
        return err_nomem(f->e);
    rc = count_table_build(free_groups.menus, free_groups.n, slots, scratch, &t, f->e);
    for (int64_t s = free_groups.fewest; s <= slots && !rc; s++) {
        if (count_table_rank(&t, s) == UNKNOWN)
            continue;
        count_table_options(&t, s, chosen);
        rc = add_point(f, &free_groups, chosen, s, headroom_pct);
    }
    return rc;
}

static int by_price(const void *va, const void *vb)
{
    const struct plan_point *a = va, *b = vb;
    if (a->total_microusd != b->total_microusd)
        return a->total_microusd < b->total_microusd ? -1 : 1;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return (a->headroom_pct < b->headroom_pct) - (a->headroom_pct > b->headroom_pct);
}

/* In price order a point can only be beaten by one before it, or by an equal one. */
static size_t keep_front(struct plan_point *points, size_t n)
{
    size_t kept = 0;
    if (n)
        qsort(points, n, sizeof *points, by_price);
    for (size_t i = 0; i < n; i++) {
        bool beaten = false;
        for (size_t k = 0; k < kept && !beaten; k++)
            beaten = beats(&points[k], &points[i]);
        if (!beaten)
            points[kept++] = points[i];
    }
    return kept;
}

int plan_pareto_add(struct plan *p, struct arena *a, struct err *e)
{
    struct front f = { .p = p, .a = a, .e = e };
    int rc = 0;
    if (p->status != PLAN_BEST && p->status != PLAN_GOOD)
        return 0;
    sum_kept(&f);
    if (f.kept_microusd == UNKNOWN)
        return 0;
    for (int i = 0; i < STEPS && !rc; i++) {
        struct arena scratch = { 0 };
        rc = add_step(&f, i < STEPS - 1 ? ladder_pct[i] : p->headroom_pct, &scratch);
        arena_release(&scratch);
    }
    if (rc)
        return rc;
    p->n_pareto = keep_front(f.points, f.n);
    for (size_t i = 0; i < p->n_pareto; i++)
        if (isinf(f.points[i].headroom_pct))
            f.points[i].headroom_pct = NAN; /* nothing was measured */
    p->pareto = f.points;
    return 0;
}
