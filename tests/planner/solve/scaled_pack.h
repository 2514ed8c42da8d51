/* tests/planner/solve/scaled_pack.h - a rule pack in small, so that all its specs can be walked.
 *
 * Every limit, free allowance, tier and corner is divided: GiB by one divisor, IOPS and MiB/s by
 * another (a MiB/s stays 4 requests of 256 KiB); whole numbers rounded down, not below 1.  Unit
 * prices are multiplied by the same, so that what competes in the real pack competes here.  The
 * result is CSV text, and goes through the parser of the real files. */
#ifndef TESTS_PLANNER_SOLVE_SCALED_PACK_H
#define TESTS_PLANNER_SOLVE_SCALED_PACK_H

#include "models/facts/catalogue.h"
#include "tests/planner/solve/fact_rows.h"

/* What is left of the largest size, the most MiB/s, and the IOPS per GiB: fine steps for few
 * volumes, coarse ones for many. */
enum grain { FINE, COARSE, GRAINS };
static const struct scale_target {
    const char *type;
    double gib, mibps[GRAINS], iops_per_gib[GRAINS];
} scale_targets[] = {
    { "gp3", 5, { 8, 4 }, { 70, 35 } },      { "gp2", 1024, { 25, 10 }, { 1, 1 } },
    { "io2", 12, { 16, 8 }, { 90, 45 } },    { "io1", 12, { 16, 8 }, { 90, 45 } },
    { "st1", 1024, { 50, 20 }, { 1, 1 } },   { "sc1", 1024, { 25, 10 }, { 1, 1 } },
    { "standard", 64, { 18, 9 }, { 1, 1 } },
};

struct scale {
    double gib, rate, iops_per_gib; /* divisors; rate is that of IOPS and of MiB/s */
};

static inline struct scale scale_for(const struct fact_rule *r, enum grain g)
{
    for (size_t i = 0; i < sizeof scale_targets / sizeof *scale_targets; i++) {
        const struct scale_target *t = &scale_targets[i];
        if (!strcmp(t->type, r->type))
            return (struct scale){ fmax(1, r->max_gib / t->gib),
                                   fmax(1, r->max_mibps / t->mibps[g]),
                                   fmax(1, r->iops_per_gib_max / t->iops_per_gib[g]) };
    }
    fprintf(stderr, "no scale for %s\n", r->type);
    exit(1);
}

enum scaling { AS_IT_IS, WHOLE_GIB, WHOLE_RATE, WHOLE_PER_GIB, RATE, RATE_PER_GIB };

static inline double whole(double v)
{
    return fmax(1, floor(v + 1e-9));
}

static inline double scaled(double v, enum scaling how, const struct scale *s)
{
    if (isnan(v))
        return v;
    switch (how) {
    case AS_IT_IS:
        return v;
    case WHOLE_GIB:
        return whole(v / s->gib);
    case WHOLE_RATE:
        return whole(v / s->rate);
    case WHOLE_PER_GIB:
        return whole(v / s->iops_per_gib);
    case RATE:
        return v / s->rate;
    case RATE_PER_GIB:
        return v * s->gib / s->rate;
    }
    return v;
}

static inline struct fact_rule rule_scaled(const struct fact_rule *r, const struct scale *s)
{
    struct fact_rule out = *r;
#define X(column, scaling) out.column = scaled(r->column, scaling, s);
    FACT_NUMBERS(X)
#undef X
    for (size_t i = 0; i < r->n_corners; i++)
        out.corner[i] =
            (struct fact_corner){ r->corner[i].iops / s->rate, r->corner[i].mibps / s->rate };
    return out;
}

static inline struct fact_price price_scaled(const struct fact_price *p, const struct scale *s)
{
    struct fact_price out = *p;
    double by = !strcmp(p->component, "storage_gib_month") ? s->gib
                : !strcmp(p->component, "request")         ? 1
                                                           : s->rate;
    out.picousd = llround((double)p->picousd * by);
    out.from = p->from ? (int64_t)whole((double)p->from / by) : 0;
    out.to = p->to == INT64_MAX ? INT64_MAX : (int64_t)whole((double)p->to / by);
    return out;
}

/* --- as text ---------------------------------------------------------------------------------- */

struct csv_text {
    char *bytes;
    size_t len, room;
};

static inline void csv_put(struct csv_text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static inline void csv_put(struct csv_text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(t->bytes + t->len, t->room - t->len, fmt, ap);
    va_end(ap);
    t->len += n > 0 ? (size_t)n : 0;
    if (t->len >= t->room) {
        fprintf(stderr, "scaled facts are longer than %zu bytes\n", t->room);
        exit(1);
    }
}

static inline void csv_put_number(struct csv_text *t, double v)
{
    if (isnan(v))
        csv_put(t, ",");
    else
        csv_put(t, ",%.15g", v);
}

static inline void csv_put_rules(struct csv_text *t, const struct fact_rows *f)
{
    csv_put(t, "volume_type,rule_pack,applies_to,launched,valid_from,valid_to,latency_class,"
               "only_provisioned,as_of,source,mibps_by_iops");
#define X(column, scaling) csv_put(t, ",%s", #column);
    FACT_NUMBERS(X)
#undef X
    for (size_t i = 0; i < f->n_rules; i++) {
        const struct fact_rule *r = &f->rule[i];
        csv_put(t, "\n%s,%s,%s,%s,%s,%s,%s,%s,2026-11-30,scaled,", r->type, r->pack, r->applies_to,
                r->launched, r->from, r->to, r->latency, r->only_provisioned ? "yes" : "no");
        for (size_t c = 0; c < r->n_corners; c++)
            csv_put(t, "%s%.15g:%.15g", c ? " " : "", r->corner[c].iops, r->corner[c].mibps);
#define X(column, scaling) csv_put_number(t, r->column);
        FACT_NUMBERS(X)
#undef X
    }
    csv_put(t, "\n");
}

static inline void csv_put_prices(struct csv_text *t, const struct fact_rows *f)
{
    csv_put(t, "region,volume_type,component,tier_from,tier_to,usd,as_of,source\n");
    for (size_t i = 0; i < f->n_prices; i++) {
        const struct fact_price *p = &f->price[i];
        csv_put(t, "%s,%s,%s,%lld,", p->region, p->type, p->component, (long long)p->from);
        if (p->to != INT64_MAX)
            csv_put(t, "%lld", (long long)p->to);
        csv_put(t, ",%lld.%012lld,2025-10-28,scaled\n", (long long)(p->picousd / 1000000000000),
                (long long)(p->picousd % 1000000000000));
    }
}

/* The rows as a catalogue, with the text of an instances.csv, NULL = the built-in ones.  Ends the
 * program when the parser refuses them. */
static inline struct catalogue catalogue_of_rows(const struct fact_rows *f, const char *instances,
                                                 struct arena *a)
{
    enum { ROOM = 1 << 18 };
    struct csv_text rules = { arena_alloc(a, ROOM), 0, ROOM };
    struct csv_text prices = { arena_alloc(a, ROOM), 0, ROOM };
    struct catalogue c;
    struct err e = { 0 };
    csv_put_rules(&rules, f);
    csv_put_prices(&prices, f);
    struct span files[FACTS_FILE_COUNT] = { [FACTS_VOLUME_RULES] = { rules.bytes, rules.len },
                                            [FACTS_PRICES] = { prices.bytes, prices.len } };
    if (instances)
        files[FACTS_INSTANCES] = span_of(instances);
    if (facts_parse(files, &builtin_catalogue, a, &c, &e)) {
        fprintf(stderr, "scaled facts: %s\n%.*s\n", e.text, (int)rules.len, rules.bytes);
        exit(1);
    }
    return c;
}

/* --- packs ------------------------------------------------------------------------------------ */

static inline void add_scaled_prices(struct fact_rows *out, const struct fact_rows *real,
                                     const char *type, const char *const *regions, size_t n_regions,
                                     const struct scale *s)
{
    for (size_t i = 0; i < real->n_prices; i++)
        for (size_t k = 0; k < n_regions; k++)
            if (!strcmp(real->price[i].type, type) && !strcmp(real->price[i].region, regions[k]))
                out->price[out->n_prices++] = price_scaled(&real->price[i], s);
}

/* One real rule pack in small, alone and valid on every day. */
static inline void pack_alone(struct fact_rows *out, const struct fact_rows *real, size_t rule,
                              enum grain g, const char *const *regions, size_t n_regions)
{
    struct scale s = scale_for(&real->rule[rule], g);
    memset(out, 0, sizeof *out);
    out->rule[0] = rule_scaled(&real->rule[rule], &s);
    out->rule[0].launched[0] = out->rule[0].from[0] = out->rule[0].to[0] = '\0';
    snprintf(out->rule[0].applies_to, sizeof out->rule[0].applies_to, "all");
    out->n_rules = 1;
    add_scaled_prices(out, real, real->rule[rule].type, regions, n_regions, &s);
}

/* All of them with their dates; the eras of a type share the scale of the one that can do most. */
static inline void packs_together(struct fact_rows *out, const struct fact_rows *real,
                                  const char *const *regions, size_t n_regions)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < real->n_rules; i++) {
        size_t first = 0, widest;
        while (strcmp(real->rule[first].type, real->rule[i].type) != 0)
            first++;
        for (size_t k = widest = first; k < real->n_rules; k++)
            if (!strcmp(real->rule[k].type, real->rule[i].type) &&
                real->rule[k].max_iops > real->rule[widest].max_iops)
                widest = k;
        struct scale s = scale_for(&real->rule[widest], COARSE);
        out->rule[out->n_rules++] = rule_scaled(&real->rule[i], &s);
        if (first == i)
            add_scaled_prices(out, real, real->rule[i].type, regions, n_regions, &s);
    }
}

#endif
