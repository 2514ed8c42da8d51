/* planner/solve/plan_instance.c - see plan_instance.h. */
#include "planner/solve/plan_instance.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>
#include <strings.h>

int plan_instance_find(struct plan *p, const struct plan_options *o, struct err *e)
{
    struct plan_instance *i = &p->instance;
    i->caps = (struct instance_caps){ NAN, NAN, NAN, NAN, UNKNOWN };
    i->demand_mb_s = p->demand->demand.total_mibps * MB_PER_MIB;
    i->demand_iops = p->demand->demand.counted_iops;
    i->grade = p->demand->demand.grade;
    i->lower_bound = p->demand->censored_by != 0;
    i->weighting = o->weighting;
    i->card_use = NAN;
    i->monthly_microusd = i->objective_microusd = UNKNOWN;
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
                if (layout_match_device(device, NULL, boot[b]))
                    return true;
        }
    }
    return false;
}

int64_t plan_root_volumes(const struct layout *l)
{
    return has_root(l) ? 0 : 1;
}

int64_t plan_attachments(const struct plan *p)
{
    int64_t n = plan_root_volumes(p->demand->layout);
    for (size_t g = 0; g < p->n_groups; g++)
        n += p->groups[g].chosen.spec.count;
    return n;
}

static double use_of(double needed, double offered)
{
    return needed > 0 && offered > 0 ? needed / offered : NAN;
}

/* Prices are those of us-east-1: elsewhere they only rank. */
static const struct instance_type *find_larger(const struct plan *p)
{
    const struct plan_instance *i = &p->instance;
    const struct catalogue *c = p->options_used.catalogue;
    const struct instance_type *best = NULL;
    double factor = (1 + p->headroom_pct / 100) * (1 - 1e-9);
    for (size_t k = 0; k < c->n_instances; k++) {
        const struct instance_type *t = &c->instances[k];
        struct instance_caps caps;
        if (!t->current_generation || t->hourly_picousd == UNKNOWN || !t->arch || !i->type->arch ||
            strcmp(t->arch, i->type->arch) != 0 || t->vcpu < i->type->vcpu ||
            t->memory_mib < i->type->memory_mib)
            continue;
        if (instance_caps(c, t, WEIGHTING_DEFAULT, p->demand->layout->network_interfaces, &caps,
                          NULL))
            continue;
        bool fits = caps.baseline_mb_s >= i->demand_mb_s * factor &&
                    caps.baseline_iops >= i->demand_iops * factor && caps.volumes != UNKNOWN &&
                    caps.volumes >= i->attachments;
        if (fits && (!best || t->hourly_picousd < best->hourly_picousd))
            best = t;
    }
    return best;
}

void plan_instance_judge(struct plan *p)
{
    struct plan_instance *i = &p->instance;
    double factor = 1 + p->headroom_pct / 100;
    i->attachments = plan_attachments(p);
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
    if (i->type && i->verdict == INSTANCE_TOO_SMALL)
        i->larger = find_larger(p);
}
