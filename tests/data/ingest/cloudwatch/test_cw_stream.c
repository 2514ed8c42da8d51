/* tests/data/ingest/cloudwatch/test_cw_stream.c - metric streams in all their wrappings. */
#include "tests/data/ingest/json/sink_log.h"

#include "models/core/base64.h"

#define N(a) (sizeof(a) / sizeof *(a))

/* 1772445660000 = 2026-03-02T10:01:00Z, 1772445600000 = 10:00 (a multiple of five minutes). */
#define REC(ns, metric, dims, t, value, unit)                                                      \
    "{\"metric_stream_name\":\"s\",\"account_id\":\"111122223333\",\"region\":\"eu-west-1\","      \
    "\"namespace\":\"" ns "\",\"metric_name\":\"" metric "\",\"dimensions\":{" dims                \
    "},\"timestamp\":" t ",\"value\":{" value "},\"unit\":\"" unit "\"}"
#define VOL "\"VolumeId\":\"vol-0aa1\""
#define READS                                                                                      \
    REC("AWS/EBS", "VolumeReadOps", VOL, "1772445660000",                                          \
        "\"max\":20.0,\"min\":20.0,\"sum\":20.0,\"count\":1.0", "Count")
#define PERIOD(line)                                                                               \
    "warning " #line " a metric stream does not carry the period: 60 s is taken, and 300 s for "   \
    "basic monitoring of AWS/EC2 (--interval states it)\n"
#define M "metric AWS/EBS VolumeReadOps VolumeId=vol-0aa1 "
#define GOT_READS(line)                                                                            \
    M "Sum 60~ 2026-03-02T10:01:00Z 20 Count @" #line "\n" M                                       \
      "SampleCount 60~ 2026-03-02T10:01:00Z 1 Count @" #line "\n" M                                \
      "Maximum 60~ 2026-03-02T10:01:00Z 20 Count @" #line "\n" M                                   \
      "Minimum 60~ 2026-03-02T10:01:00Z 20 Count @" #line "\n"

static const struct log_case cases[] = {
    { "JSON lines, one record each", "cw_stream", READS "\n" READS "\n",
      PERIOD(1) GOT_READS(1) GOT_READS(2) "rows 8 skipped 0\n", 0 },
    { "a single object over several lines, with percentiles", "cw_stream",
      "{\n\"namespace\":\"AWS/EBS\",\n\"metric_name\":\"VolumeReadOps\",\n\"dimensions\":{" VOL
      "},\n\"timestamp\":1772445660000,\n\"value\":{\"sum\":20,\"p99.9\":4},\n\"unit\":\"Count\"\n}"
      "\n",
      M "Sum 60 2026-03-02T10:01:00Z 20 Count @1\n" M
        "other/p99.9 60 2026-03-02T10:01:00Z 4 Count @1\n"
        "rows 2 skipped 0\n",
      60 },
    { "an array; a record without value is skipped, not zero", "cw_stream",
      "[" READS ",\n{\"namespace\":\"AWS/EBS\",\"metric_name\":\"VolumeWriteOps\",\"timestamp\":"
      "1772445660000}]",
      PERIOD(1) GOT_READS(1) "warning 2 a record without value; it and others like it are skipped\n"
                             "rows 4 skipped 1\n",
      0 },
    { "records run together on one line", "cw_stream", READS READS,
      PERIOD(1) GOT_READS(1) GOT_READS(1) "rows 8 skipped 0\n", 0 },
    { "a Firehose envelope; its data is base64 of a line", "cw_stream",
      "{\"requestId\":\"q\",\"timestamp\":1,\"records\":[\n{\"data\":"
      /* {"namespace":"AWS/EBS","metric_name":"VolumeIdleTime","timestamp":1772445660000,
         "value":{"sum":60.09}} */
      "\"eyJuYW1lc3BhY2UiOiJBV1MvRUJTIiwibWV0cmljX25hbWUiOiJWb2x1bWVJZGxlVGltZSIsInRpbWVzdGFtcCI6MT"
      "c3"
      "MjQ0NTY2MDAwMCwidmFsdWUiOnsic3VtIjo2MC4wOX19Cg==\"}]}",
      "metric AWS/EBS VolumeIdleTime - Sum 60 2026-03-02T10:01:00Z 60.09 - @2\n"
      "rows 1 skipped 0\n",
      60 },
    { "Firehose data that is gzip of the same line", "cw_stream",
      "{\"requestId\":\"q\",\"records\":[{\"data\":"
      "\"H4sIAAAAAAACA6tWykvMTS0uSExOVbJScgwP1nd1ClbSUcpNLSnKTI4HSQLFw/"
      "JzSnNTPVNyUkMygQI6SiVAqrgkMbdAycrQ3NzIxMTUzMwACHSUyhJzSoFaqpWKS3OVrMwM9Awsa2u5AFU4WOdnAAAA\""
      "}]}",
      "metric AWS/EBS VolumeIdleTime - Sum 60 2026-03-02T10:01:00Z 60.09 - @1\n"
      "rows 1 skipped 0\n",
      60 },
    { "Firehose data that is gzip cut short", "cw_stream",
      "{\"requestId\":\"q\",\"records\":[{\"data\":"
      "\"H4sIAAAAAAACA6tWykvMTS0uSExOVbJScgwP1nd1ClbSUcpNLSnKTA==\"}]}",
      "-2 f:1: data of a Firehose record is damaged gzip data\n", 0 },
    { "Firehose data that is no base64", "cw_stream",
      "{\"requestId\":\"q\",\"records\":[{\"data\":\"a_b!\"}]}",
      "-2 f:1: data of a Firehose record is not base64\n", 0 },
    { "basic monitoring: five samples at a multiple of five minutes are 300 s", "cw_stream",
      REC("AWS/EC2", "EBSWriteBytes", "\"InstanceId\":\"i-0cc3\"", "1772445600000",
          "\"sum\":10000384.0,\"count\":5.0",
          "Bytes") "\n" REC("AWS/EC2", "EBSWriteBytes", "\"InstanceType\":\"r5.large\"",
                            "1772445660000", "\"sum\":6.0,\"count\":5.0", "Bytes") "\n",
      PERIOD(1) "metric AWS/EC2 EBSWriteBytes InstanceId=i-0cc3 Sum 300~ 2026-03-02T10:00:00Z "
                "10000384 "
                "Bytes @1\n"
                "metric AWS/EC2 EBSWriteBytes InstanceId=i-0cc3 SampleCount 300~ "
                "2026-03-02T10:00:00Z 5 "
                "Bytes @1\n"
                "metric AWS/EC2 EBSWriteBytes InstanceType=r5.large Sum 60~ 2026-03-02T10:01:00Z 6 "
                "Bytes "
                "@2\n"
                "metric AWS/EC2 EBSWriteBytes InstanceType=r5.large SampleCount 60~ "
                "2026-03-02T10:01:00Z "
                "5 Bytes @2\n"
                "rows 4 skipped 0\n",
      0 },
    { "Xen: max and min are 0 whatever was written; they are no peak", "cw_stream",
      REC("AWS/EBS", "VolumeWriteBytes", VOL, "1772445660000",
          "\"max\":0.0,\"min\":0.0,\"sum\":5971456.0,\"count\":203.0", "Bytes") "\n",
      "metric AWS/EBS VolumeWriteBytes VolumeId=vol-0aa1 Sum 60 2026-03-02T10:01:00Z 5971456 Bytes "
      "@1\n"
      "metric AWS/EBS VolumeWriteBytes VolumeId=vol-0aa1 SampleCount 60 2026-03-02T10:01:00Z 203 "
      "Bytes "
      "@1\n"
      "warning 1 max and min are 0 beside a sum of 5.97146e+06 (VolumeWriteBytes): left out\n"
      "rows 2 skipped 0\n",
      60 },
    { "the average of a level is sum / count", "cw_stream",
      REC("AWS/EBS", "BurstBalance", VOL, "1772445660000",
          "\"max\":100.0,\"min\":99.0,\"sum\":199.0,\"count\":2.0", "Percent") "\n",
      "metric AWS/EBS BurstBalance VolumeId=vol-0aa1 other/Sum 60 2026-03-02T10:01:00Z 199 Percent "
      "@1\n"
      "metric AWS/EBS BurstBalance VolumeId=vol-0aa1 SampleCount 60 2026-03-02T10:01:00Z 2 Percent "
      "@1\n"
      "metric AWS/EBS BurstBalance VolumeId=vol-0aa1 Average 60 2026-03-02T10:01:00Z 99.5 Percent "
      "@1\n"
      "metric AWS/EBS BurstBalance VolumeId=vol-0aa1 Maximum 60 2026-03-02T10:01:00Z 100 Percent "
      "@1\n"
      "metric AWS/EBS BurstBalance VolumeId=vol-0aa1 Minimum 60 2026-03-02T10:01:00Z 99 Percent "
      "@1\n"
      "rows 5 skipped 0\n",
      60 },
    { "a unit that cannot be right", "cw_stream",
      REC("AWS/EBS", "VolumeReadOps", VOL, "1772445660000", "\"sum\":1", "Seconds") "\n",
      "warning 1 VolumeReadOps has the unit 'Seconds', not Count; the name is believed\n" M
      "Sum 60 2026-03-02T10:01:00Z 1 Seconds @1\n"
      "rows 1 skipped 0\n",
      60 },
    { "a line cut at the end of the file costs that line", "cw_stream",
      READS "\n{\"namespace\":\"AWS/EBS\",\"metric_na",
      PERIOD(1) GOT_READS(1) "warning 2 column 24: not valid JSON: the input ends inside a text; "
                             "the line is skipped\n"
                             "rows 4 skipped 1\n",
      0 },
    { "a record without a readable time", "cw_stream",
      "{\"namespace\":\"AWS/EBS\",\"metric_name\":\"VolumeReadOps\",\"value\":{\"sum\":1}}\n",
      "warning 1 a record without a readable timestamp; it and others like it are skipped\n"
      "rows 0 skipped 1\n",
      0 },
    { "OpenTelemetry is protobuf: refused by name", "cw_stream",
      "\x20\x0A\x1E\x0A\x1C\x0A\x16"
      "cloud.provider\x12\x05\x0A\x03"
      "aws-and-more",
      "-2 f:1: a metric stream in OpenTelemetry format (protobuf), which is not read; set the "
      "stream's "
      "output format to JSON\n",
      0 },
};

static const struct base64_case {
    const char *text, *want; /* NULL = refused; RFC 4648 section 10 */
} base64_cases[] = {
    { "", "" },        { "Zg==", "f" },      { "Zm8=", "fo" },
    { "Zm9v", "foo" }, { "Zm9vYg", "foob" }, { "Zm9vYmFy", "foobar" },
    { "Zm9vY", NULL }, { "Zm=v", NULL },     { "Zm9\n", NULL },
};

static void base64(void **state)
{
    (void)state;
    for (size_t i = 0; i < N(base64_cases); i++) {
        char got[20];
        size_t n = 0;
        int rc = base64_decode(span_of(base64_cases[i].text), got, &n);
        assert_int_equal(rc == 0, base64_cases[i].want != NULL);
        if (rc == 0)
            assert_true(span_is((struct span){ got, n }, base64_cases[i].want));
        assert_true(n <= base64_room(strlen(base64_cases[i].text)));
    }
}

static void mangle(void **state)
{
    (void)state;
    mangle_log(&cases[0]);
    mangle_log(&cases[2]);
    mangle_log(&cases[4]);
}

int main(void)
{
    const struct CMUnitTest more[] = {
        cmocka_unit_test(base64),
        cmocka_unit_test(mangle),
    };
    return run_log_cases(cases, N(cases), more, N(more));
}
