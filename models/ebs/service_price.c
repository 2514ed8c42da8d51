/* models/ebs/service_price.c - see service_price.h. */
#include "models/ebs/service_price.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

/* Amounts beyond this are no amounts of EBS, and below it the product fits. */
static const double units_max = 1e15;

/* How well a price fits: a region's own before an example's, at or before the day before later,
 * the newer of those before, the older of those after. */
static bool is_better(const struct service_price *p, const struct service_price *than,
                      int64_t as_of_ms)
{
    if (!than)
        return true;
    if (!p->region != !than->region)
        return p->region != NULL;
    bool in_time = p->as_of_ms <= as_of_ms;
    if (in_time != (than->as_of_ms <= as_of_ms))
        return in_time;
    return in_time ? p->as_of_ms > than->as_of_ms : p->as_of_ms < than->as_of_ms;
}

const struct service_price *service_price_find(const struct catalogue *c, const char *service,
                                               const char *region, int64_t as_of_ms)
{
    const struct service_price *best = NULL;
    for (size_t i = 0; i < c->n_services; i++) {
        const struct service_price *p = &c->services[i];
        if (!strcmp(p->service, service) && (!p->region || !strcmp(p->region, region)) &&
            is_better(p, best, as_of_ms))
            best = p;
    }
    return best;
}

money service_price_of(const struct service_price *p, double units)
{
    double capped = fmin(fmax(units, 0), units_max);
    double whole = floor(capped);
    return (money)(int64_t)whole * p->picousd +
           (money)llround((capped - whole) * (double)p->picousd);
}

money fast_restore_price(const struct service_price *p, int64_t snapshots, int64_t zones,
                         double hours)
{
    double each = p->minimum == UNKNOWN ? hours : fmax(hours, (double)p->minimum);
    return service_price_of(p, (double)snapshots * (double)zones * each);
}
