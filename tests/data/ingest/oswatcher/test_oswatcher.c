/* tests/data/ingest/oswatcher/test_oswatcher.c - zzz lines, and what is told from an archive. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/oswatcher/oswatcher.h"
#include "data/ingest/oswatcher/zzz.h"
#include "tests/row_tests.h"

static const struct zzz_case {
    const char *why, *line, *want; /* wall clock, offset in minutes, zone, interval */
} zzz_cases[] = {
    { "American", "zzz ***Wed Feb 29 11:01:52 EST 2012", "2012-02-29T11:01:52Z - EST -" },
    { "with its interval", "zzz ***Wed Feb 29 11:01:52 EST 2012 Sample interval: 5 secconds",
      "2012-02-29T11:01:52Z - EST 5" },
    { "UTC is an offset", "zzz ***Mon Mar 11 18:00:18 UTC 2019", "2019-03-11T18:00:18Z 0 - -" },
    { "so is a number", "zzz ***Mon Mar 11 18:00:18 +0330 2019", "2019-03-11T18:00:18Z 210 - -" },
    { "and one of two digits", "zzz ***Mon Mar 11 18:00:18 -03 2019",
      "2019-03-11T18:00:18Z -180 - -" },
    { "12 hours, as newer locales print them", "zzz ***Wed 18 May 2022 12:00:05 AM CEST",
      "2022-05-18T00:00:05Z - CEST -" },
    { "German", "zzz ***Mo 30. Nov 12:26:34 UTC 2026", "2026-11-30T12:26:34Z 0 - -" },
    { "French: mar. is a day here", "zzz ***mar. 30 nov. 2026 12:26:34 UTC",
      "2026-11-30T12:26:34Z 0 - -" },
    { "Japanese: numbers with signs",
      "zzz ***2026\xE5\xB9\xB4 11\xE6\x9C\x88 30\xE6\x97\xA5 \xE6\x9C\x88 12:26:34 JST",
      "2026-11-30T12:26:34Z - JST -" },
    { "ExaWatcher", "zzz <01/17/2015 09:02:39> Count:720", "2015-01-17T09:02:39Z - - -" },
    { "no such day", "zzz ***Wed Feb 30 11:01:52 EST 2012", "- - - -" },
    { "no clock", "zzz ***Wed Feb 29 2012", "- - - -" },
    { "ExaWatcher, cut", "zzz <01/17", "- - - -" },
    { "nothing behind it", "zzz", "- - - -" },
};

static void zzz_lines(void **state)
{
    const struct zzz_case *c = *state;
    struct zzz z;
    char got[100], t[32], offset[24] = "-", interval[24] = "-";
    assert_int_equal(zzz_parse(span_of(c->line), &z), 0);
    if (z.offset_ms != UNKNOWN)
        snprintf(offset, sizeof offset, "%d", (int)(z.offset_ms / 60000));
    if (!isnan(z.interval_s))
        snprintf(interval, sizeof interval, "%g", z.interval_s);
    snprintf(got, sizeof got, "%s %s %.*s %s",
             time_format_iso(t, z.day_ms == UNKNOWN ? UNKNOWN : z.day_ms + z.clock_ms), offset,
             z.zone.len ? (int)z.zone.len : 1, z.zone.len ? z.zone.ptr : "-", interval);
    assert_string_equal(got, c->want);
}

static void other_lines(void **state)
{
    (void)state;
    struct zzz z;
    assert_int_not_equal(zzz_parse(SPAN_LIT("zzzz 1"), &z), 0);
    assert_int_not_equal(zzz_parse(SPAN_LIT(""), &z), 0);
    assert_int_not_equal(zzz_parse_date(SPAN_LIT("Wed May 18"), &z), 0);
    assert_true(zzz_interval_s(SPAN_LIT("# Sample Interval(s):   5")) == 5);
    assert_true(isnan(zzz_interval_s(SPAN_LIT("# Sample Count: 5"))));
    assert_true(isnan(zzz_interval_s(SPAN_LIT("Sample interval: -5"))));
    assert_true(zzz_first_day_ms(SPAN_LIT("x\nzzz ***Thu Jan 1 00:00:01 UTC 1970\n")) == 0);
    assert_true(zzz_first_day_ms(SPAN_LIT("x\n")) == UNKNOWN);
}

#define ZZZ   "zzz ***Wed May 18 07:00:00 UTC 2022\n"
#define TABLE "Device r/s rkB/s w/s wkB/s %util\nsda 1.00 8.00 2.00 8.00 0.10\n\n"

static const struct archive_case {
    const char *why, *text;
    bool detected;
    const char *want;
} archive_cases[] = {
    { "an archive of Linux", ZZZ "Linux 5.4 (db1) \t05/18/2022\n\n" TABLE TABLE, true,
      "2022-05-18T07:00:00Z - db1 sda r=1 w=2 rk=8 wk=8 t=3 tk=16 rs=8 ws=4 s=5.33333 u=0.1 boot\n"
      "! 7: reports below one zzz line are taken as 1 s apart, as OSWatcher runs iostat; "
      "--interval "
      "says otherwise\n"
      "2022-05-18T07:00:01Z 1 db1 sda r=1 w=2 rk=8 wk=8 t=3 tk=16 rs=8 ws=4 s=5.33333 u=0.1\n" },
    { "with the collector's own line", "Linux OSWbb v8.1.2 db1\n" ZZZ TABLE, true,
      "! 3: reports below one zzz line are taken as 1 s apart, as OSWatcher runs iostat; "
      "--interval "
      "says otherwise\n"
      "2022-05-18T07:00:01Z 1 - sda r=1 w=2 rk=8 wk=8 t=3 tk=16 rs=8 ws=4 s=5.33333 u=0.1\n" },
    { "an archive of Solaris",
      ZZZ "                    extended device statistics\n    r/s    w/s   kr/s   kw/s wait actv "
          "wsvc_t asvc_t  %w  %b device\n    1.0    2.0    8.0    8.0  0.0  0.1    0.0    0.7   0  "
          " 2 c0t0d0\n",
      true,
      "2022-05-18T07:00:00Z - - c0t0d0 r=1 w=2 rk=8 wk=8 t=3 tk=16 rs=8 ws=4 s=5.33333 a=0.7 q=0.1 "
      "u=2 boot\n" },
    { "an archive of another tool", ZZZ "procs -----------memory----------\n r  b   swpd\n", true,
      "ERROR f:1: an archive of OSWatcher without iostat in it (below its first line: 'procs "
      "-----------memory----------'); figures of devices are in the files of iostat\n" },
    { "zzz lines alone", ZZZ ZZZ, false, "ERROR f:1: no report of iostat in it\n" },
    { "iostat that nobody collected", "Linux 5.4 (db1) \t05/18/2022\n\n" TABLE, false,
      "- - db1 sda r=1 w=2 rk=8 wk=8 t=3 tk=16 rs=8 ws=4 s=5.33333 u=0.1 boot\n"
      "! 0: no time stamps (iostat -t): say --date and --interval to place the samples\n" },
};

static void archives(void **state)
{
    const struct archive_case *c = *state;
    assert_int_equal(oswatcher_detect(span_of(c->text)) > 0, c->detected);
    expect_lines(oswatcher_read, c->text, NULL, c->want);
}

static void broken(void **state)
{
    (void)state;
    struct span text = span_of(archive_cases[0].text);
    expect_nomem(oswatcher_read, text);
    expect_obeyed(oswatcher_read, text);
}

int main(void)
{
    struct CMUnitTest t[N(zzz_cases) + N(archive_cases) + 2];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, zzz_cases, zzz_lines);
    ADD_ROW_TESTS(t, n, archive_cases, archives);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(other_lines);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(broken);
    return _cmocka_run_group_tests("oswatcher", t, n, NULL, NULL);
}
