/* planner/demand/system_join.c - see system_join.h.
 *
 *   join_systems
 *     place_groups     which group goes where
 *     grow_layout      the target's layout with what is added
 *     join_group       sums of points, for each group
 *     join_instance    the sum over groups at the same instant */
#include "planner/demand/system_join.h"

#include "models/core/unit.h"
#include "planner/demand/group_files.h"
#include "planner/demand/peak_demand.h"

#include <math.h>
#include <string.h>

/* A join under way: group g of part p goes to place[p][g] of the joined layout. */
struct join {
    const struct system_demand *parts;
    size_t n_parts;
    size_t **place;
    struct joined_group *told;
    size_t n_told;
    struct layout layout;
    struct layout_group *groups;
    size_t n_groups;
    struct peak_factors factors;
    struct arena *a;
    struct err *e;
};

/* --- a layout of another ---------------------------------------------------------------------- */

static int names_with_host(const struct layout_group *g, struct arena *a, struct layout_group *out)
{
    const char **kept = arena_array(a, g->n_devices ? g->n_devices : 1, sizeof(char *));
    size_t n = 0;
    if (!kept)
        return ERR_NOMEM;
    for (size_t i = 0; i < g->n_devices; i++)
        if (strchr(g->devices[i], ':'))
            kept[n++] = g->devices[i];
    out->devices = kept;
    out->n_devices = n;
    return 0;
}

/* What a system without a layout is read by.  ERR_NOMEM. */
static int borrow_layout(const struct layout *target, const char *system, struct arena *a,
                         struct layout *out, struct err *e)
{
    struct layout_group *groups =
        arena_array(a, target->n_groups ? target->n_groups : 1, sizeof *groups);
    if (!groups)
        return err_nomem(e);
    for (size_t i = 0; i < target->n_groups; i++) {
        groups[i] = target->groups[i];
        groups[i].volumes = NULL;
        groups[i].n_volumes = groups[i].n_volume_ids = 0;
        groups[i].need_gib = groups[i].used_gib = UNKNOWN;
        if (names_with_host(&target->groups[i], a, &groups[i]))
            return err_nomem(e);
    }
    *out = *target;
    out->system = system;
    out->instance_type = NULL;
    out->instances = NULL;
    out->n_instances = 0;
    out->groups = groups;
    return 0;
}

/* --- which group goes where --------------------------------------------------------------------*/

static size_t same_name(const struct layout *target, const struct layout_group *g)
{
    size_t i = 0;
    while (i < target->n_groups && strcmp(target->groups[i].name, g->name) != 0)
        i++;
    return i;
}

static size_t only_of_role(const struct layout *target, const struct layout_group *g)
{
    size_t found = target->n_groups, n = 0;
    for (size_t i = 0; i < target->n_groups; i++) {
        const struct layout_group *t = &target->groups[i];
        if (t->role != g->role || (g->role == ROLE_REDO && t->log_member != g->log_member))
            continue;
        found = i;
        n++;
    }
    return n == 1 && g->role != ROLE_OTHER ? found : target->n_groups;
}

/* A group of its own, which holds no file of the target's database. */
static int add_own_group(struct join *j, const struct system_demand *part,
                         const struct layout_group *g, size_t *out_place)
{
    struct layout_group own = *g;
    struct layout_file *files = arena_alloc(j->a, sizeof *files);
    own.name = arena_printf(j->a, "%s:%s", part->layout->system, g->name);
    if (!own.name || !files)
        return err_nomem(j->e);
    *files = (struct layout_file){ own.name, 100 };
    own.files = files;
    own.n_files = 1;
    own.log_member = UNKNOWN;
    *out_place = j->n_groups;
    j->groups[j->n_groups++] = own;
    return 0;
}

/* Share of the target's measured time at which the other was measured too. */
static double together_pct(const struct load_points *target, const struct load_points *other)
{
    double both_ms = 0, all_ms = 0;
    size_t k = 0;
    for (size_t i = 0; i < target->n; i++) {
        const struct load_point *p = &target->at[i];
        all_ms += (double)(p->end_ms - p->begin_ms);
        while (k < other->n && other->at[k].end_ms <= p->begin_ms)
            k++;
        for (size_t m = k; m < other->n && other->at[m].begin_ms < p->end_ms; m++) {
            const struct load_point *q = &other->at[m];
            int64_t from = q->begin_ms > p->begin_ms ? q->begin_ms : p->begin_ms;
            int64_t to = q->end_ms < p->end_ms ? q->end_ms : p->end_ms;
            both_ms += (double)(to - from);
        }
    }
    return all_ms > 0 ? 100 * both_ms / all_ms : NAN;
}

static int place_group(struct join *j, const struct system_demand *part,
                       const struct layout_group *g, double together, size_t *out_place)
{
    const struct layout *target = j->parts[0].layout;
    enum join_by by = JOIN_BY_NAME;
    size_t at = same_name(target, g);
    if (at == target->n_groups) {
        by = JOIN_BY_ROLE;
        at = only_of_role(target, g);
    }
    if (at == target->n_groups) {
        int rc = add_own_group(j, part, g, &at);
        if (rc)
            return rc;
        by = JOIN_OWN;
    } else {
        int64_t here = layout_usable_gib(&j->groups[at]), more = layout_usable_gib(g);
        if (here > 0 && more > 0)
            j->groups[at].need_gib = here + more;
    }
    *out_place = at;
    j->told[j->n_told++] = (struct joined_group){ .system = part->layout->system,
                                                  .group = g->name,
                                                  .into = j->groups[at].name,
                                                  .by = by,
                                                  .size_known = layout_usable_gib(g) > 0,
                                                  .together_pct = together };
    return 0;
}

/* The target's groups say themselves which files they hold: more groups of a role must not change
 * what follows from the role. */
static void fix_files(const struct layout *target, struct layout_group *groups)
{
    for (size_t i = 0; i < target->n_groups; i++)
        groups[i].n_files = group_files(target, &target->groups[i], &groups[i].files);
}

static int place_groups(struct join *j)
{
    const struct layout *target = j->parts[0].layout;
    size_t room = 0;
    for (size_t p = 0; p < j->n_parts; p++)
        room += j->parts[p].n_groups;
    j->place = arena_array(j->a, j->n_parts, sizeof *j->place);
    j->groups = arena_array(j->a, room ? room : 1, sizeof *j->groups);
    j->told = arena_array(j->a, room ? room : 1, sizeof *j->told);
    if (!j->place || !j->groups || !j->told)
        return err_nomem(j->e);
    for (size_t i = 0; i < target->n_groups; i++)
        j->groups[i] = target->groups[i];
    j->n_groups = target->n_groups;
    fix_files(target, j->groups);
    for (size_t p = 0; p < j->n_parts; p++) {
        const struct system_demand *part = &j->parts[p];
        double together = p ? together_pct(&j->parts[0].points, &part->points) : 100;
        j->place[p] = arena_array(j->a, part->n_groups ? part->n_groups : 1, sizeof *j->place[p]);
        if (!j->place[p])
            return err_nomem(j->e);
        for (size_t g = 0; g < part->n_groups; g++) {
            j->place[p][g] = g;
            int rc = p ? place_group(j, part, part->groups[g].group, together, &j->place[p][g]) : 0;
            if (rc)
                return rc;
        }
    }
    j->layout = *target;
    j->layout.groups = j->groups;
    j->layout.n_groups = j->n_groups;
    return 0;
}

/* --- sums ------------------------------------------------------------------------------------- */

/* The demands that go to a group, the target's first; out has room for all. */
static size_t members_of(const struct join *j, size_t at, const struct group_demand **out)
{
    size_t n = 0;
    for (size_t p = 0; p < j->n_parts; p++)
        for (size_t g = 0; g < j->parts[p].n_groups; g++)
            if (j->place[p][g] == at)
                out[n++] = &j->parts[p].groups[g];
    return n;
}

static int join_lists(const struct join *j, const struct group_demand *const *from, size_t n,
                      struct group_demand *out)
{
    size_t n_members = 0, n_split = 0;
    for (size_t i = 0; i < n; i++) {
        n_members += from[i]->n_members;
        n_split += from[i]->n_split;
    }
    struct load_member *members = arena_array(j->a, n_members ? n_members : 1, sizeof *members);
    struct demand_split *split = arena_array(j->a, n_split ? n_split : 1, sizeof *split);
    if (!members || !split)
        return err_nomem(j->e);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < from[i]->n_members; k++)
            members[out->n_members++] = from[i]->members[k];
        for (size_t k = 0; k < from[i]->n_split; k++)
            split[out->n_split++] = from[i]->split[k];
    }
    out->members = members;
    out->split = split;
    return 0;
}

static void add_known(double *sum, double v)
{
    if (!isnan(v))
        *sum = isnan(*sum) ? v : *sum + v;
}

/* The hottest volume of all; unevenness weighs as much as the load it belongs to. */
static void join_hot(const struct group_demand *const *from, size_t n, struct hot_volume *out)
{
    double mibps = 0, iops = 0, counted = 0;
    struct hot_volume hot = from[0]->hot;
    hot.uneven_mibps = hot.uneven_iops = hot.uneven_counted = 0;
    for (size_t i = 0; i < n; i++) {
        const struct hot_volume *h = &from[i]->hot;
        const struct demand *d = &from[i]->demand;
        if (i && (h->used_pct > hot.used_pct || isnan(hot.used_pct))) {
            hot.name = h->name;
            hot.used_pct = h->used_pct;
            hot.mibps = h->mibps;
            hot.counted_iops = h->counted_iops;
            hot.time_ms = h->time_ms;
            hot.file = h->file;
            hot.line = h->line;
            hot.skew = h->skew;
        }
        if (i) {
            hot.n_volumes += h->n_volumes;
            hot.n_at_ceiling += h->n_at_ceiling;
            hot.ceiling_seconds += h->ceiling_seconds;
        }
        add_known(&mibps, d->total_mibps);
        add_known(&iops, from[i]->total_iops);
        add_known(&counted, d->counted_iops);
        add_known(&hot.uneven_mibps, d->total_mibps * h->uneven_mibps);
        add_known(&hot.uneven_iops, from[i]->total_iops * h->uneven_iops);
        add_known(&hot.uneven_counted, d->counted_iops * h->uneven_counted);
    }
    hot.uneven_mibps = mibps > 0 ? hot.uneven_mibps / mibps : 1;
    hot.uneven_iops = iops > 0 ? hot.uneven_iops / iops : 1;
    hot.uneven_counted = counted > 0 ? hot.uneven_counted / counted : 1;
    *out = hot;
}

static void raise_peak_second(const struct group_demand *const *from, size_t n,
                              struct peak_second *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct peak_second *s = &from[i]->profile.peak_second;
        if (s->low_mibps > out->low_mibps) {
            out->low_mibps = s->low_mibps;
            out->source = s->source;
            out->time_ms = s->time_ms;
        }
        out->low_iops = fmax(out->low_iops, s->low_iops);
    }
    if (out->high_mibps < out->low_mibps)
        out->high_mibps = out->low_mibps;
    if (out->high_iops < out->low_iops)
        out->high_iops = out->low_iops;
}

/* What bounds the sum from above: each on its own volumes; NaN when one of them is not known. */
static struct group_ceiling sum_of_ceilings(const struct group_demand *const *from, size_t n)
{
    struct group_ceiling sum = { 0, 0, false };
    for (size_t i = 0; i < n; i++) {
        sum.max_iops += from[i]->ceiling.max_iops;
        sum.max_throughput_mibps += from[i]->ceiling.max_throughput_mibps;
    }
    return sum;
}

static int sum_points(const struct join *j, const struct group_demand *const *from, size_t n,
                      struct group_demand *g, struct load_points *assumed)
{
    const struct load_points **points = arena_array(j->a, n, sizeof(struct load_points *));
    if (!points)
        return err_nomem(j->e);
    for (size_t i = 0; i < n; i++)
        points[i] = &from[i]->points;
    int rc = load_points_of_points(points, n, NULL, j->a, &g->points, j->e);
    return rc ? rc : load_points_of_points(points, n, &j->factors, j->a, assumed, j->e);
}

static int join_group(const struct join *j, size_t at, const struct group_demand *const *from,
                      size_t n, struct group_demand *out)
{
    struct group_demand g = { .awr_difference_pct = NAN, .peak_line = UNKNOWN, .peak_factor = NAN };
    struct load_points assumed;
    struct group_ceiling most = sum_of_ceilings(from, n);
    int rc = join_lists(j, from, n, &g);
    if (!rc)
        rc = sum_points(j, from, n, &g, &assumed);
    if (!rc)
        rc = load_profile_of(&g.points, &most, NULL, &g.profile, j->e);
    if (rc)
        return rc;
    load_profile_count_left_out(&g.profile, g.members, g.n_members);
    raise_peak_second(from, n, &g.profile.peak_second);
    join_hot(from, n, &g.hot);
    struct peak_demand peak = peak_demand_of(&assumed, &j->factors);
    g.group = &j->groups[at];
    g.demand = peak.demand;
    g.total_iops = peak.total_iops;
    g.censored_by = peak.censored_by | (g.hot.ceiling_seconds > 0 ? (unsigned)POINT_HOT_VOLUME : 0);
    g.ceiling = from[0]->ceiling; /* of the volumes that are to carry it all */
    g.peak_total_iops = g.peak_counted_iops = NAN;
    if (peak.peak) {
        g.peak_total_iops = point_total_iops(peak.peak);
        g.peak_counted_iops = peak.peak->counted_iops;
    }
    for (size_t i = 0; i < n; i++) {
        g.ceiling_seconds += from[i]->ceiling_seconds;
        if (from[i]->demand.time_of_max_ms == g.demand.time_of_max_ms && !g.peak_file) {
            g.peak_file = from[i]->peak_file;
            g.peak_line = from[i]->peak_line;
        }
    }
    *out = g;
    return 0;
}

static int join_groups(const struct join *j, struct group_demand *out)
{
    size_t room = 0;
    for (size_t p = 0; p < j->n_parts; p++)
        room += j->parts[p].n_groups;
    const struct group_demand **from =
        arena_array(j->a, room ? room : 1, sizeof(struct group_demand *));
    if (!from)
        return err_nomem(j->e);
    for (size_t at = 0; at < j->n_groups; at++) {
        size_t n = members_of(j, at, from);
        int rc = 0;
        if (n == 1) {
            out[at] = *from[0];
            out[at].group = &j->groups[at];
        } else
            rc = join_group(j, at, from, n, &out[at]);
        if (rc)
            return rc;
    }
    return 0;
}

static int join_instance(const struct join *j, struct system_demand *d)
{
    const struct load_points **points =
        arena_array(j->a, d->n_groups ? d->n_groups : 1, sizeof(struct load_points *));
    struct load_points assumed;
    if (!points)
        return err_nomem(j->e);
    for (size_t g = 0; g < d->n_groups; g++)
        points[g] = &d->groups[g].points;
    int rc = load_points_of_points(points, d->n_groups, NULL, j->a, &d->points, j->e);
    if (!rc)
        rc = load_profile_of(&d->points, NULL, NULL, &d->profile, j->e);
    if (!rc)
        rc = load_points_of_points(points, d->n_groups, &j->factors, j->a, &assumed, j->e);
    if (rc)
        return rc;
    d->sum_of_peaks_mibps = 0;
    for (size_t g = 0; g < d->n_groups; g++) {
        load_profile_count_left_out(&d->profile, d->groups[g].members, d->groups[g].n_members);
        add_known(&d->sum_of_peaks_mibps, d->groups[g].profile.metrics[METRIC_TOTAL_MIBPS].max);
    }
    struct peak_demand peak = peak_demand_of(&assumed, &j->factors);
    d->demand = peak.demand;
    d->censored_by = peak.censored_by;
    return 0;
}

static int join_unclaimed(const struct join *j, struct system_demand *d)
{
    size_t n = 0;
    for (size_t p = 0; p < j->n_parts; p++)
        n += j->parts[p].n_unclaimed;
    const struct load_series **all = arena_array(j->a, n ? n : 1, sizeof(struct load_series *));
    if (!all)
        return err_nomem(j->e);
    d->n_unclaimed = 0;
    for (size_t p = 0; p < j->n_parts; p++)
        for (size_t i = 0; i < j->parts[p].n_unclaimed; i++)
            all[d->n_unclaimed++] = j->parts[p].unclaimed[i];
    d->unclaimed = all;
    return 0;
}

/* parts[0] is the target; n = 1 is a copy of it. */
static int join_systems(const struct system_demand *parts, size_t n, struct arena *a,
                        struct system_demand *out, struct err *e)
{
    struct join j = { .parts = parts,
                      .n_parts = n,
                      .factors = { parts[0].options_used.peak_factor },
                      .a = a,
                      .e = e };
    struct system_demand d = parts[0];
    if (n == 1) {
        *out = d;
        return 0;
    }
    int rc = place_groups(&j);
    if (rc)
        return rc;
    struct layout *layout = arena_alloc(a, sizeof *layout);
    struct group_demand *groups = arena_array(a, j.n_groups ? j.n_groups : 1, sizeof *groups);
    if (!layout || !groups)
        return err_nomem(e);
    *layout = j.layout;
    d.layout = layout;
    d.groups = groups;
    d.n_groups = j.n_groups;
    d.joined = j.told;
    d.n_joined = j.n_told;
    rc = join_groups(&j, groups);
    if (!rc)
        rc = join_instance(&j, &d);
    if (!rc)
        rc = join_unclaimed(&j, &d);
    if (!rc)
        *out = d;
    return rc;
}

int system_demand_of_sources(const struct demand_source *sources, size_t n,
                             const struct demand_options *o, struct arena *a,
                             struct system_demand *out_own, struct system_demand *out,
                             struct err *e)
{
    const struct layout *target = sources[0].layout;
    if (!target)
        return err_set(e, ERR_USAGE, "the system has no layout yet, so it has no groups");
    struct system_demand *parts = arena_array(a, n, sizeof *parts);
    struct layout *borrowed = arena_array(a, n, sizeof *borrowed);
    int rc = parts && borrowed ? 0 : err_nomem(e);
    for (size_t i = 0; i < n && !rc; i++) {
        const struct layout *l = sources[i].layout;
        if (!l) {
            rc = borrow_layout(target, sources[i].load->system, a, &borrowed[i], e);
            l = &borrowed[i];
        }
        if (!rc)
            rc = system_demand_build(sources[i].load, l, o, a, &parts[i], e);
    }
    if (rc)
        return rc;
    *out_own = parts[0];
    return join_systems(parts, n, a, out, e);
}
