/* models/oracle/peak_factor.c - see peak_factor.h. */
#include "models/oracle/peak_factor.h"

#include <math.h>

#define SHORT_INTERVAL_S 600

struct peak_range peak_factor_assumed(double interval_s)
{
    if (interval_s <= SHORT_INTERVAL_S)
        return (struct peak_range){ 1.5, 2, 3 };
    return (struct peak_range){ 3, 10, 20 };
}

double peak_ratio(double peak, double average)
{
    return average > 0 ? peak / average : NAN;
}

double peak_micro_burst_mb_s(double bytes, double period_s, double idle_s)
{
    double busy_s = ceil(period_s - idle_s);
    return busy_s > 0 ? bytes / busy_s / 1e6 : NAN;
}
