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

static struct plan_point *next_point(struct front *f)
{
    if (f->n == f->room) {
        size_t room = f->room ? 2 * f->room : 64;
        struct plan_point *grown = arena_grow(f->a, f->points, f->n, room, sizeof *grown);
        if (!grown)
            return NULL;
        f->points = grown;
        f->room = room;
    }
    return &f->points[f->n++];
}

/* The least of what is offered above the demand; of what carries it in replay only, the headroom of
 * the load that was replayed.  fmin leaves out what nobody asked for. */
static double headroom_of(const struct size_option *o, double replayed_pct)
{
    return o->by_replay ? replayed_pct : fmin(o->iops_headroom_pct, o->throughput_headroom_pct);
}

static int add_point(struct front *f, const struct free_groups *free_groups,
                     const struct count_table *t, int64_t volumes, double headroom_pct)
{
    const struct size_option **chosen =
        arena_array(f->a, free_groups->n + 1, sizeof(struct size_option *));
    struct size_option *options = arena_array(f->a, f->p->n_groups, sizeof *options);
    struct plan_point *point = next_point(f);
    if (!chosen || !options || !point)
        return err_nomem(f->e);
    count_table_options(t, volumes, chosen);
    *point = (struct plan_point){ .headroom_pct = INFINITY,
                                  .count = volumes + free_groups->kept,
                                  .total_microusd = f->kept_microusd,
                                  .rank_microusd = f->kept_rank_microusd,
                                  .options = options };
    for (size_t i = 0; i < free_groups->n; i++) {
        const struct size_option *o = chosen[i];
        options[free_groups->index[i]] = *o;
        point->headroom_pct = fmin(point->headroom_pct, headroom_of(o, headroom_pct));
        if (point->total_microusd == UNKNOWN)
            continue;
        point->total_microusd += o->total_microusd;
        point->rank_microusd += o->rank_microusd;
    }
    return 0;
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

/* Every number of volumes at one headroom. */
static int add_step(struct front *f, double headroom_pct)
{
    const struct plan *p = f->p;
    struct plan_options o = p->options_used;
    struct free_groups free_groups;
    struct count_table t;
    o.headroom_pct = headroom_pct;
    int rc = attachments_menus(p->demand, &o, f->a, &free_groups, f->e);
    if (rc || free_groups.fewest == UNKNOWN || !free_groups.n)
        return rc;
    int64_t left = attachable(p) - plan_root_volumes(p->demand->layout) - free_groups.kept;
    int64_t slots = left < free_groups.most ? left : free_groups.most;
    if (slots < free_groups.fewest)
        return 0;
    rc = count_table_build(free_groups.menus, free_groups.n, slots, f->a, &t, f->e);
    for (int64_t s = free_groups.fewest; s <= slots && !rc; s++)
        if (count_table_rank(&t, s) != UNKNOWN)
            rc = add_point(f, &free_groups, &t, s, headroom_pct);
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

static bool beats(const struct plan_point *a, const struct plan_point *b)
{
    return a->total_microusd <= b->total_microusd && a->count <= b->count &&
           a->headroom_pct >= b->headroom_pct * (1 - 1e-9);
}

/* In price order a point can only be beaten by one before it, or by an equal one. */
static size_t keep_front(struct plan_point *points, size_t n)
{
    size_t kept = 0;
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
    for (int i = 0; i < STEPS && !rc; i++)
        rc = add_step(&f, i < STEPS - 1 ? ladder_pct[i] : p->headroom_pct);
    if (rc)
        return rc;
    if (f.kept_microusd != UNKNOWN)
        p->n_pareto = keep_front(f.points, f.n);
    for (size_t i = 0; i < p->n_pareto; i++)
        if (isinf(f.points[i].headroom_pct))
            f.points[i].headroom_pct = NAN; /* nothing was measured */
    p->pareto = f.points;
    return 0;
}
