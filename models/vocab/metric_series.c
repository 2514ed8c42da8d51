/* models/vocab/metric_series.c - see metric_series.h. */
#include "models/vocab/metric_series.h"

#include "models/core/unit.h"

#include <math.h>

struct metric_sample metric_series_sample(const struct metric_series *s)
{
    return (struct metric_sample){
        .account = span_of(s->account),
        .region = span_of(s->region),
        .namespace_name = span_of(s->namespace_name),
        .metric = span_of(s->metric),
        .dimension = span_of(s->dimension),
        .system = span_of(s->host),
        .instance_number = s->instance_number,
        .statistic = s->statistic,
        .statistic_text = span_of(s->statistic_text),
        .unit = span_of(s->unit),
        .counts = s->counts,
        .period_s = NAN,
        .time_ms = UNKNOWN,
        .value = NAN,
        .line = UNKNOWN,
    };
}
