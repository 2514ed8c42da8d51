/* tests/data/ingest/cloudwatch/test_cw_data.c - get-metric-data with and without its request. */
#include "tests/data/ingest/json/sink_log.h"

#define N(a) (sizeof(a) / sizeof *(a))

#define REQUEST                                                                                    \
    "[{\"Id\":\"r\",\"MetricStat\":{\"Metric\":{\"Namespace\":\"AWS/EBS\",\"MetricName\":"         \
    "\"VolumeReadOps\",\"Dimensions\":[{\"Name\":\"VolumeId\",\"Value\":\"vol-0aa1\"}]},"          \
    "\"Period\":300,\"Stat\":\"Sum\"},\"ReturnData\":false},"                                      \
    "{\"Id\":\"x\",\"MetricStat\":{\"Metric\":{\"Namespace\":\"AWS/EBS\",\"MetricName\":"          \
    "\"VolumeReadOps\",\"Dimensions\":[{\"Name\":\"VolumeId\",\"Value\":\"vol-0aa1\"}]},"          \
    "\"Period\":300,\"Stat\":\"Maximum\"}},"                                                       \
    "{\"Id\":\"e\",\"Expression\":\"r/PERIOD(r)\",\"Label\":\"read IOPS\"}]\n"
#define R(id, label, times, values)                                                                \
    "{\"Id\":\"" id "\",\"Label\":\"" label "\",\"Timestamps\":[" times "],\"Values\":[" values    \
    "],\"StatusCode\":\"Complete\"}"
#define RESULTS(list) "{\"MetricDataResults\":[" list "],\"Messages\":[]}\n"
#define T0            "\"2026-03-02T10:00:00+00:00\""
#define T5            "\"2026-03-02T10:05:00+00:00\""
#define UNASKED(line, id)                                                                          \
    "warning " #line " series '" id "': no request file says its metric, statistic and period; "   \
    "put the file of --metric-data-queries beside it\n"

static const struct log_case cases[] = {
    { "the request in front says metric, volume, statistic and period; newest first is turned "
      "round",
      "cw_data", REQUEST RESULTS(R("r", "any text", T5 "," T0, "600,300")),
      "metric AWS/EBS VolumeReadOps VolumeId=vol-0aa1 Sum 300 2026-03-02T10:00:00Z 300 - @2\n"
      "metric AWS/EBS VolumeReadOps VolumeId=vol-0aa1 Sum 300 2026-03-02T10:05:00Z 600 - @2\n"
      "rows 2 skipped 0\n",
      0 },
    { "a request behind the answer serves as well; a Maximum is never a rate", "cw_data",
      RESULTS(R("x", "any", T0, "9")) REQUEST,
      "metric AWS/EBS VolumeReadOps VolumeId=vol-0aa1 Maximum 300 2026-03-02T10:00:00Z 9 - @1\n"
      "rows 1 skipped 0\n",
      0 },
    { "metric math keeps its text and is left alone", "cw_data",
      REQUEST RESULTS(R("e", "read IOPS", T0, "1.5")),
      "metric - read IOPS - other/r/PERIOD(r) 60 2026-03-02T10:00:00Z 1.5 - @2\n"
      "rows 1 skipped 0\n",
      60 },
    { "no request: neither metric nor statistic is guessed from the label", "cw_data",
      RESULTS(R("m1", "VolumeReadOps", T0 "," T5, "1,2")),
      UNASKED(1, "m1") "metric - VolumeReadOps Id=m1 other/ 300 2026-03-02T10:00:00Z 1 - @1\n"
                       "metric - VolumeReadOps Id=m1 other/ 300 2026-03-02T10:05:00Z 2 - @1\n"
                       "rows 2 skipped 0\n",
      300 },
    { "pages repeat the Id: joined, and the token of the first page is answered by the second",
      "cw_data",
      REQUEST "{\"MetricDataResults\":[" R("r", "a", T5, "600") "],\"NextToken\":\"t\"}\n" RESULTS(
          R("r", "a", T0, "300")),
      "metric AWS/EBS VolumeReadOps VolumeId=vol-0aa1 Sum 300 2026-03-02T10:00:00Z 300 - @3\n"
      "metric AWS/EBS VolumeReadOps VolumeId=vol-0aa1 Sum 300 2026-03-02T10:05:00Z 600 - @2\n"
      "rows 2 skipped 0\n",
      0 },
    { "partial data is told with CloudWatch's words, and is not zero", "cw_data",
      "{\"MetricDataResults\":[{\"Label\":\"VolumeReadOps\",\"Timestamps\":[],\"Values\":[],"
      "\"StatusCode\":\"PartialData\",\"Messages\":[{\"Code\":\"c\",\"Value\":\"ask later\"}]}],"
      "\"Messages\":[{\"Code\":\"PartialData\",\"Value\":\"some\"}],\"NextToken\":\"next\"}",
      "warning 1 series 'VolumeReadOps': PartialData: points are missing, not zero: ask later\n"
      "warning 1 CloudWatch says PartialData: some\n"
      "warning 1 NextToken: the answer goes on; ask for the next page\n"
      "rows 0 skipped 0\n",
      0 },
    { "arrays of different lengths", "cw_data",
      "[{\"Id\":\"id_1_VolumeReadOps\",\"Label\":\"1\",\"Timestamps\":[],\"Values\":[[0.003,null]]}"
      "]",
      "-2 f:1: series 'id_1_VolumeReadOps': 0 Timestamps, but 1 Values\n", 0 },
    { "values that are pairs", "cw_data", RESULTS(R("m", "l", T0, "[0.003,null]")),
      "-2 f:1: series 'm': a Value is no number\n", 0 },
    { "a value beyond a double", "cw_data", RESULTS(R("m", "l", T0, "1e999")),
      "-2 f:1: series 'm': a Value is no number\n", 0 },
    { "a time stamp that is none", "cw_data", RESULTS(R("m", "l", "\"noon\"", "1")),
      "-2 f:1: series 'm': a Timestamp is no time\n", 0 },
    { "a SEARCH gives many series one Id: labels tell them apart", "cw_data",
      "{\"MetricDataQueries\":[{\"Id\":\"s\",\"Expression\":\"SEARCH('{AWS/EBS,VolumeId} "
      "MetricName=\\\"VolumeWriteBytes\\\"', 'Sum', 60)\"}]}\n" RESULTS(
          R("s", "vol-0bb2 VolumeWriteBytes", T0, "2") "," R("s", "vol-0aa1", T0, "1")),
      "metric AWS/EBS VolumeWriteBytes VolumeId=vol-0bb2 Sum 60 2026-03-02T10:00:00Z 2 - @2\n"
      "metric AWS/EBS VolumeWriteBytes VolumeId=vol-0aa1 Sum 60 2026-03-02T10:00:00Z 1 - @2\n"
      "rows 2 skipped 0\n",
      0 },
    { "a request alone is listed", "cw_data", REQUEST,
      "metric_queries id=e expression=r/PERIOD(r) label=read IOPS\n"
      "metric_queries id=r namespace=AWS/EBS metric=VolumeReadOps dimension=VolumeId=vol-0aa1 "
      "statistic=Sum period_s=300\n"
      "metric_queries id=x namespace=AWS/EBS metric=VolumeReadOps dimension=VolumeId=vol-0aa1 "
      "statistic=Maximum period_s=300\n"
      "rows 3 skipped 0\n",
      0 },
    { "list-metrics is listed; dimensions in name order", "cw_data",
      "{\"Metrics\":[{\"Namespace\":\"CWAgent\",\"MetricName\":\"diskio_ebs_total_read_ops\","
      "\"Dimensions\":[{\"Name\":\"VolumeId\",\"Value\":\"vol-0aa1\"},{\"Name\":\"InstanceId\","
      "\"Value\":\"i-0cc3\"}]}]}",
      "metrics namespace=CWAgent metric=diskio_ebs_total_read_ops "
      "dimension=InstanceId=i-0cc3,VolumeId=vol-0aa1\n"
      "rows 1 skipped 0\n",
      0 },
};

static int add_request(struct cw_request *io, const char *text, struct arena *a)
{
    struct err e;
    struct source *src = source_of_span("request.json", span_of(text));
    int rc = src ? cw_request_add(src, a, io, &e) : ERR_NOMEM;
    source_close(src);
    return rc;
}

/* The request file of the same folder, given by the caller. */
static void request_beside(void **state)
{
    (void)state;
    static struct text_log g;
    struct arena a = { 0 };
    struct cw_request r = { 0 };
    struct err e;
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN, .request = &r };
    assert_true(cw_request_detect(span_of(REQUEST)));
    assert_false(cw_request_detect(span_of(RESULTS(R("r", "a", T0, "1")))));
    assert_int_equal(add_request(&r, REQUEST, &a), 0);
    assert_int_equal(add_request(&r, REQUEST, &a), 0); /* twice the same is no contradiction */
    assert_int_equal(r.n, 3);
    log_read(&g, "cw_data", span_of(RESULTS(R("r", "a", T0, "300"))), &o, &e);
    assert_string_equal(
        g.text,
        "metric AWS/EBS VolumeReadOps VolumeId=vol-0aa1 Sum 300 2026-03-02T10:00:00Z 300 - @1\n"
        "rows 1 skipped 0\n");
    arena_release(&a);
}

/* Two request files that use one Id for different metrics: neither is believed. */
static void requests_differ(void **state)
{
    (void)state;
    static struct text_log g;
    struct arena a = { 0 };
    struct cw_request r = { 0 };
    struct err e;
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = 300, .request = &r };
    assert_int_equal(add_request(&r, REQUEST, &a), 0);
    assert_int_equal(add_request(&r, "[{\"Id\":\"r\",\"Expression\":\"m1+m2\"}]", &a), 0);
    log_read(&g, "cw_data", span_of(RESULTS(R("r", "a", T0, "300"))), &o, &e);
    assert_string_equal(g.text,
                        "warning 1 Id 'r': the request files differ about it\n" UNASKED(
                            1, "r") "metric - a Id=r other/ 300 2026-03-02T10:00:00Z 300 - @1\n"
                                    "rows 1 skipped 0\n");
    arena_release(&a);
}

static void mangle(void **state)
{
    (void)state;
    mangle_log(&cases[0]);
    mangle_log(&cases[5]);
    mangle_log(&cases[10]);
}

int main(void)
{
    const struct CMUnitTest more[] = {
        cmocka_unit_test(request_beside),
        cmocka_unit_test(requests_differ),
        cmocka_unit_test(mangle),
    };
    return run_log_cases(cases, N(cases), more, N(more));
}
