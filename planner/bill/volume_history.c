/* planner/bill/volume_history.c - see volume_history.h. */
#include "planner/bill/volume_history.h"

#include "models/core/unit.h"

#include <stdlib.h>
#include <string.h>

static int compare_spans(struct span a, struct span b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n ? memcmp(a.ptr, b.ptr, n) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int volume_order(const void *va, const void *vb)
{
    const struct stored_volume *a = *(const struct stored_volume *const *)va;
    const struct stored_volume *b = *(const struct stored_volume *const *)vb;
    int order = compare_spans(a->config.volume_id, b->config.volume_id);
    if (order)
        return order;
    return (a->file_id > b->file_id) - (a->file_id < b->file_id);
}

static int change_order(const void *va, const void *vb)
{
    const struct volume_modification *a = *(const struct volume_modification *const *)va;
    const struct volume_modification *b = *(const struct volume_modification *const *)vb;
    int order = compare_spans(a->volume_id, b->volume_id);
    return order ? order : (a->start_ms > b->start_ms) - (a->start_ms < b->start_ms);
}

int volume_histories_build(const struct system_load *const *loads, size_t n, struct arena *a,
                           struct volume_histories *out, struct err *e)
{
    size_t n_volumes = 0, n_changes = 0;
    for (size_t i = 0; i < n; i++) {
        n_volumes += loads[i]->n_volumes;
        n_changes += loads[i]->n_modifications;
    }
    struct volume_histories h = {
        .volumes = arena_array(a, n_volumes, sizeof(struct stored_volume *)),
        .changes = arena_array(a, n_changes, sizeof(struct volume_modification *))
    };
    if (!h.volumes || !h.changes)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < loads[i]->n_volumes; k++)
            h.volumes[h.n_volumes++] = &loads[i]->volumes[k];
        for (size_t k = 0; k < loads[i]->n_modifications; k++)
            if (loads[i]->modifications[k].change.start_ms != UNKNOWN &&
                !span_is(loads[i]->modifications[k].change.state, "failed"))
                h.changes[h.n_changes++] = &loads[i]->modifications[k].change;
    }
    if (h.n_volumes)
        qsort(h.volumes, h.n_volumes, sizeof(struct stored_volume *), volume_order);
    if (h.n_changes)
        qsort(h.changes, h.n_changes, sizeof(struct volume_modification *), change_order);
    *out = h;
    return 0;
}

/* The first of the sorted elements whose id is not below `id`. */
static size_t first_volume(const struct volume_histories *h, struct span id)
{
    size_t low = 0, high = h->n_volumes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_spans(h->volumes[middle]->config.volume_id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t first_change(const struct volume_histories *h, struct span id)
{
    size_t low = 0, high = h->n_changes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_spans(h->changes[middle]->volume_id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct volume_past volume_past_of(const struct volume_histories *h, const char *volume_id)
{
    struct span id = span_of(volume_id);
    struct volume_past p = { .now = NULL };
    for (size_t i = first_volume(h, id);
         i < h->n_volumes && span_eq(h->volumes[i]->config.volume_id, id); i++)
        p.now = &h->volumes[i]->config;
    size_t at = first_change(h, id);
    p.changes = h->changes + at;
    while (at + p.n_changes < h->n_changes && span_eq(h->changes[at + p.n_changes]->volume_id, id))
        p.n_changes++;
    return p;
}

int64_t usage_level(const struct volume_spec *s, const struct usage_type *u, int64_t tier_to)
{
    if (s->type == VOL_TYPE_COUNT)
        return UNKNOWN;
    if (s->type != u->type)
        return 0;
    int64_t all = u->component == PRICE_STORAGE      ? s->size_gib
                  : u->component == PRICE_IOPS       ? s->iops
                  : u->component == PRICE_THROUGHPUT ? s->throughput_mibps
                                                     : UNKNOWN;
    if (all == UNKNOWN)
        return UNKNOWN;
    if (tier_to != UNKNOWN && all > tier_to)
        all = tier_to;
    return all > u->tier_from ? all - u->tier_from : 0;
}

bool volume_past_sum(const struct volume_past *p, const struct usage_type *u, int64_t tier_to,
                     int64_t from_ms, int64_t to_ms, money *out)
{
    money sum = 0;
    if (!p->now && !p->n_changes)
        return false;
    if (p->now && p->now->created_ms != UNKNOWN && p->now->created_ms > from_ms)
        from_ms = p->now->created_ms;
    for (size_t i = 0; i <= p->n_changes && from_ms < to_ms; i++) {
        bool last = i == p->n_changes;
        int64_t end_ms = last || p->changes[i]->start_ms > to_ms ? to_ms : p->changes[i]->start_ms;
        const struct volume_spec *s = !last          ? &p->changes[i]->from
                                      : p->n_changes ? &p->changes[i - 1]->to
                                                     : &p->now->spec;
        if (end_ms <= from_ms)
            continue;
        int64_t level = usage_level(s, u, tier_to);
        if (level == UNKNOWN)
            return false;
        sum += (money)level * (end_ms - from_ms);
        from_ms = end_ms;
    }
    *out = sum;
    return true;
}
