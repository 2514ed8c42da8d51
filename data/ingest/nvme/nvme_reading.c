/* data/ingest/nvme/nvme_reading.c - see nvme_reading.h. */
#include "data/ingest/nvme/nvme_reading.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

/* json: without "diskio_ebs_" and without "ebs_" behind "ec2_instance_", which nvme-cli leaves
 * out.  field: of the record; since: the same since the last reading, share: of the time. */
static const struct counter {
    const char *json, *field;
    enum unit unit;
    const char *since, *share;
} counters[NVME_COUNTERS] = {
    [NVME_READS] = { "total_read_ops", "total_read_ops", UNIT_COUNT, NULL, NULL },
    [NVME_WRITES] = { "total_write_ops", "total_write_ops", UNIT_COUNT, NULL, NULL },
    [NVME_READ_BYTES] = { "total_read_bytes", "total_read_bytes", UNIT_BYTES, NULL, NULL },
    [NVME_WRITE_BYTES] = { "total_write_bytes", "total_write_bytes", UNIT_BYTES, NULL, NULL },
    [NVME_READ_US] = { "total_read_time", "total_read_time_us", UNIT_US, NULL, NULL },
    [NVME_WRITE_US] = { "total_write_time", "total_write_time_us", UNIT_US, NULL, NULL },
    [NVME_VOLUME_IOPS_US] = { "ebs_volume_performance_exceeded_iops",
                              "ebs_volume_performance_exceeded_iops_us", UNIT_US,
                              "volume_iops_exceeded_us", "volume_iops_exceeded_pct" },
    [NVME_VOLUME_TP_US] = { "ebs_volume_performance_exceeded_tp",
                            "ebs_volume_performance_exceeded_tp_us", UNIT_US,
                            "volume_throughput_exceeded_us", "volume_throughput_exceeded_pct" },
    [NVME_INSTANCE_IOPS_US] = { "ec2_instance_performance_exceeded_iops",
                                "ec2_instance_ebs_performance_exceeded_iops_us", UNIT_US,
                                "instance_iops_exceeded_us", "instance_iops_exceeded_pct" },
    [NVME_INSTANCE_TP_US] = { "ec2_instance_performance_exceeded_tp",
                              "ec2_instance_ebs_performance_exceeded_tp_us", UNIT_US,
                              "instance_throughput_exceeded_us",
                              "instance_throughput_exceeded_pct" },
    [NVME_LOCAL_IOPS_US] = { "ec2_instance_local_storage_performance_exceeded_iops",
                             "ec2_instance_local_storage_performance_exceeded_iops_us", UNIT_US,
                             "local_iops_exceeded_us", "local_iops_exceeded_pct" },
    [NVME_LOCAL_TP_US] = { "ec2_instance_local_storage_performance_exceeded_tp",
                           "ec2_instance_local_storage_performance_exceeded_tp_us", UNIT_US,
                           "local_throughput_exceeded_us", "local_throughput_exceeded_pct" },
    [NVME_QUEUE] = { "volume_queue_length", "volume_queue_length", UNIT_COUNT, NULL, NULL },
};

void nvme_clear(struct nvme_reading *r)
{
    r->device.len = 0;
    r->time_ms = UNKNOWN;
    r->line = 0;
    for (size_t i = 0; i < NVME_COUNTERS; i++)
        r->value[i] = (double)NAN;
}

enum nvme_counter nvme_counter_of_key(struct span key)
{
    static const char agent[] = "diskio_ebs_", instance[] = "ec2_instance_ebs_";
    char plain[80];
    if (span_starts(key, agent))
        key = span_cut(key, sizeof agent - 1, key.len);
    if (span_starts(key, instance) && key.len < sizeof plain) {
        size_t keep = sizeof "ec2_instance_" - 1, drop = sizeof instance - 1;
        memcpy(plain, key.ptr, keep);
        memcpy(plain + keep, key.ptr + drop, key.len - drop);
        key = (struct span){ plain, keep + key.len - drop };
    }
    for (size_t i = 0; i < NVME_COUNTERS; i++)
        if (span_is(key, counters[i].json))
            return (enum nvme_counter)i;
    return NVME_COUNTERS;
}

bool nvme_heading_of(struct span line, struct nvme_heading *out)
{
    static const struct {
        const char *text;
        struct nvme_heading counters;
    } headings[] = {
        { "Total Ops", { NVME_READS, NVME_WRITES } },
        { "Total Bytes", { NVME_READ_BYTES, NVME_WRITE_BYTES } },
        { "Total Time (us)", { NVME_READ_US, NVME_WRITE_US } },
        { "EBS Volume Performance Exceeded (us)", { NVME_VOLUME_IOPS_US, NVME_VOLUME_TP_US } },
        { "EC2 Instance EBS Performance Exceeded (us)",
          { NVME_INSTANCE_IOPS_US, NVME_INSTANCE_TP_US } },
        { "EC2 Instance Local Storage Performance Exceeded (us)",
          { NVME_LOCAL_IOPS_US, NVME_LOCAL_TP_US } },
        { "Read IO Latency Histogram (us)", { NVME_COUNTERS, NVME_COUNTERS } },
        { "Write IO Latency Histogram (us)", { NVME_COUNTERS, NVME_COUNTERS } },
    };
    struct span s = span_trim(line);
    if (span_ends(s, ":"))
        s.len--;
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (span_is(s, headings[i].text)) {
            *out = headings[i].counters;
            return true;
        }
    return false;
}

bool nvme_value_line(struct span line, const struct nvme_heading *h, enum nvme_counter *counter,
                     double *value)
{
    struct span s = span_trim(line), key;
    if (span_find(s, ":") < 0 || span_field(&s, ':', &key))
        return false;
    s = span_trim(s);
    key = span_trim(key);
    if (span_double(&s, value) || s.len || *value < 0)
        return false;
    *counter = NVME_COUNTERS;
    if (span_is(key, "Read") || span_is(key, "IOPS"))
        *counter = h->first;
    else if (span_is(key, "Write") || span_is(key, "Throughput"))
        *counter = h->second;
    else if (span_starts(key, "Queue Length"))
        *counter = NVME_QUEUE;
    else
        return span_is(key, "Number of bins");
    return true;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

static void rates(struct fields *f, const double d[NVME_COUNTERS], double seconds)
{
    fields_num(f, "interval_s", UNIT_S, seconds);
    fields_num(f, "reads_per_s", UNIT_PER_S, d[NVME_READS] / seconds);
    fields_num(f, "writes_per_s", UNIT_PER_S, d[NVME_WRITES] / seconds);
    fields_num(f, "read_kib_per_s", UNIT_KIBPS, d[NVME_READ_BYTES] / 1024 / seconds);
    fields_num(f, "write_kib_per_s", UNIT_KIBPS, d[NVME_WRITE_BYTES] / 1024 / seconds);
    fields_num(f, "read_request_kib", UNIT_KIB, ratio(d[NVME_READ_BYTES] / 1024, d[NVME_READS]));
    fields_num(f, "write_request_kib", UNIT_KIB, ratio(d[NVME_WRITE_BYTES] / 1024, d[NVME_WRITES]));
    fields_num(f, "read_await_ms", UNIT_MS, ratio(d[NVME_READ_US] / 1000, d[NVME_READS]));
    fields_num(f, "write_await_ms", UNIT_MS, ratio(d[NVME_WRITE_US] / 1000, d[NVME_WRITES]));
    for (size_t i = 0; i < NVME_COUNTERS; i++) {
        if (!counters[i].since)
            continue;
        fields_num(f, counters[i].since, UNIT_US, d[i]);
        fields_num(f, counters[i].share, UNIT_PCT, 100 * d[i] / 1e6 / seconds);
    }
}

bool nvme_fields(struct fields *f, const struct nvme_reading *last, const struct nvme_reading *now,
                 double seconds)
{
    double counted[NVME_COUNTERS];
    bool anew = false;
    fields_text(f, "device", text_name_span(&now->device));
    for (size_t i = 0; i < NVME_COUNTERS; i++) {
        fields_num(f, counters[i].field, counters[i].unit, now->value[i]);
        counted[i] = last ? now->value[i] - last->value[i] : (double)NAN;
        anew = anew || (i != NVME_QUEUE && counted[i] < 0);
    }
    for (size_t i = 0; anew && i < NVME_COUNTERS; i++)
        counted[i] = (double)NAN;
    rates(f, counted, last && !anew ? seconds : (double)NAN);
    return !anew;
}
