/* tests/planner/plan_world.h - small systems of one sample a group, and plans of them. */
#ifndef TESTS_PLANNER_PLAN_WORLD_H
#define TESTS_PLANNER_PLAN_WORLD_H

#include "planner/check/plan_check.h"
#include "planner/solve/plan.h"
#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { GROUPS_MAX = 6 };

struct world {
    struct synthetic_series room[GROUPS_MAX];
    struct load_series series[GROUPS_MAX];
    struct layout_group groups[GROUPS_MAX];
    size_t n;
    const char *instance_type;
    struct arena a;
    struct system_load load;
    struct layout layout;
    struct system_demand demand;
};

static const char *const world_devices[GROUPS_MAX][1] = { { "nvme1n1" }, { "nvme2n1" },
                                                          { "nvme3n1" }, { "nvme4n1" },
                                                          { "nvme5n1" }, { "nvme6n1" } };
static const struct layout_volumes one_io2_5000[] = { { { VOL_IO2, 1, 500, 5000, UNKNOWN },
                                                        UNKNOWN } };

/* reads_per_s 0 = nothing was measured. */
static inline struct layout_group *add(struct world *w, const char *name, enum group_role role,
                                       double reads_per_s, double mibps, int64_t need_gib)
{
    struct layout_group *g = &w->groups[w->n];
    *g = group_named(name, role);
    g->devices = world_devices[w->n];
    g->n_devices = 1;
    g->need_gib = need_gib;
    w->series[w->n] = series_in(&w->room[w->n], SERIES_DEVICE, world_devices[w->n][0]);
    if (reads_per_s > 0)
        sample(&w->series[w->n], &w->room[w->n], 0, 60, reads_per_s, 0, mibps, 0);
    w->n++;
    return g;
}

/* The redo group of the incident: 500 MiB/s, 417 requests/s, one io2 of 5 000 IOPS. */
static inline struct layout_group *add_redo(struct world *w)
{
    struct layout_group *g = add(w, "REDO1", ROLE_REDO, 417, 500, 500);
    g->volumes = one_io2_5000;
    g->n_volumes = 1;
    g->policy.types = 1u << VOL_IO2;
    return g;
}

/* Today is 2026-06-01; the defaults of the command. */
static inline struct plan_options world_options(const char *as_of)
{
    struct plan_options o;
    plan_options_init(&o, &builtin_catalogue, day_ms("2026-06-01"));
    o.as_of_ms = day_ms(as_of);
    return o;
}

static inline struct instance_type type_named(const char *name)
{
    return *instance_find(&builtin_catalogue, span_of(name));
}

/* These types and no others. */
static inline struct catalogue catalogue_of(const struct instance_type *types, size_t n)
{
    struct catalogue c = builtin_catalogue;
    c.instances = types;
    c.n_instances = n;
    return c;
}

/* r5.8xlarge as if its 850 MB/s were on two cards, 425 each. */
static inline struct instance_type type_of_two_cards(void)
{
    struct instance_type t = type_named("r5.8xlarge");
    t.ebs_cards = 2;
    return t;
}

/* Today, on the types of c, without headroom. */
static inline struct plan_options bare_options(const struct catalogue *c)
{
    struct plan_options o = world_options("2026-06-01");
    o.catalogue = c;
    o.headroom_pct = 0;
    return o;
}

static inline int world_demand(struct world *w, struct err *e)
{
    struct demand_options d;
    demand_options_init(&d, &builtin_catalogue);
    w->load = (struct system_load){ .system = "PRD1", .series = w->series, .n_series = w->n };
    w->layout = layout_of(w->groups, w->n, w->instance_type);
    return system_demand_build(&w->load, &w->layout, &d, &w->a, &w->demand, e);
}

static inline int plan_rc(struct world *w, const char *as_of, struct plan *p, struct err *e)
{
    struct plan_options o = world_options(as_of);
    int rc = world_demand(w, e);
    return rc ? rc : plan_build(&w->demand, &o, &w->a, p, e);
}

static inline struct plan plan_with(struct world *w, const struct plan_options *o)
{
    struct plan p = { .status = PLAN_UNSOLVED };
    struct err e = { 0 };
    if (world_demand(w, &e) || plan_build(&w->demand, o, &w->a, &p, &e) || plan_check(&p, &e))
        fail_msg("%s", e.text);
    return p;
}

static inline struct plan plan(struct world *w, const char *as_of)
{
    struct plan_options o = world_options(as_of);
    return plan_with(w, &o);
}

static inline void assert_spec(const struct volume_spec *v, const char *want)
{
    char spec[96];
    assert_string_equal(volume_spec_format(spec, v), want);
}

static inline const struct finding *find(const struct plan *p, const char *id)
{
    for (size_t i = 0; i < p->n_findings; i++)
        if (strcmp(p->findings[i].id, id) == 0)
            return &p->findings[i];
    return NULL;
}

static inline bool has_finding(const struct plan *p, const char *id)
{
    return find(p, id) != NULL;
}

#endif
