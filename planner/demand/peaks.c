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

/* --- by group and instance -------------------------------------------------------------------- */

static int rows_of_layout(const struct system_load *load, const struct layout *layout,
                          const struct demand_options *o, const char *group, struct arena *a,
                          struct peaks *out, struct err *e)
{
    struct system_demand d;
    int rc = system_demand_build(load, layout, o, a, &d, e);
    if (rc)
        return rc;
    struct peaks_row *rows = arena_array(a, d.n_groups + 1, sizeof *rows);
    if (!rows)
        return err_nomem(e);
    if (out->by == PEAKS_BY_INSTANCE) {
        const char *name = layout->instance_type ? layout->instance_type : layout->system;
        rows[out->n_rows++] = (struct peaks_row){ name, d.profile, NULL };
    } else {
        for (size_t i = 0; i < d.n_groups; i++)
            if (!group || strcmp(d.groups[i].group->name, group) == 0)
                rows[out->n_rows++] = (struct peaks_row){ d.groups[i].group->name,
                                                          d.groups[i].profile, &d.groups[i] };
    }
    out->rows = rows;
    out->unclaimed = d.unclaimed;
    out->n_unclaimed = d.n_unclaimed;
    out->peak_of_sum_mibps = d.profile.metrics[METRIC_TOTAL_MIBPS].max;
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
                            struct arena *a)
{
    for (size_t i = 0; i < load->n_series; i++) {
        const struct load_series *other = &load->series[i];
        if (other == s || other->kind != s->kind || strcmp(other->name, s->name) != 0)
            continue;
        if (s->instance_number != UNKNOWN)
            return arena_printf(a, "%s of instance %lld", s->name, (long long)s->instance_number);
        return arena_printf(a, "%s:%s", s->host ? s->host : "-", s->name);
    }
    return s->name;
}

static int rows_of_series(const struct system_load *load, const struct demand_options *o,
                          const struct group_members *only, struct arena *a, struct peaks *out,
                          struct err *e)
{
    struct peaks_row *rows = arena_array(a, load->n_series + 1, sizeof *rows);
    if (!rows)
        return err_nomem(e);
    for (size_t i = 0; i < load->n_series; i++) {
        const struct load_series *s = &load->series[i];
        if (!is_wanted(s, out->by) || (only && !is_member(s, only)))
            continue;
        struct load_member member = { s, 1, 1 };
        struct load_points points;
        struct peaks_row *row = &rows[out->n_rows];
        int rc = load_points_of_series(&member, 1, o->from_ms, o->to_ms, a, &points, e);
        if (!rc)
            rc = load_profile_of(&points, NULL, a, &row->profile, e);
        if (rc)
            return rc;
        load_profile_count_left_out(&row->profile, &member, 1);
        row->name = row_name(load, s, a);
        if (!row->name)
            return err_nomem(e);
        out->n_rows++;
    }
    out->rows = rows;
    return 0;
}

static int rows_of_members(const struct system_load *load, const struct layout *layout,
                           const struct demand_options *o, const char *group, struct arena *a,
                           struct peaks *out, struct err *e)
{
    struct group_members *members = NULL;
    const struct group_members *only = NULL;
    if (layout) {
        int rc =
            group_members_find(load, layout, a, &members, &out->unclaimed, &out->n_unclaimed, e);
        if (rc)
            return rc;
    }
    if (group && layout)
        only = &members[find_group(layout, group)];
    return rows_of_series(load, o, only, a, out, e);
}

int peaks_build(const struct system_load *load, const struct layout *layout,
                const struct demand_options *o, enum peaks_by by, const char *group,
                struct arena *a, struct peaks *out, struct err *e)
{
    struct peaks p = { .system = load->system, .by = by, .peak_of_sum_mibps = NAN };
    bool needs_layout = group || by == PEAKS_BY_GROUP || by == PEAKS_BY_INSTANCE;
    int rc = needs_layout ? check_group(layout, group, e) : 0;
    if (!rc && (by == PEAKS_BY_GROUP || by == PEAKS_BY_INSTANCE))
        rc = rows_of_layout(load, layout, o, group, a, &p, e);
    else if (!rc)
        rc = rows_of_members(load, layout, o, group, a, &p, e);
    if (rc)
        return rc;
    p.sum_of_peaks_mibps = p.n_rows ? 0 : NAN;
    for (size_t i = 0; p.rows && i < p.n_rows; i++) {
        double max = p.rows[i].profile.metrics[METRIC_TOTAL_MIBPS].max;
        p.sum_of_peaks_mibps += isnan(max) ? 0 : max;
    }
    *out = p;
    return 0;
}
