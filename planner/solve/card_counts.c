/* planner/solve/card_counts.c - see card_counts.h.
 *
 * A count that the cards divide is of no use where a smaller such count of the same group ranks no
 * higher.  Groups are decided largest load first, cheapest count first; the others cost at least
 * what the knapsack over counts (count_table.h) has for them in the slots that are left, and the
 * cards hold at least what was decided. */
#include "planner/solve/card_counts.h"

#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>

/* A group, with the options that may be of use by rank. */
struct picks {
    size_t menu; /* of the free groups */
    double load; /* of the instance, the larger part */
    const struct size_option **options;
    size_t n;
};

struct hunt {
    const struct card_question *q;
    struct picks *picks; /* least load first */
    size_t n;
    struct count_table table;
    int64_t *least_microusd; /* [groups][slots]: of the first groups, with at most so many */
    int64_t *fewest;         /* [groups]: volumes of the first groups */
    struct volume_spec *specs;
    const struct size_option **now, **best;
    int64_t best_microusd, best_volumes;
    int64_t tries, steps;
    bool proved;
};

void card_kept_specs(const struct system_demand *d, const struct free_groups *f,
                     struct volume_spec *specs)
{
    for (size_t g = 0; g < d->n_groups; g++) {
        const struct layout_group *l = d->groups[g].group;
        specs[g] = (struct volume_spec){ .count = 0 };
        for (size_t i = 0; i < l->n_volumes; i++)
            specs[g].count += l->volumes[i].spec.count;
    }
    for (size_t i = 0; i < f->n; i++)
        specs[f->index[i]].count = 0;
}

static double part_of(double load, double of)
{
    return load > 0 && of > 0 ? load / of : 0;
}

static double load_of(const struct card_question *q, size_t menu)
{
    const struct demand *d = &q->demand->groups[q->groups->index[menu]].demand;
    return fmax(part_of(d->total_mibps, q->demand->demand.total_mibps),
                part_of(d->counted_iops, q->demand->demand.counted_iops));
}

/* Whether a, of no more volumes, makes b needless.  An odd volume may be what evens out another. */
static bool replaces(const struct size_option *a, const struct size_option *b, int64_t cards,
                     bool has_load)
{
    bool alike = a->spec.count % cards == 0 && b->spec.count % cards == 0;
    return a->rank_microusd <= b->rank_microusd && (!has_load || alike);
}

static int by_rank(const void *va, const void *vb)
{
    const struct size_option *a = *(const struct size_option *const *)va,
                             *b = *(const struct size_option *const *)vb;
    if (a->rank_microusd != b->rank_microusd)
        return a->rank_microusd < b->rank_microusd ? -1 : 1;
    return (a->spec.count > b->spec.count) - (a->spec.count < b->spec.count);
}

static int by_load(const void *va, const void *vb)
{
    const struct picks *a = va, *b = vb;
    if (a->load < b->load || a->load > b->load)
        return a->load < b->load ? -1 : 1;
    return (a->menu > b->menu) - (a->menu < b->menu);
}

/* Of one group; out_menu: the same as a menu. */
static int pick(const struct card_question *q, size_t menu, struct arena *a, struct picks *out,
                struct err *e)
{
    const struct count_menu *m = &q->groups->menus[menu];
    struct picks p = { .menu = menu, .load = load_of(q, menu) };
    p.options = arena_array(a, (size_t)m->max_count + 1, sizeof(struct size_option *));
    if (!p.options)
        return err_nomem(e);
    for (int64_t c = 1; c <= m->max_count; c++) {
        const struct size_option *o = &m->by_count[c];
        bool of_use = o->spec.count != 0;
        for (size_t i = 0; i < p.n && of_use; i++)
            of_use = !replaces(p.options[i], o, q->type->ebs_cards, p.load > 0);
        if (of_use)
            p.options[p.n++] = o;
    }
    qsort(p.options, p.n, sizeof(struct size_option *), by_rank);
    *out = p;
    return 0;
}

/* The bounds of those that are not decided yet. */
static int bounds_of(struct hunt *h, struct arena *a, struct err *e)
{
    size_t width = (size_t)h->q->slots + 1;
    struct count_menu *menus = arena_array(a, h->n + 1, sizeof *menus);
    h->least_microusd = arena_array(a, (h->n + 1) * width, sizeof *h->least_microusd);
    h->fewest = arena_array(a, h->n + 1, sizeof *h->fewest);
    if (!menus || !h->least_microusd || !h->fewest)
        return err_nomem(e);
    for (size_t g = 0; g < h->n; g++)
        menus[g] = h->q->groups->menus[h->picks[g].menu];
    int rc = count_table_build(menus, h->n, h->q->slots, a, &h->table, e);
    for (size_t g = 0; g <= h->n && !rc; g++) {
        int64_t least = UNKNOWN;
        h->fewest[g] = h->q->slots + 1;
        for (size_t s = 0; s < width; s++) {
            int64_t rank = h->table.cells[g * width + s].rank_microusd;
            if (rank != UNKNOWN && least == UNKNOWN)
                h->fewest[g] = (int64_t)s;
            if (rank != UNKNOWN && (least == UNKNOWN || rank < least))
                least = rank;
            h->least_microusd[g * width + s] = least;
        }
    }
    return rc;
}

static void take_best(struct hunt *h, int64_t rank_microusd, int64_t volumes)
{
    for (size_t i = 0; i < h->n; i++)
        h->best[i] = h->now[i];
    h->best_microusd = rank_microusd;
    h->best_volumes = volumes;
}

/* Whether what is decided, volumes and the least of the rest, can still come before the best. */
static bool promises(const struct hunt *h, size_t rest, int64_t left, int64_t rank_microusd)
{
    if (left < h->fewest[rest])
        return false;
    int64_t least = h->least_microusd[rest * ((size_t)h->q->slots + 1) + (size_t)left];
    int64_t volumes = h->q->slots - left + h->fewest[rest];
    if (least == UNKNOWN)
        return false;
    if (h->best_microusd == UNKNOWN || rank_microusd + least < h->best_microusd)
        return true;
    return rank_microusd + least == h->best_microusd && volumes < h->best_volumes;
}

/* Decides the last of the first groups, then those before it. */
static void decide(struct hunt *h, size_t groups, int64_t left, int64_t rank_microusd)
{
    if (!groups) {
        take_best(h, rank_microusd, h->q->slots - left);
        return;
    }
    const struct picks *p = &h->picks[groups - 1];
    struct volume_spec *spec = &h->specs[h->q->groups->index[p->menu]];
    for (size_t i = 0; i < p->n; i++) {
        const struct size_option *o = p->options[i];
        int64_t then_left = left - o->spec.count, rank = rank_microusd + o->rank_microusd;
        if (then_left < 0 || !promises(h, groups - 1, then_left, rank))
            continue;
        if (h->tries <= 0) {
            h->proved = false;
            break;
        }
        h->tries--;
        spec->count = o->spec.count;
        struct card_use use =
            host_card_use(h->q->demand, h->specs, h->q->type, h->q->caps, h->q->need, &h->steps);
        h->now[p->menu] = o;
        if (card_holds(use.use))
            decide(h, groups - 1, then_left, rank);
        else
            h->proved = h->proved && use.proved;
    }
    spec->count = 0;
}

int card_counts_find(const struct card_question *q, struct arena *a, struct card_counts *out,
                     struct err *e)
{
    struct hunt h = { .q = q,
                      .n = q->groups->n,
                      .best_microusd = UNKNOWN,
                      .tries = q->tried,
                      .steps = CARD_STEPS,
                      .proved = true };
    h.picks = arena_array(a, h.n + 1, sizeof *h.picks);
    h.specs = arena_array(a, q->demand->n_groups + 1, sizeof *h.specs);
    h.now = arena_array(a, h.n + 1, sizeof(struct size_option *));
    h.best = arena_array(a, h.n + 1, sizeof(struct size_option *));
    if (!h.picks || !h.specs || !h.now || !h.best)
        return err_nomem(e);
    int rc = 0;
    for (size_t i = 0; i < h.n && !rc; i++)
        rc = pick(q, i, a, &h.picks[i], e);
    qsort(h.picks, h.n, sizeof *h.picks, by_load);
    if (!rc)
        rc = bounds_of(&h, a, e);
    if (rc)
        return rc;
    card_kept_specs(q->demand, q->groups, h.specs);
    struct card_use kept = host_card_use(q->demand, h.specs, q->type, q->caps, q->need, &h.steps);
    if (card_holds(kept.use))
        decide(&h, h.n, q->slots, 0);
    else
        h.proved = kept.proved;
    bool found = h.best_microusd != UNKNOWN;
    *out = (struct card_counts){ found ? h.best : NULL, h.best_microusd, h.proved };
    return 0;
}
