/* tests/data/ingest/iostat/test_iostat.c - headings, rows, stamps, odd lines and refusals.
 *
 * What a text must give is written as lines: one per sample, "time interval host device ...",
 * one per warning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/ingest/iostat/iostat.h"
#include "data/zone.h"
#include "models/core/mem.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#define N(a) (sizeof(a) / sizeof *(a))

#define LINUX "Linux 5.4.17 (db1.example) \t05/18/2022 \t_x86_64_\t(16 CPU)\n\n"
#define CPU                                                                                        \
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"                                    \
    "           2.15    0.00    1.07    0.11    0.00   96.67\n\n"
/* A short heading: order and blanks are free. */
#define HEAD "Device r/s rkB/s w/s wkB/s r_await w_await aqu-sz %util\n"

struct got {
    struct io_sample last;
    char host[256], device[256]; /* of last */
    size_t n, n_warnings;
    char times[2000]; /* "time interval device[*since boot]\n" */
    char warnings[4000];
};

static int on_sample(void *ctx, const struct io_sample *s, struct err *e)
{
    (void)e;
    struct got *g = ctx;
    char t[32], interval[32] = "-";
    if (!isnan(s->interval_s))
        snprintf(interval, sizeof interval, "%g", s->interval_s);
    size_t at = strlen(g->times);
    snprintf(g->times + at, sizeof g->times - at, "%s %s %.*s%s\n", time_format_iso(t, s->time_ms),
             interval, SPAN_ARG(s->device), s->since_boot ? " boot" : "");
    snprintf(g->host, sizeof g->host, "%.*s", SPAN_ARG(s->host));
    snprintf(g->device, sizeof g->device, "%.*s", SPAN_ARG(s->device));
    g->last = *s;
    g->n++;
    return 0;
}

static int on_warning(void *ctx, int64_t line, const char *text, struct err *e)
{
    (void)e;
    struct got *g = ctx;
    size_t at = strlen(g->warnings);
    snprintf(g->warnings + at, sizeof g->warnings - at, "%lld: %s\n", (long long)line, text);
    g->n_warnings++;
    return 0;
}

static int read_text(struct span text, const struct ingest_options *o, struct got *g,
                     int64_t *skipped, struct err *e)
{
    static const struct ingest_options plain = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct arena a = { 0 };
    struct sink sink = { .ctx = g, .sample = on_sample, .warning = on_warning };
    struct source *src = source_of_span("f", text);
    int64_t rows = -1;
    int rc = src ? iostat_read(src, o ? o : &plain, &sink, &a, &rows, skipped, e) : err_nomem(e);
    if (!rc)
        assert_int_equal(rows, g->n);
    source_close(src);
    arena_release(&a);
    return rc;
}

static void read_ok(const char *text, const struct ingest_options *o, struct got *g)
{
    int64_t skipped;
    struct err e = { 0 };
    *g = (struct got){ .n = 0 };
    if (read_text(span_of(text), o, g, &skipped, &e))
        fail_msg("%s", e.text);
}

/* --- columns ---------------------------------------------------------------------------------- */

/* Figures in the order: reads, writes, read KiB/s, write KiB/s, read size, write size, read merge,
 * write merge, read await, write await, await, queue, util; -1 = unknown. */
enum { FIGURES = 13 };
static const struct layout_case {
    const char *why, *text;
    double want[FIGURES];
} layout_cases[] = {
    { "sectors of 512 bytes; await of both; merges from rrqm and wrqm",
      "Device:         rrqm/s   wrqm/s   r/s   w/s   rsec/s   wsec/s avgrq-sz avgqu-sz   await  "
      "svctm  %util\n"
      "sdb               1.00     6.00  4.00  2.00   128.00    64.00    32.00     0.30   12.50   "
      "2.00   1.20\n",
      /* 128 sectors = 64 KiB; / 4 = 16; 1 of 5 and 6 of 8 requests were merged */
      { 4, 2, 64, 32, 16, 16, 20, 75, -1, -1, 12.5, 0.3, 1.2 } },
    { "sectors and kB: the same rates twice",
      "Device:    rrqm/s wrqm/s   r/s   w/s  rsec/s  wsec/s    rkB/s    wkB/s avgrq-sz avgqu-sz "
      "  await  svctm  %util\n"
      "sda          0.00   0.00  0.00  1.20    0.00   19.20     0.00     9.60    16.00     0.00 "
      "   0.17   0.17   0.02\n",
      { 0, 1.2, 0, 9.6, -1, 8, -1, 0, -1, -1, 0.17, 0, 0.02 } },
    { "MB is 1 024 kB; r_await and w_await beside await",
      "Device:         rrqm/s   wrqm/s     r/s     w/s    rMB/s    wMB/s avgrq-sz avgqu-sz   await "
      "r_await w_await  svctm  %util\n"
      "xvdb              0.00     0.00   64.00   32.00     0.50     1.00    32.00     0.10    1.50 "
      "   1.00    2.50   0.20   2.00\n",
      { 64, 32, 512, 1024, 8, 32, 0, 0, 1, 2.5, 1.5, 0.1, 2 } },
    { "11.5.7: no plain await, which is then weighted by requests",
      "Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrqm r_await "
      "w_await aqu-sz rareq-sz wareq-sz  svctm  %util\n"
      "nvme1n1         30.00   10.00    240.00    160.00     0.00     0.00   0.00   0.00    1.00 "
      "   3.00   0.06     8.00    16.00   0.10   0.40\n",
      { 30, 10, 240, 160, 8, 16, 0, 0, 1, 3, 1.5, 0.06, 0.4 } },
    { "12.5: reads, writes, discards and flushes; the last two are left out",
      "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s "
      " %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  "
      "aqu-sz  %util\n"
      "nvme1n1          1.00      4.00     3.00  75.00    0.50     4.00    2.00     16.00     0.00 "
      "  0.00    0.75     8.00    5.00   5120.00     0.00   0.00    9.00  1024.00    7.00    9.00  "
      "  0.11  12.00\n",
      { 1, 2, 4, 16, 4, 8, 75, 0, 0.5, 0.75, 2.0 / 3, 0.11, 12 } },
    { "sectors in the new order, as with POSIXLY_CORRECT",
      "Device r/s rsec/s rrqm/s %rrqm r_await rareq-sz w/s wsec/s wrqm/s %wrqm w_await wareq-sz "
      "aqu-sz %util\n"
      "sda 2.00 32.00 0.00 0.00 1.00 8.00 0.00 0.00 0.00 0.00 0.00 0.00 0.01 0.10\n",
      { 2, 0, 16, 0, 8, -1, 0, 0, 1, 0, 1, 0.01, 0.1 } },
    { "the name at the end (-j, --compact)",
      "     r/s     rkB/s     w/s     wkB/s  aqu-sz  %util Device\n"
      "    2.00     16.00    1.00      4.00    0.01   0.10 DATA disk 1\n",
      { 2, 1, 16, 4, 8, 4, -1, -1, -1, -1, -1, 0.01, 0.1 } },
    { "decimal commas",
      "Device r/s w/s rkB/s wkB/s %util\n"
      "sda 90,78 1,50 6608,62 12,00 1,52\n",
      { 90.78, 1.5, 6608.62, 12, 72.798, 8, -1, -1, -1, -1, -1, -1, 1.52 } },
    { "no decimals (--dec=0)",
      "Device r/s w/s rkB/s wkB/s rareq-sz %util\nsda 91 0 728 0 8 2\n",
      { 91, 0, 728, 0, 8, -1, -1, -1, -1, -1, -1, -1, 2 } },
    { "a printed size has more digits than rates in MB",
      "Device r/s w/s rMB/s wMB/s rareq-sz wareq-sz %util\n"
      "sda 3.00 0.00 0.02 0.00 6.67 0.00 1.00\n", /* 20 KiB/s printed as 0.02 MB/s */
      { 3, 0, 20.48, 0, 6.67, -1, -1, -1, -1, -1, -1, -1, 1 } },
    { "nan and inf of old versions are unknown",
      "Device: r/s w/s rkB/s wkB/s await %util\nsda 0.00 0.00 0.00 0.00 nan 0.00\n",
      { 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, 0 } },
};

static double known(double v)
{
    return isnan(v) ? -1 : v;
}

static void layouts(void **state)
{
    const struct layout_case *c = *state;
    struct got g;
    read_ok(c->text, NULL, &g);
    assert_int_equal(g.n, 1);
    const struct io_sample *s = &g.last;
    const double got[FIGURES] = { s->reads_per_s,     s->writes_per_s,     s->read_kib_per_s,
                                  s->write_kib_per_s, s->read_request_kib, s->write_request_kib,
                                  s->read_merge_pct,  s->write_merge_pct,  s->read_await_ms,
                                  s->write_await_ms,  s->await_ms,         s->queue,
                                  s->util_pct };
    for (size_t i = 0; i < FIGURES; i++)
        if (fabs(known(got[i]) - c->want[i]) > 0.001)
            fail_msg("figure %zu is %g, expected %g", i, got[i], c->want[i]);
    assert_int_equal(s->line, 2);
    assert_false(s->artefact);
}

/* --- time ------------------------------------------------------------------------------------- */

#define ROW   "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n\n"
#define TABLE CPU HEAD ROW

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

/* --- odd lines -------------------------------------------------------------------------------- */

static const struct odd_case {
    const char *why, *text, *want, *warnings;
    int64_t skipped;
} odd_cases[] = {
    { "the last row is cut between two values",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"
      "sdb 1.00 8.00 0.00",
      "2022-05-18T07:00:00Z - sda\n", "4: the file ends in this row: it is left out\n", 1 },
    { "the last row is cut in its last value",
      "2022-05-18 07:00:00\n" HEAD "sdb 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.1", "",
      "3: the file ends in this row: it is left out\n", 1 },
    { "the last row is whole, only its line end is missing",
      "2022-05-18 07:00:00\n" HEAD "sdb 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10",
      "2022-05-18T07:00:00Z - sdb\n", "", 0 },
    { "the name at the end may be cut: left out",
      "2022-05-18 07:00:00\n r/s rkB/s w/s wkB/s %util Device\n 1.00 8.00 0.00 0.00 0.10 nvme1", "",
      "3: the file ends in this row: it is left out\n", 1 },
    { "the heading is cut", "2022-05-18 07:00:00\nDevice r/s rkB/s w/s wk", "",
      "2: the file ends in this heading: it is left out\n"
      "0: no device table (iostat -c, or nothing but a header)\n",
      0 },
    { "a short row in the middle is skipped",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00\nsdb 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n",
      "2022-05-18T07:00:00Z - sdb\n", "3: row skipped: 2 of 8 values\n", 1 },
    { "a long row is skipped",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10 7.00\n", "",
      "3: row skipped: more than 8 values\n", 1 },
    { "a prompt within a table is skipped",
      "2022-05-18 07:00:00\n" HEAD "[oracle@db1 ~]$ iostat -x 5\n", "",
      "3: row skipped: '~]$' is not a number\n", 1 },
    { "after three of a kind they are counted",
      "2022-05-18 07:00:00\n" HEAD "a x\nb x\nc x\nd x\ne x\n", "",
      "3: row skipped: 'x' is not a number\n4: row skipped: 'x' is not a number\n"
      "5: row skipped: 'x' is not a number\n0: in all 5 rows were skipped\n",
      5 },
    { "group rows are sums",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"
      " ASMDATA 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n",
      "2022-05-18T07:00:00Z - sda\n",
      "4: group 'ASMDATA' (iostat -g) is a sum of devices: skipped\n", 1 },
    { "groups without their devices (-H) are all there is",
      "2022-05-18 07:00:00\n" HEAD " ASMDATA 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"
      " ASMREDO 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n",
      "2022-05-18T07:00:00Z - ASMDATA\n2022-05-18T07:00:00Z - ASMREDO\n", "", 0 },
    { "a text that is indented as a whole has no groups",
      " 2022-05-18 07:00:00\n " HEAD " sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n \n",
      "2022-05-18T07:00:00Z - sda\n", "", 0 },
    { "an unknown column is skipped",
      "2022-05-18 07:00:00\nDevice r/s rkB/s w/s wkB/s z/s %util\n"
      "sda 1.00 8.00 0.00 0.00 9.00 0.10\n",
      "2022-05-18T07:00:00Z - sda\n", "2: unknown column 'z/s' is skipped\n", 0 },
    { "a new Linux line ends a table that was cut",
      "2022-05-18 07:00:00\n" HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"
      "Linux 5.4 (db1) \t2022-05-18 \t_x86_64_\n2022-05-18 08:00:00\n" HEAD
      "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n",
      "2022-05-18T07:00:00Z - sda\n2022-05-18T08:00:00Z - sda boot\n", "", 0 },
    { "lines of a collector around the reports",
      "### started\nzzz ***Wed May 18 07:00:00 UTC 2022\n2022-05-18 07:00:00\n" TABLE
      "zzz ***Wed May 18 07:01:00 UTC 2022\n2022-05-18 07:01:00\n" TABLE,
      "2022-05-18T07:00:00Z - sda\n2022-05-18T07:01:00Z 60 sda\n", "", 0 },
    { "a size that is half the truth is told",
      "2022-05-18 07:00:00\nDevice r/s rkB/s w/s wkB/s rareq-sz %util\n"
      "sda 10.00 160.00 0.00 0.00 8.00 0.10\n",
      "2022-05-18T07:00:00Z - sda\n",
      "3: device sda: the mean request size printed is far from bytes / requests, which is used\n",
      0 },
    { "a device just attached shows its lifetime",
      "2022-05-18 07:00:00\n" HEAD "sda 900.00 8.00 0.00 0.00 0.50 0.00 0.00 34569.89\n",
      "2022-05-18T07:00:00Z - sda\n",
      "3: device sda: more than a device can do in this interval (just attached, or a counter that "
      "wrapped)\n",
      0 },
    { "a line of nothing but feeds is blank", "\v\f\n2022-05-18 07:00:00\n" HEAD "\f\v\n" HEAD, "",
      "5: this report has no time stamp that can be read\n", 0 },
    { "iostat -c", LINUX CPU, "", "0: no device table (iostat -c, or nothing but a header)\n", 0 },
};

static void odd_lines(void **state)
{
    const struct odd_case *c = *state;
    struct got g = { .n = 0 };
    int64_t skipped;
    struct err e = { 0 };
    if (read_text(span_of(c->text), NULL, &g, &skipped, &e))
        fail_msg("%s", e.text);
    assert_string_equal(g.times, c->want);
    assert_string_equal(g.warnings, c->warnings);
    assert_int_equal(skipped, c->skipped);
}

static void artefacts(void **state)
{
    (void)state;
    static const struct {
        const char *why, *row;
        bool want;
    } rows[] = {
        { "a device may be above 100 %", "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 180.00\n", false },
        { "ten intervals in one are too many", "sda 1.00 8.00 0.00 0.00 0.5 0 0 1000.01\n", true },
        { "3.5 million requests a second and high use",
          "sda 1234569.20 108.40 2345679.50 99382869.60 0.37 0.42 1444.46 34569.89\n", true },
        { "5 000 001 requests a second", "sda 5000001.00 8.00 0.00 0.00 0.5 0 0 100.00\n", true },
        { "a negative rate", "sda -12.00 8.00 0.00 0.00 0.5 0 0 100.00\n", true },
        { "the largest io2 volume", "sda 256000.00 4096000.00 0.00 0.00 0.5 0 0 100.00\n", false },
    };
    for (size_t i = 0; i < N(rows); i++) {
        char text[400];
        struct got g;
        snprintf(text, sizeof text, "%s%s", HEAD, rows[i].row);
        read_ok(text, NULL, &g);
        assert_int_equal(g.n, 1);
        if (g.last.artefact != rows[i].want)
            fail_msg("%s", rows[i].why);
    }
}

static void names_and_bytes(void **state)
{
    (void)state;
    struct got g;
    struct err e;
    int64_t skipped;
    read_ok(LINUX HEAD "cciss!c0d0 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n", NULL, &g);
    assert_string_equal(g.device, "cciss/c0d0");
    assert_string_equal(g.host, "db1.example");

    /* zeros behind the values, as 11.5.7 printed them */
    static const char nul[] = HEAD "sda 1.50\0 8.00\0 0.00\0 0.00\0 0.50\0 0.00\0 0.00\0 0.10\0\n";
    g = (struct got){ .n = 0 };
    assert_int_equal(read_text((struct span){ nul, sizeof nul - 1 }, NULL, &g, &skipped, &e), 0);
    assert_int_equal(g.n, 1);
    assert_true(g.last.reads_per_s == 1.5 && g.last.util_pct == 0.1);

    /* colours of a terminal */
    read_ok("\x1B[1m" HEAD
            "\x1B[32;22mnvme1n1   \x1B[0m\x1B[34;1m  1.50\x1B[0m 8.00 0.00 0.00 0.50 0.00 "
            "0.00 \x1B[31;1m  0.10\x1B[0m\n",
            NULL, &g);
    assert_string_equal(g.device, "nvme1n1");
    assert_true(g.last.reads_per_s == 1.5 && g.last.util_pct == 0.1);

    /* CRLF, and a value wider than its column */
    read_ok("Device    r/s rkB/s w/s wkB/s %util\r\nsda 64000.00 99382869.60 0.00 0.00 0.10\r\n",
            NULL, &g);
    assert_true(g.last.read_kib_per_s == 99382869.60 && g.last.util_pct == 0.1);

    char text[1200], name[400];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, "%s%s 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n", HEAD, name);
    read_ok(text, NULL, &g);
    assert_int_equal(g.n, 0);
    assert_non_null(strstr(g.warnings, "a device name of 399 bytes"));
}

/* --- refusals --------------------------------------------------------------------------------- */

static const struct refusal_case {
    const char *why, *text, *want;
} refusal_cases[] = {
    { "a heading wrapped by mail", "Device:    rrqm/s wrqm/s   r/s   w/s  rsec/s  wsec/s\n",
      "f:1: no column '%util' in this heading (was the text wrapped?)" },
    { "a date that contradicts the others",
      LINUX "05/18/2022 07:00:00 AM\n" TABLE "19/05/2022 07:00:00 AM\n" TABLE,
      "f:10: date 19/05/2022 is not month/day like the dates before it; say --date" },
    { "a day that does not exist", "2022-02-30 07:00:00\n" TABLE, "f:1: date 2022/02/30 is not" },
    { "nothing of iostat in it", "hello\nworld\n", "f:1: no report of iostat in it" },
};

static void refusals(void **state)
{
    const struct refusal_case *c = *state;
    struct got g = { .n = 0 };
    int64_t skipped;
    struct err e = { 0 };
    assert_int_equal(read_text(span_of(c->text), NULL, &g, &skipped, &e), ERR_PARSE);
    if (strncmp(e.text, c->want, strlen(c->want)) != 0)
        fail_msg("'%s' does not begin with '%s'", e.text, c->want);
}

static const struct detect_case {
    const char *why, *text;
    bool want;
} detect_cases[] = {
    { "an extended table", LINUX TABLE, true },
    { "a plain table", "Device: tps kB_read/s\n", true },
    { "JSON", "{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"disk\": [{\"disk_device\": \"a\"",
      true },
    { "JSON of sadf", "{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"disk\": [{\"disk-device\"",
      false },
    { "iostat -c", LINUX CPU, true },
    { "sar", "Linux 5.4 (db1) \t05/18/2022 \t_x86_64_\t(2 CPU)\n\n07:00:00  DEV  tps  rkB/s\n",
      false },
    { "prose", "Device Mapper is a framework of the Linux kernel (LVM)\n", false },
    { "a host list", "object3: Device: rrqm/s wrqm/s r/s w/s rkB/s wkB/s %util\n", false },
    { "nothing", "", false },
};

static void detects(void **state)
{
    const struct detect_case *c = *state;
    assert_int_equal(iostat_detect(span_of(c->text)) > 0, c->want);
}

/* --- any cut, no memory ----------------------------------------------------------------------- */

#define CUT_TEXT                                                                                   \
    LINUX "05/18/2022 07:00:00 AM\n" CPU HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"      \
          "sdb 2.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n\n"                                        \
          "05/18/2022 07:01:00 AM\n" CPU HEAD "sda 1.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n"      \
          "sdb 2.00 8.00 0.00 0.00 0.50 0.00 0.00 0.10\n\n"

/* Cut anywhere, the text gives the rows that are whole, and no error. */
static void cut_anywhere(void **state)
{
    (void)state;
    static const char text[] = CUT_TEXT;
    size_t first_row = (size_t)(strstr(text, "sda") - text);
    for (size_t len = first_row; len < sizeof text; len++) {
        size_t whole = 0;
        for (const char *p = text; (p = strstr(p, "0.10")) && p + 4 <= text + len; p += 4)
            whole++;
        char *copy = malloc(len); /* of just that size, for the sanitizer */
        assert_non_null(copy);
        memcpy(copy, text, len);
        struct got g = { .n = 0 };
        int64_t skipped;
        struct err e = { 0 };
        if (read_text((struct span){ copy, len }, NULL, &g, &skipped, &e))
            fail_msg("cut at %zu: %s", len, e.text);
        if (g.n != whole)
            fail_msg("cut at %zu: %zu rows, expected %zu", len, g.n, whole);
        free(copy);
    }
}

static void without_memory(void **state)
{
    (void)state;
    static const char text[] = "\x1B[0m" CUT_TEXT;
    int rc;
    long n = 0;
    do {
        struct got g = { .n = 0 };
        int64_t skipped;
        struct err e = { 0 };
        mem_calls = 0;
        mem_fail_at = ++n;
        rc = read_text((struct span){ text, sizeof text - 1 }, NULL, &g, &skipped, &e);
        mem_fail_at = 0;
        assert_true(rc == 0 || (rc == ERR_NOMEM && e.code == ERR_NOMEM));
    } while (rc);
    assert_int_equal(n, 3); /* the source, the line without escapes, and no more */
}

/* A sink that says no is obeyed at once. */
static int say_no(void *ctx, const struct io_sample *s, struct err *e)
{
    (void)s;
    ++*(int *)ctx;
    return err_set(e, ERR_STORE, "no");
}

static void the_sink_may_end_it(void **state)
{
    (void)state;
    static const struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct arena a = { 0 };
    struct err e;
    int calls = 0;
    int64_t rows, skipped;
    struct sink sink = { .ctx = &calls, .sample = say_no, .warning = on_warning };
    struct source *src = source_of_span("f", SPAN_LIT(CUT_TEXT));
    assert_int_equal(iostat_read(src, &o, &sink, &a, &rows, &skipped, &e), ERR_STORE);
    assert_int_equal(calls, 1);
    source_close(src);
    arena_release(&a);
}

int main(void)
{
    struct CMUnitTest
        t[N(layout_cases) + N(time_cases) + N(odd_cases) + N(refusal_cases) + N(detect_cases) + 6];
    size_t n = 0;
#define ROWS(cases, test)                                                                          \
    for (size_t i = 0; i < N(cases); i++)                                                          \
    t[n++] = (struct CMUnitTest){ cases[i].why, test, NULL, NULL, (void *)(uintptr_t)&cases[i] }
    ROWS(layout_cases, layouts);
    ROWS(time_cases, times);
    ROWS(odd_cases, odd_lines);
    ROWS(refusal_cases, refusals);
    ROWS(detect_cases, detects);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(what_the_user_says);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(artefacts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(names_and_bytes);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(cut_anywhere);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(without_memory);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(the_sink_may_end_it);
    return _cmocka_run_group_tests("iostat", t, n, NULL, NULL);
}
