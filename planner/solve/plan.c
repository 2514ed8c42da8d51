/* planner/solve/plan.c - see plan.h.
 *
 *   plan_build
 *     percentile_demand       where that is asked for
 *     build_once              under the rules of one day
 *       instance_auto_choose  when the instance is to be chosen too
 *       plan_group_solve      every group by itself
 *       attachments_fit         when they do not fit together
 *       plan_instance_spread    when they overload an EBS card
 *       plan_group_steps      for what was measured at a ceiling
 *       plan_instance_judge
 *       plan_findings
 *     build_once              again under today's rules
 *     plan_peak_price         again for a percentile */
#include "planner/solve/plan.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "planner/demand/percentile_demand.h"
#include "planner/diagnose/plan_findings.h"
#include "planner/solve/attachments.h"
#include "planner/solve/instance_auto.h"
#include "planner/solve/plan_group.h"
#include "planner/solve/plan_instance.h"
#include "planner/solve/plan_replay.h"

#include <math.h>
#include <string.h>

void plan_options_init(struct plan_options *o, const struct catalogue *c, int64_t today_ms)
{
    *o = (struct plan_options){ .catalogue = c,
                                .as_of_ms = today_ms,
                                .today_ms = today_ms,
                                .vcpu = UNKNOWN,
                                .memory_mib = UNKNOWN,
                                .headroom_pct = 20,
                                .percentile = NAN,
                                .max_throttled_s = NAN,
                                .max_delay_ms = NAN,
                                .per_volume_microusd = 5000000,
                                .top = 10 };
}

static bool same_text(const char *x, const char *y)
{
    return x == y || (x && y && strcmp(x, y) == 0);
}

static bool same_number(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

static bool same_instance(const struct plan_options *x, const struct plan_options *y)
{
    return same_text(x->instance_type, y->instance_type) && x->instance_auto == y->instance_auto &&
           x->vcpu == y->vcpu && x->memory_mib == y->memory_mib && same_text(x->arch, y->arch) &&
           x->weighting == y->weighting && x->weighting_fixed == y->weighting_fixed;
}

bool plan_options_alike(const struct plan_options *x, const struct plan_options *y)
{
    return x->catalogue == y->catalogue && same_text(x->region, y->region) &&
           x->as_of_ms == y->as_of_ms && x->today_ms == y->today_ms && same_instance(x, y) &&
           x->headroom_pct == y->headroom_pct && same_number(x->percentile, y->percentile) &&
           same_number(x->max_throttled_s, y->max_throttled_s) &&
           same_number(x->max_delay_ms, y->max_delay_ms) && x->figures_only == y->figures_only &&
           x->types == y->types && x->per_volume_microusd == y->per_volume_microusd &&
           x->top == y->top;
}

/* The loser that comes nearest to the need proves what stands in the way. */
static void certify_group(struct plan *p, const struct plan_group *g)
{
    p->status = PLAN_NONE;
    p->certificate.group = g->group->name;
    p->certificate.ceiling = CEILING_TYPES;
    p->certificate.demand = p->certificate.offered = NAN;
    double best = INFINITY;
    for (size_t i = 0; i < g->size.n_rejected; i++) {
        const struct size_rejected *r = &g->size.rejected[i];
        if (r->ceiling == CEILING_TYPES)
            continue;
        double short_of = r->offered > 0 ? r->needed / r->offered : 1e300;
        if (!(short_of < best))
            continue;
        best = short_of;
        p->certificate.ceiling = r->ceiling;
        p->certificate.demand = r->needed;
        p->certificate.offered = r->offered;
        if (!isnan(r->needed))
            p->certificate.nearest = r->spec;
    }
}

static int fit_attachments(struct plan *p, struct plan_group *groups, const struct plan_options *o,
                           struct arena *a, struct err *e)
{
    int64_t slots = p->instance.caps.volumes;
    if (slots == UNKNOWN || plan_attachments(p) <= slots)
        return 0;
    int64_t root = plan_root_volumes(p->demand->layout), fewest;
    int64_t left = slots > root ? slots - root : 0;
    int rc = attachments_fit(groups, p->demand, o, left, a, &fewest, e);
    if (rc || fewest <= left)
        return rc;
    p->status = PLAN_NONE;
    p->certificate.group = "host";
    p->certificate.ceiling = CEILING_ATTACHMENTS;
    p->certificate.demand = (double)(fewest + root);
    p->certificate.offered = (double)slots;
    return 0;
}

static void add_microusd(int64_t *sum, int64_t v)
{
    *sum = *sum == UNKNOWN || v == UNKNOWN ? UNKNOWN : *sum + v;
}

static void sum_prices(struct plan *p)
{
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct plan_group *g = &p->groups[i];
        add_microusd(&p->total_microusd, g->chosen.spec.count ? g->chosen.total_microusd : UNKNOWN);
        add_microusd(&p->today_microusd, g->today.total_microusd);
        if (g->size.price_as_of_ms > p->price_as_of_ms)
            p->price_as_of_ms = g->size.price_as_of_ms;
    }
}

/* Which instance the volumes are planned for: as given, or chosen with them. */
static int choose_instance(const struct system_demand *d, struct plan_options *o, struct arena *a,
                           struct instance_auto *out, struct err *e)
{
    *out = (struct instance_auto){ .objective_microusd = UNKNOWN };
    if (!o->instance_auto)
        return 0;
    int rc = instance_auto_choose(d, o, a, out, e);
    o->instance_type = out->type ? out->type->name : NULL;
    o->weighting = out->type ? out->weighting : o->weighting;
    return rc;
}

static void say_chosen(struct plan *p, const struct instance_auto *chosen)
{
    struct plan_instance *i = &p->instance;
    i->automatic = true;
    i->n_tried = chosen->n_tried;
    i->n_pruned = chosen->n_pruned;
    if (!chosen->type && p->status == PLAN_BEST) {
        p->status = PLAN_NONE;
        p->certificate.group = "host";
        p->certificate.ceiling = chosen->ceiling;
        p->certificate.demand = chosen->needed;
        p->certificate.offered = chosen->offered;
    }
    if (!chosen->type)
        return;
    if (p->status == PLAN_BEST && chosen->cut_short)
        p->status = PLAN_GOOD;
    i->objective_microusd = instance_monthly_microusd(chosen->type);
    for (size_t g = 0; g < p->n_groups; g++)
        add_microusd(&i->objective_microusd, p->groups[g].chosen.rank_microusd);
}

/* o: region and instance filled in. */
static int build_once(const struct system_demand *d, const struct plan_options *given,
                      struct arena *a, struct plan *out, struct err *e)
{
    struct plan_options o = *given;
    struct instance_auto chosen;
    int rc = choose_instance(d, &o, a, &chosen, e);
    struct plan p = { .system = d->layout->system,
                      .region = o.region,
                      .status = PLAN_BEST,
                      .as_of_ms = o.as_of_ms,
                      .price_as_of_ms = UNKNOWN,
                      .headroom_pct = o.headroom_pct,
                      .demand = d,
                      .options_used = o,
                      .n_groups = d->n_groups };
    struct plan_group *groups = arena_array(a, d->n_groups, sizeof *groups);
    if (rc || !groups)
        return rc ? rc : err_nomem(e);
    p.groups = groups;
    rc = plan_instance_find(&p, &o, e);
    for (size_t i = 0; i < d->n_groups && !rc; i++) {
        rc = plan_group_solve(&d->groups[i], &o, a, &groups[i], e);
        if (!rc && !groups[i].chosen.spec.count && p.status != PLAN_NONE)
            certify_group(&p, &groups[i]);
    }
    if (!rc && p.status == PLAN_BEST)
        rc = fit_attachments(&p, groups, &o, a, e);
    if (!rc && p.status == PLAN_BEST)
        rc = plan_instance_spread(&p, groups, &o, a, e);
    for (size_t i = 0; i < d->n_groups && !rc; i++)
        if (groups[i].lower_bound && !groups[i].group->policy.keep)
            rc = plan_group_steps(&groups[i], &o, &p.instance, a, e);
    if (!rc)
        rc = plan_instance_judge(&p, a, e);
    if (!rc && !o.figures_only)
        rc = plan_today_replay(d, &o, groups, e);
    if (!rc)
        rc = plan_replay_groups(&p, groups, e);
    if (rc)
        return rc;
    sum_prices(&p);
    if (o.instance_auto)
        say_chosen(&p, &chosen);
    rc = plan_findings(&p, a, e);
    if (!rc)
        *out = p;
    return rc;
}

/* The demand that is sized for. */
static int sized_for(const struct system_demand *measured, const struct plan_options *o,
                     struct arena *a, const struct system_demand **out, struct err *e)
{
    bool tolerant = !isnan(o->max_throttled_s) || !isnan(o->max_delay_ms);
    *out = measured;
    if (isnan(o->percentile))
        return 0;
    if (tolerant)
        return err_set(e, ERR_USAGE,
                       "a percentile says what volumes carry, --max-throttled-s and --max-delay-ms "
                       "what may wait: give one or the other");
    struct system_demand *d = arena_alloc(a, sizeof *d);
    *out = d;
    return d ? percentile_demand(measured, o->percentile, PERCENTILE_ALL, a, d, e) : err_nomem(e);
}

int plan_build(const struct system_demand *d, const struct plan_options *o, struct arena *a,
               struct plan *out, struct err *e)
{
    struct plan_options filled = *o;
    if (!filled.region)
        filled.region = d->layout->region ? d->layout->region : "us-east-1";
    if (!filled.instance_type && !filled.instance_auto)
        filled.instance_type = d->layout->instance_type;
    if (!d->n_groups)
        return err_set(e, ERR_USAGE,
                       "the layout of %.80s has no groups: volplan layout --init makes some",
                       d->layout->system);
    struct plan p;
    const struct system_demand *demand;
    int rc = sized_for(d, &filled, a, &demand, e);
    if (!rc)
        rc = build_once(demand, &filled, a, &p, e);
    if (!rc && !filled.figures_only)
        rc = plan_peak_price(d, &filled, &p, &p.peak_price, e);
    if (rc)
        return rc;
    if (!filled.figures_only && filled.as_of_ms / DAY_MS != filled.today_ms / DAY_MS) {
        struct plan *today = arena_alloc(a, sizeof *today);
        if (!today)
            return err_nomem(e);
        filled.as_of_ms = filled.today_ms;
        rc = build_once(demand, &filled, a, today, e);
        if (rc)
            return rc;
        p.under_today = today;
    }
    *out = p;
    return 0;
}
