/* planner/diagnose/plan_findings.c - see plan_findings.h. */
#include "planner/diagnose/plan_findings.h"

#include "models/core/unit.h"
#include "planner/diagnose/region_use.h"
#include "planner/diagnose/rule.h"

#include <stdio.h>

/* A group brings at most two that only a plan tells, the host two, every quota one. */
enum { PER_GROUP = 3, OF_HOST = 2 };

struct list {
    struct finding *at;
    size_t n;
    struct arena *a;
};

/* Adds a finding; the texts are NULL when memory was out.  Returns it, or NULL then. */
static struct finding *add(struct list *l, const char *id, enum severity severity,
                           enum verdict verdict, const char *title, const char *advice)
{
    if (!title || !advice)
        return NULL;
    struct finding *f = &l->at[l->n++];
    *f = (struct finding){
        .id = id, .severity = severity, .verdict = verdict, .title = title, .advice = advice
    };
    return f;
}

static int not_measured(struct list *l, const struct plan_group *g)
{
    struct finding *f =
        add(l, "not_measured", SEVERITY_WARNING, VERDICT_CERTAIN,
            arena_printf(l->a, "nothing was measured for %s", g->group->name),
            g->kept
                ? "today's volumes are kept; name its devices in the layout, or ingest their iostat"
                : "planned for its size alone; name its devices in the layout, or ingest their "
                  "iostat");
    return f ? 0 : ERR_NOMEM;
}

static int kept_too_small(struct list *l, const struct plan_group *g)
{
    struct finding *f =
        add(l, "kept_too_small", SEVERITY_WARNING, VERDICT_CERTAIN,
            arena_printf(l->a, "%s is kept by policy but does not carry its peak with headroom",
                         g->group->name),
            "take \"keep\" out of its policy in the layout");
    if (!f)
        return ERR_NOMEM;
    f->ceiling = ceiling_name(g->today.binding);
    return 0;
}

static bool of_one_size(const struct layout_group *g)
{
    for (size_t i = 1; i < g->n_volumes; i++)
        if (g->volumes[i].spec.size_gib != g->volumes[0].spec.size_gib)
            return false;
    return true;
}

static int kept_unequal(struct list *l, const struct plan_group *g)
{
    struct finding *f =
        add(l, "kept_unequal", SEVERITY_WARNING, VERDICT_CERTAIN,
            arena_printf(l->a, "%s is kept with volumes of several sizes", g->group->name),
            "striping follows size, so the largest is the busiest: make them equal, or set "
            "\"equal_size\" of its policy to false");
    return f ? 0 : ERR_NOMEM;
}

static int of_group(struct list *l, const struct plan_group *g)
{
    const struct group_demand *d = g->demand;
    int rc = 0;
    if (g->kept && g->group->policy.equal_size && !of_one_size(g->group))
        rc = kept_unequal(l, g);
    if (!rc && d->demand.grade == GRADE_NONE)
        return d->profile.artefacts ? 0 : not_measured(l, g);
    if (!rc && g->kept && !g->today.carries)
        rc = kept_too_small(l, g);
    return rc;
}

static const char *too_small_title(struct arena *a, const struct plan *p)
{
    const struct plan_instance *i = &p->instance;
    double factor = 1 + p->headroom_pct / 100;
    char needed[48], offered[48];
    switch (i->ceiling) {
    case CEILING_ATTACHMENTS:
        return arena_printf(a, "%s attaches %lld volumes, the plan has %lld", i->type->name,
                            (long long)i->caps.volumes, (long long)i->attachments);
    case CEILING_EBS_CARD:
        return arena_printf(
            a, "one of the %lld EBS cards of %s can be loaded to %.0f %% with headroom",
            (long long)i->type->ebs_cards, i->type->name, i->card_use * 100);
    case CEILING_INSTANCE_IOPS:
        return arena_printf(a, "%s passes %s IOPS for long, the peak with headroom is %s",
                            i->type->name, unit_format(offered, i->caps.baseline_iops, 0),
                            unit_format(needed, i->demand_iops * factor, 0));
    default:
        return arena_printf(a, "%s passes %s MB/s for long, the peak with headroom is %s",
                            i->type->name, unit_format(offered, i->caps.baseline_mb_s, 0),
                            unit_format(needed, i->demand_mb_s * factor, 0));
    }
}

static const char *too_small_advice(struct arena *a, const struct plan_instance *i)
{
    const char *family = i->larger_of_family ? i->larger_of_family->name : NULL;
    const char *any = i->larger ? i->larger->name : NULL;
    const char *weight = i->ceiling == CEILING_EBS_CARD
                             ? "give every group a number of volumes that its cards divide "
                               "(min_count), a part on each card; or "
                         : i->ebs_1_fits ? "set bandwidth weighting ebs-1, which is free; or "
                                         : "";
    if (family && any && i->larger != i->larger_of_family)
        return arena_printf(a,
                            "%stake %s, the cheapest of its family that holds, or %s, the "
                            "cheapest of all",
                            weight, family, any);
    if (any)
        return arena_printf(a, "%stake %s, the cheapest that holds", weight, any);
    return arena_printf(a,
                        "%sno type with its CPU, memory and architecture holds: lower the load, "
                        "or spread it over several hosts",
                        weight);
}

static int of_instance(struct list *l, const struct plan *p)
{
    struct finding *f = add(l, "instance_too_small", SEVERITY_WARNING, VERDICT_CERTAIN,
                            too_small_title(l->a, p), too_small_advice(l->a, &p->instance));
    if (!f)
        return ERR_NOMEM;
    f->ceiling = ceiling_name(p->instance.ceiling);
    return 0;
}

/* The group whose log member Oracle reads, where this one holds another member and would not carry
 * what is read there; NULL. */
static const struct plan_group *heavier_member(const struct plan *p, const struct plan_group *g)
{
    double factor = 1 + p->headroom_pct / 100;
    if (g->group->role != ROLE_REDO || g->group->log_member == UNKNOWN || !g->chosen.spec.count)
        return NULL;
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct plan_group *other = &p->groups[i];
        const struct demand *d = &other->demand->demand;
        if (other->group->role == ROLE_REDO && other->group->log_member != UNKNOWN &&
            other->group->log_member != g->group->log_member && d->read_mibps > 0 &&
            (d->total_mibps * factor > g->chosen.group_max_throughput_mibps * (1 + 1e-9) ||
             d->counted_iops * factor > g->chosen.group_max_iops * (1 + 1e-9)))
            return other;
    }
    return NULL;
}

static int other_member(struct list *l, const struct plan *p, const struct plan_group *g)
{
    const struct plan_group *first = heavier_member(p, g);
    char spec[96], usd[48];
    if (!first || !first->chosen.spec.count)
        return 0;
    struct finding *f = add(
        l, "other_log_member", SEVERITY_INFO, VERDICT_CERTAIN,
        arena_printf(l->a,
                     "%s is sized for a log member that is hardly read: it would not carry %s",
                     g->group->name, first->group->name),
        arena_printf(l->a,
                     "should that member be lost, or the order in V$LOGFILE change, its reads move "
                     "here: %s, %s USD, carries either",
                     volume_spec_format(spec, &first->chosen.spec),
                     unit_format_usd(usd, first->chosen.total_microusd)));
    return f ? 0 : ERR_NOMEM;
}

static int over_quota(struct list *l, const struct region_use *use, const struct region_quota *q)
{
    const struct provisioned *planned = &use->planned[q->type], *other = &use->loaded[q->type];
    struct provisioned sum = { planned->iops + other->iops, planned->gib + other->gib };
    bool iops = q->max_iops != UNKNOWN && sum.iops > q->max_iops && planned->iops;
    bool gib = q->max_gib != UNKNOWN && sum.gib > q->max_gib && planned->gib;
    char n[48], most[48], all[48], with[120] = "";
    if (!iops && !gib)
        return 0;
    unit_format(n, (double)(iops ? planned->iops : planned->gib), 0);
    unit_format(most, (double)(iops ? q->max_iops : q->max_gib), 0);
    if (iops ? other->iops : other->gib)
        snprintf(with, sizeof with, ", %s with the other volumes that are loaded",
                 unit_format(all, (double)(iops ? sum.iops : sum.gib), 0));
    struct finding *f =
        add(l, "region_quota", SEVERITY_WARNING, VERDICT_LIKELY,
            arena_printf(l->a, "the plan has %s %s of %s%s; an account starts with %s in a Region",
                         n, iops ? "IOPS" : "GiB", volume_type_name(q->type), with, most),
            "look at Service Quotas, where the account may have more, or less left: all its "
            "volumes count; ask for the rest before the day");
    return f ? 0 : ERR_NOMEM;
}

static int unclaimed(struct list *l, const struct plan *p)
{
    struct finding *f =
        add(l, "unclaimed_devices", SEVERITY_INFO, VERDICT_CERTAIN,
            arena_printf(l->a, "%zu measured devices belong to no group of the layout",
                         p->demand->n_unclaimed),
            "name them in the layout when they are volumes: the instance carries them too");
    return f ? 0 : ERR_NOMEM;
}

/* What diagnose would say of the measured demand. */
static int of_demand(const struct plan *p, struct arena *a, const struct finding **out,
                     size_t *out_n, struct err *e)
{
    struct run r = { .load = p->demand->load,
                     .layout = p->demand->layout,
                     .layout_given = true,
                     .demand = p->demand,
                     .catalogue = p->options_used.catalogue,
                     .as_of_ms = p->as_of_ms,
                     .has = NEED_SERIES | NEED_SNAPSHOTS | NEED_LAYOUT,
                     .arena = a };
    run_rules(&r, &rules_of_demand);
    return run_findings(&r, out, out_n, e);
}

int plan_findings(struct plan *p, struct arena *a, struct err *e)
{
    const struct finding *measured = NULL;
    size_t n = 0;
    int rc = of_demand(p, a, &measured, &n, e);
    if (rc)
        return rc;
    size_t room = n + p->n_groups * PER_GROUP + OF_HOST + p->options_used.catalogue->n_quotas;
    struct list l = { arena_grow(a, measured, n, room, sizeof *l.at), n, a };
    rc = l.at ? 0 : ERR_NOMEM;
    for (size_t i = 0; i < p->n_groups && !rc; i++)
        rc = of_group(&l, &p->groups[i]);
    for (size_t i = 0; i < p->n_groups && !rc; i++)
        rc = other_member(&l, p, &p->groups[i]);
    if (!rc && p->instance.verdict == INSTANCE_TOO_SMALL)
        rc = of_instance(&l, p);
    struct region_use use;
    if (!rc)
        rc = region_use_of(p, a, &use);
    for (size_t i = 0; i < p->options_used.catalogue->n_quotas && !rc; i++)
        rc = over_quota(&l, &use, &p->options_used.catalogue->quotas[i]);
    if (!rc && p->demand->n_unclaimed)
        rc = unclaimed(&l, p);
    if (rc)
        return err_nomem(e);
    p->findings = l.at;
    p->n_findings = l.n;
    return 0;
}
