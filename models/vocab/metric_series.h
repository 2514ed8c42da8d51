/* models/vocab/metric_series.h - the values of one metric over time. */
#ifndef MODELS_VOCAB_METRIC_SERIES_H
#define MODELS_VOCAB_METRIC_SERIES_H

#include "models/vocab/metric_sample.h"

#include <stddef.h>

/* Texts are NULL and numbers UNKNOWN/NaN where the file does not tell, as in struct metric_sample.
 * All arrays have n elements and ascend by time_ms. */
struct metric_series {
    const char *host; /* database or host that was measured */
    int64_t instance_number;
    const char *account, *region, *namespace_name; /* AWS */
    const char *metric, *dimension;
    enum metric_statistic statistic;
    const char *statistic_text, *unit;
    enum count_kind counts;
    size_t n;
    const int64_t *time_ms; /* start of the period */
    const double *period_s, *value;
    const int64_t *file_id, *line;
};

/* What every value of the series says of itself; time, period, value and line unknown. */
struct metric_sample metric_series_sample(const struct metric_series *s);

#endif
