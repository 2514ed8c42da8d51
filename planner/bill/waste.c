/* planner/bill/waste.c - see waste.h. */
#include "planner/bill/waste.h"

#include "models/core/unit.h"
#include "models/ebs/vol_price.h"
#include "models/ebs/vol_rule.h"
#include "planner/bill/waste_need.h"
#include "planner/demand/peak_hour.h"
#include "planner/demand/percentile_demand.h"

#include <math.h>
#include <string.h>

/* --- which billed volume is in which group ---------------------------------------------------- */

static bool same_field(int64_t layout, int64_t billed)
{
    return layout == UNKNOWN || billed == UNKNOWN || layout == billed;
}

static bool same_spec(const struct volume_spec *layout, const struct volume_spec *billed)
{
    return layout->type == billed->type && layout->size_gib == billed->size_gib &&
           same_field(layout->iops, billed->iops) &&
           same_field(layout->throughput_mibps, billed->throughput_mibps);
}

struct site {
    const struct waste_system *system;
    struct layout layout; /* the system's, and a group for each other measured volume */
    struct layout_group *groups;
    struct waste_volume *volumes; /* all of the bill */
    size_t n_volumes;
    size_t *group_of; /* of each volume; SIZE_MAX = none */
};

static void claim_by_id(struct site *s)
{
    for (size_t v = 0; v < s->n_volumes; v++)
        for (size_t g = 0; g < s->layout.n_groups && s->group_of[v] == SIZE_MAX; g++)
            if (!s->volumes[v].group &&
                layout_names_volume(&s->groups[g], span_of(s->volumes[v].billed->resource)))
                s->group_of[v] = g;
}

/* Whether a volume that no group names could be one of g's. */
static bool could_be(const struct site *s, size_t v, const struct layout_group *g)
{
    return s->group_of[v] == SIZE_MAX && !s->volumes[v].group && !g->n_volume_ids &&
           g->n_volumes == 1 && same_spec(&g->volumes[0].spec, &s->volumes[v].billed->spec);
}

/* A group without ids has the volumes that are like its own, when they are as many and no other
 * group is alike. */
static void claim_by_spec(struct site *s)
{
    for (size_t g = 0; g < s->layout.n_groups; g++) {
        int64_t n = 0;
        bool alone = true;
        for (size_t v = 0; v < s->n_volumes; v++) {
            if (!could_be(s, v, &s->groups[g]))
                continue;
            n++;
            for (size_t k = 0; k < s->layout.n_groups; k++)
                alone &= k == g || !could_be(s, v, &s->groups[k]);
        }
        if (!alone || !n || s->groups[g].n_volumes != 1 || n != s->groups[g].volumes[0].spec.count)
            continue;
        for (size_t v = 0; v < s->n_volumes; v++)
            if (could_be(s, v, &s->groups[g]))
                s->group_of[v] = g;
    }
}

static bool is_measured(const struct system_load *load, const char *volume_id)
{
    for (size_t i = 0; i < load->n_series; i++)
        if (load->series[i].kind == SERIES_VOLUME && !strcmp(load->series[i].name, volume_id))
            return true;
    return false;
}

static int own_group(struct site *s, size_t v, struct arena *a, struct err *e)
{
    const struct bill_volume *b = s->volumes[v].billed;
    const char **ids = arena_array(a, 1, sizeof *ids);
    struct layout_volumes *volumes = arena_array(a, 1, sizeof *volumes);
    if (!ids || !volumes)
        return err_nomem(e);
    ids[0] = b->resource;
    volumes[0] = (struct layout_volumes){ .spec = b->spec, .since_ms = UNKNOWN };
    s->group_of[v] = s->layout.n_groups;
    struct layout_group *g = &s->groups[s->layout.n_groups++];
    *g = layout_group_unknown;
    g->name = b->resource;
    g->volume_ids = ids;
    g->volumes = volumes;
    g->n_volume_ids = g->n_volumes = 1;
    return 0;
}

/* What the layout leaves out, the bill says. */
static int fill_groups(struct site *s, struct arena *a, struct err *e)
{
    for (size_t g = 0; g < s->layout.n_groups; g++) {
        if (s->groups[g].n_volumes)
            continue;
        struct layout_volumes *volumes = arena_array(a, s->n_volumes, sizeof *volumes);
        if (!volumes)
            return err_nomem(e);
        for (size_t v = 0; v < s->n_volumes; v++)
            if (s->group_of[v] == g && s->volumes[v].billed->spec.size_gib != UNKNOWN)
                volumes[s->groups[g].n_volumes++] =
                    (struct layout_volumes){ .spec = s->volumes[v].billed->spec,
                                             .since_ms = UNKNOWN };
        s->groups[g].volumes = volumes;
    }
    return 0;
}

static int lay_out(struct site *s, struct arena *a, struct err *e)
{
    const struct layout *l = s->system->layout;
    size_t n = l ? l->n_groups : 0;
    s->layout = l ? *l : layout_unknown;
    if (!l)
        s->layout.system = s->system->load->system;
    s->groups = arena_array(a, n + s->n_volumes, sizeof *s->groups);
    s->group_of = arena_array(a, s->n_volumes, sizeof *s->group_of);
    if (!s->groups || !s->group_of)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        s->groups[i] = l->groups[i];
    for (size_t v = 0; v < s->n_volumes; v++)
        s->group_of[v] = SIZE_MAX;
    s->layout.groups = s->groups;
    claim_by_id(s);
    claim_by_spec(s);
    for (size_t v = 0; v < s->n_volumes; v++) {
        const struct bill_volume *b = s->volumes[v].billed;
        if (s->group_of[v] != SIZE_MAX || s->volumes[v].group || b->spec.size_gib == UNKNOWN ||
            !is_measured(s->system->load, b->resource))
            continue;
        int rc = own_group(s, v, a, e);
        if (rc)
            return rc;
    }
    return fill_groups(s, a, e);
}

/* --- what a group needs ----------------------------------------------------------------------- */

/* The price of the group's billed volumes; UNKNOWN where one has none. */
static int64_t paid_for(const struct site *s, size_t g, size_t *out_n)
{
    int64_t sum = 0;
    *out_n = 0;
    for (size_t v = 0; v < s->n_volumes; v++) {
        if (s->group_of[v] != g)
            continue;
        ++*out_n;
        if (s->volumes[v].paid_microusd == UNKNOWN)
            return UNKNOWN;
        sum += s->volumes[v].paid_microusd;
    }
    return *out_n ? sum : UNKNOWN;
}

/* List price of all volumes that the layout gives the group, of which the bill may have some only;
 * UNKNOWN where one has none. */
static int laid_out_for(const struct layout_group *g, const struct bill_volume *b,
                        const struct catalogue *c, int64_t *out_n, int64_t *out_microusd,
                        struct err *e)
{
    *out_n = *out_microusd = 0;
    for (size_t i = 0; i < g->n_volumes; i++) {
        const struct volume_spec *v = &g->volumes[i].spec;
        int64_t each;
        int rc = waste_list_price(c, b->region, b->month_ms, v, &each, e);
        if (rc)
            return rc;
        *out_n += v->count;
        if (each == UNKNOWN || *out_microusd == UNKNOWN ||
            __builtin_mul_overflow(each, v->count, &each) ||
            __builtin_add_overflow(*out_microusd, each, out_microusd))
            *out_microusd = UNKNOWN;
    }
    return 0;
}

static unsigned types_of(const struct site *s, size_t g, const struct waste_options *o)
{
    unsigned types = o->types;
    for (size_t v = 0; v < s->n_volumes && !o->types; v++)
        if (s->group_of[v] == g)
            types |= 1u << s->volumes[v].billed->spec.type;
    return types;
}

static const struct bill_volume *first_of(const struct site *s, size_t g)
{
    for (size_t v = 0; v < s->n_volumes; v++)
        if (s->group_of[v] == g)
            return s->volumes[v].billed;
    return NULL;
}

/* What the bill charges of the list price: less where there is a discount.  Within a percent it is
 * rounding, or a line that does not add up. */
static double rate_of(const struct bill_volume *b)
{
    double rate = b->list_cost > 0 ? money_double(b->cost) / money_double(b->list_cost) : 1;
    return fabs(rate - 1) < 0.01 || rate > 10 ? 1 : round(rate * 1e4) / 1e4;
}

static int64_t at_rate(int64_t microusd, double rate)
{
    return microusd == UNKNOWN ? UNKNOWN : (int64_t)llround((double)microusd * rate);
}

static int judge_group(struct site *s, size_t g, const struct group_demand *d,
                       const struct group_demand *p99, const struct group_demand *calm,
                       const struct waste_options *o, struct arena *a, struct err *e)
{
    const struct bill_volume *b = first_of(s, g);
    struct waste_need need;
    size_t n;
    int64_t paid = paid_for(s, g, &n);
    if (!b->region)
        return 0;
    struct waste_question q = { .catalogue = o->catalogue,
                                .region = b->region,
                                .instance_type = s->layout.instance_type,
                                .month_ms = b->month_ms,
                                .types = types_of(s, g, o),
                                .headroom_pct = o->headroom_pct };
    int64_t n_laid_out, laid_out;
    int rc = waste_need_find(d, p99, calm, &q, a, &need, e);
    if (!rc)
        rc = laid_out_for(&s->groups[g], b, o->catalogue, &n_laid_out, &laid_out, e);
    if (rc)
        return rc;
    double rate = rate_of(b);
    size_t n_all = n;
    if (n_laid_out > (int64_t)n) {
        paid = at_rate(laid_out, rate);
        n_all = (size_t)n_laid_out;
    }
    int64_t needed = at_rate(need.microusd, rate);
    bool saves = needed != UNKNOWN && paid != UNKNOWN && needed < paid;
    for (size_t v = 0; v < s->n_volumes; v++) {
        struct waste_volume *w = &s->volumes[v];
        if (s->group_of[v] != g)
            continue;
        w->n_in_group = n_all;
        w->demand = d->demand.grade == GRADE_NONE ? NULL : d;
        w->needed = need.spec;
        w->needed_microusd = needed;
        w->lower_bound =
            d->censored_by != 0 ||
            (w->demand && (isnan(d->demand.total_mibps) || isnan(d->demand.counted_iops)));
        w->headroom_microusd = at_rate(need.headroom_microusd, rate);
        w->peak_microusd = at_rate(need.peak_microusd, rate);
        w->peak_hour_microusd = at_rate(need.peak_hour_microusd, rate);
        w->never_read =
            d->demand.grade != GRADE_NONE && d->profile.metrics[METRIC_READ_IOPS].max <= 0;
        if (w->billed->spec.iops > 0 && n_all == 1)
            w->iops_used_pct = d->demand.counted_iops / (double)w->billed->spec.iops * 100;
        if (needed != UNKNOWN && paid > 0)
            w->saving_microusd =
                saves ? at_rate(paid - needed, (double)w->paid_microusd / (double)paid) : 0;
    }
    return 0;
}

static bool has_billed(const struct site *s)
{
    for (size_t v = 0; v < s->n_volumes; v++)
        if (s->group_of[v] != SIZE_MAX)
            return true;
    return false;
}

static int judge_system(struct site *s, const struct waste_options *o, struct arena *a,
                        struct err *e)
{
    struct system_demand *demand = arena_alloc(a, sizeof *demand);
    struct layout *layout = arena_alloc(a, sizeof *layout);
    struct system_demand p99, calm;
    struct demand_options options;
    int rc = demand && layout ? lay_out(s, a, e) : err_nomem(e);
    if (rc || !has_billed(s))
        return rc;
    *layout = s->layout;
    demand_options_init(&options, o->catalogue);
    rc = system_demand_build(s->system->load, layout, &options, a, demand, e);
    if (!rc)
        rc = percentile_demand(demand, 99, PERCENTILE_SIZING, a, &p99, e);
    if (!rc)
        rc = demand_without_peak_hour(demand, a, &calm, e);
    if (rc)
        return rc;
    for (size_t v = 0; v < s->n_volumes; v++)
        if (s->group_of[v] != SIZE_MAX) {
            s->volumes[v].system = s->system->load->system;
            s->volumes[v].group = s->groups[s->group_of[v]].name;
        }
    for (size_t g = 0; g < layout->n_groups && !rc; g++)
        if (first_of(s, g) && layout->groups[g].n_volumes)
            rc = judge_group(s, g, &demand->groups[g], &p99.groups[g], &calm.groups[g], o, a, e);
    return rc;
}

/* --- each volume by itself -------------------------------------------------------------------- */

static int price_volume(struct waste_volume *w, const struct waste_options *o, struct err *e)
{
    const struct bill_volume *b = w->billed;
    struct volume_spec spec = b->spec;
    int64_t list;
    if (!b->region || spec.size_gib == UNKNOWN)
        return 0;
    int rc = waste_list_price(o->catalogue, b->region, b->month_ms, &spec, &list, e);
    if (rc || list == UNKNOWN)
        return rc;
    w->paid_microusd = at_rate(list, rate_of(b));
    w->held = list > 0 ? money_double(b->list_cost) * 1e6 / (double)list : 0;
    return 0;
}

static int set_equal_gp3(struct waste_volume *w, const struct waste_options *o, struct err *e)
{
    struct volume_spec equal;
    int64_t list;
    double used_mibps = w->demand ? w->demand->demand.total_mibps : NAN;
    if (w->paid_microusd == UNKNOWN ||
        !waste_equal_gp3(o->catalogue, w->billed->month_ms, &w->billed->spec, used_mibps, &equal))
        return 0;
    int rc =
        waste_list_price(o->catalogue, w->billed->region, w->billed->month_ms, &equal, &list, e);
    int64_t price = at_rate(list, rate_of(w->billed));
    if (rc || price == UNKNOWN || price >= w->paid_microusd)
        return rc;
    w->equal_gp3 = equal;
    w->equal_gp3_is_least = w->billed->spec.type != VOL_GP2 && isnan(used_mibps);
    w->equal_gp3_saving_microusd = w->paid_microusd - price;
    return 0;
}

static void add_up(struct waste *out)
{
    for (size_t i = 0; i < out->n_volumes; i++) {
        const struct waste_volume *w = &out->volumes[i];
        if (w->saving_microusd == UNKNOWN || w->paid_microusd == UNKNOWN)
            continue;
        if (!out->n_measured++)
            out->needed_microusd = out->overprovisioned_microusd = 0;
        int64_t over = at_rate(w->saving_microusd, w->held);
        out->overprovisioned_microusd += over;
        out->needed_microusd += at_rate(w->paid_microusd, w->held) - over;
    }
}

int waste_find(const struct reconciliation *r, const struct waste_system *systems, size_t n,
               const struct waste_options *o, struct arena *a, struct waste *out, struct err *e)
{
    struct waste w = { .options_used = *o,
                       .month_ms = r->last_month_ms,
                       .needed_microusd = UNKNOWN,
                       .overprovisioned_microusd = UNKNOWN };
    struct waste_volume *volumes = arena_array(a, r->n_volumes, sizeof *volumes);
    if (!volumes)
        return err_nomem(e);
    for (size_t i = 0; i < r->n_volumes; i++) {
        const struct bill_volume *b = &r->volumes[i];
        if (b->month_ms != w.month_ms || b->month_ms == UNKNOWN)
            continue;
        struct waste_volume *v = &volumes[w.n_volumes++];
        struct volume_past past = { .now = NULL };
        if (r->options_used.histories)
            past = volume_past_of(r->options_used.histories, b->resource);
        *v = (struct waste_volume){ .billed = b,
                                    .paid_microusd = UNKNOWN,
                                    .needed_microusd = UNKNOWN,
                                    .saving_microusd = UNKNOWN,
                                    .headroom_microusd = UNKNOWN,
                                    .peak_microusd = UNKNOWN,
                                    .peak_hour_microusd = UNKNOWN,
                                    .equal_gp3_saving_microusd = UNKNOWN,
                                    .unattached = past.now && past.now->attachments == 0,
                                    .iops_used_pct = NAN };
        int rc = price_volume(v, o, e);
        if (rc)
            return rc;
    }
    w.volumes = volumes;
    for (size_t i = 0; i < n; i++) {
        struct site s = { .system = &systems[i], .volumes = volumes, .n_volumes = w.n_volumes };
        int rc = judge_system(&s, o, a, e);
        if (rc)
            return rc;
    }
    for (size_t i = 0; i < w.n_volumes; i++) {
        int rc = set_equal_gp3(&volumes[i], o, e);
        if (rc)
            return rc;
    }
    add_up(&w);
    *out = w;
    return 0;
}
