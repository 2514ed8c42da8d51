/* planner/check/host_check.c - see host_check.h.
 *
 * Written from DESIGN.md section 5 and the notes to the facts, not from the code that it checks:
 * bandwidth from the Mbit/s, cards by trying every way to deal out the odd volumes. */
#include "planner/check/host_check.h"

#include "models/core/money.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

struct room {
    double mb_s, iops, max_mb_s, max_iops; /* for long, in a burst */
    int64_t volumes;
};

static struct room room_of(const struct catalogue *c, const struct instance_type *t,
                           enum weighting w, int64_t interfaces)
{
    struct room r = { (double)t->baseline_mbps / 8, (double)t->baseline_iops,
                      (double)t->max_mbps / 8, (double)t->max_iops, t->max_ebs_attachments };
    if (t->baseline_mbps == UNKNOWN)
        r.mb_s = r.iops = r.max_mb_s = r.max_iops = NAN;
    for (size_t i = 0; i < c->n_weightings; i++) {
        const struct bandwidth_weighting *b = &c->weightings[i];
        if (w == WEIGHTING_DEFAULT || strcmp(b->instance_type, t->name) != 0)
            continue;
        r.mb_s = (double)(w == WEIGHTING_EBS_1 ? b->ebs1_baseline_mbps : b->vpc1_baseline_mbps) / 8;
        r.max_mb_s = (double)(w == WEIGHTING_EBS_1 ? b->ebs1_burst_mbps : b->vpc1_burst_mbps) / 8;
    }
    if (r.volumes != UNKNOWN && t->attachment_kind && strcmp(t->attachment_kind, "shared") == 0)
        r.volumes -= interfaces > 1 ? interfaces - 1 : 0;
    return r;
}

static int64_t volumes_of(const struct plan *p)
{
    int64_t n = 0;
    for (size_t g = 0; g < p->n_groups; g++) {
        const struct plan_group *group = &p->groups[g];
        if (!group->kept)
            n += group->chosen.spec.count;
        for (size_t i = 0; group->kept && i < group->group->n_volumes; i++)
            n += group->group->volumes[i].spec.count;
    }
    return n;
}

/* Largest share of a group's load that lies on the fuller of two cards beyond one half. */
static double odd_load(const struct plan_group *g, bool of_iops)
{
    const struct demand *d = &g->demand->demand;
    double load = of_iops ? d->counted_iops : d->total_mibps * MB_PER_MIB;
    return load > 0 && g->chosen.spec.count % 2 ? load / 2 / (double)g->chosen.spec.count : 0;
}

/* Whether some way to deal the odd volumes to two cards leaves both within their half. */
static bool cards_do(const struct plan *p, const struct room *r, double factor)
{
    enum { TRIED_MAX = 12 };
    const struct demand *d = &p->demand->demand;
    size_t n = p->n_groups;
    if (n > TRIED_MAX)
        return true; /* more ways than are worth trying */
    for (unsigned deal = 0; deal < 1u << n; deal++) {
        double mb_s[2] = { 0 }, iops[2] = { 0 };
        for (size_t g = 0; g < n; g++) {
            mb_s[deal >> g & 1] += odd_load(&p->groups[g], false);
            iops[deal >> g & 1] += odd_load(&p->groups[g], true);
        }
        double most_mb_s = d->total_mibps * MB_PER_MIB / 2 + fmax(mb_s[0], mb_s[1]);
        double most_iops = d->counted_iops / 2 + fmax(iops[0], iops[1]);
        if (most_mb_s * factor <= r->mb_s / 2 * (1 + 1e-6) &&
            most_iops * factor <= r->iops / 2 * (1 + 1e-6))
            return true;
    }
    return false;
}

/* Of --instance auto: what was asked for, and what it comes to. */
static int check_chosen(const struct plan *p, struct err *e)
{
    const struct plan_instance *i = &p->instance;
    const struct plan_options *o = &p->options_used;
    const char *today = p->demand->layout->instance_type;
    const struct instance_type *is = today ? instance_find(o->catalogue, span_of(today)) : NULL;
    int64_t vcpu = o->vcpu != UNKNOWN ? o->vcpu : is ? is->vcpu : UNKNOWN;
    int64_t memory_mib = o->memory_mib != UNKNOWN ? o->memory_mib : is ? is->memory_mib : UNKNOWN;
    const char *arch = o->arch ? o->arch : is ? is->arch : "x86_64";
    if (i->type->vcpu < vcpu || i->type->memory_mib < memory_mib)
        return err_set(e, ERR_NO, "%s has less CPU or memory than asked for", i->type->name);
    if (arch && strcmp(i->type->arch, arch) != 0)
        return err_set(e, ERR_NO, "%s is not %s", i->type->name, arch);
    money sum = (money)(i->type->hourly_picousd / 1000000) * 730;
    for (size_t g = 0; g < p->n_groups; g++) {
        if (p->groups[g].chosen.rank_microusd == UNKNOWN)
            return 0;
        sum += p->groups[g].chosen.rank_microusd;
    }
    if (sum != i->objective_microusd)
        return err_set(e, ERR_NO, "%s with its volumes comes to another sum", i->type->name);
    return 0;
}

int host_check(const struct plan *p, struct err *e)
{
    const struct plan_instance *i = &p->instance;
    if (!i->type)
        return i->automatic && p->status == PLAN_BEST
                   ? err_set(e, ERR_NO, "a plan that is called best without the instance it wanted")
                   : 0;
    const struct layout *l = p->demand->layout;
    struct room r =
        room_of(p->options_used.catalogue, i->type, i->weighting, l->network_interfaces);
    double factor = 1 + p->headroom_pct / 100;
    double mb_s = p->demand->demand.total_mibps * MB_PER_MIB * factor;
    double iops = p->demand->demand.counted_iops * factor;
    int64_t volumes = volumes_of(p);
    if (i->attachments != volumes && i->attachments != volumes + 1)
        return err_set(e, ERR_NO, "%lld volumes, and the instance is said to attach %lld",
                       (long long)volumes, (long long)i->attachments);
    if (i->verdict == INSTANCE_FITS || i->verdict == INSTANCE_BURST) {
        bool burst = i->verdict == INSTANCE_BURST;
        double most_mb_s = burst ? r.max_mb_s : r.mb_s, most_iops = burst ? r.max_iops : r.iops;
        if (mb_s > most_mb_s * (1 + 1e-6) || iops > most_iops * (1 + 1e-6))
            return err_set(e, ERR_NO, "%s does not carry its peak with headroom", i->type->name);
        if (r.volumes != UNKNOWN && i->attachments > r.volumes)
            return err_set(e, ERR_NO, "more volumes than %s attaches", i->type->name);
        if (!burst && i->type->ebs_cards == 2 && !cards_do(p, &r, factor))
            return err_set(e, ERR_NO, "an EBS card of %s is overloaded", i->type->name);
    }
    return i->automatic && p->status != PLAN_NONE ? check_chosen(p, e) : 0;
}
