/* planner/report/report_replay.c - see report_replay.h. */
#include "planner/report/report_replay.h"

#include "models/core/timestamp.h"
#include "planner/report/emit_option.h"
#include "planner/report/replay_words.h"
#include "planner/solve/plan_instance.h"

#include <stdio.h>

/* Under the lower bound of the instance burst, which the figures and the answer are for. */
static const struct replay_result *result_of(const struct replay_told *t, size_t g)
{
    return &t->replayed->groups[g].minutes;
}

/* --- the answer ------------------------------------------------------------------------------- */

static size_t worst_group(const struct replay_told *t)
{
    size_t worst = 0;
    for (size_t g = 1; g < t->replayed->n_groups; g++)
        if (result_of(t, g)->throttled_s > result_of(t, worst)->throttled_s)
            worst = g;
    return worst;
}

static void say_waits(struct emit *m, const struct replay_told *t, const char *host)
{
    char held[48], of[48], delay[48], mib[48], by[48], others[64] = "";
    size_t g = worst_group(t), n = 0;
    const struct replay_result *r = result_of(t, g);
    for (size_t i = 0; i < t->replayed->n_groups; i++)
        n += result_of(t, i)->throttled_s > 0;
    if (n > 1)
        snprintf(others, sizeof others, "; %zu groups have to wait", n);
    emit_say(m, "%s%s: %s %s %s of %s, %s behind at worst (%s MiB), held by %s%s.", t->system, host,
             t->replayed->groups[g].group->name, t->changed ? "would wait for" : "waits for",
             seconds_words(held, r->throttled_s), seconds_words(of, r->replayed_s),
             seconds_words(delay, r->worst_delay_ms / 1000), mib_words(mib, r->worst_backlog_mib),
             held_by_sentence(by, longest_ceiling(r)), others);
}

/* At a ceiling of the group, else with one of its volumes at its own. */
static double full_seconds(const struct replay_measured *r)
{
    return r->at_ceiling_s > 0 ? r->at_ceiling_s : r->hot_volume_s;
}

static void say_no_wait(struct emit *m, const struct replay_told *t, const char *host)
{
    char of[48], at[48];
    size_t most = 0;
    const struct replay_measured *groups = t->measured->groups;
    for (size_t g = 1; g < t->replayed->n_groups; g++)
        if (full_seconds(&groups[g]) > full_seconds(&groups[most]))
            most = g;
    seconds_words(of, t->replayed->minutes.replayed_s);
    if (t->replayed->n_groups && full_seconds(&groups[most]) > 0)
        emit_say(
            m,
            "%s%s: %s serve the measured load of %s without a wait; but %s was at a ceiling of "
            "%s for %s when it was measured, so this is the least it asks for.",
            t->system, host, t->changed ? "these volumes" : "today's volumes", of,
            t->replayed->groups[most].group->name,
            groups[most].at_ceiling_s > 0 ? "its volumes" : "its busiest volume",
            seconds_words(at, full_seconds(&groups[most])));
    else if (t->measured->instance.at_ceiling_s > 0)
        emit_say(
            m,
            "%s%s: %s serve the measured load of %s without a wait; but the instance was at its "
            "ceiling for %s when it was measured, so this is the least that is asked for.",
            t->system, host, t->changed ? "these volumes" : "today's volumes", of,
            seconds_words(at, t->measured->instance.at_ceiling_s));
    else
        emit_say(m, "%s%s: %s serve the measured load of %s without a wait.", t->system, host,
                 t->changed ? "these volumes" : "today's volumes", of);
}

/* Of every group: what was measured is more than its volumes can do. */
static bool all_set_apart(const struct replay_told *t)
{
    bool some = false;
    for (size_t g = 0; g < t->replayed->n_groups; g++) {
        if (!isnan(t->measured->groups[g].max_mibps))
            return false;
        some = some || t->measured->groups[g].set_apart_s > 0;
    }
    return some;
}

static bool none_known(const struct replay_told *t)
{
    for (size_t g = 0; g < t->replayed->n_groups; g++)
        if (t->measured->groups[g].known)
            return false;
    return true;
}

static void say_answer(struct emit *m, const struct replay_told *t)
{
    char host[80] = "", of[48];
    if (t->replayed->type)
        snprintf(host, sizeof host, " on %s", t->replayed->type->name);
    if (!(t->replayed->minutes.replayed_s > 0))
        emit_say(m, "%s%s: nothing was measured, so there is nothing to replay.", t->system, host);
    else if (all_set_apart(t))
        emit_say(m,
                 "%s%s: all that was measured in %s is more than the volumes of the layout can do, "
                 "so nothing was replayed: correct the layout.",
                 t->system, host, seconds_words(of, t->replayed->minutes.replayed_s));
    else if (replay_system_throttled(t->replayed))
        say_waits(m, t, host);
    else if (!t->changed && none_known(t))
        emit_say(
            m,
            "%s%s: the layout does not say what its volumes can do, so nothing can be held up: "
            "give each group its volumes with type and size_gib.",
            t->system, host);
    else
        say_no_wait(m, t, host);
}

/* --- values ----------------------------------------------------------------------------------- */

static void emit_binding(struct emit *m, const struct replay_result *r)
{
    emit_begin(m, "binding", EMIT_OBJECT);
    for (int c = REPLAY_NONE + 1; c < REPLAY_CEILING_COUNT; c++)
        if (r->binding_s[c] > 0)
            emit_num(m, replay_ceiling_name((enum replay_ceiling)c), UNIT_S, r->binding_s[c]);
    emit_end(m);
}

/* A time of the results; UNKNOWN for never. */
static int64_t time_of(const struct replay_told *t, double at_s)
{
    return isnan(at_s) || t->replayed->begin_ms == UNKNOWN
               ? UNKNOWN
               : t->replayed->begin_ms + llround(at_s * 1000);
}

static void emit_waits(struct emit *m, const struct replay_told *t, const struct replay_result *r)
{
    emit_num(m, "throttled_s", UNIT_S, r->throttled_s);
    emit_num(m, "over_s", UNIT_S, r->over_s);
    emit_num(m, "worst_backlog_mib", UNIT_MIB, r->worst_backlog_mib);
    emit_num(m, "worst_delay_ms", UNIT_MS, r->worst_delay_ms);
    emit_num(m, "utilisation_pct", UNIT_PCT, replay_utilisation_pct(r));
    emit_binding(m, r);
    emit_num(m, "throughput_utilisation_pct", UNIT_PCT, r->throughput_utilisation_pct);
    emit_num(m, "iops_utilisation_pct", UNIT_PCT, r->iops_utilisation_pct);
    emit_time(m, "first_throttled", time_of(t, r->first_throttled_s));
    emit_time(m, "worst_backlog_at", time_of(t, r->worst_backlog_at_s));
    emit_num(m, "asked_mib", UNIT_MIB, r->asked_mib);
    emit_num(m, "served_mib", UNIT_MIB, r->served_mib);
    emit_num(m, "backlog_mib", UNIT_MIB, r->backlog_mib);
    emit_num(m, "replayed_s", UNIT_S, r->replayed_s);
    emit_num(m, "unmeasured_s", UNIT_S, r->unmeasured_s);
}

/* In requests, or MiB of st1 and sc1; of an instance in seconds or MiB above its baseline. */
static void emit_bucket(struct emit *m, const struct replay_told *t, const char *key,
                        const struct replay_result *r)
{
    if (isnan(r->credits)) {
        emit_null(m, key);
        return;
    }
    emit_begin(m, key, EMIT_OBJECT);
    emit_num(m, "lowest", UNIT_NONE, r->lowest_credits);
    emit_num(m, "at_end", UNIT_NONE, r->credits);
    emit_time(m, "empty_at", time_of(t, r->empty_at_s));
    emit_end(m);
}

static void emit_upper(struct emit *m, const struct replay_told *t, const struct replay_result *r)
{
    if (!t->replayed->bursts) {
        emit_null(m, "burst_credits");
        return;
    }
    emit_begin(m, "burst_credits", EMIT_OBJECT);
    emit_waits(m, t, r);
    emit_bucket(m, t, "bucket", r);
    emit_end(m);
}

static void emit_measured(struct emit *m, const struct replay_measured *r, const char *what)
{
    char reason[REPLAY_REASON];
    if (r->verdict == REPRODUCES_UNKNOWN)
        emit_null(m, "reproduces");
    else
        emit_bool(m, "reproduces", r->verdict == REPRODUCES_YES);
    emit_text(m, "reason", reason_words(reason, r, what));
    emit_begin(m, "measured", EMIT_OBJECT);
    emit_num(m, "max_mibps", UNIT_MIBPS, r->max_mibps);
    emit_time(m, "time_of_max", r->max_at_ms);
    emit_num(m, "ceiling_mibps", UNIT_MIBPS, r->ceiling_mibps);
    emit_num(m, "max_iops", UNIT_IOPS, r->max_iops);
    emit_num(m, "ceiling_iops", UNIT_IOPS, r->ceiling_iops);
    emit_num(m, "measured_s", UNIT_S, r->measured_s);
    emit_num(m, "averaged_s", UNIT_S, r->averaged_s);
    emit_num(m, "at_ceiling_s", UNIT_S, r->at_ceiling_s);
    emit_num(m, "above_s", UNIT_S, r->above_s);
    emit_num(m, "set_apart_s", UNIT_S, r->set_apart_s);
    emit_text(m, "hot_volume", r->hot_volume);
    emit_num(m, "hot_volume_s", UNIT_S, r->hot_volume_s);
    emit_num(m, "baseline_iops", UNIT_IOPS, r->baseline_iops);
    emit_num(m, "at_baseline_s", UNIT_S, r->at_baseline_s);
    emit_end(m);
}

static void put_cells(struct emit *m, const struct replay_result *r)
{
    char buf[48];
    emit_cell(m, "waits", "%s", waits_words(buf, r));
    emit_cell(m, "delay", "%s",
              r->worst_delay_ms > 0 ? seconds_words(buf, r->worst_delay_ms / 1000) : "-");
    emit_cell(m, "backlog", "%s",
              r->worst_backlog_mib > 0 ? mib_words(buf, r->worst_backlog_mib) : "-");
    double used_pct = replay_utilisation_pct(r);
    if (isnan(used_pct))
        emit_cell(m, "used", "-");
    else
        emit_cell(m, "used", "%.0f %%", used_pct);
    emit_cell(m, "held", "%s", held_by_words(longest_ceiling(r)));
}

static void emit_groups(struct emit *m, const struct replay_told *t)
{
    static const struct emit_col cols[] = {
        { "name", "group", true },          { "volumes", "volumes", true },
        { "waits", "waits for", false },    { "delay", "worst wait", false },
        { "backlog", "MiB behind", false }, { "used", "mean use", false },
        { "held", "held by", true },
    };
    emit_table(m, "groups", cols, sizeof cols / sizeof *cols);
    for (size_t g = 0; g < t->replayed->n_groups; g++) {
        const struct replay_system_group *of = &t->replayed->groups[g];
        char spec[96];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", of->group->name);
        emit_text(m, "spec", volumes_words(spec, &of->volumes, false));
        const char *volumes = volumes_words(spec, &of->volumes, true);
        emit_cell(m, "volumes", "%s", volumes ? volumes : "-");
        emit_bool(m, "planned", of->volumes.rules_ms != UNKNOWN);
        put_cells(m, &of->minutes);
        emit_waits(m, t, &of->minutes);
        emit_bucket(m, t, "bucket", &of->minutes);
        emit_upper(m, t, &of->credits);
        emit_measured(m, &t->measured->groups[g], "its volumes");
        emit_end(m);
    }
    emit_end(m);
}

/* How long the instance or a card held a group. */
static double held_s(const struct replay_result *instance)
{
    double sum_s = 0;
    for (int c = REPLAY_NONE + 1; c < REPLAY_CEILING_COUNT; c++)
        sum_s += instance->binding_s[c];
    return sum_s;
}

/* Of all groups, and the root volume. */
static int64_t attached_volumes(const struct replay_system *s)
{
    int64_t n = plan_root_volumes(s->demand->layout);
    for (size_t g = 0; g < s->n_groups; g++)
        for (size_t i = 0; i < s->groups[g].volumes.n; i++)
            n += s->groups[g].volumes.rows[i].spec.count;
    return n;
}

static void emit_instance(struct emit *m, const struct replay_told *t)
{
    const struct replay_system *s = t->replayed;
    emit_begin(m, "instance", EMIT_OBJECT);
    emit_text(m, "type", s->type ? s->type->name : NULL);
    emit_num(m, "baseline_throughput_mb_s", UNIT_MB_S, s->caps.baseline_mb_s);
    emit_num(m, "max_throughput_mb_s", UNIT_MB_S, s->caps.max_mb_s);
    emit_num(m, "baseline_iops", UNIT_IOPS, s->caps.baseline_iops);
    emit_num(m, "max_iops", UNIT_IOPS, s->caps.max_iops);
    emit_int(m, "attachments", UNIT_COUNT, attached_volumes(s));
    emit_int(m, "max_attachments", UNIT_COUNT, s->type ? s->caps.volumes : UNKNOWN);
    emit_waits(m, t, &s->minutes);
    emit_num(m, "held_s", UNIT_S, held_s(&s->minutes));
    emit_bucket(m, t, "bucket", &s->minutes);
    emit_upper(m, t, &s->credits);
    emit_measured(m, &t->measured->instance, "the instance");
    emit_end(m);
}

/* --- each interval ---------------------------------------------------------------------------- */

enum { INTERVALS_SAID = 40 };

struct telling {
    struct emit *m;
    const struct replay_told *t;
    size_t n_said; /* to people, and left out */
};

static void emit_moment(struct emit *m, const struct replay_moment *v)
{
    emit_num(m, "asked_mibps", UNIT_MIBPS, v->asked_mibps);
    emit_num(m, "counted_iops", UNIT_IOPS, v->asked_iops);
    emit_num(m, "served_mibps", UNIT_MIBPS, v->served_mibps);
    emit_num(m, "backlog_mib", UNIT_MIB, v->backlog_mib);
    emit_num(m, "delay_ms", UNIT_MS, v->delay_ms);
    emit_num(m, "bucket", UNIT_NONE, v->credits);
    emit_text(m, "binding", v->binding == REPLAY_NONE ? NULL : replay_ceiling_name(v->binding));
}

static int emit_interval(void *context, const struct replay_interval *i)
{
    const struct telling *to = context;
    struct emit *m = to->m;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_time(m, "begin", i->begin_ms);
    emit_time(m, "end", i->end_ms);
    emit_begin(m, "groups", EMIT_LIST);
    for (size_t g = 0; g < to->t->replayed->n_groups; g++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", to->t->replayed->groups[g].group->name);
        emit_moment(m, &i->groups[g]);
        emit_end(m);
    }
    emit_end(m);
    emit_begin(m, "instance", EMIT_OBJECT);
    emit_moment(m, &i->instance);
    emit_end(m);
    emit_end(m);
    return m->failed;
}

/* People see those in which something waits, as many as a person reads. */
static int put_interval(void *context, const struct replay_interval *i)
{
    struct telling *to = context;
    const struct replay_moment *worst = NULL;
    const char *name = NULL;
    for (size_t g = 0; g < to->t->replayed->n_groups; g++) {
        const struct replay_moment *v = &i->groups[g];
        if (v->binding == REPLAY_NONE || (worst && v->delay_ms <= worst->delay_ms))
            continue;
        worst = v;
        name = to->t->replayed->groups[g].group->name;
    }
    if (!worst || to->n_said++ >= INTERVALS_SAID)
        return 0;
    char buf[48];
    struct emit *m = to->m;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_time(m, "begin", i->begin_ms);
    emit_cell(m, "lasts", "%s", seconds_words(buf, (double)(i->end_ms - i->begin_ms) / 1000));
    emit_text(m, "name", name);
    emit_rate(m, "asked_mibps", UNIT_MIBPS, worst->asked_mibps);
    emit_rate(m, "served_mibps", UNIT_MIBPS, worst->served_mibps);
    emit_cell(m, "behind", "%s", mib_words(buf, worst->backlog_mib));
    emit_cell(m, "wait", "%s", seconds_words(buf, worst->delay_ms / 1000));
    emit_cell(m, "held", "%s", held_by_words(worst->binding));
    emit_end(m);
    return m->failed;
}

static void begin_intervals(struct emit *m)
{
    static const struct emit_col cols[] = {
        { "begin", "interval (UTC)", true }, { "lasts", "lasts", false },
        { "name", "worst group", true },     { "asked_mibps", "asks MiB/s", false },
        { "served_mibps", "gets", false },   { "behind", "MiB behind", false },
        { "wait", "wait", false },           { "held", "held by", true },
    };
    if (!m->people) {
        emit_begin(m, "intervals", EMIT_LIST);
        return;
    }
    emit_say(m, "%s", "");
    emit_table(m, "intervals", cols, sizeof cols / sizeof *cols);
}

/* Nothing of them is kept: each is written as it comes. */
static int emit_intervals(struct emit *m, const struct replay_told *t, struct arena *a,
                          struct err *e)
{
    struct telling to = { .m = m, .t = t };
    struct replay_question q = *t->question;
    struct replay_system again;
    if (!t->intervals || (m->people && !replay_system_throttled(t->replayed)))
        return 0;
    q.each = m->people ? put_interval : emit_interval;
    q.context = &to;
    begin_intervals(m);
    int rc = replay_system(&q, a, &again, e);
    emit_end(m);
    if (to.n_said > INTERVALS_SAID)
        emit_say(m, "%zu more intervals: --json", to.n_said - INTERVALS_SAID);
    return m->failed ? 0 : rc; /* the emitter's own error is told when it is closed */
}

/* --- what follows ----------------------------------------------------------------------------- */

static void say_host(struct emit *m, const struct replay_told *t)
{
    char held[48], mibps[48], base[48], most[48], upper[48], lower[48], by[48];
    const struct replay_system *s = t->replayed;
    if (!s->type) {
        emit_label(m, "host", "instance type not known: give --instance TYPE; only volumes bind");
        return;
    }
    if (isnan(s->caps.max_mb_s)) {
        emit_label(m, "host", "AWS publishes no EBS figures for %s: only volumes bind",
                   s->type->name);
        return;
    }
    double served_mb_s = s->minutes.replayed_s > 0
                             ? s->minutes.served_mib / s->minutes.replayed_s * MB_PER_MIB
                             : NAN;
    rate_words(mibps, served_mb_s);
    rate_words(base, s->caps.baseline_mb_s);
    if (held_s(&s->minutes) > 0)
        emit_label(m, "host", "%s holds groups back for %s (%s); %s MB/s on average of %s for long",
                   s->type->name, seconds_words(held, held_s(&s->minutes)),
                   held_by_sentence(by, longest_ceiling(&s->minutes)), mibps, base);
    else
        emit_label(m, "host", "%s holds nothing back: %s MB/s on average of %s for long",
                   s->type->name, mibps, base);
    if (!s->bursts)
        return;
    emit_label(
        m, "burst",
        "to %s MB/s for 30 minutes at least once in 24 hours, and no published rule of refill: "
        "groups wait %s with 30 minutes above the baseline (shown), %s with credits that "
        "it refills",
        rate_words(most, s->caps.max_mb_s), seconds_words(lower, s->minutes.throttled_s),
        seconds_words(upper, s->credits.throttled_s));
}

/* The replay knows no limit of attachments: more volumes than can be had serve nothing. */
static void say_slots(struct emit *m, const struct replay_told *t)
{
    char volumes[48], most[48];
    const struct replay_system *s = t->replayed;
    int64_t n = attached_volumes(s);
    if (s->type && s->caps.volumes != UNKNOWN && n > s->caps.volumes)
        emit_label(m, "not possible", "%s volumes with the root volume, and %s attaches %s at most",
                   unit_format(volumes, (double)n, 0), s->type->name,
                   unit_format(most, (double)s->caps.volumes, 0));
}

static void say_buckets(struct emit *m, const struct replay_told *t)
{
    for (size_t g = 0; g < t->replayed->n_groups; g++) {
        const struct replay_result *r = result_of(t, g);
        const char *name = t->replayed->groups[g].group->name;
        char lowest[48], end[48], when[32];
        if (isnan(r->credits))
            continue;
        unit_format(lowest, r->lowest_credits, 0);
        unit_format(end, r->credits, 0);
        if (!isnan(r->empty_at_s))
            emit_label(m, "credits", "%s: used up at %s, %s at the end", name,
                       time_format_iso(when, time_of(t, r->empty_at_s)), end);
        else
            emit_label(m, "credits", "%s: %s at the lowest, %s at the end; full at the start", name,
                       lowest, end);
    }
}

/* Groups that never met a ceiling prove little: they share a line. */
static void say_untouched(struct emit *m, const struct replay_told *t)
{
    char names[400] = "";
    size_t at = 0, n = 0;
    for (size_t g = 0; g < t->replayed->n_groups; g++) {
        if (!replay_measured_untouched(&t->measured->groups[g]))
            continue;
        int put = at < sizeof names ? snprintf(names + at, sizeof names - at, "%s%s", n ? ", " : "",
                                               t->replayed->groups[g].group->name)
                                    : 0;
        at += put > 0 ? (size_t)put : 0;
        n++;
    }
    if (n)
        emit_label(m, verdict_words(REPRODUCES_YES),
                   "%s: never at a ceiling of %s volumes, so nothing contradicts", names,
                   n == 1 ? "its" : "their");
}

static void say_measured(struct emit *m, const struct replay_told *t)
{
    char reason[REPLAY_REASON];
    for (size_t g = 0; g < t->replayed->n_groups; g++) {
        const struct replay_measured *r = &t->measured->groups[g];
        if (!replay_measured_untouched(r))
            emit_label(m, verdict_words(r->verdict), "%s: %s", t->replayed->groups[g].group->name,
                       reason_words(reason, r, "its volumes"));
    }
    say_untouched(m, t);
    if (t->question->demand->layout->instance_type)
        emit_label(m, verdict_words(t->measured->instance.verdict), "%s: %s",
                   t->question->demand->layout->instance_type,
                   reason_words(reason, &t->measured->instance, "the instance"));
}

static void say_sure(struct emit *m, const struct replay_told *t)
{
    char all[48], none[48], day[32];
    const struct replay_result *r = &t->replayed->minutes;
    bool planned = false;
    for (size_t g = 0; g < t->replayed->n_groups; g++)
        planned |= t->replayed->groups[g].volumes.rules_ms != UNKNOWN;
    seconds_words(all, r->replayed_s - r->unmeasured_s);
    if (r->unmeasured_s > 0)
        emit_label(m, "sure", "%s of measurement, nothing in %s between; as measured, no headroom",
                   all, seconds_words(none, r->unmeasured_s));
    else
        emit_label(m, "sure", "%s of measurement; as measured, without headroom", all);
    if (t->measured->instance.averaged_s > 0)
        emit_label(m, "averaged",
                   "%s of it, in intervals of more than a minute: peaks within them, "
                   "and what waits then, are not seen",
                   seconds_words(all, t->measured->instance.averaged_s));
    if (planned)
        emit_label(m, "rules", "planned volumes under those of %s, today's under each sample's day",
                   time_format_date(day, t->as_of_ms));
    else
        emit_label(m, "rules", "those of each sample's day");
}

int report_replay(struct emit *m, const struct replay_told *t, struct arena *a, struct err *e)
{
    say_answer(m, t);
    emit_say(m, "%s", "");
    emit_text(m, "system", t->system);
    emit_date(m, "as_of", t->as_of_ms);
    emit_text(m, "plan", t->plan_path);
    emit_bool(m, "throttled", replay_system_throttled(t->replayed));
    emit_time(m, "begin", t->replayed->begin_ms);
    emit_time(m, "end", t->replayed->end_ms);
    emit_groups(m, t);
    emit_instance(m, t);
    int rc = emit_intervals(m, t, a, e);
    if (rc)
        return rc;
    emit_say(m, "%s", "");
    say_host(m, t);
    say_slots(m, t);
    say_buckets(m, t);
    say_measured(m, t);
    say_sure(m, t);
    emit_label(m, "next",
               t->changed ? "volplan plan    volplan replay --json --verbose"
                          : "volplan plan --json >plan.json    volplan replay --plan plan.json");
    return 0;
}
