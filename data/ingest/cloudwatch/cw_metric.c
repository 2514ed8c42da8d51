/* data/ingest/cloudwatch/cw_metric.c - see cw_metric.h.
 *
 * Source: EBS User Guide, "Amazon CloudWatch metrics for Amazon EBS", and EC2 User Guide, "List the
 * available CloudWatch metrics for your instances".  The agent's diskio_ebs_* are not listed:
 * whether a value is a total since attach or a difference depends on the agent's pipeline. */
#include "data/ingest/cloudwatch/cw_metric.h"

static const struct cw_metric {
    const char *name;
    enum cw_kind kind;
    const char *unit;
} metrics[] = {
    { "VolumeReadOps", CW_COUNTER, "Count" },
    { "VolumeWriteOps", CW_COUNTER, "Count" },
    { "VolumeReadBytes", CW_COUNTER, "Bytes" },
    { "VolumeWriteBytes", CW_COUNTER, "Bytes" },
    { "VolumeTotalReadTime", CW_COUNTER, "Seconds" },
    { "VolumeTotalWriteTime", CW_COUNTER, "Seconds" },
    { "VolumeIdleTime", CW_COUNTER, "Seconds" },
    { "VolumeConsumedReadWriteOps", CW_COUNTER, "Count" }, /* in units of 256 KiB */
    { "VolumeQueueLength", CW_GAUGE, "Count" },
    { "VolumeThroughputPercentage", CW_GAUGE, "Percent" },
    { "BurstBalance", CW_GAUGE, "Percent" },
    { "VolumeIOPSExceededCheck", CW_GAUGE, "None" },
    { "VolumeThroughputExceededCheck", CW_GAUGE, "None" },
    { "VolumeStalledIOCheck", CW_GAUGE, "None" },
    { "VolumeAvgReadLatency", CW_GAUGE, "Milliseconds" },
    { "VolumeAvgWriteLatency", CW_GAUGE, "Milliseconds" },
    { "VolumeAvgIOPS", CW_RATE, NULL }, /* guide and API spell the unit differently */
    { "VolumeAvgThroughput", CW_RATE, NULL },
    { "EBSReadOps", CW_COUNTER, "Count" },
    { "EBSWriteOps", CW_COUNTER, "Count" },
    { "EBSReadBytes", CW_COUNTER, "Bytes" },
    { "EBSWriteBytes", CW_COUNTER, "Bytes" },
    { "EBSIOBalance%", CW_GAUGE, "Percent" },
    { "EBSByteBalance%", CW_GAUGE, "Percent" },
    { "InstanceEBSIOPSExceededCheck", CW_GAUGE, "None" },
    { "InstanceEBSThroughputExceededCheck", CW_GAUGE, "None" },
    { "DiskReadOps", CW_COUNTER, "Count" }, /* of instance store */
    { "DiskWriteOps", CW_COUNTER, "Count" },
    { "DiskReadBytes", CW_COUNTER, "Bytes" },
    { "DiskWriteBytes", CW_COUNTER, "Bytes" },
    { "NetworkIn", CW_COUNTER, "Bytes" },
    { "NetworkOut", CW_COUNTER, "Bytes" },
    { "CPUUtilization", CW_GAUGE, "Percent" },
};

static const struct cw_metric *find(struct span metric)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (span_is(metric, metrics[i].name))
            return &metrics[i];
    return NULL;
}

enum cw_kind cw_metric_kind(struct span metric)
{
    const struct cw_metric *m = find(metric);
    return m ? m->kind : CW_GAUGE;
}

const char *cw_metric_unit(struct span metric)
{
    const struct cw_metric *m = find(metric);
    return m ? m->unit : NULL;
}

void cw_set_statistic(struct metric_sample *s, struct span name)
{
    enum cw_kind kind = cw_metric_kind(s->metric);
    s->statistic_text = name;
    if (span_is(name, "Sum"))
        s->statistic = kind == CW_COUNTER ? STATISTIC_SUM : STATISTIC_OTHER;
    else if (span_is(name, "Average"))
        s->statistic = kind == CW_RATE ? STATISTIC_RATE : STATISTIC_AVERAGE;
    else if (span_is(name, "Maximum"))
        s->statistic = STATISTIC_MAXIMUM;
    else if (span_is(name, "Minimum"))
        s->statistic = STATISTIC_MINIMUM;
    else if (span_is(name, "SampleCount"))
        s->statistic = STATISTIC_COUNT;
    else
        s->statistic = STATISTIC_OTHER;
}
