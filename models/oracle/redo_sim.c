/* models/oracle/redo_sim.c - see redo_sim.h. */
#include "models/oracle/redo_sim.h"

#include "models/core/unit.h"

#include <math.h>

#define SECONDS_MAX (366 * INT64_C(86400))
#define RATE_MAX    1e9 /* MiB/s: keeps every count of logs within 64 bits */
#define EPS_MIB     1e-9
#define CEILING_MIN 1e-6 /* MiB/s: a ceiling of nothing is no volume */

enum source { FROM_BUFFER, FROM_ONLINE, FROM_ARCHIVE };

struct sim {
    const struct redo_sim_config *c;
    const struct redo_run *runs;
    size_t n_runs;
    const struct redo_sim_standby *standbys;
    size_t n_standbys;
    const struct redo_outage *outages;
    size_t n_outages;
    struct redo_sim_sent *sent;
    struct redo_sim_result *out;

    int64_t t;
    double free_mib;
    struct redo_cursor written_to;
};

struct redo_sim_config redo_sim_defaults(double log_mib, double buffer_mib)
{
    return (struct redo_sim_config){
        .log_mib = log_mib,
        .log_groups = UNKNOWN,
        .buffer_mib = buffer_mib,
        .archive_copies = 1,
        .archiver_mibps = INFINITY,
        .redo_mirror = 1,
        .archive_mirror = 1,
        .redo_ceiling_mibps = INFINITY,
        .member_ceiling_mibps = INFINITY,
        .archive_ceiling_mibps = INFINITY,
        .archive_free_mib = INFINITY,
    };
}

static bool is_out(const struct sim *s, size_t standby)
{
    for (size_t i = 0; i < s->n_outages; i++)
        if (s->outages[i].standby == standby && s->t >= s->outages[i].begin_s &&
            s->t < s->outages[i].end_s)
            return true;
    return false;
}

static double send_rate(const struct sim *s, size_t standby)
{
    return is_out(s, standby) ? 0 : s->standbys[standby].send_mibps;
}

static double granted(double ceiling, double demand)
{
    return demand > ceiling ? ceiling / demand : 1;
}

/* Redo that the online logs still hold beside the current second's. */
static double online_mib(const struct sim *s)
{
    return s->out->current_log_mib + s->out->unarchived_mib + s->c->online_keep_mib;
}

/* Redo LGWR may write before it meets a log that is not archived. */
static double log_room_mib(const struct sim *s)
{
    if (s->c->log_groups == UNKNOWN)
        return INFINITY;
    double z = s->c->log_mib;
    double waiting = ceil(s->out->unarchived_mib / z - EPS_MIB);
    double room = ((double)s->c->log_groups - waiting) * z - s->out->current_log_mib;
    return room > 0 ? room : 0;
}

/* What LGWR may write this second, were the read member's group free. */
static double write_want(const struct sim *s, double room_mib)
{
    double want = fmin(s->out->backlog_mib, room_mib);
    want = fmin(want, s->c->member_ceiling_mibps / s->c->redo_mirror);
    for (size_t i = 0; i < s->n_standbys; i++) {
        bool in_step = s->standbys[i].sync && s->sent[i].lag_mib <= s->c->buffer_mib;
        if (in_step && !is_out(s, i))
            want = fmin(want, s->standbys[i].send_mibps);
    }
    return want;
}

static double write_cost(const struct sim *s, double write_mib)
{
    return write_mib * (s->c->redo_mirror + s->c->other_online_readers);
}

/* Decides for each standby how much it asks for and from where; returns the online reads asked
 * for.  What will be written is not known yet: it is estimated with the standbys that are sure to
 * read the online logs, for one that is only just in the buffer must not be sent to the files by
 * a backlog that cannot be written at once. */
static double choose_sources(struct sim *s, double write_mib, double archive_mib)
{
    double online = online_mib(s), surely = 0;
    for (size_t i = 0; i < s->n_standbys; i++) {
        double lag = s->sent[i].lag_mib;
        if (lag > s->c->buffer_mib && lag <= online)
            surely += fmin(send_rate(s, i), lag + write_mib);
    }
    double archiver = archive_mib * (double)s->c->archive_copies;
    double likely_mib =
        write_mib * granted(s->c->redo_ceiling_mibps, write_cost(s, write_mib) + archiver + surely);
    double asked = 0;
    for (size_t i = 0; i < s->n_standbys; i++) {
        struct redo_sim_sent *r = &s->sent[i];
        r->want_mib = fmin(send_rate(s, i), r->lag_mib + likely_mib);
        double worst_lag = fmax(r->lag_mib, r->lag_mib + likely_mib - r->want_mib);
        r->source = worst_lag <= s->c->buffer_mib ? FROM_BUFFER
                    : r->lag_mib <= online        ? FROM_ONLINE
                                                  : FROM_ARCHIVE;
        if (r->source == FROM_ONLINE)
            asked += r->want_mib;
    }
    return asked;
}

static double asked_of_archive(const struct sim *s)
{
    double asked = 0;
    for (size_t i = 0; i < s->n_standbys; i++)
        if (s->sent[i].source == FROM_ARCHIVE)
            asked += s->sent[i].want_mib;
    return asked;
}

/* Moves the cursor to the run in which byte number mib was generated and returns how long before
 * the end of this second that was. */
static double age_s(const struct sim *s, struct redo_cursor *at, double mib)
{
    while (at->run < s->n_runs) {
        const struct redo_run *r = &s->runs[at->run];
        double end_mib = at->before_mib + r->redo_mibps * (double)r->duration_s;
        if (mib < end_mib - EPS_MIB) {
            double born_s = (double)at->begin_s + (mib - at->before_mib) / r->redo_mibps;
            return fmax(0, (double)(s->t + 1) - born_s);
        }
        at->before_mib = end_mib;
        at->begin_s += r->duration_s;
        at->run++;
    }
    return 0;
}

static void send(struct sim *s, struct redo_sim_sent *r, double write_mib, double online_share,
                 double archive_share)
{
    double share = r->source == FROM_ONLINE    ? online_share
                   : r->source == FROM_ARCHIVE ? archive_share
                                               : 1;
    double sent = fmin(r->want_mib * share, r->lag_mib + write_mib);
    double *by_source = r->source == FROM_ONLINE    ? &r->online_mib
                        : r->source == FROM_ARCHIVE ? &r->archived_mib
                                                    : &r->buffer_mib;
    *by_source += sent;
    r->lag_mib += write_mib - sent;
    r->worst_lag_mib = fmax(r->worst_lag_mib, r->lag_mib);
    r->behind_s += r->lag_mib > s->c->buffer_mib;
    if (r->lag_mib > EPS_MIB) {
        double so_far = r->buffer_mib + r->online_mib + r->archived_mib;
        r->worst_age_s = fmax(r->worst_age_s, age_s(s, &r->sent_to, so_far));
    }
}

/* An outage is over once the lag is within the buffer again. */
static void note_recovery(const struct sim *s, size_t standby)
{
    struct redo_sim_sent *r = &s->sent[standby];
    if (is_out(s, standby)) {
        r->recovering_since_s = s->t + 1;
    } else if (r->recovering_since_s != UNKNOWN && r->lag_mib <= s->c->buffer_mib) {
        r->catch_up_s = fmax(r->catch_up_s, (double)(s->t - r->recovering_since_s));
        r->recovering_since_s = UNKNOWN;
    }
}

static void advance_log(struct sim *s, double write_mib)
{
    struct redo_sim_result *o = s->out;
    o->written_mib += write_mib;
    o->current_log_mib += write_mib;
    double full = floor(o->current_log_mib / s->c->log_mib + EPS_MIB);
    o->current_log_mib -= full * s->c->log_mib;
    o->unarchived_mib += full * s->c->log_mib;
    o->log_switches += (int64_t)full;
}

static void note_backlog(struct sim *s, bool no_free_log)
{
    struct redo_sim_result *o = s->out;
    o->worst_unarchived_mib = fmax(o->worst_unarchived_mib, o->unarchived_mib);
    o->worst_backlog_mib = fmax(o->worst_backlog_mib, o->backlog_mib);
    if (o->backlog_mib <= EPS_MIB)
        return;
    o->stalled_s++;
    o->log_wait_s += no_free_log;
    double delay_s = age_s(s, &s->written_to, o->written_mib);
    o->worst_delay_ms = fmax(o->worst_delay_ms, delay_s * 1000);
}

/* What is asked of the two groups in a second. */
struct asked {
    double redo_mib;     /* of the redo group, without the archiver */
    double archiver_mib; /* to be read there, and written to the archive group */
    double archive_reads_mib, archive_others_mib; /* others follow what LGWR writes */
};

/* The fraction that each group grants. */
struct shares {
    double redo, archive;
};

/* Each group sees of the archiver what the other one lets through.  From redo = 1 on redo only
 * falls and archive only rises, so both ceilings hold wherever this ends. */
static struct shares shares_of(const struct redo_sim_config *c, const struct asked *q)
{
    enum { ROUNDS_MAX = 64 };
    struct shares share = { 1, 1 };
    for (int i = 0; i < ROUNDS_MAX; i++) {
        double before = share.redo;
        double written = q->archiver_mib * c->archive_mirror + q->archive_others_mib;
        share.archive =
            granted(c->archive_ceiling_mibps, q->archive_reads_mib + written * share.redo);
        share.redo = granted(c->redo_ceiling_mibps, q->redo_mib + q->archiver_mib * share.archive);
        if (before - share.redo < 1e-9)
            break;
    }
    return share;
}

static void step(struct sim *s, double generated_mib)
{
    const struct redo_sim_config *c = s->c;
    struct redo_sim_result *o = s->out;
    for (size_t i = 0; i < s->n_standbys; i++)
        note_recovery(s, i);

    o->generated_mib += generated_mib;
    o->backlog_mib += generated_mib;
    s->free_mib = fmin(s->free_mib + c->archive_deleted_mibps, c->archive_free_mib);

    double copies = (double)c->archive_copies;
    double room = log_room_mib(s);
    bool no_free_log = room < o->backlog_mib;
    double write_mib = write_want(s, room);
    double archive_mib = fmin(o->unarchived_mib, c->archiver_mibps);
    if (archive_mib * copies > s->free_mib) {
        archive_mib = s->free_mib / copies;
        if (o->archive_full_at_s == UNKNOWN)
            o->archive_full_at_s = s->t;
    }

    double online = choose_sources(s, write_mib, archive_mib);
    struct asked asked = {
        .redo_mib = write_cost(s, write_mib) + online,
        .archiver_mib = archive_mib * copies,
        .archive_reads_mib = asked_of_archive(s),
        .archive_others_mib = write_mib * c->other_archive_readers,
    };
    struct shares share = shares_of(c, &asked);
    write_mib *= share.redo;
    archive_mib *= share.redo * share.archive;

    o->backlog_mib -= write_mib;
    o->archived_mib += archive_mib;
    o->unarchived_mib -= archive_mib;
    s->free_mib -= archive_mib * copies;
    advance_log(s, write_mib);
    for (size_t i = 0; i < s->n_standbys; i++)
        send(s, &s->sent[i], write_mib, share.redo, share.archive);

    double redo_load = asked.redo_mib * share.redo + archive_mib * copies;
    double archive_load =
        archive_mib * copies * c->archive_mirror +
        (asked.archive_reads_mib + asked.archive_others_mib * share.redo) * share.archive;
    o->redo_max_mibps = fmax(o->redo_max_mibps, redo_load);
    o->archive_max_mibps = fmax(o->archive_max_mibps, archive_load);
    o->redo_ceiling_s += share.redo < 1;
    o->archive_ceiling_s += share.archive < 1;
    note_backlog(s, no_free_log);
}

static void sum_up(struct sim *s)
{
    struct redo_sim_result *o = s->out;
    for (size_t i = 0; i < s->n_standbys; i++) {
        struct redo_sim_sent *r = &s->sent[i];
        note_recovery(s, i);
        if (r->recovering_since_s != UNKNOWN)
            r->catch_up_s = r->lag_mib > s->c->buffer_mib ? INFINITY : fmax(r->catch_up_s, 0);
        o->buffer_mib += r->buffer_mib;
        o->online_mib += r->online_mib;
        o->archive_read_mib += r->archived_mib;
        o->worst_lag_mib = fmax(o->worst_lag_mib, r->worst_lag_mib);
        o->worst_age_s = fmax(o->worst_age_s, r->worst_age_s);
        o->catch_up_s = fmax(o->catch_up_s, r->catch_up_s);
    }
}

static int check_config(const struct redo_sim_config *c, struct err *e)
{
    const struct {
        const char *what;
        double value, low, high;
    } figures[] = {
        { "size of an online log, MiB", c->log_mib, 1, RATE_MAX },
        { "log groups", c->log_groups == UNKNOWN ? 2 : (double)c->log_groups, 2, 1e6 },
        { "log buffer, MiB", c->buffer_mib, 0, RATE_MAX },
        { "redo kept online, MiB", c->online_keep_mib, 0, INFINITY },
        { "archive copies", (double)c->archive_copies, 1, 31 },
        { "archiver, MiB/s", c->archiver_mibps, 0, INFINITY },
        { "mirror copies of redo", c->redo_mirror, 1, 3 },
        { "mirror copies of archived logs", c->archive_mirror, 1, 3 },
        { "ceiling of the redo group, MiB/s", c->redo_ceiling_mibps, CEILING_MIN, INFINITY },
        { "ceiling of the other members, MiB/s", c->member_ceiling_mibps, CEILING_MIN, INFINITY },
        { "ceiling of the archive group, MiB/s", c->archive_ceiling_mibps, CEILING_MIN, INFINITY },
        { "other online readers", c->other_online_readers, 0, 1e6 },
        { "other archived log readers", c->other_archive_readers, 0, 1e6 },
        { "room for archived logs, MiB", c->archive_free_mib, 0, INFINITY },
        { "deleted archived logs, MiB/s", c->archive_deleted_mibps, 0, RATE_MAX },
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (!(figures[i].value >= figures[i].low && figures[i].value <= figures[i].high))
            return err_set(e, ERR_USAGE, "%s: %g, expected %g to %g", figures[i].what,
                           figures[i].value, figures[i].low, figures[i].high);
    return 0;
}

static int check_series(const struct sim *s, struct err *e)
{
    int64_t seconds = 0;
    for (size_t i = 0; i < s->n_runs; i++) {
        const struct redo_run *r = &s->runs[i];
        if (!(r->redo_mibps >= 0 && r->redo_mibps <= RATE_MAX) || r->duration_s < 0)
            return err_set(e, ERR_USAGE,
                           "redo series, run %zu: expected a rate and a duration of "
                           "0 or more",
                           i);
        if (r->duration_s > SECONDS_MAX - seconds)
            return err_set(e, ERR_LIMIT, "redo series: longer than 366 days");
        seconds += r->duration_s;
    }
    for (size_t i = 0; i < s->n_standbys; i++)
        if (!(s->standbys[i].send_mibps >= 0))
            return err_set(e, ERR_USAGE, "standby %zu: expected a send rate of 0 or more", i);
    return 0;
}

int redo_sim_run(const struct redo_sim_config *c, const struct redo_run *runs, size_t n_runs,
                 const struct redo_sim_standby *standbys, size_t n_standbys,
                 const struct redo_outage *outages, size_t n_outages, struct redo_sim_sent *sent,
                 struct redo_sim_result *out, struct err *e)
{
    struct redo_sim_result result = { .catch_up_s = NAN, .archive_full_at_s = UNKNOWN };
    struct sim s = {
        .c = c,
        .runs = runs,
        .n_runs = n_runs,
        .standbys = standbys,
        .n_standbys = n_standbys,
        .outages = outages,
        .n_outages = n_outages,
        .sent = sent,
        .out = &result,
        .free_mib = c->archive_free_mib,
    };
    int rc = check_config(c, e);
    if (!rc)
        rc = check_series(&s, e);
    if (rc)
        return rc;

    for (size_t i = 0; i < n_standbys; i++)
        sent[i] = (struct redo_sim_sent){ .catch_up_s = NAN, .recovering_since_s = UNKNOWN };
    for (size_t i = 0; i < n_runs; i++)
        for (int64_t k = 0; k < runs[i].duration_s; k++, s.t++)
            step(&s, runs[i].redo_mibps);
    result.seconds = s.t;
    sum_up(&s);
    *out = result;
    return 0;
}
