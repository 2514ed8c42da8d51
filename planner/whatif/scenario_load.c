/* planner/whatif/scenario_load.c - what a scenario puts on each disk group: see scenario.h. */
#include "planner/whatif/scenario.h"

#include "models/core/unit.h"
#include "models/ebs/io_count.h"
#include "models/oracle/standby_host.h"

#include <math.h>
#include <string.h>

/* TUNING: copies of the redo below which a group's reads are too few to be scaled. */
#define FEW_COPIES      0.1
#define LOG_REQUEST_KIB 1024
enum { SSD_CAP_KIB = 256 };

static double range_at(struct redo_range r, enum bound b)
{
    return b == BOUND_LOWER ? r.lower : b == BOUND_CENTRAL ? r.central : r.upper;
}

/* Direct ASYNC standbys that came and went. */
static struct redo_change redo_change_of(const struct scenario *s)
{
    struct redo_change c = topology_redo_change(&s->topology);
    if (s->one_fewer && c.added)
        c.added--;
    else if (s->one_fewer)
        c.removed++;
    return c;
}

/* The path at the bound's block size, before growth. */
static struct redo_flow flow_at(const struct scenario *s, enum bound b)
{
    struct redo_flow f = redo_flow_scaled(&s->path->flow, range_at(s->block.factor, b));
    f.flashback_write_mibps = s->path->flow.flashback_write_mibps;
    return f;
}

double scenario_redo_mibps(const struct scenario *s, enum bound b)
{
    return flow_at(s, b).redo_mibps * s->growth;
}

static struct path_load primary_load(const struct redo_flow *f, struct redo_change change,
                                     enum bound b)
{
    struct redo_group_load member = redo_load_at(f, change, REDO_READ_MEMBER);
    struct redo_group_load archive = redo_load_at(f, change, REDO_ARCHIVE);
    return (struct path_load){ .member_read_mibps = range_at(member.read_mibps, b),
                               .member_write_mibps = range_at(member.write_mibps, b),
                               .archive_read_mibps = range_at(archive.read_mibps, b),
                               .archive_write_mibps = f->archive_write_mibps,
                               .flashback_write_mibps = f->flashback_write_mibps,
                               .log_write_requests = 1 };
}

static struct standby_host host_of(const struct scenario *s, const struct standby *on,
                                   const struct redo_flow *f)
{
    return (struct standby_host){ .redo_mibps = f->redo_mibps,
                                  .flashback_write_mibps = f->flashback_write_mibps,
                                  .cascaded = topology_fed_by(&s->topology, on->name),
                                  .far_sync = on->far_sync };
}

static struct path_load standby_load(const struct standby_host *h, enum bound b)
{
    struct standby_host_load load = standby_host_load(h);
    return (struct path_load){ .member_read_mibps = range_at(load.redo.read_mibps, b),
                               .member_write_mibps = range_at(load.redo.write_mibps, b),
                               .archive_read_mibps = range_at(load.archive.read_mibps, b),
                               .archive_write_mibps = h->redo_mibps,
                               .flashback_write_mibps = h->far_sync ? 0 : h->flashback_write_mibps,
                               .log_write_requests = 1 };
}

/* --- rates ------------------------------------------------------------------------------------ */

static struct path_rates times(struct path_rates r, double factor)
{
    return (struct path_rates){ r.read_mibps * factor, r.write_mibps * factor, r.read_iops * factor,
                                r.write_iops * factor, r.counted_iops * factor };
}

/* Means over everything that was measured of a group. */
static struct path_rates measured_rates(const struct group_demand *d)
{
    const struct metric_stats *m = d->profile.metrics;
    return (struct path_rates){ m[METRIC_READ_MIBPS].avg, m[METRIC_WRITE_MIBPS].avg,
                                m[METRIC_READ_IOPS].avg, m[METRIC_WRITE_IOPS].avg,
                                m[METRIC_COUNTED_IOPS].avg };
}

static bool has_rates(const struct path_rates *r)
{
    return r->read_mibps > 0 || r->write_mibps > 0;
}

/* Whether the group's averages come from the reports, not from its devices. */
static bool is_modelled(const struct scenario *s, size_t measured_group)
{
    const struct path_share *share = &s->path->shares[measured_group];
    return s->path->known && (path_share_any(share) || has_rates(&share->other));
}

static double mirror_factor(const struct scenario *s, size_t g)
{
    enum redundancy was = s->measured->layout->groups[s->from[g]].redundancy;
    return (double)redundancy_copies(s->layout.groups[g].redundancy) /
           (double)redundancy_copies(was);
}

struct path_rates scenario_base(const struct scenario *s, size_t g)
{
    size_t m = s->from[g];
    const struct path_share *share = &s->path->shares[m];
    if (!is_modelled(s, m))
        return measured_rates(&s->measured->groups[m]);
    struct path_load load = primary_load(&s->path->flow, (struct redo_change){ 0 }, BOUND_CENTRAL);
    struct path_rates r =
        path_rates_of(s->path, share, &load, s->measured->layout->groups[m].redundancy);
    return path_rates_plus(r, &share->other);
}

/* What no change of the redo path touches, mirrored anew. */
static struct path_rates unmodelled_rates(const struct scenario *s, size_t g)
{
    struct path_rates r = measured_rates(&s->measured->groups[s->from[g]]);
    double factor = mirror_factor(s, g);
    r.counted_iops += r.write_iops * (factor - 1);
    r.write_mibps *= factor;
    r.write_iops *= factor;
    return r;
}

/* Before growth. */
static struct path_rates primary_rates(const struct scenario *s, size_t g, enum bound b)
{
    const struct path_share *share = &s->shares[g];
    if (!is_modelled(s, s->from[g]))
        return unmodelled_rates(s, g);
    struct redo_flow f = flow_at(s, b);
    struct path_load load = primary_load(&f, redo_change_of(s), b);
    load.log_write_requests = range_at(s->block.writes_factor, b);
    struct path_rates r = path_rates_of(s->path, share, &load, s->layout.groups[g].redundancy);
    return path_rates_plus(r, &share->other);
}

/* Data files are written as on the primary and read as far as apply needs their blocks. */
static struct path_rates data_rates(const struct scenario *s, const struct standby_host *h,
                                    size_t g, enum bound b)
{
    const struct layout_group *group = &s->layout.groups[g];
    struct path_rates zero = { 0 };
    struct path_rates was =
        is_modelled(s, s->from[g]) ? s->shares[g].other : unmodelled_rates(s, g);
    if (group->role != ROLE_DATA || h->far_sync || !(was.write_mibps > 0))
        return zero;
    struct standby_host data = *h;
    data.data_write_mibps = was.write_mibps / redundancy_copies(group->redundancy);
    struct path_rates r = { .read_mibps = range_at(standby_host_load(&data).data.read_mibps, b),
                            .write_mibps = was.write_mibps,
                            .write_iops = was.write_iops };
    double per_mib = was.read_mibps > 0 ? was.read_iops / was.read_mibps : NAN;
    if (!(per_mib > 0))
        per_mib = was.write_iops / was.write_mibps;
    r.read_iops = r.read_mibps * (per_mib > 0 ? per_mib : 1);
    r.counted_iops = io_counted_likely(r.read_iops, r.read_mibps, SSD_CAP_KIB) +
                     io_counted_likely(r.write_iops, r.write_mibps, SSD_CAP_KIB);
    return r;
}

/* Whatever the host is, its binaries are used as they are. */
static bool stays_on_standby(const struct scenario *s, size_t g)
{
    enum group_role role = s->layout.groups[g].role;
    return (role == ROLE_BINARIES || role == ROLE_OTHER) && !path_share_any(&s->shares[g]);
}

static struct path_rates standby_rates(const struct scenario *s, const struct standby *on, size_t g,
                                       enum bound b)
{
    if (stays_on_standby(s, g))
        return primary_rates(s, g, b);
    struct redo_flow f = flow_at(s, b);
    struct standby_host h = host_of(s, on, &f);
    struct path_load load = standby_load(&h, b);
    load.log_write_requests = range_at(s->block.writes_factor, b);
    struct path_rates data = data_rates(s, &h, g, b);
    struct path_rates r =
        path_rates_of(s->path, &s->shares[g], &load, s->layout.groups[g].redundancy);
    return path_rates_plus(r, &data);
}

struct path_rates scenario_primary(const struct scenario *s, size_t g, enum bound b)
{
    return times(primary_rates(s, g, b), s->growth);
}

struct path_rates scenario_standby(const struct scenario *s, const struct standby *on, size_t g,
                                   enum bound b)
{
    return times(standby_rates(s, on, g, b), s->growth);
}

const struct standby *scenario_host(const struct scenario *s)
{
    return topology_find(&s->topology, s->topology.host);
}

struct path_rates scenario_here(const struct scenario *s, size_t g, enum bound b)
{
    const struct standby *on = scenario_host(s);
    return scenario_shaped(s, g, on ? scenario_standby(s, on, g, b) : scenario_primary(s, g, b));
}

struct path_rates scenario_contribution(const struct scenario *s, const struct standby *of,
                                        size_t g, enum bound b)
{
    struct path_rates none = { 0 };
    if (!topology_reads_files(of) || !s->path->known)
        return none;
    struct redo_flow f = flow_at(s, b);
    struct redo_group_load member = redo_load_of_standby(&f, !of->measured, REDO_READ_MEMBER);
    struct redo_group_load archive = redo_load_of_standby(&f, !of->measured, REDO_ARCHIVE);
    struct path_load load = { .member_read_mibps = range_at(member.read_mibps, b),
                              .archive_read_mibps = range_at(archive.read_mibps, b) };
    struct path_rates r =
        path_rates_of(s->path, &s->shares[g], &load, s->layout.groups[g].redundancy);
    return times(r, s->growth);
}

/* --- from averages to every sample ------------------------------------------------------------ */

static double ratio(double now, double was)
{
    return was > 0 ? now / was : 1;
}

static void change_reads(const struct scenario *s, const struct path_rates *was,
                         const struct path_rates *now, struct load_change *c)
{
    double added = now->read_mibps - was->read_mibps;
    double few = FEW_COPIES * s->path->flow.redo_mibps;
    bool scales = added <= 0 || was->read_mibps >= few || !(was->write_mibps > 0);
    if (scales) {
        c->read = ratio(now->read_mibps, was->read_mibps);
        return;
    }
    c->read_per_write = added / was->write_mibps;
}

static void follow_writes(const struct path_rates *was, const struct path_rates *now,
                          struct load_change *c)
{
    c->read = 0;
    c->read_per_write = was->write_mibps > 0 ? now->read_mibps / was->write_mibps : 0;
    if (now->read_iops > 0)
        c->added_request_kib = now->read_mibps * 1024 / now->read_iops;
}

static void change_writes(const struct path_rates *was, const struct path_rates *now,
                          struct load_change *c)
{
    c->write = ratio(now->write_mibps, was->write_mibps);
    c->write_requests = was->write_iops > 0 ? now->write_iops / was->write_iops : c->write;
}

static struct load_change change_of(const struct scenario *s, const struct standby *on,
                                    enum bound b, size_t g)
{
    struct load_change c = load_change_none(s->from[g]);
    c.added_request_kib = LOG_REQUEST_KIB;
    struct path_rates was = scenario_base(s, g);
    struct path_rates now = on ? standby_rates(s, on, g, b) : primary_rates(s, g, b);
    if (on && !stays_on_standby(s, g))
        follow_writes(&was, &now, &c);
    else if (!isnan(was.read_mibps) && !isnan(now.read_mibps))
        change_reads(s, &was, &now, &c);
    if (!isnan(was.write_mibps) && !isnan(now.write_mibps))
        change_writes(&was, &now, &c);
    c.read *= s->growth;
    c.read_per_write *= s->growth;
    c.write *= s->growth;
    c.write_requests *= s->growth;
    if (s->shapes && on == scenario_host(s))
        c.shape = &s->shapes[g].load;
    return c;
}

void scenario_load_changes(const struct scenario *s, const struct standby *on, enum bound b,
                           struct load_change *out)
{
    for (size_t g = 0; g < s->layout.n_groups; g++)
        out[g] = change_of(s, on, b, g);
}

bool scenario_bounds_alike(const struct scenario *s, const struct standby *on, enum bound one,
                           enum bound other)
{
    for (size_t g = 0; g < s->layout.n_groups; g++) {
        struct load_change x = change_of(s, on, one, g), y = change_of(s, on, other, g);
        if (!load_change_alike(&x, &y))
            return false;
    }
    return true;
}
