/* planner/solve/card_deal.c - see card_deal.h.
 *
 * Largest first, each to the card that is then least full: mostly that does.  Where it does not,
 * every deal is tried, but for cards loaded alike and for those already as full as the best. */
#include "planner/solve/card_deal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* TUNING: with more groups than this trying has no end; the first deal is then all there is. */
enum { TRIED_MAX = 24 };

struct deal {
    struct card_odd odd[CARD_ODD_MAX];
    size_t n;
    int64_t cards;
    struct card_load on[EBS_CARDS_MAX];
    double best;
    int64_t steps;
    bool cut_short;
};

bool card_holds(double use)
{
    return !(use * (1 - 1e-9) > 1);
}

static double fuller(struct card_load l)
{
    return fmax(fmin(l.mb_s, l.peaks_mb_s), fmin(l.iops, l.peaks_iops));
}

static struct card_load with(struct card_load l, struct card_load more)
{
    return (struct card_load){ l.mb_s + more.mb_s, l.iops + more.iops,
                               l.peaks_mb_s + more.peaks_mb_s, l.peaks_iops + more.peaks_iops };
}

static double size_of(const struct card_odd *o)
{
    return fmax(fmax(o->each.mb_s, o->each.iops), fmax(o->each.peaks_mb_s, o->each.peaks_iops));
}

static int largest_first(const void *va, const void *vb)
{
    const struct card_odd *a = va, *b = vb;
    double left = size_of(a), right = size_of(b);
    if (left > right || left < right)
        return left > right ? -1 : 1;
    return (a->each.mb_s < b->each.mb_s) - (a->each.mb_s > b->each.mb_s);
}

/* Fills the cards one after another, each volume of a group on another card. */
static double deal_largest_first(const struct deal *d, struct card_load even)
{
    struct card_load on[EBS_CARDS_MAX];
    double most = fuller(even);
    for (int64_t k = 0; k < d->cards; k++)
        on[k] = even;
    for (size_t i = 0; i < d->n; i++) {
        bool has[EBS_CARDS_MAX] = { false };
        for (int64_t v = 0; v < d->odd[i].volumes; v++) {
            int64_t least = 0;
            while (has[least])
                least++;
            for (int64_t k = least + 1; k < d->cards; k++)
                if (!has[k] &&
                    fuller(with(on[k], d->odd[i].each)) < fuller(with(on[least], d->odd[i].each)))
                    least = k;
            has[least] = true;
            on[least] = with(on[least], d->odd[i].each);
            most = fmax(most, fuller(on[least]));
        }
    }
    return most;
}

static bool same(double a, double b)
{
    return a <= b && a >= b;
}

static bool loaded_like(const struct deal *d, int64_t from, int64_t card)
{
    const struct card_load *is = &d->on[card];
    for (int64_t k = from; k < card; k++) {
        const struct card_load *as = &d->on[k];
        if (same(as->mb_s, is->mb_s) && same(as->iops, is->iops) &&
            same(as->peaks_mb_s, is->peaks_mb_s) && same(as->peaks_iops, is->peaks_iops))
            return true;
    }
    return false;
}

/* The left volumes of odd i to cards from `from` on, then the next; most: of the cards so far. */
static void try_all(struct deal *d, size_t i, int64_t left, int64_t from, double most)
{
    if (i == d->n) {
        d->best = most;
        return;
    }
    if (!left) {
        try_all(d, i + 1, i + 1 < d->n ? d->odd[i + 1].volumes : 0, 0, most);
        return;
    }
    for (int64_t k = from; k <= d->cards - left && !card_holds(d->best); k++) {
        struct card_load was = d->on[k], now = with(was, d->odd[i].each);
        if (loaded_like(d, from, k) || !(fmax(most, fuller(now)) < d->best))
            continue;
        if (d->steps <= 0) {
            d->cut_short = true;
            return;
        }
        d->steps--;
        d->on[k] = now;
        try_all(d, i, left - 1, k + 1, fmax(most, fuller(now)));
        d->on[k] = was;
    }
}

struct card_use card_deal(const struct card_odd *odd, size_t n, struct card_load even,
                          int64_t cards, int64_t *steps)
{
    struct deal d = { .n = n, .cards = cards, .steps = *steps, .cut_short = n > TRIED_MAX };
    if (n)
        memcpy(d.odd, odd, n * sizeof *odd);
    qsort(d.odd, n, sizeof *d.odd, largest_first);
    for (int64_t k = 0; k < cards; k++)
        d.on[k] = even;
    d.best = deal_largest_first(&d, even);
    if (card_holds(d.best) || !card_holds(fuller(even)))
        return (struct card_use){ d.best, true };
    if (n <= TRIED_MAX)
        try_all(&d, 0, n ? d.odd[0].volumes : 0, 0, fuller(even));
    *steps = d.steps;
    return (struct card_use){ d.best, card_holds(d.best) || !d.cut_short };
}
