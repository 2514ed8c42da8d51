/* planner/demand/peak_factors.c - see peak_factors.h. */
#include "planner/demand/peak_factors.h"

#include <math.h>

struct peak_range peak_range(const struct peak_factors *f, double interval_s)
{
    if (interval_is_measured(interval_s))
        return (struct peak_range){ 1, 1, 1 };
    struct peak_range r = { 3, 10, 20 };
    if (interval_s <= 600 * INTERVAL_JITTER)
        r = (struct peak_range){ 1.5, 2, 3 };
    if (!isnan(f->central_override)) {
        r.central = f->central_override;
        r.low = fmin(r.low, r.central);
        r.high = fmax(r.high, r.central);
    }
    return r;
}
