/* data/store/metric_value.h - what a value of a metric in the store says of time and of itself. */
#ifndef DATA_STORE_METRIC_VALUE_H
#define DATA_STORE_METRIC_VALUE_H

#include "data/store/store.h"
#include "models/core/unit.h"

/* What a rollup makes longer values of: one minute each. */
enum { STORE_MEAN_OF_MS = 60000 };

/* A value of several minutes that a rollup made: it stands in no line of its file. */
static inline bool store_value_is_mean(const struct store_metric_value *v)
{
    return v->line == UNKNOWN;
}

/* A time stamp opens its period; time_ms itself where one of them is not known. */
static inline int64_t store_value_end_ms(const struct store_metric_value *v)
{
    bool known =
        v->time_ms != UNKNOWN && v->time_ms < INT64_MAX / 2 && v->period_s > 0 && v->period_s < 1e9;
    return v->time_ms + (known ? (int64_t)(v->period_s * 1000 + 0.5) : 0);
}

#endif
