/* planner/change/change.c - see change.h. */
#include "planner/change/change.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "planner/change/change_quota.h"
#include "planner/change/change_steps.h"
#include "planner/solve/plan_instance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HOUR_MS = 3600000, HOURS = 24 };

static const struct kind {
    const char *name, *words;
    bool online;
} kinds[] = {
#define X(name, text, words, online) [name] = { text, words, online },
    CHANGE_TABLE(X)
#undef X
        [CHANGE_BEST] = { "best", "each group by its own best way", false },
    [CHANGE_INSTANCE] = { "instance", "change the instance type", false },
};

const char *change_kind_name(enum change_kind k)
{
    return kinds[k].name;
}

const char *change_kind_words(enum change_kind k)
{
    return kinds[k].words;
}

static bool is_online(enum change_kind k)
{
    return kinds[k].online;
}

const char *change_by_name(enum change_by by)
{
    static const char *const names[] = { [BY_AWS] = "aws",
                                         [BY_ASM] = "asm",
                                         [BY_DATABASE] = "database",
                                         [BY_RMAN] = "rman",
                                         [BY_HOST] = "host" };
    return names[by];
}

/* What is being built. */
struct building {
    struct change_host host;
    struct change_group *groups;
    size_t n_groups;
    struct arena *a;
    struct change *out;
};

static bool possible(const struct change_group *g, enum change_kind k)
{
    return !g->options[k].why_not;
}

/* The ways of a group by price, then without a stop, then by what moves, then in the order of the
 * table. */
static bool is_better(const struct change_group *g, enum change_kind x, enum change_kind y)
{
    const struct change_option *a = &g->options[x], *b = &g->options[y];
    double moved_a = isnan(a->move.moved_gib) ? 0 : a->move.moved_gib;
    double moved_b = isnan(b->move.moved_gib) ? 0 : b->move.moved_gib;
    if (a->total_microusd != b->total_microusd) /* UNKNOWN is dearer than any */
        return b->total_microusd == UNKNOWN ||
               (a->total_microusd != UNKNOWN && a->total_microusd < b->total_microusd);
    if (is_online(x) != is_online(y))
        return is_online(x);
    return moved_a < moved_b;
}

/* The kind that a group takes in the system's way of kind k; CHANGE_KIND_COUNT = it has none. */
static enum change_kind kind_of(const struct change_group *g, enum change_kind k)
{
    enum change_kind best = CHANGE_KIND_COUNT;
    if (k < CHANGE_KIND_COUNT && possible(g, k))
        return k;
    for (int i = 0; i < CHANGE_KIND_COUNT; i++)
        if (possible(g, (enum change_kind)i) &&
            (best == CHANGE_KIND_COUNT || is_better(g, (enum change_kind)i, best)))
            best = (enum change_kind)i;
    return best;
}

static int by_time(const void *x, const void *y)
{
    const struct change_step *a = *(const struct change_step *const *)x,
                             *b = *(const struct change_step *const *)y;
    return a->at_ms != b->at_ms ? (a->at_ms > b->at_ms) - (a->at_ms < b->at_ms) : (a > b) - (a < b);
}

/* In the order of their times; steps of one time stay as they were written. */
static int sort_steps(struct change_calendar *c, struct arena *a, const struct change_step **out,
                      struct err *e)
{
    const struct change_step **order = arena_array(a, c->n + 1, sizeof(struct change_step *));
    struct change_step *sorted = arena_array(a, c->n + 1, sizeof *sorted);
    if (!order || !sorted)
        return err_nomem(e);
    for (size_t i = 0; i < c->n; i++)
        order[i] = &c->steps[i];
    qsort(order, c->n, sizeof(struct change_step *), by_time);
    for (size_t i = 0; i < c->n; i++)
        sorted[i] = *order[i];
    *out = sorted;
    return 0;
}

static int calendar_of(const struct building *b, enum change_kind k, int64_t begin_ms,
                       struct change_calendar *c, struct err *e)
{
    int rc = change_calendar_init(c, &b->host, begin_ms, b->a, e);
    for (size_t g = 0; g < b->n_groups && !rc; g++)
        if (b->groups[g].changes)
            rc = change_steps_add(c, &b->groups[g], kind_of(&b->groups[g], k), e);
    return !rc && b->host.options->instance_to ? change_steps_add_instance(c, e) : rc;
}

/* When the last group has moved, beginning at begin_ms; infinite where one never does. */
static double moved_after_s(const struct building *b, enum change_kind k, int64_t begin_ms)
{
    double sum_s = 0;
    for (size_t g = 0; g < b->n_groups; g++) {
        const struct change_group *of = &b->groups[g];
        if (!of->changes)
            continue;
        const struct change_move *m = &of->options[kind_of(of, k)].move;
        double s = isnan(m->moved_gib)
                       ? 0
                       : change_move_s(b->host.day, m, begin_ms + (int64_t)(sum_s * 1000));
        if (isinf(s))
            return s;
        sum_s += isnan(s) ? 0 : s;
    }
    return sum_s;
}

/* The full hour of the day at which it is over soonest; the first of equals. */
static int64_t best_hour(const struct building *b, enum change_kind k)
{
    const struct change_options *o = b->host.options;
    int64_t best_ms = o->as_of_ms;
    double best_s = INFINITY;
    if (o->start_ms != UNKNOWN)
        return o->start_ms;
    for (int64_t h = 0; h < HOURS; h++) {
        double s = moved_after_s(b, k, o->as_of_ms + h * HOUR_MS);
        if (s < best_s * (1 - 1e-9)) {
            best_s = s;
            best_ms = o->as_of_ms + h * HOUR_MS;
        }
    }
    return best_ms;
}

static void add_known(int64_t *sum, int64_t v)
{
    *sum = *sum == UNKNOWN || v == UNKNOWN ? UNKNOWN : *sum + v;
}

static int64_t microusd(double v)
{
    return isfinite(v) && fabs(v) < 9e18 ? llround(v) : UNKNOWN;
}

static int take_kept(const struct building *b, const struct change_group *g,
                     struct change_part *out, struct err *e)
{
    const char **ids = arena_array(b->a, out->n_kept + 1, sizeof(char *));
    if (!ids)
        return err_nomem(e);
    for (size_t i = 0; i < out->n_kept; i++)
        ids[i] = g->old[i].has_id ? g->old[i].name : NULL;
    out->kept_ids = ids;
    return 0;
}

static int build_way(const struct building *b, enum change_kind k, struct change_way *out,
                     struct err *e)
{
    struct change_way w = { .kind = k, .online = !b->host.options->instance_to };
    struct change_calendar c;
    struct change_use use = { 0 };
    struct change_part *parts = arena_array(b->a, b->n_groups + 1, sizeof *parts);
    if (!parts)
        return err_nomem(e);
    w.begin_ms = best_hour(b, k);
    int rc = calendar_of(b, k, w.begin_ms, &c, e);
    if (!rc)
        rc = sort_steps(&c, b->a, &w.steps, e);
    if (rc)
        return rc;
    for (size_t g = 0; g < b->n_groups; g++) {
        const struct change_group *of = &b->groups[g];
        parts[g] = (struct change_part){ .of = of->of, .total_microusd = of->old_microusd };
        for (size_t i = 0; i < of->n_old; i++)
            change_use_add(&use, &of->old[i].spec, 1);
        if (of->changes) {
            enum change_kind own = kind_of(of, k);
            const struct change_option *x = &of->options[own];
            double moved_gib = isnan(x->move.moved_gib) ? 0 : x->move.moved_gib;
            parts[g] = (struct change_part){ .of = of->of,
                                             .changes = true,
                                             .kind = own,
                                             .to = x->to,
                                             .total_microusd = x->total_microusd,
                                             .moved_gib = moved_gib,
                                             .n_kept = x->n_kept };
            rc = take_kept(b, of, &parts[g], e);
            if (rc)
                return rc;
            change_use_add(&use, &x->to, x->n_added);
            w.moved_gib += moved_gib;
            w.online &= is_online(own);
        }
        add_known(&w.total_microusd, parts[g].total_microusd);
    }
    w.parts = parts;
    w.n_steps = c.n;
    w.hours = c.endless ? INFINITY : c.unknown ? NAN : (double)(c.end_ms - w.begin_ms) / HOUR_MS;
    w.overlap_microusd = microusd(c.overlap_microusd);
    w.both_microusd = microusd(c.both_microusd);
    rc = change_quotas_over(&use, b->host.options->catalogue, b->a, &w.over, &w.n_over, e);
    if (!rc)
        *out = w;
    return rc;
}

static bool same_kinds(const struct building *b, enum change_kind x, enum change_kind y)
{
    for (size_t g = 0; g < b->n_groups; g++)
        if (b->groups[g].changes && kind_of(&b->groups[g], x) != kind_of(&b->groups[g], y))
            return false;
    return true;
}

static bool some_group_can(const struct building *b, enum change_kind k)
{
    for (size_t g = 0; g < b->n_groups; g++)
        if (b->groups[g].changes && (k == CHANGE_BEST || possible(&b->groups[g], k)))
            return true;
    return false;
}

static size_t groups_by(const struct building *b, enum change_kind k)
{
    size_t n = 0;
    for (size_t g = 0; g < b->n_groups; g++)
        n += b->groups[g].changes && kind_of(&b->groups[g], k) == k;
    return n;
}

/* Whether the system's way of kind k is one of its own: of those in which every group does the
 * same the one is told that most groups go. */
static bool is_way(const struct building *b, enum change_kind k)
{
    size_t own = groups_by(b, k);
    for (int i = 0; i <= CHANGE_BEST; i++) {
        enum change_kind other = (enum change_kind)i;
        if (other == k || !some_group_can(b, other) || !same_kinds(b, other, k))
            continue;
        size_t n = groups_by(b, other);
        if (n > own || (n == own && other < k))
            return false;
    }
    return some_group_can(b, k);
}

/* NaN and infinite hours come last. */
static int best_first(const void *x, const void *y)
{
    const struct change_way *a = x, *b = y;
    bool known_a = a->total_microusd != UNKNOWN, known_b = b->total_microusd != UNKNOWN;
    double hours_a = isfinite(a->hours) ? a->hours : INFINITY,
           hours_b = isfinite(b->hours) ? b->hours : INFINITY;
    if (known_a != known_b)
        return known_b - known_a;
    if (a->total_microusd != b->total_microusd)
        return a->total_microusd < b->total_microusd ? -1 : 1;
    if (a->online != b->online)
        return b->online - a->online;
    if (a->moved_gib != b->moved_gib)
        return a->moved_gib < b->moved_gib ? -1 : 1;
    if (hours_a < hours_b || hours_a > hours_b)
        return hours_a < hours_b ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

static int build_ways(struct building *b, struct err *e)
{
    struct change *out = b->out;
    struct change_way *ways = arena_array(b->a, CHANGE_BEST + 1, sizeof *ways);
    if (!ways)
        return err_nomem(e);
    out->ways = ways;
    if (!out->n_changed && b->host.options->instance_to) {
        out->n_ways = 1;
        return build_way(b, CHANGE_INSTANCE, ways, e);
    }
    for (int k = 0; k <= CHANGE_BEST; k++) {
        if (!is_way(b, (enum change_kind)k))
            continue;
        int rc = build_way(b, (enum change_kind)k, &ways[out->n_ways], e);
        if (rc)
            return rc;
        out->n_ways++;
    }
    qsort(ways, out->n_ways, sizeof *ways, best_first);
    return 0;
}

static int take_refusals(struct building *b, struct err *e)
{
    struct change *out = b->out;
    struct change_refusal *all =
        arena_array(b->a, b->n_groups * CHANGE_KIND_COUNT + 1, sizeof *all);
    if (!all)
        return err_nomem(e);
    for (size_t g = 0; g < b->n_groups; g++) {
        const struct change_group *of = &b->groups[g];
        for (int k = 0; k < CHANGE_KIND_COUNT && of->changes; k++)
            if (!possible(of, (enum change_kind)k))
                all[out->n_refused++] =
                    (struct change_refusal){ of->layout->name, (enum change_kind)k,
                                             of->options[k].why_not };
        if (of->changes && kind_of(of, CHANGE_MODIFY) == CHANGE_KIND_COUNT)
            out->stuck = of->layout->name;
    }
    out->refused = all;
    return 0;
}

/* The full hour of the day at which a move is over soonest; *out_s is how long it takes then. */
static int64_t best_hour_of_move(const struct building *b, const struct change_move *m,
                                 double *out_s)
{
    const struct change_options *o = b->host.options;
    int64_t begin_ms = o->start_ms == UNKNOWN ? o->as_of_ms : o->start_ms, best_ms = begin_ms;
    *out_s = change_move_s(b->host.day, m, begin_ms);
    for (int64_t h = 1; h < HOURS && o->start_ms == UNKNOWN; h++) {
        double s = change_move_s(b->host.day, m, begin_ms + h * HOUR_MS);
        if (s < *out_s * (1 - 1e-9)) {
            *out_s = s;
            best_ms = begin_ms + h * HOUR_MS;
        }
    }
    return best_ms;
}

/* Backup reads the files beside the load; restore writes them, mirrors too, while nothing else
 * runs; duplicate does both on two hosts. */
static struct change_rman rman_of(const struct building *b, const struct change_group *g)
{
    enum change_kind k = kind_of(g, CHANGE_RMAN_COPY);
    struct replay_group nowhere = replay_group_unknown();
    struct change_move backup = { g->index, g->used_gib / redundancy_copies(g->layout->redundancy),
                                  g->today, nowhere, true };
    struct change_move restore = { g->index, g->used_gib, nowhere, nowhere, true };
    struct change_rman r = { .group = g->layout->name, .gib = backup.moved_gib };
    if (k < CHANGE_KIND_COUNT)
        restore.destination = g->options[k].move.destination;
    r.backup_begin_ms = best_hour_of_move(b, &backup, &r.backup_s);
    r.backup_alone_s = change_move_alone_s(b->host.day, &backup);
    r.restore_s = k < CHANGE_KIND_COUNT ? change_move_alone_s(b->host.day, &restore) : NAN;
    r.duplicate_s = isnan(r.restore_s) ? NAN : fmax(r.backup_s, r.restore_s);
    return r;
}

static int take_rman(struct building *b, struct err *e)
{
    struct change_rman *all = arena_array(b->a, b->n_groups + 1, sizeof *all);
    if (!all)
        return err_nomem(e);
    for (size_t g = 0; g < b->n_groups; g++)
        if (b->groups[g].changes && b->groups[g].layout->role == ROLE_DATA)
            all[b->out->n_rman++] = rman_of(b, &b->groups[g]);
    b->out->rman = all;
    return 0;
}

static int take_groups(struct building *b, struct err *e)
{
    size_t n_before = 0;
    for (size_t g = 0; g < b->n_groups; g++) {
        int64_t n = change_volumes_of(b->host.demand->groups[g].group);
        b->host.attached += n > 0 ? n : 0;
    }
    for (size_t g = 0; g < b->n_groups; g++) {
        struct change_group *of = &b->groups[g];
        int rc = change_group_init(&b->host, g, n_before, b->a, of, e);
        if (rc)
            return rc;
        n_before += of->n_old;
        b->out->n_changed += of->changes;
        add_known(&b->out->today_microusd, of->old_microusd);
    }
    return 0;
}

int change_build(const struct system_demand *d, const struct change_options *o, struct arena *a,
                 struct change *out, struct err *e)
{
    struct change change = { .demand = d, .options_used = *o };
    struct building b = { .n_groups = d->n_groups, .a = a, .out = &change };
    b.host = (struct change_host){ .demand = d, .options = o };
    b.groups = arena_array(a, b.n_groups + 1, sizeof *b.groups);
    if (!b.groups)
        return err_nomem(e);
    int rc = change_day_build(d, o, a, &b.host.day, e);
    if (rc)
        return rc;
    b.host.attached = plan_root_volumes(d->layout);
    b.host.slots = change_caps(b.host.day)->volumes;
    rc = take_groups(&b, e);
    if (!rc)
        rc = take_refusals(&b, e);
    if (!rc)
        rc = take_rman(&b, e);
    if (!rc && !change.stuck)
        rc = build_ways(&b, e);
    if (!rc)
        *out = change;
    return rc;
}

char *change_way_words(struct arena *a, const struct change *c, const struct change_way *w)
{
    char *words = arena_strdup(a, "");
    if (c->n_changed < 2)
        return arena_strdup(a, change_kind_words(w->kind));
    for (size_t g = 0, n = 0; g < c->demand->n_groups && words; g++)
        if (w->parts[g].changes)
            words = arena_printf(a, "%s%s%s %s", words, n++ ? ", " : "",
                                 w->parts[g].of->group->name, change_kind_name(w->parts[g].kind));
    return words;
}
