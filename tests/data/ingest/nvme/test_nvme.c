/* tests/data/ingest/nvme/test_nvme.c - statistics of EBS volumes, text and JSON of both tools. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/nvme/nvme.h"
#include "tests/row_tests.h"

/* 1 000 reads of 8 KiB in 500 ms, 500 writes of 16 KiB in 1 000 ms. */
#define FIRST(colon)                                                                               \
    "Total Ops" colon "\n  Read: 1000\n  Write: 500\nTotal Bytes" colon                            \
    "\n  Read: 8192000\n  Write: 8192000\nTotal Time (us)" colon                                   \
    "\n  Read: 500000\n  Write: 1000000\n\nEBS Volume Performance Exceeded (us)" colon             \
    "\n  IOPS: 0\n  Throughput: 0\n\nEC2 Instance EBS Performance Exceeded (us)" colon             \
    "\n  IOPS: 0\n  Throughput: 500000\n\nQueue Length (point in time): 3 \n\n"
/* 2 000 reads of 4 KiB in 4 000 ms more; the volume's IOPS exceeded for 2.5 s. */
#define SECOND                                                                                     \
    "Total Ops\n  Read: 3000\n  Write: 500\nTotal Bytes\n  Read: 16384000\n  Write: 8192000\n"     \
    "Total Time (us)\n  Read: 4500000\n  Write: 1000000\n"                                         \
    "EBS Volume Performance Exceeded (us)\n  IOPS: 2500000\n  Throughput: 0\n"                     \
    "EC2 Instance EBS Performance Exceeded (us)\n  IOPS: 0\n  Throughput: 500000\n"                \
    "Queue Length (point in time): 0\n"
#define BINS                                                                                       \
    "Read IO Latency Histogram (us)\nNumber of bins: 2\n"                                          \
    "=================================\nLower       Upper        IO Count\n"                       \
    "[0        - 1       ] => 0\n[256      - 512     ] => 15\n\n"

#define COUNTERS_1                                                                                 \
    " total_read_ops=1000 total_write_ops=500 total_read_bytes=8192000 total_write_bytes=8192000 " \
    "total_read_time_us=500000 total_write_time_us=1000000 "                                       \
    "ebs_volume_performance_exceeded_iops_us=0 ebs_volume_performance_exceeded_tp_us=0 "           \
    "ec2_instance_ebs_performance_exceeded_iops_us=0 "                                             \
    "ec2_instance_ebs_performance_exceeded_tp_us=500000 volume_queue_length=3"
#define COUNTERS_2                                                                                 \
    " total_read_ops=3000 total_write_ops=500 total_read_bytes=16384000 "                          \
    "total_write_bytes=8192000 total_read_time_us=4500000 total_write_time_us=1000000 "            \
    "ebs_volume_performance_exceeded_iops_us=2500000 ebs_volume_performance_exceeded_tp_us=0 "     \
    "ec2_instance_ebs_performance_exceeded_iops_us=0 "                                             \
    "ec2_instance_ebs_performance_exceeded_tp_us=500000 volume_queue_length=0"
/* what both readings differ by, in 10 s */
#define SINCE                                                                                      \
    " interval_s=10 reads_per_s=200 writes_per_s=0 read_kib_per_s=800 write_kib_per_s=0 "          \
    "read_request_kib=4 read_await_ms=2 volume_iops_exceeded_us=2500000 "                          \
    "volume_iops_exceeded_pct=25 volume_throughput_exceeded_us=0 "                                 \
    "volume_throughput_exceeded_pct=0 instance_iops_exceeded_us=0 "                                \
    "instance_iops_exceeded_pct=0 instance_throughput_exceeded_us=0 "                              \
    "instance_throughput_exceeded_pct=0"

#define JSON_1                                                                                     \
    "{\"total_read_ops\": 1000, \"total_write_ops\": 500, \"total_read_bytes\": 8192000, "         \
    "\"total_write_bytes\": 8192000, \"total_read_time\": 500000, \"total_write_time\": 1000000, " \
    "\"ebs_volume_performance_exceeded_iops\": 0, \"ebs_volume_performance_exceeded_tp\": 0, "     \
    "\"ec2_instance_ebs_performance_exceeded_iops\": 0, "                                          \
    "\"ec2_instance_ebs_performance_exceeded_tp\": 500000, \"volume_queue_length\": 3, "           \
    "\"read_io_latency_histogram\": {\"num_bins\": 1, \"bins\": [{\"lower\": 0, \"upper\": 1, "    \
    "\"count\": 7}]}}\n"
#define JSON_2                                                                                     \
    "{\n  \"total_read_ops\":3000,\n  \"total_write_ops\":500,\n  \"total_read_bytes\":16384000,"  \
    "\n  \"total_write_bytes\":8192000,\n  \"total_read_time\":4500000,\n"                         \
    "  \"total_write_time\":1000000,\n  \"ebs_volume_performance_exceeded_iops\":2500000,\n"       \
    "  \"ebs_volume_performance_exceeded_tp\":0,\n"                                                \
    "  \"ec2_instance_performance_exceeded_iops\":0,\n"                                            \
    "  \"ec2_instance_performance_exceeded_tp\":500000,\n  \"volume_queue_length\":0\n}\n"

static const struct nvme_case {
    const char *why, *text, *want;
} nvme_cases[] = {
    { "one reading of ebsnvme", FIRST("") BINS, "readings" COUNTERS_1 "\n" },
    { "nvme-cli's headings end in colons", FIRST(":"), "readings" COUNTERS_1 "\n" },
    { "two readings, with times and the device between",
      "2022-05-18T07:00:00Z\n# nvme amzn stats /dev/nvme1n1\n" FIRST("") BINS
      "2022-05-18T07:00:10Z\n# nvme amzn stats /dev/nvme1n1\n" SECOND,
      "readings 2022-05-18T07:00:00Z device='nvme1n1'" COUNTERS_1 "\n"
      "readings 2022-05-18T07:00:10Z device='nvme1n1'" COUNTERS_2 SINCE "\n" },
    { "seconds since the epoch, and what date(1) prints", /* 1652857200 = 07:00 UTC */
      "1652857200\n" FIRST("") "Wed May 18 07:00:10 UTC 2022\n" SECOND,
      "readings 2022-05-18T07:00:00Z" COUNTERS_1 "\n"
      "readings 2022-05-18T07:00:10Z" COUNTERS_2 SINCE "\n" },
    { "two devices in turn", "#DEV nvme1n1\n" FIRST("") "#DEV nvme2n1\n" SECOND,
      "readings device='nvme1n1'" COUNTERS_1 "\nreadings device='nvme2n1'" COUNTERS_2 "\n" },
    { "two readings without a time: what was counted is known, rates are not", FIRST("") SECOND,
      "readings" COUNTERS_1 "\n"
      "! 22: nothing tells the time between two readings: say --interval to get rates\n"
      "readings" COUNTERS_2 " read_request_kib=4 read_await_ms=2 volume_iops_exceeded_us=2500000 "
      "volume_throughput_exceeded_us=0 instance_iops_exceeded_us=0 "
      "instance_throughput_exceeded_us=0\n" },
    { "ebsnvme -i 10: differences after the first, added up",
      "Polling EBS stats every 10 sec(s); press Ctrl+C to stop\n" FIRST(
          "") "\n\n"
              "Total Ops\n  Read: 2000\n  Write: 0\nTotal Bytes\n  Read: 8192000\n  Write: 0\n"
              "Total Time (us)\n  Read: 4000000\n  Write: 0\n"
              "EBS Volume Performance Exceeded (us)\n  IOPS: 2500000\n  Throughput: 0\n"
              "EC2 Instance EBS Performance Exceeded (us)\n  IOPS: 0\n  Throughput: 0\n"
              "Queue Length (point in time): 0 \n",
      "readings" COUNTERS_1 "\nreadings" COUNTERS_2 SINCE "\n" },
    { "the counters fell: attached anew, or another device", SECOND FIRST(""),
      "readings" COUNTERS_2 "\n"
      "! 18: the counters started anew (or are of another device): no rates for this interval\n"
      "readings" COUNTERS_1 "\n" },
    { "instance store has a line of its own",
      "Total Ops\n  Read: 5\n  Write: 0\n"
      "EC2 Instance Local Storage Performance Exceeded (us)\n  IOPS: 7\n  Throughput: 8\n",
      "readings total_read_ops=5 total_write_ops=0 "
      "ec2_instance_local_storage_performance_exceeded_iops_us=7 "
      "ec2_instance_local_storage_performance_exceeded_tp_us=8\n" },
    { "JSON of ebsnvme, then of nvme-cli, with times between",
      "1652857200\n" JSON_1 "1652857210\n" JSON_2,
      "readings 2022-05-18T07:00:00Z" COUNTERS_1 "\n"
      "readings 2022-05-18T07:00:10Z" COUNTERS_2 SINCE "\n" },
    { "JSON of ebsnvme -i 10",
      "Polling EBS stats every 10 sec(s); press Ctrl+C to stop\n" JSON_1 "\n\n"
      "{\"total_read_ops\": 2000, \"total_write_ops\": 0, \"total_read_bytes\": 8192000, "
      "\"total_write_bytes\": 0, \"total_read_time\": 4000000, \"total_write_time\": 0, "
      "\"ebs_volume_performance_exceeded_iops\": 2500000, \"ebs_volume_performance_exceeded_tp\": "
      "0, \"ec2_instance_ebs_performance_exceeded_iops\": 0, "
      "\"ec2_instance_ebs_performance_exceeded_tp\": 0, \"volume_queue_length\": 0}\n",
      "readings" COUNTERS_1 "\nreadings" COUNTERS_2 SINCE "\n" },
    { "JSON that ends early", "{\"ebs_volume_performance_exceeded_iops\": 0,",
      "ERROR f:1: column 44: not valid JSON: the input ends where a value should be\n" },
};

static void texts(void **state)
{
    const struct nvme_case *c = *state;
    expect_lines(nvme_read, c->text, NULL, c->want);
    assert_true(nvme_detect(span_of(c->text)) > 0);
}

static void what_the_user_says(void **state)
{
    (void)state;
    struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = 10 };
    expect_lines(nvme_read, FIRST("") SECOND, &o,
                 "readings" COUNTERS_1 "\nreadings" COUNTERS_2 SINCE "\n");
    expect_lines(nvme_read, "hello\n", NULL, "ERROR f:1: no statistics of an NVMe volume in it\n");
    assert_int_equal(nvme_detect(SPAN_LIT("Total Ops\n")), 0);
    assert_int_equal(nvme_detect(SPAN_LIT("")), 0);
}

static void broken(void **state)
{
    (void)state;
    struct span text = SPAN_LIT("1652857200\n" FIRST("") "1652857210\n" SECOND);
    expect_cuts(nvme_read, text);
    expect_nomem(nvme_read, text);
    expect_obeyed(nvme_read, text);
    text = SPAN_LIT("1652857200\n" JSON_1 "1652857210\n" JSON_2);
    expect_nomem(nvme_read, text);
    expect_obeyed(nvme_read, text);
}

int main(void)
{
    struct CMUnitTest t[N(nvme_cases) + 2];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, nvme_cases, texts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(what_the_user_says);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(broken);
    return _cmocka_run_group_tests("nvme", t, n, NULL, NULL);
}
