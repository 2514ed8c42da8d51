/* data/ingest/sar/sar.c - see sar.h.
 *
 *     12:24:18          DEV       tps     rkB/s     wkB/s ...      sysstat: a clock in every row,
 *     12:24:20          vda    480.00   3978.00   3380.00 ...      a blank line ends the table
 *
 *     00:00:00   device    %busy    avque    r+w/s    Kbs/s ...    Unix: a clock in the first row
 *     00:01:00   hdisk40       0      0.0        1      217 ...    of a sample, blank lines between
 *                hdisk20       0      0.0        0       68 ...    samples
 *
 * What begins with neither a clock nor a blank is no sample: "Average:" has a name of its own in
 * 38 languages.  No row carries its date: a clock that goes back by more than 12 h has passed
 * midnight. */
#include "data/ingest/sar/sar.h"

#include "data/ingest/iostat/iostat_columns.h"
#include "data/ingest/iostat/iostat_stamp.h"
#include "data/ingest/json/feed.h"
#include "data/ingest/text/text_line.h"
#include "data/ingest/text/text_number.h"
#include "data/zone.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>

struct reader {
    struct feed *f;
    struct text_name host;
    enum date_order order;
    bool order_guessed;
    int64_t day_ms; /* UNKNOWN: intervals are known, times are not */
    bool unix_sar;

    /* the table of devices */
    bool in_table, skips_rows;
    int64_t n_tables;
    struct iostat_columns columns;
    int64_t last_clock_ms;            /* UNKNOWN; decides about midnight */
    int64_t begin_utc_ms, end_utc_ms; /* of the sample, on day 0 when there is none */
    int64_t clock_ms;                 /* of the sample */
    double interval_s;
};

static int64_t line_no(const struct reader *r)
{
    return source_line_no(r->f->src);
}

/* --- time ------------------------------------------------------------------------------------- */

static int64_t at_clock(struct reader *r, int64_t clock_ms)
{
    if (r->last_clock_ms != UNKNOWN && clock_ms < r->last_clock_ms - DAY_MS / 2 &&
        r->day_ms != UNKNOWN)
        r->day_ms += DAY_MS;
    r->last_clock_ms = clock_ms;
    int64_t wall_ms = (r->day_ms == UNKNOWN ? 0 : r->day_ms) + clock_ms;
    return zone_to_utc_after(r->f->options->zone, wall_ms, r->end_utc_ms);
}

/* A new clock ends the sample that began at the one before. */
static int on_clock(struct reader *r, int64_t clock_ms)
{
    if (clock_ms == r->clock_ms)
        return 0;
    r->clock_ms = clock_ms;
    r->begin_utc_ms = r->end_utc_ms;
    r->end_utc_ms = at_clock(r, clock_ms);
    int64_t step_ms = r->end_utc_ms - r->begin_utc_ms;
    r->interval_s =
        r->begin_utc_ms != UNKNOWN && step_ms > 0 ? (double)step_ms / 1000 : (double)NAN;
    char at[32];
    if (r->begin_utc_ms != UNKNOWN && step_ms <= 0)
        return feed_warn(r->f, line_no(r), "time goes back to %s: length of the interval unknown",
                         time_format_iso(at, r->end_utc_ms));
    return 0;
}

static void begin_table(struct reader *r, int64_t clock_ms)
{
    r->in_table = true;
    r->skips_rows = false;
    r->n_tables++;
    r->end_utc_ms = at_clock(r, clock_ms);
    r->clock_ms = UNKNOWN;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* "Linux KERNEL (HOST) DATE ...", "AIX HOST ... DATE", "SunOS ...", "HP-UX ...". */
static int parse_system(struct span line, struct span *host, struct iostat_date *date,
                        bool *is_unix)
{
    struct span rest = span_trim(line), word, last = { NULL, 0 };
    *date = (struct iostat_date){ 0 };
    *is_unix = !span_starts(rest, "Linux ");
    if (!*is_unix)
        return iostat_linux_line(rest, host, date);
    if (span_word(&rest, &word) ||
        (!span_is(word, "AIX") && !span_is(word, "SunOS") && !span_is(word, "HP-UX")))
        return -1;
    if (span_word(&rest, host))
        return -1;
    while (span_word(&rest, &word) == 0)
        last = word;
    return iostat_date_parse(last, date);
}

static int on_system(struct reader *r, struct span host, const struct iostat_date *d, bool is_unix)
{
    text_name_set(&r->host, host);
    r->unix_sar = is_unix;
    r->in_table = false;
    r->last_clock_ms = r->end_utc_ms = UNKNOWN;
    if (!d->a)
        return 0;
    r->day_ms = iostat_day_ms(d, is_unix ? ORDER_MONTH_FIRST : r->order);
    if (r->day_ms == UNKNOWN)
        return feed_fault(r->f, line_no(r), "date %02d/%02d/%02d is none; say --date", d->a, d->b,
                          d->c);
    if (is_unix || !d->slashes || !r->order_guessed)
        return 0;
    r->order_guessed = false;
    char was[32], other[32];
    return feed_warn(r->f, line_no(r),
                     "date %02d/%02d/%02d is read as %s; say --date %s if the day comes first",
                     d->a, d->b, d->c, time_format_date(was, r->day_ms),
                     time_format_date(other, iostat_day_ms(d, ORDER_DAY_FIRST)));
}

/* Words behind the clock that head the table of devices. */
static enum heading_verdict heading(struct span rest, struct iostat_columns *out,
                                    struct span *unknown)
{
    struct span words = rest, first;
    if (span_word(&words, &first))
        return HEADING_NONE;
    bool names_devices =
        span_is(first, "DEV") || span_is(first, "device") || span_ends(span_trim(rest), " DEV");
    return names_devices ? iostat_heading(rest, out, unknown) : HEADING_NONE;
}

/* Headings of other tables: shares and rates. */
static bool is_heading_word(struct span word)
{
    return word.ptr[0] == '%' || span_ends(word, "/s") || span_is(word, "CPU") ||
           span_is(word, "INTR");
}

static bool is_other_heading(struct span rest)
{
    struct span word;
    while (span_word(&rest, &word) == 0)
        if (is_heading_word(word))
            return true;
    return false;
}

static int on_row(struct reader *r, struct span rest)
{
    struct iostat_row row;
    enum row_verdict v = iostat_row(&r->columns, rest, &row);
    if (source_line_is_open(r->f->src) && (v != ROW_OK || row.last_decimals < row.decimals)) {
        r->f->skipped++;
        return feed_warn(r->f, line_no(r), "the file ends in this row: it is left out");
    }
    if (v != ROW_OK || row.device.len > TEXT_NAME_MAX) {
        r->f->skipped++;
        struct span text = span_trim(rest);
        return feed_warn(r->f, line_no(r), "row skipped: '%.*s'", SPAN_ARG(text));
    }
    int rc = row.unknown.ptr ? feed_unknown(r->f, line_no(r), row.device, row.unknown) : 0;
    if (rc)
        return rc;
    char name[TEXT_NAME_MAX];
    struct io_sample s = io_sample_unknown();
    s.time_ms = r->day_ms == UNKNOWN ? UNKNOWN : r->end_utc_ms;
    s.interval_s = r->interval_s;
    s.host = text_name_span(&r->host);
    s.device = text_device_name(row.device, name);
    s.line = line_no(r);
    iostat_sample(&r->columns, &row, &s);
    return feed_sample(r->f, &s);
}

/* A line that begins with a clock; rest is behind it. */
static int on_clocked(struct reader *r, int64_t clock_ms, struct span rest)
{
    struct iostat_columns columns;
    struct span unknown;
    switch (heading(rest, &columns, &unknown)) {
    case HEADING_OK:
        r->columns = columns;
        begin_table(r, clock_ms);
        return unknown.len ? feed_warn(r->f, line_no(r), "unknown column '%.*s' is skipped",
                                       SPAN_ARG(unknown))
                           : 0;
    case HEADING_NONE:
        break;
    default:
        return source_line_is_open(r->f->src)
                   ? 0
                   : feed_fault(r->f, line_no(r),
                                "a table of devices without requests or without "
                                "bytes: '%.*s'",
                                SPAN_ARG(rest));
    }
    if (r->unix_sar && r->skips_rows) /* averages end a table */
        r->in_table = false;
    if (!r->in_table)
        return 0;
    if (span_find(rest, "RESTART") >= 0 || span_find(rest, "unix restarts") >= 0) {
        r->in_table = r->unix_sar;
        return 0;
    }
    struct span words = rest, first;
    bool blank = span_word(&words, &first) != 0;
    if (blank || is_other_heading(span_trim(words).len ? words : first)) { /* a name may be "a/s" */
        r->in_table = false;
        return 0;
    }
    r->skips_rows = false;
    int rc = on_clock(r, clock_ms);
    return rc ? rc : on_row(r, rest);
}

static int on_line(struct reader *r, struct span line)
{
    struct span rest = line, host;
    struct iostat_date date;
    int64_t clock_ms;
    bool twelve_hours, is_unix;
    char c = line.ptr[0];
    if (c >= '0' && c <= '9' && iostat_clock_take(&rest, &clock_ms, &twelve_hours) == 0)
        return on_clocked(r, clock_ms, rest);
    if ((c == 'L' || c == 'A' || c == 'S' || c == 'H') &&
        parse_system(line, &host, &date, &is_unix) == 0)
        return on_system(r, host, &date, is_unix);
    if (r->in_table && r->unix_sar && text_is_gap(c) && !r->skips_rows && r->clock_ms != UNKNOWN)
        return on_row(r, line);
    r->skips_rows = r->skips_rows || !text_is_gap(c); /* "Average" and what is below it */
    return 0;
}

/* --- the file --------------------------------------------------------------------------------- */

static void settle_dates(struct reader *r, struct span head)
{
    struct date_evidence v = { 0 };
    date_evidence_of_lines(&v, head);
    r->order = date_evidence_order(&v);
    if (!r->order && (span_find(head, " AM ") >= 0 || span_find(head, " PM ") >= 0))
        r->order = ORDER_MONTH_FIRST;
    if (r->order || !v.first.a)
        return;
    int64_t said_ms = r->day_ms;
    bool day_first = said_ms != UNKNOWN && said_ms == iostat_day_ms(&v.first, ORDER_DAY_FIRST);
    bool month_first = said_ms != UNKNOWN && said_ms == iostat_day_ms(&v.first, ORDER_MONTH_FIRST);
    r->order = day_first && !month_first ? ORDER_DAY_FIRST : ORDER_MONTH_FIRST;
    r->order_guessed = !day_first && !month_first;
}

static int read_body(struct feed *f)
{
    struct reader r = { .f = f,
                        .day_ms = f->options->date_ms,
                        .last_clock_ms = UNKNOWN,
                        .begin_utc_ms = UNKNOWN,
                        .end_utc_ms = UNKNOWN,
                        .clock_ms = UNKNOWN,
                        .interval_s = (double)NAN };
    struct text_lines lines = { .src = f->src, .a = f->arena };
    struct span head, line;
    if (r.day_ms != UNKNOWN)
        r.day_ms -= r.day_ms % DAY_MS;
    int rc = source_head(f->src, &head, f->err);
    if (rc)
        return rc;
    settle_dates(&r, head);
    while ((rc = text_line_next(&lines, &line, f->err)) == 1) {
        if (span_trim(line).len == 0) {
            r.in_table = r.in_table && r.unix_sar;
            continue;
        }
        rc = on_line(&r, line);
        if (rc)
            return rc;
    }
    if (rc)
        return rc;
    if (!r.n_tables)
        return feed_fault(f, 1, "no table of devices in it; sar -d (or -A) prints one");
    return r.day_ms == UNKNOWN ? feed_warn(f, 0, "no date in it: say --date to place the samples")
                               : 0;
}

int sar_read(struct source *src, const struct ingest_options *o, struct sink *sink, struct arena *a,
             int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}

/* The line that names the system, then a clock with headings behind it; or such a heading of
 * devices alone, from the middle of a text. */
int sar_detect(struct span head)
{
    struct span line, rest, host, unknown;
    struct iostat_columns columns;
    struct iostat_date date;
    int64_t clock_ms;
    bool twelve_hours, is_unix, system = false;
    for (int n = 0; n < 100 && span_field(&head, '\n', &line) == 0; n++) {
        line = rest = span_trim(line);
        if (parse_system(line, &host, &date, &is_unix) == 0)
            system = true;
        if (!line.len || iostat_clock_take(&rest, &clock_ms, &twelve_hours))
            continue;
        if (heading(rest, &columns, &unknown) != HEADING_NONE)
            return system ? 100 : 90;
        if (system && is_other_heading(rest))
            return 90;
    }
    return 0;
}
