/* tests/data/ingest/unixstat/test_unixstat.c - iostat of AIX and Solaris. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/iostat/iostat.h"
#include "data/ingest/unixstat/unixstat.h"
#include "data/zone.h"
#include "tests/row_tests.h"

#define UNTIMED "! 0: no time stamps: say --date and --interval to place the samples\n"
#define CONFIG  "\nSystem configuration: lcpu=4 drives=2 paths=2 vdisks=0\n\n"
#define BANNER  "                    extended device statistics\n"
#define XN      "    r/s    w/s   kr/s   kw/s wait actv wsvc_t asvc_t  %w  %b device\n"
#define ROW     "    4.0    2.0   64.0   16.0  0.5  0.3    1.0    2.0   1   9 c0t0d0\n"
/* 80 KiB/s of 6 requests; 1 ms in the queue, 2 ms at the device; 0.8 outstanding */
#define FIGURES "r=4 w=2 rk=64 wk=16 t=6 tk=80 rs=16 ws=8 s=13.3333 a=3 q=0.8 u=9"

static const struct unix_case {
    const char *why, *text, *want;
} unix_cases[] = {
    { "AIX: what was moved tells the interval and the shares of both",
      CONFIG "tty:      tin         tout    avg-cpu: % user % sys % idle % iowait\n"
             "          0.0          0.0                0.9  34.6   61.5      3.0\n\n"
             "Disks:         % tm_act     Kbps      tps    Kb_read   Kb_wrtn\n"
             "cd0               0.0       0.0       0.0          0         0\n"
             "hdisk0           36.0     162.0      64.0         32       292\n\n",
      /* (32 + 292) / 162 = 2 s; 162 * 32 / 324 = 16 */
      "- 2 - cd0 rk=0 wk=0 t=0 tk=0 u=0\n"
      "- 2 - hdisk0 rk=16 wk=146 t=64 tk=162 s=2.53125 u=36\n" UNTIMED },
    { "AIX: a first report over more than a day is since boot",
      CONFIG "Disks:         % tm_act     Kbps      tps    Kb_read   Kb_wrtn\n"
             "hdisk0           36.0       1.0       0.5     100000    100000\n\n"
             "Disks:         % tm_act     Kbps      tps    Kb_read   Kb_wrtn\n"
             "hdisk0            2.0       4.0       1.0          0         8\n\n",
      "- - - hdisk0 rk=0.5 wk=0.5 t=0.5 tk=1 s=2 u=36 boot\n"
      "- 2 - hdisk0 rk=0 wk=4 t=1 tk=4 s=4 u=2\n" UNTIMED },
    { "AIX -D: K is 1 000, four blocks make a disk, seconds where milliseconds stand",
      CONFIG "hdisk6          xfer:  %tm_act      bps      tps      bread      bwrtn\n"
             "                         9.6     16.4K     4.0       16.4K       0.0\n"
             "               read:      rps  avgserv  minserv  maxserv   timeouts      fails\n"
             "                         4.0      4.9      0.3      9.9           0          0\n"
             "              write:      wps  avgserv  minserv  maxserv   timeouts      fails\n"
             "                         0.0      0.0      0.0      0.0           0          0\n"
             "              queue:  avgtime  mintime  maxtime  avgwqsz    avgsqsz     sqfull\n"
             "                         1.1S     0.0      2.0S     0.5        0.3         0.0\n"
             "hdisk7          xfer:  %tm_act      bps      tps      bread      bwrtn\n"
             "                         0.0      0.0      0.0        0.0        0.0\n"
             "-------------------------------------------------------------------------\n"
             "hdisk6          xfer:  %tm_act      bps      tps      bread      bwrtn\n"
             "                         1.0      1.0K     1.0        1.0K       0.0\n",
      /* 16 400 bytes/s = 16.0156 KiB/s; waits are the queue's 1 100 ms and 4.9 ms */
      "- - - hdisk6 r=4 w=0 rk=16.0156 wk=0 t=4 tk=16.0156 rs=4.00391 s=4.00391 ra=1104.9 wa=1100 "
      "a=1104.9 q=0.8 u=9.6 boot\n"
      "- - - hdisk7 rk=0 wk=0 t=0 tk=0 u=0 boot\n"
      "- - - hdisk6 rk=0.976562 wk=0 t=1 tk=0.976562 s=0.976562 u=1\n" UNTIMED },
    { "AIX -Dsal: three lines of headings, the host's name, adapters passed over",
      CONFIG
      "System: aix1\n                           Kbps      tps    Kb_read   Kb_wrtn\n"
      "      Physical             0.0       0.0          0         0\n\n"
      "Vadapter:                        xfers\n"
      "                       Kbps   tps bkread bkwrtn partition-id\n"
      "vscsi0                  0.0   0.0    0.0    0.0            1\n\n"
      "Disks:                           xfers                                read\n"
      "-------------------- -------------------------------- --------------\n"
      "    %tm    bps   tps  bread  bwrtn   rps    avg    min    max time fail   wps    avg   "
      " min    max time fail    avg    min    max   avg   avg  serv\n"
      "    act                                    serv   serv   serv outs              serv\n"
      "hdisk1  5.0 10.2K  3.0  2.0K  8.2K  1.0 2.0 0.1 9.0 0 0 2.0 4.0 0.1 9.0 0 0 0.5 0.0 "
      "1.0 0.1 0.2 0.0\n",
      /* 10 200 / 1 024 = 9.96094 KiB/s; await (1 * 2 + 2 * 4) / 3 + 0.5 */
      "- - aix1 hdisk1 r=1 w=2 rk=1.95312 wk=8.00781 t=3 tk=9.96094 rs=1.95312 ws=4.00391 "
      "s=3.32031 ra=2.5 wa=4.5 a=3.83333 q=0.3 u=5 boot\n" UNTIMED },
    { "Solaris -xn: the first report is since boot", BANNER XN ROW BANNER XN ROW,
      "- - - c0t0d0 " FIGURES " boot\n- - - c0t0d0 " FIGURES "\n" UNTIMED },
    { "Solaris -T d: dates between",
      "Wed May 18 07:00:00 UTC 2022\n" BANNER XN ROW "Wed May 18 07:00:10 UTC 2022\n" BANNER XN ROW,
      "2022-05-18T07:00:00Z - - c0t0d0 " FIGURES " boot\n"
      "2022-05-18T07:00:10Z 10 - c0t0d0 " FIGURES "\n" },
    { "Solaris -T u: seconds since the epoch", "1652857200\n" BANNER XN ROW,
      "2022-05-18T07:00:00Z - - c0t0d0 " FIGURES " boot\n" },
    { "Solaris -x: the name first, one time",
      BANNER "device       r/s    w/s   kr/s   kw/s wait actv  svc_t  %w  %b\n"
             "sd0          4.0    2.0   64.0   16.0  0.5  0.3    3.0   1   9\n",
      "- - - sd0 " FIGURES " boot\n" UNTIMED },
    { "Solaris -xnM, and -c beside the first row",
      "    r/s    w/s   Mr/s   Mw/s wait actv wsvc_t asvc_t  %w  %b device       us sy wt id\n"
      "    4.0    2.0    0.5    0.25 0.5  0.3    1.0    2.0   1   9 c0t0d0        1  2  0 97\n"
      "    0.0    0.0    0.0    0.0  0.0  0.0    0.0    0.0   0   0 c0t1d0\n",
      "- - - c0t0d0 r=4 w=2 rk=512 wk=256 t=6 tk=768 rs=128 ws=128 s=128 a=3 q=0.8 u=9 boot\n"
      "- - - c0t1d0 r=0 w=0 rk=0 wk=0 t=0 tk=0 a=0 q=0 u=0 boot\n" UNTIMED },
    { "Solaris -r: commas",
      "r/s,w/s,kr/s,kw/s,wait,actv,wsvc_t,asvc_t,%w,%b,device\n"
      "4.0,2.0,64.0,16.0,0.5,0.3,1.0,2.0,1,9,c0t0d0\n",
      "- - - c0t0d0 " FIGURES " boot\n" UNTIMED },
    { "a row that is cut", BANNER XN "    4.0    2.0   64.0   16.0\n" ROW,
      "! 3: row skipped: '4.0    2.0   64.0   16.0'\n- - - c0t0d0 " FIGURES " boot\n" UNTIMED },
    { "the last row is cut", BANNER XN ROW "    4.0    2.0   64.0",
      "! 4: the file ends in this row: it is left out\n- - - c0t0d0 " FIGURES " boot\n" UNTIMED },
    { "nothing but a banner", BANNER, "ERROR f:1: no table of devices of iostat in it\n" },
};

static void texts(void **state)
{
    const struct unix_case *c = *state;
    expect_lines(unixstat_read, c->text, NULL, c->want);
    bool table = strcmp(c->why, "nothing but a banner") != 0;
    assert_int_equal(unixstat_detect(span_of(c->text)) > 0, table);
    if (!table)
        return;
    assert_true(iostat_detect(span_of(c->text)) > 0); /* under that name it is known */
    expect_lines(iostat_read, c->text, NULL, c->want);
}

static void what_the_user_says(void **state)
{
    (void)state;
    struct span day = SPAN_LIT("2022-05-18");
    struct arena a = { 0 };
    struct err e;
    struct ingest_options o = { .interval_s = 10 };
    assert_int_equal(time_parse_date(&day, &o.date_ms), 0);
    expect_lines(unixstat_read, BANNER XN ROW BANNER XN ROW, &o,
                 "2022-05-18T00:00:10Z - - c0t0d0 " FIGURES " boot\n"
                 "2022-05-18T00:00:20Z 10 - c0t0d0 " FIGURES "\n");

    /* AIX -T prints a clock at the end of each row; the day and the zone are the user's */
    assert_int_equal(zone_open(SPAN_LIT("+02:00"), &a, &o.zone, &e), 0);
    expect_lines(unixstat_read,
                 CONFIG
                 "Disks:         % tm_act     Kbps      tps    Kb_read   Kb_wrtn     time\n"
                 "hdisk0           36.0     162.0      64.0         32       292 23:59:59\n\n"
                 "Disks:         % tm_act     Kbps      tps    Kb_read   Kb_wrtn     time\n"
                 "hdisk0           36.0     162.0      64.0         32       292 00:00:01\n\n",
                 &o,
                 "2022-05-18T21:59:59Z 10 - hdisk0 rk=16 wk=146 t=64 tk=162 s=2.53125 u=36\n"
                 "2022-05-18T22:00:01Z 2 - hdisk0 rk=16 wk=146 t=64 tk=162 s=2.53125 u=36\n");
    arena_release(&a);
}

static void detects(void **state)
{
    (void)state;
    assert_int_equal(unixstat_detect(SPAN_LIT("Device r/s w/s rkB/s wkB/s %util\n")), 0);
    assert_int_equal(unixstat_detect(SPAN_LIT("Disks: none\n")), 0);
    assert_int_equal(unixstat_detect(SPAN_LIT("")), 0);
}

static void broken(void **state)
{
    (void)state;
    struct span text = SPAN_LIT(BANNER XN ROW BANNER XN ROW);
    expect_cuts(unixstat_read, text);
    expect_nomem(unixstat_read, text);
    expect_obeyed(unixstat_read, text);
}

int main(void)
{
    struct CMUnitTest t[N(unix_cases) + 3];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, unix_cases, texts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(what_the_user_says);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(detects);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(broken);
    return _cmocka_run_group_tests("unixstat", t, n, NULL, NULL);
}
