/* tests/data/ingest/diskstats/test_diskstats.c - counters to rates. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/diskstats/diskstats.h"
#include "tests/row_tests.h"

/* 100 reads, 50 merged, 1 600 sectors, 200 ms; 10 writes, 0 merged, 80 sectors, 30 ms; 0 in flight,
 * 150 ms busy, 230 ms weighted. */
#define SDA_1 "   8       0 sda 100 50 1600 200 10 0 80 30 0 150 230\n"
/* 20 reads, 20 merged, 320 sectors, 40 ms; 10 writes, 30 merged, 320 sectors, 10 ms; 100 ms busy,
 * 500 ms weighted more. */
#define SDA_2 "   8       0 sda 120 70 1920 240 20 30 400 40 0 250 730\n"
/* since boot: 840 KiB of 110 requests; 50 of 150 reads merged */
#define BOOT_FIGURES " rs=8 ws=4 s=7.63636 rm=33.3333 wm=0 ra=2 wa=3 a=2.09091"
/* in 10 s: 2 reads/s, 16 KiB/s; 1 write/s, 16 KiB/s; queue 500/10 000 */
#define RATES                                                                                      \
    "r=2 w=1 rk=16 wk=16 t=3 tk=32 rs=8 ws=16 s=10.6667 rm=50 wm=75 ra=2 wa=1 a=1.66667 q=0.05 "   \
    "u=1"

static const struct diskstats_case {
    const char *why, *text, *want;
} diskstats_cases[] = {
    { "two readings, as pt-diskstats saves them", /* 1652857200 = 2022-05-18 07:00:00 UTC */
      "TS 1652857200.000000000 2022-05-18 07:00:00\n" SDA_1 "TS 1652857210.000 2022-05-18\n" SDA_2,
      "2022-05-18T07:00:00Z - - sda" BOOT_FIGURES " boot\n"
      "2022-05-18T07:00:10Z 10 - sda " RATES "\n" },
    { "seconds since the epoch alone", "1652857200\n" SDA_1 "\n1652857210\n" SDA_2,
      "2022-05-18T07:00:00Z - - sda" BOOT_FIGURES " boot\n"
      "2022-05-18T07:00:10Z 10 - sda " RATES "\n" },
    { "ISO times", "2022-05-18T07:00:00Z\n" SDA_1 "2022-05-18T07:00:10Z\n" SDA_2,
      "2022-05-18T07:00:00Z - - sda" BOOT_FIGURES " boot\n"
      "2022-05-18T07:00:10Z 10 - sda " RATES "\n" },
    { "date(1)", "Wed May 18 07:00:00 UTC 2022\n" SDA_1 "Wed May 18 07:00:10 UTC 2022\n" SDA_2,
      "2022-05-18T07:00:00Z - - sda" BOOT_FIGURES " boot\n"
      "2022-05-18T07:00:10Z 10 - sda " RATES "\n" },
    { "date(1) with a zone that is no offset", "Wed May 18 07:00:00 IST 2022\n" SDA_1,
      "! 1: times without an offset are taken as UTC; --tz says otherwise\n"
      "2022-05-18T07:00:00Z - - sda" BOOT_FIGURES " boot\n"
      "! 0: one reading: the time since boot, no rates of an interval\n" },
    { "an uptime gives the rates since boot", "TS 1652857200\n100.00 190.00\n" SDA_1,
      /* 100 s: 1 read/s, 800 KiB in all, busy 150 ms */
      "2022-05-18T07:00:00Z - - sda r=1 w=0.1 rk=8 wk=0.4 t=1.1 tk=8.4" BOOT_FIGURES
      " q=0.0023 u=0.15 boot\n"
      "! 0: one reading: the time since boot, no rates of an interval\n" },
    { "no times: the name comes again, lengths are unknown", SDA_1 SDA_2,
      "- - - sda" BOOT_FIGURES " boot\n"
      "! 2: readings without a time: say --interval to get rates\n"
      "- - - sda rs=8 ws=16 s=10.6667 rm=50 wm=75 ra=2 wa=1 a=1.66667\n" },
    { "discards and flushes of newer kernels are left out",
      "TS 1652857200\n   8 0 sda 100 50 1600 200 10 0 80 30 0 150 230 5 0 100 9\n"
      "TS 1652857210\n   8 0 sda 120 70 1920 240 20 30 400 40 0 250 730 9 0 900 9 7 1\n",
      "2022-05-18T07:00:00Z - - sda" BOOT_FIGURES " boot\n"
      "2022-05-18T07:00:10Z 10 - sda " RATES "\n" },
    { "partitions of kernels before 2.6.25 have four counters",
      "TS 1652857200\n   8 1 sda1 100 1600 10 80\nTS 1652857210\n   8 1 sda1 120 1920 20 400\n",
      "2022-05-18T07:00:00Z - - sda1 rs=8 ws=4 s=7.63636 boot\n"
      "2022-05-18T07:00:10Z 10 - sda1 r=2 w=1 rk=16 wk=16 t=3 tk=32 rs=8 ws=16 s=10.6667\n" },
    { "a counter of 32 bits wraps", /* 4294967296 - 4294967000 + 24 = 320 sectors */
      "TS 1652857200\n   8 0 sda 100 50 4294967000 200 10 0 80 30 0 150 230\n"
      "TS 1652857210\n   8 0 sda 120 70 24 240 20 30 400 40 0 250 730\n",
      "2022-05-18T07:00:00Z - - sda rs=2.14748e+07 ws=4 s=1.95226e+07 rm=33.3333 wm=0 ra=2 wa=3 "
      "a=2.09091 boot\n"
      "2022-05-18T07:00:10Z 10 - sda " RATES "\n" },
    { "several fall: the device started anew",
      "TS 1652857200\n" SDA_2 "TS 1652857210\n" SDA_1 "TS 1652857220\n" SDA_2,
      "2022-05-18T07:00:00Z - - sda rs=8 ws=10 s=8.28571 rm=36.8421 wm=60 ra=2 wa=2 a=2 boot\n"
      "! 4: device sda: its counters started anew, no rates for this interval\n"
      "2022-05-18T07:00:10Z - - sda" BOOT_FIGURES " boot\n"
      "2022-05-18T07:00:20Z 10 - sda " RATES "\n" },
    { "a counter above 32 bits does not wrap",
      "TS 1652857200\n   8 0 sda 100 50 5000000000 200 10 0 80 30 0 150 230\n"
      "TS 1652857210\n" SDA_2,
      "2022-05-18T07:00:00Z - - sda rs=2.5e+07 ws=4 s=2.27273e+07 rm=33.3333 wm=0 ra=2 wa=3 "
      "a=2.09091 boot\n"
      "! 4: device sda: its counters started anew, no rates for this interval\n"
      "2022-05-18T07:00:10Z - - sda rs=8 ws=10 s=8.28571 rm=36.8421 wm=60 ra=2 wa=2 a=2 boot\n" },
    { "a device that was away: the interval is its own",
      "TS 1652857200\n" SDA_1 "   8 16 sdb 0 0 0 0 0 0 0 0 0 0 0\nTS 1652857205\n"
      "   8 16 sdb 0 0 0 0 0 0 0 0 0 0 0\nTS 1652857210\n" SDA_2,
      "2022-05-18T07:00:00Z - - sda" BOOT_FIGURES " boot\n"
      "2022-05-18T07:00:00Z - - sdb boot\n"
      "2022-05-18T07:00:05Z 5 - sdb r=0 w=0 rk=0 wk=0 t=0 tk=0 q=0 u=0\n"
      "2022-05-18T07:00:10Z 10 - sda " RATES "\n" },
    { "a device attached later: its first reading is no interval",
      "TS 1652857200\n   8 16 sdb 0 0 0 0 0 0 0 0 0 0 0\nTS 1652857210\n" SDA_1,
      "2022-05-18T07:00:00Z - - sdb boot\n2022-05-18T07:00:10Z - - sda" BOOT_FIGURES " boot\n" },
    { "time that does not rise", "TS 1652857210\n" SDA_1 "TS 1652857210\n" SDA_2,
      "2022-05-18T07:00:10Z - - sda" BOOT_FIGURES " boot\n"
      "! 4: times do not rise: no rates for this interval\n"
      "2022-05-18T07:00:10Z - - sda rs=8 ws=16 s=10.6667 rm=50 wm=75 ra=2 wa=1 a=1.66667\n" },
    { "kernel names have '!' for '/'", "104 0 cciss!c0d0 100 50 1600 200 10 0 80 30 0 150 230\n",
      "- - - cciss/c0d0" BOOT_FIGURES " boot\n"
      "! 0: one reading: the time since boot, no rates of an interval\n" },
    { "other lines are skipped and told", "load 1.08\n" SDA_1,
      "! 1: line skipped: 'load 1.08'\n- - - sda" BOOT_FIGURES " boot\n"
      "! 0: one reading: the time since boot, no rates of an interval\n" },
    { "the last line of several readings may be cut",
      "TS 1652857200\n" SDA_1
      "TS 1652857210\n   8       0 sda 120 70 1920 240 20 30 400 40 0 250 73",
      "2022-05-18T07:00:00Z - - sda" BOOT_FIGURES " boot\n"
      "! 4: the file ends in this line: it is left out\n" },
    { "nothing of it", "hello\n",
      "! 1: line skipped: 'hello'\nERROR f:1: no line of /proc/diskstats in it\n" },
};

static void texts(void **state)
{
    const struct diskstats_case *c = *state;
    expect_lines(diskstats_read, c->text, NULL, c->want);
    assert_int_equal(diskstats_detect(span_of(c->text)) > 0,
                     strstr(c->text, "sda") != NULL || strstr(c->text, "c0d0") != NULL);
}

static void what_the_user_says(void **state)
{
    (void)state;
    struct span day = SPAN_LIT("2022-05-18");
    struct ingest_options o = { .interval_s = 10 };
    assert_int_equal(time_parse_date(&day, &o.date_ms), 0);
    expect_lines(diskstats_read, SDA_1 SDA_2, &o,
                 "2022-05-18T00:00:00Z - - sda" BOOT_FIGURES " boot\n"
                 "2022-05-18T00:00:10Z 10 - sda " RATES "\n");
}

static void detects(void **state)
{
    (void)state;
    assert_int_equal(diskstats_detect(SPAN_LIT("8,0 1 1 0.000 7 Q R 8 + 8 [x]\n")), 0);
    assert_int_equal(diskstats_detect(SPAN_LIT("   8       0 sda 1 2 3\n")), 0);
    assert_int_equal(diskstats_detect(SPAN_LIT("   8       0 5 1 2 3 4\n")), 0);
    assert_int_equal(diskstats_detect(SPAN_LIT("")), 0);
}

static void broken(void **state)
{
    (void)state;
    struct span text = SPAN_LIT("TS 1652857200\n" SDA_1 "TS 1652857210\n" SDA_2 "TS 1652857220\n");
    expect_cuts(diskstats_read, text);
    expect_nomem(diskstats_read, text);
    expect_obeyed(diskstats_read, text);
}

int main(void)
{
    struct CMUnitTest t[N(diskstats_cases) + 3];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, diskstats_cases, texts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(what_the_user_says);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(detects);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(broken);
    return _cmocka_run_group_tests("diskstats", t, n, NULL, NULL);
}
