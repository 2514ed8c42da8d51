/* data/ingest/cloudwatch/cw_metric.h - what CloudWatch's metrics and statistics mean. */
#ifndef DATA_INGEST_CLOUDWATCH_CW_METRIC_H
#define DATA_INGEST_CLOUDWATCH_CW_METRIC_H

#include "models/vocab/metric_sample.h"

enum cw_kind {
    CW_GAUGE,   /* a level, a percentage, a check, or a metric nobody listed: Sum is no rate */
    CW_COUNTER, /* counts over its period: Sum / period is a rate */
    CW_RATE,    /* already per second: its Average is a rate */
};

enum cw_kind cw_metric_kind(struct span metric);
/* The unit that AWS documents; NULL for a metric that is not listed. */
const char *cw_metric_unit(struct span metric);

/* Sets statistic and statistic_text of s, whose metric is set, from the name that CloudWatch
 * gives the statistic ("Sum", "p99.9"); an empty name = the file does not tell it. */
void cw_set_statistic(struct metric_sample *s, struct span name);

#endif
