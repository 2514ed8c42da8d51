/* planner/whatif/redo_simulation.c - see redo_simulation.h. */
#include "planner/whatif/redo_simulation.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "planner/whatif/log_switches.h"
#include "planner/whatif/redo_series.h"

#include <math.h>

/* --- when ------------------------------------------------------------------------------------- */

/* The time of a second of the series. */
static int64_t time_at(const struct redo_series *r, int64_t second)
{
    for (size_t i = 0; i < r->n; i++) {
        if (second < r->runs[i].duration_s)
            return r->begin_ms[i] + second * 1000;
        second -= r->runs[i].duration_s;
    }
    return r->end_ms;
}

/* First second of the OUTAGE_S in which most redo is generated. */
static int64_t busiest_second(const struct redo_series *r)
{
    double sum = 0, most = -1;
    int64_t at_s = 0, best_s = 0;
    size_t tail = 0;
    int64_t tail_s = 0;
    for (size_t i = 0; i < r->n; i++) {
        sum += r->runs[i].redo_mibps * (double)r->runs[i].duration_s;
        at_s += r->runs[i].duration_s;
        while (tail < i && at_s - tail_s - r->runs[tail].duration_s >= OUTAGE_S) {
            sum -= r->runs[tail].redo_mibps * (double)r->runs[tail].duration_s;
            tail_s += r->runs[tail++].duration_s;
        }
        if (sum > most) {
            most = sum;
            best_s = tail_s;
        }
    }
    return best_s;
}

/* --- what carries it -------------------------------------------------------------------------- */

static double ceiling_of(const struct plan_group *g, enum redo_volumes volumes)
{
    if (volumes == REDO_VOLUMES_PLANNED)
        return planned_ceiling_mibps(g);
    double skew = g->group->skew > 1 ? g->group->skew : 1;
    return g->today.known
               ? fmin(g->today.group_max_throughput_mibps, g->today.group_max_iops / 4) / skew
               : NAN;
}

static double least(double a, double b)
{
    return isnan(b) || b <= 0 ? a : fmin(a, b);
}

static void set_ceilings(const struct scenario *s, const struct plan *p, enum redo_volumes volumes,
                         struct redo_sim_config *c)
{
    double free_gib = 0;
    bool free_known = false;
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct path_share *share = &s->shares[i];
        const struct layout_group *g = &s->layout.groups[i];
        double ceiling = ceiling_of(&p->groups[i], volumes);
        int mirror = redundancy_copies(g->redundancy);
        if (share->log_reads > 0) {
            c->redo_ceiling_mibps = least(c->redo_ceiling_mibps, ceiling / share->log_reads);
            c->redo_mirror = mirror;
        } else if (share->log_writes > 0)
            c->member_ceiling_mibps = least(c->member_ceiling_mibps, ceiling / share->log_writes);
        if (!(share->archive > 0))
            continue;
        c->archive_ceiling_mibps = least(c->archive_ceiling_mibps, ceiling / share->archive);
        c->archive_mirror = mirror;
        const struct volume_spec *v =
            volumes == REDO_VOLUMES_PLANNED ? &p->groups[i].chosen.spec : &p->groups[i].today.spec;
        if (g->used_gib >= 0 && v->size_gib > 0) {
            free_known = true;
            free_gib += fmax(0, (double)(v->size_gib * v->count) / mirror - (double)g->used_gib);
        }
    }
    if (free_known)
        c->archive_free_mib = free_gib * 1024;
}

static struct redo_sim_config config_of(const struct scenario *s, const struct plan *p,
                                        enum redo_volumes volumes, double buffer_mib)
{
    const struct layout_redo *r = &s->layout.redo;
    const struct redo_flow *f = &s->path->flow;
    struct redo_sim_config c = redo_sim_defaults(r->log_gib * 1024, buffer_mib);
    double copies = round(f->archive_write_mibps / f->redo_mibps);
    c.log_groups = r->groups >= 2 ? r->groups : UNKNOWN;
    c.archive_copies = copies >= 1 && copies <= 31 ? (int64_t)copies : 1;
    c.other_online_readers = f->other_online_readers;
    c.other_archive_readers = f->other_archive_readers;
    set_ceilings(s, p, volumes, &c);
    /* The archiver reads no faster than its copies can be written. */
    c.archiver_mibps = c.archive_ceiling_mibps / (c.archive_mirror * (double)c.archive_copies);
    return c;
}

/* Standbys of known rate become links; the others add their copies to the other readers. */
static size_t links_of(const struct scenario *s, struct redo_sim_config *c,
                       struct redo_sim_standby *links, const struct standby **of,
                       struct redo_simulation *out)
{
    const struct redo_flow *f = &s->path->flow;
    struct redo_flow one = *f;
    one.redo_mibps = 1;
    size_t n = 0;
    for (size_t i = 0; i < s->topology.n; i++) {
        const struct standby *t = &s->topology.at[i];
        double send = redo_send_mibps(&t->link);
        if (!topology_is_direct(t))
            continue;
        if (t->mode != REDO_ASYNC || send > 0) {
            of[n] = t;
            links[n++] =
                (struct redo_sim_standby){ send > 0 ? send : INFINITY, t->mode != REDO_ASYNC };
            out->by_link += t->mode == REDO_ASYNC;
            continue;
        }
        out->by_average++;
        c->other_online_readers +=
            redo_load_of_standby(&one, !t->measured, REDO_READ_MEMBER).read_mibps.central;
        c->other_archive_readers +=
            redo_load_of_standby(&one, !t->measured, REDO_ARCHIVE).read_mibps.central;
    }
    return n;
}

/* The standby of known rate that catches up last. */
static size_t slowest(const struct redo_sim_standby *links, size_t n)
{
    size_t at = n;
    for (size_t i = 0; i < n; i++)
        if (isfinite(links[i].send_mibps) &&
            (at == n || links[i].send_mibps < links[at].send_mibps))
            at = i;
    return at;
}

/* The SYNC standby that holds LGWR to less than is generated at times; NULL. */
static const char *held_by(const struct redo_series *r, const struct redo_sim_standby *links,
                           const struct standby *const *of, size_t n)
{
    double limit_mibps = 0;
    const char *name = NULL;
    for (size_t i = 0; i < r->n; i++)
        limit_mibps = fmax(limit_mibps, r->runs[i].redo_mibps);
    for (size_t i = 0; i < n; i++)
        if (links[i].sync && links[i].send_mibps < limit_mibps) {
            limit_mibps = links[i].send_mibps;
            name = of[i]->name;
        }
    return name;
}

static const char *what_is_missing(const struct scenario *s)
{
    if (!s->path->known)
        return "the redo path is not calibrated";
    if (scenario_host(s))
        return "this host is a standby in it";
    if (!(s->layout.redo.log_gib * 1024 >= 1))
        return "the layout does not give redo.log_gib";
    return NULL;
}

static int run(const struct redo_series *r, const struct redo_sim_config *c,
               const struct redo_sim_standby *links, const struct standby *const *of, size_t n,
               struct arena *a, struct redo_simulation *out, struct err *e)
{
    struct redo_sim_sent *sent = arena_array(a, n ? n : 1, sizeof *sent);
    struct redo_sim_result away;
    if (!sent)
        return err_nomem(e);
    int rc = redo_sim_run(c, r->runs, r->n, links, n, NULL, 0, sent, &out->result, e);
    size_t late = slowest(links, n);
    if (rc || late == n)
        return rc;
    int64_t begin_s = busiest_second(r);
    struct redo_outage outage = { late, begin_s, begin_s + OUTAGE_S };
    rc = redo_sim_run(c, r->runs, r->n, links, n, &outage, 1, sent, &away, e);
    out->outage_of = of[late]->name;
    out->catch_up_s = away.catch_up_s;
    return rc;
}

int redo_simulate(const struct scenario *s, const struct plan *p, enum redo_volumes volumes,
                  struct arena *a, struct redo_simulation *out, struct err *e)
{
    struct redo_simulation sim = { .missing = what_is_missing(s),
                                   .catch_up_s = NAN,
                                   .full_at_ms = UNKNOWN };
    *out = sim;
    if (sim.missing)
        return 0;
    struct redo_series r;
    int rc = redo_series_build(s, a, &r, e);
    if (rc)
        return rc;
    if (!r.n) {
        out->missing = "no redo group was measured by the minute, and no archived logs are known";
        return 0;
    }
    sim.from_logs = r.from_logs;
    size_t room = s->topology.n ? s->topology.n : 1;
    struct redo_sim_standby *links = arena_array(a, room, sizeof *links);
    const struct standby **of = arena_array(a, room, sizeof(struct standby *));
    if (!links || !of)
        return err_nomem(e);
    double buffer_mib = s->layout.redo.buffer_mib;
    sim.buffer_assumed = !(buffer_mib >= 0);
    sim.buffer_mib = sim.buffer_assumed ? ASSUMED_BUFFER_MIB : buffer_mib;
    struct redo_sim_config c = config_of(s, p, volumes, sim.buffer_mib);
    size_t n = links_of(s, &c, links, of, &sim);
    sim.held_by = held_by(&r, links, of, n);
    rc = run(&r, &c, links, of, n, a, &sim, e);
    if (rc == ERR_USAGE || rc == ERR_LIMIT) {
        /* A figure of the layout or of a report that no redo path has: there is no simulation. */
        *out = sim;
        out->missing = "a figure is outside of what can be simulated";
        return 0;
    }
    if (rc)
        return rc;
    sim.begin_ms = r.begin_ms[0];
    sim.end_ms = r.end_ms;
    if (sim.result.archive_full_at_s != UNKNOWN)
        sim.full_at_ms = time_at(&r, sim.result.archive_full_at_s);
    *out = sim;
    return 0;
}
