/* planner/diagnose/rules_waits.c - what the database waited for.
 *
 * The waits of the worst report: a wait that takes WAIT_SHARE_PCT of the database's time is worth a
 * finding, one that takes WAIT_BINDS_PCT is what binds.  Of several the largest comes first, but
 * for the archiver: while a log cannot be reused because it is not archived, everything else that
 * waits for redo waits for that.
 *
 * log file sync is judged by its own write (log file parallel write): above 5 ms slow, above 20 ms
 * far too slow (domain sheet on Oracle, section 4); far below the sync it is not the disk. */
#include "planner/diagnose/awr_find.h"
#include "planner/diagnose/group_words.h"

#include "models/core/unit.h"

#include <string.h>

/* TUNING: shares of the database's time; a healthy write to the log or read takes less than 5 ms,
 * and what takes 20 (50) is bad whatever the volume. */
static const double WAIT_SHARE_PCT = 1, WAIT_BINDS_PCT = 10, LOG_WRITE_SLOW_MS = 5,
                    LOG_WRITE_BAD_MS = 20, READ_SLOW_MS = 5, READ_BAD_MS = 50, READ_SHARE_PCT = 20,
                    SYNC_SHARE_PCT = 5, SYNC_RATIO = 3;

struct sighting {
    const struct awr_snapshot *snapshot;
    const struct awr_event *event;
    double pct;
};

/* The report in which it takes most of the time; event NULL = in none. */
static struct sighting worst_of(const struct run *r, const char *prefix)
{
    struct sighting worst = { NULL, NULL, NAN };
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        const struct awr_event *ev = awr_event_find(w, prefix);
        double pct = ev ? awr_event_pct(w, ev) : (double)NAN;
        if (!isnan(pct) && !(pct <= worst.pct))
            worst = (struct sighting){ w, ev, pct };
    }
    return worst;
}

/* Mean write of the log: the wait, else what IOStat by Function says of LGWR; NaN. */
static double log_write_ms(const struct awr_snapshot *w)
{
    const struct awr_event *ev = awr_event_find(w, "log file parallel write");
    if (ev)
        return awr_event_avg_ms(ev);
    const struct awr_io_row *lgwr = awr_function_find(w, "LGWR");
    return lgwr ? lgwr->wait_avg_ms : (double)NAN;
}

static void see_log_write(struct run *r, struct draft *d, const struct awr_snapshot *w)
{
    char ms[32];
    const struct awr_event *ev = awr_event_find(w, "log file parallel write");
    const struct awr_io_row *lgwr = awr_function_find(w, "LGWR");
    if (ev)
        draft_see_event(r, d, w, ev);
    else if (lgwr && !isnan(lgwr->wait_avg_ms))
        draft_see(r, d, w->file_id, lgwr->line, w->end_ms, "%s: %s ms a wait", lgwr->name,
                  figure(ms, lgwr->wait_avg_ms));
}

/* --- waits that name what binds --------------------------------------------------------------- */

static const struct wait {
    const char *id, *prefix;
    bool redo;
} waits[] = {
    { "archiver_behind", "log file switch (archiving", true },
    { "log_buffer_space", "log buffer space", true },
    { "checkpoint_behind", "log file switch (checkpoint", true },
    { "free_buffer_waits", "free buffer waits", false },
    { "write_complete_waits", "write complete waits", false },
    { "buffer_busy_waits", "buffer busy waits", false },
};

static const struct wait *wait_of(const char *id)
{
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (strcmp(waits[i].id, id) == 0)
            return &waits[i];
    return NULL;
}

/* Seconds of a report in which points have a flag; *at: the busiest of them, NULL = none. */
static double flagged_s(const struct load_points *points, unsigned flags,
                        const struct awr_snapshot *w, const struct load_point **at)
{
    double seconds = 0;
    *at = NULL;
    for (size_t i = 0; i < points->n; i++) {
        const struct load_point *p = &points->at[i];
        if (!(p->flags & flags) || p->flags & POINT_ARTEFACT || p->begin_ms >= w->end_ms ||
            p->end_ms <= w->begin_ms)
            continue;
        seconds += (double)(p->end_ms - p->begin_ms) / 1e3;
        if (!*at || point_total_mibps(p) > point_total_mibps(*at))
            *at = p;
    }
    return seconds;
}

/* Redo groups at a ceiling of their volumes, and the host at its instance's, while the report was
 * made: what redo waits for.  False where none was. */
static bool see_ceilings(struct run *r, struct draft *d, const struct awr_snapshot *w)
{
    const struct load_point *at;
    bool seen = false;
    for (size_t g = 0; g < r->demand->n_groups; g++) {
        const struct group_demand *gd = &r->demand->groups[g];
        if (gd->group->role != ROLE_REDO)
            continue;
        double seconds = flagged_s(&gd->points, POINT_AT_CEILING, w, &at);
        if (!at)
            continue;
        seen = true;
        draft_ceiling(d, ceiling_name(gd->censored_by & POINT_CENSORED_IOPS ? CEILING_IOPS
                                                                            : CEILING_THROUGHPUT));
        see_group(r, d, gd, at->begin_ms);
        const char *minutes = minutes_words(r, seconds);
        draft_not(r, d, "the log writer itself: %s was at its ceiling for %s of it",
                  gd->group->name, minutes ? minutes : "");
    }
    double seconds = flagged_s(&r->demand->points, POINT_CENSORED_INSTANCE, w, &at);
    if (!at)
        return seen;
    draft_ceiling(d, ceiling_name(CEILING_INSTANCE_THROUGHPUT));
    see_host(r, d, at->begin_ms, SEE_SOME);
    const char *minutes = minutes_words(r, seconds);
    draft_not(r, d, "the log volumes: all groups together were at what %s passes for %s of it",
              r->layout->instance_type ? r->layout->instance_type : "the instance",
              minutes ? minutes : "");
    return true;
}

/* The log writes while the waits were there say whether storage is behind them. */
static void judge_redo(struct run *r, struct draft *d, const struct awr_snapshot *w)
{
    char ms[48];
    double write_ms = log_write_ms(w);
    see_log_write(r, d, w);
    if (isnan(write_ms))
        draft_missing(d, "how long log writes took (log file parallel write), and iostat of the "
                         "log volumes over the same time");
    else if (write_ms <= LOG_WRITE_SLOW_MS)
        draft_not(r, d, "slow log volumes: a log write took %s ms", unit_format(ms, write_ms, 1));
    else if (!see_ceilings(r, d, w))
        draft_missing(d, "iostat of the log volumes over the same time: which ceiling they are at");
}

/* "23.5 ms"; from 10 s on "221.8 s". */
static const char *wait_words(struct run *r, double ms)
{
    char words[48];
    bool long_wait = ms >= 10000;
    return arena_printf(r->arena, "%s %s", unit_format(words, long_wait ? ms / 1e3 : ms, 1),
                        long_wait ? "s" : "ms");
}

static void test_wait(struct run *r, const struct rule *rule)
{
    const struct wait *k = wait_of(rule->id);
    struct sighting s = worst_of(r, k->prefix);
    if (!s.event || s.pct < WAIT_SHARE_PCT)
        return;
    struct draft *d = draft_add(r, rule, VERDICT_CERTAIN, awr_name(s.snapshot),
                                (const char *const[]){
                                    "db", awr_name(s.snapshot), "pct", number_words(r, s.pct, 1),
                                    "each", wait_words(r, awr_event_avg_ms(s.event)), NULL });
    if (!d)
        return;
    bool archiver = strcmp(k->id, "archiver_behind") == 0;
    if (s.pct < WAIT_BINDS_PCT && !archiver)
        draft_severity(d, SEVERITY_WARNING);
    d->weight = s.pct + (archiver ? 100 : 0);
    draft_see_event(r, d, s.snapshot, s.event);
    if (k->redo) {
        draft_ceiling(d, ceiling_name(CEILING_WAITS));
        judge_redo(r, d, s.snapshot);
        draft_not(r, d, "the redo rate of this report: it was held back and is a lower bound");
    }
}

/* --- commits ---------------------------------------------------------------------------------- */

static struct sighting worst_sync(const struct run *r)
{
    struct sighting s = worst_of(r, "log file sync");
    /* "log file sync: SCN ordering" is another event */
    if (s.event && strcmp(s.event->name, "log file sync") != 0) {
        for (size_t i = 0; i < s.snapshot->n_events; i++)
            if (strcmp(s.snapshot->events[i].name, "log file sync") == 0) {
                s.event = &s.snapshot->events[i];
                s.pct = awr_event_pct(s.snapshot, s.event);
                return s;
            }
        s.event = NULL;
    }
    return s;
}

static bool is_disk(const struct sighting *s, double write_ms)
{
    double sync_ms = awr_event_avg_ms(s->event);
    return isnan(write_ms) || write_ms > LOG_WRITE_SLOW_MS || !(sync_ms > SYNC_RATIO * write_ms);
}

static void test_log_file_sync(struct run *r, const struct rule *rule)
{
    struct sighting s = worst_sync(r);
    if (!s.event || s.pct < SYNC_SHARE_PCT)
        return;
    double sync_ms = awr_event_avg_ms(s.event), write_ms = log_write_ms(s.snapshot);
    double judged_ms = isnan(write_ms) ? sync_ms : write_ms;
    if (!is_disk(&s, write_ms) || !(judged_ms > LOG_WRITE_SLOW_MS))
        return;
    struct draft *d =
        draft_add(r, rule, isnan(write_ms) ? VERDICT_LIKELY : VERDICT_CERTAIN, awr_name(s.snapshot),
                  (const char *const[]){ "db", awr_name(s.snapshot), "ms",
                                         number_words(r, sync_ms, 1), "write",
                                         isnan(write_ms) ? "-" : number_words(r, write_ms, 1),
                                         "pct", number_words(r, s.pct, 1), NULL });
    if (!d)
        return;
    if (!(judged_ms > LOG_WRITE_BAD_MS) || s.pct < WAIT_BINDS_PCT)
        draft_severity(d, SEVERITY_WARNING);
    d->weight = s.pct / 10; /* a symptom of the waits above */
    draft_see_event(r, d, s.snapshot, s.event);
    see_log_write(r, d, s.snapshot);
    if (isnan(write_ms))
        draft_missing(d, "log file parallel write: whether it is the disk or the processor");
    see_ceilings(r, d, s.snapshot);
}

static void test_sync_cpu(struct run *r, const struct rule *rule)
{
    struct sighting s = worst_sync(r);
    if (!s.event || s.pct < SYNC_SHARE_PCT)
        return;
    double sync_ms = awr_event_avg_ms(s.event), write_ms = log_write_ms(s.snapshot);
    if (is_disk(&s, write_ms) || sync_ms < 2)
        return;
    struct draft *d = draft_add(r, rule, VERDICT_LIKELY, awr_name(s.snapshot),
                                (const char *const[]){ "db", awr_name(s.snapshot), "ms",
                                                       number_words(r, sync_ms, 1), "write",
                                                       number_words(r, write_ms, 2), NULL });
    draft_see_event(r, d, s.snapshot, s.event);
    see_log_write(r, d, s.snapshot);
    draft_not(r, d, "the log volumes: their writes take a small part of the wait");
    draft_missing(d, "run queue and steal time (sar -q, vmstat) over the same time");
}

/* --- reads ------------------------------------------------------------------------------------ */

static bool is_read(const struct awr_event *ev)
{
    static const char *const names[] = { "db file sequential read", "db file scattered read",
                                         "db file parallel read", "direct path read",
                                         "read by other session" };
    for (size_t i = 0; ev->name && i < sizeof names / sizeof *names; i++)
        if (strncmp(ev->name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static void test_slow_reads(struct run *r, const struct rule *rule)
{
    struct sighting worst = { NULL, NULL, NAN };
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        for (size_t k = 0; k < w->n_events; k++) {
            const struct awr_event *ev = &w->events[k];
            double pct = awr_event_pct(w, ev);
            if (is_read(ev) && pct >= READ_SHARE_PCT && !(pct <= worst.pct))
                worst = (struct sighting){ w, ev, pct };
        }
    }
    double ms = worst.event ? awr_event_avg_ms(worst.event) : (double)NAN;
    if (!worst.event || !(ms > READ_SLOW_MS))
        return;
    struct draft *d =
        draft_add(r, rule, VERDICT_LIKELY, awr_name(worst.snapshot),
                  (const char *const[]){ "db", awr_name(worst.snapshot), "event", worst.event->name,
                                         "ms", number_words(r, ms, 1), "pct",
                                         number_words(r, worst.pct, 1), NULL });
    if (!d)
        return;
    if (!(ms > READ_BAD_MS))
        draft_severity(d, SEVERITY_WARNING);
    d->weight = worst.pct / 10;
    draft_see_event(r, d, worst.snapshot, worst.event);
    draft_missing(d,
                  "iostat or CloudWatch of every data volume over the same time: one hot disk is "
                  "enough");
    draft_not(r, d,
              "a ceiling yet: the database's wait does not tell which one, or whether there "
              "is one");
}

/* --- the table -------------------------------------------------------------------------------- */

static const char *const demoted[] = { "demoted_io", NULL };

static const struct rule rules[] = {
    { "archiver_behind", NEED_SNAPSHOTS, SEVERITY_ERROR, test_wait,
      "{db} waits for the archiver: {pct} % of its time, {each} each time, no log to switch to",
      "give the archiver room: throughput of the group it reads and of the one it writes, more or "
      "larger logs, then more archiver processes; then measure the redo rate again",
      NULL },
    { "log_buffer_space", NEED_SNAPSHOTS, SEVERITY_ERROR, test_wait,
      "{db} waits for log buffer space: {pct} % of its time, {each} each time",
      "the log writer cannot write as fast as redo is made: lift what its volumes are held at "
      "(throughput before IOPS), write through (filesystemio_options), and only then enlarge the "
      "buffer",
      NULL },
    { "checkpoint_behind", NEED_SNAPSHOTS, SEVERITY_ERROR, test_wait,
      "{db} waits for the checkpoint: {pct} % of its time, {each} each time, no log to switch to",
      "larger logs or more of them, and data volumes that take the writes of the checkpoint",
      NULL },
    { "free_buffer_waits", NEED_SNAPSHOTS, SEVERITY_ERROR, test_wait,
      "{db} waits for free buffers: {pct} % of its time, {each} each time",
      "the database writers cannot clean the cache as fast as it fills: look at the writes of the "
      "data volumes, asynchronous writes and the number of writers, then at the cache's size",
      NULL },
    { "write_complete_waits", NEED_SNAPSHOTS, SEVERITY_ERROR, test_wait,
      "{db} waits for blocks that are being written: {pct} % of its time, {each} each time",
      "the database writers' writes take too long: look at the volumes of the data files, or of "
      "the "
      "flash cache where the event names it",
      NULL },
    { "buffer_busy_waits", NEED_SNAPSHOTS, SEVERITY_ERROR, test_wait,
      "{db} waits for blocks that others hold: {pct} % of its time, {each} each time",
      "contention for blocks is not a lack of IOPS: look at the segments and, where the holders "
      "themselves wait for redo or reads, at that wait",
      NULL },
    { "log_file_sync", NEED_SNAPSHOTS, SEVERITY_ERROR, test_log_file_sync,
      "commits of {db} take {ms} ms: {pct} % of its time, a log write takes {write} ms",
      "find the ceiling that the log volumes are at over the same minutes, and lift that one",
      demoted },
    { "sync_cpu", NEED_SNAPSHOTS, SEVERITY_WARNING, test_sync_cpu,
      "commits of {db} take {ms} ms while a log write takes {write} ms: not the disk",
      "look at the processors and the scheduling of the log writer, and at standbys in SYNC mode; "
      "faster volumes change nothing",
      NULL },
    { "slow_reads", NEED_SNAPSHOTS, SEVERITY_ERROR, test_slow_reads,
      "reads of {db} take {ms} ms ({event}): {pct} % of its time",
      "look at each volume of the data groups, not at their mean: request size, IOPS and MiB/s "
      "against the ceilings",
      NULL },
};
const struct rule_table rules_waits = RULE_TABLE(rules, RANK_WAITS);
