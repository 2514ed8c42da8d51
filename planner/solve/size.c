/* planner/solve/size.c - see size.h.
 *
 * Every allowed type and count is tried, each solved exactly (cheapest.c), so the first of
 * the ranked options is proved cheapest. */
#include "planner/solve/size.h"

#include "models/core/unit.h"
#include "models/ebs/vol_price.h"
#include "models/ec2/instance_caps.h"
#include "planner/solve/cheapest.h"
#include "planner/solve/option_words.h"
#include "planner/solve/size_need.h"
#include "planner/solve/size_replay.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *plan_status_name(enum plan_status s)
{
    static const char *const names[] = { "unsolved", "best", "good", "none" };
    return names[s];
}

const char *ceiling_name(enum ceiling c)
{
    static const char *const names[] = {
        [CEILING_NONE] = "none",
        [CEILING_IOPS] = "iops",
        [CEILING_THROUGHPUT] = "throughput",
        [CEILING_SIZE] = "size",
        [CEILING_LATENCY] = "latency_class",
        [CEILING_DURABILITY] = "durability",
        [CEILING_TYPES] = "types",
        [CEILING_LAUNCH] = "launch",
        [CEILING_PRICE] = "price",
        [CEILING_ATTACHMENTS] = "attachments",
        [CEILING_INSTANCE_IOPS] = "instance_iops",
        [CEILING_INSTANCE_THROUGHPUT] = "instance_throughput",
        [CEILING_EBS_CARD] = "ebs_card",
        [CEILING_VCPU] = "vcpu",
        [CEILING_MEMORY] = "memory",
        [CEILING_WAITS] = "redo_waits",
    };
    return names[c];
}

void size_options_init(struct size_options *o, const struct catalogue *c, int64_t as_of_ms)
{
    *o = (struct size_options){
        .catalogue = c,
        .region = "us-east-1",
        .as_of_ms = as_of_ms,
        .types = 1u << VOL_GP3 | 1u << VOL_IO2,
        .min_count = 1,
        .max_count = 16,
        .copies = 1,
        .top = 10,
        .size_step_gib = 1,
        .min_durability_pct = NAN,
        .load = { .max_throttled_s = NAN, .max_delay_ms = NAN },
    };
}

/* A search under way. */
struct search {
    const struct size_options *o;
    struct size_result *r;
    struct err *e;
    bool xen;
    struct size_option *options;
    size_t n_options;
    struct size_rejected *rejected;
    size_t n_rejected;
    struct size_trials trials;
};

/* Lower is better; a class that nobody stated comes last. */
static int latency_rank(const char *latency_class)
{
    int rank = vol_latency_rank(latency_class);
    return rank < 0 ? INT_MAX : rank;
}

static int by_rank(const void *va, const void *vb)
{
    const struct size_option *a = va, *b = vb;
    if (a->rank_microusd != b->rank_microusd)
        return a->rank_microusd < b->rank_microusd ? -1 : 1;
    if (a->spec.count != b->spec.count)
        return a->spec.count < b->spec.count ? -1 : 1;
    int latency_a = latency_rank(a->latency_class), latency_b = latency_rank(b->latency_class);
    if (latency_a != latency_b)
        return latency_a < latency_b ? -1 : 1;
    int by_name = strcmp(volume_type_name(a->spec.type), volume_type_name(b->spec.type));
    if (by_name)
        return by_name;
    return (a->spec.size_gib < b->spec.size_gib) - (a->spec.size_gib > b->spec.size_gib);
}

/* Fewest volumes first, then by name. */
static int by_spec(const void *va, const void *vb)
{
    const struct size_rejected *a = va, *b = vb;
    if (a->spec.count != b->spec.count)
        return a->spec.count < b->spec.count ? -1 : 1;
    return strcmp(volume_type_name(a->spec.type), volume_type_name(b->spec.type));
}

static bool is_hdd(const struct vol_rule *r)
{
    return r->io_cap_kib > 256;
}

static struct group_need need_for(const struct search *s, const struct vol_rule *rule)
{
    double iops = is_hdd(rule) ? s->r->need_iops_hdd : s->r->need_iops;
    double mibps = s->r->need_throughput_mibps;
    return (struct group_need){ isnan(iops) ? 0 : iops, isnan(mibps) ? 0 : mibps, s->r->need_gib,
                                s->o->size_step_gib };
}

/* Price of a legal spec: 0, ERR_NO where the type is not sold in the region. */
static int price_of(struct search *s, const struct volume_spec *v, int64_t *out_microusd)
{
    struct vol_price p;
    int64_t as_of_ms;
    int rc = vol_price(s->o->catalogue, s->o->region, s->o->as_of_ms, v, 0, &p, &as_of_ms, s->e);
    if (rc)
        return rc;
    s->r->price_as_of_ms = as_of_ms;
    *out_microusd = p.total_microusd;
    return 0;
}

static void reject(struct search *s, struct volume_spec spec, enum ceiling ceiling, double needed,
                   double offered, int64_t meets_at_microusd)
{
    s->rejected[s->n_rejected++] =
        (struct size_rejected){ spec, ceiling, needed, offered, meets_at_microusd };
}

/* The figures of a spec that does not carry the need, at one of its ceilings. */
static void reject_for(struct search *s, const struct vol_rule *rule, struct volume_spec spec,
                       enum ceiling ceiling, int64_t meets_at_microusd)
{
    struct group_need n = need_for(s, rule);
    struct group_offer offer = offer_of(rule, &spec, s->xen, &n);
    switch (ceiling) {
    case CEILING_IOPS:
        reject(s, spec, ceiling, n.iops, offer.iops, meets_at_microusd);
        break;
    case CEILING_THROUGHPUT:
        reject(s, spec, ceiling, n.throughput_mibps, offer.throughput_mibps, meets_at_microusd);
        break;
    default:
        reject(s, spec, ceiling, (double)n.gib, (double)(spec.size_gib * spec.count),
               meets_at_microusd);
    }
}

static struct size_option option_of(const struct search *s, const struct vol_rule *rule,
                                    struct volume_spec spec, int64_t total_microusd)
{
    struct group_need n = need_for(s, rule);
    struct group_offer offer = offer_of(rule, &spec, s->xen, &n);
    double asked = 1 + s->o->headroom_pct / 100;
    double demand_iops = is_hdd(rule) ? s->r->counted_iops_hdd : s->r->counted_iops;
    return (struct size_option){
        .spec = spec,
        .rule = rule,
        .group_max_iops = offer.iops,
        .group_max_throughput_mibps = offer.throughput_mibps,
        .binding = offer.binding,
        .total_microusd = total_microusd,
        .rank_microusd = total_microusd + s->o->per_volume_microusd * (spec.count - 1),
        .iops_headroom_pct = ceiling_headroom_pct(demand_iops, offer.iops),
        .throughput_headroom_pct =
            ceiling_headroom_pct(n.throughput_mibps / asked, offer.throughput_mibps),
        .size_headroom_pct =
            ceiling_headroom_pct((double)n.gib, (double)(spec.size_gib * spec.count)),
        .latency_class = rule->latency_class,
        .durability_pct = rule->durability_pct,
        .by_replay = !offer.carries,
    };
}

/* What the measured request rate alone would order, when that does not carry the need. */
static void reject_naive(struct search *s, const struct vol_rule *rule,
                         const struct size_option *option)
{
    if (size_trials_judge(s->o, rule))
        return; /* it may well do in replay */
    struct group_need n = need_for(s, rule), by_requests = n;
    by_requests.iops = isnan(s->r->need.iops) ? 0 : s->r->need.iops * s->r->load_factor;
    by_requests.throughput_mibps = 0;
    struct volume_spec spec;
    if (cheapest_spec(rule, option->spec.count, &by_requests, s->xen, &spec))
        return;
    struct group_offer offer = offer_of(rule, &spec, s->xen, &n);
    if (!offer.carries)
        reject_for(s, rule, spec, offer.binding, option->total_microusd);
}

/* Tries one type and count; *found tells whether an option was added. */
static int try_count(struct search *s, const struct vol_rule *rule, int64_t count, bool *found)
{
    *found = false;
    struct group_need n = need_for(s, rule);
    struct volume_spec spec;
    enum ceiling missed = CEILING_NONE;
    int rc = 0;
    if (size_trials_judge(s->o, rule))
        rc = cheapest_by_replay(&s->trials, rule, count, &n, (double)s->o->min_iops, s->xen, &spec,
                                &missed, s->e);
    else
        missed = cheapest_spec(rule, count, &n, s->xen, &spec);
    if (rc && rc != ERR_NO)
        return rc;
    if (!rc && missed) {
        reject_for(s, rule, spec, missed, UNKNOWN);
        return 0;
    }
    int64_t total;
    if (!rc)
        rc = price_of(s, &spec, &total);
    if (rc == ERR_NO)
        reject(s, spec, CEILING_PRICE, NAN, NAN, UNKNOWN);
    if (rc)
        return rc == ERR_NO ? 0 : rc;
    s->options[s->n_options++] = option_of(s, rule, spec, total);
    *found = true;
    return 0;
}

/* NULL after having said why a type is out of the question. */
static const struct vol_rule *allowed_rule(struct search *s, enum volume_type type)
{
    const struct size_options *o = s->o;
    struct volume_spec spec = { type, o->min_count, s->r->need_gib, UNKNOWN, UNKNOWN };
    const struct vol_rule *rule =
        vol_rule_at(o->catalogue, type, o->as_of_ms, o->instance_type, UNKNOWN);
    if (!rule) {
        reject(s, spec, CEILING_LAUNCH, NAN, NAN, UNKNOWN);
        return NULL;
    }
    spec.size_gib = (s->r->need_gib + o->min_count - 1) / o->min_count;
    if (o->min_durability_pct > 0 && !(rule->durability_pct >= o->min_durability_pct)) {
        reject(s, spec, CEILING_DURABILITY, o->min_durability_pct, rule->durability_pct, UNKNOWN);
        return NULL;
    }
    if (o->max_latency_class &&
        latency_rank(rule->latency_class) > latency_rank(o->max_latency_class)) {
        reject(s, spec, CEILING_LATENCY, NAN, NAN, UNKNOWN);
        return NULL;
    }
    return rule;
}

static int search_begin(struct search *s, const struct size_need *need,
                        const struct size_options *o, struct arena *a, struct size_result *r,
                        struct err *e)
{
    *s = (struct search){ .o = o, .r = r, .e = e };
    size_trials_init(&s->trials, o);
    int rc = size_need_check(need, o, e);
    if (rc)
        return rc;
    if (!region_known(o->catalogue, o->region)) {
        err_set(e, ERR_USAGE, "unknown region '%.60s'", o->region);
        return ERR_USAGE;
    }
    *r = (struct size_result){ .options_used = *o, .price_as_of_ms = UNKNOWN };
    size_need_derive(need, o, r);
    if (o->instance_type) {
        const struct instance_type *t = instance_find(o->catalogue, span_of(o->instance_type));
        if (!t) {
            err_set(e, ERR_USAGE, "unknown instance type '%.60s'", o->instance_type);
            return ERR_USAGE;
        }
        s->xen = instance_is_xen(t);
    }
    size_t n_types = (size_t)__builtin_popcount(o->types);
    size_t n = VOL_TYPE_COUNT + n_types * (size_t)(o->max_count - o->min_count + 1);
    s->options = arena_array(a, n, sizeof *s->options);
    s->rejected = arena_array(a, n, sizeof *s->rejected);
    if (!s->options || !s->rejected) {
        err_nomem(e);
        return ERR_NOMEM;
    }
    return 0;
}

static int try_all(struct search *s)
{
    for (int t = 0; t < VOL_TYPE_COUNT; t++) {
        const struct vol_rule *rule =
            s->o->types & 1u << t ? allowed_rule(s, (enum volume_type)t) : NULL;
        for (int64_t count = s->o->min_count; rule && count <= s->o->max_count; count++) {
            bool found;
            int rc = try_count(s, rule, count, &found);
            if (rc)
                return rc;
        }
    }
    return 0;
}

/* All options in the order of types and counts. */
static int search_all(struct search *s)
{
    int rc = try_all(s);
    size_trials_release(&s->trials);
    return rc;
}

/* One row for each option that is not shown, or that the request rate alone misses. */
static void reject_losers(struct search *s, size_t n_shown)
{
    for (size_t i = 0; i < s->n_options; i++) {
        const struct size_option *option = &s->options[i];
        size_t before = s->n_rejected;
        reject_naive(s, option->rule, option);
        if (i >= n_shown && s->n_rejected == before)
            reject(s, option->spec, CEILING_PRICE, (double)s->options[0].rank_microusd / 1e6,
                   (double)option->rank_microusd / 1e6, option->total_microusd);
    }
    qsort(s->rejected, s->n_rejected, sizeof *s->rejected, by_spec);
}

int size_solve(const struct size_need *need, const struct size_options *o, struct arena *a,
               struct size_result *out, struct err *e)
{
    struct search s;
    struct size_result r;
    int rc = search_begin(&s, need, o, a, &r, e);
    if (!rc)
        rc = search_all(&s);
    if (rc)
        return rc;
    qsort(s.options, s.n_options, sizeof *s.options, by_rank);
    r.n_options_total = s.n_options;
    r.n_options = s.n_options < o->top ? s.n_options : o->top;
    reject_losers(&s, r.n_options);
    for (size_t i = 0; i < r.n_options; i++) {
        rc = option_explain(&s.options[i], s.xen, o->copies, a, e);
        if (rc)
            return rc;
    }
    rc = r.n_options ? option_compare_with_one(s.options, s.options, s.n_options, a, e) : 0;
    if (rc)
        return rc;
    r.status = r.n_options_total ? PLAN_BEST : PLAN_NONE;
    r.options = s.options;
    r.rejected = s.rejected;
    r.n_rejected = s.n_rejected;
    *out = r;
    return 0;
}

int size_by_count(const struct size_need *need, const struct size_options *o, struct arena *a,
                  const struct size_option **out, struct err *e)
{
    struct search s;
    struct size_result r;
    int rc = search_begin(&s, need, o, a, &r, e);
    if (!rc)
        rc = search_all(&s);
    if (rc)
        return rc;
    struct size_option *best = arena_array(a, (size_t)o->max_count + 1, sizeof *best);
    if (!best)
        return err_nomem(e);
    qsort(s.options, s.n_options, sizeof *s.options, by_rank);
    for (size_t i = s.n_options; i-- > 0;) {
        struct size_option *option = &s.options[i];
        best[option->spec.count] = *option;
    }
    for (int64_t i = o->min_count; i <= o->max_count; i++) {
        rc = best[i].spec.count ? option_explain(&best[i], s.xen, o->copies, a, e) : 0;
        if (rc)
            return rc;
    }
    *out = best;
    return 0;
}
