/* data/ingest/unixstat/unixstat.c - see unixstat.h.
 *
 * The rows of a report are kept until it ends: only then is known how long it was.  On AIX the
 * totals of a plain table tell; on both the first report after a start is since boot, unless its
 * totals say that it was an interval.  Times as in iostat_time.h: dates before a report
 * (iostat -T), zzz lines of OSWatcher, --date and --interval. */
#include "data/ingest/unixstat/unixstat.h"

#include "data/ingest/iostat/iostat_time.h"
#include "data/ingest/json/feed.h"
#include "data/ingest/text/text_line.h"
#include "data/ingest/unixstat/unixstat_columns.h"
#include "data/zone.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

enum { ROWS_MAX = 16384 };

/* Nobody samples at longer intervals: a report over more is the time since boot. */
static const double interval_max_s = 86400;

struct kept_row {
    struct text_name device;
    struct unix_row row;
    int64_t line;
};

struct reader {
    struct feed *f;
    struct iostat_time time;
    struct text_name host;
    enum unix_table table;
    struct unix_columns columns;
    bool row_is_due; /* of a block: its values are on the line below the heading */

    struct kept_row *rows;
    size_t n_rows, room;
    double moved_interval_s; /* that the totals of a row tell; NaN */
    double moved_kibps;      /* of that row: the more, the more digits */
    int64_t n_samples;
};

static int64_t line_no(const struct reader *r)
{
    return source_line_no(r->f->src);
}

/* --- reports ---------------------------------------------------------------------------------- */

/* Totals are whole KiB and rates have one decimal: whole seconds are meant. */
static double whole_seconds(double s)
{
    return s > 0.9 && s < 1e9 ? floor(s + 0.5) : s;
}

static int tell_time(struct reader *r, enum time_odd odd, int64_t line)
{
    char at[32];
    switch (odd) {
    case TIME_REPEATED:
    case TIME_BACKWARD:
        return feed_warn(r->f, line, "time does not rise at %s: length of the interval unknown",
                         time_format_iso(at, r->time.report_ms));
    case TIME_NO_STAMP:
        return feed_warn(r->f, line, "this report has no time stamp that can be read");
    case TIME_ZONE_ASSUMED:
        return feed_warn(r->f, line,
                         "the zone of this time is a name, which many zones share: "
                         "taken as UTC; --tz says otherwise");
    case TIME_STEP_ASSUMED:
        return feed_warn(r->f, line,
                         "reports below one zzz line are taken as 1 s apart, as "
                         "OSWatcher runs iostat; --interval says otherwise");
    default:
        return 0;
    }
}

static int hand_over(struct reader *r, const struct kept_row *k)
{
    struct io_sample s = io_sample_unknown();
    s.time_ms = r->time.report_ms;
    s.interval_s = r->time.interval_s;
    if (isnan(s.interval_s) && !r->time.since_boot)
        s.interval_s = r->moved_interval_s;
    s.host = text_name_span(&r->host);
    s.device = text_name_span(&k->device);
    s.since_boot = r->time.since_boot;
    s.line = k->line;
    unix_sample(&k->row, &s);
    r->n_samples++;
    return feed_sample(r->f, &s);
}

/* The report is whole. */
static int flush(struct reader *r)
{
    r->row_is_due = false;
    if (!r->n_rows)
        return 0;
    r->moved_interval_s = whole_seconds(r->moved_interval_s);
    if (!isnan(r->moved_interval_s))
        r->time.fresh_start = r->moved_interval_s > interval_max_s;
    int rc = tell_time(r, iostat_time_report(&r->time), r->rows[0].line);
    for (size_t i = 0; i < r->n_rows && !rc; i++)
        rc = hand_over(r, &r->rows[i]);
    r->n_rows = 0;
    r->moved_interval_s = (double)NAN;
    r->moved_kibps = 0;
    return rc;
}

static int keep(struct reader *r, const struct unix_row *row, struct span device)
{
    if (r->n_rows == ROWS_MAX)
        return err_set(r->f->err, ERR_LIMIT, "%s:%lld: more than %d devices in one report",
                       source_path(r->f->src), (long long)line_no(r), (int)ROWS_MAX);
    if (r->n_rows == r->room) {
        size_t room = r->room ? r->room * 2 : 32;
        struct kept_row *grown = arena_grow(r->f->arena, r->rows, r->n_rows, room, sizeof *grown);
        if (!grown)
            return err_nomem(r->f->err);
        r->rows = grown;
        r->room = room;
    }
    struct kept_row *k = &r->rows[r->n_rows++];
    text_name_set(&k->device, device);
    k->row = *row;
    k->row.device = k->row.time = k->row.unknown =
        (struct span){ NULL, 0 }; /* they point into the line */
    k->line = line_no(r);
    if (row->value[UNIX_TOTAL_KIB] > r->moved_kibps && !isnan(unix_row_interval_s(row))) {
        r->moved_kibps = row->value[UNIX_TOTAL_KIB];
        r->moved_interval_s = unix_row_interval_s(row);
    }
    return row->unknown.ptr ? feed_unknown(r->f, line_no(r), device, row->unknown) : 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

static int on_heading(struct reader *r, enum unix_table table, const struct unix_columns *columns,
                      struct span device)
{
    const struct unix_row nothing = { 0 };
    bool goes_on = table == TABLE_AIX_BLOCK && r->table == TABLE_AIX_BLOCK;
    int rc = goes_on ? 0 : flush(r);
    r->table = table;
    r->columns = *columns;
    if (rc || table != TABLE_AIX_BLOCK)
        return rc;
    r->row_is_due = true;
    if (!device.len)
        return 0;
    rc = keep(r, &nothing, device);
    if (!rc)
        for (size_t i = 0; i < UNIX_FIELDS; i++)
            r->rows[r->n_rows - 1].row.value[i] = (double)NAN;
    return rc;
}

/* The values below a block's heading join those of its device. */
static int on_block_row(struct reader *r, const struct unix_row *row)
{
    r->row_is_due = false;
    if (!r->n_rows)
        return 0;
    double *v = r->rows[r->n_rows - 1].row.value;
    for (size_t i = 0; i < UNIX_FIELDS; i++)
        if (!isnan(row->value[i]))
            v[i] = row->value[i];
    return 0;
}

static int skip_row(struct reader *r, struct span text)
{
    r->f->skipped++;
    if (source_line_is_open(r->f->src))
        return feed_warn(r->f, line_no(r), "the file ends in this row: it is left out");
    return feed_warn(r->f, line_no(r), "row skipped: '%.*s'", SPAN_ARG(text));
}

static int on_row(struct reader *r, struct span text)
{
    struct unix_row row;
    if (!unix_row(&r->columns, text, &row) || row.device.len > TEXT_NAME_MAX) {
        bool heading = r->table == TABLE_AIX_LONG && !r->n_rows; /* its third line */
        return heading ? 0 : skip_row(r, text);
    }
    if (r->table == TABLE_AIX_BLOCK)
        return on_block_row(r, &row);
    if (!row.device.len)
        return skip_row(r, text);
    struct span clock = row.time; /* AIX -T */
    struct iostat_stamp st = { .utc_ms = UNKNOWN };
    if (!r->n_rows && iostat_clock_take(&clock, &st.clock_ms, &st.twelve_hours) == 0)
        iostat_time_stamp(&r->time, &st);
    return keep(r, &row, row.device);
}

/* A date or seconds since the epoch, before a report (iostat -T d, -T u of Solaris). */
static bool parse_date(const struct reader *r, struct span text, int64_t *utc_ms)
{
    struct zzz z;
    struct span digits = text;
    double epoch;
    if (span_double(&digits, &epoch) == 0 && !digits.len) {
        return epoch > 1e8 && feed_epoch(epoch, utc_ms) == 0;
    }
    if (zzz_parse_date(text, &z))
        return false;
    int64_t wall_ms = z.day_ms + z.clock_ms;
    *utc_ms = z.offset_ms == UNKNOWN
                  ? zone_to_utc_after(r->time.o->zone, wall_ms, r->time.last_report_ms)
                  : wall_ms - z.offset_ms;
    return true;
}

static int on_date(struct reader *r, int64_t utc_ms)
{
    const struct iostat_stamp st = { .utc_ms = utc_ms };
    int rc = flush(r);
    iostat_time_stamp(&r->time, &st);
    r->table = TABLE_NONE;
    return rc;
}

static bool is_dashes(struct span text)
{
    return span_starts(text, "-----") && span_find(text, " ") < 0;
}

/* Lines that say where a report begins or ends, or whose it is. */
static bool is_marker(struct span text)
{
    return span_starts(text, "tty:") || span_starts(text, "System configuration:") ||
           span_find(text, "device statistics") >= 0 || is_dashes(text);
}

static int on_marker(struct reader *r, struct span text)
{
    int rc = flush(r);
    r->table = TABLE_NONE;
    if (span_starts(text, "System configuration:"))
        r->time.fresh_start = true;
    return rc;
}

static int on_zzz(struct reader *r, const struct zzz *z)
{
    int rc = flush(r);
    if (rc)
        return rc;
    r->table = TABLE_NONE;
    r->time.fresh_start = true; /* iostat is started for every snapshot */
    return tell_time(r, iostat_time_zzz(&r->time, z), line_no(r));
}

static int on_line(struct reader *r, struct span text)
{
    struct unix_columns columns;
    struct span device, rest;
    struct zzz z;
    if (text.ptr[0] == 'z' && zzz_parse(text, &z) == 0)
        return on_zzz(r, &z);
    if (is_marker(text))
        return on_marker(r, text);
    enum unix_table table = unix_heading(text, &columns, &device);
    if (table != TABLE_NONE)
        return on_heading(r, table, &columns, device);
    if (span_starts(text, "System: ")) {
        rest = span_cut(text, 8, text.len);
        text_name_set(&r->host, span_trim(rest));
        return 0;
    }
    bool due = r->table == TABLE_AIX_BLOCK ? r->row_is_due : r->table != TABLE_NONE;
    bool weekday = text.ptr[0] >= 'A' && text.ptr[0] <= 'Z';
    bool may_be_date =
        !due || (r->table == TABLE_SOLARIS && (weekday || !memchr(text.ptr, ' ', text.len)));
    int64_t utc_ms;
    if (may_be_date && parse_date(r, text, &utc_ms))
        return on_date(r, utc_ms);
    return due ? on_row(r, text) : 0; /* processors, adapters, headings that need no more */
}

static int read_body(struct feed *f)
{
    struct reader r = { .f = f, .moved_interval_s = (double)NAN };
    struct text_lines lines = { .src = f->src, .a = f->arena };
    struct span line;
    int rc;
    iostat_time_init(&r.time, f->options);
    r.time.fresh_start = true;
    while ((rc = text_line_next(&lines, &line, f->err)) == 1) {
        line = span_trim(line);
        if (!line.len) {
            bool ends = r.table == TABLE_AIX_PLAIN || r.table == TABLE_AIX_LONG;
            r.table = ends && r.n_rows ? TABLE_NONE : r.table;
            continue;
        }
        rc = on_line(&r, line);
        if (rc)
            return rc;
    }
    if (!rc)
        rc = flush(&r);
    if (!rc && !r.n_samples)
        return feed_fault(f, 1, "no table of devices of iostat in it");
    bool placed = r.time.stamps || r.time.n_snapshots ||
                  (f->options->date_ms != UNKNOWN && !isnan(f->options->interval_s));
    return rc || placed ? rc
                        : feed_warn(f, 0,
                                    "no time stamps: say --date and --interval to place the "
                                    "samples");
}

int unixstat_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                  struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}

int unixstat_detect(struct span head)
{
    struct unix_columns columns;
    struct span line, device;
    for (int n = 0; n < 200 && span_field(&head, '\n', &line) == 0; n++) {
        line = span_trim(line);
        if (line.len && unix_heading(line, &columns, &device) != TABLE_NONE)
            return 95;
    }
    return 0;
}
