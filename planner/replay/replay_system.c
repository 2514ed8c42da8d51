/* planner/replay/replay_system.c - see replay_system.h. */
#include "planner/replay/replay_system.h"

#include "models/core/unit.h"
#include "planner/replay/replay_demand.h"

#include <math.h>

/* A replay under way: one engine a bound of the instance burst, fed the same blocks. */
struct run {
    const struct replay_question *q;
    struct replay_system_group *groups;
    size_t n_groups;
    struct replay_volumes *volumes;
    struct replay_demand *demand;
    struct replay *engines[2];
    size_t n_engines;
    /* When somebody asks for each interval. */
    struct replay_trace *traces; /* one a group, then the instance's */
    struct replay_moment *moments;
};

double replay_utilisation_pct(const struct replay_result *r)
{
    return fmax(r->throughput_utilisation_pct, r->iops_utilisation_pct);
}

bool replay_group_told(const struct replay_system_group *g)
{
    return g->known && g->minutes.replayed_s > g->minutes.unmeasured_s;
}

bool replay_system_throttled(const struct replay_system *s)
{
    bool throttled = s->minutes.throttled_s > 0;
    for (size_t g = 0; g < s->n_groups; g++)
        throttled |= s->groups[g].minutes.throttled_s > 0;
    return throttled;
}

static int open_demand(struct run *r, struct arena *a, struct err *e)
{
    const struct system_demand *d = r->q->demand;
    const struct load_points **points =
        arena_array(a, r->n_groups + 1, sizeof(struct load_points *));
    bool *counts_mib = arena_array(a, r->n_groups + 1, sizeof *counts_mib);
    if (!points || !counts_mib)
        return err_nomem(e);
    for (size_t g = 0; g < r->n_groups; g++) {
        const struct replay_volumes *v = &r->volumes[g];
        points[g] = &d->groups[g].points;
        counts_mib[g] = v->n > 0;
        for (size_t i = 0; i < v->n; i++)
            counts_mib[g] &= v->rows[i].spec.type == VOL_ST1 || v->rows[i].spec.type == VOL_SC1;
    }
    return replay_demand_open(points, counts_mib, r->n_groups, a, &r->demand, e);
}

/* The same eras with ceilings times factor, buckets too. */
static int loosen(const struct replay_era **eras, size_t n_eras, size_t n_groups, double factor,
                  struct arena *a, struct err *e)
{
    struct replay_era *loose = arena_array(a, n_eras, sizeof *loose);
    struct replay_group *groups = arena_array(a, n_eras * n_groups + 1, sizeof *groups);
    if (!loose || !groups)
        return err_nomem(e);
    for (size_t k = 0; k < n_eras; k++) {
        loose[k] = (*eras)[k];
        loose[k].groups = groups + k * n_groups;
        loose[k].instance.baseline_mibps *= factor;
        loose[k].instance.max_mibps *= factor;
        loose[k].instance.baseline_iops *= factor;
        loose[k].instance.max_iops *= factor;
        for (size_t g = 0; g < n_groups; g++) {
            struct replay_group *to = &groups[k * n_groups + g];
            *to = (*eras)[k].groups[g];
            to->max_throughput_mibps *= factor;
            to->max_iops *= factor;
            to->credits *= factor;
            to->earn_iops *= factor;
        }
    }
    *eras = loose;
    return 0;
}

static int open_engines(struct run *r, const struct replay_system *s, struct arena *a,
                        struct err *e)
{
    const struct replay_question *q = r->q;
    r->n_engines = s->bursts ? 2 : 1;
    for (size_t b = 0; b < r->n_engines; b++) {
        enum replay_burst bound = b ? REPLAY_BURST_CREDITS : REPLAY_BURST_MINUTES;
        const struct replay_era *eras;
        size_t n_eras;
        struct replay_instance i = s->type ? replay_instance_of(&s->caps, s->type->ebs_cards, bound)
                                           : replay_instance_unknown();
        int rc = replay_eras(q->catalogue, r->volumes, r->n_groups, s->type ? s->type->name : NULL,
                             &i, s->begin_ms, s->end_ms, a, &eras, &n_eras, e);
        if (!rc && q->slack > 0)
            rc = loosen(&eras, n_eras, r->n_groups, 1 + q->slack, a, e);
        if (!rc)
            rc = replay_open(r->n_groups, eras, n_eras, a, &r->engines[b], e);
        if (rc)
            return rc;
        for (size_t k = 0; k < n_eras; k++)
            for (size_t g = 0; g < r->n_groups; g++)
                r->groups[g].known |= !isnan(eras[k].groups[g].max_iops);
    }
    return 0;
}

static int open_traces(struct run *r, struct arena *a, struct err *e)
{
    r->traces = arena_array(a, r->n_groups + 1, sizeof *r->traces);
    r->moments = arena_array(a, r->n_groups + 1, sizeof *r->moments);
    if (!r->traces || !r->moments)
        return err_nomem(e);
    for (size_t g = 0; g <= r->n_groups; g++) {
        struct replay_trace *t = &r->traces[g];
        size_t n = REPLAY_DEMAND_BLOCK;
        *t = (struct replay_trace){ .served_mibps = arena_array(a, n, sizeof(double)),
                                    .backlog_mib = arena_array(a, n, sizeof(double)),
                                    .delay_ms = arena_array(a, n, sizeof(double)),
                                    .credits = arena_array(a, n, sizeof(double)),
                                    .binding = arena_array(a, n, 1) };
        if (!t->served_mibps || !t->backlog_mib || !t->delay_ms || !t->credits || !t->binding)
            return err_nomem(e);
    }
    return 0;
}

static struct replay_moment moment_of(const struct replay_trace *t, size_t i)
{
    return (struct replay_moment){ NAN,
                                   NAN,
                                   t->served_mibps[i],
                                   t->backlog_mib[i],
                                   t->delay_ms[i],
                                   t->credits[i],
                                   (enum replay_ceiling)t->binding[i] };
}

static void add_asked(double *sum, double v)
{
    if (!isnan(v))
        *sum = isnan(*sum) ? v : *sum + v;
}

static int tell(const struct run *r, const struct replay_block *b)
{
    int64_t begin_ms = replay_demand_begin_ms(r->demand);
    for (size_t i = 0; i < b->n; i++) {
        struct replay_interval v = { .begin_ms = begin_ms + llround(b->edge_s[i] * 1000),
                                     .end_ms = begin_ms + llround(b->edge_s[i + 1] * 1000),
                                     .groups = r->moments,
                                     .instance = moment_of(&r->traces[r->n_groups], i) };
        for (size_t g = 0; g < r->n_groups; g++) {
            struct replay_moment *m = &r->moments[g];
            *m = moment_of(&r->traces[g], i);
            m->asked_mibps = b->total_mibps[g][i];
            m->asked_iops = b->counted_iops[g][i];
            add_asked(&v.instance.asked_mibps, m->asked_mibps);
            add_asked(&v.instance.asked_iops, m->asked_iops);
        }
        int rc = r->q->each(r->q->context, &v);
        if (rc)
            return rc;
    }
    return 0;
}

static int run(struct run *r)
{
    struct replay_block b;
    while (replay_demand_next(r->demand, &b)) {
        if (r->n_engines == 2)
            replay_feed(r->engines[1], &b);
        if (r->traces) {
            b.group_traces = r->traces;
            b.instance_trace = &r->traces[r->n_groups];
        }
        replay_feed(r->engines[0], &b);
        int rc = r->traces ? tell(r, &b) : 0;
        if (rc)
            return rc;
    }
    return 0;
}

static void collect(const struct run *r, struct replay_system *s)
{
    const struct replay *minutes = r->engines[0], *credits = r->engines[r->n_engines - 1];
    for (size_t g = 0; g < r->n_groups; g++) {
        replay_group_result(minutes, g, &r->groups[g].minutes);
        replay_group_result(credits, g, &r->groups[g].credits);
    }
    replay_instance_result(minutes, &s->minutes);
    replay_instance_result(credits, &s->credits);
}

static int take_instance(const struct replay_question *q, struct replay_system *s, struct err *e)
{
    s->type = q->instance;
    s->caps = (struct instance_caps){ NAN, NAN, NAN, NAN, UNKNOWN };
    if (!q->instance)
        return 0;
    int rc = instance_caps(q->catalogue, q->instance, q->weighting,
                           q->demand->layout->network_interfaces, &s->caps, e);
    s->bursts =
        s->caps.max_mb_s > s->caps.baseline_mb_s || s->caps.max_iops > s->caps.baseline_iops;
    return rc;
}

int replay_system(const struct replay_question *q, struct arena *a, struct replay_system *out,
                  struct err *e)
{
    struct run r = { .q = q, .n_groups = q->demand->n_groups };
    struct replay_system s = { .demand = q->demand, .n_groups = r.n_groups };
    int rc = take_instance(q, &s, e);
    if (rc)
        return rc;
    r.groups = arena_array(a, r.n_groups + 1, sizeof *r.groups);
    r.volumes = arena_array(a, r.n_groups + 1, sizeof *r.volumes);
    if (!r.groups || !r.volumes)
        return err_nomem(e);
    for (size_t g = 0; g < r.n_groups; g++) {
        const struct layout_group *of = q->demand->groups[g].group;
        r.volumes[g] = q->volumes ? q->volumes[g] : replay_volumes_of(of);
        r.groups[g].group = of;
        r.groups[g].volumes = r.volumes[g];
    }
    rc = open_demand(&r, a, e);
    if (rc)
        return rc;
    s.begin_ms = replay_demand_begin_ms(r.demand);
    s.end_ms = replay_demand_end_ms(r.demand);
    rc = open_engines(&r, &s, a, e);
    if (!rc && q->each)
        rc = open_traces(&r, a, e);
    if (!rc)
        rc = run(&r);
    if (rc)
        return rc;
    collect(&r, &s);
    s.groups = r.groups;
    *out = s;
    return 0;
}
