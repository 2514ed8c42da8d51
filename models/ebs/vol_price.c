/* models/ebs/vol_price.c - see vol_price.h.  Sums are exact in 10^-12 USD until the one rounding.
 */
#include "models/ebs/vol_price.h"

#include "models/core/money.h"
#include "models/core/unit.h"

#include <string.h>

/* The prices of one type in one region on one day. */
struct price_list {
    const struct catalogue *c;
    const char *region;
    enum volume_type type;
    int64_t as_of_ms;
    size_t first, end; /* rows among which all of them are */
};

static bool same_place(const struct price_list *l, const struct price *p)
{
    return p->type == l->type && !strcmp(p->region, l->region);
}

/* The newest day at or before as_of_ms, else the oldest; UNKNOWN when there is none.  Finds where
 * the rows are on the way: a region's stand together, so that a price is one walk over the table.
 */
static int64_t newest_day(struct price_list *l, int64_t as_of_ms)
{
    int64_t newest = UNKNOWN, oldest = UNKNOWN;
    for (size_t i = 0; i < l->c->n_prices; i++) {
        const struct price *p = &l->c->prices[i];
        if (!same_place(l, p))
            continue;
        l->first = l->end ? l->first : i;
        l->end = i + 1;
        if (p->as_of_ms <= as_of_ms && p->as_of_ms > newest)
            newest = p->as_of_ms;
        if (oldest == UNKNOWN || p->as_of_ms < oldest)
            oldest = p->as_of_ms;
    }
    return newest != UNKNOWN ? newest : oldest;
}

/* Amount times the prices of its tiers.  *out_needed: even the first unit costs something. */
static money component_sum(const struct price_list *l, enum price_component component,
                           int64_t amount, bool *out_needed)
{
    money sum = 0;
    *out_needed = false;
    for (size_t i = l->first; i < l->end; i++) {
        const struct price *p = &l->c->prices[i];
        if (!same_place(l, p) || p->component != component || p->as_of_ms != l->as_of_ms)
            continue;
        *out_needed |= p->tier_from == 0 && p->picousd > 0;
        int64_t to = p->tier_to != UNKNOWN && p->tier_to < amount ? p->tier_to : amount;
        if (to > p->tier_from)
            sum += (money)(to - p->tier_from) * p->picousd;
    }
    return sum;
}

/* Rounded to whole micro-dollars for one volume, then for all of them. */
static int microusd(money one, int64_t count, int64_t *out)
{
    money each = (one + 500000) / 1000000;
    if (each > INT64_MAX || each * count > INT64_MAX)
        return ERR_USAGE;
    *out = (int64_t)(each * count);
    return 0;
}

static int too_much(const struct volume_spec *v, struct err *e)
{
    char spec[96];
    return err_set(e, ERR_USAGE, "%s: beyond what can be priced", volume_spec_format(spec, v));
}

int vol_price(const struct catalogue *c, const char *region, int64_t as_of_ms,
              const struct volume_spec *v, int64_t requests, struct vol_price *out,
              int64_t *out_as_of_ms, struct err *e)
{
    struct price_list l = { .c = c, .region = region, .type = v->type };
    l.as_of_ms = newest_day(&l, as_of_ms);
    if (l.as_of_ms == UNKNOWN && !region_known(c, region))
        return err_set(e, ERR_USAGE, "unknown region '%.80s'", region);
    if (l.as_of_ms == UNKNOWN)
        return err_set(e, ERR_NO, "no price for %s in %s", volume_type_name(v->type), region);

    struct vol_price p = { 0 };
    const struct {
        enum price_component component;
        int64_t amount;
        const char *what;
        int64_t *microusd;
    } parts[] = {
        { PRICE_STORAGE, v->size_gib, "a size", &p.storage_microusd },
        { PRICE_IOPS, v->iops, "IOPS", &p.iops_microusd },
        { PRICE_THROUGHPUT, v->throughput_mibps, "throughput", &p.throughput_microusd },
        { PRICE_REQUESTS, requests, "requests", &p.requests_microusd },
    };
    int64_t count = v->count > 1 ? v->count : 1;
    money total = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bool needed;
        money sum = component_sum(&l, parts[i].component, parts[i].amount, &needed);
        total += sum;
        if (microusd(sum, count, parts[i].microusd))
            return too_much(v, e);
        if (parts[i].amount != UNKNOWN || !needed)
            continue;
        if (parts[i].component != PRICE_REQUESTS)
            return err_set(e, ERR_USAGE, "%s without %s has no price", volume_type_name(v->type),
                           parts[i].what);
        *parts[i].microusd = UNKNOWN;
    }
    if (microusd(total, count, &p.total_microusd))
        return too_much(v, e);
    *out = p;
    *out_as_of_ms = l.as_of_ms;
    return 0;
}

const struct price *vol_price_row(const struct catalogue *c, const char *region, int64_t as_of_ms,
                                  enum volume_type type, enum price_component component,
                                  int64_t tier_from)
{
    struct price_list l = { .c = c, .region = region, .type = type };
    l.as_of_ms = newest_day(&l, as_of_ms);
    for (size_t i = 0; i < c->n_prices; i++) {
        const struct price *p = &c->prices[i];
        if (same_place(&l, p) && p->component == component && p->tier_from == tier_from &&
            p->as_of_ms == l.as_of_ms)
            return p;
    }
    return NULL;
}
