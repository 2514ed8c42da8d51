/* planner/solve/plan_group.c - see plan_group.h. */
#include "planner/solve/plan_group.h"

#include "models/core/unit.h"
#include "models/ebs/vol_rule.h"
#include "planner/solve/cheapest.h"
#include "planner/solve/plan_replay.h"

#include <math.h>

enum { DEFAULT_TYPES = 1 << VOL_GP3 | 1 << VOL_IO2, DEFAULT_MAX_COUNT = 16 };

static double group_skew(const struct layout_group *g)
{
    return g->skew > 1 ? g->skew : 1;
}

double plan_group_skew(const struct group_demand *d)
{
    double uneven = fmax(d->hot.uneven_mibps, d->hot.uneven_counted);
    return fmax(group_skew(d->group), uneven);
}

/* What is needed on the devices: mirrors included. */
static int needed_gib(const struct layout_group *g, int64_t *out, struct err *e)
{
    if (g->need_gib > 0) {
        *out = g->need_gib * redundancy_copies(g->redundancy);
        return 0;
    }
    int64_t sum = layout_volumes_gib(g);
    if (sum < 1)
        return err_set(e, ERR_USAGE,
                       "its size is not known; give \"need_gib\" or \"volumes\" in the layout "
                       "(asmcmd lsdg or lsblk shows it), then volplan layout --set FILE");
    *out = sum;
    return 0;
}

int plan_group_need(const struct group_demand *d, struct size_need *out, struct err *e)
{
    /* The busiest volume carries skew times the mean, as the layout says or as it was measured:
     * as if the load were that much larger. */
    double skew = group_skew(d->group), counted = fmax(skew, d->hot.uneven_counted);
    struct size_need n = { .iops = d->total_iops * fmax(skew, d->hot.uneven_iops),
                           .throughput_mibps =
                               d->demand.total_mibps * fmax(skew, d->hot.uneven_mibps),
                           .io_kib = NAN,
                           .counted_iops = d->demand.counted_iops * counted,
                           .counted_iops_high = d->demand.counted_iops_high * counted,
                           .write_pct = NAN };
    int rc = needed_gib(d->group, &n.size_gib, e);
    if (!rc)
        *out = n;
    return rc;
}

/* Where only averages exist nothing is known over time. */
static struct size_load load_of(const struct group_demand *d, const struct plan_options *o)
{
    bool tolerant = !isnan(o->max_throttled_s) || !isnan(o->max_delay_ms);
    struct size_load l = { .factor = plan_group_skew(d) * (1 + o->headroom_pct / 100),
                           .cap_mibps = INFINITY,
                           .cap_iops = INFINITY,
                           .max_throttled_s = tolerant ? o->max_throttled_s : 0,
                           .max_delay_ms = o->max_delay_ms,
                           .tolerant = tolerant };
    if (plan_demand_over_time(&d->demand))
        l.points = &d->points;
    if (!isnan(o->percentile)) {
        l.cap_mibps = d->demand.total_mibps;
        l.cap_iops = d->demand.counted_iops;
    }
    return l;
}

void plan_group_options(const struct group_demand *d, const struct plan_options *o,
                        struct size_options *out)
{
    const struct group_policy *p = &d->group->policy;
    size_options_init(out, o->catalogue, o->as_of_ms);
    out->region = o->region;
    out->instance_type = o->instance_type;
    out->types = o->types ? o->types : p->types ? p->types : DEFAULT_TYPES;
    out->min_count = p->min_count > 1 ? p->min_count : 1;
    out->max_count = p->max_count != UNKNOWN ? p->max_count : DEFAULT_MAX_COUNT;
    if (p->max_count == UNKNOWN && out->max_count < out->min_count)
        out->max_count = out->min_count;
    out->headroom_pct = o->headroom_pct;
    out->per_volume_microusd = o->per_volume_microusd;
    out->top = o->top;
    out->min_iops = p->min_iops > 0 ? p->min_iops : 0;
    out->size_step_gib = p->size_step_gib > 1 ? p->size_step_gib : 1;
    out->min_durability_pct = p->min_durability_pct;
    out->max_latency_class = p->max_latency_class;
    out->load = load_of(d, o);
}

bool plan_group_is_kept(const struct group_demand *d)
{
    bool measured = d->demand.grade != GRADE_NONE;
    return d->group->n_volumes && (d->group->policy.keep || !measured);
}

int plan_group_menu(const struct group_demand *d, const struct plan_options *o, int64_t most,
                    struct arena *a, struct count_menu *out, struct err *e)
{
    struct size_need need;
    struct size_options options;
    plan_group_options(d, o, &options);
    if (options.max_count > most)
        options.max_count = most > options.min_count ? most : options.min_count;
    int rc = plan_group_need(d, &need, e);
    if (!rc)
        rc = size_by_count(&need, &options, a, &out->by_count, e);
    out->max_count = options.max_count;
    return rc ? err_prefix(e, "group %.80s", d->group->name), rc : 0;
}

/* The cheapest with one type, or one count, forced; spec.count 0 = none. */
static int cheapest_with(const struct size_need *n, const struct size_options *o, unsigned types,
                         int64_t count, struct arena *a, struct size_option *out, struct err *e)
{
    struct size_options forced = *o;
    struct size_result r;
    forced.types = types;
    forced.top = 1;
    if (count)
        forced.min_count = forced.max_count = count;
    int rc = size_solve(n, &forced, a, &r, e);
    if (rc)
        return rc;
    *out = r.n_options ? r.options[0] : (struct size_option){ .spec.count = 0 };
    return 0;
}

static int reject_today(const struct plan_group *g, const struct size_need *n,
                        const struct size_options *o, struct arena *a, struct size_rejected *out,
                        struct err *e)
{
    const struct plan_today *t = &g->today;
    struct size_option same = { .spec.count = 0 };
    bool iops = t->binding == CEILING_IOPS, existed = t->binding != CEILING_LAUNCH;
    int rc = cheapest_with(n, o, 1u << t->spec.type, t->spec.count, a, &same, e);
    if (rc)
        return rc;
    *out = (struct size_rejected){
        t->spec,
        t->binding,
        !existed ? NAN
        : iops   ? g->size.need_iops
                 : g->size.need_throughput_mibps,
        iops ? t->group_max_iops : t->group_max_throughput_mibps,
        same.spec.count ? same.total_microusd : UNKNOWN,
    };
    return 0;
}

/* Puts today's volumes, when they fall short, and the default types that are not allowed before the
 * other losers. */
static int reject_first(struct plan_group *g, const struct size_need *n,
                        const struct size_options *o, struct arena *a, struct err *e)
{
    struct size_rejected *all =
        arena_array(a, g->size.n_rejected + 1 + VOL_TYPE_COUNT, sizeof *all);
    size_t count = 0;
    if (!all)
        return err_nomem(e);
    bool countable = g->today.known && !g->today.mixed && g->today.spec.count >= 1 &&
                     g->today.spec.count <= 1000;
    if (countable && !g->today.carries) {
        int rc = reject_today(g, n, o, a, &all[count], e);
        if (rc)
            return rc;
        count++;
    }
    for (int t = 0; t < VOL_TYPE_COUNT; t++) {
        struct size_option best = { .spec.count = 0 };
        if (!(DEFAULT_TYPES & ~o->types & 1u << t))
            continue;
        int rc = cheapest_with(n, o, 1u << t, 0, a, &best, e);
        if (rc)
            return rc;
        if (best.spec.count)
            all[count++] =
                (struct size_rejected){ best.spec, CEILING_TYPES, NAN, NAN, best.total_microusd };
    }
    for (size_t i = 0; i < g->size.n_rejected; i++)
        all[count++] = g->size.rejected[i];
    g->size.rejected = all;
    g->size.n_rejected = count;
    return 0;
}

static struct size_option option_of_today(const struct plan_today *t, const struct size_result *s)
{
    return (struct size_option){
        .spec = t->spec,
        .group_max_iops = t->group_max_iops,
        .group_max_throughput_mibps = t->group_max_throughput_mibps,
        .binding = t->binding,
        .total_microusd = t->total_microusd,
        .rank_microusd = t->rank_microusd,
        .iops_headroom_pct = ceiling_headroom_pct(s->counted_iops, t->group_max_iops),
        .throughput_headroom_pct =
            ceiling_headroom_pct(s->need.throughput_mibps, t->group_max_throughput_mibps),
        .size_headroom_pct = NAN,
        .durability_pct = NAN,
    };
}

int plan_group_solve(const struct group_demand *d, const struct plan_options *o, struct arena *a,
                     struct plan_group *out, struct err *e)
{
    struct plan_group g = { .group = d->group, .demand = d, .lower_bound = d->censored_by != 0 };
    struct size_need need;
    struct size_options options;
    plan_group_options(d, o, &options);
    int rc = plan_group_need(d, &need, e);
    if (!rc)
        rc = size_solve(&need, &options, a, &g.size, e);
    if (!rc)
        rc = plan_today_of(d->group, &g.size, o, &g.today, e);
    if (!rc)
        rc = reject_first(&g, &need, &options, a, e);
    if (rc)
        return err_prefix(e, "group %.80s", d->group->name), rc;
    g.kept = plan_group_is_kept(d);
    if (g.kept)
        g.chosen = option_of_today(&g.today, &g.size);
    else if (g.size.n_options_total)
        g.chosen = g.size.options[0];
    *out = g;
    return 0;
}

int plan_group_steps(struct plan_group *g, const struct plan_options *o,
                     const struct plan_instance *instance, struct arena *a, struct err *e)
{
    /* TUNING: where no instance sets the end, three doublings are eight times what was seen. */
    enum { STEPS_MAX = 16, STEPS_WITHOUT_INSTANCE = 3 };
    struct size_need need;
    struct size_options options;
    struct plan_step *steps = arena_array(a, STEPS_MAX, sizeof *steps);
    if (!steps)
        return err_nomem(e);
    plan_group_options(g->demand, o, &options);
    options.headroom_pct = 0;
    options.load.points = NULL; /* nothing is known of a load that was not there */
    int rc = plan_group_need(g->demand, &need, e);
    if (rc || !(fmax(need.throughput_mibps, need.counted_iops) > 0))
        return rc;
    double most_mibps = instance->caps.baseline_mb_s / MB_PER_MIB;
    bool bounded = instance->type && !(isnan(most_mibps) && isnan(instance->caps.baseline_iops));
    size_t limit = bounded ? STEPS_MAX : STEPS_WITHOUT_INSTANCE, n = 0;
    bool last = false;
    while (n < limit && !last) {
        need.iops *= 2;
        need.throughput_mibps *= 2;
        need.counted_iops *= 2;
        need.counted_iops_high *= 2;
        struct plan_step *s = &steps[n];
        rc = cheapest_with(&need, &options, options.types, 0, a, &s->option, e);
        if (rc)
            return rc;
        if (!s->option.spec.count)
            break;
        last = bounded && (need.throughput_mibps >= most_mibps * (1 - 1e-9) ||
                           need.counted_iops >= instance->caps.baseline_iops * (1 - 1e-9));
        s->carries_mibps = need.throughput_mibps;
        char most[48];
        unit_format(most,
                    0.95 * fmin(s->option.group_max_throughput_mibps,
                                s->option.group_max_iops * 256 / 1024),
                    0);
        s->stop_when =
            arena_printf(a, "no sample of the peak reaches %s MiB/s%s", most,
                         last ? "; beyond it the instance's baseline is the ceiling" : "");
        if (!s->stop_when)
            return err_nomem(e);
        n++;
    }
    g->steps_up = steps;
    g->n_steps_up = n;
    return 0;
}
