/* planner/solve/instance_auto.c - see instance_auto.h.
 *
 *   instance_auto_choose
 *     candidates_of         in price order, with the caps they would be used with
 *     rule_sets_of          the volumes once for each set of rules that a candidate brings
 *     try_candidate         until price + floor reaches the best
 *     nearest_of            when none carries it: what the one that lacks least lacks */
#include "planner/solve/instance_auto.h"

#include "models/core/unit.h"
#include "models/ebs/vol_rule.h"
#include "planner/solve/attachments.h"
#include "planner/solve/card_counts.h"
#include "planner/solve/plan_instance.h"
#include "planner/solve/plan_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rule_set {
    bool xen;
    const struct vol_rule *rules[VOL_TYPE_COUNT];
    struct free_groups free_groups;
    struct count_table table; /* cells NULL = a group cannot be carried */
};

struct candidate {
    const struct instance_type *type;
    struct instance_caps caps;
    enum weighting weighting;
    int64_t monthly_microusd, volumes; /* for the free groups */
    bool by_burst;                     /* the baseline does not do */
    size_t rule_set;
};

struct auto_search {
    const struct system_demand *d;
    const struct plan_options *o;
    struct arena *a;
    struct err *e;
    struct host_need need;
    struct candidate *candidates;
    size_t n_candidates;
    struct rule_set *sets;
    size_t n_sets;
    int64_t most_volumes; /* of any candidate */
    int64_t floor_microusd;
    struct instance_auto best;
    double card_use;                /* of the type whose cards lack least, else infinite */
    const struct candidate *untold; /* the cheapest of which not all was tried; NULL */
    int64_t untold_microusd;        /* it costs no less */
};

/* From the options and the layout: ERR_USAGE when neither says which CPU and memory. */
static int host_need_of(const struct system_demand *d, const struct plan_options *o,
                        struct host_need *out, struct err *e)
{
    const struct layout *l = d->layout;
    const struct instance_type *is =
        l->instance_type ? instance_find(o->catalogue, span_of(l->instance_type)) : NULL;
    struct host_need n = { .arch = o->arch,
                           .vcpu = o->vcpu,
                           .memory_mib = o->memory_mib,
                           .factor = 1 + o->headroom_pct / 100,
                           .network_interfaces = l->network_interfaces };
    n.mb_s = d->demand.total_mibps * MB_PER_MIB * n.factor;
    n.iops = d->demand.counted_iops * n.factor;
    if (!is && (n.vcpu == UNKNOWN || n.memory_mib == UNKNOWN))
        return err_set(e, ERR_USAGE,
                       "an instance cannot be chosen without CPU and memory: give --vcpu and "
                       "--memory, or \"instance_type\" in the layout");
    if (is && n.vcpu == UNKNOWN)
        n.vcpu = is->vcpu;
    if (is && n.memory_mib == UNKNOWN)
        n.memory_mib = is->memory_mib;
    if (!n.arch)
        n.arch = is ? is->arch : "x86_64";
    *out = n;
    return 0;
}

static int by_price(const void *va, const void *vb)
{
    const struct candidate *a = va, *b = vb;
    if (a->monthly_microusd != b->monthly_microusd)
        return a->monthly_microusd < b->monthly_microusd ? -1 : 1;
    return strcmp(a->type->name, b->type->name);
}

/* The caps that a type would be used with; false where it lacks the weighting that was asked for.
 */
static bool caps_of(const struct auto_search *s, const struct instance_type *t,
                    struct candidate *out)
{
    int64_t interfaces = s->need.network_interfaces;
    out->weighting = s->o->weighting;
    if (instance_caps(s->o->catalogue, t, s->o->weighting, interfaces, &out->caps, NULL))
        return false;
    struct instance_caps ebs_1;
    if (s->o->weighting_fixed || host_carries(&out->caps, &s->need) ||
        instance_caps(s->o->catalogue, t, WEIGHTING_EBS_1, interfaces, &ebs_1, NULL))
        return true;
    if (host_carries(&ebs_1, &s->need)) {
        out->caps = ebs_1;
        out->weighting = WEIGHTING_EBS_1;
    }
    return true;
}

/* Whether a burst could do is asked of a day of load at least: it comes back once in 24 hours. */
static bool may_burst(const struct auto_search *s, const struct candidate *c)
{
    const double day_s = 24 * 3600.0;
    struct instance_caps most = c->caps;
    most.baseline_mb_s = most.max_mb_s;
    most.baseline_iops = most.max_iops;
    return c->type->burst && s->d->profile.covered_s >= day_s * (1 - 1e-9) &&
           host_carries(&most, &s->need);
}

static int candidates_of(struct auto_search *s)
{
    const struct catalogue *c = s->o->catalogue;
    s->candidates = arena_array(s->a, c->n_instances + 1, sizeof *s->candidates);
    if (!s->candidates)
        return err_nomem(s->e);
    for (size_t i = 0; i < c->n_instances; i++) {
        struct candidate new = { .type = &c->instances[i] };
        if (!host_is_candidate(new.type, &s->need) || !caps_of(s, new.type, &new) ||
            new.caps.volumes == UNKNOWN)
            continue;
        new.by_burst = !host_carries(&new.caps, &s->need);
        if (new.by_burst && !may_burst(s, &new))
            continue;
        new.monthly_microusd = instance_monthly_microusd(new.type);
        s->candidates[s->n_candidates++] = new;
    }
    qsort(s->candidates, s->n_candidates, sizeof *s->candidates, by_price);
    return 0;
}

/* The set of a candidate, added when it is new. */
static int rule_set_of(struct auto_search *s, struct candidate *c)
{
    struct rule_set new = { .xen = instance_is_xen(c->type) };
    for (int t = 0; t < VOL_TYPE_COUNT; t++)
        new.rules[t] = vol_rule_at(s->o->catalogue, (enum volume_type)t, s->o->as_of_ms,
                                   c->type->name, UNKNOWN);
    for (size_t i = 0; i < s->n_sets; i++)
        if (s->sets[i].xen == new.xen &&
            memcmp(s->sets[i].rules, new.rules, sizeof new.rules) == 0) {
            c->rule_set = i;
            return 0;
        }
    struct plan_options o = *s->o;
    o.instance_type = c->type->name;
    int rc = attachments_menus(s->d, &o, s->most_volumes, s->a, &new.free_groups, s->e);
    if (!rc && new.free_groups.fewest != UNKNOWN) {
        int64_t slots = new.free_groups.most;
        if (slots > s->most_volumes)
            slots = s->most_volumes;
        rc = count_table_build(new.free_groups.menus, new.free_groups.n, slots, s->a, &new.table,
                               s->e);
    }
    c->rule_set = s->n_sets;
    s->sets[s->n_sets++] = new;
    return rc;
}

static int rule_sets_of(struct auto_search *s)
{
    s->sets = arena_array(s->a, s->n_candidates + 1, sizeof *s->sets);
    if (!s->sets)
        return err_nomem(s->e);
    for (size_t i = 0; i < s->n_candidates; i++)
        if (s->candidates[i].caps.volumes > s->most_volumes)
            s->most_volumes = s->candidates[i].caps.volumes;
    int rc = 0;
    for (size_t i = 0; i < s->n_candidates && !rc; i++) {
        struct candidate *c = &s->candidates[i];
        rc = rule_set_of(s, c);
        c->volumes = c->caps.volumes - plan_root_volumes(s->d->layout) -
                     s->sets[c->rule_set].free_groups.kept;
    }
    for (size_t i = 0; i < s->n_sets && !rc; i++) {
        const struct count_table *t = &s->sets[i].table;
        int64_t best = t->cells ? count_table_best(t, t->slots) : UNKNOWN;
        int64_t rank = best == UNKNOWN ? UNKNOWN : count_table_rank(t, best);
        if (rank != UNKNOWN && (s->floor_microusd == UNKNOWN || rank < s->floor_microusd))
            s->floor_microusd = rank;
    }
    return rc;
}

/* Not every number of volumes was tried on c, which costs no less than that. */
static void note_untold(struct auto_search *s, const struct candidate *c, int64_t microusd)
{
    if (s->untold && s->untold_microusd <= microusd)
        return;
    s->untold = c;
    s->untold_microusd = microusd;
}

/* The least rank of volumes that leave no card of c overloaded, when those for *rank overload one;
 * UNKNOWN = none were found. */
static int fit_cards(struct auto_search *s, const struct candidate *c, int64_t volumes,
                     int64_t *rank_microusd)
{
    const struct rule_set *set = &s->sets[c->rule_set];
    const struct size_option **options =
        arena_array(s->a, s->d->n_groups + 1, sizeof(struct size_option *));
    struct volume_spec *specs = arena_array(s->a, s->d->n_groups + 1, sizeof *specs);
    int64_t steps = CARD_STEPS;
    if (!options || !specs)
        return err_nomem(s->e);
    card_kept_specs(s->d, &set->free_groups, specs);
    count_table_options(&set->table, volumes, options);
    for (size_t i = 0; i < set->free_groups.n; i++)
        specs[set->free_groups.index[i]] = options[i]->spec;
    struct card_use use = host_card_use(s->d, specs, c->type, &c->caps, &s->need, &steps);
    if (card_holds(use.use))
        return 0;
    struct card_counts found;
    const struct card_question q = { s->d,
                                     &s->need,
                                     c->type,
                                     &c->caps,
                                     &set->free_groups,
                                     c->volumes < set->table.slots ? c->volumes : set->table.slots,
                                     CARD_COUNTS_TRIED };
    int rc = card_counts_find(&q, s->a, &found, s->e);
    if (rc)
        return rc;
    if (!found.proved)
        note_untold(s, c, c->monthly_microusd + *rank_microusd);
    if (!found.chosen)
        s->card_use = fmin(s->card_use, use.use);
    *rank_microusd = found.rank_microusd;
    return 0;
}

/* Whether nothing of the load waits for the burst of the instance, as its verdict will be. */
static int burst_does(const struct auto_search *s, const struct candidate *c, bool *out)
{
    const struct plan probe = { .demand = s->d,
                                .headroom_pct = s->o->headroom_pct,
                                .instance.caps = c->caps };
    struct plan_burst burst;
    int rc = plan_replay_burst(&probe, &burst, s->e);
    *out = !rc && burst.known && burst.minutes_throttled_s <= 0;
    return rc;
}

static int try_candidate(struct auto_search *s, const struct candidate *c)
{
    const struct rule_set *set = &s->sets[c->rule_set];
    int64_t best = set->table.cells ? count_table_best(&set->table, c->volumes) : UNKNOWN;
    if (best == UNKNOWN)
        return 0;
    bool carries = true;
    int rc = c->by_burst ? burst_does(s, c, &carries) : 0;
    if (rc || !carries)
        return rc;
    int64_t rank = count_table_rank(&set->table, best);
    rc = fit_cards(s, c, best, &rank);
    if (rc || rank == UNKNOWN)
        return rc;
    int64_t objective = c->monthly_microusd + rank;
    s->best.n_tried++;
    if (!s->best.type || objective < s->best.objective_microusd) {
        s->best.type = c->type;
        s->best.weighting = c->weighting;
        s->best.objective_microusd = objective;
    }
    return 0;
}

struct lack {
    enum ceiling ceiling;
    double needed, offered;
};

static double ratio_of(const struct lack *l)
{
    if (isnan(l->needed))
        return 0;
    return l->offered > 0 ? l->needed / l->offered : INFINITY;
}

static double figure(int64_t v)
{
    return v == UNKNOWN ? NAN : (double)v;
}

/* Volumes that the system needs at least in one set of rules; infinite when a group cannot be
 * carried under them. */
static double fewest_in(const struct auto_search *s, const struct rule_set *set)
{
    const struct free_groups *f = &set->free_groups;
    return f->fewest == UNKNOWN ? INFINITY
                                : (double)(f->fewest + f->kept + plan_root_volumes(s->d->layout));
}

/* On a type: under its own rules where it is a candidate, else under those that need fewest; NaN
 * when none are known that do. */
static double fewest_on(const struct auto_search *s, const struct instance_type *t)
{
    double fewest = INFINITY;
    for (size_t i = 0; i < s->n_candidates; i++)
        if (s->candidates[i].type == t)
            return fewest_in(s, &s->sets[s->candidates[i].rule_set]);
    for (size_t i = 0; i < s->n_sets; i++)
        fewest = fmin(fewest, fewest_in(s, &s->sets[i]));
    return isinf(fewest) ? NAN : fewest;
}

static struct lack worst_lack(const struct auto_search *s, const struct candidate *c)
{
    const struct host_need *n = &s->need;
    const struct lack lacks[] = {
        { CEILING_VCPU, figure(n->vcpu), figure(c->type->vcpu) },
        { CEILING_MEMORY, figure(n->memory_mib) / 1024, figure(c->type->memory_mib) / 1024 },
        { CEILING_INSTANCE_THROUGHPUT, n->mb_s, c->caps.baseline_mb_s },
        { CEILING_INSTANCE_IOPS, n->iops, c->caps.baseline_iops },
        { CEILING_ATTACHMENTS, fewest_on(s, c->type), figure(c->caps.volumes) },
    };
    struct lack worst = lacks[0];
    for (size_t i = 1; i < sizeof lacks / sizeof *lacks; i++)
        if (ratio_of(&lacks[i]) > ratio_of(&worst))
            worst = lacks[i];
    return worst;
}

/* Of the types of the architecture the one whose worst lack is least. */
static void nearest_of(struct auto_search *s)
{
    struct host_need any = s->need;
    struct lack nearest = { CEILING_INSTANCE_THROUGHPUT, s->need.mb_s, NAN };
    double least = INFINITY;
    any.vcpu = any.memory_mib = UNKNOWN;
    for (size_t i = 0; i < s->o->catalogue->n_instances; i++) {
        struct candidate c = { .type = &s->o->catalogue->instances[i] };
        if (!host_is_candidate(c.type, &any) || !caps_of(s, c.type, &c))
            continue;
        struct lack l = worst_lack(s, &c);
        if (ratio_of(&l) < least) {
            least = ratio_of(&l);
            nearest = l;
        }
    }
    if (!isinf(s->card_use))
        nearest = (struct lack){ CEILING_EBS_CARD, s->card_use, 1 };
    s->best.ceiling = nearest.ceiling;
    s->best.needed = nearest.needed;
    s->best.offered = nearest.offered;
}

int instance_auto_choose(const struct system_demand *d, const struct plan_options *o,
                         struct arena *a, struct instance_auto *out, struct err *e)
{
    struct auto_search s = { .d = d,
                             .o = o,
                             .a = a,
                             .e = e,
                             .floor_microusd = UNKNOWN,
                             .best = { .objective_microusd = UNKNOWN },
                             .card_use = INFINITY };
    int rc = host_need_of(d, o, &s.need, e);
    if (!rc)
        rc = candidates_of(&s);
    if (!rc)
        rc = rule_sets_of(&s);
    for (size_t i = 0; i < s.n_candidates && !rc; i++) {
        const struct candidate *c = &s.candidates[i];
        if (s.best.type && c->monthly_microusd + s.floor_microusd >= s.best.objective_microusd) {
            s.best.n_pruned = s.n_candidates - i;
            break;
        }
        rc = try_candidate(&s, c);
    }
    if (rc)
        return rc;
    if (!s.best.type && !s.untold)
        nearest_of(&s);
    s.best.cut_short = s.untold && (!s.best.type || s.untold_microusd < s.best.objective_microusd);
    if (!s.best.type && s.untold) {
        s.best.type = s.untold->type;
        s.best.weighting = s.untold->weighting;
        s.best.objective_microusd = s.untold_microusd;
    }
    *out = s.best;
    return 0;
}
