/* planner/diagnose/plan_findings.c - see plan_findings.h. */
#include "planner/diagnose/plan_findings.h"

#include "models/core/unit.h"

#include <math.h>

/* A group brings at most six, the host two, every quota one. */
enum { PER_GROUP = 6, OF_HOST = 2 };

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

static int add_one_evidence(struct list *l, struct finding *f, struct finding_evidence at)
{
    struct finding_evidence *ev = arena_alloc(l->a, sizeof *ev);
    if (!f || !ev || !at.value)
        return ERR_NOMEM;
    *ev = at;
    f->evidence = ev;
    f->n_evidence = 1;
    return 0;
}

static int add_evidence(struct list *l, struct finding *f, const struct group_demand *d,
                        const char *value)
{
    return add_one_evidence(l, f,
                            (struct finding_evidence){ d->peak_file, d->peak_line,
                                                       d->demand.time_of_max_ms, value });
}

/* A peak without the factor that stands for what its average hides. */
static double as_measured(const struct group_demand *d, double peak)
{
    return isnan(d->peak_factor) ? peak : peak / d->peak_factor;
}

/* Provisioned IOPS of today's volumes together; NaN where the type has none. */
static double provisioned_iops(const struct plan_group *g)
{
    if (!g->today.known || g->today.spec.iops == UNKNOWN)
        return NAN;
    return (double)g->today.spec.iops * (double)g->today.spec.count;
}

static int at_throughput_ceiling(struct list *l, const struct plan_group *g)
{
    const struct group_demand *d = g->demand;
    char mibps[48], ceiling[48], guest[48], counted[48], have[48], minutes[48];
    double iops = provisioned_iops(g);
    unit_format(mibps, as_measured(d, d->demand.total_mibps), 0);
    unit_format(ceiling, d->ceiling.max_throughput_mibps, 0);
    unit_format(guest, d->peak_total_iops, 0);
    unit_format(counted, d->peak_counted_iops, 0);
    unit_format(have, iops, 0);
    unit_format(minutes, d->ceiling_seconds / 60, 0);
    const char *title =
        arena_printf(l->a,
                     "%s is at the throughput ceiling of its volumes, %s MiB/s, for %s minutes",
                     g->group->name, ceiling, minutes);
    const char *advice =
        "buy throughput, not IOPS: more volumes, or the settings of the plan; then "
        "measure a peak again, since what was measured is a lower bound";
    struct finding *f =
        add(l, "throughput_ceiling", SEVERITY_ERROR, VERDICT_CERTAIN, title, advice);
    const char *value =
        isnan(iops) || isnan(d->peak_total_iops)
            ? arena_printf(l->a, "%s MiB/s", mibps)
            : arena_printf(l->a,
                           "%s MiB/s with %s requests/s of the guest (%.0f %% of %s provisioned "
                           "IOPS); EBS counts %s of 256 KiB (%.0f %%)",
                           mibps, guest, 100 * d->peak_total_iops / iops, have, counted,
                           100 * d->peak_counted_iops / iops);
    int rc = add_evidence(l, f, d, value);
    if (rc)
        return rc;
    f->ceiling = ceiling_name(CEILING_THROUGHPUT);
    const char **not_this = arena_array(l->a, 1, sizeof *not_this);
    if (!not_this)
        return ERR_NOMEM;
    if (!(d->censored_by & POINT_CENSORED_IOPS) && d->peak_counted_iops < 0.95 * iops) {
        not_this[0] = arena_printf(l->a, "IOPS: %s of %s counted", counted, have);
        if (!not_this[0])
            return ERR_NOMEM;
        f->not_this = not_this;
        f->n_not_this = 1;
    }
    return 0;
}

static int at_iops_ceiling(struct list *l, const struct plan_group *g)
{
    const struct group_demand *d = g->demand;
    char counted[48], ceiling[48];
    unit_format(counted, as_measured(d, d->demand.counted_iops), 0);
    unit_format(ceiling, d->ceiling.max_iops, 0);
    struct finding *f =
        add(l, "iops_ceiling", SEVERITY_ERROR, VERDICT_CERTAIN,
            arena_printf(l->a, "%s is at the IOPS ceiling of its volumes, %s", g->group->name,
                         ceiling),
            "what was measured is a lower bound; take the plan, then measure a peak again");
    int rc = add_evidence(l, f, d, arena_printf(l->a, "%s requests/s as EBS counts", counted));
    if (!rc)
        f->ceiling = ceiling_name(CEILING_IOPS);
    return rc;
}

/* A sum that says nothing, since one of the volumes it is made of is full. */
static int has_hot_volume(struct list *l, const struct plan_group *g)
{
    const struct hot_volume *h = &g->demand->hot;
    char mibps[48], counted[48], minutes[48];
    unit_format(mibps, h->mibps, 0);
    unit_format(counted, h->counted_iops, 0);
    unit_format(minutes, h->ceiling_seconds / 60, 0);
    struct finding *f =
        add(l, "hot_volume", SEVERITY_WARNING, VERDICT_CERTAIN,
            arena_printf(l->a,
                         "a volume of %s is at its own ceiling for %s minutes while the group is "
                         "not (%zu of its %zu volumes in turn)",
                         g->group->name, minutes, h->n_at_ceiling, h->n_volumes),
            "the group is planned for its busiest volume, not for the mean; find out why the load "
            "is not spread before buying for it");
    const char *value =
        arena_printf(l->a,
                     "%s: %s MiB/s, %s requests/s as EBS counts, %.0f %% of what it can do, %.1f "
                     "times the mean of its group",
                     h->name, mibps, counted, h->used_pct, h->skew);
    return add_one_evidence(l, f, (struct finding_evidence){ h->file, h->line, h->time_ms, value });
}

static int waited(struct list *l, const struct plan_group *g)
{
    const struct group_demand *d = g->demand;
    char mibps[48];
    unit_format(mibps, as_measured(d, d->demand.total_mibps), 0);
    struct finding *f = add(
        l, "redo_waits", SEVERITY_WARNING, VERDICT_LIKELY,
        arena_printf(l->a, "the database waited for its redo while %s was measured",
                     g->group->name),
        "the peak is a lower bound: lift the ceiling that held up the redo, then measure again");
    int rc = add_evidence(l, f, d,
                          arena_printf(l->a,
                                       "at least %s MiB/s%s, with waits for log buffer space "
                                       "or a log switch in the same AWR period",
                                       mibps, isnan(d->peak_factor) ? "" : " on average"));
    if (!rc)
        f->ceiling = ceiling_name(CEILING_WAITS);
    return rc;
}

static int had_artefacts(struct list *l, const struct plan_group *g)
{
    /* TUNING: a clock that slips makes one in hundreds; more is a layout that cannot be right. */
    static const double doubtful_share = 0.05;
    const struct load_profile *p = &g->demand->profile;
    bool doubtful = (double)p->artefacts > doubtful_share * (double)p->samples;
    struct finding *f =
        add(l, "artefact", doubtful ? SEVERITY_WARNING : SEVERITY_INFO, VERDICT_LIKELY,
            arena_printf(l->a, "%zu of %zu samples of %s were set apart", p->artefacts, p->samples,
                         g->group->name),
            doubtful ? "correct the volumes, their dates or the instance type of the layout: with "
                       "these the load cannot have been; then plan again"
                     : "two intervals counted as one; nothing to do");
    return add_evidence(l, f, g->demand,
                        "above 1.1 times the most that its volumes or the instance can do");
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
        return d->profile.artefacts ? had_artefacts(l, g) : not_measured(l, g);
    if (!rc && d->censored_by & POINT_CENSORED_THROUGHPUT)
        rc = at_throughput_ceiling(l, g);
    if (!rc && d->censored_by & POINT_CENSORED_IOPS)
        rc = at_iops_ceiling(l, g);
    if (!rc && d->censored_by & POINT_HOT_VOLUME && d->hot.ceiling_seconds > 0)
        rc = has_hot_volume(l, g);
    if (!rc && d->censored_by == POINT_CENSORED_WAITS)
        rc = waited(l, g);
    if (!rc && d->profile.artefacts)
        rc = had_artefacts(l, g);
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
    const char *weight = i->ebs_1_fits ? "set bandwidth weighting ebs-1, which is free; or " : "";
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

struct provisioned {
    int64_t iops, gib;
};

static void add_volumes(struct provisioned *sum, const struct volume_spec *v, enum volume_type type)
{
    if (v->type != type || v->count < 1)
        return;
    sum->gib += v->size_gib > 0 ? v->size_gib * v->count : 0;
    sum->iops += v->iops > 0 ? v->iops * v->count : 0;
}

/* What the volumes of a type in the plan add up to. */
static struct provisioned provisioned_of(const struct plan *p, enum volume_type type)
{
    struct provisioned sum = { 0 };
    for (size_t g = 0; g < p->n_groups; g++) {
        const struct plan_group *group = &p->groups[g];
        if (!group->kept)
            add_volumes(&sum, &group->chosen.spec, type);
        for (size_t i = 0; group->kept && i < group->group->n_volumes; i++)
            add_volumes(&sum, &group->group->volumes[i].spec, type);
    }
    return sum;
}

static int over_quota(struct list *l, const struct plan *p, const struct region_quota *q)
{
    struct provisioned have = provisioned_of(p, q->type);
    bool iops = q->max_iops != UNKNOWN && have.iops > q->max_iops;
    bool gib = q->max_gib != UNKNOWN && have.gib > q->max_gib;
    char n[48], most[48];
    if (!iops && !gib)
        return 0;
    unit_format(n, (double)(iops ? have.iops : have.gib), 0);
    unit_format(most, (double)(iops ? q->max_iops : q->max_gib), 0);
    struct finding *f =
        add(l, "region_quota", SEVERITY_WARNING, VERDICT_LIKELY,
            arena_printf(l->a, "the plan has %s %s of %s; an account starts with %s in a Region", n,
                         iops ? "IOPS" : "GiB", volume_type_name(q->type), most),
            "look at Service Quotas, where the account may have more, or less left: its other "
            "volumes count too; ask for the rest before the day");
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

int plan_findings(struct plan *p, struct arena *a, struct err *e)
{
    size_t room = p->n_groups * PER_GROUP + OF_HOST + p->options_used.catalogue->n_quotas;
    struct list l = { arena_array(a, room, sizeof *l.at), 0, a };
    int rc = l.at ? 0 : ERR_NOMEM;
    for (size_t i = 0; i < p->n_groups && !rc; i++)
        rc = of_group(&l, &p->groups[i]);
    if (!rc && p->instance.verdict == INSTANCE_TOO_SMALL)
        rc = of_instance(&l, p);
    for (size_t i = 0; i < p->options_used.catalogue->n_quotas && !rc; i++)
        rc = over_quota(&l, p, &p->options_used.catalogue->quotas[i]);
    if (!rc && p->demand->n_unclaimed)
        rc = unclaimed(&l, p);
    if (rc)
        return err_nomem(e);
    p->findings = l.at;
    p->n_findings = l.n;
    return 0;
}
