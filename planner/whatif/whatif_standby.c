/* planner/whatif/whatif_standby.c - what each standby brings to the primary, the price of that, and
 * its own host.
 *
 * Standbys that the model cannot tell apart have the same price and the same host, so each kind is
 * planned once. */
#include "planner/whatif/whatif_build.h"

#include "models/core/unit.h"
#include "models/oracle/redo_transport.h"

#include <math.h>

/* Hosts that were planned: they differ by what they feed. */
struct hosts {
    struct whatif_host *at;
    const struct standby **of;
    size_t n;
};

struct pricing {
    const struct whatif_options *o;
    const struct scenario *s;
    const struct changed_demand *central; /* of s, here */
    struct arena *a;
    struct err *e;
};

/* --- the plan of another host ----------------------------------------------------------------- */

/* The groups that any host of this database needs, with no volumes yet. */
static int host_layout(const struct pricing *p, struct arena *scratch, struct layout *out,
                       size_t *groups)
{
    const struct layout *l = &p->s->layout;
    struct layout_group *at = arena_array(scratch, l->n_groups + 1, sizeof *at);
    if (!at) {
        err_nomem(p->e);
        return ERR_NOMEM;
    }
    *out = *l;
    out->n_groups = 0;
    for (size_t i = 0; i < l->n_groups; i++) {
        const struct layout_group *g = &l->groups[i];
        if (g->role != ROLE_DATA && !path_share_any(&p->s->shares[i]))
            continue;
        struct layout_group *h = &at[out->n_groups];
        *h = *g;
        h->need_gib = layout_usable_gib(g);
        h->volumes = NULL;
        h->n_volumes = 0;
        h->policy.keep = false;
        groups[out->n_groups++] = i;
    }
    out->groups = at;
    return 0;
}

static void keep_figures(const struct pricing *p, const struct standby *on, const struct plan *plan,
                         const size_t *groups, struct whatif_host_group *out)
{
    for (size_t i = 0; i < plan->n_groups; i++) {
        const struct plan_group *g = &plan->groups[i];
        out[i] = (struct whatif_host_group){
            .group = &p->s->layout.groups[groups[i]],
            .peak = whatif_rates_of_demand(&g->demand->demand),
            .spec = g->chosen.spec,
            .total_microusd = g->chosen.spec.count ? g->chosen.total_microusd : UNKNOWN,
        };
        for (int b = 0; b < BOUND_COUNT; b++) {
            struct path_rates r = on ? scenario_standby(p->s, on, groups[i], (enum bound)b)
                                     : scenario_primary(p->s, groups[i], (enum bound)b);
            out[i].average[b] = whatif_rates_of(&r);
        }
    }
}

/* on NULL: the primary's, wherever that is. */
static int plan_elsewhere(const struct pricing *p, const struct standby *on, struct arena *scratch,
                          struct whatif_host *out)
{
    const struct layout *l = &p->s->layout;
    struct layout layout;
    struct system_demand d;
    struct plan plan;
    size_t *groups = arena_array(scratch, l->n_groups + 1, sizeof *groups);
    struct load_change *all = arena_array(scratch, l->n_groups + 1, sizeof *all);
    if (!groups || !all)
        return err_nomem(p->e);
    int rc = host_layout(p, scratch, &layout, groups);
    if (rc)
        return rc;
    scenario_load_changes(p->s, on, BOUND_CENTRAL, all);
    for (size_t i = 0; i < layout.n_groups; i++)
        all[i] = all[groups[i]]; /* groups ascend */
    struct plan_options o = whatif_plan_options(p->o, p->s);
    o.figures_only = true;
    rc = demand_change(p->s->measured, &layout, all, scratch, &d, p->e);
    if (!rc)
        rc = plan_build(&d, &o, scratch, &plan, p->e);
    if (rc)
        return rc;
    struct whatif_host_group *kept = arena_array(p->a, plan.n_groups + 1, sizeof *kept);
    if (!kept)
        return err_nomem(p->e);
    keep_figures(p, on, &plan, groups, kept);
    *out = (struct whatif_host){ on ? on->name : p->s->topology.primary, plan.status, kept,
                                 plan.n_groups, plan.total_microusd };
    return 0;
}

static int plan_host(const struct pricing *p, const struct standby *on, struct whatif_host *out)
{
    struct arena scratch = { 0 };
    int rc = plan_elsewhere(p, on, &scratch, out);
    arena_release(&scratch);
    return rc;
}

static int host_of(const struct pricing *p, const struct standby *on, struct hosts *known,
                   struct whatif_host *out)
{
    const struct topology *t = &p->s->topology;
    for (size_t i = 0; i < known->n; i++)
        if (known->of[i]->far_sync == on->far_sync &&
            topology_fed_by(t, known->of[i]->name) == topology_fed_by(t, on->name)) {
            *out = known->at[i];
            out->name = on->name;
            return 0;
        }
    int rc = plan_host(p, on, out);
    if (rc)
        return rc;
    known->at[known->n] = *out;
    known->of[known->n++] = on;
    return 0;
}

/* --- what one costs on the primary ------------------------------------------------------------ */

static int primary_total(const struct pricing *p, const struct scenario *s, enum bound b,
                         int64_t *out_microusd)
{
    struct arena scratch = { 0 };
    struct system_demand d;
    struct plan plan = { .status = PLAN_UNSOLVED };
    struct plan_options o = whatif_plan_options(p->o, s);
    o.figures_only = true;
    int rc = whatif_demand(s, NULL, b, p->central, &scratch, &d, p->e);
    if (!rc)
        rc = plan_build(&d, &o, &scratch, &plan, p->e);
    if (!rc)
        *out_microusd = plan.status == PLAN_NONE ? UNKNOWN : plan.total_microusd;
    arena_release(&scratch);
    return rc;
}

struct total {
    int64_t central_microusd, upper_microusd; /* UNKNOWN when nothing carries it */
};

static int total_of_upper(const struct pricing *p, const struct scenario *s, struct total *t)
{
    t->upper_microusd = t->central_microusd;
    return scenario_bounds_alike(s, NULL, BOUND_UPPER, BOUND_CENTRAL)
               ? 0
               : primary_total(p, s, BOUND_UPPER, &t->upper_microusd);
}

static int64_t less(int64_t with, int64_t without)
{
    return with == UNKNOWN || without == UNKNOWN ? UNKNOWN : with - without;
}

/* Of a direct standby.  The plan on central is that of the primary unless this host is a standby.
 */
static int marginal(const struct pricing *p, const struct plan *central, struct total *out)
{
    struct scenario fewer = *p->s;
    struct total with = { UNKNOWN, UNKNOWN }, without = with;
    fewer.one_fewer = true;
    with.central_microusd = central->status == PLAN_NONE ? UNKNOWN : central->total_microusd;
    int rc =
        scenario_host(p->s) ? primary_total(p, p->s, BOUND_CENTRAL, &with.central_microusd) : 0;
    if (!rc)
        rc = total_of_upper(p, p->s, &with);
    if (!rc)
        rc = primary_total(p, &fewer, BOUND_CENTRAL, &without.central_microusd);
    if (!rc)
        rc = total_of_upper(p, &fewer, &without);
    out->central_microusd = less(with.central_microusd, without.central_microusd);
    out->upper_microusd = less(with.upper_microusd, without.upper_microusd);
    return rc;
}

/* --- each standby ----------------------------------------------------------------------------- */

static int brings_of(const struct pricing *p, const struct standby *of,
                     const struct path_rates (**out)[BOUND_COUNT])
{
    size_t n = p->s->layout.n_groups;
    struct path_rates(*rates)[BOUND_COUNT] = arena_array(p->a, n + 1, sizeof *rates);
    if (!rates)
        return err_nomem(p->e);
    for (size_t g = 0; g < n; g++)
        for (int b = 0; b < BOUND_COUNT; b++)
            rates[g][b] = scenario_contribution(p->s, of, g, (enum bound)b);
    *out = (const struct path_rates(*)[BOUND_COUNT])rates;
    return 0;
}

static double network_of(const struct pricing *p, double redo_mibps)
{
    return redo_network_mbps(redo_mibps, p->o->network_efficiency);
}

/* The write at the standby is taken to last as long as the primary's own.  Where no report tells
 * how long that is, the two cancel out, and only what they come to one after the other is not
 * known. */
static struct redo_range commit_of(const struct pricing *p, const struct standby *t)
{
    double write_ms = p->s->path->log_write_ms, rtt_ms = t->link.rtt_ms;
    if (t->mode == REDO_ASYNC || !isnan(write_ms))
        return redo_commit_added_ms(t->mode, rtt_ms, write_ms, write_ms);
    if (t->mode == REDO_FASTSYNC)
        return (struct redo_range){ 0, rtt_ms, rtt_ms };
    return (struct redo_range){ rtt_ms, rtt_ms, NAN };
}

static int standby_of(const struct pricing *p, const struct standby *t, struct hosts *hosts,
                      struct whatif_standby *out)
{
    const struct scenario *s = p->s;
    double redo = scenario_redo_mibps(s, BOUND_CENTRAL);
    double peak = s->path->redo_peak_mibps * (redo / s->path->flow.redo_mibps);
    *out = (struct whatif_standby){ .standby = t,
                                    .network_mbps = network_of(p, redo),
                                    .network_peak_mbps = network_of(p, peak),
                                    .commit_added_ms = commit_of(p, t) };
    int rc = brings_of(p, t, &out->brings);
    if (!rc && t != scenario_host(s))
        rc = host_of(p, t, hosts, &out->host);
    return rc;
}

int whatif_standbys(const struct whatif_options *o, const struct scenario *s,
                    const struct changed_demand *central, struct arena *a, struct whatif *out,
                    struct err *e)
{
    struct pricing p = { o, s, central, a, e };
    size_t n = s->topology.n;
    struct whatif_standby *all = arena_array(a, n + 1, sizeof *all);
    struct hosts hosts = { arena_array(a, n + 1, sizeof *hosts.at),
                           arena_array(a, n + 1, sizeof(struct standby *)), 0 };
    struct total here = { 0, 0 };
    bool any_direct = false;
    if (!all || !hosts.at || !hosts.of)
        return err_nomem(e);
    if (!s->path->known)
        return 0;
    for (size_t i = 0; i < n; i++)
        any_direct |= topology_reads_files(&s->topology.at[i]);
    int rc = any_direct ? marginal(&p, &out->plan, &here) : 0;
    for (size_t i = 0; i < n && !rc; i++) {
        const struct standby *t = &s->topology.at[i];
        rc = standby_of(&p, t, &hosts, &all[i]);
        if (topology_reads_files(t)) {
            all[i].here_microusd = here.central_microusd;
            all[i].here_upper_microusd = here.upper_microusd;
        }
    }
    if (!rc && scenario_host(s))
        rc = plan_host(&p, NULL, &out->primary_host);
    if (rc)
        return rc;
    out->standbys = all;
    out->n_standbys = n;
    return 0;
}
