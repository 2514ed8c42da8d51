/* tests/data/ingest/oraclecsv/test_oraclecsv.c - spooled CSV of four origins: hand-written rows,
 * and what must come of them. */
#include "tests/data/ingest/oraclecsv/metric_log.h"

#define VOLPLAN                                                                                    \
    "volplan_csv,1\n"                                                                              \
    "filetype,1,2022-05-18T05:00:00Z,2022-05-18T06:00:00Z,Log "                                    \
    "File:read_bytes,141557760000,bytes\n"                                                         \
    "filetype,1,2022-05-18T05:00:00Z,2022-05-18T06:00:00Z,Log "                                    \
    "File:read_requests,136440,requests\n"                                                         \
    "filetype,1,2022-05-18T05:00:00Z,2022-05-18T06:00:00Z,Data File:write_bytes,3600,bytes\n"      \
    "stat,1,2022-05-18T05:00:00Z,2022-05-18T06:00:00Z,redo size,43618664520,\n"                    \
    "sysmetric_avg,1,2022-05-18T05:00:05Z,2022-05-18T06:00:05Z,Redo Generated Per Sec,12116295.7," \
    "Bytes Per Second\n"                                                                           \
    "sysmetric_max,1,2022-05-18T05:00:05Z,2022-05-18T06:00:05Z,Redo Generated Per Sec,91226112,"   \
    "Bytes Per Second\n"                                                                           \
    "sysmetric_avg,1,2022-05-18T05:00:05Z,2022-05-18T06:00:05Z,Host CPU Utilization (%),12.5,"     \
    "% Busy/(Idle+Busy)\n"                                                                         \
    "redo_log,2,2022-05-18T05:03:12Z,2022-05-18T05:09:42Z,2.40718,4294967296,bytes\n"              \
    "redo_log,2,2022-05-18T05:09:42Z,2022-05-18T05:19:42Z,2.40719,4294967296,bytes_at_most\n"

#define VOLPLAN_LOG                                                                                \
    "metric - 1 Host CPU Utilization (%) | - | Average 3600 2022-05-18T05:00:05Z 12.5 % "          \
    "Busy/(Idle+Busy) @8\n"                                                                        \
    "metric - 1 Redo Generated Per Sec | - | Maximum 3600 2022-05-18T05:00:05Z 91226112 Bytes "    \
    "Per "                                                                                         \
    "Second @7\n"                                                                                  \
    "metric - 1 Redo Generated Per Sec | - | Rate 3600 2022-05-18T05:00:05Z 12116295.7 Bytes Per " \
    "Second @6\n"                                                                                  \
    "metric - 1 read_bytes | filetype=Log File | Sum 3600 2022-05-18T05:00:00Z 1.4155776e+11 "     \
    "bytes "                                                                                       \
    "@2\n"                                                                                         \
    "metric - 1 read_requests | filetype=Log File | Sum 3600 2022-05-18T05:00:00Z 136440 "         \
    "requests "                                                                                    \
    "@3\n"                                                                                         \
    "metric - 1 redo size | - | Sum 3600 2022-05-18T05:00:00Z 4.361866452e+10 - @5\n"              \
    "metric - 2 redo_log | thread=2 | Sum 390 2022-05-18T05:03:12Z 4294967296 bytes @9\n"          \
    "metric - 2 redo_log | thread=2 | other/at most 600 2022-05-18T05:09:42Z 4294967296 "          \
    "bytes_at_most @10\n"                                                                          \
    "metric - 1 write_bytes | filetype=Data File | Sum 3600 2022-05-18T05:00:00Z 3600 bytes @4\n"  \
    "snapshot 1 2022-05-18T05:00:00Z 2022-05-18T06:00:00Z 3600\n"                                  \
    "  filetype Data File - - - 3600 - 1 @4\n"                                                     \
    "  filetype Log File 1.4155776e+11 37.9 39321600 - - - @2\n"                                   \
    "  stat redo size 4.361866452e+10 12116295.7 @5\n"                                             \
    "rows 10 skipped 0\n"

#define ROW(kind, name, value)                                                                     \
    "volplan_csv,1\n" kind ",1,2022-05-18T05:00:00Z,2022-05-18T06:00:00Z," name "," value ",\n"

static const struct log_case volplan_cases[] = {
    { "every kind of row", NULL, VOLPLAN, VOLPLAN_LOG, 0, 0 },
    { "the columns' names before the rows, padded fields, CRLF, a blank value", NULL,
      "volplan_csv,1\r\nkind,instance,begin_utc,end_utc,name,value,unit\r\n"
      "stat, 2 ,2022-05-18T05:00:00Z,2022-05-18T05:00:10Z, redo size ,100 ,\r\n"
      "stat,2,2022-05-18T05:00:00Z,2022-05-18T05:00:10Z,user commits,,\r\n",
      "metric - 2 redo size | - | Sum 10 2022-05-18T05:00:00Z 100 - @3\n"
      "snapshot 2 2022-05-18T05:00:00Z 2022-05-18T05:00:10Z 10\n"
      "  stat redo size 100 10 @3\n"
      "rows 2 skipped 0\n",
      0, 0 },
    { "instances and periods in any order make snapshots in theirs; a double is told", NULL,
      "volplan_csv,1\n"
      "stat,2,2022-05-18T05:00:00Z,2022-05-18T05:00:10Z,a,10,\n"
      "stat,1,2022-05-18T05:00:10Z,2022-05-18T05:00:20Z,a,30,\n"
      "stat,1,2022-05-18T05:00:00Z,2022-05-18T05:00:10Z,a,20,\n"
      "stat,1,2022-05-18T05:00:00Z,2022-05-18T05:00:10Z,a,20,\n",
      "metric - 1 a | - | Sum 10 2022-05-18T05:00:10Z 30 - @3\n"
      "metric - 1 a | - | Sum 10 2022-05-18T05:00:00Z 20 - @4\n"
      "metric - 1 a | - | Sum 10 2022-05-18T05:00:00Z 20 - @5\n"
      "metric - 2 a | - | Sum 10 2022-05-18T05:00:00Z 10 - @2\n"
      "warning 5 the same figure of the same period again: not added\n"
      "snapshot 1 2022-05-18T05:00:00Z 2022-05-18T05:00:10Z 10\n  stat a 20 2 @4\n"
      "snapshot 1 2022-05-18T05:00:10Z 2022-05-18T05:00:20Z 10\n  stat a 30 3 @3\n"
      "snapshot 2 2022-05-18T05:00:00Z 2022-05-18T05:00:10Z 10\n  stat a 10 1 @2\n"
      "rows 7 skipped 0\n",
      0, 0 },
    { "nothing behind the first line", NULL, "volplan_csv,1\n", "rows 0 skipped 0\n", 0, 0 },
    { "another version", NULL, "volplan_csv,2\nx\n",
      "-2 f:1: the first line is 'volplan_csv,2', expected volplan_csv,1\n", 0, 0 },
    { "an error of SQL*Plus in the spool", NULL,
      "volplan_csv,1\nORA-00942: table or view does not exist\n",
      "-2 f:2: a row of 1 fields, expected 7; is the file cut short?\n", 0, 0 },
    { "cut in its last row", NULL,
      "volplan_csv,1\nstat,1,2022-05-18T05:00:00Z,2022-05-18T05:00:10Z,a,10,\nstat,1,2022-05-"
      "18T05\n",
      "-2 f:3: a row of 3 fields, expected 7; is the file cut short?\n", 0, 0 },
    { "an unknown kind", NULL, ROW("wait", "a", "1"),
      "-2 f:2: column 'kind': bad value 'wait', expected filetype, stat, sysmetric_avg, "
      "sysmetric_max "
      "or redo_log\n",
      0, 0 },
    { "a value that is none", NULL, ROW("stat", "a", "1,5x"),
      "-2 f:2: a row of 8 fields, expected 7; is the file cut short?\n", 0, 0 },
    { "not a number", NULL, ROW("stat", "a", "nan"),
      "-2 f:2: column 'value': bad value 'nan', expected a number\n", 0, 0 },
    { "a negative total", NULL, ROW("stat", "a", "-1"),
      "-2 f:2: column 'value': bad value '-1', expected a total that is not negative\n", 0, 0 },
    { "a file type without figure", NULL, ROW("filetype", "Log File", "1"),
      "-2 f:2: column 'name': bad value 'Log File', expected a file type and figure like Log "
      "File:read_bytes\n",
      0, 0 },
    { "a file type with another figure", NULL, ROW("filetype", "Log File:reads", "1"),
      "-2 f:2: column 'name': bad value 'Log File:reads', expected a file type and figure like Log "
      "File:read_bytes\n",
      0, 0 },
    { "a log without sequence", NULL, ROW("redo_log", "1", "1"),
      "-2 f:2: column 'name': bad value '1', expected thread and sequence like 1.40718\n", 0, 0 },
    { "a time that is none", NULL, "volplan_csv,1\nstat,1,18-MAY-22,2022-05-18T05:00:10Z,a,10,\n",
      "-2 f:2: column 'begin_utc': bad value '18-MAY-22', expected a time like "
      "2022-05-18T05:00:00Z\n",
      0, 0 },
    { "a period that ends before it begins", NULL,
      "volplan_csv,1\nstat,1,2022-05-18T05:00:10Z,2022-05-18T05:00:10Z,a,10,\n",
      "-2 f:2: column 'end_utc': bad value '2022-05-18T05:00:10Z', expected a time after "
      "begin_utc\n",
      0, 0 },
    { "an instance that is none", NULL,
      "volplan_csv,1\nstat,one,2022-05-18T05:00:00Z,2022-05-18T05:00:10Z,a,10,\n",
      "-2 f:2: column 'instance': bad value 'one', expected an instance number\n", 0, 0 },
};

#define DMA_HEAD                                                                                   \
    "\nPKEY||','||DBID||','||INSTANCE_NUMBER||','||HOUR||','||METRIC_NAME||','||METRIC_UNIT||','|" \
    "|"                                                                                            \
    "AVG_VALUE||','||MODE_VALUE||','||MEDIAN_VALUE||','||MIN_VALUE||','||MAX_VALUE||','||SUM_"     \
    "VALUE"                                                                                        \
    "||','||PERC50||\n"

static const struct log_case dma_cases[] = {
    { "metrics: padded, 38 digits, columns behind the cut of the head", NULL,
      DMA_HEAD
      "db1_PRD1_020222211320 , 1234567890 , 1 , 07 , Redo Generated Per Sec , Bytes Per Second , "
      ".12345678901234567890123456789012345678 , 0 , 0 , .1 , 2000000 , 36000 , .5 , 9 , 9 , 9 , "
      "9\n",
      "metric db1_PRD1 1 Redo Generated Per Sec | hour=07 | Sum - - 36000 Bytes Per Second @3\n"
      "metric db1_PRD1 1 Redo Generated Per Sec | hour=07 | Average - - 0.123456789 Bytes Per "
      "Second "
      "@3\n"
      "metric db1_PRD1 1 Redo Generated Per Sec | hour=07 | Maximum - - 2000000 Bytes Per Second "
      "@3\n"
      "metric db1_PRD1 1 Redo Generated Per Sec | hour=07 | Minimum - - 0.1 Bytes Per Second @3\n"
      "metric db1_PRD1 1 Redo Generated Per Sec | hour=07 | other/p50 - - 0.5 Bytes Per Second @3\n"
      "rows 5 skipped 0\n",
      0, 0 },
    { "statistics: no unit, unpadded; a date given", NULL,
      "PKEY||','||DBID||','||INSTANCE_NUMBER||','||HOUR||','||STAT_NAME||','||CNT||','||AVG_VALUE\n"
      "db1_PRD1_1,1,2,23,redo size,9,42675.5\n",
      "metric db1_PRD1 2 redo size | hour=23 | Average - 2022-05-18T23:00:00Z 42675.5 - @2\n"
      "rows 1 skipped 0\n",
      0, INT64_C(1652832000000) },
    { "the head of operating system statistics calls the hour HH24", NULL,
      "PKEY||','||DBID||','||INSTANCE_NUMBER||','||HH24||','||STAT_NAME||','||AVG_VALUE\n"
      "db1,1,1,00,LOAD,.5\n",
      "metric db1 1 LOAD | hour=00 | Average - - 0.5 - @2\nrows 1 skipped 0\n", 0, 0 },
    { "rows that cannot be read are left out; an empty line and a blank key are nothing", NULL,
      "PKEY||','||DBID||','||INSTANCE_NUMBER||','||HOUR||','||STAT_NAME||','||AVG_VALUE\n"
      "k,1,1,25,a,1\nk,1,1,01,a,x\n\n   ,1,1,01,a,1\nk,1,z,01,a,1\nk,1,1,q,a,1\nk,1,1,1,a,1\n",
      "warning 2 the hour of the day or the instance is no number: the row is left out\n"
      "warning 3 a value is no number: the row is left out\n"
      "warning 6 the hour of the day or the instance is no number: the row is left out\n"
      "metric k 1 a | hour=01 | Average - - 1 - @8\n"
      "warning 0 1 more rows are left out\n"
      "rows 1 skipped 5\n",
      0, 0 },
    { "databases", NULL,
      "\nPKEY||','||DBID||','||DB_NAME||','||'N/A'||','||DBVERSION||','||LOG_MODE\n"
      "k_1 , 560566633 , PRD1 , N/A , 11.2.0.4.0 , ARCHIVELOG\n",
      "databases pkey=k_1 dbid=560566633 db_name=PRD1 n_a=N/A dbversion=11.2.0.4.0 "
      "log_mode=ARCHIVELOG @3\nrows 1 skipped 0\n",
      0, 0 },
    { "instances", NULL, "PKEY||','||INST_ID||','||INSTANCE_NAME||','||HOST_NAME\nk,1,prd1,db1\n",
      "instances pkey=k inst_id=1 instance_name=prd1 host_name=db1 @2\nrows 1 skipped 0\n", 0, 0 },
    { "snapshots", NULL, "PKEY||','||HOUR||','||MIN_SNAPID||','||AVG_SNAPS_DIFF\nk,00,1102,3593\n",
      "snapshots_by_hour pkey=k hour=0 min_snapid=1102 avg_snaps_diff=3593 @2\nrows 1 skipped 0\n",
      0, 0 },
};

#define ESP_HEAD                                                                                   \
    "collection_host,collection_key,category,data_element,source,instance_number,inst_id,value\n"

static const struct log_case esp_cases[] = {
    { "one figure of the collection, a percentile, a series, texts, a second head", NULL,
      ESP_HEAD "db1, KEY1, id, db_name, sys_context,       0,   0, PRD1\n"
               "db1, KEY1, disk_perf, rw_iops_peak , dba_hist_sysstat,  -1,   -1,   21860\n"
               "db1, KEY1, disk_perf, rw_iops_999  , dba_hist_sysstat,   1,    0,   1999.5\n"
               "db1, KEY1, nw_perf, nw_tx_avg_bytes, dba_hist_sysstat,   1,    0,   512\n" ESP_HEAD
               "db1, KEY1, disk_perf_ts, r_iops, 2016-05-27/17:00:00,    1,    0,   3\n"
               "db1, KEY1, disk_perf_ts, w_mbps, 2016-05-27/17:00:00,    1,    0,\n",
      "metric db1 1 nw_tx_avg_bytes | category=nw_perf,source=dba_hist_sysstat | Average - - 512 "
      "bytes/s @5\n"
      "metric db1 1 r_iops | category=disk_perf_ts | Rate 3600 2016-05-27T17:00:00Z 3 requests/s "
      "@7\n"
      "metric db1 1 rw_iops_999 | category=disk_perf,source=dba_hist_sysstat | other/p99.9 - - "
      "1999.5 "
      "requests/s @4\n"
      "metric db1 - rw_iops_peak | category=disk_perf,source=dba_hist_sysstat | Maximum - - 21860 "
      "requests/s @3\n"
      "rows 4 skipped 2\n",
      0, 0 },
    { "lines that cannot be read are left out", NULL,
      ESP_HEAD "db1,K,disk_perf,r_iops_avg,x,one,0,1\n"
               "db1,K,disk_perf_ts,r_iops,yesterday,1,0,1\n"
               "db1,K,disk_perf\n",
      "warning 2 the instance number is no number: the line is left out\n"
      "warning 3 the time of a series is none: the line is left out\n"
      "warning 4 a line with another number of fields than the head is left out\n"
      "rows 0 skipped 3\n",
      0, 0 },
    { "a heading is not there", "esp_csv", "collection_host,category\na,b\n",
      "-2 f:1: the heading 'data_element' is not there\n", 0, 0 },
};

static const struct log_case perfsheet_cases[] = {
    { "padded, CRLF, a blank value, the interval given", NULL,
      "SNAP_TIME       ,   SNAP_ID,INSTANCE_NUMBER,EVENT_NAME          ,RATE_TIMEWAITED,WAITS\r\n"
      "2016_02_13 12:00,     47533,              4,log file sync       ,      1.5,        20\r\n"
      "2016_02_13 13:00,     47534,              4,log file sync       ,         ,        30\r\n",
      "metric - 4 RATE_TIMEWAITED | EVENT_NAME=log file sync | Average 3600 2016-02-13T11:00:00Z "
      "1.5 - "
      "@2\n"
      "metric - 4 WAITS | EVENT_NAME=log file sync | Average 3600 2016-02-13T11:00:00Z 20 - @2\n"
      "metric - 4 WAITS | EVENT_NAME=log file sync | Average 3600 2016-02-13T12:00:00Z 30 - @3\n"
      "rows 3 skipped 0\n",
      3600, 0 },
    { "the interval not given; rows that cannot be read", NULL,
      "SNAP_TIME,SNAP_ID,INSTANCE_NUMBER,STAT_NAME,VALUE\n"
      "2016-02-13 12:00:30,1,1,a,5\n2016-02-30 12:00,1,1,a,5\n2016-02-13 12:00,1,x,a,5\n"
      "2016-02-13 12:00,1,1,a,5.5.5\n2016-02-13 12:00,1,1,a\n",
      "warning 0 the file does not tell how long its intervals are: give --interval\n"
      "warning 3 SNAP_TIME is no time like 2022_05_18 07:00: the row is left out\n"
      "warning 4 INSTANCE_NUMBER is no number: the row is left out\n"
      "warning 5 a value is no number: the row is left out\n"
      "metric - 1 VALUE | STAT_NAME=a | Average - 2016-02-13T12:00:30Z 5 - @2\n"
      "warning 0 1 more rows are left out\n"
      "rows 1 skipped 4\n",
      0, 0 },
    { "no name", NULL, "SNAP_TIME,SNAP_ID,INSTANCE_NUMBER,VALUE\n",
      "-2 f:1: needed are the headings SNAP_TIME, INSTANCE_NUMBER and one that ends in _NAME\n", 0,
      0 },
    { "no value", NULL, "SNAP_TIME,SNAP_ID,INSTANCE_NUMBER,STAT_NAME\n",
      "-2 f:1: there is no column of values behind 'STAT_NAME'\n", 0, 0 },
};

static const struct log_case *const tortured[] = { &volplan_cases[0], &volplan_cases[1],
                                                   &dma_cases[0],     &dma_cases[4],
                                                   &esp_cases[0],     &perfsheet_cases[1] };

/* --- more samples than a batch holds: none is lost ---------------------------------------------
 */

struct sum {
    int64_t n;
    double values;
};

static int add_value(void *ctx, const struct metric_sample *s, struct err *e)
{
    struct sum *sum = ctx;
    (void)e;
    sum->n++;
    sum->values += s->value;
    return 0;
}

/* Stops the reading with its own code. */
static int stop_reading(void *ctx, const struct metric_sample *s, struct err *e)
{
    (void)ctx;
    (void)s;
    return err_set(e, ERR_NO, "enough");
}

static void many_rows(void **state)
{
    enum { N = 50000, ROOM = N * 80 };
    char *text = mem_alloc(ROOM);
    size_t n = (size_t)snprintf(text, ROOM, "volplan_csv,1\n");
    (void)state;
    for (int i = 0; i < N; i++)
        n += (size_t)snprintf(text + n, ROOM - n,
                              "sysmetric_avg,1,2022-05-18T05:00:00Z,2022-05-18T05:01:00Z,m%d,%d,\n",
                              i % 7, i);
    for (int stops = 0; stops < 2; stops++) {
        struct sum sum = { 0, 0 };
        struct sink sink = { .ctx = &sum, .metric = stops ? stop_reading : add_value };
        struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
        struct arena a = { 0 };
        struct err e = { 0 };
        int64_t rows = 0, skipped = 0;
        struct source *src = source_of_span("f", (struct span){ text, n });
        int rc = format_find("volplan_csv")->read(src, &o, &sink, &a, &rows, &skipped, &e);
        assert_int_equal(rc, stops ? ERR_NO : 0);
        assert_int_equal(sum.n, stops ? 0 : N);
        assert_true(sum.values == (stops ? 0 : N * (N - 1.0) / 2));
        source_close(src);
        arena_release(&a);
    }
    mem_free(text);
}

int main(void)
{
    enum { TESTS_MAX = 64 };
    static const struct {
        const struct log_case *cases;
        size_t n;
    } tables[] = {
        { volplan_cases, sizeof volplan_cases / sizeof *volplan_cases },
        { dma_cases, sizeof dma_cases / sizeof *dma_cases },
        { esp_cases, sizeof esp_cases / sizeof *esp_cases },
        { perfsheet_cases, sizeof perfsheet_cases / sizeof *perfsheet_cases },
    };
    struct CMUnitTest tests[TESTS_MAX] = { cmocka_unit_test(many_rows) };
    size_t n = 1;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (size_t k = 0; k < tables[i].n && n < TESTS_MAX; k++)
            tests[n++] = (struct CMUnitTest){ tables[i].cases[k].why, check_log, NULL, NULL,
                                              (void *)(uintptr_t)&tables[i].cases[k] };
    for (size_t i = 0; i < sizeof tortured / sizeof *tortured && n < TESTS_MAX; i++)
        tests[n++] = (struct CMUnitTest){ tortured[i]->why, check_memory, NULL, NULL,
                                          (void *)(uintptr_t)tortured[i] };
    return _cmocka_run_group_tests("oraclecsv", tests, n, NULL, NULL);
}
