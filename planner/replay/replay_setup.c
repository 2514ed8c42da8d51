/* planner/replay/replay_setup.c - see replay_setup.h. */
#include "planner/replay/replay_setup.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/burst.h"
#include "models/ebs/vol_field.h"
#include "models/ebs/vol_rule.h"

#include <math.h>
#include <stdlib.h>

struct replay_group replay_group_unknown(void)
{
    return (struct replay_group){
        .max_throughput_mibps = NAN, .max_iops = NAN, .credits = NAN, .earn_iops = NAN
    };
}

struct replay_instance replay_instance_unknown(void)
{
    return (struct replay_instance){
        .baseline_mibps = NAN, .max_mibps = NAN, .baseline_iops = NAN, .max_iops = NAN
    };
}

/* One volume; credits infinite without a bucket. */
static struct replay_group volume_ceilings(const struct vol_rule *r, const struct volume_spec *spec,
                                           bool xen)
{
    struct volume_spec v = *spec;
    vol_fill_defaults(r, &v);
    struct vol_limits l = vol_limits(r, &v, xen);
    struct burst_bucket b = burst_bucket_of(r, v.size_gib);
    double io_cap_kib = vol_io_cap_kib(r);
    struct replay_group g = { .max_throughput_mibps = l.baseline_throughput_mibps,
                              .max_iops = l.baseline_iops,
                              .credits = INFINITY,
                              .earn_iops = l.baseline_iops,
                              .requests_per_mib = 1024 / io_cap_kib };
    if (isnan(b.capacity))
        return g;
    bool of_bytes = isnan(r->baseline_iops_per_gib);
    g.max_throughput_mibps = l.max_throughput_mibps;
    g.max_iops = l.max_iops;
    g.credits = of_bytes ? b.capacity * g.requests_per_mib : b.capacity;
    g.earns_while_bursting = b.earns_while_bursting;
    return g;
}

static double total_gib(const struct layout_volumes *rows, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)rows[i].spec.size_gib * (double)rows[i].spec.count;
    return sum;
}

bool replay_group_at(const struct catalogue *c, const struct layout_volumes *rows, size_t n,
                     double skew, const char *instance_type, int64_t time_ms,
                     struct replay_group *out)
{
    struct replay_group g = { .max_throughput_mibps = INFINITY,
                              .max_iops = INFINITY,
                              .credits = INFINITY,
                              .earn_iops = INFINITY,
                              .earns_while_bursting = true };
    bool xen = instance_type && instance_is_xen(instance_find(c, span_of(instance_type)));
    double gib = total_gib(rows, n);
    *out = replay_group_unknown();
    for (size_t i = 0; i < n; i++) {
        const struct layout_volumes *row = &rows[i];
        const struct vol_rule *r =
            vol_rule_at(c, row->spec.type, time_ms, instance_type, row->since_ms);
        bool was_there = row->since_ms == UNKNOWN || time_ms >= row->since_ms;
        if (!r || !was_there || row->spec.size_gib <= 0 || row->spec.count <= 0)
            return false;
        struct replay_group v = volume_ceilings(r, &row->spec, xen);
        double volumes = gib / (double)row->spec.size_gib / fmax(skew, 1);
        if (isnan(v.max_throughput_mibps) || isnan(v.max_iops))
            return false;
        g.max_throughput_mibps = fmin(g.max_throughput_mibps, v.max_throughput_mibps * volumes);
        g.max_iops = fmin(g.max_iops, v.max_iops * volumes);
        g.credits = fmin(g.credits, v.credits * volumes);
        g.earn_iops = fmin(g.earn_iops, v.earn_iops * volumes);
        g.requests_per_mib = fmax(g.requests_per_mib, v.requests_per_mib);
        g.earns_while_bursting &= isinf(v.credits) || v.earns_while_bursting;
    }
    if (!n)
        return false;
    if (isinf(g.credits))
        g.credits = NAN;
    *out = g;
    return true;
}

struct replay_volumes replay_volumes_of(const struct layout_group *g)
{
    return (struct replay_volumes){ g->volumes, g->n_volumes, g->skew, UNKNOWN };
}

struct replay_instance replay_instance_of(const struct instance_caps *caps, int64_t ebs_cards,
                                          enum replay_burst burst)
{
    return (struct replay_instance){ .baseline_mibps = caps->baseline_mb_s / MB_PER_MIB,
                                     .max_mibps = caps->max_mb_s / MB_PER_MIB,
                                     .baseline_iops = caps->baseline_iops,
                                     .max_iops = caps->max_iops,
                                     .burst = burst,
                                     .n_cards = ebs_cards > 1 ? (size_t)ebs_cards : 0 };
}

void replay_deal_cards(struct replay_group *groups, const int64_t *counts, size_t n, size_t n_cards)
{
    if (n_cards < 2 || n_cards > REPLAY_CARDS_MAX)
        return;
    size_t next = 1; /* the first card has the volume that the instance boots from */
    for (size_t g = 0; g < n; g++) {
        int64_t count = counts[g] > 0 ? counts[g] : 1;
        for (size_t c = 0; c < n_cards; c++) {
            size_t place = (c + n_cards - next % n_cards) % n_cards;
            int64_t on_card =
                count / (int64_t)n_cards + (count % (int64_t)n_cards > (int64_t)place);
            groups[g].card_share[c] = (double)on_card / (double)count;
        }
        next = (next + (size_t)(count % (int64_t)n_cards)) % n_cards;
    }
}

/* --- days on which something changes ---------------------------------------------------------- */

struct days {
    int64_t *at_ms;
    size_t n;
    int64_t from_ms, to_ms;
};

static void add_day(struct days *d, int64_t t_ms)
{
    if (t_ms != UNKNOWN && t_ms > d->from_ms && t_ms < d->to_ms)
        d->at_ms[d->n++] = t_ms;
}

static int ascending(const void *a, const void *b)
{
    int64_t x, y;
    x = *(const int64_t *)a;
    y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void add_end(struct days *d, int64_t last_day_ms)
{
    if (last_day_ms != UNKNOWN)
        add_day(d, last_day_ms + DAY_MS);
}

static int days_of_change(const struct catalogue *c, const struct replay_volumes *groups, size_t n,
                          struct days *d, struct arena *a, struct err *e)
{
    size_t room = 1 + 3 * c->n_rules + 2 * c->n_bx_families;
    for (size_t g = 0; g < n; g++)
        room += groups[g].n;
    d->at_ms = arena_array(a, room, sizeof *d->at_ms);
    if (!d->at_ms)
        return err_nomem(e);
    d->at_ms[d->n++] = d->from_ms;
    for (size_t i = 0; i < c->n_rules; i++) {
        add_day(d, c->rules[i].launched_ms);
        add_day(d, c->rules[i].valid_from_ms);
        add_end(d, c->rules[i].valid_to_ms);
    }
    for (size_t i = 0; i < c->n_bx_families; i++) {
        add_day(d, c->bx_families[i].valid_from_ms);
        add_end(d, c->bx_families[i].valid_to_ms);
    }
    for (size_t g = 0; g < n; g++)
        for (size_t i = 0; i < groups[g].n && groups[g].rules_ms == UNKNOWN; i++)
            add_day(d, groups[g].rows[i].since_ms);
    qsort(d->at_ms, d->n, sizeof *d->at_ms, ascending);
    size_t kept = 0;
    for (size_t i = 0; i < d->n; i++)
        if (!kept || d->at_ms[i] != d->at_ms[kept - 1])
            d->at_ms[kept++] = d->at_ms[i];
    d->n = kept;
    return 0;
}

int replay_eras(const struct catalogue *c, const struct replay_volumes *groups, size_t n,
                const char *instance_type, const struct replay_instance *instance, int64_t from_ms,
                int64_t to_ms, struct arena *a, const struct replay_era **out, size_t *out_n,
                struct err *e)
{
    struct days d = { .from_ms = from_ms, .to_ms = to_ms };
    int rc = days_of_change(c, groups, n, &d, a, e);
    if (rc)
        return rc;
    struct replay_era *eras = arena_array(a, d.n, sizeof *eras);
    struct replay_group *ceilings = arena_array(a, d.n * n + 1, sizeof *ceilings);
    int64_t *counts = arena_array(a, n + 1, sizeof *counts);
    if (!eras || !ceilings || !counts)
        return err_nomem(e);
    for (size_t g = 0; g < n; g++)
        for (size_t i = 0; i < groups[g].n; i++)
            counts[g] += groups[g].rows[i].spec.count;
    for (size_t k = 0; k < d.n; k++) {
        struct replay_group *at = ceilings + k * n;
        for (size_t g = 0; g < n; g++) {
            const struct replay_volumes *v = &groups[g];
            int64_t rules_ms = v->rules_ms == UNKNOWN ? d.at_ms[k] : v->rules_ms;
            replay_group_at(c, v->rows, v->n, v->skew, instance_type, rules_ms, &at[g]);
        }
        replay_deal_cards(at, counts, n, instance->n_cards);
        eras[k] = (struct replay_era){ (double)(d.at_ms[k] - from_ms) / 1000, at, *instance };
    }
    *out = eras;
    *out_n = d.n;
    return 0;
}
