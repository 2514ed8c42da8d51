/* planner/diagnose/rules_risk.c - what will hurt, though it may not have yet.
 *
 * Sources: EBS User Guide (volume types, modification, detailed performance statistics),
 * EC2 User Guide (EBS-optimized instances); domain sheet on EBS sections 1 and 2. */
#include "planner/diagnose/group_words.h"

#include "models/core/unit.h"
#include "models/ec2/instance_caps.h"

#include <math.h>
#include <string.h>

/* --- a standby that is to become the primary -------------------------------------------------- */

static const struct layout_group *same_group(const struct layout *l, const struct layout_group *g)
{
    for (size_t i = 0; i < l->n_groups; i++)
        if (strcmp(l->groups[i].name, g->name) == 0)
            return &l->groups[i];
    return NULL;
}

static void standby_group(struct run *r, const struct rule *rule, const struct standby_layout *s,
                          const struct group_demand *g)
{
    const struct layout_group *there = same_group(&s->layout, g->group);
    if (!there || !there->n_volumes || g->demand.grade == GRADE_NONE)
        return;
    struct group_ceiling c = group_carries(r, there, r->as_of_ms);
    double iops = g->profile.metrics[METRIC_COUNTED_IOPS].max,
           mibps = g->profile.metrics[METRIC_TOTAL_MIBPS].max;
    if (!(iops > c.max_iops) && !(mibps > c.max_throughput_mibps))
        return;
    double share = fmin(c.max_iops / iops, c.max_throughput_mibps / mibps);
    struct draft *d =
        draft_add(r, rule, VERDICT_CERTAIN, s->name,
                  (const char *const[]){ "standby", s->name, "group", g->group->name, "iops",
                                         number_words(r, c.max_iops, 0), "mibps",
                                         number_words(r, c.max_throughput_mibps, 0), "pct",
                                         number_words(r, 100 * share, 0), NULL });
    see_group(r, d, g, g->demand.time_of_max_ms);
    for (size_t i = 0; i < there->n_volumes; i++) {
        char spec[96];
        draft_see_layout(r, d, s->file, there->name, "%s has %s", s->name,
                         volume_spec_format(spec, &there->volumes[i].spec));
    }
    draft_not(r, d,
              "a change at the time of the failover: a modification takes hours and is "
              "limited in number");
}

static void test_standby_role(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->n_standbys; i++)
        for (size_t g = 0; g < r->demand->n_groups; g++)
            standby_group(r, rule, &r->standbys[i], &r->demand->groups[g]);
}

/* --- changes that lose ------------------------------------------------------------------------ */

static void test_gp2_to_gp3(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->load->n_modifications; i++) {
        const struct stored_modification *m = &r->load->modifications[i];
        if (m->change.from.type != VOL_GP2 || m->change.to.type != VOL_GP3)
            continue;
        int64_t at = m->change.start_ms == UNKNOWN ? r->as_of_ms : m->change.start_ms;
        struct vol_limits from = volume_limits(r, &m->change.from, at, UNKNOWN);
        struct vol_limits to = volume_limits(r, &m->change.to, at, UNKNOWN);
        bool slower = to.max_throughput_mibps < from.baseline_throughput_mibps;
        if (!slower && !(to.max_iops < from.baseline_iops))
            continue;
        struct span id = m->change.volume_id;
        const char *name = arena_strndup(r->arena, id.ptr, id.len);
        if (!name) {
            r->failed = true;
            return;
        }
        struct draft *d = draft_add(
            r, rule, VERDICT_CERTAIN, name,
            (const char *const[]){
                "volume", name, "from",
                number_words(r, slower ? from.baseline_throughput_mibps : from.baseline_iops, 0),
                "to", number_words(r, slower ? to.max_throughput_mibps : to.max_iops, 0), "unit",
                slower ? "MiB/s" : "IOPS", NULL });
        draft_see(r, d, m->file_id, m->change.line, m->change.start_ms, "%s %s to %s", name,
                  volume_type_name(m->change.from.type), volume_type_name(m->change.to.type));
        draft_ceiling(d, ceiling_name(slower ? CEILING_THROUGHPUT : CEILING_IOPS));
    }
}

/* --- bought and not usable -------------------------------------------------------------------- */

static void test_beyond_instance(struct run *r, const struct rule *rule)
{
    struct instance_caps caps;
    const struct instance_type *t = instance_find(r->catalogue, span_of(r->layout->instance_type));
    if (!t || instance_caps(r->catalogue, t, WEIGHTING_DEFAULT, 1, &caps, NULL))
        return;
    for (size_t g = 0; g < r->demand->n_groups; g++) {
        const struct group_demand *gd = &r->demand->groups[g];
        double bought = 0;
        for (size_t i = 0; i < gd->group->n_volumes; i++) {
            const struct volume_spec *v = &gd->group->volumes[i].spec;
            if (v->type == VOL_GP3 && v->throughput_mibps > 125)
                bought += (double)v->throughput_mibps * (double)v->count;
        }
        if (!(bought * MB_PER_MIB > caps.baseline_mb_s))
            continue;
        struct draft *d =
            draft_add(r, rule, VERDICT_CERTAIN, gd->group->name,
                      (const char *const[]){ "group", gd->group->name, "bought",
                                             number_words(r, bought, 0), "type", t->name, "level",
                                             number_words(r, caps.baseline_mb_s / MB_PER_MIB, 0),
                                             NULL });
        see_volumes(r, d, gd);
        draft_ceiling(d, ceiling_name(CEILING_INSTANCE_THROUGHPUT));
    }
}

/* IOPS beyond those that give the throughput, on types where throughput follows IOPS. */
static void test_iops_for_throughput(struct run *r, const struct rule *rule)
{
    for (size_t g = 0; g < r->demand->n_groups; g++) {
        const struct group_demand *gd = &r->demand->groups[g];
        if (gd->group->n_volumes != 1 || gd->demand.grade == GRADE_NONE)
            continue;
        const struct layout_volumes *v = &gd->group->volumes[0];
        double iops = group_provisioned_iops(gd);
        double used = fmax(gd->profile.metrics[METRIC_COUNTED_IOPS].max,
                           gd->profile.metrics[METRIC_TOTAL_IOPS].max);
        struct volume_spec half = v->spec;
        half.iops = v->spec.iops / 16 > 100 ? v->spec.iops / 16 : 100;
        struct vol_limits whole =
            volume_limits(r, &v->spec, gd->demand.time_of_max_ms, v->since_ms);
        struct vol_limits part = volume_limits(r, &half, gd->demand.time_of_max_ms, v->since_ms);
        bool by_iops = v->spec.type == VOL_IO1 || v->spec.type == VOL_IO2;
        if (!by_iops || !(iops >= 32000) || !(used < iops / 4) ||
            !(2 * part.max_throughput_mibps >= whole.max_throughput_mibps))
            continue;
        struct draft *d = draft_add(
            r, rule, VERDICT_CERTAIN, gd->group->name,
            (const char *const[]){
                "group", gd->group->name, "iops", number_words(r, iops, 0), "used",
                number_words(r, used, 0), "half",
                number_words(r, (double)(half.iops * v->spec.count), 0), "mibps",
                number_words(r, whole.max_throughput_mibps * (double)v->spec.count, 0), "pct",
                number_words(r, 100 * (1 - 2 * (double)half.iops / (double)v->spec.iops), 0),
                NULL });
        see_group(r, d, gd, gd->demand.time_of_max_ms);
        see_volumes(r, d, gd);
        draft_ceiling(d, ceiling_name(CEILING_THROUGHPUT));
    }
}

/* --- the volume's own counters ---------------------------------------------------------------- */

static void test_exceeded(struct run *r, const struct rule *rule)
{
    static const struct {
        const char *key, *what, *ceiling;
    } counters[] = {
        { "ebs_volume_performance_exceeded_iops_us", "the volume's IOPS", "iops" },
        { "ebs_volume_performance_exceeded_tp_us", "the volume's throughput", "throughput" },
        { "ec2_instance_ebs_performance_exceeded_iops_us", "the instance's IOPS", "instance_iops" },
        { "ec2_instance_ebs_performance_exceeded_tp_us", "the instance's throughput",
          "instance_throughput" },
    };
    for (size_t k = 0; k < sizeof counters / sizeof *counters; k++) {
        const struct stored_record *most = NULL;
        for (size_t i = 0; i < r->load->n_records; i++) {
            const struct stored_record *rec = &r->load->records[i];
            if (strcmp(rec->kind, "readings") == 0 &&
                stored_record_num(rec, counters[k].key) >
                    (most ? stored_record_num(most, counters[k].key) : 0))
                most = rec;
        }
        if (!most)
            continue;
        char us[32];
        const char *device = stored_record_text(most, "device");
        double v = stored_record_num(most, counters[k].key);
        struct draft *d = draft_add(r, rule, VERDICT_CERTAIN, counters[k].what,
                                    (const char *const[]){ "what", counters[k].what, "s",
                                                           number_words(r, v / 1e6, 1), NULL });
        draft_see(r, d, most->file_id, most->line, most->time_ms, "%s%s%s us %s",
                  device ? device : "", device ? ": " : "", figure(us, v), counters[k].key);
        draft_ceiling(d, counters[k].ceiling);
        draft_missing(d, "two readings around the minutes that hurt: the counter runs since the "
                         "volume was attached");
    }
}

/* The first period in which a check was 1; n when there is none. */
static size_t first_exceeded(const struct metric_series *m)
{
    bool told = m->metric && strstr(m->metric, "ExceededCheck") &&
                (m->statistic == STATISTIC_MAXIMUM || m->statistic == STATISTIC_SUM);
    for (size_t k = 0; told && k < m->n; k++)
        if (m->value[k] >= 1)
            return k;
    return m->n;
}

static void test_exceeded_check(struct run *r, const struct rule *rule)
{
    struct draft *d = NULL;
    for (size_t i = 0; i < r->load->n_metrics; i++) {
        const struct metric_series *m = &r->load->metrics[i];
        size_t at = first_exceeded(m);
        char v[32];
        if (at == m->n)
            continue;
        if (!d) {
            d = draft_add(r, rule, VERDICT_CERTAIN, NULL,
                          (const char *const[]){ "metric", m->metric, "of",
                                                 m->dimension ? m->dimension : "-", "at",
                                                 time_words(r, m->time_ms[at]), NULL });
            draft_not(r, d,
                      "minutes at the ceiling: seconds are enough for it, and minutes may "
                      "look idle");
        }
        draft_see(r, d, m->file_id[at], m->line[at], m->time_ms[at], "%s %s", m->metric,
                  figure(v, m->value[at]));
    }
}

static const struct rule rules[] = {
    { "micro_burst", NEED_METRICS, SEVERITY_WARNING, test_exceeded_check,
      "{metric} of {of} is 1 since {at}: bursts of seconds beyond what the volume or instance can "
      "do",
      "look at seconds (nvme amzn stats at 1 s), not at minutes, before more is bought", NULL },
    { "exceeded", NEED_RECORDS, SEVERITY_WARNING, test_exceeded,
      "{what} was exceeded for {s} s since the volume was attached",
      "take a second reading later: the difference says when", NULL },
    { "standby_too_small", NEED_SERIES, SEVERITY_WARNING, test_standby_role,
      "{standby} cannot take over {group}: {iops} IOPS and {mibps} MiB/s are {pct} % of the need",
      "give the standby's volumes what the primary needs before the role changes", NULL },
    { "gp2_to_gp3_slower", NEED_RECORDS, SEVERITY_WARNING, test_gp2_to_gp3,
      "{volume} went from gp2 to gp3 and from {from} to {to} {unit}",
      "give the gp3 volume what gp2 had: throughput and IOPS are bought, they do not come with "
      "size",
      NULL },
    { "beyond_instance", NEED_LAYOUT | NEED_INSTANCE, SEVERITY_WARNING, test_beyond_instance,
      "{group} has {bought} MiB/s bought; {type} sustains {level} for all volumes together",
      "buy no more throughput than the instance passes, or another instance type", NULL },
    { "iops_for_throughput", NEED_LAYOUT | NEED_SERIES, SEVERITY_WARNING, test_iops_for_throughput,
      "{group} has {iops} IOPS for the throughput they bring, and used {used}",
      "two volumes of {half} IOPS carry the same {mibps} MiB/s: {pct} % or more of the IOPS can "
      "go, "
      "if the load spreads over both",
      NULL },
};
const struct rule_table rules_risk = RULE_TABLE(rules, RANK_RISK);
