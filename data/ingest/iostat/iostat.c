/* data/ingest/iostat/iostat.c - see iostat.h and README.md.
 *
 * A report is: a stamp (with -t), the avg-cpu table, the device table, a blank line.  The first
 * report after each "Linux" line is the average since boot.  The reader keeps the stamp until
 * a device heading takes it; every row below that heading carries it. */
#include "data/ingest/iostat/iostat.h"

#include "data/ingest/iostat/iostat_columns.h"
#include "data/ingest/iostat/iostat_stamp.h"
#include "data/zone.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_BYTES = 255, HEADING_MAX_BYTES = 1023, COMPLAINTS_SHOWN = 3 };

/* What can be odd about a line; the first few of each kind are told, the others counted. */
#define COMPLAINT_TABLE(X)                                                                         \
    X(ODD_ROW, "rows were skipped")                                                                \
    X(ODD_LINE, "lines were skipped")                                                              \
    X(ODD_GROUP, "group rows (iostat -g) were skipped")                                            \
    X(ODD_COLUMN, "unknown columns were skipped")                                                  \
    X(ODD_SIZE, "rows have a mean request size that is far from bytes / requests")                 \
    X(ODD_BACKWARD, "stamps go back in time")                                                      \
    X(ODD_REPEATED, "stamps are those of the report before")                                       \
    X(ODD_NO_STAMP, "reports have no stamp of their own")                                          \
    X(ODD_ARTEFACT, "rows show more than a device can do in their interval")

enum complaint {
#define X(name, words) name,
    COMPLAINT_TABLE(X)
#undef X
        COMPLAINT_COUNT
};

struct reader {
    struct source *src;
    const struct ingest_options *o;
    struct sink *sink;
    struct arena *a;
    struct err *e;
    int64_t rows, skipped;
    int64_t complaints[COMPLAINT_COUNT];

    /* what the file said so far */
    char host[NAME_MAX_BYTES + 1];
    size_t host_len;
    enum date_order order;
    struct iostat_date guessed; /* a date that either order may be meant by; none: a = 0 */
    int64_t day_ms;             /* of the Linux line, for stamps without a date; UNKNOWN */
    int64_t last_clock_ms;      /* of such stamps; UNKNOWN */
    bool fresh_start;           /* a Linux line, and no report since */
    int64_t n_starts;           /* Linux lines */
    bool cpu_table;             /* one was seen */
    bool stamps;                /* the file has stamps */
    int64_t stamp_ms;           /* UTC, not yet taken by a report; UNKNOWN */

    /* the report being read */
    bool in_table;
    int64_t n_reports, report_ms, last_report_ms; /* times: UNKNOWN */
    double interval_s;
    bool since_boot;
    char heading[HEADING_MAX_BYTES + 1]; /* that columns were made from */
    size_t heading_len;
    struct iostat_columns columns;

    char *plain; /* a line without escape sequences */
    size_t plain_room;
};

/* --- telling ---------------------------------------------------------------------------------- */

static int warn(struct reader *r, int64_t line, const char *text)
{
    return r->sink->warning(r->sink->ctx, line, text, r->e);
}

__attribute__((format(printf, 3, 4))) static int complain(struct reader *r, enum complaint kind,
                                                          const char *fmt, ...)
{
    if (++r->complaints[kind] > COMPLAINTS_SHOWN)
        return 0;
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return warn(r, source_line_no(r->src), text);
}

static int tell_totals(struct reader *r)
{
    static const char *const words[COMPLAINT_COUNT] = {
#define X(name, words) [name] = (words),
        COMPLAINT_TABLE(X)
#undef X
    };
    for (int i = 0; i < COMPLAINT_COUNT; i++) {
        if (r->complaints[i] <= COMPLAINTS_SHOWN)
            continue;
        char text[160];
        snprintf(text, sizeof text, "in all %lld %s", (long long)r->complaints[i], words[i]);
        int rc = warn(r, 0, text);
        if (rc)
            return rc;
    }
    return 0;
}

__attribute__((format(printf, 2, 3))) static int refuse(struct reader *r, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return err_set(r->e, ERR_PARSE, "%s:%lld: %s", source_path(r->src),
                   (long long)source_line_no(r->src), text);
}

/* --- time ------------------------------------------------------------------------------------- */

static int64_t to_utc(const struct reader *r, int64_t wall_ms)
{
    return zone_to_utc_after(r->o->zone, wall_ms, r->last_report_ms);
}

static int date_contradicts(struct reader *r, const struct iostat_date *d)
{
    return refuse(r,
                  "date %02d/%02d/%02d is not %s like the dates before it; say --date with the "
                  "day of the first sample",
                  d->a, d->b, d->c, r->order == ORDER_DAY_FIRST ? "day/month" : "month/day");
}

/* Told when the first stamp depends on it: a file without stamps has no use for its date. */
static int tell_guess(struct reader *r)
{
    char text[200], was[32], other[32];
    const struct iostat_date d = r->guessed;
    r->guessed = (struct iostat_date){ 0 };
    snprintf(text, sizeof text,
             "date %02d/%02d/%02d is read as %s; say --date %s if the day comes first", d.a, d.b,
             d.c, time_format_date(was, iostat_day_ms(&d, ORDER_MONTH_FIRST)),
             time_format_date(other, iostat_day_ms(&d, ORDER_DAY_FIRST)));
    return warn(r, source_line_no(r->src), text);
}

static int on_stamp(struct reader *r, const struct iostat_stamp *st)
{
    int rc = r->guessed.a ? tell_guess(r) : 0;
    if (rc)
        return rc;
    r->stamps = true;
    r->in_table = false;
    if (st->utc_ms != UNKNOWN) {
        r->stamp_ms = st->utc_ms;
        return 0;
    }
    int64_t day_ms = r->day_ms;
    if (st->date.a) {
        day_ms = iostat_day_ms(&st->date, r->order);
        if (day_ms == UNKNOWN)
            return date_contradicts(r, &st->date);
    } else if (day_ms != UNKNOWN) {
        if (r->last_clock_ms != UNKNOWN && st->clock_ms < r->last_clock_ms - DAY_MS / 2)
            day_ms = r->day_ms += DAY_MS; /* past midnight */
        r->last_clock_ms = st->clock_ms;
    }
    r->stamp_ms = day_ms == UNKNOWN ? UNKNOWN : to_utc(r, day_ms + st->clock_ms);
    return 0;
}

/* Time of a report in a file without stamps: counted from --date in steps of --interval, as
 * long as iostat was not started again. */
static int64_t counted_ms(const struct reader *r)
{
    if (r->stamps || r->n_starts > 1 || r->o->date_ms == UNKNOWN || isnan(r->o->interval_s))
        return UNKNOWN;
    int64_t n_steps = r->n_reports + (r->n_starts == 0); /* none passed at the since-boot report */
    double t_ms = (double)n_steps * r->o->interval_s * 1000;
    int64_t start_ms = zone_to_utc(r->o->zone, r->o->date_ms);
    return t_ms < 1e14 ? start_ms + (int64_t)llround(t_ms) : UNKNOWN;
}

/* The interval that the report at r->report_ms closes, in files with stamps. */
static int stamped_interval(struct reader *r)
{
    if (r->report_ms == UNKNOWN) {
        r->interval_s = NAN;
        return complain(r, ODD_NO_STAMP, "this report has no time stamp that can be read");
    }
    if (r->last_report_ms == UNKNOWN) {
        r->interval_s = r->o->interval_s;
        return 0;
    }
    int64_t step_ms = r->report_ms - r->last_report_ms;
    r->interval_s = step_ms > 0 ? (double)step_ms / 1000 : NAN;
    char buf[32];
    if (step_ms == 0)
        return complain(r, ODD_REPEATED, "time %s is that of the report before: length unknown",
                        time_format_iso(buf, r->report_ms));
    if (step_ms < 0)
        return complain(r, ODD_BACKWARD, "time goes back to %s: length of the interval unknown",
                        time_format_iso(buf, r->report_ms));
    return 0;
}

static int begin_report(struct reader *r)
{
    int rc = 0;
    r->since_boot = r->fresh_start;
    r->fresh_start = false;
    if (r->stamps) {
        r->report_ms = r->stamp_ms;
        r->stamp_ms = UNKNOWN;
        rc = stamped_interval(r);
        if (r->report_ms != UNKNOWN)
            r->last_report_ms = r->report_ms;
    } else {
        r->report_ms = counted_ms(r);
        r->interval_s = r->o->interval_s;
    }
    if (r->since_boot)
        r->interval_s = NAN;
    r->n_reports++;
    r->in_table = true;
    return rc;
}

/* --- lines ------------------------------------------------------------------------------------ */

static int on_linux(struct reader *r, struct span host, const struct iostat_date *d)
{
    r->host_len = host.len > NAME_MAX_BYTES ? NAME_MAX_BYTES : host.len;
    memcpy(r->host, host.ptr, r->host_len);
    r->fresh_start = true;
    r->n_starts++;
    r->in_table = false;
    r->stamp_ms = UNKNOWN;
    r->last_clock_ms = UNKNOWN;
    if (d->a) {
        r->day_ms = iostat_day_ms(d, r->order);
        if (r->day_ms == UNKNOWN)
            return date_contradicts(r, d);
    }
    if (r->n_starts == 2 && !r->stamps && r->o->date_ms != UNKNOWN)
        return warn(r, source_line_no(r->src),
                    "iostat was started again: samples from here on have no time");
    return 0;
}

static int refuse_heading(struct reader *r, enum heading_verdict v, struct span line,
                          struct span missing)
{
    struct span text = span_trim(line);
    switch (v) {
    case HEADING_PLAIN:
        return refuse(r,
                      "iostat without -x (or with -s): reads and writes cannot be told apart; "
                      "collect with iostat -x -t -k. Headings: '%.*s'",
                      SPAN_ARG(text));
    case HEADING_STACKED:
        return refuse(r,
                      "tables of iostat -h or --pretty are not read; collect with iostat -x -t -k. "
                      "Headings: '%.*s'",
                      SPAN_ARG(text));
    default:
        return refuse(r, "no column '%.*s' in this heading (was the text wrapped?): '%.*s'",
                      SPAN_ARG(missing), SPAN_ARG(text));
    }
}

static int on_heading(struct reader *r, struct span line, bool *taken)
{
    *taken = true;
    if (line.len == r->heading_len && memcmp(line.ptr, r->heading, line.len) == 0)
        return begin_report(r);

    struct span word;
    enum heading_verdict v = iostat_heading(line, &r->columns, &word);
    *taken = v != HEADING_NONE;
    if (v == HEADING_NONE)
        return 0;
    if (v != HEADING_OK)
        return source_line_is_open(r->src)
                   ? complain(r, ODD_LINE, "the file ends in this heading: it is left out")
                   : refuse_heading(r, v, line, word);
    r->heading_len = 0;
    if (line.len <= HEADING_MAX_BYTES) {
        memcpy(r->heading, line.ptr, line.len);
        r->heading_len = line.len;
    }
    int rc =
        word.len ? complain(r, ODD_COLUMN, "unknown column '%.*s' is skipped", SPAN_ARG(word)) : 0;
    return rc ? rc : begin_report(r);
}

static int skip_row(struct reader *r, enum row_verdict v, const struct iostat_row *row)
{
    r->skipped++;
    switch (v) {
    case ROW_HUMAN:
        return refuse(r,
                      "value '%.*s' was rounded for people (iostat -h or --human); collect with "
                      "iostat -x -t -k",
                      SPAN_ARG(row->bad));
    case ROW_BAD:
        return complain(r, ODD_ROW, "row skipped: '%.*s' is not a number", SPAN_ARG(row->bad));
    case ROW_LONG:
        return complain(r, ODD_ROW, "row skipped: more than %zu values", r->columns.n);
    default:
        return complain(r, ODD_ROW, "row skipped: %zu of %zu values", row->n, r->columns.n);
    }
}

/* Was the last row of the file cut off?  Every value of a row has as many decimals. */
static bool is_cut(const struct reader *r, enum row_verdict v, const struct iostat_row *row)
{
    if (!source_line_is_open(r->src))
        return false;
    return v == ROW_SHORT || v == ROW_BAD ||
           (v == ROW_OK && (r->columns.name_last || row->last_decimals < row->decimals));
}

/* Kernel names have '!' where the device's path has '/'. */
static struct span device_name(struct span printed, char buf[NAME_MAX_BYTES])
{
    if (!memchr(printed.ptr, '!', printed.len))
        return printed;
    for (size_t i = 0; i < printed.len; i++)
        buf[i] = printed.ptr[i];
    for (size_t i = 0; i < printed.len; i++)
        if (buf[i] == '!')
            buf[i] = '/';
    return (struct span){ buf, printed.len };
}

static int on_row(struct reader *r, struct span line)
{
    struct iostat_row row;
    enum row_verdict v = iostat_row(&r->columns, line, &row);
    if (is_cut(r, v, &row)) {
        r->skipped++;
        return complain(r, ODD_ROW, "the file ends in this row: it is left out");
    }
    if (v != ROW_OK)
        return skip_row(r, v, &row);
    if (row.device.len > NAME_MAX_BYTES) {
        r->skipped++;
        return complain(r, ODD_ROW, "row skipped: a device name of %zu bytes", row.device.len);
    }
    char name[NAME_MAX_BYTES];
    struct io_sample s = {
        .time_ms = r->report_ms,
        .interval_s = r->interval_s,
        .host = { r->host, r->host_len },
        .device = device_name(row.device, name),
        .since_boot = r->since_boot,
        .line = source_line_no(r->src),
    };
    int rc = 0;
    if (!iostat_sample(&r->columns, &row, &s))
        rc = complain(r, ODD_SIZE,
                      "device %.*s: the mean request size printed is far from bytes / requests, "
                      "which is used",
                      SPAN_ARG(s.device));
    if (!rc && s.artefact && !s.since_boot)
        rc = complain(r, ODD_ARTEFACT,
                      "device %.*s: more than a device can do in this interval (just attached, or "
                      "a counter that wrapped)",
                      SPAN_ARG(s.device));
    if (rc)
        return rc;
    r->rows++;
    return r->sink->sample(r->sink->ctx, &s, r->e);
}

static int on_group_row(struct reader *r, struct span line)
{
    struct span name = span_trim(line);
    span_word(&(struct span){ name.ptr, name.len }, &name);
    r->skipped++;
    return complain(r, ODD_GROUP, "group '%.*s' (iostat -g) is a sum of devices: skipped",
                    SPAN_ARG(name));
}

/* A line that is neither blank nor a row of a table. */
static int on_other(struct reader *r, struct span line)
{
    struct span text = span_trim(line);
    if (text.ptr[0] == '#') /* ExaWatcher's comments */
        return 0;
    if ((text.ptr[0] >= '0' && text.ptr[0] <= '9') && line.ptr[0] == ' ')
        return 0; /* values of avg-cpu */
    r->skipped++;
    return complain(r, ODD_LINE, "line skipped: '%.*s'", SPAN_ARG(text));
}

/* The lines that begin a report or a file; taken is false for all others. */
static int try_marker(struct reader *r, struct span line, bool *taken)
{
    struct span text = span_trim(line), host;
    struct iostat_stamp st;
    struct iostat_date date;
    *taken = true;
    switch (text.ptr[0]) {
    case 'L':
        if (iostat_linux_line(text, &host, &date) == 0)
            return on_linux(r, host, &date);
        break;
    case 'a':
        if (span_starts(text, "avg-cpu:")) {
            r->cpu_table = true;
            r->in_table = false;
            return 0;
        }
        break;
    case 'z':
        if (span_starts(text, "zzz ")) {
            r->in_table = false;
            *taken = false;
            return 0;
        }
        break;
    default:
        if (iostat_stamp_parse(text, &st) == 0)
            return on_stamp(r, &st);
        if (span_starts(text, "Device") || span_ends(text, "Device"))
            return on_heading(r, line, taken);
    }
    *taken = false;
    return 0;
}

/* Could this line inside a table be anything but a row?  Decided by its first character, so
 * that a row costs nothing. */
static bool may_be_marker(const struct reader *r, struct span line)
{
    if (r->columns.name_last)
        return span_ends(span_trim(line), "Device") || line.ptr[0] != ' ';
    char c = line.ptr[line.len > r->columns.indent ? r->columns.indent : 0];
    return c == 'L' || c == 'a' || c == 'z' || c == 'T' || c == 'D' || (c >= '0' && c <= '9');
}

static int on_line(struct reader *r, struct span line)
{
    bool taken = false;
    if (!r->in_table || may_be_marker(r, line)) {
        int rc = try_marker(r, line, &taken);
        if (rc || taken)
            return rc;
    }
    if (!r->in_table)
        return on_other(r, line);
    size_t indent = r->columns.indent;
    if (!r->columns.name_last && line.len > indent && line.ptr[indent] == ' ')
        return on_group_row(r, line);
    return on_row(r, line);
}

/* --- the file --------------------------------------------------------------------------------- */

/* The line without escape sequences (ESC [ ... letter), which a terminal's colours leave. */
static int without_escapes(struct reader *r, struct span *line)
{
    if (!memchr(line->ptr, '\x1B', line->len))
        return 0;
    if (r->plain_room < line->len) {
        size_t room = 4096;
        while (room < line->len)
            room *= 2;
        r->plain = arena_alloc(r->a, room);
        if (!r->plain)
            return err_nomem(r->e);
        r->plain_room = room;
    }
    size_t n = 0;
    for (size_t i = 0; i < line->len; i++) {
        if (line->ptr[i] != '\x1B') {
            r->plain[n++] = line->ptr[i];
            continue;
        }
        i++;
        if (i < line->len && line->ptr[i] == '[')
            for (i++; i < line->len && (line->ptr[i] < '@' || line->ptr[i] > '~');)
                i++;
    }
    *line = (struct span){ r->plain, n };
    return 0;
}

/* Which of day and month comes first: what the file proves, else what --date agrees with, else
 * the month, as in the C and en_US locales; a guess is told. */
static void settle_dates(struct reader *r, struct span head)
{
    struct iostat_date first;
    r->order = iostat_date_order(head, &first);
    if (!first.a || r->order != ORDER_UNDECIDED)
        return;
    int64_t month_first = iostat_day_ms(&first, ORDER_MONTH_FIRST);
    bool agrees = r->day_ms != UNKNOWN && r->day_ms == month_first;
    bool day_first = r->day_ms != UNKNOWN && r->day_ms == iostat_day_ms(&first, ORDER_DAY_FIRST);
    r->order = day_first && !agrees ? ORDER_DAY_FIRST : ORDER_MONTH_FIRST;
    if (!agrees && !day_first)
        r->guessed = first;
}

static int read_lines(struct reader *r)
{
    struct span line;
    int rc;
    while ((rc = source_line(r->src, &line, r->e)) == 1) {
        rc = without_escapes(r, &line);
        if (rc)
            return rc;
        if (line.len == 0 || (line.ptr[0] <= ' ' && span_trim(line).len == 0)) {
            r->in_table = false;
            continue;
        }
        rc = on_line(r, line);
        if (rc)
            return rc;
    }
    return rc;
}

static int tell_what_is_missing(struct reader *r)
{
    int rc = 0;
    if (r->n_reports == 0 && r->n_starts == 0 && !r->cpu_table && !r->stamps)
        return err_set(r->e, ERR_PARSE, "%s:1: no report of iostat in it", source_path(r->src));
    if (r->n_reports == 0)
        rc = warn(r, 0, "no device table (iostat -c, or nothing but a header)");
    else if (!r->stamps && (r->o->date_ms == UNKNOWN || isnan(r->o->interval_s)))
        rc = warn(r, 0,
                  "no time stamps (iostat -t): say --date and --interval to place the samples");
    else if (r->stamps && r->last_report_ms == UNKNOWN)
        rc = warn(r, 0, "the stamps have no date");
    return rc ? rc : tell_totals(r);
}

int iostat_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    struct reader r = {
        .src = src,
        .o = o,
        .sink = sink,
        .a = a,
        .e = e,
        .day_ms = o->date_ms == UNKNOWN ? UNKNOWN : o->date_ms - o->date_ms % DAY_MS,
        .last_clock_ms = UNKNOWN,
        .stamp_ms = UNKNOWN,
        .report_ms = UNKNOWN,
        .last_report_ms = UNKNOWN,
        .interval_s = NAN,
    };
    struct span head;
    int rc = source_head(src, &head, e);
    if (rc)
        return rc;
    settle_dates(&r, head);
    rc = read_lines(&r);
    if (!rc)
        rc = tell_what_is_missing(&r);
    *rows = r.rows;
    *skipped = r.skipped;
    return rc;
}

int iostat_detect(struct span head)
{
    struct span line, host, word;
    struct iostat_columns columns;
    struct iostat_date date;
    bool linux_line = false, cpu = false;
    while (span_field(&head, '\n', &line) == 0) {
        line = span_trim(line);
        if (iostat_linux_line(line, &host, &date) == 0)
            linux_line = true;
        else if (span_starts(line, "avg-cpu:"))
            cpu = true;
        else if ((span_starts(line, "Device") || span_ends(line, "Device")) &&
                 iostat_heading(line, &columns, &word) != HEADING_NONE)
            return 100;
    }
    return cpu ? 60 + 20 * linux_line : 0;
}
