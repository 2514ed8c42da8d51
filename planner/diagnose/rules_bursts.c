/* planner/diagnose/rules_bursts.c - buckets that are empty, and loads that live on them.
 *
 * gp2, st1 and sc1 fall to a baseline that follows from their size (models/ebs/burst.h), an
 * instance type that bursts to its own after 30 minutes; CloudWatch tells the latter's bucket where
 * it has one.  A plateau at such a figure is the diagnosis: PLATEAU_SAMPLES within PLATEAU_WIDTH of
 * it and nothing above it afterwards.  Source: EBS User Guide (General Purpose SSD, HDD volumes,
 * EBS-optimized instances), domain sheet on EBS section 1. */
#include "planner/diagnose/group_words.h"

#include "models/core/unit.h"
#include "models/ebs/burst.h"
#include "models/ebs/vol_rule.h"
#include "models/ec2/instance_caps.h"

#include <math.h>
#include <string.h>

/* TUNING: ten samples in a row, 3 % apart, are no chance; a burst is told from noise by a tenth. */
enum { PLATEAU_SAMPLES = 10 };
static const double PLATEAU_WIDTH = 0.03, ABOVE = 1.1;

struct plateau {
    size_t n;
    const struct load_point *first, *last, *burst; /* burst: the largest before it */
};

enum rate { RATE_IOPS, RATE_MIBPS };

static double rate_of(const struct load_point *p, enum rate what)
{
    return what == RATE_IOPS ? point_total_iops(p) : point_total_mibps(p);
}

/* The longest run of points at a level; points of no load in between do not end it. */
static struct plateau plateau_at(const struct load_points *points, enum rate what, double level)
{
    struct plateau now = { 0 }, best = { 0 };
    const struct load_point *burst = NULL;
    for (size_t i = 0; i < points->n; i++) {
        const struct load_point *p = &points->at[i];
        double v = rate_of(p, what);
        if (fabs(v - level) <= PLATEAU_WIDTH * level) {
            if (!now.n++) {
                now.first = p;
                now.burst = burst;
            }
            now.last = p;
            if (now.n > best.n)
                best = now;
        } else if (v > level) {
            now.n = 0;
            if (v > ABOVE * level && (!burst || v > rate_of(burst, what)))
                burst = p;
        }
    }
    return best;
}

/* --- volumes ---------------------------------------------------------------------------------- */

static const struct vol_rule *bursting_rule(const struct run *r, const struct layout_volumes *v,
                                            int64_t time_ms, struct vol_limits *limits)
{
    const struct vol_rule *rule =
        vol_rule_at(r->catalogue, v->spec.type, time_ms, r->layout->instance_type, v->since_ms);
    if (!rule || v->spec.size_gib <= 0)
        return NULL;
    *limits = vol_limits(rule, &v->spec, false);
    bool bursts = limits->baseline_iops < limits->max_iops ||
                  limits->baseline_throughput_mibps < limits->max_throughput_mibps;
    bool small = v->spec.type == VOL_GP2 && limits->baseline_iops <= 100;
    return bursts || small ? rule : NULL;
}

static void bucket_empty(struct run *r, const struct rule *rule, const struct group_demand *g,
                         const struct vol_rule *vr, const struct vol_limits *limits)
{
    const struct layout_volumes *v = &g->group->volumes[0];
    double count = (double)v->spec.count;
    bool ssd = v->spec.type == VOL_GP2;
    double level = count * (ssd ? limits->baseline_iops : limits->baseline_throughput_mibps);
    struct plateau at = plateau_at(&g->points, ssd ? RATE_IOPS : RATE_MIBPS, level);
    if (at.n < PLATEAU_SAMPLES)
        return;
    struct burst_bucket bucket = burst_bucket_of(vr, v->spec.size_gib);
    double drain_s = burst_drain_s(&bucket);
    struct draft *d = draft_add(
        r, rule, at.burst ? VERDICT_CERTAIN : VERDICT_LIKELY, g->group->name,
        (const char *const[]){
            "group", g->group->name, "type", volume_type_name(v->spec.type), "level",
            arena_printf(r->arena, "%s %s", number_words(r, level, ssd ? 0 : 1),
                         ssd ? "IOPS" : "MiB/s"),
            "at", time_words(r, at.first->begin_ms), "drain",
            isnan(drain_s) ? "" : arena_printf(r->arena, "; a full bucket lasts %.0f s", drain_s),
            NULL });
    if (at.burst)
        see_group(r, d, g, at.burst->begin_ms);
    see_group(r, d, g, at.first->begin_ms);
    see_group(r, d, g, at.last->begin_ms);
    see_volumes(r, d, g);
    draft_ceiling(d, "burst_bucket");
    draft_not(r, d,
              "the load: it stands at a constant of the volume's size, not at one of its own");
}

static void test_bucket(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->demand->n_groups; i++) {
        const struct group_demand *g = &r->demand->groups[i];
        struct vol_limits limits;
        if (g->group->n_volumes != 1 || !g->points.n)
            continue;
        const struct vol_rule *vr =
            bursting_rule(r, &g->group->volumes[0], g->points.at[0].begin_ms, &limits);
        if (vr)
            bucket_empty(r, rule, g, vr, &limits);
    }
}

static void test_burst_dependent(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->demand->n_groups; i++) {
        const struct group_demand *g = &r->demand->groups[i];
        struct vol_limits limits;
        if (g->group->n_volumes != 1 || !g->points.n || g->demand.grade == GRADE_NONE ||
            !bursting_rule(r, &g->group->volumes[0], g->points.at[0].begin_ms, &limits))
            continue;
        const struct layout_volumes *v = &g->group->volumes[0];
        bool ssd = v->spec.type == VOL_GP2;
        double level =
            (double)v->spec.count * (ssd ? limits.baseline_iops : limits.baseline_throughput_mibps);
        double most = g->profile.metrics[ssd ? METRIC_TOTAL_IOPS : METRIC_TOTAL_MIBPS].max;
        if (!(most > ABOVE * level))
            continue;
        struct draft *d = draft_add(r, rule, VERDICT_CERTAIN, g->group->name,
                                    (const char *const[]){ "group", g->group->name, "most",
                                                           number_words(r, most, 0), "level",
                                                           number_words(r, level, 0), "unit",
                                                           ssd ? "IOPS" : "MiB/s", "type",
                                                           volume_type_name(v->spec.type), NULL });
        see_group(r, d, g, g->demand.time_of_max_ms);
        see_volumes(r, d, g);
        draft_ceiling(d, "burst_bucket");
    }
}

/* --- a plateau at a figure of EBS, where nobody said what the volume is ------------------------
 */

static const struct constant {
    double level;
    enum rate what;
    const char *of;
} constants[] = {
    { 100, RATE_IOPS, "100 IOPS, the baseline of gp2 up to 33 GiB" },
    { 3000, RATE_IOPS, "3 000 IOPS, what comes with gp3 and what gp2 bursts to" },
    { 16000, RATE_IOPS, "16 000 IOPS, the most of gp2, and of gp3 before September 2025" },
    { 125, RATE_MIBPS, "125 MiB/s, what comes with gp3" },
    { 250, RATE_MIBPS, "250 MiB/s, the most of gp2" },
    { 500, RATE_MIBPS, "500 MiB/s, the most of io1 up to 32 000 IOPS" },
    { 1000, RATE_MIBPS, "1 000 MiB/s, the most of io1, and of gp3 before September 2025" },
};

static void test_plateau(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->demand->n_groups; i++) {
        const struct group_demand *g = &r->demand->groups[i];
        if (g->group->n_volumes || g->n_members != 1)
            continue;
        for (size_t k = 0; k < sizeof constants / sizeof *constants; k++) {
            struct plateau at = plateau_at(&g->points, constants[k].what, constants[k].level);
            double most = g->profile
                              .metrics[constants[k].what == RATE_IOPS ? METRIC_TOTAL_IOPS
                                                                      : METRIC_TOTAL_MIBPS]
                              .p999;
            if (at.n < PLATEAU_SAMPLES ||
                (!at.burst && !(most <= (1 + PLATEAU_WIDTH) * constants[k].level)))
                continue;
            struct draft *d =
                draft_add(r, rule, VERDICT_LIKELY, g->members[0].series->name,
                          (const char *const[]){ "device", g->members[0].series->name, "what",
                                                 constants[k].of, "n",
                                                 arena_printf(r->arena, "%zu", at.n), NULL });
            see_group(r, d, g, at.first->begin_ms);
            see_group(r, d, g, at.last->begin_ms);
            draft_missing(d, "the type, size and settings of the volume (describe-volumes, or the "
                             "layout)");
            break;
        }
    }
}

/* --- the instance ----------------------------------------------------------------------------- */

static const struct instance_type *bursting_type(const struct run *r, struct instance_caps *caps)
{
    const struct instance_type *t = instance_find(r->catalogue, span_of(r->layout->instance_type));
    bool known = t && !instance_caps(r->catalogue, t, WEIGHTING_DEFAULT,
                                     r->layout->network_interfaces, caps, NULL);
    return known && caps->baseline_mb_s < caps->max_mb_s ? t : NULL;
}

/* How often the load fell from its burst to the baseline, and when. */
struct falls {
    size_t n;
    const struct load_point *last;
    int64_t shortest_ms, longest_ms; /* from one fall to the next */
};

static void note_fall(struct falls *f, const struct load_point *p)
{
    if (f->n++) {
        int64_t gap = p->begin_ms - f->last->begin_ms;
        f->shortest_ms = f->n == 2 || gap < f->shortest_ms ? gap : f->shortest_ms;
        f->longest_ms = gap > f->longest_ms ? gap : f->longest_ms;
    }
    f->last = p;
}

static struct falls falls_to(const struct load_points *points, double level)
{
    struct falls f = { 0 };
    const struct load_point *first = NULL;
    size_t n = 0;
    bool burst = false;
    for (size_t i = 0; i < points->n; i++) {
        double v = rate_of(&points->at[i], RATE_MIBPS);
        if (fabs(v - level) <= PLATEAU_WIDTH * level) {
            first = n++ ? first : &points->at[i];
            if (n == PLATEAU_SAMPLES && burst) {
                note_fall(&f, first);
                burst = false;
            }
        } else if (v > level) {
            n = 0;
            burst |= v > ABOVE * level;
        }
    }
    return f;
}

/* The burst comes back once in 24 hours. */
static bool daily(const struct falls *f)
{
    static const int64_t hour_ms = 3600000;
    return f->n > 1 && f->shortest_ms >= 22 * hour_ms && f->longest_ms <= 26 * hour_ms;
}

static void test_instance_burst(struct run *r, const struct rule *rule)
{
    struct instance_caps caps;
    const struct instance_type *t = bursting_type(r, &caps);
    if (!t)
        return;
    double level = caps.baseline_mb_s / MB_PER_MIB;
    struct plateau at = plateau_at(&r->demand->points, RATE_MIBPS, level);
    double most = r->demand->profile.metrics[METRIC_TOTAL_MIBPS].max;
    bool flat = at.n * 2 >= r->demand->points.n && most <= (1 + PLATEAU_WIDTH) * level;
    if (at.n < PLATEAU_SAMPLES || !(at.burst || flat))
        return;
    struct falls f = falls_to(&r->demand->points, level);
    struct draft *d = draft_add(
        r, rule, at.burst ? VERDICT_CERTAIN : VERDICT_LIKELY, NULL,
        (const char *const[]){
            "type", t->name, "fell", at.burst ? "fell from its burst to" : "stands at", "since",
            at.burst ? "at" : "since", "level", number_words(r, caps.baseline_mb_s, 0), "most",
            number_words(r, caps.max_mb_s, 0), "at", time_words(r, at.first->begin_ms), "again",
            daily(&f) ? arena_printf(r->arena, ", and does so every 24 hours (%zu times)", f.n)
                      : "",
            NULL });
    if (at.burst)
        see_host(r, d, at.burst->begin_ms, SEE_SOME);
    else
        draft_severity(d, SEVERITY_WARNING);
    see_host(r, d, at.first->begin_ms, SEE_SOME);
    if (f.n > 1)
        see_host(r, d, f.last->begin_ms, SEE_SOME);
    draft_ceiling(d, "instance_throughput");
    draft_not(r, d, "the volumes: all of them together stand at the instance's baseline");
}

static void test_instance_lives_on_burst(struct run *r, const struct rule *rule)
{
    struct instance_caps caps;
    const struct instance_type *t = bursting_type(r, &caps);
    double most = r->demand->profile.metrics[METRIC_TOTAL_MIBPS].max * MB_PER_MIB;
    if (!t || !(most > caps.baseline_mb_s))
        return;
    struct draft *d =
        draft_add(r, rule, VERDICT_CERTAIN, NULL,
                  (const char *const[]){ "type", t->name, "most", number_words(r, most, 0), "level",
                                         number_words(r, caps.baseline_mb_s, 0), NULL });
    see_host(r, d, r->demand->demand.time_of_max_ms, SEE_ALL);
    draft_ceiling(d, "instance_throughput");
}

/* The first value at or below a limit; n when there is none. */
static size_t first_low(const struct metric_series *m, double limit)
{
    bool told = m->statistic == STATISTIC_MINIMUM || m->statistic == STATISTIC_AVERAGE ||
                m->statistic == STATISTIC_MAXIMUM;
    for (size_t k = 0; told && k < m->n; k++)
        if (m->value[k] <= limit)
            return k;
    return m->n;
}

/* All that have an empty bucket of one kind. */
static void empty_balances(struct run *r, const struct rule *rule, const char *metric)
{
    static const double empty_pct = 1;
    const struct metric_series *first = NULL;
    size_t first_at = 0, n_of = 0;
    for (size_t i = 0; i < r->load->n_metrics; i++) {
        const struct metric_series *m = &r->load->metrics[i];
        size_t at = m->metric && strcmp(m->metric, metric) == 0 ? first_low(m, empty_pct) : m->n;
        if (at == m->n)
            continue;
        n_of++;
        if (!first || m->time_ms[at] < first->time_ms[first_at]) {
            first = m;
            first_at = at;
        }
    }
    if (!first)
        return;
    bool volume = metric[0] == 'B';
    const char *of = first->dimension ? first->dimension : "-";
    struct draft *d =
        draft_add(r, rule, VERDICT_CERTAIN, first->dimension,
                  (const char *const[]){
                      "metric", metric, "of",
                      n_of > 1 ? arena_printf(r->arena, "%s (and %zu more series)", of, n_of - 1)
                               : of,
                      "at", time_words(r, first->time_ms[first_at]), "value",
                      number_words(r, first->value[first_at], 0), NULL });
    for (size_t i = 0; i < r->load->n_metrics; i++) {
        const struct metric_series *m = &r->load->metrics[i];
        size_t at = m->metric && strcmp(m->metric, metric) == 0 ? first_low(m, empty_pct) : m->n;
        char v[32];
        if (at < m->n)
            draft_see(r, d, m->file_id[at], m->line[at], m->time_ms[at], "%s %s %%", metric,
                      figure(v, m->value[at]));
    }
    draft_ceiling(d, volume ? "burst_bucket" : ceiling_name(CEILING_INSTANCE_THROUGHPUT));
    draft_not(r, d,
              volume ? "the instance: this is the volume's bucket"
                     : "the volume: this is the bucket of the instance's EBS bandwidth");
}

static void test_balance(struct run *r, const struct rule *rule)
{
    empty_balances(r, rule, "EBSByteBalance%");
    empty_balances(r, rule, "EBSIOBalance%");
    empty_balances(r, rule, "BurstBalance");
}

static const char *const bucket[] = { "bucket_empty", NULL };

static const struct rule rules[] = {
    { "bucket_empty", NEED_LAYOUT | NEED_SERIES, SEVERITY_ERROR, test_bucket,
      "the burst bucket of {group} is empty: {type} stands at {level}, its baseline, since {at}",
      "gp3 gives 3 000 IOPS and 125 MiB/s at any size and has no bucket{drain}", NULL },
    { "instance_burst_empty", NEED_SERIES | NEED_INSTANCE, SEVERITY_ERROR, test_instance_burst,
      "{type} {fell} its baseline of {level} MB/s {since} {at}{again}",
      "an instance type whose baseline carries the load: {most} MB/s are for 30 minutes in 24 "
      "hours",
      NULL },
    { "balance_empty", NEED_METRICS, SEVERITY_ERROR, test_balance,
      "{metric} of {of} is at {value} % since {at}",
      "what has a bucket falls to its baseline when it is empty: a larger instance type for EBS "
      "bandwidth, gp3 for a gp2 volume",
      NULL },
    { "plateau_at_constant", NEED_SERIES, SEVERITY_WARNING, test_plateau,
      "{device} stands at {what}, in {n} samples",
      "say what the volume is; if it is that, it is at its ceiling", NULL },
    { "burst_dependent", NEED_LAYOUT | NEED_SERIES, SEVERITY_WARNING, test_burst_dependent,
      "{group} needs {most} {unit}, and its {type} sustains {level}",
      "do not plan on the bucket: gp3 sustains what it is sold with", bucket },
    { "instance_burst_dependent", NEED_SERIES | NEED_INSTANCE, SEVERITY_WARNING,
      test_instance_lives_on_burst, "{most} MB/s were needed, {type} sustains {level}",
      "what is above the baseline lasts 30 minutes in 24 hours: a type whose baseline carries it",
      NULL },
};
const struct rule_table rules_bursts = RULE_TABLE(rules, RANK_BURSTS);
