/* models/ebs/vol_modify.c - see vol_modify.h. */
#include "models/ebs/vol_modify.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/vol_rule.h"

#include <math.h>

/* 2026-01-15 00:00 UTC */
#define FOUR_A_DAY_MS INT64_C(1768435200000)

const struct vol_modify_rule *vol_modify_rule_at(int64_t time_ms)
{
    static const struct vol_modify_rule rules[] = {
        { UNKNOWN, 21600, 4, "6 h apart" },
        { FOUR_A_DAY_MS, 0, 4, "four in 24 h, each after the one before is complete" },
    };
    return time_ms >= FOUR_A_DAY_MS ? &rules[1] : &rules[0];
}

/* Modifications in the 24 h that end at at_ms. */
static size_t in_day_before(const struct vol_modify_history *h, int64_t at_ms)
{
    size_t n = 0;
    for (size_t i = 0; i < h->n; i++)
        n += h->starts_ms[i] > at_ms - DAY_MS && h->starts_ms[i] <= at_ms;
    return n;
}

/* Under one rule, whatever the day. */
static int64_t next_under(const struct vol_modify_rule *r, const struct vol_modify_history *h,
                          int64_t from_ms)
{
    int64_t t = from_ms, last_ms = h->starts_ms[h->n - 1];
    if (h->complete_ms != UNKNOWN && h->complete_ms > t)
        t = h->complete_ms;
    if (last_ms + r->wait_s * 1000 > t)
        t = last_ms + r->wait_s * 1000;
    while (in_day_before(h, t) >= (size_t)r->in_24_h)
        t = h->starts_ms[h->n - (size_t)r->in_24_h] + DAY_MS;
    return t;
}

int64_t vol_modify_next_ms(const struct vol_modify_history *h, int64_t from_ms)
{
    if (!h->n)
        return from_ms;
    int64_t t = next_under(vol_modify_rule_at(from_ms), h, from_ms);
    if (from_ms >= FOUR_A_DAY_MS || t < FOUR_A_DAY_MS)
        return t;
    /* The wait runs into the day on which it no longer holds. */
    return next_under(vol_modify_rule_at(FOUR_A_DAY_MS), h, FOUR_A_DAY_MS);
}

int64_t vol_modify_slots_left(const struct vol_modify_history *before, int64_t at_ms)
{
    const struct vol_modify_rule *r = vol_modify_rule_at(at_ms);
    int64_t left = r->in_24_h - 1 - (int64_t)in_day_before(before, at_ms);
    return r->wait_s || left < 0 ? 0 : left;
}

double vol_optimizing_s(int64_t size_gib)
{
    return size_gib > 0 ? 6 * 3600.0 * (double)size_gib / 1024 : NAN;
}

bool vol_modify_to_gp3(const struct catalogue *c, const struct volume_spec *gp2, int64_t as_of_ms,
                       struct volume_spec *out)
{
    const struct vol_rule *from = vol_rule_at(c, gp2->type, as_of_ms, NULL, UNKNOWN);
    const struct vol_rule *to = vol_rule_at(c, VOL_GP3, as_of_ms, NULL, UNKNOWN);
    if (!from || !to || gp2->type != VOL_GP2)
        return false;
    struct vol_limits was = vol_limits(from, gp2, false);
    struct volume_spec v = { VOL_GP3, gp2->count, gp2->size_gib, UNKNOWN, UNKNOWN };
    vol_fill_defaults(to, &v);
    v.iops = (int64_t)fmax((double)v.iops, was.baseline_iops);
    v.throughput_mibps = (int64_t)fmax((double)v.throughput_mibps, was.max_throughput_mibps);
    *out = v;
    return true;
}
