/* planner/solve/phase_solve.c - see phase_solve.h.
 *
 * A (type, count) of a phase needs a least spec; on volumes that are larger already it is the same
 * with their size, since no rule bounds a field from above by the size.  What matters of the phases
 * before is the size of a volume and what was paid, so for each phase the ways to it that none
 * beats in both (at one price fewer volumes are better) are kept, least size last:
 *
 *     ways(p) = best of { w + option of p at size max(its own, w.size) : w in ways(p - 1) }
 *
 * Sizes are those that some phase asks for, so there are few. */
#include "planner/solve/phase_solve.h"

#include "models/core/money.h"
#include "models/core/unit.h"
#include "models/ebs/vol_price.h"
#include "planner/solve/plan_group.h"

#include <stdlib.h>

struct way {
    struct volume_spec spec;
    money cost;    /* micro-dollars a month times ms */
    money volumes; /* times ms */
    size_t steps;  /* phases that began with another spec */
    size_t from;   /* of the ways of the phase before */
};

struct ways {
    struct way *at;
    size_t n;
};

struct step {
    const struct phase_need *need;
    struct size_need size;
    struct size_options options;
    struct arena *scratch;
    struct err *e;
};

static bool same_spec(const struct volume_spec *a, const struct volume_spec *b)
{
    return a->count == b->count && volume_spec_alike(a, b);
}

static int begin_step(struct step *s, const struct phase_need *need, struct arena *scratch,
                      struct err *e)
{
    *s = (struct step){ .need = need, .scratch = scratch, .e = e };
    plan_group_options(need->group->demand, need->options, &s->options);
    if (need->max_count != UNKNOWN && need->max_count < s->options.max_count)
        s->options.max_count = need->max_count;
    if (need->min_count != UNKNOWN && need->min_count > s->options.min_count)
        s->options.min_count = need->min_count;
    return plan_group_need(need->group->demand, &s->size, e);
}

/* The option of one (type, count) whose volumes have at least floor_gib. */
static int solve_at(const struct step *s, const struct volume_spec *v, int64_t floor_gib,
                    struct arena *a, struct size_result *out)
{
    struct size_need need = s->size;
    struct size_options o = s->options;
    if (need.size_gib < floor_gib * v->count)
        need.size_gib = floor_gib * v->count;
    o.types = 1u << v->type;
    o.min_count = o.max_count = v->count;
    return size_solve(&need, &o, a, out, s->e);
}

/* With larger volumes gp3 may have more IOPS for no more GiB, which replay may let it use. */
static bool depends_on_size(const struct step *s, const struct size_option *o)
{
    int64_t share = (s->size.size_gib + o->spec.count - 1) / o->spec.count;
    return o->by_replay && o->spec.throughput_mibps != UNKNOWN && o->spec.size_gib > share;
}

/* *out_rank UNKNOWN where such volumes cannot be. */
static int raise(const struct step *s, const struct size_option *o, int64_t floor_gib,
                 struct volume_spec *out, int64_t *out_rank)
{
    struct vol_price p;
    struct size_result r;
    int64_t as_of_ms;
    *out = o->spec;
    *out_rank = o->rank_microusd;
    if (floor_gib <= o->spec.size_gib)
        return 0;
    *out_rank = UNKNOWN;
    if (floor_gib > o->rule->max_gib)
        return 0;
    if (depends_on_size(s, o)) {
        int rc = solve_at(s, &o->spec, floor_gib, s->scratch, &r);
        if (rc || !r.n_options)
            return rc;
        *out = r.options[0].spec;
        *out_rank = r.options[0].rank_microusd;
        return 0;
    }
    out->size_gib = floor_gib;
    int rc = vol_price(s->options.catalogue, s->options.region, s->options.as_of_ms, out, 0, &p,
                       &as_of_ms, s->e);
    if (!rc)
        *out_rank = p.total_microusd + s->options.per_volume_microusd * (out->count - 1);
    return rc;
}

/* Cheapest first, then fewest volumes, fewest steps, smallest. */
static int by_cost(const void *va, const void *vb)
{
    const struct way *a = va, *b = vb;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    if (a->volumes != b->volumes)
        return a->volumes < b->volumes ? -1 : 1;
    if (a->steps != b->steps)
        return a->steps < b->steps ? -1 : 1;
    return (a->spec.size_gib > b->spec.size_gib) - (a->spec.size_gib < b->spec.size_gib);
}

/* Keeps those that are smaller than every cheaper one. */
static void prune(struct ways *w)
{
    size_t kept = 0;
    qsort(w->at, w->n, sizeof *w->at, by_cost);
    for (size_t i = 0; i < w->n; i++)
        if (!kept || w->at[i].spec.size_gib < w->at[kept - 1].spec.size_gib)
            w->at[kept++] = w->at[i];
    w->n = kept;
}

/* before NULL: the volumes are new. */
static int extend(const struct step *s, const struct ways *before, struct ways *out)
{
    struct size_options all = s->options;
    struct size_result r;
    size_t n_before = before ? before->n : 1;
    all.top = SIZE_MAX;
    int rc = size_solve(&s->size, &all, s->scratch, &r, s->e);
    if (rc)
        return rc;
    out->n = 0;
    out->at = arena_array(s->scratch, n_before * r.n_options + 1, sizeof *out->at);
    if (!out->at)
        return err_nomem(s->e);
    for (size_t b = 0; b < n_before; b++)
        for (size_t i = 0; i < r.n_options; i++) {
            const struct way *from = before ? &before->at[b] : NULL;
            struct way *w = &out->at[out->n];
            int64_t rank;
            rc = raise(s, &r.options[i], from ? from->spec.size_gib : 0, &w->spec, &rank);
            if (rc)
                return rc;
            if (rank == UNKNOWN)
                continue;
            w->cost = (from ? from->cost : 0) + (money)rank * s->need->length_ms;
            w->volumes = (from ? from->volumes : 0) + (money)w->spec.count * s->need->length_ms;
            w->steps = from ? from->steps + !same_spec(&from->spec, &w->spec) : 0;
            w->from = b;
            out->n++;
        }
    prune(out);
    return 0;
}

static bool is_planned(const struct phase_need *n)
{
    return n->group && !n->group->kept;
}

static void note_change(const struct phase_choice *before, struct phase_choice *c)
{
    const struct volume_spec *v = &c->option.spec;
    int64_t had = before ? before->option.spec.count : 0;
    c->added = v->count > had ? v->count - had : 0;
    c->removed = had > v->count ? had - v->count : 0;
    if (!had)
        return;
    struct volume_spec as_many = before->option.spec;
    as_many.count = v->count;
    c->modified = same_spec(&as_many, v) ? 0 : v->count - c->added;
}

/* Walks back from the cheapest way of the last of n phases. */
static int choose(const struct phase_need *needs, const struct ways *ways, size_t n,
                  struct arena *scratch, struct arena *a, struct phase_choice *out, struct err *e)
{
    size_t at = 0;
    for (size_t i = n; i-- > 0; at = ways[i].at[at].from)
        out[i].option.spec = ways[i].at[at].spec;
    for (size_t i = 0; i < n; i++) {
        struct step s;
        struct volume_spec v = out[i].option.spec;
        int rc = begin_step(&s, &needs[i], scratch, e);
        if (!rc)
            rc = solve_at(&s, &v, v.size_gib, a, &out[i].size);
        if (rc)
            return rc;
        if (out[i].size.n_options)
            out[i].option = out[i].size.options[0];
        note_change(i ? &out[i - 1] : NULL, &out[i]);
    }
    return 0;
}

/* Phases of which each has volumes that can be what those of the one before become; *out_n of
 * them, 0 when nothing carries the first. */
static int solve_run(const struct phase_need *needs, size_t n, struct arena *scratch,
                     struct arena *a, struct phase_choice *out, size_t *out_n, struct err *e)
{
    struct ways *ways = arena_array(scratch, n, sizeof *ways);
    size_t done = 0;
    if (!ways)
        return err_nomem(e);
    for (; done < n && is_planned(&needs[done]); done++) {
        struct step s;
        int rc = begin_step(&s, &needs[done], scratch, e);
        if (!rc)
            rc = extend(&s, done ? &ways[done - 1] : NULL, &ways[done]);
        if (rc)
            return rc;
        if (!ways[done].n)
            break;
    }
    *out_n = done;
    return choose(needs, ways, done, scratch, a, out, e);
}

int phase_solve(const struct phase_need *needs, size_t n, struct arena *a, struct phase_choice *out,
                struct err *e)
{
    struct arena scratch = { 0 };
    int rc = 0;
    for (size_t i = 0; i < n; i++)
        out[i] = (struct phase_choice){ .option = { .spec.count = 0 } };
    for (size_t i = 0; i < n && !rc;) {
        size_t done = 0;
        if (needs[i].group && needs[i].group->kept) {
            out[i].kept = true;
            out[i].option = needs[i].group->chosen;
        } else if (needs[i].group) {
            rc = solve_run(&needs[i], n - i, &scratch, a, &out[i], &done, e);
        }
        i += done ? done : 1;
    }
    arena_release(&scratch);
    return rc;
}
