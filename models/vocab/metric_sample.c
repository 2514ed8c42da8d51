/* models/vocab/metric_sample.c - see metric_sample.h. */
#include "models/vocab/metric_sample.h"

#include <math.h>

const char *metric_statistic_name(enum metric_statistic s)
{
    static const char *const names[] = {
        [STATISTIC_SUM] = "Sum",           [STATISTIC_AVERAGE] = "Average",
        [STATISTIC_MAXIMUM] = "Maximum",   [STATISTIC_MINIMUM] = "Minimum",
        [STATISTIC_COUNT] = "SampleCount", [STATISTIC_RATE] = "Rate",
        [STATISTIC_OTHER] = "other",
    };
    return names[s];
}

double metric_sample_per_s(const struct metric_sample *s)
{
    if (s->statistic == STATISTIC_RATE)
        return s->value;
    if (s->statistic == STATISTIC_SUM && s->period_s > 0)
        return s->value / s->period_s;
    return NAN;
}
