/* models/vocab/metric_sample.h - one value of a named metric over one period: CloudWatch,
 * sysmetric histories, AWR mining exports, our own export. */
#ifndef MODELS_VOCAB_METRIC_SAMPLE_H
#define MODELS_VOCAB_METRIC_SAMPLE_H

#include "models/core/span.h"
#include "models/vocab/load_series.h"

#include <stdbool.h>
#include <stdint.h>

/* What the value of a sample is, so that a rate can be made of it or not. */
enum metric_statistic {
    STATISTIC_SUM,     /* total over the period: divide by it */
    STATISTIC_AVERAGE, /* mean of what was sampled */
    STATISTIC_MAXIMUM, /* never a rate */
    STATISTIC_MINIMUM,
    STATISTIC_COUNT, /* number of samples behind the others */
    STATISTIC_RATE,  /* already per second */
    STATISTIC_OTHER, /* a percentile, a metric-math result: see statistic_text */
};

/* Spans are empty and numbers UNKNOWN/NaN where the file does not tell; all valid during the call
 * only. */
struct metric_sample {
    struct span account, region, namespace_name; /* AWS */
    struct span metric;                          /* "VolumeReadOps", "redo_mb_s" */
    struct span dimension; /* "VolumeId=vol-0abc"; several joined by ',' in name order */
    struct span system;    /* database or host */
    int64_t instance_number;
    enum metric_statistic statistic;
    struct span statistic_text; /* as the file says: "p99.9" */
    struct span unit;           /* as the file says */
    enum count_kind counts;
    double period_s;
    bool period_inferred; /* from the distance of points: a warning went with it */
    int64_t time_ms;      /* start of the period */
    double value;
    int64_t line;
};

const char *metric_statistic_name(enum metric_statistic s); /* "Sum" */
/* The value per second: a Sum over its period, or what already is a rate.  NaN for every other
 * statistic (an average or maximum of a counter is none) and where the period is unknown. */
double metric_sample_per_s(const struct metric_sample *s);

#endif
