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
    struct card_share on[EBS_CARDS_MAX];
    double best;
    int64_t *steps;
    bool cut_short;
};

bool card_holds(double use)
{
    return !(use * (1 - 1e-9) > 1);
}

static double fuller(struct card_share s)
{
    return fmax(s.mb_s, s.iops);
}

static struct card_share with(struct card_share s, struct card_share more)
{
    return (struct card_share){ s.mb_s + more.mb_s, s.iops + more.iops };
}

static int largest_first(const void *va, const void *vb)
{
    const struct card_odd *a = va, *b = vb;
    double left = fuller(a->each), right = fuller(b->each);
    if (left > right || left < right)
        return left > right ? -1 : 1;
    return (a->each.mb_s < b->each.mb_s) - (a->each.mb_s > b->each.mb_s);
}

/* Fills the cards one after another, each volume of a group on another card. */
static double deal_largest_first(const struct deal *d, struct card_share even)
{
    struct card_share on[EBS_CARDS_MAX];
    double most = fuller(even);
    for (int64_t k = 0; k < d->cards; k++)
        on[k] = even;
    for (size_t i = 0; i < d->n; i++) {
        bool has[EBS_CARDS_MAX] = { false };
        for (int64_t v = 0; v < d->odd[i].volumes; v++) {
            int64_t least = -1;
            for (int64_t k = 0; k < d->cards; k++)
                if (!has[k] && (least < 0 || fuller(with(on[k], d->odd[i].each)) <
                                                 fuller(with(on[least], d->odd[i].each))))
                    least = k;
            has[least] = true;
            on[least] = with(on[least], d->odd[i].each);
            most = fmax(most, fuller(on[least]));
        }
    }
    return most;
}

/* Even if all were spread evenly. */
static double least_possible(const struct deal *d, struct card_share even)
{
    for (size_t i = 0; i < d->n; i++) {
        double part = (double)d->odd[i].volumes / (double)d->cards;
        even.mb_s += d->odd[i].each.mb_s * part;
        even.iops += d->odd[i].each.iops * part;
    }
    return fuller(even);
}

static bool loaded_like(const struct deal *d, int64_t from, int64_t card)
{
    const struct card_share *is = &d->on[card];
    for (int64_t k = from; k < card; k++) {
        const struct card_share *as = &d->on[k];
        bool mb_s = as->mb_s >= is->mb_s && as->mb_s <= is->mb_s;
        if (mb_s && as->iops >= is->iops && as->iops <= is->iops)
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
        struct card_share was = d->on[k], now = with(was, d->odd[i].each);
        if (loaded_like(d, from, k) || !(fmax(most, fuller(now)) < d->best))
            continue;
        if (*d->steps <= 0) {
            d->cut_short = true;
            return;
        }
        --*d->steps;
        d->on[k] = now;
        try_all(d, i, left - 1, k + 1, fmax(most, fuller(now)));
        d->on[k] = was;
    }
}

struct card_use card_deal(const struct card_odd *odd, size_t n, struct card_share even,
                          int64_t cards, int64_t *steps)
{
    struct deal d = { .n = n, .cards = cards, .steps = steps, .cut_short = n > TRIED_MAX };
    if (n)
        memcpy(d.odd, odd, n * sizeof *odd);
    qsort(d.odd, n, sizeof *d.odd, largest_first);
    for (int64_t k = 0; k < cards; k++)
        d.on[k] = even;
    d.best = deal_largest_first(&d, even);
    if (card_holds(d.best) || !card_holds(least_possible(&d, even)))
        return (struct card_use){ d.best, true };
    if (n <= TRIED_MAX)
        try_all(&d, 0, n ? d.odd[0].volumes : 0, 0, fuller(even));
    return (struct card_use){ d.best, card_holds(d.best) || !d.cut_short };
}
