/* models/ebs/vol_check.c - which specs are legal, and the nearest legal one.
 *
 * The nearest keeps the asked performance and raises the cheapest other field: throughput pulls
 * IOPS up (mibps_per_iops_max), IOPS pull size up (iops_per_gib_max); nothing else could give way.
 * Only a figure outside the type's own range is moved itself.  facts_parse refuses rules under
 * which no spec is legal. */
#include "models/core/unit.h"
#include "models/ebs/vol_field.h"
#include "models/ebs/vol_rule.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool vol_takes_iops(const struct vol_rule *r)
{
    return r->only_provisioned || r->included_iops != UNKNOWN;
}

bool vol_takes_throughput(const struct vol_rule *r)
{
    return r->included_mibps != UNKNOWN;
}

int64_t vol_most_iops(const struct vol_rule *r, int64_t size_gib)
{
    if (r->iops_per_gib_max == UNKNOWN)
        return r->max_iops;
    double most = (double)r->iops_per_gib_max * (double)size_gib;
    most = fmax(most, r->included_iops == UNKNOWN ? 0 : (double)r->included_iops);
    return (int64_t)fmin(most, (double)r->max_iops);
}

int64_t vol_most_mibps(const struct vol_rule *r, int64_t iops)
{
    /* the summand takes back what the product lost in rounding */
    double most = floor(r->mibps_per_iops_max * (double)iops + 1e-6);
    return (int64_t)fmin(most, (double)r->max_mibps);
}

double vol_io_cap_kib(const struct vol_rule *r)
{
    return r->io_cap_kib == UNKNOWN ? INFINITY : (double)r->io_cap_kib;
}

void vol_fill_defaults(const struct vol_rule *r, struct volume_spec *v)
{
    if (v->iops == UNKNOWN)
        v->iops = r->included_iops;
    if (v->throughput_mibps == UNKNOWN)
        v->throughput_mibps = r->included_mibps;
}

static int64_t clamp(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least : v > most ? most : v;
}

static int64_t iops_for_mibps(const struct vol_rule *r, int64_t mibps)
{
    double need = ceil((double)mibps / r->mibps_per_iops_max - 1e-6);
    return (int64_t)fmin(need, (double)r->max_iops);
}

static struct volume_spec nearest_legal(const struct vol_rule *r, const struct volume_spec *v)
{
    struct volume_spec s = *v;
    s.size_gib = clamp(s.size_gib, r->min_gib, r->max_gib);
    if (!vol_takes_iops(r)) {
        s.iops = s.throughput_mibps = UNKNOWN;
        return s;
    }
    s.iops = clamp(s.iops, r->min_iops, vol_most_iops(r, r->max_gib));
    if (vol_takes_throughput(r)) {
        s.throughput_mibps = clamp(s.throughput_mibps, r->included_mibps, r->max_mibps);
        int64_t need_iops = iops_for_mibps(r, s.throughput_mibps);
        if (need_iops > s.iops)
            s.iops = clamp(need_iops, r->min_iops, vol_most_iops(r, r->max_gib));
        s.throughput_mibps = clamp(s.throughput_mibps, 0, vol_most_mibps(r, s.iops));
    } else {
        s.throughput_mibps = UNKNOWN;
    }
    if (s.iops > vol_most_iops(r, s.size_gib)) /* only a ratio can do that */
        s.size_gib = (s.iops - 1) / r->iops_per_gib_max + 1;
    return s;
}

struct problem_list {
    const struct vol_rule *rule;
    struct vol_problem *out;
    size_t n;
};

static const char *const figure_names[FIGURE_COUNT] = {
#define X(name, field) [name] = #field,
    VOL_FIGURE_TABLE(X)
#undef X
};

static void add(struct problem_list *l, enum vol_figure f, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void add(struct problem_list *l, enum vol_figure f, const char *fmt, ...)
{
    struct vol_problem *p = &l->out[l->n++];
    *p = (struct vol_problem){ .rule = figure_names[f], .since_ms = l->rule->since_ms[f] };
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(p->text, sizeof p->text, fmt, ap);
    va_end(ap);
}

/* v below least, or above most. */
static void check_range(struct problem_list *l, int64_t v, enum unit unit, int64_t least,
                        enum vol_figure least_figure, int64_t most, enum vol_figure most_figure)
{
    char seen[48], bound[48];
    bool low = v < least;
    if (!low && v <= most)
        return;
    add(l, low ? least_figure : most_figure, "%s %s: %s has at %s %s",
        unit_format(seen, (double)v, 0), unit_suffix(unit), volume_type_name(l->rule->type),
        low ? "least" : "most", unit_format(bound, (double)(low ? least : most), 0));
}

static void check_iops(struct problem_list *l, const struct volume_spec *v)
{
    const struct vol_rule *r = l->rule;
    char iops[48], gib[48], ratio[48], by_ratio[48], included[48];
    if (v->iops == UNKNOWN) {
        add(l, FIGURE_ONLY_PROVISIONED, "%s cannot be made without IOPS",
            volume_type_name(r->type));
        return;
    }
    check_range(l, v->iops, UNIT_IOPS, r->min_iops, FIGURE_MIN_IOPS, r->max_iops, FIGURE_MAX_IOPS);
    if (r->iops_per_gib_max == UNKNOWN)
        return;
    double most = (double)r->iops_per_gib_max * (double)v->size_gib;
    bool some_included = r->included_iops != UNKNOWN && (double)r->included_iops > most;
    if ((double)v->iops <= (some_included ? (double)r->included_iops : most))
        return;
    add(l, FIGURE_IOPS_PER_GIB_MAX, "%s IOPS on %s GiB: at most %s IOPS per GiB, so %s%s%s%s",
        unit_format(iops, (double)v->iops, 0), unit_format(gib, (double)v->size_gib, 0),
        unit_format(ratio, (double)r->iops_per_gib_max, 0), unit_format(by_ratio, most, 0),
        some_included ? " (the included " : "",
        some_included ? unit_format(included, (double)r->included_iops, 0) : "",
        some_included ? " are always allowed)" : "");
}

static void check_throughput(struct problem_list *l, const struct volume_spec *v)
{
    const struct vol_rule *r = l->rule;
    char mibps[48], iops[48], most[48];
    check_range(l, v->throughput_mibps, UNIT_MIBPS, r->included_mibps, FIGURE_INCLUDED_MIBPS,
                r->max_mibps, FIGURE_MAX_MIBPS);
    double by_ratio = floor(r->mibps_per_iops_max * (double)v->iops + 1e-6);
    if ((double)v->throughput_mibps > by_ratio)
        add(l, FIGURE_MIBPS_PER_IOPS_MAX,
            "%s MiB/s with %s IOPS: at most %g MiB/s per IOPS, so %s MiB/s",
            unit_format(mibps, (double)v->throughput_mibps, 0),
            unit_format(iops, (double)v->iops, 0), r->mibps_per_iops_max,
            unit_format(most, by_ratio, 0));
}

size_t vol_check(const struct vol_rule *r, const struct volume_spec *v,
                 struct vol_problem out[VOL_PROBLEMS_MAX])
{
    struct volume_spec s = *v;
    struct problem_list l = { .rule = r, .out = out };
    vol_fill_defaults(r, &s);
    check_range(&l, s.size_gib, UNIT_GIB, r->min_gib, FIGURE_MIN_GIB, r->max_gib, FIGURE_MAX_GIB);
    if (vol_takes_iops(r))
        check_iops(&l, &s);
    if (vol_takes_throughput(r))
        check_throughput(&l, &s);
    for (size_t i = 0; i < l.n; i++)
        out[i].nearest = nearest_legal(r, &s);
    return l.n;
}
