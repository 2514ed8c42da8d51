/* planner/series/charts.c - see charts.h. */
#include "planner/series/charts.h"

#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>

/* --- what is replayed --------------------------------------------------------------------------
 */

static int todays_volumes(const struct charts_question *q, struct arena *a,
                          struct replay_volumes **out, struct err *e)
{
    const struct system_demand *d = q->demand;
    struct replay_volumes *v = arena_array(a, d->n_groups + 1, sizeof *v);
    if (!v)
        return err_nomem(e);
    for (size_t g = 0; g < d->n_groups; g++)
        v[g] = replay_volumes_of(d->groups[g].group);
    *out = v;
    return 0;
}

static int planned_volumes(const struct charts_question *q, struct arena *a,
                           struct replay_volumes **out, struct err *e)
{
    const struct plan *p = q->plan;
    struct replay_volumes *v = arena_array(a, p->n_groups + 1, sizeof *v);
    struct layout_volumes *rows = arena_array(a, p->n_groups + 1, sizeof *rows);
    if (!v || !rows)
        return err_nomem(e);
    for (size_t g = 0; g < p->n_groups; g++) {
        const struct plan_group *of = &p->groups[g];
        v[g] = replay_volumes_of(of->group);
        v[g].rules_ms = p->as_of_ms;
        if (of->kept)
            continue;
        rows[g] = (struct layout_volumes){ of->chosen.spec, UNKNOWN };
        v[g].rows = &rows[g];
        v[g].n = of->chosen.spec.count > 0;
    }
    *out = v;
    return 0;
}

/* "2 x io2 250 GiB 1 200 IOPS", or how many there are where they differ. */
static const char *spec_words(const struct replay_volumes *v, struct arena *a)
{
    char buf[96];
    int64_t count = 0;
    for (size_t i = 0; i < v->n; i++)
        count += v->rows[i].spec.count;
    if (v->n == 1)
        return arena_strdup(a, volume_spec_format(buf, &v->rows[0].spec));
    return arena_printf(a, "%lld volumes", (long long)count);
}

/* --- one side: today's, or the plan's ----------------------------------------------------------
 */

struct side {
    enum chart_whose whose;
    const struct replay_volumes *volumes;
    const struct instance_type *instance;
    enum weighting weighting;
    const struct replay_era *eras;
    size_t n_eras;
    struct instance_caps caps;
};

static int eras_of(const struct charts_question *q, const struct charts *c, struct side *s,
                   struct arena *a, struct err *e)
{
    const struct replay_instance none = replay_instance_unknown();
    const char *type = s->instance ? s->instance->name : NULL;
    int rc = 0;
    if (s->instance)
        rc = instance_caps(q->catalogue, s->instance, s->weighting,
                           q->demand->layout->network_interfaces, &s->caps, e);
    return rc ? rc
              : replay_eras(q->catalogue, s->volumes, q->demand->n_groups, type, &none, c->from_ms,
                            c->to_ms, a, &s->eras, &s->n_eras, e);
}

static int add_ceilings(const struct charts *c, const struct side *s, struct arena *a,
                        struct err *e)
{
    struct chart_span span = { .whose = s->whose, .from_ms = c->from_ms, .to_ms = c->to_ms };
    int rc = 0;
    for (size_t g = 0; g + 1 < c->n && !rc; g++) {
        span.spec = spec_words(&s->volumes[g], a);
        rc = !span.spec
                 ? err_nomem(e)
                 : chart_ceilings_add_group(&c->at[g].ceilings, &span, s->eras, s->n_eras, g, a, e);
    }
    if (rc || !s->instance)
        return rc;
    span.spec = s->instance->name;
    return chart_ceilings_add_instance(&c->at[c->n - 1].ceilings, &span, &s->caps, a, e);
}

static int add_side(const struct charts_question *q, const struct charts *c,
                    struct chart_marks *marks, struct side *s, struct arena *a, struct err *e)
{
    struct replay_question replayed = { .demand = q->demand,
                                        .catalogue = q->catalogue,
                                        .volumes = s->volumes,
                                        .instance = s->instance,
                                        .weighting = s->weighting };
    bool today = s->whose == CHART_TODAY;
    int rc = eras_of(q, c, s, a, e);
    if (!rc)
        rc = add_ceilings(c, s, a, e);
    if (!rc)
        rc = chart_marks_replay(&replayed, today ? ENVELOPE_THROTTLED : ENVELOPE_PLAN_THROTTLED,
                                today, marks, &marks[c->n - 1], a, e);
    return rc;
}

static int add_sides(const struct charts_question *q, const struct charts *c,
                     struct chart_marks *marks, struct arena *a, struct err *e)
{
    struct replay_volumes *today = NULL, *planned = NULL;
    int rc = todays_volumes(q, a, &today, e);
    if (!rc)
        rc = planned_volumes(q, a, &planned, e);
    struct side sides[] = {
        { .whose = CHART_TODAY, .volumes = today, .instance = q->today },
        { .whose = CHART_PLAN,
          .volumes = planned,
          .instance = q->plan->instance.type,
          .weighting = q->plan->instance.weighting },
    };
    for (size_t i = 0; i < sizeof sides / sizeof *sides && !rc; i++)
        rc = add_side(q, c, marks, &sides[i], a, e);
    return rc;
}

/* --- all of it ---------------------------------------------------------------------------------
 */

static void take_extent(struct charts *c, const struct load_points *p)
{
    if (!p->n)
        return;
    int64_t begin = p->at[0].begin_ms, end = p->at[p->n - 1].end_ms;
    c->from_ms = c->from_ms == UNKNOWN || begin < c->from_ms ? begin : c->from_ms;
    c->to_ms = c->to_ms == UNKNOWN || end > c->to_ms ? end : c->to_ms;
}

int charts_build(const struct charts_question *q, struct arena *a, struct charts *out,
                 struct err *e)
{
    const struct system_demand *d = q->demand;
    struct charts c = { .n = d->n_groups + 1, .from_ms = UNKNOWN, .to_ms = UNKNOWN };
    struct chart_marks *marks = arena_array(a, c.n, sizeof *marks);
    c.at = arena_array(a, c.n, sizeof *c.at);
    if (!marks || !c.at)
        return err_nomem(e);
    int rc = 0;
    for (size_t g = 0; g < d->n_groups && !rc; g++) {
        const struct group_demand *of = &d->groups[g];
        c.at[g] = (struct chart){ .name = of->group->name, .group = of->group };
        c.at[g].ceilings.counts_mib = of->ceiling.hdd;
        take_extent(&c, &of->points);
        rc = chart_marks_init(&marks[g], &of->points, a, e);
    }
    c.at[d->n_groups].name = d->layout->system;
    if (!rc)
        rc = chart_marks_init(&marks[d->n_groups], &d->points, a, e);
    if (!rc && c.from_ms != UNKNOWN)
        rc = add_sides(q, &c, marks, a, e);
    for (size_t i = 0; i < c.n && !rc; i++) {
        chart_marks_censored(&marks[i], i == d->n_groups);
        c.at[i].marks = marks[i];
        c.at[i].ceiling_s = chart_marks_ceiling_s(&marks[i], i == d->n_groups);
    }
    if (!rc)
        *out = c;
    return rc;
}

int charts_cut(const struct charts *c, int64_t from_ms, int64_t to_ms, size_t n_wanted,
               struct arena *a, struct envelope *out, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < c->n && !rc; i++) {
        const struct chart *of = &c->at[i];
        struct envelope_source s = { of->marks.points, of->marks.marks, of->marks.binding,
                                     of->ceilings.counts_mib };
        rc = envelope_build(&s, from_ms, to_ms, n_wanted, a, &out[i], e);
    }
    return rc;
}

int64_t charts_interval_ms(const struct charts *c)
{
    const struct load_points *p = c->at[c->n - 1].marks.points;
    int64_t covered_ms = 0;
    for (size_t i = 0; i < p->n; i++)
        covered_ms += p->at[i].end_ms - p->at[i].begin_ms;
    int64_t mean_ms = p->n ? covered_ms / (int64_t)p->n : 0;
    return mean_ms > 0 ? mean_ms : 60000;
}

/* --- what to look at closely -------------------------------------------------------------------
 */

/* The middle of the highest interval that no stretch holds; UNKNOWN. */
static int64_t highest_apart(const struct load_points *p, const struct chart_stretch *taken,
                             size_t n)
{
    const struct load_point *best = NULL;
    double most = -INFINITY;
    for (size_t i = 0; i < p->n; i++) {
        const struct load_point *at = &p->at[i];
        double total = point_total_mibps(at);
        bool apart = !(at->flags & POINT_ARTEFACT) && total > most;
        for (size_t k = 0; k < n && apart; k++)
            apart = at->end_ms <= taken[k].from_ms || at->begin_ms >= taken[k].to_ms;
        if (!apart)
            continue;
        best = at;
        most = total;
    }
    return best ? best->begin_ms + (best->end_ms - best->begin_ms) / 2 : UNKNOWN;
}

static int by_time(const void *a, const void *b)
{
    const struct chart_stretch *x = a, *y = b;
    return (x->from_ms > y->from_ms) - (x->from_ms < y->from_ms);
}

size_t charts_stretches(const struct charts *c, int64_t length_ms, struct chart_stretch *out,
                        size_t room)
{
    size_t n = 0;
    bool any = true;
    while (any && n < room) {
        any = false;
        for (size_t i = c->n; i-- > 0 && n < room;) { /* the host's first */
            int64_t at_ms = highest_apart(c->at[i].marks.points, out, n);
            if (at_ms == UNKNOWN)
                continue;
            out[n++] = (struct chart_stretch){ at_ms - length_ms / 2, at_ms + length_ms / 2 };
            any = true;
        }
    }
    if (n)
        qsort(out, n, sizeof *out, by_time);
    return n;
}
