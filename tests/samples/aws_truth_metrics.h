/* tests/samples/aws_truth_metrics.h - what TRUTH.json says of CloudWatch exports. */
#ifndef TESTS_SAMPLES_AWS_TRUTH_METRICS_H
#define TESTS_SAMPLES_AWS_TRUTH_METRICS_H

#include "tests/samples/aws_truth.h"

/* 001: maximums without a period: three points, no rate; its volume is in 002. */
static void no_rate(const char *file, const cJSON *v)
{
    const cJSON *raw = member(v, "raw"), *point, *pair = member(v, "volume_from_pair");
    const cJSON *rates = member(member(v, "if_period_60"), "max_iops");
    size_t i = 0;
    read_file(file, NAN);
    cJSON_ArrayForEach(point, raw)
    {
        assert_true(i < got.n_metrics);
        same_time("timestamp", got.metrics[i].time_ms, member(point, "timestamp"));
        same("maximum", got.metrics[i].value, member(point, "maximum"), 0);
        assert_true(isnan(got.metrics[i].period_s));
        assert_true(isnan(metric_sample_per_s(&got.metrics[i])));
        i++;
    }
    assert_int_equal(got.n_metrics, i);
    /* in the order of the truth's list, which is by size: 21, 15, 14 */
    double share = 0;
    read_file(file, 60);
    for (i = 0; i < got.n_metrics; i++) {
        double rate = got.metrics[i].value / got.metrics[i].period_s;
        assert_true(isnan(metric_sample_per_s(&got.metrics[i])));
        same("value / period", rate, cJSON_GetArrayItem(rates, (int)i), 5.1e-10);
        if (i == 0)
            share = rate / 5000 * 100;
    }
    assert_string_equal(cJSON_GetStringValue(member(v, "share_of_provisioned_if_60")), "0.007 %");
    assert_true(fabs(share - 0.007) < 1e-9);
    n_figures++;
    read_file("002_ec2_vols_io1_pair_of_001.json", NAN);
    assert_int_equal(got.n_volumes, 1);
    same_text("id", got.volumes[0].volume_id, member(pair, "id"));
    same_text("type", span_of(volume_type_name(got.volumes[0].spec.type)), member(pair, "type"));
    same_int("size", got.volumes[0].spec.size_gib, member(pair, "size_gib"));
    same_int("iops", got.volumes[0].spec.iops, member(pair, "iops"));
}

static void empty(const char *file, const cJSON *v)
{
    (void)v;
    read_file(file, NAN);
    assert_string_equal(got.format, "cw_stats");
    assert_int_equal(got.n_metrics, 0);
    n_figures++;
}

static void incomplete(const char *file, const cJSON *v)
{
    (void)v;
    read_file(file, NAN);
    assert_int_equal(got.n_metrics, 0);
    assert_true(warned("PartialData: Some data unavailable"));
    assert_true(warned("NextToken"));
    n_figures += 3;
}

static void reject(const char *file, const cJSON *v)
{
    (void)v;
    read_file(file, NAN);
    assert_null(got.format);
    assert_int_equal(got.rows, 0);
    /* 062: "near KmsKeyId, line and column"; 014: "with the Id named" */
    assert_true(strstr(got.err.text, "'KmsKeyId'") ||
                strstr(got.err.text, "'id_10_VolumeReadOps'"));
    n_figures++;
}

/* 022: the whole stream; an instance with one volume shows that volume's numbers. */
static void cross_check(const char *file, const cJSON *v)
{
    enum { MINUTE_MS = 60000 };
    int64_t t = INT64_C(1651679640000);
    const char *volume = "VolumeId=vol-09aadec74cd779f49",
               *instance = "InstanceId=i-0f898c9b1c511eb41";
    size_t records = 0, ebs = 0;
    read_file(file, NAN);
    for (size_t i = 0; i < got.n_metrics; i++) {
        bool one = span_is(got.metrics[i].statistic_text, "Sum");
        records += one;
        ebs += one && span_is(got.metrics[i].namespace_name, "AWS/EBS");
    }
    same("records", (double)records, member(v, "records"), 0);
    same("EBS records", (double)ebs, member(v, "ebs_records"), 0);
    same("EC2 records", (double)(records - ebs), member(v, "ec2_records"), 0);
    const cJSON *sums = member(member(v, "expected_sum_check"), "vol-09aadec74cd779f49");
    same("read_iops", per_s("VolumeReadOps", volume, t), member(sums, "read_iops"), 5.1e-10);
    same("write_iops", per_s("VolumeWriteOps", volume, t), member(sums, "write_iops"), 5.1e-10);
    same("read_mib_s", per_s("VolumeReadBytes", volume, t) / MIB_BYTES, member(sums, "read_mib_s"),
         5.1e-10);
    same("write_mib_s", per_s("VolumeWriteBytes", volume, t) / MIB_BYTES,
         member(sums, "write_mib_s"), 5.1e-10);
    /* the figures of the note */
    assert_true(sample("EBSReadOps", instance, t, "Sum")->value == 5254);
    assert_true(sample("EBSReadBytes", instance, t, "Sum")->value == 390386688);
    assert_true(sample("VolumeReadOps", volume, t, "Sum")->value == 5254);
    assert_true(sample("VolumeReadBytes", volume, t, "Sum")->value == 390386688);
    const struct metric_sample *basic =
        sample("EBSWriteBytes", "InstanceId=i-013e95c2db558957b", INT64_C(1651679400000), "Sum");
    assert_true(basic->value == 10000384 && basic->period_s == 300);
    assert_true(fabs(metric_sample_per_s(basic) - 33334.613333333) < 5.1e-10);
    n_figures += 6;
}

static double ratio(const char *top, const char *bottom, const char *dimension, int64_t t)
{
    const struct metric_sample *a = sample(top, dimension, t, "Sum");
    const struct metric_sample *b = sample(bottom, dimension, t, "Sum");
    return a && b && b->value > 0 ? a->value / b->value : NAN;
}

/* 023: the rates of every volume and minute. */
static void rates(const char *file, const cJSON *v)
{
    const cJSON *rows = member(v, "rows"), *row;
    read_file(file, NAN);
    size_t records = 0;
    for (size_t i = 0; i < got.n_metrics; i++)
        records += span_is(got.metrics[i].statistic_text, "Sum");
    same("records", (double)records, member(v, "records"), 0);
    same("points", cJSON_GetArraySize(rows), member(v, "points"), 0);
    cJSON_ArrayForEach(row, rows)
    {
        char d[64];
        int64_t t = (int64_t)member(row, "timestamp_ms")->valuedouble;
        const cJSON *optional;
        snprintf(d, sizeof d, "VolumeId=%s", cJSON_GetStringValue(member(row, "volume")));
        same("read_iops", per_s("VolumeReadOps", d, t), member(row, "read_iops"), 5.1e-10);
        same("write_iops", per_s("VolumeWriteOps", d, t), member(row, "write_iops"), 5.1e-10);
        same("read_mib_s", per_s("VolumeReadBytes", d, t) / MIB_BYTES, member(row, "read_mib_s"),
             5.1e-10);
        same("write_mib_s", per_s("VolumeWriteBytes", d, t) / MIB_BYTES, member(row, "write_mib_s"),
             5.1e-10);
        if ((optional = cJSON_GetObjectItem(row, "avg_write_kib")))
            same("avg_write_kib", ratio("VolumeWriteBytes", "VolumeWriteOps", d, t) / 1024,
                 optional, 5.1e-7);
        if ((optional = cJSON_GetObjectItem(row, "avg_write_ms")))
            same("avg_write_ms", ratio("VolumeTotalWriteTime", "VolumeWriteOps", d, t) * 1000,
                 optional, 5.1e-7);
        if ((optional = cJSON_GetObjectItem(row, "idle_pct_raw")))
            same("idle_pct_raw", per_s("VolumeIdleTime", d, t) * 100, optional, 5.1e-7);
        if ((optional = cJSON_GetObjectItem(row, "burst_balance_pct")))
            same("burst_balance_pct", sample("BurstBalance", d, t, "Average")->value, optional,
                 5.1e-10);
        if (strcmp(cJSON_GetStringValue(member(row, "hypervisor")), "xen") == 0)
            for (size_t i = 0; i < got.n_metrics; i++) /* 0 must not be shown as a peak */
                assert_false(got.metrics[i].statistic == STATISTIC_MAXIMUM &&
                             got.metrics[i].time_ms == t && span_is(got.metrics[i].dimension, d) &&
                             span_is(got.metrics[i].metric, "VolumeWriteBytes"));
    }
    /* "volumes": distinct ids */
    size_t volumes = 0;
    for (size_t i = 0; i < got.n_metrics; i++) {
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++)
            seen = span_eq(got.metrics[i].dimension, got.metrics[j].dimension);
        volumes += !seen;
    }
    same("volumes", (double)volumes, member(v, "volumes"), 0);
}

/* 029: mackerel's numbers are per second already. */
static void rates_already(const char *file, const cJSON *v)
{
    static const struct {
        const char *key, *metric;
        double divide;
    } rows[] = {
        { "write_iops", "VolumeWriteOps", 1 },
        { "write_bytes_per_s", "VolumeWriteBytes", 1 },
        { "write_mib_s", "VolumeWriteBytes", 1048576 },
        { "read_iops", "VolumeReadOps", 1 },
        { "read_bytes_per_s", "VolumeReadBytes", 1 },
        { "size_per_op", "write_size_per_op", 1 },
    };
    read_file(file, NAN);
    for (size_t i = 0; i < N(rows); i++) {
        const struct metric_sample *s =
            sample(rows[i].metric, "VolumeId=vol-DUMMY", UNKNOWN, "mackerel");
        same(rows[i].key, s ? s->value / rows[i].divide : NAN,
             member(member(v, "rows"), rows[i].key), 5.1e-10);
        if (s) {
            same("epoch", (double)s->time_ms / 1000, member(v, "epoch"), 0);
            if (rows[i].metric[0] == 'V')
                assert_true(metric_sample_per_s(s) == s->value);
        }
    }
}

/* 039: 11 of 4 730 points came twice and are dropped; what the truth counts is both together. */
static void series(const char *file, const cJSON *v)
{
    size_t zeros = 0, top = 0;
    double widest = 0, shortest = INFINITY;
    read_file(file, NAN);
    for (size_t i = 0; i < got.n_metrics; i++) {
        zeros += got.metrics[i].value == 0;
        if (got.metrics[i].value > got.metrics[top].value)
            top = i;
        if (!i)
            continue;
        double step = (double)(got.metrics[i].time_ms - got.metrics[i - 1].time_ms) / 1000;
        widest = step > widest ? step : widest;
        shortest = step < shortest ? step : shortest;
        assert_true(isnan(metric_sample_per_s(&got.metrics[i])));
    }
    same("rows", (double)(got.rows + got.skipped), member(v, "rows"), 0);
    same("duplicates", (double)got.skipped, member(v, "duplicate_timestamps"), 0);
    same("zeros", (double)zeros + (double)got.skipped, member(v, "zeros"), 0);
    same("gap", widest, member(v, "gap_s"), 0);
    same("short step", shortest, member(v, "short_step_s"), 0);
    same_time("first", got.metrics[0].time_ms, member(v, "first"));
    same_time("last", got.metrics[got.n_metrics - 1].time_ms, member(v, "last"));
    same_time("time of max", got.metrics[top].time_ms, member(member(v, "max"), "timestamp"));
    same("max", got.metrics[top].value, member(member(v, "max"), "value"), 0);
    /* the note: if it is a Sum over 300 s */
    assert_true(fabs(got.metrics[top].value / 300 - 1824856.666666667) < 5.1e-9);
    n_figures++;
}

#endif
