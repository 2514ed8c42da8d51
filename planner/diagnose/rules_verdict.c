/* planner/diagnose/rules_verdict.c - slow without a ceiling: a volume that is still being fetched
 * from S3; storage is not it; or what was measured does not tell.
 *
 * The last two are answers.  Storage is not it where the database spends its time on the processor,
 * on locks, on the application.  It cannot be decided where nothing reached a ceiling and nobody
 * measured who waited: the slowest requests below every known ceiling are then the evidence, and
 * what would have to be measured is said. */
#include "planner/diagnose/awr_find.h"
#include "planner/diagnose/group_words.h"

#include "models/core/unit.h"
#include "models/ec2/instance_caps.h"

#include <math.h>
#include <string.h>

/* TUNING: below a quarter of its time storage cannot make a database slow; 20 ms are slow for any
 * volume of EBS but an HDD; a rate of less tells nothing of a mean time. */
static const double STORAGE_SHARE_PCT = 25, TOP_SHARE_PCT = 10, SLOW_MS = 20, RATE_MIN_IOPS = 1;

/* TUNING: an initialised volume is not told apart, so only young ones are worth a word. */
static const int64_t YOUNG_MS = 7 * INT64_C(86400000);

/* --- volumes from snapshots ------------------------------------------------------------------- */

/* Last time anything was measured; the day of the diagnosis where nothing was. */
static int64_t last_ms(const struct run *r)
{
    int64_t last = INT64_MIN;
    for (size_t k = 0; k < r->load->n_series; k++)
        if (r->load->series[k].n && r->load->series[k].end_ms[r->load->series[k].n - 1] > last)
            last = r->load->series[k].end_ms[r->load->series[k].n - 1];
    return last == INT64_MIN ? r->as_of_ms : last;
}

static void test_snapshot(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->load->n_volumes; i++) {
        const struct stored_volume *v = &r->load->volumes[i];
        int64_t created = v->config.created_ms;
        if (!v->config.snapshot_id.len || created == UNKNOWN || last_ms(r) - created > YOUNG_MS ||
            last_ms(r) < created)
            continue;
        struct span id = v->config.volume_id, snapshot = v->config.snapshot_id;
        const char *name = arena_strndup(r->arena, id.ptr, id.len);
        if (!name) {
            r->failed = true;
            return;
        }
        struct draft *d =
            draft_add(r, rule, VERDICT_LIKELY, name,
                      (const char *const[]){ "volume", name, "at", time_words(r, created), NULL });
        draft_see(r, d, v->file_id, v->config.line, created, "%s from %.*s", name,
                  (int)snapshot.len, snapshot.ptr);
        draft_not(r, d,
                  "the volume's settings: blocks are fetched from S3 when they are first read");
        draft_missing(d, "whether it was initialised (describe-volume-status, "
                         "InitializationStatusDetails)");
    }
}

/* --- storage is not it ------------------------------------------------------------------------ */

static bool is_storage(const struct awr_event *ev)
{
    static const char *const classes[] = { "User I", "System I", "Commit", "Configur" };
    static const char *const names[] = { "db file",     "direct path",   "log file",
                                         "log buffer",  "control file",  "read by other",
                                         "free buffer", "write complete" };
    for (size_t i = 0; ev->wait_class && i < sizeof classes / sizeof *classes; i++)
        if (strncmp(ev->wait_class, classes[i], strlen(classes[i])) == 0)
            return true;
    for (size_t i = 0; ev->name && i < sizeof names / sizeof *names; i++)
        if (strncmp(ev->name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool is_idle(const struct awr_event *ev)
{
    return (ev->wait_class && strncmp(ev->wait_class, "Idle", 4) == 0) ||
           (ev->name && (strstr(ev->name, " idle") || strstr(ev->name, "timer") ||
                         strstr(ev->name, "SQL*Net message from") ||
                         strstr(ev->name, "rdbms ipc") || strstr(ev->name, "heartbeat")));
}

/* The report with most time for storage, and what its largest wait is. */
struct busiest {
    const struct awr_snapshot *snapshot;
    const struct awr_event *top;
    double storage_pct, top_pct;
};

static struct busiest busiest_of(const struct run *r)
{
    struct busiest worst = { NULL, NULL, -1, NAN };
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        struct busiest b = { w, NULL, 0, NAN };
        for (size_t k = 0; k < w->n_events; k++) {
            const struct awr_event *ev = &w->events[k];
            double pct = awr_event_pct(w, ev);
            if (isnan(pct) || is_idle(ev))
                continue;
            if (is_storage(ev))
                b.storage_pct += pct;
            if (!b.top || pct > b.top_pct) {
                b.top = ev;
                b.top_pct = pct;
            }
        }
        if (b.top && b.storage_pct > worst.storage_pct)
            worst = b;
    }
    return worst;
}

/* A finding that a person would act on was drafted. */
static bool something_found(const struct run *r)
{
    for (size_t i = 0; i < r->n_drafts; i++)
        if (r->drafts[i]->finding.severity != SEVERITY_INFO && r->drafts[i]->finding.n_evidence)
            return true;
    return false;
}

static void test_not_storage(struct run *r, const struct rule *rule)
{
    struct busiest b = busiest_of(r);
    if (!b.top || is_storage(b.top) || b.storage_pct >= STORAGE_SHARE_PCT ||
        !(b.top_pct >= TOP_SHARE_PCT) || something_found(r))
        return;
    struct draft *d =
        draft_add(r, rule, VERDICT_CERTAIN, awr_name(b.snapshot),
                  (const char *const[]){ "db", awr_name(b.snapshot), "event", b.top->name, "pct",
                                         number_words(r, b.top_pct, 0), "storage",
                                         number_words(r, b.storage_pct, 0), NULL });
    draft_see_event(r, d, b.snapshot, b.top);
    draft_not(r, d, "the volumes: even if they answered at once, %.0f %% of the time would remain",
              100 - b.storage_pct);
}

/* --- it cannot be decided --------------------------------------------------------------------- */

struct slow {
    const struct load_series *series;
    size_t i;
    double ms;
    bool writes;
};

/* The slowest mean of a sample with requests worth the name, in any group. */
static struct slow slowest(const struct run *r)
{
    struct slow s = { NULL, 0, NAN, false };
    for (size_t k = 0; k < r->load->n_series; k++) {
        const struct load_series *of = &r->load->series[k];
        for (size_t i = 0; i < of->n; i++) {
            double read = of->read_await_ms && of->read_iops[i] >= RATE_MIN_IOPS
                              ? of->read_await_ms[i]
                              : (double)NAN;
            double write = of->write_await_ms && of->write_iops[i] >= RATE_MIN_IOPS
                               ? of->write_await_ms[i]
                               : (double)NAN;
            double ms = fmax(isnan(read) ? -1 : read, isnan(write) ? -1 : write);
            if (ms >= 0 && !(ms <= s.ms))
                s = (struct slow){ of, i, ms, !(read >= write) };
        }
    }
    return s;
}

static const char *hypotheses(struct run *r)
{
    struct instance_caps caps;
    const struct instance_type *t =
        r->layout->instance_type ? instance_find(r->catalogue, span_of(r->layout->instance_type))
                                 : NULL;
    bool bursts = t && !instance_caps(r->catalogue, t, WEIGHTING_DEFAULT, 1, &caps, NULL) &&
                  caps.baseline_mb_s < caps.max_mb_s;
    if (bursts)
        return arena_printf(r->arena,
                            "; %s sustains %.0f of %.0f MB/s, and its burst of 30 minutes in 24 "
                            "hours is one suspect",
                            t->name, caps.baseline_mb_s, caps.max_mb_s);
    return r->layout->instance_type ? "" : "; the instance type is not known";
}

static void undecided_slow(struct run *r, const struct rule *rule, const struct slow *s)
{
    char ms[32];
    struct draft *d = draft_add(
        r, rule, VERDICT_UNDETERMINED, s->series->name,
        (const char *const[]){
            "why",
            arena_printf(r->arena,
                         "%s of %s take %s ms, and no ceiling that is known was reached%s",
                         s->writes ? "writes" : "reads", s->series->name, number_words(r, s->ms, 0),
                         hypotheses(r)),
            NULL });
    draft_severity(d, SEVERITY_WARNING);
    draft_see(r, d, s->series->file_id ? s->series->file_id[s->i] : 0,
              s->series->line ? s->series->line[s->i] : UNKNOWN, s->series->end_ms[s->i],
              "%s: %s ms a %s", s->series->name, figure(ms, s->ms), s->writes ? "write" : "read");
    draft_not(r, d,
              "more IOPS or MiB/s: the time of a request is not explained by a ceiling that "
              "was not reached");
    draft_missing(d,
                  "the volume's own statistics (nvme amzn stats: exceeded, latency histograms), "
                  "whether it was restored from a snapshot, EBS's own health (stalled I/O check)");
}

static void undecided_load(struct run *r, const struct rule *rule)
{
    const struct system_demand *sd = r->demand;
    double most = sd->profile.metrics[METRIC_TOTAL_MIBPS].max;
    struct draft *d = draft_add(
        r, rule, VERDICT_UNDETERMINED, NULL,
        (const char *const[]){
            "why",
            arena_printf(r->arena,
                         "%s MiB/s at most were measured, and no ceiling that is known was "
                         "reached%s",
                         number_words(r, most, 1), hypotheses(r)),
            NULL });
    see_host(r, d, sd->demand.time_of_max_ms, SEE_ALL);
    draft_missing(d,
                  r->has & NEED_LAYOUT
                      ? "who waited, and for what, over the same time: an AWR report, or the "
                        "times of requests (iostat -x)"
                      : "the volumes behind the devices (a layout), and who waited over the same "
                        "time (an AWR report)");
}

static void undecided_waits(struct run *r, const struct rule *rule)
{
    struct busiest b = busiest_of(r);
    if (!b.top)
        return;
    struct draft *d = draft_add(
        r, rule, VERDICT_UNDETERMINED, awr_name(b.snapshot),
        (const char *const[]){
            "why",
            arena_printf(r->arena,
                         "%s waits most for %s (%.0f %% of its time), %.1f ms each, which names no "
                         "ceiling",
                         awr_name(b.snapshot), b.top->name, b.top_pct,
                         isnan(awr_event_avg_ms(b.top)) ? 0.0 : awr_event_avg_ms(b.top)),
            NULL });
    draft_see_event(r, d, b.snapshot, b.top);
    draft_missing(d, "iostat or CloudWatch of every volume over the same time, and the layout");
}

/* What was given tells of no time at all. */
static void undecided_nothing(struct run *r, const struct rule *rule)
{
    if (!r->load->n_files)
        return;
    struct draft *d = draft_add(r, rule, VERDICT_UNDETERMINED, NULL,
                                (const char *const[]){
                                    "why", "nothing in these files was measured over time", NULL });
    for (size_t i = 0; i < r->load->n_files; i++)
        draft_see(r, d, r->load->file_ids[i], UNKNOWN, UNKNOWN, "read as %s",
                  r->load->file_formats[i]);
    draft_missing(d, "iostat -xtk over the hours that hurt, an AWR report of them, or CloudWatch; "
                     "--interval and --date where a file has no times");
}

static void test_undecided(struct run *r, const struct rule *rule)
{
    if (something_found(r) || run_found(r, "not_storage", NULL))
        return;
    struct slow s = slowest(r);
    if (s.series && s.ms >= SLOW_MS)
        undecided_slow(r, rule, &s);
    else if (r->has & NEED_SNAPSHOTS && busiest_of(r).top)
        undecided_waits(r, rule);
    else if (r->demand->profile.metrics[METRIC_TOTAL_MIBPS].max >= 0)
        undecided_load(r, rule);
    else
        undecided_nothing(r, rule);
}

static const struct rule of_waits[] = {
    { "not_storage", NEED_SNAPSHOTS, SEVERITY_INFO, test_not_storage,
      "{db} does not wait for storage: {event} takes {pct} % of its time, everything that reads or "
      "writes {storage} %",
      "look there; other volumes change nothing", NULL },
};
const struct rule_table rules_not_storage = RULE_TABLE(of_waits, RANK_NOT_STORAGE);

static const struct rule rules[] = {
    { "uninitialised_volume", NEED_RECORDS, SEVERITY_WARNING, test_snapshot,
      "{volume} was made from a snapshot at {at} and may not be initialised: first reads are slow",
      "read it once from end to end (dd, fio), or use fast snapshot restore or a volume "
      "initialization rate",
      NULL },
    { "cannot_be_decided", 0, SEVERITY_INFO, test_undecided, "cannot be decided from this: {why}",
      "measure what is missing over the minutes that hurt, then diagnose again", NULL },
};
const struct rule_table rules_verdict = RULE_TABLE(rules, RANK_VERDICT);
