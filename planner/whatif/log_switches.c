/* planner/whatif/log_switches.c - see log_switches.h. */
#include "planner/whatif/log_switches.h"

#include <math.h>

/* What the archiver finds at one redo rate. */
struct room {
    double redo_mibps;
    double read_mibps, write_mibps; /* redo it may read, and write, at most; INFINITY */
};

double planned_ceiling_mibps(const struct plan_group *g)
{
    const struct size_option *o = &g->chosen;
    double skew = g->group->skew > 1 ? g->group->skew : 1;
    if (!o->spec.count)
        return NAN;
    bool hdd = o->spec.type == VOL_ST1 || o->spec.type == VOL_SC1;
    double by_requests = o->group_max_iops * (hdd ? 1 : 0.25);
    return fmin(o->group_max_throughput_mibps, by_requests) / skew;
}

/* Average or peak load of a group here without the archiver's part of it. */
static double other_load(const struct plan_group *g, const struct path_rates *average,
                         double archiver_mibps, bool peak)
{
    double total = path_total_mibps(average);
    if (!(total > 0))
        return 0;
    double others = fmax(0, 1 - archiver_mibps / total);
    return (peak ? g->demand->demand.total_mibps : total) * others;
}

static struct room room_of(const struct plan *p, const struct scenario *s, bool peak)
{
    const struct redo_flow *f = &s->path->flow;
    double average = scenario_redo_mibps(s, BOUND_CENTRAL);
    double factor = f->redo_mibps > 0 ? average / f->redo_mibps : NAN;
    double copies = f->archive_write_mibps / f->redo_mibps;
    struct room r = { peak ? s->path->redo_peak_mibps * factor : average, INFINITY, INFINITY };
    for (size_t i = 0; i < p->n_groups; i++) {
        const struct plan_group *g = &p->groups[i];
        const struct path_share *share = &s->shares[i];
        struct path_rates load = scenario_here(s, i, BOUND_CENTRAL);
        double ceiling = planned_ceiling_mibps(g);
        double mirror = redundancy_copies(g->group->redundancy);
        double reads = share->log_reads * copies, writes = share->archive * copies * mirror;
        double archiver = (reads + writes) * average;
        double left = fmax(0, ceiling - other_load(g, &load, archiver, peak));
        if (isnan(ceiling) || isnan(left))
            left = NAN;
        if (reads > 0)
            r.read_mibps = isnan(left) ? NAN : fmin(r.read_mibps, left / (reads + writes));
        if (writes > 0)
            r.write_mibps = isnan(left) ? NAN : fmin(r.write_mibps, left / (reads + writes));
    }
    return r;
}

static struct log_switch switch_at(const struct plan *p, const struct scenario *s, bool peak,
                                   double *redo_mibps)
{
    double log_mib = s->layout.redo.log_gib * 1024;
    struct room r = room_of(p, s, peak);
    double archiver = log_archiver_mibps(r.read_mibps, 0, r.write_mibps, 0);
    *redo_mibps = r.redo_mibps;
    /* No group that archives, or nothing archived: not known, rather than at once. */
    return log_switch_at(log_mib, r.redo_mibps, isinf(archiver) ? NAN : archiver);
}

int log_switches_add(struct plan *p, const struct scenario *s, struct arena *a, struct err *e)
{
    struct plan_redo_group of_logs = { .holds_logs = true };
    if (s->path->known) {
        of_logs.average = switch_at(p, s, false, &of_logs.redo_mibps);
        of_logs.peak = switch_at(p, s, true, &of_logs.peak_redo_mibps);
    }
    struct plan_redo_group *all = arena_array(a, p->n_groups ? p->n_groups : 1, sizeof *all);
    if (!all)
        return err_nomem(e);
    for (size_t i = 0; i < p->n_groups; i++) {
        struct path_rates average = scenario_here(s, i, BOUND_CENTRAL);
        if (s->path->known && s->shares[i].log_writes > 0)
            all[i] = of_logs;
        all[i].average_read_mibps = average.read_mibps;
        all[i].average_write_mibps = average.write_mibps;
    }
    p->redo = s->path;
    p->redo_groups = all;
    return 0;
}
