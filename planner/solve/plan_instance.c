/* planner/solve/plan_instance.c - see plan_instance.h. */
#include "planner/solve/plan_instance.h"

#include "models/core/unit.h"
#include "planner/solve/card_counts.h"
#include "planner/solve/plan_replay.h"

#include <math.h>
#include <string.h>
#include <strings.h>

int64_t instance_monthly_microusd(const struct instance_type *t)
{
    return t->hourly_picousd == UNKNOWN ? UNKNOWN : t->hourly_picousd / 1000000 * 730;
}

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
    if (strcmp(p->region, "us-east-1") == 0)
        i->monthly_microusd = instance_monthly_microusd(i->type);
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

/* The first in price order, then by name, of the types that carry the plan: in the family, or at
 * all.  Prices are those of us-east-1: elsewhere they only rank. */
static const struct instance_type *find_larger(const struct plan *p, const struct host_need *need,
                                               const struct volume_spec *chosen, bool in_family)
{
    const struct plan_instance *i = &p->instance;
    const struct catalogue *c = p->options_used.catalogue;
    const struct instance_type *best = NULL;
    struct span family = instance_family(span_of(i->type->name));
    for (size_t k = 0; k < c->n_instances; k++) {
        const struct instance_type *t = &c->instances[k];
        struct instance_caps caps;
        int64_t steps = CARD_STEPS;
        if (!host_is_candidate(t, need) ||
            (in_family && !span_eq(instance_family(span_of(t->name)), family)) ||
            (best && t->hourly_picousd >= best->hourly_picousd) ||
            instance_caps(c, t, WEIGHTING_DEFAULT, need->network_interfaces, &caps, NULL))
            continue;
        if (host_carries(&caps, need) && caps.volumes != UNKNOWN &&
            caps.volumes >= i->attachments &&
            card_holds(host_card_use(p->demand, chosen, t, &caps, need, &steps).use))
            best = t;
    }
    return best;
}

/* What the plan needs of a host no smaller than its own. */
static struct host_need need_of(const struct plan *p)
{
    const struct plan_instance *i = &p->instance;
    double factor = 1 + p->headroom_pct / 100;
    return (struct host_need){ .arch = i->type->arch,
                               .vcpu = i->type->vcpu,
                               .memory_mib = i->type->memory_mib,
                               .factor = factor,
                               .mb_s = i->demand_mb_s * factor,
                               .iops = i->demand_iops * factor,
                               .network_interfaces = p->demand->layout->network_interfaces };
}

static int chosen_specs(const struct plan *p, struct arena *a, struct volume_spec **out,
                        struct err *e)
{
    struct volume_spec *chosen = arena_array(a, p->n_groups, sizeof *chosen);
    if (!chosen)
        return err_nomem(e);
    for (size_t g = 0; g < p->n_groups; g++)
        chosen[g] = p->groups[g].chosen.spec;
    *out = chosen;
    return 0;
}

bool plan_instance_cards_hold(const struct plan *p, const struct volume_spec *chosen)
{
    const struct plan_instance *i = &p->instance;
    int64_t steps = CARD_STEPS;
    if (!i->type || i->type->ebs_cards < 2)
        return true;
    const struct host_need need = need_of(p);
    return !host_carries(&i->caps, &need) ||
           card_holds(host_card_use(p->demand, chosen, i->type, &i->caps, &need, &steps).use);
}

int plan_instance_spread(struct plan *p, struct plan_group *groups, const struct plan_options *o,
                         struct arena *a, struct err *e)
{
    struct plan_instance *i = &p->instance;
    struct volume_spec *chosen;
    int rc = chosen_specs(p, a, &chosen, e);
    if (rc || i->caps.volumes == UNKNOWN || plan_instance_cards_hold(p, chosen))
        return rc;
    int64_t slots = i->caps.volumes - plan_root_volumes(p->demand->layout);
    const struct host_need need = need_of(p);
    struct free_groups f;
    struct card_counts found;
    rc = attachments_menus(p->demand, o, slots, a, &f, e);
    if (rc || f.fewest == UNKNOWN || f.fewest + f.kept > slots)
        return rc;
    slots -= f.kept;
    const struct card_question q = { p->demand,        &need, i->type,
                                     &i->caps,         &f,    slots < f.most ? slots : f.most,
                                     CARD_COUNTS_TRIED };
    rc = card_counts_find(&q, a, &found, e);
    if (rc)
        return rc;
    if (!found.proved)
        p->status = PLAN_GOOD;
    i->spread = found.chosen != NULL;
    for (size_t k = 0; k < f.n && found.chosen; k++)
        groups[f.index[k]].chosen = *found.chosen[k];
    return 0;
}

static void find_remedies(struct plan *p, const struct host_need *need,
                          const struct volume_spec *chosen)
{
    struct plan_instance *i = &p->instance;
    struct instance_caps ebs_1;
    i->ebs_1_fits = !p->options_used.weighting_fixed && i->ceiling == CEILING_INSTANCE_THROUGHPUT &&
                    !instance_caps(p->options_used.catalogue, i->type, WEIGHTING_EBS_1,
                                   need->network_interfaces, &ebs_1, NULL) &&
                    host_carries(&ebs_1, need) && ebs_1.volumes >= i->attachments;
    i->larger_of_family = find_larger(p, need, chosen, true);
    i->larger = find_larger(p, need, chosen, false);
}

int plan_instance_judge(struct plan *p, struct arena *a, struct err *e)
{
    struct plan_instance *i = &p->instance;
    struct volume_spec *chosen;
    int64_t steps = CARD_STEPS;
    int rc = chosen_specs(p, a, &chosen, e);
    if (rc)
        return rc;
    i->attachments = plan_attachments(p);
    if (!i->type)
        return 0;
    const struct host_need need = need_of(p);
    i->card_use = host_card_use(p->demand, chosen, i->type, &i->caps, &need, &steps).use;
    const struct {
        enum ceiling ceiling;
        double use;
    } uses[] = {
        { CEILING_INSTANCE_THROUGHPUT, use_of(need.mb_s, i->caps.baseline_mb_s) },
        { CEILING_INSTANCE_IOPS, use_of(need.iops, i->caps.baseline_iops) },
        { CEILING_ATTACHMENTS,
          i->caps.volumes == UNKNOWN ? NAN : (double)i->attachments / (double)i->caps.volumes },
        { CEILING_EBS_CARD, i->card_use },
    };
    double most = NAN;
    for (size_t k = 0; k < sizeof uses / sizeof *uses; k++)
        if (uses[k].use > most || (isnan(most) && !isnan(uses[k].use))) {
            most = uses[k].use;
            i->ceiling = uses[k].ceiling;
        }
    bool judged = !isnan(uses[0].use) && !isnan(i->caps.baseline_mb_s);
    i->verdict = most * (1 - 1e-9) > 1 ? INSTANCE_TOO_SMALL
                 : judged              ? INSTANCE_FITS
                                       : INSTANCE_UNKNOWN;
    if (i->verdict != INSTANCE_TOO_SMALL)
        return 0;
    find_remedies(p, &need, chosen);
    rc = plan_replay_burst(p, &i->burst, e);
    bool else_fits = (i->caps.volumes == UNKNOWN || i->attachments <= i->caps.volumes) &&
                     card_holds(i->card_use);
    if (!rc && i->burst.known && i->burst.minutes_throttled_s <= 0 && else_fits)
        i->verdict = INSTANCE_BURST;
    return rc;
}
