/* planner/whatif/scenario.c - a list of changes applied to the system as it is: see scenario.h.
 * What they come to is in scenario_load.c. */
#include "planner/whatif/scenario.h"

#include "models/core/unit.h"
#include "planner/demand/group_files.h"

#include <math.h>
#include <string.h>

static const struct redo_block_change same_blocks = { { 1, 1, 1 }, { 1, 1, 1 } };

/* TUNING: unused ends per redo write where no report tells (redo_block.h: about 2). */
#define USUAL_TAILS 2

int scenario_init(struct scenario *s, const struct system_demand *measured,
                  const struct redo_path *path, struct arena *a, struct err *e)
{
    const struct layout *l = measured->layout;
    size_t *from = arena_array(a, l->n_groups ? l->n_groups : 1, sizeof *from);
    if (!from)
        return err_nomem(e);
    for (size_t i = 0; i < l->n_groups; i++)
        from[i] = i;
    *s = (struct scenario){ .measured = measured,
                            .path = path,
                            .layout = *l,
                            .from = from,
                            .shares = path->shares,
                            .growth = 1,
                            .block = same_blocks,
                            .members = group_log_members(l) };
    if (path->calibrated && (path->calibration.members_measured > 0 || s->members < 1))
        s->members = path->calibration.members;
    if (s->members < 1)
        s->members = 1;
    int64_t n = path->known ? path->calibration.direct_standbys : 0;
    return topology_of_layout(l, n, a, &s->topology, e);
}

/* --- groups ----------------------------------------------------------------------------------- */

/* The groups of the layout, about to be changed. */
struct groups {
    struct layout_group *at;
    struct path_share *shares;
    size_t *from;
    size_t n;
};

/* Copies with room for `more`. */
static int copy_groups(const struct scenario *s, size_t more, struct arena *a, struct groups *out,
                       struct err *e)
{
    size_t n = s->layout.n_groups, room = n + more ? n + more : 1;
    struct groups g = { arena_array(a, room, sizeof *g.at), arena_array(a, room, sizeof *g.shares),
                        arena_array(a, room, sizeof *g.from), n };
    if (!g.at || !g.shares || !g.from) {
        err_nomem(e);
        return ERR_NOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        g.at[i] = s->layout.groups[i];
        g.shares[i] = s->shares[i];
        g.from[i] = s->from[i];
    }
    *out = g;
    return 0;
}

static void keep_groups(struct scenario *s, const struct groups *g)
{
    s->layout.groups = g->at;
    s->layout.n_groups = g->n;
    s->shares = g->shares;
    s->from = g->from;
}

static bool holds_nothing(const struct path_share *s)
{
    return !path_share_any(s) && !(s->other.read_mibps > 0) && !(s->other.write_mibps > 0);
}

/* Takes the members above wanted from their groups; a group that held nothing else goes. */
static void drop_members(const struct scenario *s, struct groups *g, int64_t wanted)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        int64_t member = g->at[i].log_member;
        if (member == UNKNOWN)
            g->shares[i].log_writes *= (double)wanted / (double)s->members;
        else if (member > wanted) {
            g->shares[i].log_reads = g->shares[i].log_writes = 0;
            if (holds_nothing(&g->shares[i]))
                continue;
            g->at[i].log_member = UNKNOWN;
        }
        g->at[n] = g->at[i];
        g->shares[n] = g->shares[i];
        g->from[n++] = g->from[i];
    }
    g->n = n;
}

/* When the member that was read is gone the first one is read. */
static void read_first_member(const struct layout *l, struct groups *g, int64_t wanted)
{
    if (group_read_member(l) <= wanted)
        return;
    for (size_t i = 0; i < g->n; i++)
        if (g->at[i].log_member == 1)
            g->shares[i].log_reads = g->shares[i].log_writes;
}

/* One group a new member, like the group of the last one there is. */
static int add_members(const struct scenario *s, struct groups *g, int64_t wanted, struct arena *a,
                       struct err *e)
{
    size_t last = g->n;
    for (size_t i = 0; i < g->n; i++)
        if (g->at[i].log_member != UNKNOWN &&
            (last == g->n || g->at[i].log_member > g->at[last].log_member))
            last = i;
    for (size_t i = 0; i < g->n; i++)
        if (g->at[i].log_member == UNKNOWN)
            g->shares[i].log_writes *= (double)wanted / (double)s->members;
    if (last == g->n)
        return 0;
    struct layout_group like = g->at[last];
    double writes = g->shares[last].log_writes;
    for (int64_t member = like.log_member + 1; member <= wanted; member++) {
        like.name = arena_printf(a, "%s+%lld", g->at[last].name,
                                 (long long)(member - g->at[last].log_member));
        if (!like.name)
            return err_nomem(e);
        like.log_member = member;
        like.role = ROLE_REDO;
        like.policy.keep = false;
        g->at[g->n] = like;
        g->shares[g->n] = (struct path_share){ .log_writes = writes };
        g->from[g->n++] = g->from[last];
    }
    return 0;
}

static int set_members(struct scenario *s, int64_t wanted, struct arena *a, struct err *e)
{
    struct groups g;
    int rc = copy_groups(s, (size_t)wanted, a, &g, e);
    if (rc)
        return rc;
    if (wanted < s->members) {
        drop_members(s, &g, wanted);
        read_first_member(&s->layout, &g, wanted);
    } else if (wanted > s->members) {
        rc = add_members(s, &g, wanted, a, e);
    }
    if (rc)
        return rc;
    keep_groups(s, &g);
    s->members = wanted;
    s->layout.redo.members = wanted;
    return 0;
}

/* Sizes that were given raw are made usable first, so that they are mirrored again. */
static void set_copies(struct layout_group *g, enum redundancy r)
{
    g->need_gib = layout_usable_gib(g);
    g->redundancy = r;
}

static int set_redundancy(struct scenario *s, const struct whatif_change *c, struct arena *a,
                          struct err *e)
{
    struct groups g;
    int rc = copy_groups(s, 0, a, &g, e);
    if (rc)
        return rc;
    for (size_t i = 0; i < g.n; i++) {
        if (strcmp(g.at[i].name, c->name) != 0)
            continue;
        double factor = (double)redundancy_copies(c->redundancy) /
                        (double)redundancy_copies(g.at[i].redundancy);
        struct path_rates *other = &g.shares[i].other;
        double reads = other->counted_iops - other->write_iops;
        other->write_mibps *= factor;
        other->write_iops *= factor;
        other->counted_iops = fmax(reads, 0) + other->write_iops;
        set_copies(&g.at[i], c->redundancy);
        keep_groups(s, &g);
        return 0;
    }
    return err_set(e, ERR_USAGE, "the layout has no group %s", c->name);
}

/* --- the rest --------------------------------------------------------------------------------- */

static int set_block(struct scenario *s, int64_t bytes, struct err *e)
{
    const struct redo_path *p = s->path;
    double tails = isnan(p->wastage_tails_per_write) ? USUAL_TAILS : p->wastage_tails_per_write;
    if (isnan(p->block_bytes) || isnan(p->redo_bytes_per_write))
        return err_set(e, ERR_USAGE,
                       "--redo-block needs an AWR report with the statistics redo size, redo "
                       "writes and redo blocks written");
    s->block = redo_block_change((int64_t)p->block_bytes, bytes, p->redo_bytes_per_write, tails);
    s->layout.redo.block_bytes = bytes;
    return 0;
}

static int change_one(struct scenario *s, const struct whatif_change *c, struct arena *a,
                      struct err *e)
{
    switch (c->kind) {
    case WHATIF_REDO_BLOCK:
        s->changes_redo = true;
        return set_block(s, c->whole, e);
    case WHATIF_MEMBERS:
        s->changes_redo = true;
        return set_members(s, c->whole, a, e);
    case WHATIF_GROWTH:
        s->growth *= 1 + c->pct / 100;
        return 0;
    case WHATIF_REDUNDANCY:
        return set_redundancy(s, c, a, e);
    case WHATIF_INSTANCE:
        s->instance_type = c->name;
        return 0;
    case WHATIF_PHASE: /* the caller's: another scenario on top of this one */
    case WHATIF_MERGE_LOSS:
    case WHATIF_SPLIT:
    case WHATIF_RMAN:
    case WHATIF_RESTORE:
    case WHATIF_SHIFT: /* after all others: scenario_shape_all */
        return 0;
    default:
        s->changes_redo = true;
        return topology_change(&s->topology, c, a, e);
    }
}

int scenario_change(struct scenario *s, const struct whatif_change *changes, size_t n,
                    struct arena *a, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        int rc = change_one(s, &changes[i], a, e);
        if (rc)
            return err_prefix(e, "--%s", whatif_kind_name(changes[i].kind)), rc;
    }
    int rc = topology_check(&s->topology, changes, n, e);
    if (!rc)
        rc = scenario_shape_all(s, changes, n, a, e);
    if (!rc && s->changes_redo && !s->path->known && !s->path->refused)
        rc = err_set(e, ERR_USAGE,
                     "the redo rate is not known: ingest an AWR report with IOStat by Filetype of "
                     "the time under study");
    return rc;
}
