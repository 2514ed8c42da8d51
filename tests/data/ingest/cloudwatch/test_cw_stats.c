/* tests/data/ingest/cloudwatch/test_cw_stats.c - get-metric-statistics, a bare CSV, mackerel's
 * lines. */
#include "tests/data/ingest/json/sink_log.h"

#define N(a) (sizeof(a) / sizeof *(a))

#define WHOSE(line)                                                                                \
    "warning " #line " get-metric-statistics does not say of which volume or instance it is\n"
#define POINT(hhmm, rest) "{\"Timestamp\":\"2026-03-02T" hhmm ":00Z\"," rest "}"
#define OPS(points)       "{\"Label\":\"VolumeReadOps\",\"Datapoints\":[\n" points "\n]}\n"

static const struct log_case cases[] = {
    { "unsorted points are put in order, the smallest step is the period; all with a warning",
      "cw_stats",
      OPS(POINT("10:10", "\"Sum\":600,\"Unit\":\"Count\"") ",\n" POINT(
          "10:00", "\"Sum\":300,\"Unit\":\"Count\"") ",\n" POINT("10:05",
                                                                 "\"Sum\":0,\"Unit\":\"Count\"")),
      WHOSE(1) "warning 3 VolumeReadOps : the period is not in the file; 300 s inferred from the "
               "distance of points (--interval states it)\n"
               "metric - VolumeReadOps - Sum 300~ 2026-03-02T10:00:00Z 300 Count @3\n"
               "metric - VolumeReadOps - Sum 300~ 2026-03-02T10:05:00Z 0 Count @4\n"
               "metric - VolumeReadOps - Sum 300~ 2026-03-02T10:10:00Z 600 Count @2\n"
               "rows 3 skipped 0\n",
      0 },
    { "the period that the user states is used, without a warning", "cw_stats",
      OPS(POINT("10:10", "\"Sum\":600") ",\n" POINT("10:00", "\"Sum\":300")),
      WHOSE(1) "metric - VolumeReadOps - Sum 60 2026-03-02T10:00:00Z 300 - @3\n"
               "metric - VolumeReadOps - Sum 60 2026-03-02T10:10:00Z 600 - @2\n"
               "rows 2 skipped 0\n",
      60 },
    { "one point tells no period: no rates", "cw_stats", OPS(POINT("10:00", "\"Sum\":300")),
      WHOSE(1) "warning 2 VolumeReadOps : the period is not in the file and the points do not tell "
               "it; no rates (--interval states it)\n"
               "metric - VolumeReadOps - Sum - 2026-03-02T10:00:00Z 300 - @2\n"
               "rows 1 skipped 0\n",
      0 },
    { "two odd steps tell none either (34 and 106 minutes)", "cw_stats",
      OPS(POINT("10:00", "\"Maximum\":21") ",\n" POINT("10:34", "\"Maximum\":15") ",\n" POINT(
          "12:20", "\"Maximum\":14")),
      WHOSE(1) "warning 2 VolumeReadOps : the period is not in the file and the points do not tell "
               "it; no rates (--interval states it)\n"
               "metric - VolumeReadOps - Maximum - 2026-03-02T10:00:00Z 21 - @2\n"
               "metric - VolumeReadOps - Maximum - 2026-03-02T10:34:00Z 15 - @3\n"
               "metric - VolumeReadOps - Maximum - 2026-03-02T12:20:00Z 14 - @4\n"
               "rows 3 skipped 0\n",
      0 },
    { "stitched files overlap: the last of equal times stays, what differs is counted", "cw_stats",
      OPS(POINT("10:00", "\"Sum\":1") ",\n" POINT("10:01", "\"Sum\":2") ",\n" POINT(
          "10:01", "\"Sum\":2") ",\n" POINT("10:01", "\"Sum\":3")),
      WHOSE(1) "warning 2 VolumeReadOps : 2 duplicate time stamps, 1 of them with another value; "
               "the last in the file is used\n"
               "metric - VolumeReadOps - Sum 60 2026-03-02T10:00:00Z 1 - @2\n"
               "metric - VolumeReadOps - Sum 60 2026-03-02T10:01:00Z 3 - @5\n"
               "rows 2 skipped 2\n",
      60 },
    { "every statistic under its own name; Average x SampleCount is the Sum of a counter",
      "cw_stats",
      OPS(POINT("10:00", "\"Average\":2.5,\"SampleCount\":4,\"Maximum\":4,\"Minimum\":1,"
                         "\"ExtendedStatistics\":{\"p99.9\":3.9}")),
      WHOSE(
          1) "metric - VolumeReadOps - Average 60 2026-03-02T10:00:00Z 2.5 - @2\n"
             "metric - VolumeReadOps - Maximum 60 2026-03-02T10:00:00Z 4 - @2\n"
             "metric - VolumeReadOps - Minimum 60 2026-03-02T10:00:00Z 1 - @2\n"
             "metric - VolumeReadOps - SampleCount 60 2026-03-02T10:00:00Z 4 - @2\n"
             "metric - VolumeReadOps - Sum/Average x SampleCount 60 2026-03-02T10:00:00Z 10 - @2\n"
             "metric - VolumeReadOps - other/p99.9 60 2026-03-02T10:00:00Z 3.9 - @2\n"
             "rows 6 skipped 0\n",
      60 },
    { "an average of a metric that is a rate is a rate; the Sum of a level is none", "cw_stats",
      "{\"Label\":\"VolumeAvgIOPS\",\"Datapoints\":[{\"Timestamp\":1772445600,\"Average\":90}]}\n"
      "{\"Label\":\"BurstBalance\",\"Datapoints\":[{\"Timestamp\":1772445600000,\"Sum\":495}]}\n",
      WHOSE(1) "metric - VolumeAvgIOPS - Rate/Average 60 2026-03-02T10:00:00Z 90 - @1\n" WHOSE(
          2) "metric - BurstBalance - other/Sum 60 2026-03-02T10:00:00Z 495 - @2\n"
             "rows 2 skipped 0\n",
      60 },
    { "no points is no data, not zero", "cw_stats",
      "{\"Label\":\"VolumeReadOps\",\"Datapoints\":[]}", "rows 0 skipped 0\n", 0 },
    { "an SDK recording: wrapped, with time stamps in pieces, keys in any order", "cw_stats",
      "{\"status_code\":200,\"data\":{\"Datapoints\":[{\"Timestamp\":{\"__class__\":\"datetime\","
      "\"year\":2026,\"month\":3,\"day\":2,\"hour\":10,\"minute\":0,\"second\":5,"
      "\"microsecond\":250000},\"Sum\":7}],\"Label\":\"VolumeWriteOps\"}}",
      WHOSE(1) "metric - VolumeWriteOps - Sum 60 2026-03-02T10:00:05.250Z 7 - @1\n"
               "rows 1 skipped 0\n",
      60 },
    { "a unit that cannot be right: the name is believed", "cw_stats",
      OPS(POINT("10:00", "\"Sum\":3,\"Unit\":\"Seconds\"")),
      "warning 2 VolumeReadOps has the unit 'Seconds', not Count; the name is believed\n" WHOSE(
          1) "metric - VolumeReadOps - Sum 60 2026-03-02T10:00:00Z 3 Seconds @2\n"
             "rows 1 skipped 0\n",
      60 },
    { "a point without time", "cw_stats", OPS("{\"Sum\":1}"),
      "-2 f:2: a Datapoint without a readable Timestamp\n", 0 },
    { "the JSON is cut", "cw_stats", "{\"Datapoints\":[{\"Sum\":1},\n",
      "-2 f:2: column 1: not valid JSON: the input ends where a value should be (after the key "
      "'Sum')\n",
      0 },
    { "Datapoints that are no list", "cw_stats", "{\"Datapoints\":7}",
      "-2 f:1: expected a list, found '7'\n", 0 },
    { "a bare CSV: sorted, duplicates dropped, a blank value is missing, never a rate", "cw_stats",
      "timestamp,value\n2026-03-02 10:00:00,5\n2026-03-02 10:05:00,0\n2026-03-02 10:05:00,0\n"
      "2026-03-02 10:10:00,\n2026-03-02 10:15:00,2.5\n",
      "warning 1 the CSV names neither metric nor statistic nor volume: no rates are made of it\n"
      "warning 2 times without a zone are taken as UTC; --tz says otherwise\n"
      "warning 2 value : 1 duplicate time stamps, 0 of them with another value; the last in the "
      "file "
      "is used\n"
      "warning 2 value : the period is not in the file; 300 s inferred from the distance of points "
      "(--interval states it)\n"
      "metric - value - other/ 300~ 2026-03-02T10:00:00Z 5 - @2\n"
      "metric - value - other/ 300~ 2026-03-02T10:05:00Z 0 - @4\n"
      "metric - value - other/ 300~ 2026-03-02T10:15:00Z 2.5 - @6\n"
      "rows 3 skipped 2\n",
      0 },
    { "a bare CSV with a bad value", "cw_stats", "timestamp,value\n2026-03-02T10:00:00Z,nan\n",
      "warning 1 the CSV names neither metric nor statistic nor volume: no rates are made of it\n"
      "-2 f:2: column 'value': bad value 'nan'\n",
      0 },
    { "a bare CSV with a bad time", "cw_stats", "timestamp,value\nyesterday,1\n",
      "warning 1 the CSV names neither metric nor statistic nor volume: no rates are made of it\n"
      "-2 f:2: column 'timestamp': bad value 'yesterday'\n",
      0 },
    { "mackerel's lines are rates already; lines of its log are skipped", "cw_stats",
      "2026/03/02 10:00:00 vol-0aa1 fetched no datapoints:VolumeReadBytes\n"
      "ec2.ebs.throughput.vol-0aa1.write\t0.5\t1772445600\n"
      "ec2.ebs.bandwidth.vol-0aa1.write\t4096\t1772445600\n"
      "ec2.ebs.latency.vol-0aa1.write\tnan\t1772445600\n",
      "metric - VolumeWriteOps VolumeId=vol-0aa1 Rate/mackerel - 2026-03-02T10:00:00Z 0.5 "
      "Count/Second @2\n"
      "metric - VolumeWriteBytes VolumeId=vol-0aa1 Rate/mackerel - 2026-03-02T10:00:00Z 4096 "
      "Bytes/Second @3\n"
      "rows 2 skipped 2\n",
      0 },
};

/* 14 points an hour apart, then three five minutes and three one minute apart: CloudWatch keeps old
 * points coarser.  The points at 00:00 and 00:15 of the next day are the first of the finer ones.
 */
static void mixed_periods(void **state)
{
    (void)state;
    static struct text_log g;
    char text[4000] = "timestamp,value\n";
    size_t at = strlen(text);
    struct err e;
    for (int h = 10; h < 24; h++)
        at += (size_t)snprintf(text + at, sizeof text - at, "2026-03-01T%02d:00:00Z,1\n", h);
    for (int m = 0; m <= 70; m += 5)
        at += (size_t)snprintf(text + at, sizeof text - at, "2026-03-02T%02d:%02d:00Z,1\n", m / 60,
                               m % 60);
    for (int m = 11; m <= 13; m++)
        at += (size_t)snprintf(text + at, sizeof text - at, "2026-03-02T01:%02d:00Z,1\n", m);
    assert_int_equal(log_read(&g, "cw_stats", span_of(text), NULL, &e), 0);
    assert_non_null(strstr(g.text, "60 s inferred"));
    assert_non_null(strstr(g.text, "the points up to 2026-03-01T23:00:00Z lie 3600 s apart"));
    assert_non_null(strstr(g.text, "the points up to 2026-03-02T01:05:00Z lie 300 s apart"));
    assert_non_null(strstr(g.text, " 3600~ 2026-03-01T23:00:00Z"));
    assert_non_null(strstr(g.text, " 300~ 2026-03-02T00:00:00Z"));
    assert_non_null(strstr(g.text, " 300~ 2026-03-02T01:05:00Z"));
    assert_non_null(strstr(g.text, " 60~ 2026-03-02T01:10:00Z"));
    assert_non_null(strstr(g.text, " 60~ 2026-03-02T01:13:00Z"));
}

/* The request states 60 s, the answer is old: every point lies an hour apart. */
static void all_coarser_than_stated(void **state)
{
    (void)state;
    static struct text_log g;
    char text[2000] = "timestamp,value\n";
    size_t at = strlen(text);
    struct err e;
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = 60 };
    for (int h = 0; h < 12; h++)
        at += (size_t)snprintf(text + at, sizeof text - at, "2026-03-01T%02d:00:00Z,1\n", h);
    assert_int_equal(log_read(&g, "cw_stats", span_of(text), &o, &e), 0);
    assert_non_null(strstr(g.text, " 3600~ 2026-03-01T00:00:00Z"));
    assert_non_null(strstr(g.text, " 3600~ 2026-03-01T11:00:00Z"));
    assert_null(strstr(g.text, " 60 2026"));
}

static void mangle(void **state)
{
    (void)state;
    mangle_log(&cases[5]);
    mangle_log(&cases[8]);
    mangle_log(&cases[13]);
    mangle_log(&cases[16]);
}

int main(void)
{
    const struct CMUnitTest more[] = {
        cmocka_unit_test(mixed_periods),
        cmocka_unit_test(all_coarser_than_stated),
        cmocka_unit_test(mangle),
    };
    return run_log_cases(cases, N(cases), more, N(more));
}
