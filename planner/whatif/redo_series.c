/* planner/whatif/redo_series.c - see redo_series.h.
 *
 *   redo_series_build
 *     pieces_of_devices    or, without any,
 *     pieces_of_logs
 *     window_of            at most a week of them
 *     runs_of              in whole seconds */
#include "planner/whatif/redo_series.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/vocab/metric_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DAYS_MAX = 7 };

/* Redo of the measured system at a constant rate; pieces ascend and do not overlap. */
struct piece {
    int64_t begin_ms, end_ms;
    double mibps;
};

struct pieces {
    struct piece *at;
    size_t n;
};

/* --- from devices ----------------------------------------------------------------------------- */

static bool is_measured(const struct load_point *p)
{
    return interval_is_measured(p->interval_s) && p->write_mibps >= 0;
}

static bool any_measured(const struct load_points *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (is_measured(&p->at[i]))
            return true;
    return false;
}

/* The group whose measured writes are redo alone; n_groups = none by the minute. */
static size_t redo_group(const struct scenario *s)
{
    const struct system_demand *d = s->measured;
    for (int reads = 1; reads >= 0; reads--)
        for (size_t i = 0; i < d->n_groups; i++) {
            const struct path_share *share = &s->path->shares[i];
            bool redo_only = share->log_writes > 0 && !(share->archive > 0) &&
                             !(share->other.write_mibps > 0) &&
                             (share->log_reads > 0) == (reads == 1);
            if (redo_only && any_measured(&d->groups[i].points))
                return i;
        }
    return d->n_groups;
}

static int pieces_of_devices(const struct scenario *s, struct arena *a, struct pieces *out,
                             struct err *e)
{
    size_t group = redo_group(s);
    if (group == s->measured->n_groups)
        return 0;
    const struct load_points *p = &s->measured->groups[group].points;
    double copies = s->path->shares[group].log_writes *
                    redundancy_copies(s->measured->layout->groups[group].redundancy);
    struct pieces all = { arena_array(a, p->n, sizeof *all.at), 0 };
    if (!all.at)
        return err_nomem(e);
    double last = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct load_point *q = &p->at[i];
        if (!is_measured(q))
            continue;
        if (!(q->flags & POINT_ARTEFACT))
            last = q->write_mibps / copies;
        all.at[all.n++] = (struct piece){ q->begin_ms, q->end_ms, last };
    }
    *out = all;
    return 0;
}

/* --- from archived logs ----------------------------------------------------------------------- */

struct archived_log {
    const char *thread;
    struct piece piece;
};

/* Where the sum over threads changes. */
struct edge {
    int64_t at_ms;
    double mibps;
    int logs;
};

static bool is_log_history(const struct metric_series *m)
{
    return m->metric && strcmp(m->metric, "redo_log") == 0 && m->statistic == STATISTIC_SUM;
}

/* A log longer than this is no history of switches. */
static const double log_days_max = 366;

static bool is_log(const struct metric_series *m, size_t i)
{
    return m->value[i] >= 0 && isfinite(m->value[i]) && m->period_s[i] > 0 &&
           m->period_s[i] <= log_days_max * 86400;
}

static int by_thread_and_time(const void *a, const void *b)
{
    const struct archived_log *x = a, *y = b;
    int order = strcmp(x->thread, y->thread);
    if (order)
        return order;
    return (x->piece.begin_ms > y->piece.begin_ms) - (x->piece.begin_ms < y->piece.begin_ms);
}

static int by_time(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return (x->at_ms > y->at_ms) - (x->at_ms < y->at_ms);
}

static size_t take_logs(const struct system_load *load, struct archived_log *out)
{
    size_t n = 0;
    for (size_t i = 0; i < load->n_metrics; i++) {
        const struct metric_series *m = &load->metrics[i];
        for (size_t k = 0; k < m->n && is_log_history(m); k++) {
            if (!is_log(m, k))
                continue;
            int64_t begin_ms = m->time_ms[k], end_ms = begin_ms + llround(m->period_s[k] * 1e3);
            out[n++] = (struct archived_log){ m->dimension ? m->dimension : "",
                                              { begin_ms, end_ms,
                                                m->value[k] / MIB_BYTES / m->period_s[k] } };
        }
    }
    return n;
}

static size_t edges_of(struct archived_log *logs, size_t n, struct edge *out)
{
    size_t n_edges = 0;
    const struct archived_log *before = NULL;
    qsort(logs, n, sizeof *logs, by_thread_and_time);
    for (size_t i = 0; i < n; i++) {
        const struct archived_log *l = &logs[i];
        if (before && strcmp(before->thread, l->thread) == 0 &&
            l->piece.begin_ms < before->piece.end_ms)
            continue;
        out[n_edges++] = (struct edge){ l->piece.begin_ms, l->piece.mibps, 1 };
        out[n_edges++] = (struct edge){ l->piece.end_ms, -l->piece.mibps, -1 };
        before = l;
    }
    qsort(out, n_edges, sizeof *out, by_time);
    return n_edges;
}

static int pieces_of_logs(const struct system_load *load, struct arena *a, struct pieces *out,
                          struct err *e)
{
    size_t room = 0;
    for (size_t i = 0; i < load->n_metrics; i++)
        if (is_log_history(&load->metrics[i]))
            room += load->metrics[i].n;
    if (!room)
        return 0;
    struct archived_log *logs = arena_array(a, room, sizeof *logs);
    struct edge *edges = arena_array(a, 2 * room, sizeof *edges);
    struct pieces all = { arena_array(a, 2 * room, sizeof *all.at), 0 };
    if (!logs || !edges || !all.at)
        return err_nomem(e);
    size_t n = edges_of(logs, take_logs(load, logs), edges);
    double mibps = 0;
    int open = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        open += edges[i].logs;
        mibps = open ? fmax(0, mibps + edges[i].mibps) : 0; /* no rounding is left over */
        if (open && edges[i + 1].at_ms > edges[i].at_ms)
            all.at[all.n++] = (struct piece){ edges[i].at_ms, edges[i + 1].at_ms, mibps };
    }
    *out = all;
    return 0;
}

/* --- both ------------------------------------------------------------------------------------- */

/* Those of at most DAYS_MAX days with the largest redo in their middle. */
static struct pieces window_of(const struct pieces *p)
{
    size_t peak = 0, from, to;
    const int64_t half_ms = DAYS_MAX * DAY_MS / 2;
    for (size_t i = 1; i < p->n; i++)
        if (p->at[i].mibps > p->at[peak].mibps)
            peak = i;
    for (from = peak; from > 0; from--)
        if (p->at[peak].begin_ms - p->at[from - 1].begin_ms > half_ms)
            break;
    for (to = peak + 1; to < p->n; to++)
        if (p->at[to].end_ms - p->at[peak].begin_ms > half_ms)
            break;
    return (struct pieces){ p->at + from, to - from };
}

static int runs_of(const struct pieces *p, double factor, struct arena *a, struct redo_series *out,
                   struct err *e)
{
    struct redo_series r = { arena_array(a, p->n, sizeof *r.runs),
                             arena_array(a, p->n, sizeof *r.begin_ms), p->n, p->at[p->n - 1].end_ms,
                             out->from_logs };
    if (!r.runs || !r.begin_ms)
        return err_nomem(e);
    int64_t whole_s = 0, exact_ms = 0;
    for (size_t i = 0; i < p->n; i++) {
        /* Pieces are no whole seconds: what is cut here is made up for there. */
        exact_ms += p->at[i].end_ms - p->at[i].begin_ms;
        int64_t seconds = exact_ms / 1000 - whole_s;
        whole_s += seconds;
        r.begin_ms[i] = p->at[i].begin_ms;
        r.runs[i] = (struct redo_run){ p->at[i].mibps * factor, seconds };
    }
    *out = r;
    return 0;
}

int redo_series_build(const struct scenario *s, struct arena *a, struct redo_series *out,
                      struct err *e)
{
    struct pieces all = { 0 };
    *out = (struct redo_series){ 0 };
    int rc = pieces_of_devices(s, a, &all, e);
    if (!rc && !all.n) {
        out->from_logs = true;
        rc = pieces_of_logs(s->measured->load, a, &all, e);
    }
    if (rc || !all.n)
        return rc;
    struct pieces week = window_of(&all);
    double factor = scenario_redo_mibps(s, BOUND_CENTRAL) / s->path->flow.redo_mibps;
    return runs_of(&week, factor, a, out, e);
}
