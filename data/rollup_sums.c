/* data/rollup_sums.c - see rollup_sums.h. */
#include "data/rollup_sums.h"

#include "models/core/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FREE_SLOT = 0 };

/* The interval that some series were measured over; sums follow in an array of their own. */
struct instant {
    int64_t begin_ms, end_ms;
    size_t sums; /* where its sums begin */
};

struct rollup_sums {
    size_t n_sets;
    struct instant *instant;
    double *sum; /* n_sets * ROLLUP_RATES an instant; NaN = no member was measured */
    size_t n, room;
    size_t *slot; /* number of an instant + 1, or FREE_SLOT */
    size_t n_slots;
};

struct rollup_sums *rollup_sums_new(size_t n_sets)
{
    struct rollup_sums *u = mem_zalloc(1, sizeof *u);
    if (u)
        u->n_sets = n_sets;
    return u;
}

void rollup_sums_free(struct rollup_sums *u)
{
    if (!u)
        return;
    mem_free(u->instant);
    mem_free(u->sum);
    mem_free(u->slot);
    mem_free(u);
}

static size_t width_of(const struct rollup_sums *u)
{
    return u->n_sets * ROLLUP_RATES;
}

static size_t slot_of(const struct rollup_sums *u, int64_t begin_ms, int64_t end_ms)
{
    uint64_t hash = ((uint64_t)end_ms * 31 + (uint64_t)begin_ms) * UINT64_C(0x9e3779b97f4a7c15);
    size_t slot = (size_t)(hash >> 20) % u->n_slots;
    while (u->slot[slot] != FREE_SLOT) {
        const struct instant *i = &u->instant[u->slot[slot] - 1];
        if (i->begin_ms == begin_ms && i->end_ms == end_ms)
            break;
        slot = (slot + 1) % u->n_slots;
    }
    return slot;
}

static int grow(struct rollup_sums *u, struct err *e)
{
    size_t room = u->room ? 2 * u->room : 1024;
    struct instant *instant = mem_realloc(u->instant, room * sizeof *instant);
    if (instant)
        u->instant = instant;
    double *sum = mem_realloc(u->sum, room * width_of(u) * sizeof *sum);
    if (sum)
        u->sum = sum;
    size_t *slot = mem_zalloc(2 * room, sizeof *slot);
    if (!instant || !sum || !slot) {
        mem_free(slot);
        return err_nomem(e);
    }
    mem_free(u->slot);
    u->slot = slot;
    u->n_slots = 2 * room;
    u->room = room;
    for (size_t i = 0; i < u->n; i++)
        u->slot[slot_of(u, u->instant[i].begin_ms, u->instant[i].end_ms)] = i + 1;
    return 0;
}

int rollup_sums_add(struct rollup_sums *u, const struct store_sample *s, uint64_t sets,
                    struct err *e)
{
    int rc = u->n < u->room ? 0 : grow(u, e);
    if (rc)
        return rc;
    size_t slot = slot_of(u, s->begin_ms, s->end_ms);
    if (u->slot[slot] == FREE_SLOT) {
        size_t at = u->n++;
        u->instant[at] = (struct instant){ s->begin_ms, s->end_ms, at * width_of(u) };
        for (size_t i = 0; i < width_of(u); i++)
            u->sum[at * width_of(u) + i] = NAN;
        u->slot[slot] = at + 1;
    }
    double rates[ROLLUP_RATES];
    rollup_rates(s, rates);
    double *sums = &u->sum[u->instant[u->slot[slot] - 1].sums];
    for (size_t set = 0; set < u->n_sets; set++)
        for (size_t r = 0; r < ROLLUP_RATES; r++) {
            double *sum = &sums[set * ROLLUP_RATES + r];
            if (sets >> set & 1 && !isnan(rates[r]))
                *sum = isnan(*sum) ? rates[r] : *sum + rates[r];
        }
    return 0;
}

static int by_begin(const void *a, const void *b)
{
    const struct instant *x = a, *y = b;
    if (x->begin_ms != y->begin_ms)
        return x->begin_ms < y->begin_ms ? -1 : 1;
    return (x->end_ms > y->end_ms) - (x->end_ms < y->end_ms);
}

static int mark(const struct rollup_sums *u, size_t column, struct kept_times *kept, struct err *e)
{
    struct peak_marker m;
    peak_marker_init(&m, kept, true);
    int rc = 0;
    for (size_t i = 0; i < u->n && !rc; i++) {
        const struct instant *at = &u->instant[i];
        rc = peak_marker_add(&m, at->begin_ms, at->end_ms, u->sum[at->sums + column], e);
    }
    return rc ? rc : peak_marker_finish(&m, e);
}

int rollup_sums_mark(struct rollup_sums *u, struct kept_times *kept, struct err *e)
{
    int rc = 0;
    if (u->n)
        qsort(u->instant, u->n, sizeof *u->instant, by_begin);
    for (size_t column = 0; column < width_of(u) && !rc; column++)
        rc = mark(u, column, kept, e);
    return rc;
}
