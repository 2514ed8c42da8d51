/* planner/diagnose/rules_ceilings.c - which limit the measured load stands at.
 *
 * A group is at a ceiling where system_demand says so (0.95 of it or more, under the rules of the
 * sample's day); the instance where the sum over the groups stands within 5 % of what it sustains
 * for at least three samples.  Above 1.1 times a ceiling nothing can have been: two intervals
 * counted as one, or a layout that is not so. */
#include "planner/diagnose/awr_find.h"
#include "planner/diagnose/group_words.h"

#include "models/core/unit.h"
#include "models/ebs/vol_rule.h"
#include "models/ec2/instance_caps.h"
#include "planner/demand/redo_waits.h"

#include <math.h>

/* TUNING: three samples, since one may be chance and a plateau of two minutes is none. */
enum { PLATEAU_SAMPLES = 3 };
static const double AT_CEILING = 0.95, ABOVE_CEILING = 1.1;

/* --- volumes ---------------------------------------------------------------------------------- */

/* Of all points at a ceiling the first and the largest. */
static void see_points(struct run *r, struct draft *d, const struct group_demand *g, unsigned flag)
{
    const struct load_point *first = NULL, *most = NULL;
    for (size_t i = 0; i < g->points.n; i++) {
        const struct load_point *p = &g->points.at[i];
        if (!(p->flags & flag) || p->flags & POINT_ARTEFACT)
            continue;
        if (!first)
            first = p;
        if (!most || point_total_mibps(p) > point_total_mibps(most))
            most = p;
    }
    if (most && flag == POINT_CENSORED_IOPS)
        see_group_requests(r, d, g, most->begin_ms);
    if (most)
        see_group(r, d, g, most->begin_ms);
    if (first)
        see_group(r, d, g, first->begin_ms);
}

static const struct load_point *peak_point(const struct group_demand *g)
{
    for (size_t i = 0; i < g->points.n; i++)
        if (g->points.at[i].begin_ms <= g->demand.time_of_max_ms &&
            g->points.at[i].end_ms > g->demand.time_of_max_ms)
            return &g->points.at[i];
    return NULL;
}

/* gp3 at what comes free with it. */
static const struct layout_volumes *default_gp3(const struct group_demand *g)
{
    for (size_t i = 0; i < g->group->n_volumes; i++) {
        const struct volume_spec *v = &g->group->volumes[i].spec;
        if (v->type == VOL_GP3 && (v->throughput_mibps == UNKNOWN || v->throughput_mibps <= 125))
            return &g->group->volumes[i];
    }
    return NULL;
}

static bool at_throughput(const struct group_demand *g)
{
    return g->demand.grade != GRADE_NONE && g->censored_by & POINT_CENSORED_THROUGHPUT;
}

static void not_iops(struct run *r, struct draft *d, const struct group_demand *g)
{
    char counted[48], have[48];
    double iops = group_provisioned_iops(g);
    if (!(g->censored_by & POINT_CENSORED_IOPS) && g->peak_counted_iops < AT_CEILING * iops)
        draft_not(r, d, "IOPS: EBS counts these requests as %s of %s (%.0f %%)",
                  unit_format(counted, g->peak_counted_iops, 0), unit_format(have, iops, 0),
                  100 * g->peak_counted_iops / iops);
}

static void throughput_of(struct run *r, const struct rule *rule, const struct group_demand *g)
{
    double iops = group_provisioned_iops(g);
    bool gives_share = !isnan(iops) && !isnan(g->peak_total_iops);
    char sent[48];
    struct draft *d =
        draft_add(r, rule, VERDICT_CERTAIN, g->group->name,
                  (const char *const[]){
                      "group", g->group->name, "ceiling",
                      number_words(r, g->ceiling.max_throughput_mibps, 0), "minutes",
                      minutes_words(r, g->ceiling_seconds), "iops",
                      gives_share ? arena_printf(r->arena,
                                                 "; the guest sends %s requests/s, %.0f %% of its "
                                                 "IOPS",
                                                 unit_format(sent, g->peak_total_iops, 0),
                                                 100 * g->peak_total_iops / iops)
                                  : "",
                      NULL });
    see_points(r, d, g, POINT_CENSORED_THROUGHPUT);
    see_volumes(r, d, g);
    draft_ceiling(d, ceiling_name(CEILING_THROUGHPUT));
    not_iops(r, d, g);
}

static void test_throughput(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->demand->n_groups; i++)
        if (at_throughput(&r->demand->groups[i]))
            throughput_of(r, rule, &r->demand->groups[i]);
}

static void test_gp3_default(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->demand->n_groups; i++) {
        const struct group_demand *g = &r->demand->groups[i];
        const struct layout_volumes *v = default_gp3(g);
        bool raised = v && v->spec.iops != UNKNOWN && v->spec.iops > 3000;
        if (!v || !(raised || at_throughput(g)))
            continue;
        bool hit = at_throughput(g);
        struct draft *d =
            draft_add(r, rule, hit ? VERDICT_CERTAIN : VERDICT_LIKELY, g->group->name,
                      (const char *const[]){ "group", g->group->name, "is",
                                             hit ? "stands at" : "is left at", NULL });
        if (!hit)
            draft_severity(d, SEVERITY_WARNING);
        else
            see_points(r, d, g, POINT_CENSORED_THROUGHPUT);
        see_volumes(r, d, g);
        draft_ceiling(d, ceiling_name(CEILING_THROUGHPUT));
        if (raised)
            draft_not(r, d, "more IOPS: %lld carry up to %.0f MiB/s in 256 KiB requests already",
                      (long long)v->spec.iops, fmin((double)v->spec.iops / 4, 2000));
    }
}

/* Both ceilings of st1 and sc1 are one: requests of 1 MiB. */
static bool is_hdd(const struct group_demand *g)
{
    enum volume_type t = g->group->n_volumes ? g->group->volumes[0].spec.type : VOL_TYPE_COUNT;
    return t == VOL_ST1 || t == VOL_SC1;
}

static void test_iops(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->demand->n_groups; i++) {
        const struct group_demand *g = &r->demand->groups[i];
        if (g->demand.grade == GRADE_NONE || !(g->censored_by & POINT_CENSORED_IOPS) ||
            (is_hdd(g) && at_throughput(g)))
            continue;
        struct draft *d =
            draft_add(r, rule, VERDICT_CERTAIN, g->group->name,
                      (const char *const[]){ "group", g->group->name, "ceiling",
                                             number_words(r, g->ceiling.max_iops, 0), NULL });
        see_points(r, d, g, POINT_CENSORED_IOPS);
        see_volumes(r, d, g);
        draft_ceiling(d, ceiling_name(CEILING_IOPS));
        if (!(g->censored_by & POINT_CENSORED_THROUGHPUT) && g->ceiling.max_throughput_mibps > 0 &&
            peak_point(g)) {
            char seen[48], most[48];
            draft_not(r, d, "throughput: %s of %s MiB/s",
                      unit_format(seen, point_total_mibps(peak_point(g)), 0),
                      unit_format(most, g->ceiling.max_throughput_mibps, 0));
        }
    }
}

/* A sum that says nothing, since one of the volumes it is made of is full. */
static void test_hot_volume(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->demand->n_groups; i++) {
        const struct group_demand *g = &r->demand->groups[i];
        const struct hot_volume *h = &g->hot;
        if (g->demand.grade == GRADE_NONE || !(g->censored_by & POINT_HOT_VOLUME) ||
            !(h->ceiling_seconds > 0))
            continue;
        struct draft *d =
            draft_add(r, rule, VERDICT_CERTAIN, g->group->name,
                      (const char *const[]){ "group", g->group->name, "volume", h->name, "minutes",
                                             minutes_words(r, h->ceiling_seconds), "n",
                                             arena_printf(r->arena, "%zu", h->n_at_ceiling), "of",
                                             arena_printf(r->arena, "%zu", h->n_volumes), "skew",
                                             number_words(r, h->skew, 1), NULL });
        see_group_member(r, d, g, h->name, h->time_ms);
        see_volumes(r, d, g);
        draft_not(r, d, "the group's mean: it is %.1f times lower and hides this volume", h->skew);
    }
}

/* The reports that told of the waits, the one with most of them first. */
static void see_waits(struct run *r, struct draft *d)
{
    static const char *const names[] = { "log buffer space", "log file switch (archiving",
                                         "log file switch (checkpoint" };
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        for (size_t k = 0; redo_waited(w) && k < sizeof names / sizeof *names; k++) {
            const struct awr_event *ev = awr_event_find(w, names[k]);
            if (ev)
                draft_see_event(r, d, w, ev);
        }
    }
}

static void test_redo_waits(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->demand->n_groups; i++) {
        const struct group_demand *g = &r->demand->groups[i];
        if (g->demand.grade == GRADE_NONE || g->censored_by != POINT_CENSORED_WAITS)
            continue;
        bool averaged = !isnan(g->peak_factor);
        double mibps = g->demand.total_mibps / (averaged ? g->peak_factor : 1);
        struct draft *d = draft_add(r, rule, VERDICT_LIKELY, g->group->name,
                                    (const char *const[]){ "group", g->group->name, "mibps",
                                                           number_words(r, mibps, 0), "averaged",
                                                           averaged ? " on average" : "", NULL });
        see_points(r, d, g, POINT_CENSORED_WAITS);
        see_waits(r, d);
        draft_ceiling(d, ceiling_name(CEILING_WAITS));
    }
}

/* --- what cannot have been -------------------------------------------------------------------- */

/* A clock that slips makes one in hundreds; more is a layout that cannot be right. */
static const double DOUBTFUL_SHARE = 0.05;

static void test_artefact(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->demand->n_groups; i++) {
        const struct group_demand *g = &r->demand->groups[i];
        const struct load_profile *p = &g->profile;
        if (!p->artefacts)
            continue;
        bool doubtful = (double)p->artefacts > DOUBTFUL_SHARE * (double)p->samples;
        const struct load_point *most = NULL;
        for (size_t k = 0; k < g->points.n; k++)
            if (g->points.at[k].flags & POINT_ARTEFACT &&
                (!most || point_total_mibps(&g->points.at[k]) > point_total_mibps(most)))
                most = &g->points.at[k];
        struct draft *d = draft_add(
            r, rule, VERDICT_LIKELY, g->group->name,
            (const char *const[]){
                "group", g->group->name, "n", arena_printf(r->arena, "%zu", p->artefacts), "of",
                arena_printf(r->arena, "%zu", p->samples), "do",
                doubtful ? "correct the volumes, their dates or the instance type of the layout: "
                           "with these the load cannot have been; then look again"
                         : "two intervals counted as one; nothing to do",
                NULL });
        if (d && doubtful)
            d->weight = 1; /* before what the figures seem to say */
        else
            draft_severity(d, SEVERITY_INFO);
        if (most) {
            see_group(r, d, g, most->begin_ms);
            see_group_requests(r, d, g, most->begin_ms);
            see_volumes(r, d, g);
        } else
            see_left_out(r, d, g);
        draft_not(r, d, "a burst: nothing passes more than its maximum");
    }
}

/* --- the instance ----------------------------------------------------------------------------- */

static double total_mb_s(const struct load_point *p)
{
    return point_total_mibps(p) * MB_PER_MIB;
}

struct plateau {
    size_t n;
    double seconds;
    const struct load_point *first, *most;
};

/* Samples of the whole host within 5 % of a cap. */
static struct plateau at_cap(const struct system_demand *d, double cap,
                             double (*rate)(const struct load_point *))
{
    struct plateau at = { 0 };
    for (size_t i = 0; i < d->points.n; i++) {
        const struct load_point *p = &d->points.at[i];
        double v = rate(p);
        if (p->flags & POINT_ARTEFACT || !(v >= AT_CEILING * cap && v <= ABOVE_CEILING * cap))
            continue;
        at.n++;
        at.seconds += (double)(p->end_ms - p->begin_ms) / 1e3;
        if (!at.first)
            at.first = p;
        if (!at.most || v > rate(at.most))
            at.most = p;
    }
    return at;
}

static double counted(const struct load_point *p)
{
    return p->counted_iops;
}

static bool caps_of(const struct run *r, const struct instance_type **t, struct instance_caps *caps)
{
    *t = instance_find(r->catalogue, span_of(r->layout->instance_type));
    return *t && !instance_caps(r->catalogue, *t, WEIGHTING_DEFAULT, r->layout->network_interfaces,
                                caps, NULL);
}

static void instance_at(struct run *r, const struct rule *rule, const struct instance_type *t,
                        double cap, const char *unit, enum ceiling ceiling,
                        double (*rate)(const struct load_point *))
{
    struct plateau at = at_cap(r->demand, cap, rate);
    if (!(cap > 0) || at.n < PLATEAU_SAMPLES)
        return;
    struct draft *d = draft_add(r, rule, VERDICT_CERTAIN, NULL,
                                (const char *const[]){
                                    "type", t->name, "cap",
                                    arena_printf(r->arena, "%s %s", number_words(r, cap, 0), unit),
                                    "minutes", minutes_words(r, at.seconds), NULL });
    see_host(r, d, at.most->begin_ms, SEE_ALL);
    draft_ceiling(d, ceiling_name(ceiling));
    for (size_t i = 0; i < r->demand->n_groups; i++) {
        const struct group_demand *g = &r->demand->groups[i];
        if (g->demand.grade != GRADE_NONE && g->ceiling.max_throughput_mibps > 0 && !g->censored_by)
            draft_not(r, d, "%s: its volumes carry %.0f MiB/s and were asked for %.0f",
                      g->group->name, g->ceiling.max_throughput_mibps,
                      g->profile.metrics[METRIC_TOTAL_MIBPS].max);
    }
}

static void test_instance(struct run *r, const struct rule *rule)
{
    const struct instance_type *t;
    struct instance_caps caps;
    if (!caps_of(r, &t, &caps))
        return;
    /* A type that bursts stands at its maximum for half an hour, and is then told of by
     * rules_bursts. */
    instance_at(r, rule, t, caps.max_mb_s, "MB/s", CEILING_INSTANCE_THROUGHPUT, total_mb_s);
    instance_at(r, rule, t, caps.max_iops, "IOPS", CEILING_INSTANCE_IOPS, counted);
}

static void test_attachments(struct run *r, const struct rule *rule)
{
    const struct instance_type *t;
    struct instance_caps caps;
    if (!caps_of(r, &t, &caps) || caps.volumes == UNKNOWN)
        return;
    int64_t n = 1; /* what it boots from */
    for (size_t i = 0; i < r->layout->n_groups; i++)
        for (size_t k = 0; k < r->layout->groups[i].n_volumes; k++)
            n += r->layout->groups[i].volumes[k].spec.count;
    if (n <= caps.volumes)
        return;
    struct draft *d =
        draft_add(r, rule, VERDICT_CERTAIN, NULL,
                  (const char *const[]){
                      "type", t->name, "n", arena_printf(r->arena, "%lld", (long long)n), "limit",
                      arena_printf(r->arena, "%lld", (long long)caps.volumes), NULL });
    for (size_t i = 0; i < r->demand->n_groups; i++)
        see_volumes(r, d, &r->demand->groups[i]);
    draft_ceiling(d, ceiling_name(CEILING_ATTACHMENTS));
}

static void test_ebs_card(struct run *r, const struct rule *rule)
{
    const struct instance_type *t;
    struct instance_caps caps;
    if (!caps_of(r, &t, &caps) || t->ebs_cards < 2)
        return;
    struct plateau at = at_cap(r->demand, caps.max_mb_s / (double)t->ebs_cards, total_mb_s);
    if (at.n < PLATEAU_SAMPLES)
        return;
    struct draft *d =
        draft_add(r, rule, VERDICT_LIKELY, NULL,
                  (const char *const[]){ "type", t->name, "cap",
                                         number_words(r, caps.max_mb_s / (double)t->ebs_cards, 0),
                                         "minutes", minutes_words(r, at.seconds), NULL });
    see_host(r, d, at.most->begin_ms, SEE_ALL);
    draft_missing(d, "which volume is attached to which card (EbsCardIndex of describe-volumes)");
    draft_ceiling(d, "ebs_card");
}

static void test_xen(struct run *r, const struct rule *rule)
{
    const struct instance_type *t = instance_find(r->catalogue, span_of(r->layout->instance_type));
    if (!instance_is_xen(t))
        return;
    for (size_t i = 0; i < r->layout->n_groups; i++)
        for (size_t k = 0; k < r->layout->groups[i].n_volumes; k++) {
            const struct layout_group *g = &r->layout->groups[i];
            if (g->volumes[k].spec.iops == UNKNOWN || g->volumes[k].spec.iops <= 32000)
                continue;
            struct draft *d =
                draft_add(r, rule, VERDICT_CERTAIN, g->name,
                          (const char *const[]){
                              "group", g->name, "type", t->name, "iops",
                              number_words(r, (double)g->volumes[k].spec.iops, 0), NULL });
            see_volumes(r, d, &r->demand->groups[i]);
            draft_ceiling(d, "xen");
        }
}

/* --- the table -------------------------------------------------------------------------------- */

static const char *const better_throughput[] = { "gp3_default_throughput", "bucket_empty", NULL };
static const char *const better_iops[] = { "merge_loss", "bucket_empty", NULL };
static const char *const better_hot[] = { "merge_loss", "hot_disk", NULL };
static const char *const better_artefact[] = { "sum_not_divided", NULL };

#define THROUGHPUT                                                                                 \
    {                                                                                              \
        "throughput_ceiling", NEED_SERIES, SEVERITY_ERROR, test_throughput,                        \
            "{group} is at the throughput ceiling of its volumes, {ceiling} MiB/s, for {minutes}"  \
            "{iops}",                                                                              \
            "buy throughput, not IOPS: more volumes, or the settings of the plan; then measure a " \
            "peak "                                                                                \
            "again, since what was measured is a lower bound",                                     \
            better_throughput                                                                      \
    }
#define IOPS                                                                                       \
    {                                                                                              \
        "iops_ceiling", NEED_SERIES, SEVERITY_ERROR, test_iops,                                    \
            "{group} is at the IOPS ceiling of its volumes, {ceiling}",                            \
            "what was measured is a lower bound; take the plan, then measure a peak again",        \
            better_iops                                                                            \
    }
#define HOT_VOLUME                                                                                 \
    {                                                                                              \
        "hot_volume", NEED_SERIES, SEVERITY_WARNING, test_hot_volume,                              \
            "{volume} of {group} is at its own ceiling for {minutes} while the group is "          \
            "not "                                                                                 \
            "({n} of its {of} volumes in turn)",                                                   \
            "the group is planned for its busiest volume, not for the mean; find out why the "     \
            "load is "                                                                             \
            "not spread before buying for it",                                                     \
            better_hot                                                                             \
    }
#define REDO_WAITS                                                                                 \
    {                                                                                              \
        "redo_waits", NEED_SNAPSHOTS, SEVERITY_WARNING, test_redo_waits,                           \
            "the database waited for its redo while {group} was measured: at least {mibps} "       \
            "MiB/s{averaged}",                                                                     \
            "the peak is a lower bound: lift the ceiling that held up the redo, then measure "     \
            "again",                                                                               \
            NULL                                                                                   \
    }
#define ARTEFACT                                                                                   \
    {                                                                                              \
        "artefact", NEED_SERIES, SEVERITY_WARNING, test_artefact,                                  \
            "{n} of {of} samples of {group} were set apart: more than its volumes or the "         \
            "instance can "                                                                        \
            "do",                                                                                  \
            "{do}", better_artefact                                                                \
    }

static const struct rule rules[] = {
    { "gp3_default_throughput", NEED_LAYOUT, SEVERITY_ERROR, test_gp3_default,
      "{group} {is} the 125 MiB/s that come with gp3, reads and writes together",
      "set the throughput that is needed, up to what the instance passes: 4 IOPS a MiB/s are "
      "needed "
      "for it",
      NULL },
    THROUGHPUT,
    IOPS,
    { "instance_ceiling", NEED_SERIES | NEED_INSTANCE, SEVERITY_ERROR, test_instance,
      "{type} passes {cap} and all groups together stood there for {minutes}",
      "a larger instance type, or less load at the same time: faster volumes change nothing",
      NULL },
    { "attachments", NEED_LAYOUT | NEED_INSTANCE, SEVERITY_ERROR, test_attachments,
      "{type} attaches {limit} volumes, the layout has {n} with the one it boots from",
      "fewer, larger volumes, or another instance type", NULL },
    { "ebs_card", NEED_SERIES | NEED_INSTANCE, SEVERITY_WARNING, test_ebs_card,
      "all groups together stood for {minutes} at {cap} MB/s, what one EBS card of {type} "
      "passes",
      "spread the volumes of each group over both cards", NULL },
    { "xen_cap", NEED_LAYOUT | NEED_INSTANCE, SEVERITY_WARNING, test_xen,
      "{group} has volumes of {iops} IOPS; on {type}, which is not Nitro, each reaches 32 000",
      "a Nitro instance type, or volumes of 32 000 IOPS", NULL },
    HOT_VOLUME,
    ARTEFACT,
};
const struct rule_table rules_ceilings = RULE_TABLE(rules, RANK_CEILINGS);

/* What was measured is a lower bound: behind what the database waited for. */
static const struct rule bounds[] = { REDO_WAITS };
const struct rule_table rules_bounds = RULE_TABLE(bounds, RANK_BOUNDS);

/* Those that a plan tells too. */
static const struct rule of_demand[] = { THROUGHPUT, IOPS, HOT_VOLUME, REDO_WAITS, ARTEFACT };
const struct rule_table rules_of_demand = RULE_TABLE(of_demand, RANK_CEILINGS);
