/* planner/demand/group_members.c - see group_members.h. */
#include "planner/demand/group_members.h"

#include "models/core/unit.h"
#include "planner/demand/group_files.h"

#include <string.h>

static bool names_series(const struct layout_group *g, const struct load_series *s)
{
    if (s->kind == SERIES_DEVICE)
        for (size_t i = 0; i < g->n_devices; i++)
            if (layout_match_device(g->devices[i], s->host, s->name))
                return true;
    return s->kind == SERIES_VOLUME && layout_names_volume(g, span_of(s->name));
}

static bool of_this_system(const struct layout *l, const struct load_series *s)
{
    if (!l->n_instances || s->instance_number == UNKNOWN)
        return true;
    for (size_t i = 0; i < l->n_instances; i++)
        if (l->instances[i] == s->instance_number)
            return true;
    return false;
}

/* A report of a whole cluster, where there are also series of its instances over that time: their
 * sum is the same load. */
static bool is_told_by_instances(const struct system_load *load, const struct load_series *s)
{
    if (s->instance_number != UNKNOWN || !s->n)
        return false;
    for (size_t i = 0; i < load->n_series; i++) {
        const struct load_series *of = &load->series[i];
        if (of->kind == SERIES_FILETYPE && of->instance_number != UNKNOWN && of->n &&
            strcmp(of->name, s->name) == 0 && of->begin_ms[0] < s->end_ms[s->n - 1] &&
            of->end_ms[of->n - 1] > s->begin_ms[0])
            return true;
    }
    return false;
}

static struct load_member filetype_member(const struct layout *l, const struct layout_group *g,
                                          const struct layout_file *f, const struct load_series *s)
{
    double share = f->share_pct / 100;
    struct load_member m = { s, share, share };
    if (g->log_member != UNKNOWN && strcmp(f->name, "Log File") == 0) {
        if (g->log_member != group_read_member(l))
            m.read_factor = 0;
        m.write_factor = share / (double)group_log_members(l);
    }
    if (s->counts == COUNT_ORACLE)
        m.write_factor *= redundancy_copies(g->redundancy);
    return m;
}

static void add_filetypes(const struct layout *l, const struct layout_group *g,
                          const struct load_series *s, struct group_members *m)
{
    const struct layout_file *files;
    size_t n = group_files(l, g, &files);
    for (size_t i = 0; i < n; i++)
        if (strcmp(files[i].name, s->name) == 0) {
            m->filetypes[m->n_filetypes++] = filetype_member(l, g, &files[i], s);
            return;
        }
}

/* Devices and the volumes behind them measure the same load: the devices stay. */
static void drop_volumes_behind_devices(struct group_members *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_devices; i++)
        if (m->devices[i].series->kind == SERIES_DEVICE)
            m->devices[n++] = m->devices[i];
    if (n)
        m->n_devices = n;
}

int group_members_find(const struct system_load *load, const struct layout *layout, struct arena *a,
                       struct group_members **out, const struct load_series *const **out_unclaimed,
                       size_t *out_n_unclaimed, struct err *e)
{
    size_t n_groups = layout->n_groups, room = load->n_series ? load->n_series : 1;
    struct group_members *m = arena_array(a, n_groups ? n_groups : 1, sizeof *m);
    const struct load_series **unclaimed = arena_array(a, room, sizeof(struct load_series *));
    if (!m || !unclaimed)
        return err_nomem(e);
    for (size_t g = 0; g < n_groups; g++) {
        m[g].devices = arena_array(a, room, sizeof *m[g].devices);
        m[g].filetypes = arena_array(a, room, sizeof *m[g].filetypes);
        if (!m[g].devices || !m[g].filetypes)
            return err_nomem(e);
    }
    size_t n_unclaimed = 0;
    for (size_t i = 0; i < load->n_series; i++) {
        const struct load_series *s = &load->series[i];
        bool is_device = s->kind == SERIES_DEVICE || s->kind == SERIES_VOLUME;
        size_t owner = n_groups;
        for (size_t g = 0; g < n_groups && owner == n_groups; g++)
            if (is_device && names_series(&layout->groups[g], s))
                owner = g;
        if (owner < n_groups)
            m[owner].devices[m[owner].n_devices++] = (struct load_member){ s, 1, 1 };
        else if (is_device)
            unclaimed[n_unclaimed++] = s;
        for (size_t g = 0; g < n_groups && s->kind == SERIES_FILETYPE; g++)
            if (of_this_system(layout, s) && !is_told_by_instances(load, s))
                add_filetypes(layout, &layout->groups[g], s, &m[g]);
    }
    for (size_t g = 0; g < n_groups; g++)
        drop_volumes_behind_devices(&m[g]);
    *out = m;
    *out_unclaimed = unclaimed;
    *out_n_unclaimed = n_unclaimed;
    return 0;
}
