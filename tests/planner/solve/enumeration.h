/* tests/planner/solve/enumeration.h - every legal spec of a rule, walked one by one.
 *
 * What is legal, what it sustains and what it costs, from the rows and the words of the design
 * (fact_rows.h), with no code of planner/ or models/ebs.  Only for packs in small.
 *
 *   legal      GiB, IOPS and MiB/s within least and most; IOPS within the ratio to GiB, though the
 *              included ones always; MiB/s within the ratio to IOPS
 *   sustains   gp3 what it is given; io1, io2 MiB/s along the corners; gp2 the baseline by size, in
 *              requests of io_cap_kib; st1, sc1 MiB/s by TiB, requests of 1 MiB; standard as it is
 *   costs      price of each tier touched, rounded to micro-dollars once per volume */
#ifndef TESTS_PLANNER_SOLVE_ENUMERATION_H
#define TESTS_PLANNER_SOLVE_ENUMERATION_H

#include "models/core/unit.h"
#include "tests/planner/solve/fact_rows.h"

struct legal_spec {
    int64_t gib, iops, mibps; /* UNKNOWN where the type takes none */
    int64_t microusd;
    double can_iops, can_mibps;
};

struct legal_list {
    struct legal_spec *at;
    size_t n, room;
    bool sold; /* has a price in the region */
};

static inline double along_corners(const struct fact_rule *r, double iops)
{
    double x = 0, y = 0;
    for (size_t i = 0; i < r->n_corners; i++) {
        if (iops <= r->corner[i].iops)
            return y + (r->corner[i].mibps - y) * (iops - x) / (r->corner[i].iops - x);
        x = r->corner[i].iops;
        y = r->corner[i].mibps;
    }
    return y;
}

static inline bool takes_iops(const struct fact_rule *r)
{
    return r->only_provisioned || !isnan(r->included_iops);
}

static inline int64_t most_iops(const struct fact_rule *r, int64_t gib)
{
    double most = r->max_iops;
    if (!isnan(r->iops_per_gib_max)) {
        double by_size = r->iops_per_gib_max * (double)gib;
        if (by_size < r->included_iops)
            by_size = r->included_iops;
        most = by_size < most ? by_size : most;
    }
    return (int64_t)most;
}

static inline void what_it_sustains(const struct fact_rule *r, bool xen, struct legal_spec *s)
{
    double gib = (double)s->gib;
    if (takes_iops(r)) {
        s->can_iops = (double)s->iops;
        s->can_mibps = s->mibps == UNKNOWN ? fmin(along_corners(r, (double)s->iops), r->max_mibps)
                                           : (double)s->mibps;
    } else if (!isnan(r->baseline_iops_per_gib)) {
        s->can_iops = fmin(fmax(r->baseline_iops_per_gib * gib, r->min_iops), r->max_iops);
        double cap = r->max_mibps;
        if (gib <= r->small_gib)
            cap = fmin(cap, r->small_mibps);
        s->can_mibps = fmin(cap, s->can_iops * r->io_cap_kib / 1024);
    } else if (!isnan(r->base_mibps_per_tib)) {
        s->can_mibps =
            fmin(fmin(r->base_mibps_per_tib * gib / 1024, r->max_base_mibps), r->max_mibps);
        s->can_iops = fmin(s->can_mibps * 1024 / r->io_cap_kib, r->max_iops);
    } else {
        s->can_iops = r->sustained_iops;
        s->can_mibps = r->sustained_mibps;
    }
    if (xen && !isnan(r->xen_max_iops))
        s->can_iops = fmin(s->can_iops, r->xen_max_iops);
    if (xen && !isnan(r->xen_max_mibps))
        s->can_mibps = fmin(s->can_mibps, r->xen_max_mibps);
}

__extension__ typedef __int128 exact_picousd;

static inline exact_picousd tiers_picousd(const struct fact_rows *f, const char *region,
                                          const char *type, const char *component, int64_t amount)
{
    exact_picousd sum = 0;
    for (size_t i = 0; i < f->n_prices; i++) {
        const struct fact_price *p = &f->price[i];
        if (strcmp(p->region, region) != 0 || strcmp(p->type, type) != 0 ||
            strcmp(p->component, component) != 0 || amount <= p->from)
            continue;
        sum += (exact_picousd)p->picousd * ((amount < p->to ? amount : p->to) - p->from);
    }
    return sum;
}

static inline int64_t what_it_costs(const struct fact_rows *f, const char *region, const char *type,
                                    const struct legal_spec *s)
{
    exact_picousd sum = tiers_picousd(f, region, type, "storage_gib_month", s->gib);
    if (s->iops != UNKNOWN)
        sum += tiers_picousd(f, region, type, "iops_month", s->iops);
    if (s->mibps != UNKNOWN)
        sum += tiers_picousd(f, region, type, "throughput_mibps_month", s->mibps);
    return (int64_t)((sum + 500000) / 1000000);
}

static inline void legal_add(struct legal_list *l, const struct fact_rows *f,
                             const struct fact_rule *r, const char *region, bool xen,
                             struct legal_spec s)
{
    if (l->n == l->room) {
        fprintf(stderr, "%s: more than %zu legal specs\n", r->pack, l->room);
        exit(1);
    }
    what_it_sustains(r, xen, &s);
    s.microusd = what_it_costs(f, region, r->type, &s);
    l->at[l->n++] = s;
}

static inline void legal_walk(const struct fact_rows *f, const struct fact_rule *r,
                              const char *region, bool xen, struct legal_list *l)
{
    l->n = 0;
    l->sold = false;
    for (size_t i = 0; i < f->n_prices; i++)
        l->sold |= !strcmp(f->price[i].region, region) && !strcmp(f->price[i].type, r->type);
    for (int64_t gib = (int64_t)r->min_gib; gib <= (int64_t)r->max_gib; gib++) {
        if (!takes_iops(r)) {
            legal_add(l, f, r, region, xen,
                      (struct legal_spec){ .gib = gib, .iops = UNKNOWN, .mibps = UNKNOWN });
            continue;
        }
        for (int64_t iops = (int64_t)r->min_iops; iops <= most_iops(r, gib); iops++) {
            if (isnan(r->included_mibps)) {
                legal_add(l, f, r, region, xen,
                          (struct legal_spec){ .gib = gib, .iops = iops, .mibps = UNKNOWN });
                continue;
            }
            for (int64_t mibps = (int64_t)r->included_mibps;
                 mibps <= (int64_t)r->max_mibps &&
                 (double)mibps <= r->mibps_per_iops_max * (double)iops + 1e-6;
                 mibps++)
                legal_add(l, f, r, region, xen,
                          (struct legal_spec){ .gib = gib, .iops = iops, .mibps = mibps });
        }
    }
}

/* --- which rule ------------------------------------------------------------------------------- */

static inline bool day_within(const char *day, const char *from, const char *to)
{
    return strcmp(day, from) >= 0 && (!*to || strcmp(day, to) <= 0);
}

/* The rule for a new volume of a type on a day; NULL = not yet launched. */
static inline const struct fact_rule *rule_on(const struct fact_rows *f, const char *type,
                                              const char *day, const char *instance)
{
    const struct fact_rule *by_family = NULL, *by_day = NULL, *oldest = NULL;
    for (size_t i = 0; i < f->n_rules; i++) {
        const struct fact_rule *r = &f->rule[i];
        if (strcmp(r->type, type) != 0 || !strcmp(r->applies_to, "unmodified"))
            continue;
        if (*r->launched && strcmp(day, r->launched) < 0)
            return NULL;
        bool within = day_within(day, r->from, r->to);
        if (!strcmp(r->applies_to, "listed_family"))
            by_family = within && instance && !strncmp(instance, "r5b.", 4) ? r : by_family;
        else if (within)
            by_day = r;
        if (!strcmp(r->applies_to, "all") && (!oldest || strcmp(r->from, oldest->from) < 0))
            oldest = r;
    }
    return by_family ? by_family : by_day ? by_day : oldest;
}

static inline int latency_rank(const char *latency)
{
    return !strcmp(latency, "sub-ms") ? 0 : !strcmp(latency, "single-digit ms") ? 1 : 2;
}

/* NaN and NULL = anything goes. */
static inline bool policy_allows(const struct fact_rule *r, double min_durability_pct,
                                 const char *max_latency)
{
    if (min_durability_pct > 0 && !(r->durability_pct >= min_durability_pct))
        return false;
    return !max_latency || (*r->latency && latency_rank(r->latency) <= latency_rank(max_latency));
}

/* --- a need ----------------------------------------------------------------------------------- */

/* What the volumes of a group must carry together; 0 = nothing asked. */
struct whole_need {
    double iops, mibps;
    int64_t gib, step_gib;
};

static inline double max_of(double a, double b) /* either may be unknown */
{
    return isnan(a) || b > a ? b : a;
}

/* As INTERFACE.md has it: max(iops, MiB/s * 1024 / 256) for SSD types unless the requests were
 * counted, max(iops, MiB/s) for HDD; factor is headroom and mirrored writes. */
static inline struct whole_need whole_need_of(const struct fact_rule *r, double iops,
                                              double counted, double mibps, double factor,
                                              double min_iops, int64_t gib, int64_t step_gib)
{
    bool hdd = r->io_cap_kib > 256;
    double requests = hdd               ? max_of(iops, mibps)
                      : !isnan(counted) ? counted
                                        : max_of(iops, mibps * 1024 / 256);
    requests = max_of(requests * factor, min_iops);
    return (struct whole_need){ isnan(requests) ? 0 : requests, isnan(mibps) ? 0 : mibps * factor,
                                gib, step_gib };
}

static inline bool reaches(double offered, double needed)
{
    return needed <= 0 || isnan(offered) || offered >= needed * (1 - 1e-9);
}

/* The cheapest of all specs that carry the need `count` times over; NULL = none. */
static inline const struct legal_spec *walk_cheapest(const struct legal_list *l, int64_t count,
                                                     const struct whole_need *n)
{
    const struct legal_spec *best = NULL;
    for (size_t i = 0; i < l->n; i++) {
        const struct legal_spec *s = &l->at[i];
        if (best && s->microusd >= best->microusd)
            continue;
        if (s->gib * count >= n->gib && s->gib % n->step_gib == 0 &&
            reaches(s->can_iops * (double)count, n->iops) &&
            reaches(s->can_mibps * (double)count, n->mibps))
            best = s;
    }
    return best;
}

#endif
