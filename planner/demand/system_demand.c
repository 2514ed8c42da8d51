/* planner/demand/system_demand.c - see system_demand.h.
 *
 *   system_demand_build
 *     group_members_find     which series make which group
 *     build_group            sum of devices, joined with AWR
 *     mark_instance          what the instance cannot have done
 *     finish_group           ceilings, profile, peak, split
 *     finish_instance        the sum over groups */
#include "planner/demand/system_demand.h"

#include "models/core/unit.h"
#include "models/ec2/instance_caps.h"
#include "planner/demand/awr_join.h"
#include "planner/demand/group_ceiling.h"
#include "planner/demand/group_files.h"
#include "planner/demand/group_members.h"
#include "planner/demand/peak_demand.h"
#include "planner/demand/redo_waits.h"

#include <math.h>

struct period {
    int64_t begin_ms, end_ms;
};

/* A build under way. */
struct build {
    const struct system_load *load;
    const struct layout *layout;
    const struct demand_options *o;
    struct peak_factors factors;
    struct group_members *members;
    struct period *waits; /* AWR periods in which the database waited for its redo */
    size_t n_waits;
    struct profile_room room;
    struct arena *a;
    struct err *e;
};

const char *join_by_name(enum join_by by)
{
    static const char *const names[] = { "name", "role", "own" };
    return names[by];
}

void demand_options_init(struct demand_options *o, const struct catalogue *c)
{
    *o = (struct demand_options){ c, UNKNOWN, UNKNOWN, NAN, false };
}

static int find_waits(struct build *b)
{
    const struct system_load *l = b->load;
    b->waits = arena_array(b->a, l->n_snapshots ? l->n_snapshots : 1, sizeof *b->waits);
    if (!b->waits)
        return err_nomem(b->e);
    for (size_t i = 0; i < l->n_snapshots; i++) {
        const struct awr_snapshot *s = l->snapshots[i];
        if (redo_waited(s) && s->begin_ms != UNKNOWN && s->end_ms != UNKNOWN)
            b->waits[b->n_waits++] = (struct period){ s->begin_ms, s->end_ms };
    }
    return 0;
}

static bool in_waits(const struct build *b, const struct load_point *p)
{
    for (size_t i = 0; i < b->n_waits; i++)
        if (p->begin_ms < b->waits[i].end_ms && p->end_ms > b->waits[i].begin_ms)
            return true;
    return false;
}

static int build_group(struct build *b, size_t i, struct group_demand *g, struct load_points *awr)
{
    const struct group_members *m = &b->members[i];
    g->group = &b->layout->groups[i];
    g->awr_difference_pct = NAN;
    g->members = m->n_devices ? m->devices : m->filetypes;
    g->n_members = m->n_devices ? m->n_devices : m->n_filetypes;
    int rc = load_points_of_series(m->filetypes, m->n_filetypes, b->o->from_ms, b->o->to_ms, b->a,
                                   awr, b->e);
    if (!rc)
        rc = load_points_of_series(m->devices, m->n_devices, b->o->from_ms, b->o->to_ms, b->a,
                                   &g->points, b->e);
    if (!rc)
        rc = awr_join(awr, &g->points, &g->awr_difference_pct, b->a, b->e);
    return rc;
}

/* Marks what the instance as a whole cannot have carried, in every group at that instant. */
static void mark_instance(const struct load_points *sum, struct group_demand *groups,
                          size_t n_groups, double max_mibps)
{
    for (size_t g = 0; g < n_groups; g++) {
        struct load_points *p = &groups[g].points;
        size_t k = 0;
        for (size_t i = 0; i < sum->n; i++) {
            const struct load_point *s = &sum->at[i];
            if (!(point_total_mibps(s) > ARTEFACT_FACTOR * max_mibps))
                continue;
            while (k < p->n && p->at[k].end_ms <= s->begin_ms)
                k++;
            for (size_t m = k; m < p->n && p->at[m].begin_ms < s->end_ms; m++)
                p->at[m].flags |= POINT_ARTEFACT | POINT_ABOVE_INSTANCE;
        }
    }
}

/* A sum that stays at what the instance passes is held back by it; one reading alone may be a
 * load that happens to be as large. */
static void mark_plateaus(struct load_points *sum, const struct group_ceiling *caps)
{
    enum { PLATEAU_SAMPLES = 3 };
    unsigned left_out = POINT_ARTEFACT | POINT_ASSUMED;
    for (size_t i = 0, to; i < sum->n; i = to + 1) {
        for (to = i; to < sum->n && !(sum->at[to].flags & left_out) &&
                     ceiling_flags(caps, &sum->at[to]) & POINT_AT_CEILING;)
            to++;
        for (size_t k = i; to - i >= PLATEAU_SAMPLES && k < to; k++)
            sum->at[k].flags |= POINT_CENSORED_INSTANCE;
    }
}

static void mark_point(const struct build *b, struct load_point *p, const struct group_ceiling *c,
                       bool redo_path)
{
    p->flags |= ceiling_flags(c, p);
    if (redo_path && in_waits(b, p))
        p->flags |= POINT_CENSORED_WAITS;
}

static void mark_group(const struct build *b, struct group_demand *g, struct ceiling_clock *clock)
{
    bool redo_path = g->group->role == ROLE_REDO || g->group->role == ROLE_ARCHIVE;
    for (size_t i = 0; i < g->points.n; i++) {
        struct load_point *p = &g->points.at[i];
        mark_point(b, p, ceiling_at(clock, p->begin_ms), redo_path);
        if (p->flags & POINT_AT_CEILING && !(p->flags & POINT_ARTEFACT))
            g->ceiling_seconds += (double)(p->end_ms - p->begin_ms) / 1e3;
    }
}

static double sample_mibps(const struct load_member *m, size_t i)
{
    double read = m->series->read_mibps[i] * m->read_factor;
    double write = m->series->write_mibps[i] * m->write_factor;
    double unsplit = m->series->unsplit_mibps ? m->series->unsplit_mibps[i] : 0;
    return (isnan(read) ? 0 : read) + (isnan(write) ? 0 : write) + (isnan(unsplit) ? 0 : unsplit);
}

/* Where the largest share of the peak was written down. */
static void find_evidence(const struct build *b, const struct group_members *m, int64_t time_ms,
                          struct group_demand *g)
{
    const struct load_member *sets[] = { m->devices, m->filetypes };
    const size_t sizes[] = { m->n_devices, m->n_filetypes };
    double best = -1;
    for (size_t set = 0; set < 2 && best < 0; set++)
        for (size_t i = 0; i < sizes[set]; i++) {
            const struct load_series *s = sets[set][i].series;
            size_t at = load_series_at(s, time_ms);
            if (at == s->n || sample_mibps(&sets[set][i], at) <= best)
                continue;
            best = sample_mibps(&sets[set][i], at);
            g->peak_file = s->file_id ? system_load_path(b->load, s->file_id[at]) : NULL;
            g->peak_line = s->line ? s->line[at] : UNKNOWN;
        }
}

/* Means over the time that AWR covers. */
static int split_group(const struct build *b, const struct group_members *m, struct group_demand *g)
{
    struct demand_split *split =
        arena_array(b->a, m->n_filetypes ? m->n_filetypes : 1, sizeof *split);
    if (!split)
        return err_nomem(b->e);
    for (size_t i = 0; i < m->n_filetypes; i++) {
        struct load_points p;
        struct load_profile f;
        int rc =
            load_points_of_series(&m->filetypes[i], 1, b->o->from_ms, b->o->to_ms, b->a, &p, b->e);
        if (!rc)
            rc = load_profile_of(&p, NULL, NULL, &f, b->e);
        if (rc)
            return rc;
        split[i] =
            (struct demand_split){ m->filetypes[i].series->name, f.metrics[METRIC_READ_MIBPS].avg,
                                   f.metrics[METRIC_WRITE_MIBPS].avg,
                                   f.metrics[METRIC_READ_IOPS].avg,
                                   f.metrics[METRIC_WRITE_IOPS].avg };
    }
    g->split = split;
    g->n_split = m->n_filetypes;
    return 0;
}

static void raise_peak_second(const struct build *b, struct group_demand *g,
                              struct ceiling_clock *clock)
{
    struct peak_second_scope s = { .load = b->load,
                                   .from_ms = b->o->from_ms,
                                   .to_ms = b->o->to_ms,
                                   .volume_ids = g->group->volume_ids,
                                   .n_volume_ids = g->group->n_volume_ids,
                                   .clock = clock,
                                   .instance_mibps = NAN,
                                   .redo_copies = group_redo_copies(b->layout, g->group) };
    peak_second_raise(&s, &g->profile.peak_second);
}

static int finish_group(struct build *b, size_t i, struct group_demand *g)
{
    struct ceiling_clock clock;
    ceiling_clock_init(&clock, b->o->catalogue, g->group, b->layout->instance_type);
    mark_group(b, g, &clock);
    hot_volume_find(g->members, g->n_members, &clock, &b->factors, &g->points, &g->hot);
    g->hot.file = system_load_path(b->load, g->hot.file_id);

    struct peak_demand peak = peak_demand_of(&g->points, &b->factors);
    g->demand = peak.demand;
    g->total_iops = peak.total_iops;
    g->peak_factor = peak.peak_factor;
    g->censored_by = peak.censored_by;
    if (g->hot.ceiling_seconds > 0) { /* it sets the need, whenever the sum peaks */
        g->censored_by |= POINT_HOT_VOLUME;
        if (g->demand.grade == GRADE_MEASURED)
            g->demand.grade = GRADE_CENSORED;
    }
    g->ceiling = (struct group_ceiling){ NAN, NAN, false };
    g->peak_total_iops = g->peak_counted_iops = NAN;
    g->peak_line = UNKNOWN;
    if (peak.peak) {
        g->ceiling = *ceiling_at(&clock, peak.peak->begin_ms);
        g->peak_total_iops = point_total_iops(peak.peak);
        g->peak_counted_iops = peak.peak->counted_iops;
        find_evidence(b, &b->members[i], peak.peak->begin_ms, g);
    }
    int rc = load_profile_of(&g->points, &g->ceiling, &b->room, &g->profile, b->e);
    load_profile_count_left_out(&g->profile, g->members, g->n_members);
    raise_peak_second(b, g, &clock);
    return rc ? rc : split_group(b, &b->members[i], g);
}

/* What the instance passes at most, and its baseline MiB/s; NaN = not known. */
static struct group_ceiling instance_caps_of(const struct build *b, double *out_baseline)
{
    struct group_ceiling out = { NAN, NAN, false };
    struct instance_caps caps;
    const struct instance_type *t =
        b->layout->instance_type ? instance_find(b->o->catalogue, span_of(b->layout->instance_type))
                                 : NULL;
    *out_baseline = NAN;
    if (!t || instance_caps(b->o->catalogue, t, WEIGHTING_DEFAULT, 1, &caps, NULL))
        return out;
    *out_baseline = caps.baseline_mb_s / MB_PER_MIB;
    out.max_iops = caps.max_iops > 0 ? caps.max_iops : NAN;
    out.max_throughput_mibps = caps.max_mb_s > 0 ? caps.max_mb_s / MB_PER_MIB : NAN;
    return out;
}

/* Whether no peak factor applies to any point. */
static int finish_instance(struct build *b, const struct load_points *const *points,
                           struct system_demand *out, const struct group_ceiling *caps,
                           double baseline_mib_s)
{
    struct peak_second_scope scope = { .load = b->load,
                                       .from_ms = b->o->from_ms,
                                       .to_ms = b->o->to_ms,
                                       .whole_system = true,
                                       .instance_mibps = baseline_mib_s,
                                       .redo_copies = NAN };
    int rc = load_points_of_points(points, out->n_groups, NULL, b->a, &out->points, b->e);
    if (rc)
        return rc;
    mark_plateaus(&out->points, caps);
    rc = load_profile_of(&out->points, caps, &b->room, &out->profile, b->e);
    for (size_t i = 0; i < out->n_groups && !rc; i++)
        load_profile_count_left_out(&out->profile, out->groups[i].members,
                                    out->groups[i].n_members);
    if (!rc)
        peak_second_raise(&scope, &out->profile.peak_second);
    if (rc)
        return rc;
    struct load_points assumed = out->points;
    if (!load_points_all_measured(&out->points)) {
        rc = load_points_of_points(points, out->n_groups, &b->factors, b->a, &assumed, b->e);
        if (rc)
            return rc;
        mark_plateaus(&assumed, caps);
    }
    struct peak_demand peak = peak_demand_of(&assumed, &b->factors);
    out->demand = peak.demand;
    out->censored_by = peak.censored_by;
    return 0;
}

static int build_system(struct build *b, struct system_demand *out)
{
    struct system_demand d = {
        .load = b->load, .layout = b->layout, .options_used = *b->o, .n_groups = b->layout->n_groups
    };
    size_t n = d.n_groups;
    struct group_demand *groups = arena_array(b->a, n ? n : 1, sizeof *groups);
    const struct load_points **points = arena_array(b->a, n ? n : 1, sizeof(struct load_points *));
    struct load_points awr, sum;
    if (!groups || !points)
        return err_nomem(b->e);
    int rc = find_waits(b);
    if (!rc)
        rc = group_members_find(b->load, b->layout, b->a, &b->members, &d.unclaimed, &d.n_unclaimed,
                                b->e);
    for (size_t i = 0; i < n && !rc; i++) {
        rc = build_group(b, i, &groups[i], &awr);
        points[i] = &groups[i].points;
    }
    if (!rc)
        rc = load_points_of_points(points, n, NULL, b->a, &sum, b->e);
    if (rc)
        return rc;
    double baseline_mib_s;
    struct group_ceiling caps = instance_caps_of(b, &baseline_mib_s);
    mark_instance(&sum, groups, n, caps.max_throughput_mibps);
    for (size_t i = 0; i < n; i++) {
        rc = finish_group(b, i, &groups[i]);
        if (rc)
            return rc;
        double max = groups[i].profile.metrics[METRIC_TOTAL_MIBPS].max;
        d.sum_of_peaks_mibps += isnan(max) ? 0 : max;
    }
    d.groups = groups;
    rc = finish_instance(b, points, &d, &caps, baseline_mib_s);
    if (rc)
        return rc;
    *out = d;
    return 0;
}

int system_demand_build(const struct system_load *load, const struct layout *layout,
                        const struct demand_options *o, struct arena *a, struct system_demand *out,
                        struct err *e)
{
    struct build b = {
        .load = load, .layout = layout, .o = o, .a = a, .e = e, .factors = { o->peak_factor }
    };
    b.room.no_percentiles = o->no_percentiles;
    int rc = build_system(&b, out);
    profile_room_release(&b.room);
    return rc;
}
