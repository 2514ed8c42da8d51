/* tests/data/ingest/awrminer/test_awrminer.c - extracts of AWR-Miner and dbcsi, written by hand. */
#include "data/ingest/awrminer/awrminer.h"

#include "tests/data/ingest/oraclecsv/metric_log.h"

#define INFORMATION(version)                                                                       \
    "~~BEGIN-OS-INFORMATION~~\n"                                                                   \
    "STAT_NAME                                STAT_VALUE\n"                                        \
    "---------------------------------------- ------------------------------------\n"              \
    "NUM_CPUS                                 4\n"                                                 \
    "DB_NAME                                  PRD1\n"                                              \
    "AWR_MINER_VER                            " version "\n"                                       \
    "~~END-OS-INFORMATION~~\n\n"

#define HEADINGS                                                                                   \
    "      snap      dur_m end                  inst     os_cpu  read_iops read_iops_max "         \
    "read_mb_s_max  redo_mb_s cpu_per_s_sd\n"                                                      \
    "---------- ---------- -------------- ---------- ---------- ---------- ------------- "         \
    "------------- ---------- ------------\n"

#define MAIN(rows) "~~BEGIN-MAIN-METRICS~~\n\n" HEADINGS rows "\n~~END-MAIN-METRICS~~\n"

#define ROW_1                                                                                      \
    "       776         59 22/05/18 07:59          1        1.1       14.4         660.8 "         \
    "         10.3         .2         .048\n"
#define ROW_2                                                                                      \
    "       776         60 22/05/18 08:00          3         .7                    639.7 "         \
    "           10 ##########            \n"

static const struct log_case cases[] = {
    { "averages, maxima, rates; blank and overflown cells are unknown; other sections are skipped",
      NULL,
      INFORMATION("3.0.21") "~~BEGIN-MEMORY~~\nx\n~~END-MEMORY~~\n" MAIN(
          ROW_1 ROW_2) "~~BEGIN-PERCENT-IO~\n~~END-PERCENT-IO~~\n",
      "metric PRD1 1 cpu_per_s_sd | - | other/standard deviation 3540 2022-05-18T07:00:00Z 0.048 "
      "/s "
      "@16\n"
      "metric PRD1 1 os_cpu | - | Average 3540 2022-05-18T07:00:00Z 1.1 % @16\n"
      "metric PRD1 3 os_cpu | - | Average 3600 2022-05-18T07:00:00Z 0.7 % @17\n"
      "metric PRD1 1 read_iops | - | Rate 3540 2022-05-18T07:00:00Z 14.4 requests/s @16\n"
      "metric PRD1 1 read_iops_max | - | Maximum 3540 2022-05-18T07:00:00Z 660.8 requests/s @16\n"
      "metric PRD1 3 read_iops_max | - | Maximum 3600 2022-05-18T07:00:00Z 639.7 requests/s @17\n"
      "metric PRD1 1 read_mb_s_max | - | Maximum 3540 2022-05-18T07:00:00Z 10.3 MiB/s @16\n"
      "metric PRD1 3 read_mb_s_max | - | Maximum 3600 2022-05-18T07:00:00Z 10 MiB/s @17\n"
      "metric PRD1 1 redo_mb_s | - | Rate 3540 2022-05-18T07:00:00Z 0.2 MiB/s @16\n"
      "rows 9 skipped 2\n",
      0, 0 },
    { "headings again on the next page, what SQL*Plus adds, CRLF and blanks at the end", NULL,
      MAIN("       776         60 22/05/18 07:59          1                                      "
           "                   .5\r\n\r\n" HEADINGS
           "       777         60 22/05/18 08:59          1                                      "
           "                   .6   \r\n"
           "2 rows selected.\r\nElapsed: 00:00:00.04\r\n"),
      "metric - 1 redo_mb_s | - | Rate 3600 2022-05-18T06:59:00Z 0.5 MiB/s @5\n"
      "metric - 1 redo_mb_s | - | Rate 3600 2022-05-18T07:59:00Z 0.6 MiB/s @9\n"
      "rows 2 skipped 0\n",
      0, 0 },
    { "an interval without duration", NULL,
      MAIN("       776          0 22/05/18 07:59          1        1.1\n"),
      "warning 5 an interval without duration: the row is left out\nrows 0 skipped 1\n", 0, 0 },
    { "a section that does not end", NULL, "~~BEGIN-MAIN-METRICS~~\n" HEADINGS ROW_1,
      "-2 f:4: the extract is cut short: no \"~~END-MAIN-METRICS~~\" up to this line\n", 0, 0 },
    { "a part without its metrics", NULL, INFORMATION("3.0.21"),
      "-2 f:1: a part of an extract without its section MAIN-METRICS: nothing in it is read\n", 0,
      0 },
    { "headings that are needed", NULL,
      "~~BEGIN-MAIN-METRICS~~\n      snap  read_iops\n---------- ----------\n",
      "-2 f:3: MAIN-METRICS: needed are the headings dur_m, end and inst; headings seen:       "
      "snap  "
      "read_iops\n",
      0, 0 },
    { "a figure that is none", NULL,
      MAIN("       776         60 22/05/18 07:59          1        x.1\n"),
      "-2 f:5: MAIN-METRICS: column 'os_cpu': bad value 'x.1', expected a number\n", 0, 0 },
    { "a time that is none", NULL, MAIN("       776         60 2022-05-18 07:          1\n"),
      "-2 f:5: MAIN-METRICS: column 'end': bad value '2022-05-18 07:', expected a time like "
      "22/05/18 "
      "07:59\n",
      0, 0 },
    { "a day that does not exist", NULL, MAIN("       776         60 22/02/30 07:59          1\n"),
      "-2 f:5: MAIN-METRICS: column 'end': bad value '22/02/30 07:59', expected a time like "
      "22/05/18 "
      "07:59\n",
      0, 0 },
};

static void told_apart(void **state)
{
    (void)state;
    assert_int_equal(awr_miner_detect(SPAN_LIT(INFORMATION("4.0.11"))), 95);
    assert_int_equal(dbcsi_detect(SPAN_LIT(INFORMATION("4.0.11"))), 0);
    assert_int_equal(awr_miner_detect(SPAN_LIT(INFORMATION("4.0.11.aws.13"))), 0);
    assert_int_equal(dbcsi_detect(SPAN_LIT("\r\n\n" INFORMATION("4.0.11.aws.13"))), 95);
    assert_int_equal(awr_miner_detect(SPAN_LIT("text\n~~BEGIN-MEMORY~~\n")), 0);
    assert_int_equal(awr_miner_detect(SPAN_LIT("")), 0);
}

int main(void)
{
    enum { N_CASES = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[N_CASES + 2] = { cmocka_unit_test(told_apart) };
    size_t n = 1;
    for (size_t i = 0; i < N_CASES; i++)
        tests[n++] = (struct CMUnitTest){ cases[i].why, check_log, NULL, NULL,
                                          (void *)(uintptr_t)&cases[i] };
    tests[n++] =
        (struct CMUnitTest){ "memory", check_memory, NULL, NULL, (void *)(uintptr_t)&cases[0] };
    return _cmocka_run_group_tests("awrminer", tests, n, NULL, NULL);
}
