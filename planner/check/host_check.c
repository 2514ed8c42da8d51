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

/* What lies on one of two cards. */
struct card {
    double beyond; /* of the loads, more than a half of them */
    double peaks;  /* of volumes on it */
};

static double load_of(const struct demand *d, bool of_iops)
{
    double load = of_iops ? d->counted_iops : d->total_mibps * MB_PER_MIB;
    return load > 0 ? load : 0;
}

/* Whether a card of half the room holds, when bit g of deal says that the odd volume of group g is
 * on the second. */
static bool card_does(const struct plan *p, unsigned deal, bool second, bool of_iops, double room)
{
    struct card c = { 0 };
    double all = load_of(&p->demand->demand, of_iops), rest = all;
    for (size_t g = 0; g < p->n_groups; g++) {
        double load = load_of(&p->groups[g].demand->demand, of_iops);
        int64_t volumes = p->groups[g].chosen.spec.count;
        int64_t here = volumes / 2 + (volumes % 2 && (deal >> g & 1) == (unsigned)second);
        rest -= load;
        if (volumes < 1)
            continue;
        double share = (double)here / (double)volumes;
        c.peaks += load * share;
        c.beyond += load * fmax(0, share - 0.5);
    }
    double at_most = fmin(all / 2 + c.beyond, c.peaks + fmax(0, rest));
    return !(at_most * (1 + p->headroom_pct / 100) > room / 2 * (1 + 1e-6));
}

/* Whether some way to deal the odd volumes to two cards leaves both within their half. */
static bool cards_do(const struct plan *p, const struct room *r)
{
    enum { TRIED_MAX = 12 };
    if (p->n_groups > TRIED_MAX)
        return true; /* more ways than are worth trying */
    for (unsigned deal = 0; deal < 1u << p->n_groups; deal++)
        if (card_does(p, deal, false, false, r->mb_s) && card_does(p, deal, true, false, r->mb_s) &&
            card_does(p, deal, false, true, r->iops) && card_does(p, deal, true, true, r->iops))
            return true;
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
        if (!burst && i->type->ebs_cards == 2 && !cards_do(p, &r))
            return err_set(e, ERR_NO, "an EBS card of %s is overloaded", i->type->name);
    }
    return i->automatic && p->status != PLAN_NONE ? check_chosen(p, e) : 0;
}
