/* planner/check/plan_check.c - see plan_check.h. */
#include "planner/check/plan_check.h"

#include "models/core/unit.h"
#include "models/ebs/vol_rule.h"
#include "planner/check/fluid_check.h"
#include "planner/check/host_check.h"

#include <math.h>
#include <string.h>

/* Where and when the volumes stand. */
struct place {
    const struct catalogue *catalogue;
    const char *region, *instance_type;
    int64_t as_of_ms, per_volume_microusd;
};

/* What they must carry together; NaN = nothing asked. */
struct load {
    double requests, mibps; /* requests of the guest, or counted where that is known */
    double counted;         /* in 256 KiB */
    double floor_iops;      /* whatever the load; NaN */
    int64_t gib;
    const struct size_load *over_time; /* NULL = only the figures count */
};

static bool is_below(double offered, double needed)
{
    return !isnan(needed) && needed > 0 && !(offered >= needed - 2e-9 * needed);
}

static int contradict(struct err *e, const struct volume_spec *v, const char *what)
{
    char spec[96];
    return err_set(e, ERR_NO, "%s: %s", volume_spec_format(spec, v), what);
}

/* Whether the load waits for these volumes no more than is allowed, but for rounding. */
static bool may_wait(const struct size_load *l, const struct volume_facts *each, double count,
                     bool hdd)
{
    struct fluid_answer a = fluid_check(l, each, count, hdd);
    return !(a.throttled_s > l->max_throttled_s * (1 + 1e-6) + 0.01) &&
           !(a.worst_delay_ms > l->max_delay_ms * (1 + 1e-6) + 1);
}

static int check_option(const struct place *p, const struct size_option *o, const struct load *l,
                        struct err *e)
{
    const struct volume_spec *v = &o->spec;
    const struct vol_rule *r =
        vol_rule_at(p->catalogue, v->type, p->as_of_ms, p->instance_type, UNKNOWN);
    if (!r)
        return contradict(e, v, "did not exist on that day");
    const struct instance_type *t =
        p->instance_type ? instance_find(p->catalogue, span_of(p->instance_type)) : NULL;
    struct volume_facts f =
        volume_facts_of(p->catalogue, r, v, t && !t->nitro_system, p->region, p->as_of_ms);
    bool hdd = r->io_cap_kib >= 1024;
    double count = (double)v->count;
    double requests = hdd ? fmax(l->requests, l->mibps) : fmax(l->counted, l->mibps * 4);
    if (v->count < 1)
        return contradict(e, v, "no volume");
    if (f.illegal)
        return contradict(e, v, f.illegal);
    bool short_of_iops = is_below(f.iops * count, requests);
    bool short_of_mibps = is_below(f.mibps * count, l->mibps);
    bool replayed = (short_of_iops || short_of_mibps) && l->over_time && l->over_time->points &&
                    (l->over_time->tolerant || f.credits > 0);
    if (is_below(f.iops * count, l->floor_iops))
        return contradict(e, v, "IOPS below those its policy asks for");
    if (replayed && !may_wait(l->over_time, &f, count, hdd))
        return contradict(e, v, "more of the load waits than is allowed");
    if (short_of_iops && !replayed)
        return contradict(e, v, "IOPS below the need");
    if (short_of_mibps && !replayed)
        return contradict(e, v, "throughput below the need");
    if (v->size_gib * v->count < l->gib)
        return contradict(e, v, "smaller than the need");
    if (f.price_microusd != o->total_microusd)
        return contradict(e, v, "the price is another");
    if (o->rank_microusd != o->total_microusd + p->per_volume_microusd * (v->count - 1))
        return contradict(e, v, "the rank is another");
    if (fabs(f.iops * count - o->group_max_iops) > 1e-6 * o->group_max_iops ||
        fabs(f.mibps * count - o->group_max_throughput_mibps) >
            1e-6 * o->group_max_throughput_mibps)
        return contradict(e, v, "the ceilings are others");
    return 0;
}

static struct place place_of(const struct size_options *o)
{
    return (struct place){ o->catalogue, o->region, o->instance_type, o->as_of_ms,
                           o->per_volume_microusd };
}

/* From what was asked, not from what the solver made of it. */
static struct load load_of(const struct size_result *r)
{
    const struct size_options *o = &r->options_used;
    const struct size_need *n = &r->need;
    double factor = 1 + o->headroom_pct / 100;
    if (o->copies > 1)
        factor *= 1 + (o->copies - 1) * n->write_pct / 100;
    double per_request = isnan(n->io_kib) ? 1 : ceil(n->io_kib / 256);
    double per_request_hdd = isnan(n->io_kib) ? 1 : ceil(n->io_kib / 1024);
    double floor_iops = o->min_iops > 0 ? (double)o->min_iops : NAN;
    return (struct load){
        .requests = fmax(n->iops * per_request_hdd * factor, floor_iops),
        .counted = fmax(fmax(n->iops * per_request, n->counted_iops) * factor, floor_iops),
        .mibps = n->throughput_mibps * factor,
        .floor_iops = floor_iops,
        .over_time = &o->load,
        .gib = n->size_gib * o->copies,
    };
}

int size_check(const struct size_result *r, struct err *e)
{
    const struct size_options *o = &r->options_used;
    struct place p = place_of(o);
    struct load l = load_of(r);
    if ((r->status == PLAN_NONE) != (r->n_options_total == 0))
        return err_set(e, ERR_NO, "status %s with %zu options", plan_status_name(r->status),
                       r->n_options_total);
    for (size_t i = 0; i < r->n_options; i++) {
        const struct size_option *option = &r->options[i];
        int rc = check_option(&p, option, &l, e);
        if (rc)
            return rc;
        if (!(o->types & 1u << option->spec.type) || option->spec.count < o->min_count ||
            option->spec.count > o->max_count || option->spec.size_gib % o->size_step_gib)
            return contradict(e, &option->spec, "not what was allowed");
        if (i && option->rank_microusd < r->options[i - 1].rank_microusd)
            return contradict(e, &option->spec, "ranked below a dearer one");
    }
    return 0;
}

/* The demand as measured, times a factor. */
static struct load load_of_demand(const struct plan_group *g, double factor)
{
    const struct group_demand *d = g->demand;
    if (g->group->skew > 1)
        factor *= g->group->skew;
    struct load l = { .requests = d->total_iops * factor,
                      .counted = d->demand.counted_iops * factor,
                      .mibps = d->demand.total_mibps * factor,
                      .floor_iops = NAN };
    if (g->group->need_gib > 0)
        l.gib = g->group->need_gib * redundancy_copies(g->group->redundancy);
    else
        for (size_t i = 0; i < g->group->n_volumes; i++)
            l.gib += g->group->volumes[i].spec.size_gib > 0
                         ? g->group->volumes[i].spec.size_gib * g->group->volumes[i].spec.count
                         : 0;
    return l;
}

/* Whether a group's policy, as the layout has it, allows these volumes. */
static int check_policy(const struct plan *p, const struct plan_group *g,
                        const struct size_option *o, struct err *e)
{
    enum { USUAL_TYPES = 1 << VOL_GP3 | 1 << VOL_IO2, USUAL_MAX = 16 };
    const struct group_policy *y = &g->group->policy;
    const struct volume_spec *v = &o->spec;
    const struct vol_rule *r = vol_rule_at(p->options_used.catalogue, v->type, p->as_of_ms,
                                           p->options_used.instance_type, UNKNOWN);
    unsigned types = p->options_used.types ? p->options_used.types
                     : y->types            ? y->types
                                           : USUAL_TYPES;
    int64_t most = y->max_count != UNKNOWN    ? y->max_count
                   : y->min_count > USUAL_MAX ? y->min_count
                                              : USUAL_MAX;
    if (!(types & 1u << v->type))
        return contradict(e, v, "not an allowed type");
    if (v->count < y->min_count || v->count > most)
        return contradict(e, v, "not an allowed number of volumes");
    if (y->size_step_gib > 1 && v->size_gib % y->size_step_gib)
        return contradict(e, v, "not a multiple of the size step");
    if (is_below(o->group_max_iops, (double)y->min_iops))
        return contradict(e, v, "IOPS below those its policy asks for");
    if (y->min_durability_pct > 0 && !(r && r->durability_pct >= y->min_durability_pct))
        return contradict(e, v, "less durable than its policy asks for");
    if (y->max_latency_class &&
        (!r || vol_latency_rank(r->latency_class) < 0 ||
         vol_latency_rank(r->latency_class) > vol_latency_rank(y->max_latency_class)))
        return contradict(e, v, "slower than its policy asks for");
    return 0;
}

/* Kept volumes are those of the layout, one for one; kept they must be where the policy says so. */
static int check_kept(const struct plan_group *g, struct err *e)
{
    int64_t count = 0;
    for (size_t i = 0; i < g->group->n_volumes; i++)
        count += g->group->volumes[i].spec.count;
    if (g->group->policy.keep && count && !g->kept)
        return err_set(e, ERR_NO, "its policy keeps its volumes, the plan does not");
    if (g->kept && count != g->chosen.spec.count)
        return err_set(e, ERR_NO, "not the volumes that are there");
    return 0;
}

static int check_steps(const struct plan_group *g, const struct place *p, struct err *e)
{
    double factor = 1;
    for (size_t i = 0; i < g->n_steps_up; i++) {
        const struct plan_step *s = &g->steps_up[i];
        factor *= 2;
        struct load l = load_of_demand(g, factor);
        int rc = check_option(p, &s->option, &l, e);
        if (rc)
            return rc;
    }
    return 0;
}

/* How much of the measured time one rate of a group is above a value, and below it. */
struct times {
    double all_s, above_s, below_s;
};

static void weigh(struct times *t, double rate, double value, double length_s)
{
    if (isnan(rate))
        return;
    t->all_s += length_s;
    t->above_s += rate > value * (1 + 1e-9) ? length_s : 0;
    t->below_s += rate < value * (1 - 1e-9) ? length_s : 0;
}

static bool is_percentile(const struct times *t, double pct)
{
    double room_s = t->all_s * 1e-9 + 1e-6;
    return t->above_s <= t->all_s * (1 - pct / 100) + room_s &&
           t->below_s <= t->all_s * pct / 100 + room_s;
}

/* A demand that is called a percentile is one, counted from the points. */
static int check_percentile(const struct plan *plan, const struct plan_group *g, struct err *e)
{
    const struct group_demand *d = g->demand;
    const struct peak_factors factors = { plan->demand->options_used.peak_factor };
    struct times mibps = { 0 }, iops = { 0 };
    double pct = plan->options_used.percentile;
    if (isnan(pct))
        return 0;
    for (size_t i = 0; i < d->points.n; i++) {
        const struct load_point *p = &d->points.at[i];
        double length_s = (double)(p->end_ms - p->begin_ms) / 1000;
        double factor = p->flags & POINT_ASSUMED ? 1 : peak_range(&factors, p->interval_s).central;
        if (p->flags & POINT_ARTEFACT)
            continue;
        weigh(&mibps, point_total_mibps(p) * factor, d->demand.total_mibps, length_s);
        weigh(&iops, p->counted_iops * factor, d->demand.counted_iops, length_s);
    }
    if (!is_percentile(&mibps, pct) || !is_percentile(&iops, pct))
        return err_set(e, ERR_NO, "its demand is not the percentile");
    return 0;
}

static int check_group(const struct plan *plan, const struct plan_group *g, struct err *e)
{
    struct place p = place_of(&g->size.options_used);
    int rc = size_check(&g->size, e);
    if (!rc)
        rc = check_kept(g, e);
    for (size_t i = 0; i < g->size.n_options && !rc; i++)
        rc = check_policy(plan, g, &g->size.options[i], e);
    if (!rc && g->chosen.spec.count && !g->kept)
        rc = check_policy(plan, g, &g->chosen, e);
    if (!rc && g->chosen.spec.count && !g->kept) {
        struct load l = load_of_demand(g, 1 + plan->headroom_pct / 100);
        l.over_time = &g->size.options_used.load;
        rc = check_option(&p, &g->chosen, &l, e);
    }
    if (!rc)
        rc = check_percentile(plan, g, e);
    if (!rc)
        rc = check_steps(g, &p, e);
    return rc ? err_prefix(e, "group %.80s", g->group->name) : 0;
}

/* Each point of the front: what it says is true, and no other beats it. */
static int check_point(const struct plan *p, const struct plan_point *point, struct err *e)
{
    int64_t total = 0, rank = 0, count = 0;
    double headroom = isnan(point->headroom_pct) ? 0 : point->headroom_pct;
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct plan_group *g = &p->groups[i];
        const struct size_option *o = g->kept ? &g->chosen : &point->options[i];
        struct place place = place_of(&g->size.options_used);
        struct load l = load_of_demand(g, 1 + headroom / 100);
        struct size_load over_time = g->size.options_used.load;
        over_time.factor = fmax(1, g->group->skew) * (1 + headroom / 100);
        l.over_time = &over_time;
        int rc = g->kept ? 0 : check_option(&place, o, &l, e);
        if (!rc && !g->kept)
            rc = check_policy(p, g, o, e);
        if (rc)
            return err_prefix(e, "group %.80s on the front", g->group->name);
        total += o->total_microusd;
        rank += o->rank_microusd;
        count += o->spec.count;
    }
    if (total != point->total_microusd || rank != point->rank_microusd || count != point->count)
        return err_set(e, ERR_NO, "a point of the front is not the sum of its groups");
    return 0;
}

static int check_front(const struct plan *p, struct err *e)
{
    for (size_t i = 0; i < p->n_pareto; i++) {
        const struct plan_point *a = &p->pareto[i];
        int rc = check_point(p, a, e);
        if (rc)
            return rc;
        for (size_t k = 0; k < p->n_pareto; k++) {
            const struct plan_point *b = &p->pareto[k];
            bool worse = a->headroom_pct < b->headroom_pct || isnan(a->headroom_pct);
            if (k != i && b->total_microusd <= a->total_microusd && b->count <= a->count && worse)
                return err_set(e, ERR_NO, "a point of the front is beaten by another");
        }
    }
    return 0;
}

int plan_check(const struct plan *p, struct err *e)
{
    int64_t total = 0, volumes = 0;
    bool all = true;
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct plan_group *g = &p->groups[i];
        int rc = check_group(p, g, e);
        if (rc)
            return rc;
        all &= g->chosen.spec.count > 0;
        volumes += g->chosen.spec.count;
        if (total != UNKNOWN)
            total = g->chosen.spec.count && g->chosen.total_microusd != UNKNOWN
                        ? total + g->chosen.total_microusd
                        : UNKNOWN;
    }
    if (total != p->total_microusd)
        return err_set(e, ERR_NO, "the total is not the sum over groups");
    if (p->status == PLAN_BEST && !all)
        return err_set(e, ERR_NO, "a group without volumes in a plan that is called best");
    int64_t slots = p->instance.caps.volumes;
    bool movable = false;
    for (size_t i = 0; i < p->n_groups; i++)
        movable |= !p->groups[i].kept;
    if (p->status == PLAN_BEST && movable && slots != UNKNOWN && volumes > slots)
        return err_set(e, ERR_NO, "more volumes than the instance attaches");
    int rc = host_check(p, e);
    if (!rc)
        rc = check_front(p, e);
    if (rc)
        return rc;
    return p->under_today ? plan_check(p->under_today, e) : 0;
}
