/* planner/whatif/redo_path.c - see redo_path.h.
 *
 *   redo_path_build
 *     find_period      the reports to calibrate with
 *     measure          their figures, added up
 *     calibrate
 *     share_of         for each group */
#include "planner/whatif/redo_path.h"

#include "models/core/unit.h"
#include "models/ebs/io_count.h"
#include "models/oracle/redo_block.h"
#include "models/oracle/redo_transport.h"
#include "planner/demand/group_files.h"
#include "planner/demand/redo_waits.h"

#include <math.h>
#include <string.h>

/* TUNING: reports of one period may begin and end this part of it apart. */
static const double same_period = 0.1;
enum { REPORTS_MAX = 128, SSD_CAP_KIB = 256, WHOLE_REQUEST_KIB = 1024 };

/* Reports over the same time, one an instance or one of the cluster. */
struct period {
    const struct awr_snapshot *at[REPORTS_MAX];
    size_t n;
};

/* What a file type was read and written, by all reports of the period. */
struct file_rates {
    double read_mibps, write_mibps, read_iops, write_iops;
};

static void add(double *sum, double v)
{
    if (!isnan(v))
        *sum = isnan(*sum) ? v : *sum + v;
}

double path_total_mibps(const struct path_rates *r)
{
    double sum = r->read_mibps;
    add(&sum, r->write_mibps);
    return sum;
}

struct path_rates path_rates_plus(struct path_rates a, const struct path_rates *b)
{
    add(&a.read_mibps, b->read_mibps);
    add(&a.write_mibps, b->write_mibps);
    add(&a.read_iops, b->read_iops);
    add(&a.write_iops, b->write_iops);
    add(&a.counted_iops, b->counted_iops);
    return a;
}

/* --- the period ------------------------------------------------------------------------------- */

static double seconds_of(const struct awr_snapshot *s)
{
    if (s->elapsed_s > 0)
        return s->elapsed_s;
    return s->begin_ms != UNKNOWN && s->end_ms > s->begin_ms
               ? (double)(s->end_ms - s->begin_ms) / 1e3
               : NAN;
}

/* Totals have more digits than rates where both are printed. */
static double stat_per_s(const struct awr_snapshot *s, const char *name)
{
    for (size_t i = 0; i < s->n_stats; i++)
        if (s->stats[i].name && strcmp(s->stats[i].name, name) == 0) {
            double rate = s->stats[i].total / seconds_of(s);
            return isnan(rate) ? s->stats[i].per_s : rate;
        }
    return NAN;
}

static struct file_rates file_rates_of(const struct awr_snapshot *s, const char *name)
{
    struct file_rates r = { NAN, NAN, NAN, NAN };
    for (size_t i = 0; i < s->n_filetypes; i++) {
        const struct awr_io_row *row = &s->filetypes[i];
        if (!row->name || strcmp(row->name, name) != 0)
            continue;
        double seconds = seconds_of(s), read = row->read_bytes_per_s,
               write = row->write_bytes_per_s;
        r.read_mibps = (isnan(read) ? row->read_bytes / seconds : read) / MIB_BYTES;
        r.write_mibps = (isnan(write) ? row->write_bytes / seconds : write) / MIB_BYTES;
        r.read_iops = row->read_requests_per_s;
        r.write_iops = row->write_requests_per_s;
        break;
    }
    return r;
}

static double redo_score(const struct awr_snapshot *s)
{
    double log = file_rates_of(s, "Log File").write_mibps;
    return isnan(log) ? stat_per_s(s, "redo size") / MIB_BYTES : log;
}

static bool of_this_system(const struct layout *l, const struct awr_snapshot *s)
{
    if (!l->n_instances || s->instance_number == UNKNOWN)
        return true;
    for (size_t i = 0; i < l->n_instances; i++)
        if (l->instances[i] == s->instance_number)
            return true;
    return false;
}

static bool is_cluster(const struct awr_snapshot *s)
{
    return s->rac == 1 && s->instance_number == UNKNOWN && !s->instance;
}

static bool has_instance(const struct period *p, int64_t instance_number)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->at[i]->instance_number == instance_number)
            return true;
    return false;
}

static bool is_same_period(const struct awr_snapshot *a, const struct awr_snapshot *s)
{
    double within_ms = same_period * (double)(a->end_ms - a->begin_ms);
    return s->begin_ms != UNKNOWN && s->end_ms != UNKNOWN &&
           fabs((double)(s->begin_ms - a->begin_ms)) <= within_ms &&
           fabs((double)(s->end_ms - a->end_ms)) <= within_ms;
}

/* Where those that may be of the same period begin; they ascend. */
static size_t first_near(const struct system_load *load, size_t first)
{
    const struct awr_snapshot *a = load->snapshots[first];
    double within_ms = same_period * (double)(a->end_ms - a->begin_ms);
    while (first > 0 && load->snapshots[first - 1]->begin_ms != UNKNOWN &&
           (double)(a->begin_ms - load->snapshots[first - 1]->begin_ms) <= within_ms)
        first--;
    return first;
}

/* The reports that cover the same time as report i: one an instance, or that of the cluster, which
 * has statistics that those of instances in it lack, unless some of its instances are of another
 * host. */
static struct period period_of(const struct system_load *load, const struct layout *l, size_t i)
{
    const struct awr_snapshot *a = load->snapshots[i], *cluster = NULL;
    struct period p = { { a }, 1 };
    bool others = false;
    if (a->begin_ms == UNKNOWN || a->end_ms == UNKNOWN)
        return p;
    p.n = 0;
    for (size_t k = first_near(load, i); k < load->n_snapshots && p.n < REPORTS_MAX; k++) {
        const struct awr_snapshot *s = load->snapshots[k];
        if (k > i && s->begin_ms != UNKNOWN && s->begin_ms >= a->end_ms)
            break;
        if (!is_same_period(a, s))
            continue;
        others |= !of_this_system(l, s);
        if (is_cluster(s))
            cluster = cluster ? cluster : s;
        else if (of_this_system(l, s) && !has_instance(&p, s->instance_number))
            p.at[p.n++] = s;
    }
    bool whole = cluster && (!others || !p.n);
    return whole ? (struct period){ { cluster }, 1 } : p;
}

/* The period with the most redo; n 0 = none tells of redo. */
static struct period find_period(const struct system_load *load, const struct layout *l)
{
    struct period best = { { NULL }, 0 };
    double most = 0;
    for (size_t i = 0; i < load->n_snapshots; i++) {
        if (!of_this_system(l, load->snapshots[i]))
            continue;
        struct period p = period_of(load, l, i);
        double score = NAN;
        for (size_t k = 0; k < p.n; k++)
            add(&score, redo_score(p.at[k]));
        if (score > most) {
            most = score;
            best = p;
        }
    }
    return best;
}

/* --- its figures ------------------------------------------------------------------------------ */

static double stat_of(const struct period *p, const char *name)
{
    double sum = NAN;
    for (size_t i = 0; i < p->n; i++)
        add(&sum, stat_per_s(p->at[i], name));
    return sum;
}

static struct file_rates file_of(const struct period *p, const char *name)
{
    struct file_rates sum = { NAN, NAN, NAN, NAN };
    for (size_t i = 0; i < p->n; i++) {
        struct file_rates r = file_rates_of(p->at[i], name);
        add(&sum.read_mibps, r.read_mibps);
        add(&sum.write_mibps, r.write_mibps);
        add(&sum.read_iops, r.read_iops);
        add(&sum.write_iops, r.write_iops);
    }
    return sum;
}

static double request_kib(double mibps, double iops)
{
    return mibps > 0 && iops > 0 ? mibps * 1024 / iops : WHOLE_REQUEST_KIB;
}

static void span_period(const struct period *p, struct redo_path *out, double *seconds)
{
    double sum_s = 0;
    out->begin_ms = out->end_ms = UNKNOWN;
    for (size_t i = 0; i < p->n; i++) {
        const struct awr_snapshot *s = p->at[i];
        sum_s += seconds_of(s);
        if (s->begin_ms != UNKNOWN && (out->begin_ms == UNKNOWN || s->begin_ms < out->begin_ms))
            out->begin_ms = s->begin_ms;
        if (s->end_ms > out->end_ms)
            out->end_ms = s->end_ms;
    }
    *seconds = sum_s / (double)p->n;
}

/* Was a group of the redo path at a ceiling, or the database waiting, in the period? */
static bool was_censored(const struct system_demand *d, const struct period *p,
                         const struct redo_path *path)
{
    for (size_t i = 0; i < p->n; i++)
        if (redo_waited(p->at[i]))
            return true;
    if (path->begin_ms == UNKNOWN)
        return false;
    for (size_t g = 0; g < d->n_groups; g++) {
        const struct load_points *points = &d->groups[g].points;
        if (!path_share_any(&path->shares[g]))
            continue;
        for (size_t i = 0; i < points->n; i++)
            if (points->at[i].flags & POINT_CENSORED && points->at[i].begin_ms < path->end_ms &&
                points->at[i].end_ms > path->begin_ms)
                return true;
    }
    return false;
}

static double wait_ms(const struct period *p, const char *event)
{
    double time_s = 0, waits = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->at[i]->n_events; k++) {
            const struct awr_event *ev = &p->at[i]->events[k];
            if (ev->name && strcmp(ev->name, event) == 0 && ev->waits > 0 && ev->time_s >= 0) {
                time_s += ev->time_s;
                waits += ev->waits;
            }
        }
    return waits > 0 ? time_s * 1e3 / waits : NAN;
}

static struct redo_measured measure(const struct period *p, struct redo_path *out)
{
    struct file_rates log = file_of(p, "Log File"), archive = file_of(p, "Archive Log");
    struct file_rates flashback = file_of(p, "Flashback Log");
    struct redo_measured m = {
        .log_read_mibps = log.read_mibps,
        .log_write_mibps = log.write_mibps,
        .archive_read_mibps = archive.read_mibps,
        .archive_write_mibps = archive.write_mibps,
        .redo_bytes_per_s = stat_of(p, "redo size"),
        .wastage_bytes_per_s = stat_of(p, "redo wastage"),
        .blocks_per_s = stat_of(p, "redo blocks written"),
        .read_kib_per_s = stat_of(p, "redo KB read"),
        .read_memory_kib_per_s = stat_of(p, "redo KB read (memory)"),
        .transport_kib_per_s = stat_of(p, "redo KB read for transport"),
        .transport_memory_kib_per_s = stat_of(p, "redo KB read (memory) for transport"),
    };
    /* A log file type that is there without an archive one: the database does not archive. */
    if (!isnan(m.log_write_mibps) && isnan(m.archive_write_mibps))
        m.archive_read_mibps = m.archive_write_mibps = 0;
    out->flow.flashback_write_mibps = flashback.write_mibps > 0 ? flashback.write_mibps : 0;
    out->requests = (struct path_requests){
        .log_read_kib = request_kib(log.read_mibps, log.read_iops),
        .log_write_kib = request_kib(log.write_mibps, log.write_iops),
        .archive_read_kib = request_kib(archive.read_mibps, archive.read_iops),
        .archive_write_kib = request_kib(archive.write_mibps, archive.write_iops),
        .flashback_write_kib = request_kib(flashback.write_mibps, flashback.write_iops),
    };
    out->log_write_ms = wait_ms(p, "log file parallel write");
    span_period(p, out, &m.elapsed_s);
    return m;
}

static void describe_writes(const struct period *p, const struct redo_measured *m,
                            const struct redo_given *given, struct redo_path *out)
{
    double writes = stat_of(p, "redo writes");
    double wastage = isnan(m->wastage_bytes_per_s) ? 0 : m->wastage_bytes_per_s;
    int64_t bytes = given->block_bytes > 0
                        ? given->block_bytes
                        : redo_block_infer(m->blocks_per_s, m->redo_bytes_per_s, wastage);
    out->block_bytes = bytes == UNKNOWN ? NAN : (double)bytes;
    out->redo_bytes_per_write = writes > 0 ? m->redo_bytes_per_s / writes : NAN;
    out->wastage_tails_per_write =
        bytes == UNKNOWN ? NAN : redo_tails_per_write(m->wastage_bytes_per_s, writes, bytes);
}

static struct redo_given given_by(const struct layout *l)
{
    struct redo_given g = {
        .direct_standbys = UNKNOWN,
        .members = group_log_members(l) > 0 ? group_log_members(l) : UNKNOWN,
        .block_bytes = l->redo.block_bytes,
        .other_online_readers = l->redo.other_online_readers,
        .other_archive_readers = l->redo.other_archive_readers,
        .log_mib = l->redo.log_gib * 1024,
    };
    if (l->n_standbys)
        g.direct_standbys = 0;
    for (size_t i = 0; i < l->n_standbys; i++) {
        enum redo_mode mode;
        bool async = !redo_mode_parse(l->standbys[i].transport, &mode) && mode == REDO_ASYNC;
        const char *via = l->standbys[i].via;
        g.direct_standbys += async && (!via || strcmp(via, l->system) == 0);
    }
    return g;
}

/* Nobody says that standbys are there: who reads the logs stays, whatever standbys come. */
static void leave_to_others(struct redo_flow *f)
{
    if (f->direct_standbys)
        return;
    f->other_online_readers += f->online_copies;
    f->other_archive_readers += f->archived_copies;
    f->online_copies = f->archived_copies = 0;
}

static int calibrate(const struct system_demand *d, const struct period *p, struct arena *a,
                     struct redo_path *out, struct err *e)
{
    struct redo_given given = given_by(d->layout);
    struct redo_measured m = measure(p, out);
    double flashback = out->flow.flashback_write_mibps;
    m.grade = was_censored(d, p, out) ? GRADE_CENSORED
              : m.elapsed_s > 60      ? GRADE_AVERAGED
                                      : GRADE_MEASURED;
    describe_writes(p, &m, &given, out);
    struct err reason = { 0 };
    int rc = redo_calibrate(&m, &given, &out->calibration, &reason);
    if (rc && rc != ERR_NO)
        return err_set(e, rc, "%s", reason.text);
    out->calibrated = true;
    if (rc == ERR_NO) {
        out->refused = arena_strdup(a, reason.text);
        return out->refused ? 0 : err_nomem(e);
    }
    out->known = out->calibration.redo_mibps > 0;
    out->flow = redo_flow_of(&out->calibration);
    out->flow.flashback_write_mibps = flashback;
    leave_to_others(&out->flow);
    return 0;
}

/* --- groups ----------------------------------------------------------------------------------- */

bool path_share_any(const struct path_share *s)
{
    return s->log_reads > 0 || s->log_writes > 0 || s->archive > 0 || s->flashback > 0;
}

static void add_requests(struct path_rates *to, double mibps, double iops, bool write)
{
    if (!(mibps > 0))
        return;
    add(write ? &to->write_mibps : &to->read_mibps, mibps);
    add(write ? &to->write_iops : &to->read_iops, iops);
    add(&to->counted_iops,
        isnan(iops) ? mibps * 1024 / SSD_CAP_KIB : io_counted_likely(iops, mibps, SSD_CAP_KIB));
}

static void add_log(const struct layout *l, const struct layout_group *g, double share,
                    int64_t members, struct path_share *s)
{
    if (g->log_member == UNKNOWN) {
        s->log_reads += share;
        s->log_writes += share * (double)members;
        return;
    }
    s->log_writes += share;
    if (g->log_member == group_read_member(l))
        s->log_reads += share;
}

static void share_of(const struct layout *l, const struct layout_group *g, const struct period *p,
                     int64_t members, struct path_share *s)
{
    const struct layout_file *files;
    size_t n = group_files(l, g, &files);
    double copies = redundancy_copies(g->redundancy);
    for (size_t i = 0; i < n; i++) {
        double share = files[i].share_pct / 100;
        if (strcmp(files[i].name, "Log File") == 0)
            add_log(l, g, share, members, s);
        else if (strcmp(files[i].name, "Archive Log") == 0)
            s->archive += share;
        else if (strcmp(files[i].name, "Flashback Log") == 0)
            s->flashback += share;
        else {
            struct file_rates r = file_of(p, files[i].name);
            add_requests(&s->other, r.read_mibps * share, r.read_iops * share, false);
            add_requests(&s->other, r.write_mibps * share * copies, r.write_iops * share * copies,
                         true);
        }
    }
}

struct path_rates path_rates_of(const struct redo_path *p, const struct path_share *share,
                                const struct path_load *load, enum redundancy r)
{
    const struct path_requests *q = &p->requests;
    double copies = redundancy_copies(r);
    double log_write = load->member_write_mibps * share->log_writes * copies;
    double log_write_iops = p->flow.redo_mibps * share->log_writes * copies * 1024 /
                            q->log_write_kib * load->log_write_requests;
    double log_read = load->member_read_mibps * share->log_reads;
    double archive_read = load->archive_read_mibps * share->archive;
    double archive_write = load->archive_write_mibps * share->archive * copies;
    double flashback = load->flashback_write_mibps * share->flashback * copies;
    struct path_rates out = { 0 };
    add_requests(&out, log_read, log_read * 1024 / q->log_read_kib, false);
    add_requests(&out, archive_read, archive_read * 1024 / q->archive_read_kib, false);
    add_requests(&out, log_write, log_write_iops, true);
    add_requests(&out, archive_write, archive_write * 1024 / q->archive_write_kib, true);
    add_requests(&out, flashback, flashback * 1024 / q->flashback_write_kib, true);
    return out;
}

/* The redo behind the largest writes that a redo group was measured with. */
static double redo_peak(const struct system_demand *d, const struct redo_path *p)
{
    double peak = NAN;
    for (size_t i = 0; i < d->n_groups; i++) {
        const struct path_share *s = &p->shares[i];
        bool log_only = s->log_writes > 0 && !(s->archive > 0) && !(s->other.write_mibps > 0);
        double copies = s->log_writes * redundancy_copies(d->layout->groups[i].redundancy);
        if (log_only && d->groups[i].demand.grade != GRADE_NONE)
            peak = fmax(peak, d->groups[i].demand.write_mibps / copies);
    }
    return peak;
}

int redo_path_build(const struct system_demand *d, struct arena *a, struct redo_path *out,
                    struct err *e)
{
    struct redo_path p = { .begin_ms = UNKNOWN,
                           .end_ms = UNKNOWN,
                           .log_write_ms = NAN,
                           .redo_peak_mibps = NAN,
                           .block_bytes = NAN,
                           .redo_bytes_per_write = NAN,
                           .wastage_tails_per_write = NAN };
    const struct layout *l = d->layout;
    struct path_share *shares = arena_array(a, l->n_groups ? l->n_groups : 1, sizeof *shares);
    if (!shares)
        return err_nomem(e);
    p.shares = shares;
    struct period period = find_period(d->load, l);
    int64_t members = group_log_members(l) > 0 ? group_log_members(l) : 1;
    for (size_t i = 0; i < l->n_groups; i++)
        share_of(l, &l->groups[i], &period, members, &shares[i]);
    int rc = period.n ? calibrate(d, &period, a, &p, e) : 0;
    if (rc)
        return rc;
    /* A group with all members holds as many as were measured. */
    if (p.calibrated)
        for (size_t i = 0; i < l->n_groups; i++)
            if (l->groups[i].log_member == UNKNOWN)
                shares[i].log_writes *= (double)p.calibration.members / (double)members;
    p.redo_peak_mibps = redo_peak(d, &p);
    *out = p;
    return 0;
}
