/* planner/demand/peaks.c - see peaks.h. */
#include "planner/demand/peaks.h"

#include "models/core/unit.h"
#include "planner/demand/group_members.h"

#include <math.h>
#include <string.h>

const char *peaks_by_name(enum peaks_by by)
{
    static const char *const names[] = { "group", "device", "filetype", "instance" };
    return names[by];
}

static size_t find_group(const struct layout *l, const char *name)
{
    size_t i = 0;
    while (i < l->n_groups && strcmp(l->groups[i].name, name) != 0)
        i++;
    return i;
}

static int check_group(const struct layout *layout, const char *group, struct err *e)
{
    if (!layout)
        return err_set(e, ERR_USAGE, "the system has no layout yet, so it has no groups");
    if (group && find_group(layout, group) == layout->n_groups)
        return err_set(e, ERR_USAGE, "the layout has no group '%.80s'", group);
    return 0;
}

/* For rows that are kept by the layout of their own system. */
static int check_group_of_any(const struct demand_source *sources, size_t n, const char *group,
                              struct err *e)
{
    for (size_t i = 1; i < n; i++)
        if (sources[i].layout && find_group(sources[i].layout, group) < sources[i].layout->n_groups)
            return 0;
    return check_group(sources[0].layout, group, e);
}

/* --- rows and their sum ----------------------------------------------------------------------- */

struct rows {
    struct peaks_row *row;
    const struct load_points **points; /* of each row */
    size_t n;
};

static int make_room(struct rows *r, size_t room, struct arena *a, struct err *e)
{
    r->row = arena_array(a, room + 1, sizeof *r->row);
    r->points = arena_array(a, room + 1, sizeof(struct load_points *));
    return r->row && r->points ? 0 : err_nomem(e);
}

static void add_row(struct rows *r, struct peaks_row row, const struct load_points *points)
{
    r->row[r->n] = row;
    r->row[r->n].points = points;
    r->points[r->n++] = points;
}

/* The largest of the rows at one instant; what one of them sets apart is set apart. */
static int sum_up(const struct rows *r, struct arena *a, struct peaks *out, struct err *e)
{
    struct load_points sum;
    out->rows = r->row;
    out->n_rows = r->n;
    out->sum_of_peaks_mibps = out->peak_of_sum_mibps = NAN;
    int rc = load_points_of_points(r->points, r->n, NULL, a, &sum, e);
    for (size_t i = 0; i < sum.n && !rc; i++)
        if (!(sum.at[i].flags & POINT_ARTEFACT))
            out->peak_of_sum_mibps = fmax(out->peak_of_sum_mibps, point_total_mibps(&sum.at[i]));
    for (size_t i = 0; i < r->n && !rc; i++) {
        double max = r->row[i].profile.metrics[METRIC_TOTAL_MIBPS].max;
        if (!isnan(max))
            out->sum_of_peaks_mibps =
                isnan(out->sum_of_peaks_mibps) ? max : out->sum_of_peaks_mibps + max;
    }
    return rc;
}

/* --- by group and instance -------------------------------------------------------------------- */

static double at_instance_s(const struct load_points *p)
{
    double sum_s = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->at[i].flags & POINT_CENSORED_INSTANCE)
            sum_s += (double)(p->at[i].end_ms - p->at[i].begin_ms) / 1e3;
    return sum_s;
}

static int rows_of_layout(const struct system_demand *d, const char *group, struct arena *a,
                          struct rows *r, struct peaks *out, struct err *e)
{
    int rc = check_group(d->layout, group, e);
    if (!rc)
        rc = make_room(r, d->n_groups, a, e);
    if (rc)
        return rc;
    const struct layout *layout = d->layout;
    if (out->by == PEAKS_BY_INSTANCE) {
        const char *name = layout->instance_type ? layout->instance_type : layout->system;
        add_row(r, (struct peaks_row){ .name = name, .profile = d->profile }, &d->points);
    }
    if (out->by == PEAKS_BY_GROUP && !group) {
        out->instance = layout->instance_type;
        out->instance_ceiling_s = at_instance_s(&d->points);
    }
    for (size_t i = 0; i < d->n_groups && out->by == PEAKS_BY_GROUP; i++) {
        const struct group_demand *g = &d->groups[i];
        if (!group || strcmp(g->group->name, group) == 0)
            add_row(r,
                    (struct peaks_row){ .name = g->group->name, .profile = g->profile, .group = g },
                    &g->points);
    }
    out->unclaimed = d->unclaimed;
    out->n_unclaimed = d->n_unclaimed;
    out->joined = d->joined;
    out->n_joined = d->n_joined;
    return 0;
}

/* --- by device and file type ------------------------------------------------------------------ */

static bool is_wanted(const struct load_series *s, enum peaks_by by)
{
    if (by == PEAKS_BY_FILETYPE)
        return s->kind == SERIES_FILETYPE;
    return s->kind == SERIES_DEVICE || s->kind == SERIES_VOLUME;
}

static bool is_member(const struct load_series *s, const struct group_members *m)
{
    for (size_t i = 0; i < m->n_devices; i++)
        if (m->devices[i].series == s)
            return true;
    for (size_t i = 0; i < m->n_filetypes; i++)
        if (m->filetypes[i].series == s)
            return true;
    return false;
}

/* The name, told apart from the same name of another host or database instance. */
static const char *row_name(const struct system_load *load, const struct load_series *s,
                            bool with_system, struct arena *a)
{
    const char *name = s->name;
    for (size_t i = 0; i < load->n_series && name; i++) {
        const struct load_series *other = &load->series[i];
        if (other == s || other->kind != s->kind || strcmp(other->name, s->name) != 0)
            continue;
        name = s->instance_number != UNKNOWN
                   ? arena_printf(a, "%s of instance %lld", s->name, (long long)s->instance_number)
                   : arena_printf(a, "%s:%s", s->host ? s->host : "-", s->name);
        break;
    }
    return name && with_system ? arena_printf(a, "%s: %s", load->system, name) : name;
}

/* The group that a device or volume was summed into; NULL. */
static const struct group_demand *group_of(const struct system_demand *d,
                                           const struct load_series *s)
{
    for (size_t g = 0; d && g < d->n_groups; g++)
        for (size_t i = 0; i < d->groups[g].n_members; i++)
            if (d->groups[g].members[i].series == s && s->kind != SERIES_FILETYPE)
                return &d->groups[g];
    return NULL;
}

/* Waits of the database and what the instance cannot have done are the same for all of a group. */
static void take_flags(const struct load_points *of_group, struct load_points *p)
{
    size_t k = 0;
    for (size_t i = 0; i < p->n; i++) {
        while (k < of_group->n && of_group->at[k].end_ms <= p->at[i].begin_ms)
            k++;
        for (size_t m = k; m < of_group->n && of_group->at[m].begin_ms < p->at[i].end_ms; m++) {
            unsigned flags = of_group->at[m].flags;
            p->at[i].flags |= flags & POINT_CENSORED_WAITS;
            if (flags & POINT_ABOVE_INSTANCE)
                p->at[i].flags |= POINT_ABOVE_INSTANCE | POINT_ARTEFACT;
        }
    }
}

static int profile_device(const struct system_demand *d, const struct group_demand *g,
                          const struct load_series *s, struct load_points *points,
                          struct load_profile *out, struct err *e)
{
    struct ceiling_clock clock;
    struct group_ceiling most = { NAN, NAN, false };
    bool one_volume = g->hot.n_volumes > 0, all_of_it = g->n_members == 1;
    ceiling_clock_init(&clock, d->options_used.catalogue, g->group, d->layout->instance_type);
    take_flags(&g->points, points);
    for (size_t i = 0; i < points->n && (one_volume || all_of_it); i++) {
        struct load_point *p = &points->at[i];
        const struct group_ceiling *c =
            one_volume ? volume_ceiling_at(&clock, p->begin_ms) : ceiling_at(&clock, p->begin_ms);
        p->flags |= ceiling_flags(c, p);
        most.max_iops = fmax(most.max_iops, c->max_iops);
        most.max_throughput_mibps = fmax(most.max_throughput_mibps, c->max_throughput_mibps);
    }
    int rc = load_profile_of(points, &most, NULL, out, e);
    struct peak_second_scope scope = { .load = d->load,
                                       .from_ms = d->options_used.from_ms,
                                       .to_ms = d->options_used.to_ms,
                                       .volume_ids = &s->name,
                                       .n_volume_ids = s->kind == SERIES_VOLUME,
                                       .clock = &clock,
                                       .instance_mibps = NAN,
                                       .redo_copies = NAN };
    if (!rc && s->kind == SERIES_VOLUME)
        peak_second_raise(&scope, &out->peak_second);
    return rc;
}

static int rows_of_source(const struct demand_source *source, const struct system_demand *d,
                          const struct group_members *only, bool with_system,
                          const struct demand_options *o, struct arena *a, struct rows *r,
                          enum peaks_by by, struct err *e)
{
    const struct system_load *load = source->load;
    for (size_t i = 0; i < load->n_series; i++) {
        const struct load_series *s = &load->series[i];
        if (!is_wanted(s, by) || (only && !is_member(s, only)))
            continue;
        struct load_member member = { s, 1, 1 };
        struct load_points *points = arena_alloc(a, sizeof *points);
        struct peaks_row row = { .name = row_name(load, s, with_system, a) };
        if (!points || !row.name)
            return err_nomem(e);
        const struct group_demand *g = group_of(d, s);
        int rc = load_points_of_series(&member, 1, o->from_ms, o->to_ms, a, points, e);
        if (!rc && g)
            rc = profile_device(d, g, s, points, &row.profile, e);
        else if (!rc)
            rc = load_profile_of(points, NULL, NULL, &row.profile, e);
        if (rc)
            return rc;
        load_profile_count_left_out(&row.profile, &member, 1);
        add_row(r, row, points);
    }
    return 0;
}

/* Of one source: without a layout nothing is graded, nor left out for a group. */
static int rows_of_members(const struct demand_source *source, bool with_system,
                           const struct demand_options *o, const char *group, struct arena *a,
                           struct rows *r, struct peaks *out, struct err *e)
{
    struct system_demand d;
    struct group_members *members = NULL;
    const struct load_series *const *unclaimed;
    const struct layout *l = source->layout;
    size_t n_unclaimed;
    int rc = 0;
    if (l && group && find_group(l, group) == l->n_groups)
        return 0;
    if (l)
        rc = group_members_find(source->load, l, a, &members, &unclaimed, &n_unclaimed, e);
    if (l && !rc)
        rc = system_demand_build(source->load, l, o, a, &d, e);
    if (rc)
        return rc;
    if (l && !with_system) {
        out->unclaimed = unclaimed;
        out->n_unclaimed = n_unclaimed;
    }
    const struct group_members *only = members && group ? &members[find_group(l, group)] : NULL;
    return rows_of_source(source, l ? &d : NULL, only, with_system, o, a, r, out->by, e);
}

static struct peaks peaks_begin(const struct demand_source *sources, size_t n, enum peaks_by by)
{
    struct peaks p = { .system = sources[0].load->system, .by = by };
    for (size_t i = 0; i < n; i++)
        p.n_duplicate_reports += sources[i].load->n_duplicate_snapshots;
    return p;
}

int peaks_of_demand(const struct demand_source *sources, size_t n_sources,
                    const struct system_demand *d, enum peaks_by by, const char *group,
                    struct arena *a, struct peaks *out, struct err *e)
{
    struct peaks p = peaks_begin(sources, n_sources, by);
    struct rows r = { 0 };
    int rc = rows_of_layout(d, group, a, &r, &p, e);
    if (!rc)
        rc = sum_up(&r, a, &p, e);
    if (!rc)
        *out = p;
    return rc;
}

static int peaks_by_layout(const struct demand_source *sources, size_t n_sources,
                           const struct demand_options *o, enum peaks_by by, const char *group,
                           struct arena *a, struct peaks *out, struct err *e)
{
    struct system_demand own, *d = arena_alloc(a, sizeof *d);
    int rc = d ? system_demand_of_sources(sources, n_sources, o, a, &own, d, e) : err_nomem(e);
    return rc ? rc : peaks_of_demand(sources, n_sources, d, by, group, a, out, e);
}

static int peaks_by_member(const struct demand_source *sources, size_t n_sources,
                           const struct demand_options *o, enum peaks_by by, const char *group,
                           struct arena *a, struct peaks *out, struct err *e)
{
    struct peaks p = peaks_begin(sources, n_sources, by);
    struct rows r = { 0 };
    size_t n_series = 0;
    for (size_t i = 0; i < n_sources; i++)
        n_series += sources[i].load->n_series;
    int rc = group ? check_group_of_any(sources, n_sources, group, e) : 0;
    if (!rc)
        rc = make_room(&r, n_series, a, e);
    for (size_t i = 0; i < n_sources && !rc; i++)
        rc = rows_of_members(&sources[i], n_sources > 1, o, group, a, &r, &p, e);
    if (!rc)
        rc = sum_up(&r, a, &p, e);
    if (!rc)
        *out = p;
    return rc;
}

int peaks_build(const struct demand_source *sources, size_t n_sources,
                const struct demand_options *o, enum peaks_by by, const char *group,
                struct arena *a, struct peaks *out, struct err *e)
{
    bool of_layout = by == PEAKS_BY_GROUP || by == PEAKS_BY_INSTANCE;
    return of_layout ? peaks_by_layout(sources, n_sources, o, by, group, a, out, e)
                     : peaks_by_member(sources, n_sources, o, by, group, a, out, e);
}
