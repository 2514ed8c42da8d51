/* planner/whatif/plan_phases.c - see plan_phases.h.
 *
 *   plan_phases_build
 *     plan_apart              each phase by itself: its scenario, demand and plan
 *     solve_groups            every group over all phases, found by its name
 *     limit_counts            where a phase then needs more slots than its host has no group gets
 *                             more volumes than its plan by itself, which fits; where an EBS card
 *                             is overloaded, as many; and again
 *     sum_prices */
#include "planner/whatif/plan_phases.h"

#include "models/core/unit.h"
#include "planner/solve/plan_instance.h"
#include "planner/whatif/whatif_build.h"

#include <math.h>
#include <string.h>

/* A month of 730 h, in which volumes are priced. */
#define MONTH_MS (730 * INT64_C(3600000))

enum limit { LIMIT_NONE, LIMIT_AT_MOST, LIMIT_AS_MANY };

struct build {
    const struct plan_options *o;
    struct plan_options *options; /* one a phase */
    struct plan_phase *phases;
    struct phase_group **groups; /* [phase][group] */
    enum limit *limits;          /* of phases, on counts */
    size_t n;
    struct arena *a;
    struct err *e;
};

static int plan_apart(struct build *b, size_t i, struct scenario *s, const struct phase_change *c)
{
    struct plan_phase *p = &b->phases[i];
    struct changed_demand central;
    struct plan *plan = arena_alloc(b->a, sizeof *plan);
    if (!plan)
        return err_nomem(b->e);
    int rc = scenario_change(s, c->changes, c->n_changes, b->a, b->e);
    if (!rc && s->path->refused && s->changes_redo)
        rc = err_set(b->e, ERR_NO, "who reads the redo cannot be told: %s", s->path->refused);
    if (rc)
        return rc;
    struct plan_options *o = &b->options[i];
    *o = *b->o;
    o->figures_only = true;
    if (s->instance_type)
        o->instance_type = s->instance_type;
    rc = whatif_central(s, b->a, &central, b->e);
    if (!rc)
        rc = plan_build(central.demand, o, b->a, plan, b->e);
    if (rc)
        return rc;
    *o = plan->options_used;
    b->groups[i] = arena_array(b->a, plan->n_groups + 1, sizeof *b->groups[i]);
    if (!b->groups[i])
        return err_nomem(b->e);
    for (size_t g = 0; g < plan->n_groups; g++)
        b->groups[i][g].apart = &plan->groups[g];
    p->change = c;
    p->apart = plan;
    p->rule = vol_modify_rule_at(c->from_ms);
    p->groups = b->groups[i];
    p->n_groups = plan->n_groups;
    return 0;
}

static struct phase_group *group_of(const struct build *b, size_t phase, const char *name)
{
    for (size_t g = 0; g < b->phases[phase].n_groups; g++)
        if (strcmp(b->groups[phase][g].apart->group->name, name) == 0)
            return &b->groups[phase][g];
    return NULL;
}

static int solve_group(struct build *b, const char *name)
{
    struct phase_need *needs = arena_array(b->a, b->n, sizeof *needs);
    struct phase_choice *choices = arena_array(b->a, b->n, sizeof *choices);
    if (!needs || !choices)
        return err_nomem(b->e);
    for (size_t i = 0; i < b->n; i++) {
        const struct phase_group *g = group_of(b, i, name);
        const struct plan_phase *p = &b->phases[i];
        needs[i] = (struct phase_need){ .group = g ? g->apart : NULL,
                                        .options = &b->options[i],
                                        .length_ms = p->until_ms - p->change->from_ms,
                                        .min_count = UNKNOWN,
                                        .max_count = UNKNOWN };
        if (!g || b->limits[i] == LIMIT_NONE || !g->apart->chosen.spec.count)
            continue;
        needs[i].max_count = g->apart->chosen.spec.count;
        if (b->limits[i] == LIMIT_AS_MANY)
            needs[i].min_count = g->apart->chosen.spec.count;
    }
    int rc = phase_solve(needs, b->n, b->a, choices, b->e);
    for (size_t i = 0; i < b->n && !rc; i++) {
        struct phase_group *g = group_of(b, i, name);
        if (g)
            g->choice = choices[i];
    }
    return rc ? err_prefix(b->e, "group %.80s", name) : 0;
}

static int solve_groups(struct build *b)
{
    for (size_t i = 0; i < b->n; i++)
        for (size_t g = 0; g < b->phases[i].n_groups; g++) {
            const char *name = b->groups[i][g].apart->group->name;
            bool seen = false;
            for (size_t k = 0; k < i; k++)
                seen |= group_of(b, k, name) != NULL;
            int rc = seen ? 0 : solve_group(b, name);
            if (rc)
                return rc;
        }
    return 0;
}

/* Whether a phase needs more slots than its host has. */
static bool overflows(const struct plan_phase *p)
{
    int64_t slots = p->apart->instance.caps.volumes;
    int64_t n = plan_root_volumes(p->apart->demand->layout);
    for (size_t g = 0; g < p->n_groups; g++)
        n += p->groups[g].choice.option.spec.count;
    return slots != UNKNOWN && n > slots;
}

/* Whether an EBS card of its host is overloaded, which it is not in the phase by itself. */
static int overloads(const struct build *b, const struct plan_phase *p, bool *out)
{
    struct volume_spec *apart = arena_array(b->a, p->n_groups + 1, sizeof *apart);
    struct volume_spec *chosen = arena_array(b->a, p->n_groups + 1, sizeof *chosen);
    if (!apart || !chosen)
        return err_nomem(b->e);
    for (size_t g = 0; g < p->n_groups; g++) {
        apart[g] = p->groups[g].apart->chosen.spec;
        chosen[g] = p->groups[g].choice.option.spec;
    }
    *out = !plan_instance_cards_hold(p->apart, chosen) && plan_instance_cards_hold(p->apart, apart);
    return 0;
}

static int limit_counts(struct build *b, struct plan_phases *out)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct plan_phase *p = &b->phases[i];
        bool overloaded;
        int rc = overloads(b, p, &overloaded);
        if (rc)
            return rc;
        if (p->apart->status == PLAN_NONE || (!overloaded && !overflows(p)))
            continue;
        b->limits[i] = overloaded ? LIMIT_AS_MANY : LIMIT_AT_MOST;
        out->status = PLAN_GOOD;
    }
    return out->status == PLAN_GOOD ? solve_groups(b) : 0;
}

static void add(int64_t *sum, int64_t v)
{
    *sum = *sum == UNKNOWN || v == UNKNOWN ? UNKNOWN : *sum + v;
}

static int64_t price_of(int64_t month_microusd, int64_t length_ms)
{
    double microusd = (double)month_microusd * ((double)length_ms / (double)MONTH_MS);
    return month_microusd == UNKNOWN || !(microusd < 1e16) ? UNKNOWN : llround(microusd);
}

static void sum_prices(struct build *b, struct plan_phases *out)
{
    for (size_t i = 0; i < b->n; i++) {
        struct plan_phase *p = &b->phases[i];
        int64_t length_ms = p->until_ms - p->change->from_ms;
        p->status = p->apart->status == PLAN_NONE ? PLAN_NONE : out->status;
        for (size_t g = 0; g < p->n_groups; g++) {
            const struct size_option *c = &p->groups[g].choice.option;
            add(&p->total_microusd, c->spec.count ? c->total_microusd : UNKNOWN);
        }
        p->cost_microusd = price_of(p->total_microusd, length_ms);
        add(&out->total_microusd, p->cost_microusd);
        add(&out->apart_microusd, price_of(p->apart->total_microusd, length_ms));
    }
    for (size_t i = 0; i < b->n; i++)
        if (b->phases[i].status == PLAN_NONE)
            out->status = PLAN_NONE;
}

int plan_phases_build(const struct scenario *as_it_is, const struct phase_change *changes, size_t n,
                      const struct plan_options *o, struct arena *a, struct plan_phases *out,
                      struct err *e)
{
    struct build b = { .o = o,
                       .options = arena_array(a, n, sizeof *b.options),
                       .phases = arena_array(a, n, sizeof *b.phases),
                       .groups = arena_array(a, n, sizeof(struct phase_group *)),
                       .limits = arena_array(a, n, sizeof *b.limits),
                       .n = n,
                       .a = a,
                       .e = e };
    struct plan_phases p = {
        .at = b.phases, .n = n, .status = PLAN_BEST, .per_volume_microusd = o->per_volume_microusd
    };
    struct scenario s = *as_it_is;
    if (!b.options || !b.phases || !b.groups || !b.limits)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        b.phases[i].until_ms = i + 1 < n                     ? changes[i + 1].from_ms
                               : changes[i].to_ms != UNKNOWN ? changes[i].to_ms
                                                             : changes[i].from_ms + MONTH_MS;
        int rc = plan_apart(&b, i, &s, &changes[i]);
        if (rc)
            return err_prefix(e, "--phases"), rc;
    }
    int rc = solve_groups(&b);
    if (!rc)
        rc = limit_counts(&b, &p);
    if (rc)
        return rc;
    sum_prices(&b, &p);
    *out = p;
    return 0;
}
