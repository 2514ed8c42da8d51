/* tests/data/ingest/sar/test_sar.c - sar of four systems, hand-made texts and what they give. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/sar/sar.h"
#include "tests/row_tests.h"

#define LINUX "Linux 5.4.17 (db1.example) \t05/18/2022 \t_x86_64_\t(16 CPU)\n\n"
#define HEAD  "          DEV       tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     %util\n"

static const struct sar_case {
    const char *why, *text, *want;
} sar_cases[] = {
    { "the heading has the start, rows the end; Average is none",
      LINUX "12:24:18" HEAD "12:24:20          vda     10.00     64.00     16.00      8.00      "
            "0.10      0.20      2.00\n"
            "12:24:25          vda      5.00      0.00     20.00      4.00      0.00      0.00     "
            " 0.00\n"
            "Average:          vda      7.50     32.00     18.00      6.67      0.05      0.13     "
            " 1.00\n",
      "2022-05-18T12:24:20Z 2 db1.example vda rk=64 wk=16 t=10 tk=80 s=8 a=0.2 q=0.1 u=2\n"
      "2022-05-18T12:24:25Z 5 db1.example vda rk=0 wk=20 t=5 tk=20 s=4 a=0 q=0 u=0\n" },
    { "sectors of 512 bytes, size in sectors too; svctm is left out",
      LINUX "07:00:00  DEV  tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz  await  svctm  %util\n"
            "07:10:00  dev8-0  4.00  32.00  16.00  12.00  0.01  20.24  5.61  0.20\n",
      "2022-05-18T07:10:00Z 600 db1.example dev8-0 rk=16 wk=8 t=4 tk=24 s=6 a=20.24 q=0.01 "
      "u=0.2\n" },
    { "12.x: tps counts discards, so the total does; -p and -h put the name last, and round",
      LINUX "07:00:00  tps  rkB/s  wkB/s  dkB/s  areq-sz  aqu-sz  await  %util DEV\n"
            "07:00:10  8.00  1.0M  512.0k  0.0k  192.0k  0.11  0.22  2.2% DATA disk 1\n",
      "2022-05-18T07:00:10Z 10 db1.example DATA disk 1 rk=1024 wk=512 t=8 tk=1536 s=192 a=0.22 "
      "q=0.11 u=2.2\n" },
    { "12 hours, over midnight, no date in the rows",
      "Linux 5.4 (db1) \t03/07/2026 \t_x86_64_\n\n11:59:56 PM" HEAD
      "11:59:58 PM vda 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n"
      "12:00:00 AM vda 2.00 8.00 0.00 4.00 0.00 0.00 0.00\n",
      "2026-03-07T23:59:58Z 2 db1 vda rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n"
      "2026-03-08T00:00:00Z 2 db1 vda rk=8 wk=0 t=2 tk=8 s=4 a=0 q=0 u=0\n" },
    { "decimal commas, points in the date, Durchschn.",
      "Linux 5.4 (db1) \t18.05.2022 \t_x86_64_\n\n12:24:18" HEAD
      "12:24:20 vda 488,50 6888,00 3380,00 21,02 0,12 0,24 2,40\n"
      "Durchschn.: vda 392,33 3098,00 3890,67 17,82 0,12 0,30 1,13\n",
      "2022-05-18T12:24:20Z 2 db1 vda rk=6888 wk=3380 t=488.5 tk=10268 s=21.02 a=0.24 q=0.12 "
      "u=2.4\n" },
    { "signs for hour, minute and second",
      "Linux 5.4 (db1) \t2022\xE5\xB9\xB4"
      "05\xE6\x9C\x88"
      "18\xE6\x97\xA5 \t_x86_64_\n\n"
      "12\xE6\x97\xB6"
      "24\xE5\x88\x86"
      "18\xE7\xA7\x92" HEAD "12\xE6\x97\xB6"
      "24\xE5\x88\x86"
      "20\xE7\xA7\x92 vda 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n"
      "\xE5\xB9\xB3\xE5\x9D\x87\xE6\x97\xB6\xE9\x97\xB4: vda 1.00 8.00 0.00 8.00 0 0 0\n",
      "2022-05-18T12:24:20Z 2 db1 vda rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n" },
    { "of sar -A only the table of devices; its heading comes again after a restart",
      LINUX "07:00:00        CPU      %usr\n07:10:00        all      1.00\n\n"
            "07:00:00" HEAD "07:10:00 vda 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n\n"
            "07:00:00        IFACE   rxpck/s   txpck/s\n07:10:00  eth0  1.00  2.00\n\n"
            "08:13:00          LINUX RESTART\n\n"
            "08:20:00" HEAD "08:30:00 vda 2.00 8.00 0.00 4.00 0.00 0.00 0.00\n",
      "2022-05-18T07:10:00Z 600 db1.example vda rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n"
      "2022-05-18T08:30:00Z 600 db1.example vda rk=8 wk=0 t=2 tk=8 s=4 a=0 q=0 u=0\n" },
    { "another table without a blank line between",
      LINUX "07:00:00" HEAD "07:10:00 vda 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n"
            "07:00:00        IFACE   rxpck/s   txpck/s\n07:10:00  eth0  1.00  2.00\n",
      "2022-05-18T07:10:00Z 600 db1.example vda rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n" },
    { "AIX: a clock in the first row of a sample, KiB, times of queue and device added",
      "\nAIX aix1 2 7 00F93CFF4C00    04/20/20\n\nSystem configuration: lcpu=96 drives=2\n\n"
      "00:00:00     device    %busy    avque    r+w/s    Kbs/s   avwait   avserv\n\n"
      "00:01:00 asm/data-108      0      0.0        0        0      0.0      0.0\n"
      "            hdisk40      1      0.0        4      217      0.5      2.0\n\n\n"
      "00:02:00 asm/data-108      0      0.0        0        1      0.0      0.0\n"
      "            hdisk40      0      0.0        0       68      0.0      2.0\n\n"
      "Average  asm/data-108      0      0.0        0        0      0.0      0.0\n"
      "            hdisk40      0      0.0        2      142      0.2      2.0\n\n"
      "00:00:00     proc-sz     inod-sz\n00:01:00    600/262144     1/2\n",
      "2020-04-20T00:01:00Z 60 aix1 asm/data-108 t=0 tk=0 a=0 q=0 u=0\n"
      "2020-04-20T00:01:00Z 60 aix1 hdisk40 t=4 tk=217 s=54.25 a=2.5 q=0 u=1\n"
      "2020-04-20T00:02:00Z 60 aix1 asm/data-108 t=0 tk=1 a=0 q=0 u=0\n"
      "2020-04-20T00:02:00Z 60 aix1 hdisk40 t=0 tk=68 a=2 q=0 u=0\n" },
    { "Solaris: blocks of 512 bytes",
      "\nSunOS sun1 5.11 11.3 sun4v    05/26/2017\n\n"
      "08:00:00   device        %busy   avque   r+w/s  blks/s  avwait  avserv\n\n"
      "08:20:00   mpt_sas2          1     0.0       6     212     0.0     3.1\n"
      "           xhci0,to          0     0.0       3       1     0.0     0.0\n\n"
      "Average    mpt_sas2          1     0.0       7     247     0.0     3.1\n"
      "           xhci0,to          0     0.0       3       1     0.0     0.0\n\n"
      "08:00:00 runq-sz %runocc\n08:20:00     1.2      63\n",
      "2017-05-26T08:20:00Z 1200 sun1 mpt_sas2 t=6 tk=106 s=17.6667 a=3.1 q=0 u=1\n"
      "2017-05-26T08:20:00Z 1200 sun1 xhci0,to t=3 tk=0.5 s=0.166667 a=0 q=0 u=0\n" },
    { "HP-UX: one blank line at the end of all samples",
      "\nHP-UX hp1 B.11.31 U ia64    03/21/18\n\n"
      "00:00:01   device   %busy   avque   r+w/s  blks/s  avwait  avserv\n"
      "00:05:01    disk1    8.35   10.17      39     578   12.74    3.96\n"
      "            disk3    2.82    0.50       8     111    0.00    4.19\n"
      "00:10:01    disk1    7.71    0.53      34     506    0.16    3.26\n",
      "2018-03-21T00:05:01Z 300 hp1 disk1 t=39 tk=289 s=7.41026 a=16.7 q=10.17 u=8.35\n"
      "2018-03-21T00:05:01Z 300 hp1 disk3 t=8 tk=55.5 s=6.9375 a=4.19 q=0.5 u=2.82\n"
      "2018-03-21T00:10:01Z 300 hp1 disk1 t=34 tk=253 s=7.44118 a=3.42 q=0.53 u=7.71\n" },
    { "from the middle of a text: no host, no date",
      "07:00:00" HEAD "07:00:10 vda 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n",
      "- 10 - vda rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n"
      "! 0: no date in it: say --date to place the samples\n" },
    { "nothing proves what 06/05 is: month first, and told",
      "Linux 5.4 (db1) \t06/05/22 \t_x86_64_\n\n07:00:00" HEAD
      "07:00:10 vda 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n",
      "! 1: date 06/05/22 is read as 2022-06-05; say --date 2022-05-06 if the day comes first\n"
      "2022-06-05T07:00:10Z 10 db1 vda rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n" },
    { "PM is American",
      "Linux 5.4 (db1) \t06/05/22 \t_x86_64_\n\n01:00:00 PM" HEAD
      "01:00:10 PM vda 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n",
      "2022-06-05T13:00:10Z 10 db1 vda rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n" },
    { "time that goes back has no interval",
      LINUX "07:00:00" HEAD "07:00:10 vda 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n"
            "07:00:05 vda 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n",
      "2022-05-18T07:00:10Z 10 db1.example vda rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n"
      "! 5: time goes back to 2022-05-18T07:00:05Z: length of the interval unknown\n"
      "2022-05-18T07:00:05Z - db1.example vda rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n" },
    { "odd rows are skipped and told",
      LINUX "07:00:00" HEAD "07:00:10 vda 1.00 8.00\n"
            "07:00:10 vdb x 8.00 0.00 8.00 0.00 0.00 0.00\n"
            "07:00:10 vdc 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n",
      "! 4: row skipped: 'vda 1.00 8.00'\n"
      "! 5: row skipped: 'vdb x 8.00 0.00 8.00 0.00 0.00 0.00'\n"
      "2022-05-18T07:00:10Z 10 db1.example vdc rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n" },
    { "the last row is cut", LINUX "07:00:00" HEAD "07:00:10 vda 1.00 8.00 0.00 8.00 0.00 0.00 0.0",
      "! 4: the file ends in this row: it is left out\n" },
    { "an unknown column is skipped",
      LINUX "07:00:00  DEV  tps  rkB/s  wkB/s  zz  %util\n07:00:10  vda  1.00  8.00  0.00  9.00  "
            "0.50\n",
      "! 3: unknown column 'zz' is skipped\n"
      "2022-05-18T07:00:10Z 10 db1.example vda rk=8 wk=0 t=1 tk=8 s=8 u=0.5\n" },
    { "more than any device can do",
      LINUX "07:00:00" HEAD "07:00:10 vda 9000000.00 8.00 0.00 8.00 0.00 0.00 34569.89\n",
      "2022-05-18T07:00:10Z 10 db1.example vda rk=8 wk=0 t=9e+06 tk=8 s=8 a=0 q=0 u=34569.9 "
      "artefact\n" },
    { "no table of devices", LINUX "07:00:00  CPU  %usr\n07:10:00  all  1.00\n",
      "ERROR f:1: no table of devices in it; sar -d (or -A) prints one\n" },
    { "a table without bytes", LINUX "07:00:00  DEV  tps  await  %util\n07:10:00  a  1.00 1 1\n",
      "ERROR f:3: a table of devices without requests or without bytes: '  DEV  tps  await  "
      "%util'\n" },
};

static void texts(void **state)
{
    const struct sar_case *c = *state;
    expect_lines(sar_read, c->text, NULL, c->want);
}

static void what_the_user_says(void **state)
{
    (void)state;
    struct span day = SPAN_LIT("2022-05-06");
    struct ingest_options o = { .interval_s = NAN };
    assert_int_equal(time_parse_date(&day, &o.date_ms), 0);
    expect_lines(sar_read, "07:00:00" HEAD "07:00:10 vda 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n", &o,
                 "2022-05-06T07:00:10Z 10 - vda rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n");
    expect_lines(sar_read,
                 "Linux 5.4 (db1) \t06/05/22 \t_x86_64_\n\n07:00:00" HEAD
                 "07:00:10 vda 1.00 8.00 0.00 8.00 0.00 0.00 0.00\n",
                 &o, "2022-05-06T07:00:10Z 10 db1 vda rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n");
}

static void detects(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool want;
    } cases[] = {
        { LINUX "07:00:00" HEAD, true },
        { LINUX "07:00:00        CPU      %usr\n", true }, /* sar -A: devices come far below */
        { "07:00:00" HEAD, true },
        { "\nAIX aix1 2 7 00F9    04/20/20\n\n00:00:00     device    %busy    r+w/s    Kbs/s\n",
          true },
        { LINUX "avg-cpu:  %user\n", false },
        { LINUX "05/18/22 07:00:00\nDevice r/s w/s\n", false },
        { "12:00:00 the device was attached\n", false },
        { "", false },
    };
    for (size_t i = 0; i < N(cases); i++)
        if ((sar_detect(span_of(cases[i].text)) > 0) != cases[i].want)
            fail_msg("%s", cases[i].text);
}

static void broken(void **state)
{
    (void)state;
    struct span text = span_of("\x1B[0m" LINUX "12:24:18" HEAD
                               "12:24:20 vda 10.00 64.00 16.00 8.00 0.10 0.20 2.00\n"
                               "12:24:20 vdb 10.00 64.00 16.00 8.00 0.10 0.20 2.00\n"
                               "12:24:22 vda 10.00 64.00 16.00 8.00 0.10 0.20 2.00\n\n");
    expect_nomem(sar_read, text);
    expect_obeyed(sar_read, text);
}

int main(void)
{
    struct CMUnitTest t[N(sar_cases) + 3];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, sar_cases, texts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(what_the_user_says);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(detects);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(broken);
    return _cmocka_run_group_tests("sar", t, n, NULL, NULL);
}
