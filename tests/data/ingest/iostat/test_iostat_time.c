/* tests/data/ingest/iostat/test_iostat_time.c - which interval each report of iostat closes. */
#include "tests/data/ingest/iostat/iostat_got.h"

#include "data/zone.h"

static const struct time_case {
    const char *why, *text, *want, *warnings;
} time_cases[] = {
    { "12 hours, American; the first report is since boot",
      LINUX "05/18/2022 11:59:00 AM\n" TABLE "05/18/2022 12:00:00 PM\n" TABLE
            "05/18/2022 12:01:00 PM\n" TABLE,
      "2022-05-18T11:59:00Z - sda boot\n2022-05-18T12:00:00Z 60 sda\n"
      "2022-05-18T12:01:00Z 60 sda\n",
      "" },
    { "midnight is 12 AM", LINUX "05/18/2022 11:59:55 PM\n" TABLE "05/19/2022 12:00:00 AM\n" TABLE,
      "2022-05-18T23:59:55Z - sda boot\n2022-05-19T00:00:00Z 5 sda\n", "" },
    { "24 hours, month first because the day is above 12",
      LINUX "05/18/22 07:00:00\n" TABLE "05/18/22 07:01:00\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n2022-05-18T07:01:00Z 60 sda\n", "" },
    { "24 hours, day first",
      "Linux 5.4 (db1) \t18/05/2022 \t_x86_64_\n\n18/05/2022 07:00:00\n" TABLE
      "18/05/2022 07:01:00\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n2022-05-18T07:01:00Z 60 sda\n", "" },
    { "a later date of the file proves that the day is first",
      "Linux 5.4 (db1) \t12/05/2022 \t_x86_64_\n\n12/05/2022 23:59:00\n" TABLE
      "13/05/2022 00:00:00\n" TABLE,
      "2022-05-12T23:59:00Z - sda boot\n2022-05-13T00:00:00Z 60 sda\n", "" },
    { "nothing proves it: month first, and told",
      "Linux 5.4 (db1) \t06/05/2022 \t_x86_64_\n\n06/05/2022 07:00:00\n" TABLE,
      "2022-06-05T07:00:00Z - sda boot\n",
      "3: date 06/05/2022 is read as 2022-06-05; say --date 2022-05-06 if the day comes first\n" },
    { "PM with a zone's name behind it is Indian, day first",
      "Linux 5.4 (db1) \t06/05/22 \t_x86_64_\n\n06/05/22 01:00:00 PM IST\n" TABLE,
      "2022-05-06T13:00:00Z - sda boot\n", "" },
    { "points between: day first",
      "Linux 5.4 (db1) \t06.05.2022 \t_x86_64_\n\n06.05.2022 07:00:00\n" TABLE,
      "2022-05-06T07:00:00Z - sda boot\n", "" },
    { "dashes and two digits: day first",
      "Linux 5.4 (db1) \t06-05-22 \t_x86_64_\n\n06-05-22 07:00:00\n" TABLE,
      "2022-05-06T07:00:00Z - sda boot\n", "" },
    { "ISO without zone", "Linux 5.4 (db1) \t2022-05-18 \t_x86_64_\n\n2022-05-18 07:00:00\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n", "" },
    { "year first with PM",
      "Linux 5.4 (db1) \t2022-05-18 \t_x86_64_\n\n2022-05-18 07:00:00 PM\n" TABLE,
      "2022-05-18T19:00:00Z - sda boot\n", "" },
    { "ISO with offset is an instant",
      "Linux 5.4 (db1) \t2022-05-18 \t_x86_64_\n\n2022-05-18T07:00:00+0200\n" TABLE
      "2022-05-18T07:00:05+0200\n" TABLE,
      "2022-05-18T05:00:00Z - sda boot\n2022-05-18T05:00:05Z 5 sda\n", "" },
    { "signs for year, month, day, hour, minute, second",
      "Linux 5.4 (db1) \t2022\xE5\xB9\xB4"
      "05\xE6\x9C\x88"
      "18\xE6\x97\xA5 \t_x86_64_\n\n"
      "2022\xE5\xB9\xB4"
      "05\xE6\x9C\x88"
      "18\xE6\x97\xA5 07\xE6\x99\x82"
      "00\xE5\x88\x86"
      "00\xE7\xA7\x92\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n", "" },
    { "and with blanks between",
      "Linux 5.4 (db1) \t2022\xEB\x85\x84 05\xEC\x9B\x94 18\xEC\x9D\xBC \t_x86_64_\n\n"
      "2022\xEB\x85\x84 05\xEC\x9B\x94 18\xEC\x9D\xBC 07\xEC\x8B\x9C 00\xEB\xB6\x84 "
      "00\xEC\xB4\x88\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n", "" },
    { "a time alone takes the day of the Linux line, and rolls it at midnight",
      LINUX "Time: 23:59:50\n" TABLE "Time: 23:59:55\n" TABLE "Time: 00:00:00\n" TABLE,
      "2022-05-18T23:59:50Z - sda boot\n2022-05-18T23:59:55Z 5 sda\n"
      "2022-05-19T00:00:00Z 5 sda\n",
      "" },
    { "a time alone in 12 hours, and a blank line behind it", LINUX "Time: 03:49:57 PM\n\n" TABLE,
      "2022-05-18T15:49:57Z - sda boot\n", "" },
    { "no Linux line: the first report is an interval of unknown length",
      "05/18/2022 07:00:00 AM\n" TABLE "05/18/2022 07:00:10 AM\n" TABLE,
      "2022-05-18T07:00:00Z - sda\n2022-05-18T07:00:10Z 10 sda\n", "" },
    { "started again: since boot again",
      LINUX "05/18/2022 07:00:00 AM\n" TABLE "05/18/2022 07:01:00 AM\n" TABLE LINUX
            "05/18/2022 07:05:00 AM\n" TABLE "05/18/2022 07:06:00 AM\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n2022-05-18T07:01:00Z 60 sda\n"
      "2022-05-18T07:05:00Z - sda boot\n2022-05-18T07:06:00Z 60 sda\n",
      "" },
    { "a step far longer than the one before is told, and is one interval",
      LINUX "05/18/2022 07:00:00 AM\n" TABLE "05/18/2022 07:01:00 AM\n" TABLE
            "05/18/2022 07:12:00 AM\n" TABLE "05/18/2022 07:13:00 AM\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n2022-05-18T07:01:00Z 60 sda\n"
      "2022-05-18T07:12:00Z 660 sda\n2022-05-18T07:13:00Z 60 sda\n",
      "21: 660 s since the report before, more than until then: taken as one interval; cut the "
      "file there if reports are missing\n" },
    { "a second apart, by stamps of whole seconds",
      LINUX "05/18/2022 07:00:00 AM\n" TABLE "05/18/2022 07:00:01 AM\n" TABLE
            "05/18/2022 07:00:03 AM\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n2022-05-18T07:00:01Z 1 sda\n2022-05-18T07:00:03Z 2 sda\n",
      "" },
    { "the same stamp twice",
      LINUX "05/18/2022 07:00:00 AM\n" TABLE "05/18/2022 07:00:01 AM\n" TABLE
            "05/18/2022 07:00:01 AM\n" TABLE "05/18/2022 07:00:03 AM\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n2022-05-18T07:00:01Z 1 sda\n2022-05-18T07:00:01Z - sda\n"
      "2022-05-18T07:00:03Z 2 sda\n",
      "21: time 2022-05-18T07:00:01Z is that of the report before: length unknown\n" },
    { "time that goes back",
      LINUX "05/18/2022 07:00:00 AM\n" TABLE "05/18/2022 06:00:00 AM\n" TABLE
            "05/18/2022 06:00:05 AM\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n2022-05-18T06:00:00Z - sda\n2022-05-18T06:00:05Z 5 sda\n",
      "14: time goes back to 2022-05-18T06:00:00Z: length of the interval unknown\n" },
    { "a report whose stamp cannot be read has no time",
      LINUX "05/18/2022 07:00:00 AM\n" TABLE "18 mai 2022 07:01\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n- - sda\n",
      "10: line skipped: '18 mai 2022 07:01'\n"
      "14: this report has no time stamp that can be read\n" },
    { "no stamps at all", LINUX TABLE TABLE, "- - sda boot\n- - sda\n",
      "0: no time stamps (iostat -t): say --date and --interval to place the samples\n" },
    { "below lines of OSWatcher: from them on, 1 s apart; since boot below each",
      "zzz ***Wed May 18 07:00:00 CEST 2022\n" LINUX TABLE TABLE TABLE
      "zzz ***Wed May 18 07:00:30 CEST 2022\n" LINUX TABLE TABLE,
      "2022-05-18T07:00:00Z - sda boot\n2022-05-18T07:00:01Z 1 sda\n2022-05-18T07:00:02Z 1 sda\n"
      "2022-05-18T07:00:30Z - sda boot\n2022-05-18T07:00:31Z 1 sda\n",
      "1: the zone of this time is a name, which many zones share: taken as UTC; --tz says "
      "otherwise\n"
      "13: reports below one zzz line are taken as 1 s apart, as OSWatcher runs iostat; --interval "
      "says otherwise\n" },
    { "OSWatcher may state its interval, and write the date in its locale",
      "zzz ***Mi 18. Mai 23:59:58 UTC 2022 Sample interval: 5 secconds\n" LINUX TABLE TABLE,
      "2022-05-18T23:59:58Z - sda boot\n2022-05-19T00:00:03Z 5 sda\n", "" },
    { "ExaWatcher gives the day of times that have none, and settles 06/05",
      "# Sample Interval(s):   5\nzzz <05/06/2022 23:59:57> Count:720\n"
      "Linux 5.4 (db1) \t05/06/2022\n\nTime: 11:59:57 PM\n\n" TABLE "Time: 12:00:02 AM\n" TABLE,
      "2022-05-06T23:59:57Z - sda boot\n2022-05-07T00:00:02Z 5 sda\n", "" },
    { "a snapshot that is empty is a gap",
      "zzz ***Wed May 18 07:00:00 UTC 2022\nzzz ***Wed May 18 07:43:00 UTC 2022\n" LINUX TABLE,
      "2022-05-18T07:43:00Z - sda boot\n", "" },
    { "an empty device table is an interval without rows (-z)",
      LINUX "05/18/2022 07:00:00 AM\n" TABLE "05/18/2022 07:01:00 AM\n" CPU HEAD "\n"
            "05/18/2022 07:02:00 AM\n" TABLE,
      "2022-05-18T07:00:00Z - sda boot\n2022-05-18T07:02:00Z 60 sda\n", "" },
};

static void times(void **state)
{
    const struct time_case *c = *state;
    struct got g;
    read_ok(c->text, NULL, &g);
    assert_string_equal(g.times, c->want);
    assert_string_equal(g.warnings, c->warnings);
}

static void what_the_user_says(void **state)
{
    (void)state;
    struct got g;
    struct arena a = { 0 };
    struct err e;
    struct span day = SPAN_LIT("2022-05-06");
    struct ingest_options o = { .interval_s = 30 };
    assert_int_equal(time_parse_date(&day, &o.date_ms), 0);

    /* no stamps: from --date in steps of --interval; since boot takes none */
    read_ok(LINUX TABLE TABLE TABLE, &o, &g);
    assert_string_equal(g.times, "2022-05-06T00:00:00Z - sda boot\n2022-05-06T00:00:30Z 30 sda\n"
                                 "2022-05-06T00:01:00Z 30 sda\n");
    read_ok(TABLE TABLE, &o, &g);
    assert_string_equal(g.times, "2022-05-06T00:00:30Z 30 sda\n2022-05-06T00:01:00Z 30 sda\n");

    /* but not across a restart, whose distance nobody knows */
    read_ok(LINUX TABLE LINUX TABLE, &o, &g);
    assert_string_equal(g.times, "2022-05-06T00:00:00Z - sda boot\n- - sda boot\n");
    assert_string_equal(g.warnings,
                        "9: iostat was started again: samples from here on have no time\n");

    /* --date decides between day and month, and --interval closes a first report */
    read_ok("06/05/2022 07:00:00\n" TABLE, &o, &g);
    assert_string_equal(g.times, "2022-05-06T07:00:00Z 30 sda\n");
    assert_string_equal(g.warnings, "");

    /* --tz is for stamps without offset */
    assert_int_equal(zone_open(SPAN_LIT("+02:00"), &a, &o.zone, &e), 0);
    read_ok("2022-05-18 07:00:00\n" TABLE, &o, &g);
    assert_string_equal(g.times, "2022-05-18T05:00:00Z 30 sda\n");
    read_ok("2022-05-18T07:00:00+0000\n" TABLE, &o, &g);
    assert_string_equal(g.times, "2022-05-18T07:00:00Z 30 sda\n");
    arena_release(&a);
}

int main(void)
{
    struct CMUnitTest t[N(time_cases) + 1];
    size_t n = 0;
    CASE_TESTS(time_cases, times);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(what_the_user_says);
    return _cmocka_run_group_tests("iostat_time", t, n, NULL, NULL);
}
