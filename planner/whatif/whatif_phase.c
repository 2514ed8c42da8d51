/* planner/whatif/whatif_phase.c - dated changes, each on top of the one before. */
#include "planner/whatif/whatif_build.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>

/* A month of 730 h, in which volumes are priced. */
#define MONTH_MS (730 * INT64_C(3600000))

static int by_date(const void *va, const void *vb)
{
    const struct whatif_change *const *a = va, *const *b = vb;
    if ((*a)->from_ms != (*b)->from_ms)
        return (*a)->from_ms < (*b)->from_ms ? -1 : 1;
    return (*a > *b) - (*a < *b); /* as given */
}

static int plan_phase(const struct whatif_options *o, const struct scenario *s,
                      struct arena *scratch, struct arena *a, struct whatif_phase *out,
                      struct err *e)
{
    struct plan_options plan_options = whatif_plan_options(o, s);
    plan_options.figures_only = true;
    struct changed_demand central;
    struct plan plan;
    struct whatif_group *groups = NULL;
    int rc = whatif_central(s, scratch, &central, e);
    if (!rc)
        rc = plan_build(central.demand, &plan_options, scratch, &plan, e);
    if (!rc)
        rc = whatif_groups(s, &central, &plan, a, &groups, &out->n_groups, &out->carries_upper, e);
    out->groups = groups;
    if (rc)
        return rc;
    struct whatif_host_group *plans = arena_array(a, plan.n_groups + 1, sizeof *plans);
    if (!plans)
        return err_nomem(e);
    for (size_t i = 0; i < plan.n_groups; i++) {
        const struct size_option *c = &plan.groups[i].chosen;
        plans[i].group = &s->layout.groups[i];
        plans[i].spec = c->spec;
        plans[i].total_microusd = c->spec.count ? c->total_microusd : UNKNOWN;
    }
    out->plans = plans;
    out->n_plans = plan.n_groups;
    out->status = plan.status;
    out->total_microusd = plan.total_microusd;
    return 0;
}

/* Price of a phase from its month and its length; UNKNOWN with either price or end far off. */
static int64_t price_of(const struct whatif_phase *p)
{
    int64_t length_ms = p->until_ms == UNKNOWN ? MONTH_MS : p->until_ms - p->from_ms;
    double microusd = (double)p->total_microusd * ((double)length_ms / (double)MONTH_MS);
    return p->total_microusd == UNKNOWN || !(microusd < 1e16) ? UNKNOWN : llround(microusd);
}

int whatif_phases(const struct whatif_options *o, const struct scenario *s, struct arena *a,
                  struct whatif *out, const struct scenario **out_scenarios, struct err *e)
{
    size_t n = 0, room = out->n_changes + 1;
    const struct whatif_change **dated = arena_array(a, room, sizeof(struct whatif_change *));
    struct whatif_phase *phases = arena_array(a, room, sizeof *phases);
    struct scenario *scenarios = arena_array(a, room, sizeof *scenarios);
    if (!dated || !phases || !scenarios)
        return err_nomem(e);
    for (size_t i = 0; i < out->n_changes; i++)
        if (out->changes[i].kind == WHATIF_PHASE)
            dated[n++] = &out->changes[i];
    qsort(dated, n, sizeof(struct whatif_change *), by_date);
    for (size_t i = 0; i < n; i++) {
        struct arena scratch = { 0 };
        struct whatif_phase *p = &phases[i];
        p->change = dated[i];
        p->from_ms = dated[i]->from_ms;
        p->until_ms = i + 1 < n ? dated[i + 1]->from_ms : UNKNOWN;
        scenarios[i] = i ? scenarios[i - 1] : *s;
        int rc = scenario_change(&scenarios[i], dated[i]->changes, dated[i]->n_changes, a, e);
        if (rc)
            return err_prefix(e, "--phase"), rc;
        if (s->path->refused && scenarios[i].changes_redo) {
            out->refused = true;
            return 0;
        }
        rc = plan_phase(o, &scenarios[i], &scratch, a, p, e);
        arena_release(&scratch);
        if (rc)
            return rc;
        int64_t price = price_of(p);
        out->phases_microusd = price == UNKNOWN || out->phases_microusd == UNKNOWN
                                   ? UNKNOWN
                                   : out->phases_microusd + price;
    }
    out->phases = phases;
    out->n_phases = n;
    *out_scenarios = scenarios;
    return 0;
}
