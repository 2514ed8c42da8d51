/* planner/solve/plan.c - see plan.h.
 *
 *   plan_build
 *     build_once              under the rules of one day
 *       plan_group_solve      every group by itself
 *       find_instance, attachments_fit
 *       plan_group_steps      for what was measured at a ceiling
 *       judge_instance
 *       plan_findings
 *     build_once              again under today's rules */
#include "planner/solve/plan.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "planner/diagnose/plan_findings.h"
#include "planner/solve/attachments.h"
#include "planner/solve/plan_group.h"

#include <math.h>
#include <string.h>
#include <strings.h>

void plan_options_init(struct plan_options *o, const struct catalogue *c, int64_t today_ms)
{
    *o = (struct plan_options){ .catalogue = c,
                                .as_of_ms = today_ms,
                                .today_ms = today_ms,
                                .headroom_pct = 20,
                                .per_volume_microusd = 5000000,
                                .top = 10 };
}

static int find_instance(struct plan *p, const struct plan_options *o, struct err *e)
{
    struct plan_instance *i = &p->instance;
    i->caps = (struct instance_caps){ NAN, NAN, NAN, NAN, UNKNOWN };
    i->demand_mb_s = p->demand->demand.total_mibps * MB_PER_MIB;
    i->demand_iops = p->demand->demand.counted_iops;
    i->grade = p->demand->demand.grade;
    i->lower_bound = p->demand->censored_by != 0;
    i->monthly_microusd = UNKNOWN;
    if (!o->instance_type)
        return 0;
    i->type = instance_find(o->catalogue, span_of(o->instance_type));
    if (!i->type)
        return err_set(e, ERR_USAGE, "unknown instance type '%.60s'", o->instance_type);
    if (i->type->hourly_picousd != UNKNOWN && strcmp(p->region, "us-east-1") == 0)
        i->monthly_microusd = i->type->hourly_picousd / 1000000 * 730;
    const struct layout *l = p->demand->layout;
    return instance_caps(o->catalogue, i->type, o->weighting, l->network_interfaces, &i->caps, e);
}

/* A group that is, or that holds, the volume the system boots from. */
static bool has_root(const struct layout *l)
{
    static const char *const boot[] = { "nvme0n1", "xvda", "sda" };
    for (size_t g = 0; g < l->n_groups; g++) {
        if (strcasecmp(l->groups[g].name, "root") == 0)
            return true;
        for (size_t i = 0; i < l->groups[g].n_devices; i++) {
            const char *colon = strchr(l->groups[g].devices[i], ':');
            const char *device = colon ? colon + 1 : l->groups[g].devices[i];
            for (size_t b = 0; b < sizeof boot / sizeof *boot; b++)
                if (strcmp(device, boot[b]) == 0)
                    return true;
        }
    }
    return false;
}

static int64_t count_attachments(const struct plan *p)
{
    int64_t n = has_root(p->demand->layout) ? 0 : 1; /* else a gp3 of 8 GiB boots the host */
    for (size_t g = 0; g < p->n_groups; g++)
        n += p->groups[g].chosen.spec.count;
    return n;
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
    }
}

static int fit_attachments(struct plan *p, struct plan_group *groups, const struct plan_options *o,
                           struct arena *a, struct err *e)
{
    int64_t slots = p->instance.caps.volumes;
    int64_t attachments = count_attachments(p);
    if (slots == UNKNOWN || attachments <= slots)
        return 0;
    int64_t root = has_root(p->demand->layout) ? 0 : 1, fewest;
    int64_t left = slots > root ? slots - root : 0;
    int rc = attachments_fit(groups, p->n_groups, o, left, a, &fewest, e);
    if (rc || fewest <= left)
        return rc;
    p->status = PLAN_NONE;
    p->certificate.group = "host";
    p->certificate.ceiling = CEILING_ATTACHMENTS;
    p->certificate.demand = (double)(fewest + root);
    p->certificate.offered = (double)slots;
    return 0;
}

static double use_of(double needed, double offered)
{
    return needed > 0 && offered > 0 ? needed / offered : NAN;
}

static void judge_instance(struct plan *p)
{
    struct plan_instance *i = &p->instance;
    double factor = 1 + p->headroom_pct / 100;
    i->attachments = count_attachments(p);
    const struct {
        enum ceiling ceiling;
        double use;
    } uses[] = {
        { CEILING_INSTANCE_THROUGHPUT, use_of(i->demand_mb_s * factor, i->caps.baseline_mb_s) },
        { CEILING_INSTANCE_IOPS, use_of(i->demand_iops * factor, i->caps.baseline_iops) },
        { CEILING_ATTACHMENTS,
          i->caps.volumes == UNKNOWN ? NAN : (double)i->attachments / (double)i->caps.volumes },
    };
    double most = NAN;
    for (size_t k = 0; k < sizeof uses / sizeof *uses; k++)
        if (uses[k].use > most || (isnan(most) && !isnan(uses[k].use))) {
            most = uses[k].use;
            i->ceiling = uses[k].ceiling;
        }
    bool judged = i->type && !isnan(uses[0].use) && !isnan(i->caps.baseline_mb_s);
    i->verdict = most * (1 - 1e-9) > 1 ? INSTANCE_TOO_SMALL
                 : judged              ? INSTANCE_FITS
                                       : INSTANCE_UNKNOWN;
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

static int build_once(const struct system_demand *d, const struct plan_options *o, struct arena *a,
                      struct plan *out, struct err *e)
{
    struct plan p = { .system = d->layout->system,
                      .region = o->region,
                      .status = PLAN_BEST,
                      .as_of_ms = o->as_of_ms,
                      .price_as_of_ms = UNKNOWN,
                      .headroom_pct = o->headroom_pct,
                      .demand = d,
                      .options_used = *o,
                      .n_groups = d->n_groups };
    struct plan_group *groups = arena_array(a, d->n_groups ? d->n_groups : 1, sizeof *groups);
    if (!groups)
        return err_nomem(e);
    p.groups = groups;
    int rc = find_instance(&p, o, e);
    for (size_t i = 0; i < d->n_groups && !rc; i++) {
        rc = plan_group_solve(&d->groups[i], o, a, &groups[i], e);
        if (!rc && !groups[i].chosen.spec.count && p.status != PLAN_NONE)
            certify_group(&p, &groups[i]);
    }
    if (!rc && p.status == PLAN_BEST)
        rc = fit_attachments(&p, groups, o, a, e);
    for (size_t i = 0; i < d->n_groups && !rc; i++)
        if (groups[i].lower_bound && !groups[i].group->policy.keep)
            rc = plan_group_steps(&groups[i], o, &p.instance, a, e);
    if (rc)
        return rc;
    sum_prices(&p);
    judge_instance(&p);
    rc = plan_findings(&p, a, e);
    if (!rc)
        *out = p;
    return rc;
}

int plan_build(const struct system_demand *d, const struct plan_options *o, struct arena *a,
               struct plan *out, struct err *e)
{
    struct plan_options filled = *o;
    if (!filled.region)
        filled.region = d->layout->region ? d->layout->region : "us-east-1";
    if (!filled.instance_type)
        filled.instance_type = d->layout->instance_type;
    struct plan p;
    int rc = build_once(d, &filled, a, &p, e);
    if (rc)
        return rc;
    if (filled.as_of_ms / DAY_MS != filled.today_ms / DAY_MS) {
        struct plan *today = arena_alloc(a, sizeof *today);
        if (!today)
            return err_nomem(e);
        filled.as_of_ms = filled.today_ms;
        rc = build_once(d, &filled, a, today, e);
        if (rc)
            return rc;
        p.under_today = today;
    }
    *out = p;
    return 0;
}
