/* planner/change/change_group.c - see change_group.h. */
#include "planner/change/change_group.h"

#include "models/core/unit.h"
#include "models/ebs/vol_price.h"
#include "models/ebs/vol_rule.h"
#include "models/oracle/asm.h"
#include "models/vocab/volume_config.h"
#include "planner/change/change_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t change_volumes_of(const struct layout_group *g)
{
    int64_t n = 0;
    for (size_t i = 0; i < g->n_volumes; i++) {
        int64_t count = g->volumes[i].spec.count;
        if (count < 0 || count > CHANGE_VOLUMES_MAX - n)
            return -1;
        n += count;
    }
    return n;
}

/* --- today's volumes -------------------------------------------------------------------------- */

static int ascending(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static bool is_history_of(const struct volume_modification *m, const struct change_volume *v)
{
    return m->start_ms != UNKNOWN && span_is(m->volume_id, v->name) && !span_is(m->state, "failed");
}

/* When it is complete: what the API said, else what it takes at most. */
static int64_t complete_ms(const struct volume_modification *m, const struct change_volume *v)
{
    if (m->end_ms != UNKNOWN || span_is(m->state, "completed"))
        return m->end_ms;
    return m->start_ms + (int64_t)(1000 * fmax(0, vol_optimizing_s(v->spec.size_gib)));
}

/* What the API said was done to it. */
static int take_history(const struct system_load *load, struct change_volume *v, struct arena *a,
                        struct err *e)
{
    size_t n = 0;
    int64_t last_ms = UNKNOWN;
    v->history = (struct vol_modify_history){ NULL, 0, UNKNOWN };
    for (size_t i = 0; i < load->n_modifications && v->has_id; i++)
        n += is_history_of(&load->modifications[i].change, v);
    int64_t *starts = arena_array(a, n + 1, sizeof *starts);
    if (!starts)
        return err_nomem(e);
    n = 0;
    for (size_t i = 0; i < load->n_modifications && v->has_id; i++) {
        const struct volume_modification *m = &load->modifications[i].change;
        if (!is_history_of(m, v))
            continue;
        starts[n++] = m->start_ms;
        if (m->start_ms >= last_ms) {
            last_ms = m->start_ms;
            v->history.complete_ms = complete_ms(m, v);
        }
    }
    qsort(starts, n, sizeof *starts, ascending);
    /* The same modification may have been seen by several exports. */
    for (size_t i = 0; i < n; i++)
        if (!v->history.n || starts[i] != starts[v->history.n - 1])
            starts[v->history.n++] = starts[i];
    v->history.starts_ms = starts;
    return 0;
}

/* IDs are those of the layout, in its order, where it has one for each volume. */
static int take_volumes(const struct change_host *h, struct change_group *g, size_t n_before,
                        struct arena *a, struct err *e)
{
    const struct layout_group *l = g->layout;
    struct change_volume *all = arena_array(a, g->n_old + 1, sizeof *all);
    if (!all)
        return err_nomem(e);
    size_t n = 0;
    for (size_t i = 0; i < l->n_volumes; i++)
        for (int64_t k = 0; k < l->volumes[i].spec.count; k++) {
            struct change_volume *v = &all[n++];
            const char *id = l->n_volume_ids == g->n_old ? l->volume_ids[n - 1] : NULL;
            const struct vol_rule *r = vol_rule_at(h->options->catalogue, l->volumes[i].spec.type,
                                                   h->options->as_of_ms, NULL, UNKNOWN);
            v->spec = l->volumes[i].spec;
            v->spec.count = 1;
            if (r)
                vol_fill_defaults(r, &v->spec);
            v->has_id = id && is_volume_id(id);
            v->name = v->has_id ? id : arena_printf(a, "OLD_%zu", n_before + n);
            v->shell = v->has_id ? id : arena_printf(a, "\"$OLD_%zu\"", n_before + n);
            v->disk = arena_printf(a, "&&OLD_DISK_%zu", n_before + n);
            if (!v->name || !v->shell || !v->disk)
                return err_nomem(e);
            int rc = take_history(h->demand->load, v, a, e);
            if (rc)
                return rc;
        }
    g->old = all;
    return 0;
}

static bool differs(const struct change_group *g)
{
    bool other = (int64_t)g->n_old != g->target.count;
    for (size_t i = 0; i < g->n_old; i++)
        other |= !volume_spec_alike(&g->old[i].spec, &g->target);
    return other;
}

/* --- ways ------------------------------------------------------------------------------------- */

static int64_t largest_gib(const struct change_group *g)
{
    int64_t gib = g->target.size_gib;
    for (size_t i = 0; i < g->n_old; i++)
        gib = g->old[i].spec.size_gib > gib ? g->old[i].spec.size_gib : gib;
    return gib;
}

static bool is_asm(const struct change_host *h, const struct layout_group *l)
{
    bool on_files = l->role == ROLE_BINARIES || l->role == ROLE_OTHER;
    bool logs_on_files =
        l->role == ROLE_REDO && h->demand->layout->redo.filesystem_block_bytes != UNKNOWN;
    return !on_files && !logs_on_files;
}

static int64_t price_of(const struct change_host *h, const struct volume_spec *v)
{
    struct vol_price p;
    struct err e;
    int64_t as_of_ms;
    return vol_price(h->options->catalogue, h->options->region, h->options->as_of_ms, v, 0, &p,
                     &as_of_ms, &e)
               ? UNKNOWN
               : p.total_microusd;
}

static int64_t known_total(int64_t x, int64_t y)
{
    return x == UNKNOWN || y == UNKNOWN ? UNKNOWN : x + y;
}

static struct replay_group ceilings(const struct change_host *h, const struct volume_spec *v,
                                    size_t count, double skew)
{
    struct replay_group c = replay_group_unknown();
    struct layout_volumes row = { *v, UNKNOWN };
    row.spec.count = (int64_t)count;
    replay_group_at(h->options->catalogue, &row, 1, skew,
                    h->options->instance ? h->options->instance->name : NULL, h->options->as_of_ms,
                    &c);
    return c;
}

/* Takes the words for why not. */
static int refuse(struct change_option *o, const char *words, struct err *e)
{
    o->why_not = words;
    return words ? 0 : err_nomem(e);
}

/* Whether the volumes of a way can be ordered, hold the data and be attached beside the old. */
static int judge(const struct change_host *h, const struct change_group *g, struct change_option *o,
                 struct arena *a, struct err *e)
{
    const struct volume_spec *v = &o->to;
    struct vol_problem problems[VOL_PROBLEMS_MAX];
    const struct vol_rule *r =
        vol_rule_at(h->options->catalogue, v->type, h->options->as_of_ms,
                    h->options->instance ? h->options->instance->name : NULL, UNKNOWN);
    int64_t attached = h->attached + (int64_t)o->n_added;
    if (r && vol_check(r, v, problems))
        return refuse(o, arena_strdup(a, problems[0].text), e);
    if ((double)v->size_gib * (double)v->count < g->used_gib)
        return refuse(o,
                      arena_printf(a, "%lld GiB do not hold the %.0f GiB that are used",
                                   (long long)v->size_gib * (long long)v->count, g->used_gib),
                      e);
    if (o->n_added && h->slots != UNKNOWN && attached > h->slots)
        return refuse(o,
                      arena_printf(a,
                                   "%lld volumes while both sets are attached, the instance takes "
                                   "%lld",
                                   (long long)attached, (long long)h->slots),
                      e);
    return 0;
}

static bool changes_any(const struct change_group *g, const struct volume_spec *to)
{
    for (size_t i = 0; i < g->n_old; i++)
        if (!volume_spec_alike(&g->old[i].spec, to))
            return true;
    return false;
}

/* Why the way is none for this group at all; NULL = it may be one. */
static const char *no_way(const struct change_group *g, enum change_kind k,
                          const struct volume_spec *keep)
{
    bool on_asm = g->on_asm, same_count = (int64_t)g->n_old == g->target.count;
    enum group_role role = g->layout->role;
    switch (k) {
    case CHANGE_MODIFY:
        return !same_count            ? "the number of volumes changes"
               : changes_any(g, keep) ? NULL
                                      : "only the size would shrink, and a volume only grows";
    case CHANGE_ASM_KEEP:
        return !on_asm ? "no disk group of ASM" : same_count ? "the number of volumes stays" : NULL;
    case CHANGE_ASM_REPLACE:
        return on_asm ? NULL : "no disk group of ASM";
    case CHANGE_NEW_LOGS:
        return on_asm && role == ROLE_REDO ? NULL : "holds no online logs in ASM";
    case CHANGE_RMAN_COPY:
        return on_asm && role == ROLE_DATA ? NULL : "holds no data files in ASM";
    case CHANGE_SNAPSHOT:
        return same_count ? NULL : "a snapshot becomes one volume: the number cannot change";
    case CHANGE_COPY:
    case CHANGE_BEST:
    case CHANGE_INSTANCE:
        return on_asm ? "files of ASM are moved by ASM or RMAN" : NULL;
    }
    return NULL;
}

static void count_volumes(const struct change_group *g, enum change_kind k, struct change_option *o)
{
    size_t want = (size_t)g->target.count, have = g->n_old;
    bool keeps = k == CHANGE_MODIFY || k == CHANGE_ASM_KEEP;
    o->n_kept = !keeps ? 0 : want < have ? want : have;
    o->n_added = want - o->n_kept;
    o->n_dropped = have - o->n_kept;
}

/* What moves from where to where. */
static void set_move(const struct change_host *h, const struct change_group *g, enum change_kind k,
                     struct change_option *o)
{
    double skew = g->layout->skew, n = (double)g->n_old;
    bool grows = k != CHANGE_ASM_KEEP || o->n_added;
    o->move =
        (struct change_move){ g->index, NAN, g->today,
                              ceilings(h, &o->to, grows ? o->n_added : o->n_kept, skew), false };
    if (k == CHANGE_ASM_REPLACE)
        o->move.moved_gib =
            asm_moved_replace_gib(g->used_gib, (int64_t)n, (int64_t)n, (int64_t)o->n_added);
    else if (k == CHANGE_RMAN_COPY || k == CHANGE_COPY)
        o->move.moved_gib = g->used_gib;
    else if (k == CHANGE_ASM_KEEP && o->n_added)
        o->move.moved_gib = asm_moved_add_gib(g->used_gib, (int64_t)n, (int64_t)o->n_added);
    else if (k == CHANGE_ASM_KEEP) {
        o->move.moved_gib = asm_moved_drop_gib(g->used_gib, (int64_t)n, (int64_t)o->n_dropped);
        o->move.source = ceilings(h, &g->old[g->n_old - 1].spec, o->n_dropped, skew);
    } else if (k == CHANGE_NEW_LOGS)
        o->move.destination = replay_group_unknown(); /* the archive takes the last log */
}

static int fill_option(const struct change_host *h, const struct change_group *g,
                       enum change_kind k, struct arena *a, struct change_option *o, struct err *e)
{
    bool keeps = k == CHANGE_MODIFY || k == CHANGE_ASM_KEEP || k == CHANGE_SNAPSHOT;
    *o = (struct change_option){ .to = g->target, .move = { .moved_gib = NAN } };
    if (keeps)
        o->to.size_gib = largest_gib(g);
    o->why_not = no_way(g, k, &o->to);
    if (o->why_not)
        return 0;
    count_volumes(g, k, o);
    struct volume_spec added = o->to;
    added.count = (int64_t)o->n_added;
    o->total_microusd = price_of(h, &o->to);
    o->meanwhile_microusd = known_total(g->old_microusd, o->n_added ? price_of(h, &added) : 0);
    set_move(h, g, k, o);
    return judge(h, g, o, a, e);
}

static void take_used(struct change_group *g)
{
    const struct layout_group *l = g->layout;
    double copies = redundancy_copies(l->redundancy), capacity = 0;
    for (size_t i = 0; i < g->n_old; i++)
        capacity += (double)g->old[i].spec.size_gib;
    g->used_known = l->used_gib != UNKNOWN;
    int64_t most = g->used_known ? l->used_gib : l->need_gib;
    g->used_gib = most == UNKNOWN ? capacity : fmin((double)most * copies, capacity);
}

int change_group_init(const struct change_host *h, size_t index, size_t n_before, struct arena *a,
                      struct change_group *out, struct err *e)
{
    const struct change_options *o = h->options;
    const struct change_target *t = &o->targets[index];
    struct change_group g = { .index = index,
                              .of = &h->demand->groups[index],
                              .layout = h->demand->groups[index].group,
                              .target = t->spec };
    int64_t n = change_volumes_of(g.layout);
    if (n < 0)
        return err_set(e, ERR_USAGE, "%.80s has more than %d volumes in the layout", g.layout->name,
                       CHANGE_VOLUMES_MAX);
    if (!t->kept && n == 0)
        return err_set(e, ERR_USAGE,
                       "the layout does not say which volumes %.80s has today: groups[].volumes",
                       g.layout->name);
    if (!t->kept && (t->spec.count < 1 || t->spec.count > CHANGE_VOLUMES_MAX))
        return err_set(e, ERR_USAGE, "%.80s: %lld volumes in the plan: 1 to %d can be",
                       g.layout->name, (long long)t->spec.count, CHANGE_VOLUMES_MAX);
    g.n_old = (size_t)n;
    g.on_asm = is_asm(h, g.layout);
    int rc = take_volumes(h, &g, n_before, a, e);
    if (rc)
        return rc;
    g.old_microusd = 0;
    for (size_t i = 0; i < g.n_old; i++)
        g.old_microusd = known_total(g.old_microusd, price_of(h, &g.old[i].spec));
    if (!t->kept) {
        const struct vol_rule *r =
            vol_rule_at(o->catalogue, g.target.type, o->as_of_ms, NULL, UNKNOWN);
        if (!r)
            return err_set(e, ERR_USAGE, "%s is not known on the day of the change",
                           volume_type_name(g.target.type));
        vol_fill_defaults(r, &g.target);
        g.changes = differs(&g);
    }
    take_used(&g);
    replay_group_at(o->catalogue, g.layout->volumes, g.layout->n_volumes, g.layout->skew,
                    o->instance ? o->instance->name : NULL, o->as_of_ms, &g.today);
    for (int k = 0; k < CHANGE_KIND_COUNT && g.changes; k++) {
        rc = fill_option(h, &g, (enum change_kind)k, a, &g.options[k], e);
        if (rc)
            return rc;
    }
    *out = g;
    return 0;
}
