/* planner/solve/plan_others.c - see plan_others.h. */
#include "planner/solve/plan_others.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/vol_price.h"
#include "models/ebs/vol_rule.h"
#include "models/vocab/record.h"
#include "models/vocab/volume_config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *other_verdict_name(enum other_verdict v)
{
    static const char *const names[] = { "undecided", "carries", "falls_short" };
    return names[v];
}

static bool is_of_volume(const struct stored_record *r)
{
    const char *kind = stored_record_text(r, "resource_kind");
    const char *id = stored_record_text(r, "resource_id");
    if (strcmp(r->kind, "recommendations") != 0 || !id)
        return false;
    return kind ? !strcmp(kind, "volume") : span_starts(span_of(id), "vol-");
}

static int64_t whole(const struct stored_record *r, const char *key)
{
    double v = stored_record_num(r, key);
    return v >= 0 && v < 1e15 ? (int64_t)llround(v) : UNKNOWN;
}

static enum volume_type type_of(const struct stored_record *r, const char *key)
{
    enum volume_type t;
    const char *name = stored_record_text(r, key);
    return name && !volume_type_parse(span_of(name), &t) ? t : VOL_TYPE_COUNT;
}

/* --- which group ------------------------------------------------------------------------------
 */

static bool looks_like(const struct layout_group *g, const struct stored_record *r)
{
    return !g->n_volume_ids && g->n_volumes == 1 &&
           g->volumes[0].spec.type == type_of(r, "current_type") &&
           g->volumes[0].spec.size_gib == whole(r, "current_size_gib");
}

/* The group's place; n_groups when it is of none. */
static size_t group_of(const struct plan *p, const struct stored_record *r)
{
    const char *id = stored_record_text(r, "resource_id");
    size_t alike = p->n_groups, n_alike = 0;
    for (size_t i = 0; i < p->n_groups; i++) {
        if (layout_names_volume(p->groups[i].group, span_of(id)))
            return i;
        if (looks_like(p->groups[i].group, r)) {
            alike = i;
            n_alike++;
        }
    }
    return n_alike == 1 ? alike : p->n_groups;
}

/* --- what they say ----------------------------------------------------------------------------
 */

/* A list of the hub has sentences only: "gp3 ...". */
static enum volume_type type_in_words(const char *summary)
{
    enum volume_type found = VOL_TYPE_COUNT;
    for (int t = 0; t < VOL_TYPE_COUNT; t++)
        if (summary && span_find(span_of(summary), volume_type_name((enum volume_type)t)) >= 0)
            found = (enum volume_type)t;
    return found;
}

static int64_t described_gib(const struct system_load *l, const char *volume_id)
{
    int64_t gib = UNKNOWN;
    for (size_t i = 0; i < l->n_volumes; i++)
        if (span_is(l->volumes[i].config.volume_id, volume_id))
            gib = l->volumes[i].config.spec.size_gib;
    return gib;
}

static struct plan_other read_other(const struct system_load *l, const struct stored_record *r)
{
    struct plan_other o = {
        .source = stored_record_text(r, "source"),
        .volume_id = stored_record_text(r, "resource_id"),
        .finding = stored_record_text(r, "finding"),
        .spec = { .type = type_of(r, "recommended_type"),
                  .count = 1,
                  .size_gib = whole(r, "recommended_size_gib"),
                  .iops = whole(r, "recommended_iops"),
                  .throughput_mibps = whole(r, "recommended_throughput_mibps") },
        .total_microusd = UNKNOWN,
        .saving_usd = stored_record_num(r, "savings_usd"),
    };
    double usd = stored_record_num(r, "recommended_monthly_usd");
    if (usd >= 0 && usd < 1e9)
        o.total_microusd = (int64_t)llround(usd * 1e6);
    if (o.spec.type == VOL_TYPE_COUNT)
        o.spec.type = type_in_words(stored_record_text(r, "recommended_summary"));
    if (o.spec.size_gib == UNKNOWN)
        o.spec.size_gib = whole(r, "current_size_gib");
    if (o.spec.size_gib == UNKNOWN)
        o.spec.size_gib = described_gib(l, o.volume_id);
    /* The adviser tells the baseline of gp2, st1 and sc1, which nobody provisions. */
    bool takes_iops = o.spec.type == VOL_GP3 || o.spec.type == VOL_IO1 || o.spec.type == VOL_IO2;
    if (!takes_iops)
        o.spec.iops = UNKNOWN;
    if (o.spec.type != VOL_GP3)
        o.spec.throughput_mibps = UNKNOWN;
    o.has_spec = o.spec.type != VOL_TYPE_COUNT && o.spec.size_gib != UNKNOWN;
    return o;
}

static int price_other(const struct plan *p, struct plan_other *o, struct err *e)
{
    struct vol_price price;
    int64_t as_of_ms;
    if (!o->has_spec || o->total_microusd != UNKNOWN)
        return 0;
    int rc = vol_price(p->options_used.catalogue, p->region, p->as_of_ms, &o->spec, 0, &price,
                       &as_of_ms, e);
    if (!rc)
        o->total_microusd = price.total_microusd;
    return rc == ERR_NOMEM ? rc : 0;
}

/* --- the measurement that decides -------------------------------------------------------------
 */

/* "; it saw 250 requests/s at most in 14 days" */
static void seen_words(char buf[120], const struct stored_record *r)
{
    double reads = stored_record_num(r, "read_iops_max"),
           days = stored_record_num(r, "lookback_days");
    double writes = stored_record_num(r, "write_iops_max");
    char iops[48], over[48] = "", n[48];
    buf[0] = '\0';
    if (isnan(reads) && isnan(writes))
        return;
    if (!isnan(days))
        snprintf(over, sizeof over, " in %.20s days", unit_format(n, days, 0));
    snprintf(buf, 120, "; it saw %.20s requests/s at most%s",
             unit_format(iops, (isnan(reads) ? 0 : reads) + (isnan(writes) ? 0 : writes), 0), over);
}

static const char *decide_measured(const struct plan *p, const struct plan_group *g,
                                   const struct stored_record *r, struct plan_other *o,
                                   struct arena *a)
{
    const struct vol_rule *rule = vol_rule_at(p->options_used.catalogue, o->spec.type, p->as_of_ms,
                                              p->options_used.instance_type, UNKNOWN);
    char seen[120], peak[48], needs[48], carries[48], at[32], ours[48];
    const struct demand *d = &g->demand->demand;
    seen_words(seen, r);
    if (!rule) {
        o->verdict = OTHER_FALLS_SHORT;
        return arena_printf(a, "%s did not exist on that day", volume_type_name(o->spec.type));
    }
    vol_fill_defaults(rule, &o->spec);
    struct vol_limits l = vol_limits(rule, &o->spec, false);
    double n = g->today.known && g->today.spec.count > 0 ? (double)g->today.spec.count : 1;
    double need_iops = rule->io_cap_kib > 256 ? g->size.need_iops_hdd : g->size.need_iops;
    bool by_mibps = g->size.need_throughput_mibps > n * l.baseline_throughput_mibps * (1 + 1e-9);
    bool by_iops = need_iops > n * l.baseline_iops * (1 + 1e-9);
    unit_format(peak, by_iops && !by_mibps ? d->counted_iops : d->total_mibps, 0);
    time_format_iso(at, d->time_of_max_ms);
    o->verdict = by_mibps || by_iops ? OTHER_FALLS_SHORT : OTHER_CARRIES;
    if (o->verdict == OTHER_CARRIES)
        return arena_printf(
            a,
            "carries the peak of %s%s MiB/s (%s at %s) with headroom, as ours does for %s USD: "
            "the price decides%s",
            g->lower_bound ? ">= " : "", peak, grade_name(d->grade), at,
            unit_format_usd(ours, g->chosen.spec.count ? g->chosen.total_microusd : UNKNOWN), seen);
    return arena_printf(
        a,
        "falls short: the peak of %s%s %s (%s at %s) needs %s with headroom, theirs carries %s%s",
        g->lower_bound ? ">= " : "", peak, by_mibps ? "MiB/s" : "counted IOPS",
        grade_name(d->grade), at,
        unit_format(needs, by_mibps ? g->size.need_throughput_mibps : need_iops, 0),
        unit_format(carries, by_mibps ? n * l.baseline_throughput_mibps : n * l.baseline_iops, 0),
        seen);
}

static int decide(const struct plan *p, const struct plan_group *g, const struct stored_record *r,
                  struct plan_other *o, struct arena *a, struct err *e)
{
    char seen[120], peak[48];
    seen_words(seen, r);
    if (!g)
        o->decides = arena_printf(a, "no group of the layout names this volume%s", seen);
    else if (g->demand->demand.grade == GRADE_NONE)
        o->decides = arena_printf(a, "nothing was measured on %.80s%s", g->group->name, seen);
    else if (!o->has_spec)
        o->decides =
            arena_printf(a, "names no volume to take instead; the peak measured is %s%s MiB/s%s",
                         g->lower_bound ? ">= " : "",
                         unit_format(peak, g->demand->demand.total_mibps, 0), seen);
    else
        o->decides = decide_measured(p, g, r, o, a);
    return o->decides ? 0 : err_nomem(e);
}

/* --- all of them ------------------------------------------------------------------------------
 */

static int others_of(const struct plan *p, size_t group, struct arena *a,
                     const struct plan_other **out, size_t *out_n, struct err *e)
{
    const struct system_load *l = p->demand->load;
    struct plan_other *others = NULL;
    size_t n = 0, room = 0;
    for (size_t i = 0; i < l->n_records; i++) {
        const struct stored_record *r = &l->records[i];
        if (!is_of_volume(r) || group_of(p, r) != group)
            continue;
        if (n == room) {
            room = room ? 2 * room : 4;
            others = arena_grow(a, others, n, room, sizeof *others);
            if (!others)
                return err_nomem(e);
        }
        struct plan_other o = read_other(l, r);
        int rc = price_other(p, &o, e);
        if (!rc)
            rc = decide(p, group < p->n_groups ? &p->groups[group] : NULL, r, &o, a, e);
        if (rc)
            return rc;
        others[n++] = o;
    }
    *out = others;
    *out_n = n;
    return 0;
}

int plan_others_add(struct plan *p, struct arena *a, struct err *e)
{
    struct plan_group *groups = arena_grow(a, p->groups, p->n_groups, p->n_groups, sizeof *groups);
    if (p->n_groups && !groups)
        return err_nomem(e);
    for (size_t i = 0; i < p->n_groups; i++) {
        int rc = others_of(p, i, a, &groups[i].others, &groups[i].n_others, e);
        if (rc)
            return rc;
    }
    p->groups = groups;
    return others_of(p, p->n_groups, a, &p->others, &p->n_others, e);
}
