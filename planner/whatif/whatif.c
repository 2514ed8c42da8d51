/* planner/whatif/whatif.c - see whatif.h.
 *
 *   whatif_build
 *     plan_build              for today's load, unless it is given
 *     scenario_change         what is not dated
 *     whatif_phases           what is
 *     plan_build              on central
 *     whatif_groups           lower, central, upper of every group
 *     whatif_replay_today     what today's volumes do with it
 *     whatif_standbys         what each brings, and its host
 *     redo_simulate           on the planned volumes and on today's */
#include "planner/whatif/whatif_build.h"

#include "models/core/unit.h"
#include "planner/whatif/log_switches.h"

#include <math.h>

struct plan_options whatif_plan_options(const struct whatif_options *o, const struct scenario *s)
{
    struct plan_options p = o->plan;
    p.instance_type = s->instance_type;
    return p;
}

struct whatif_rates whatif_rates_of(const struct path_rates *r)
{
    return (struct whatif_rates){ r->read_mibps, r->write_mibps, path_total_mibps(r),
                                  r->counted_iops };
}

struct whatif_rates whatif_rates_of_demand(const struct demand *d)
{
    return (struct whatif_rates){ d->read_mibps, d->write_mibps, d->total_mibps, d->counted_iops };
}

/* NULL when memory is out. */
static struct load_change *changes_of(const struct scenario *s, const struct standby *on,
                                      enum bound b, struct arena *a)
{
    size_t n = s->layout.n_groups;
    struct load_change *changes = arena_array(a, n ? n : 1, sizeof *changes);
    if (changes)
        scenario_load_changes(s, on, b, changes);
    return changes;
}

int whatif_demand(const struct scenario *s, const struct standby *on, enum bound b,
                  const struct changed_demand *known, struct arena *a, struct system_demand *out,
                  struct err *e)
{
    struct load_change *changes = changes_of(s, on, b, a);
    return changes ? demand_change_like(s->measured, &s->layout, changes, known, a, out, e)
                   : err_nomem(e);
}

int whatif_central(const struct scenario *s, struct arena *a, struct changed_demand *out,
                   struct err *e)
{
    struct system_demand *d = arena_alloc(a, sizeof *d);
    struct load_change *changes = changes_of(s, scenario_host(s), BOUND_CENTRAL, a);
    *out = (struct changed_demand){ d, changes };
    return d && changes ? demand_change(s->measured, &s->layout, changes, a, d, e) : err_nomem(e);
}

/* --- groups ----------------------------------------------------------------------------------- */

static const struct whatif_rates no_rates = { NAN, NAN, NAN, NAN };

static bool is_first_from(const struct scenario *s, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (s->from[k] == s->from[i])
            return false;
    return true;
}

static struct whatif_group row_of(const struct scenario *s, size_t i)
{
    struct whatif_group g = {
        .group = &s->layout.groups[i], .planned = i, .throttled_now_s = NAN, .throttled_s = NAN
    };
    size_t m = s->from[i];
    bool was_there = is_first_from(s, i);
    const struct demand *measured = &s->measured->groups[m].demand;
    struct path_rates base = scenario_base(s, i);
    g.average.base = was_there ? whatif_rates_of(&base) : no_rates;
    g.peak.base = was_there ? whatif_rates_of_demand(measured) : no_rates;
    g.peak_grade = measured->grade;
    for (int b = 0; b < BOUND_COUNT; b++) {
        struct path_rates r = scenario_here(s, i, (enum bound)b);
        g.average.at[b] = whatif_rates_of(&r);
    }
    return g;
}

/* A group of today that is no more: what it held is gone. */
static struct whatif_group row_of_gone(const struct scenario *s, const struct scenario *before,
                                       size_t m)
{
    struct whatif_group g = { .group = &s->measured->layout->groups[m],
                              .planned = s->layout.n_groups,
                              .throttled_now_s = NAN,
                              .throttled_s = NAN,
                              .peak_grade = s->measured->groups[m].demand.grade };
    struct path_rates base = scenario_base(before, m);
    g.average.base = whatif_rates_of(&base);
    g.peak.base = whatif_rates_of_demand(&s->measured->groups[m].demand);
    return g;
}

/* The groups of whatif_demand. */
static int demand_of_groups(const struct scenario *s, enum bound b,
                            const struct changed_demand *known, struct arena *a,
                            struct system_demand *out, struct err *e)
{
    struct load_change *changes = changes_of(s, scenario_host(s), b, a);
    return changes ? demand_change_groups(s->measured, &s->layout, changes, known, a, out, e)
                   : err_nomem(e);
}

/* Where a bound changes the load as central does, it is not made again. */
static int set_peaks(const struct scenario *s, const struct changed_demand *central, enum bound b,
                     const struct plan *p, struct whatif_group *groups, enum whatif_holds *upper,
                     struct err *e)
{
    struct arena scratch = { 0 };
    struct system_demand d = *central->demand;
    int rc = scenario_bounds_alike(s, scenario_host(s), b, BOUND_CENTRAL)
                 ? 0
                 : demand_of_groups(s, b, central, &scratch, &d, e);
    for (size_t i = 0; i < s->layout.n_groups && !rc; i++)
        groups[i].peak.at[b] = whatif_rates_of_demand(&d.groups[i].demand);
    if (!rc && b == BOUND_UPPER)
        rc = whatif_holds_all(p, &d, &scratch, upper, e);
    arena_release(&scratch);
    return rc;
}

int whatif_groups(const struct scenario *s, const struct changed_demand *central,
                  const struct plan *p, struct arena *a, struct whatif_group **out, size_t *out_n,
                  enum whatif_holds *upper, struct err *e)
{
    const struct layout *today = s->measured->layout;
    size_t n = s->layout.n_groups;
    struct whatif_group *groups = arena_array(a, n + today->n_groups + 1, sizeof *groups);
    struct scenario before = *s;
    if (!groups)
        return err_nomem(e);
    size_t *from = arena_array(a, today->n_groups + 1, sizeof *from);
    if (!from)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        groups[i] = row_of(s, i);
    for (int b = 0; b < BOUND_COUNT; b++) {
        int rc = set_peaks(s, central, (enum bound)b, p, groups, upper, e);
        if (rc)
            return rc;
    }
    before.from = from;
    for (size_t m = 0; m < today->n_groups; m++) {
        bool kept = false;
        from[m] = m;
        for (size_t i = 0; i < s->layout.n_groups; i++)
            kept |= s->from[i] == m;
        if (!kept)
            groups[n++] = row_of_gone(s, &before, m);
    }
    *out = groups;
    *out_n = n;
    return 0;
}

/* --- all of it -------------------------------------------------------------------------------- */

static int plan_of(const struct plan_options *o, const struct system_demand *d,
                   const struct scenario *s, struct arena *a, struct plan *out, struct err *e)
{
    int rc = plan_build(d, o, a, out, e);
    return rc ? rc : log_switches_add(out, s, a, e);
}

/* For the load as it was measured. */
static int base_plan(const struct whatif_options *o, const struct scenario *s, struct arena *a,
                     struct plan *out, struct err *e)
{
    if (!o->base)
        return plan_of(&o->plan, s->measured, s, a, out, e);
    *out = *o->base;
    return log_switches_add(out, s, a, e);
}

static void note_cascades(struct whatif *w)
{
    const struct redo_flow *f = &w->path->flow;
    int64_t direct = 0;
    for (size_t i = 0; i < w->scenario->topology.n; i++) {
        const struct standby *t = &w->scenario->topology.at[i];
        w->cascaded += t->measured && !topology_is_direct(t);
        direct += t->measured && topology_is_direct(t);
    }
    w->cascade_of = w->cascaded ? w->cascaded : direct / 2;
    struct redo_range saved = redo_cascade_saving(f, w->cascade_of);
    double files = f->online_copies + f->archived_copies;
    if (!(files > 0) || !w->cascade_of) {
        w->cascade_of = 0;
        return;
    }
    w->cascade_saved_pct =
        (struct redo_range){ 100 * saved.lower / files, 100 * saved.central / files,
                             100 * saved.upper / files };
}

/* The scenario that is planned: what is not dated, or else the phase that costs most. */
static void choose_scenario(struct whatif *w, const struct scenario *undated,
                            const struct scenario *of_phases)
{
    w->scenario = undated;
    if (w->n_phases < w->n_changes)
        return;
    for (size_t i = 0; i < w->n_phases; i++)
        if (!w->of_phase || w->phases[i].total_microusd > w->of_phase->total_microusd) {
            w->of_phase = &w->phases[i];
            w->scenario = &of_phases[i];
        }
}

static int build_scenario(struct whatif *w, const struct whatif_options *o, struct arena *a,
                          struct err *e)
{
    const struct scenario *s = w->scenario;
    struct plan_options plan_options = whatif_plan_options(o, s);
    struct changed_demand central;
    struct whatif_group *groups = NULL;
    int rc = whatif_central(s, a, &central, e);
    if (!rc)
        rc = plan_of(&plan_options, central.demand, s, a, &w->plan, e);
    if (!rc)
        rc = whatif_groups(s, &central, &w->plan, a, &groups, &w->n_groups, &w->carries_upper, e);
    w->groups = groups;
    if (!rc)
        rc = whatif_replay_today(w, central.demand, groups, e);
    if (!rc)
        rc = whatif_standbys(o, s, &central, a, w, e);
    if (!rc)
        rc = redo_simulate(s, &w->plan, REDO_VOLUMES_PLANNED, a, &w->planned, e);
    if (!rc)
        rc = redo_simulate(s, &w->plan, REDO_VOLUMES_TODAY, a, &w->today, e);
    return rc;
}

int whatif_build(const struct system_demand *measured, const struct redo_path *path,
                 const struct whatif_change *changes, size_t n_changes,
                 const struct whatif_options *o, struct arena *a, struct whatif *out, struct err *e)
{
    struct whatif w = { .path = path, .options = o, .changes = changes, .n_changes = n_changes };
    struct scenario *base = arena_alloc(a, sizeof *base), *undated = arena_alloc(a, sizeof *base);
    const struct scenario *of_phases = NULL;
    if (!base || !undated)
        return err_nomem(e);
    int rc = scenario_init(base, measured, path, a, e);
    if (!rc)
        rc = base_plan(o, base, a, &w.base, e);
    if (rc)
        return rc;
    *undated = *base;
    rc = scenario_change(undated, changes, n_changes, a, e);
    w.refused = !rc && path->refused && undated->changes_redo;
    if (!rc && !w.refused)
        rc = whatif_phases(o, undated, a, &w, &of_phases, e);
    if (rc || w.refused) {
        *out = w;
        return rc;
    }
    choose_scenario(&w, undated, of_phases);
    rc = build_scenario(&w, o, a, e);
    if (!rc)
        rc = whatif_base_holds(&w, &w.base_holds, e);
    if (rc)
        return rc;
    note_cascades(&w);
    *out = w;
    return 0;
}
