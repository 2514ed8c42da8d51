/* planner/solve/size_replay.c - see size_replay.h.
 *
 * Bisection over one field between what floor and size ask for, and what the whole need asks for
 * (or, where that cannot be had, the largest there is).
 *
 * gp3.  More of one field than the whole need asks for may be worth less of the other: what waited
 * for IOPS is then passed the faster in MiB/s.  So both go up to the most that there is.  For each
 * throughput t there is a least IOPS i(t), found by bisection, and i never rises
 * with t.  Between t = a, which is done, and t = b every spec has at least a + 1 MiB/s and i(b)
 * IOPS, so costs at least what these two would: where that is no less than the best so far nothing
 * in between is looked at; else the middle is, and both halves.
 *
 * What a group without a bucket lets wait depends on its two ceilings alone, so an answer for one
 * holds for every count and type whose ceilings are no smaller, or no larger. */
#include "planner/solve/size_replay.h"

#include "models/core/unit.h"
#include "models/ebs/vol_price.h"

#include <math.h>

/* TUNING: a staircase of 16 counts is found with fewer. */
enum { TRIED_MAX = 1024 };

struct size_tried {
    double max_iops, max_mibps;
    bool carries;
};

void size_trials_init(struct size_trials *t, const struct size_options *o)
{
    *t = (struct size_trials){ .o = o };
}

void size_trials_release(struct size_trials *t)
{
    arena_release(&t->scratch);
    t->trial = NULL;
    t->tried = NULL;
}

static bool has_bucket(const struct vol_rule *r)
{
    return r->io_credits != UNKNOWN || !isnan(r->base_mibps_per_tib);
}

bool size_trials_judge(const struct size_options *o, const struct vol_rule *r)
{
    return o->load.points && (o->load.tolerant || has_bucket(r));
}

/* --- the load ----------------------------------------------------------------------------------
 */

/* The load without what lies above the caps: reads and writes shrink alike. */
static int cut_points(const struct size_load *l, struct arena *a, struct load_points *out,
                      struct err *e)
{
    out->n = l->points->n;
    out->at = arena_array(a, out->n + 1, sizeof *out->at);
    if (!out->at)
        return err_nomem(e);
    for (size_t i = 0; i < out->n; i++) {
        struct load_point p = l->points->at[i];
        double mibps = point_total_mibps(&p), keep = 1;
        if (mibps > l->cap_mibps)
            keep = l->cap_mibps / mibps;
        if (p.counted_iops * keep > l->cap_iops)
            keep = l->cap_iops / p.counted_iops;
        p.read_iops *= keep;
        p.write_iops *= keep;
        p.unsplit_iops *= keep;
        p.read_mibps *= keep;
        p.write_mibps *= keep;
        p.unsplit_mibps *= keep;
        p.counted_iops *= keep;
        out->at[i] = p;
    }
    return 0;
}

static int open_trial(struct size_trials *t, struct err *e)
{
    const struct size_load *l = &t->o->load;
    struct load_points cut;
    const struct load_points *points = l->points;
    if (t->trial)
        return 0;
    t->tried = arena_array(&t->scratch, TRIED_MAX, sizeof *t->tried);
    if (!t->tried)
        return err_nomem(e);
    if (isfinite(l->cap_mibps) || isfinite(l->cap_iops)) {
        int rc = cut_points(l, &t->scratch, &cut, e);
        if (rc)
            return rc;
        points = &cut;
    }
    return replay_trial_open(points, l->factor, &t->scratch, &t->trial, e);
}

/* 1 or 0 where an earlier answer tells, else -1. */
static int known_answer(const struct size_trials *t, const struct replay_group *g)
{
    for (size_t i = 0; i < t->n_tried; i++) {
        const struct size_tried *k = &t->tried[i];
        if (k->carries ? k->max_iops <= g->max_iops && k->max_mibps <= g->max_throughput_mibps
                       : k->max_iops >= g->max_iops && k->max_mibps >= g->max_throughput_mibps)
            return k->carries;
    }
    return -1;
}

static bool carries(struct size_trials *t, const struct volume_spec *v)
{
    const struct size_options *o = t->o;
    struct layout_volumes row = { *v, UNKNOWN };
    struct replay_limits limits = { o->load.max_throttled_s, o->load.max_delay_ms };
    struct replay_group g;
    if (!replay_group_at(o->catalogue, &row, 1, 1, o->instance_type, o->as_of_ms, &g))
        return false;
    bool plain = isnan(g.credits) && g.requests_per_mib == 4;
    int known = plain ? known_answer(t, &g) : -1;
    if (known >= 0)
        return known;
    bool ok = replay_trial_run(t->trial, &g, &limits, NULL);
    t->n_runs++;
    if (plain && t->n_tried < TRIED_MAX)
        t->tried[t->n_tried++] = (struct size_tried){ g.max_iops, g.max_throughput_mibps, ok };
    return ok;
}

/* --- one field ---------------------------------------------------------------------------------
 */

/* What is asked of each volume; its spec is the least that has it. */
enum field { FIELD_IOPS, FIELD_MIBPS, FIELD_STEPS /* of size */, FIELDS };

struct level {
    int64_t at[FIELDS];
};

/* One (type, count) under way. */
struct candidate {
    struct size_trials *t;
    const struct vol_rule *rule;
    int64_t count, step_gib;
    bool xen;
};

static struct volume_spec spec_of(const struct candidate *c, const struct level *l)
{
    double n = (double)c->count;
    struct group_need need = { .iops = (double)l->at[FIELD_IOPS] * n,
                               .throughput_mibps = (double)l->at[FIELD_MIBPS] * n,
                               .gib = l->at[FIELD_STEPS] * c->step_gib * c->count,
                               .step_gib = c->step_gib };
    struct volume_spec v;
    cheapest_spec(c->rule, c->count, &need, c->xen, &v);
    return v;
}

static bool level_carries(const struct candidate *c, const struct level *l)
{
    struct volume_spec v = spec_of(c, l);
    return carries(c->t, &v);
}

/* The least value of a field from low to high that carries; high is taken to. */
static int64_t least(const struct candidate *c, struct level l, enum field f, int64_t low,
                     int64_t high)
{
    while (low < high) {
        l.at[f] = low + (high - low) / 2;
        if (level_carries(c, &l))
            high = l.at[f];
        else
            low = l.at[f] + 1;
    }
    return high;
}

/* --- two fields --------------------------------------------------------------------------------
 */

/* The falling line of gp3. */
struct line {
    const struct candidate *c;
    struct level low; /* what is asked for anyway */
    struct level best;
    int64_t best_microusd;
    struct err *e;
};

static struct level level_at(const struct line *l, int64_t mibps, int64_t iops)
{
    struct level v = l->low;
    v.at[FIELD_MIBPS] = mibps;
    v.at[FIELD_IOPS] = iops;
    return v;
}

static int price_at(const struct line *l, const struct level *at, int64_t *out_microusd)
{
    const struct size_options *o = l->c->t->o;
    struct volume_spec v = spec_of(l->c, at);
    struct vol_price p;
    int64_t as_of_ms;
    int rc = vol_price(o->catalogue, o->region, o->as_of_ms, &v, 0, &p, &as_of_ms, l->e);
    if (!rc)
        *out_microusd = p.total_microusd;
    return rc;
}

/* The least IOPS at this throughput, none being high + 1, and its price against the best. */
static int line_point(struct line *l, int64_t mibps, int64_t low, int64_t high, int64_t most,
                      int64_t *out_iops)
{
    struct level v = level_at(l, mibps, low);
    int64_t microusd;
    v.at[FIELD_IOPS] = *out_iops = least(l->c, v, FIELD_IOPS, low, high);
    if (*out_iops > most)
        return 0;
    int rc = price_at(l, &v, &microusd);
    if (!rc && microusd < l->best_microusd) {
        l->best_microusd = microusd;
        l->best = v;
    }
    return rc;
}

/* Between two points of the line; its depth is that of halving the range of throughput. */
static int line_between(struct line *l, int64_t from, int64_t from_iops, int64_t to,
                        int64_t to_iops, int64_t most)
{
    struct level at_least = level_at(l, from + 1, to_iops);
    int64_t microusd, middle = from + (to - from) / 2, iops;
    if (to - from < 2 || from_iops == to_iops)
        return 0;
    int rc = price_at(l, &at_least, &microusd);
    if (rc || microusd >= l->best_microusd)
        return rc;
    rc = line_point(l, middle, to_iops, from_iops, most, &iops);
    if (!rc)
        rc = line_between(l, from, from_iops, middle, iops, most);
    if (!rc)
        rc = line_between(l, middle, iops, to, to_iops, most);
    return rc;
}

/* known: a level that carries; NULL where only high does. */
static int cheapest_on_line(const struct candidate *c, const struct level *low,
                            const struct level *high, const struct level *known, struct level *out,
                            struct err *e)
{
    struct line l = { c, *low, *high, INT64_MAX, e };
    int64_t from = low->at[FIELD_MIBPS], to = high->at[FIELD_MIBPS];
    int64_t most = high->at[FIELD_IOPS], from_iops = most, to_iops = most;
    if (known)
        l.best = *known;
    int rc = known ? price_at(&l, known, &l.best_microusd) : 0;
    if (!rc)
        rc = line_point(&l, to, low->at[FIELD_IOPS], most, most, &to_iops);
    if (!rc && from < to)
        rc = line_point(&l, from, to_iops, most + 1, most, &from_iops);
    if (!rc)
        rc = line_between(&l, from, from_iops, to, to_iops, most);
    if (!rc)
        *out = l.best;
    return rc;
}

/* --- all of it ---------------------------------------------------------------------------------
 */

static struct level level_of(const struct candidate *c, const struct volume_spec *v)
{
    return (struct level){ { v->iops == UNKNOWN ? 0 : v->iops,
                             v->throughput_mibps == UNKNOWN ? 0 : v->throughput_mibps,
                             v->size_gib / c->step_gib } };
}

/* The most that its type can be, where the whole need cannot be had. */
static struct level most_of(const struct candidate *c, const struct volume_spec *low)
{
    const struct vol_rule *r = c->rule;
    struct level most = level_of(c, low);
    if (low->iops != UNKNOWN)
        most.at[FIELD_IOPS] = r->max_iops;
    if (low->throughput_mibps != UNKNOWN)
        most.at[FIELD_MIBPS] = r->max_mibps;
    if (low->iops == UNKNOWN)
        most.at[FIELD_STEPS] = r->max_gib / c->step_gib;
    return most;
}

int cheapest_by_replay(struct size_trials *t, const struct vol_rule *r, int64_t count,
                       const struct group_need *need, double floor_iops, bool xen,
                       struct volume_spec *out, enum ceiling *out_missed, struct err *e)
{
    struct candidate c = { t, r, count, need->step_gib > 1 ? need->step_gib : 1, xen };
    struct group_need least_need = { floor_iops > 0 ? floor_iops : 0, 0, need->gib,
                                     need->step_gib };
    struct volume_spec low_spec, high_spec;
    enum ceiling missed = cheapest_spec(r, count, need, xen, &high_spec);
    int rc = open_trial(t, e);
    if (rc)
        return rc;
    *out = high_spec;
    *out_missed = missed;
    enum ceiling floor_missed = cheapest_spec(r, count, &least_need, xen, &low_spec);
    if (floor_missed) {
        *out = low_spec;
        *out_missed = floor_missed;
        return 0;
    }
    struct level low = level_of(&c, &low_spec);
    struct level most = most_of(&c, &low_spec), whole = level_of(&c, &high_spec);
    struct level high = missed ? most : whole, best = high;
    if (missed && !level_carries(&c, &high))
        return 0;
    if (low_spec.throughput_mibps != UNKNOWN) {
        rc = cheapest_on_line(&c, &low, &most, missed ? NULL : &whole, &best, e);
    } else {
        enum field f = low_spec.iops != UNKNOWN ? FIELD_IOPS : FIELD_STEPS;
        struct level l = low;
        l.at[f] = least(&c, l, f, low.at[f], high.at[f]);
        best = l;
    }
    if (rc)
        return rc;
    *out = spec_of(&c, &best);
    *out_missed = CEILING_NONE;
    return 0;
}
