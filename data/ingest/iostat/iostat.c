/* data/ingest/iostat/iostat.c - see iostat.h and README.md.
 *
 * A report is: a stamp (with -t), the avg-cpu table, the device table, a blank line.  The reader
 * keeps the stamp until a device heading takes it; every row below that heading carries it.
 *
 *   iostat_read
 *     iostat_time.c      which interval a report closes
 *     on_line
 *       try_marker       stamps, Linux and zzz lines, headings
 *       on_row           iostat_columns.c: row to values; iostat_rows.c: values to samples
 *     iostat_json.c      the same from iostat -o JSON
 *     iostat_tell.c      what was odd */
#include "data/ingest/iostat/iostat.h"

#include "data/ingest/iostat/iostat_reader.h"
#include "data/ingest/unixstat/unixstat.h"
#include "models/core/unit.h"

#include <string.h>

/* --- lines ------------------------------------------------------------------------------------ */

static int64_t line_no(const struct iostat_reader *r)
{
    return source_line_no(r->src);
}

static int on_linux(struct iostat_reader *r, struct span host, const struct iostat_date *d)
{
    int rc = iostat_flush(r);
    if (rc)
        return rc;
    text_name_set(&r->host, host);
    r->in_table = false;
    return iostat_tell_time(r, iostat_time_linux(&r->time, d), line_no(r), d);
}

static int on_stamp(struct iostat_reader *r, const struct iostat_stamp *st)
{
    r->in_table = false;
    return iostat_tell_time(r, iostat_time_stamp(&r->time, st), line_no(r), &st->date);
}

static int on_zzz(struct iostat_reader *r, const struct zzz *z)
{
    r->in_table = false;
    return iostat_tell_time(r, iostat_time_zzz(&r->time, z), line_no(r), NULL);
}

static int refuse_heading(struct iostat_reader *r, struct span line, struct span missing)
{
    if (source_line_is_open(r->src))
        return iostat_complain(r, ODD_LINE, line_no(r),
                               "the file ends in this heading: it is left out");
    struct span text = span_trim(line);
    return iostat_refuse(r, line_no(r),
                         "no column '%.*s' in this heading (was the text wrapped?): '%.*s'",
                         SPAN_ARG(missing), SPAN_ARG(text));
}

static int begin_table(struct iostat_reader *r)
{
    return r->verdict == HEADING_OK ? iostat_begin_report(r, line_no(r))
                                    : iostat_begin_part(r, line_no(r));
}

static int on_heading(struct iostat_reader *r, struct span line, bool *taken)
{
    *taken = true;
    if (line.len == r->heading_len && memcmp(line.ptr, r->heading, line.len) == 0)
        return begin_table(r);

    struct span word;
    struct iostat_columns columns;
    enum heading_verdict v = iostat_heading(line, &columns, &word);
    *taken = v != HEADING_NONE;
    if (v == HEADING_NONE)
        return 0;
    if (v == HEADING_INCOMPLETE || (v == HEADING_PART && source_line_is_open(r->src)))
        return refuse_heading(r, line, word);
    int rc = v == HEADING_OK ? iostat_flush(r) : 0; /* which needs the old columns */
    if (rc)
        return rc;
    if (v == HEADING_PART && columns.kib_per_unit == 0)
        columns.kib_per_unit = r->columns.kib_per_unit;
    r->columns = columns;
    r->verdict = v;
    r->heading_len = 0;
    if (line.len <= HEADING_MAX_BYTES) {
        memcpy(r->heading, line.ptr, line.len);
        r->heading_len = line.len;
    }
    if (word.len)
        rc = iostat_complain(r, ODD_COLUMN, line_no(r), "unknown column '%.*s' is skipped",
                             SPAN_ARG(word));
    return rc ? rc : begin_table(r);
}

static int skip_row(struct iostat_reader *r, enum row_verdict v, const struct iostat_row *row)
{
    r->skipped++;
    switch (v) {
    case ROW_BAD:
        return iostat_complain(r, ODD_ROW, line_no(r), "row skipped: '%.*s' is not a number",
                               SPAN_ARG(row->bad));
    case ROW_LONG:
        return iostat_complain(r, ODD_ROW, line_no(r), "row skipped: more than %zu values",
                               r->columns.n);
    default:
        return iostat_complain(r, ODD_ROW, line_no(r), "row skipped: %zu of %zu values", row->n,
                               r->columns.n);
    }
}

/* Was the last row of the file cut off?  Every value of a row has as many decimals, but those
 * that were rounded for people. */
static bool is_cut(const struct iostat_reader *r, enum row_verdict v, const struct iostat_row *row)
{
    if (!source_line_is_open(r->src))
        return false;
    return v == ROW_SHORT || v == ROW_BAD ||
           (v == ROW_OK && (r->columns.name_last || row->last_decimals < row->decimals));
}

static int on_row(struct iostat_reader *r, struct span line)
{
    struct iostat_row row;
    enum row_verdict v = iostat_row(&r->columns, line, &row);
    if (is_cut(r, v, &row)) {
        r->skipped++;
        return iostat_complain(r, ODD_ROW, line_no(r), "the file ends in this row: it is left out");
    }
    if (v != ROW_OK)
        return skip_row(r, v, &row);
    if (row.device.len > TEXT_NAME_MAX) {
        r->skipped++;
        return iostat_complain(r, ODD_ROW, line_no(r), "row skipped: a device name of %zu bytes",
                               row.device.len);
    }
    return iostat_take_row(r, &row, line_no(r));
}

/* The sum of the devices above it; where none is above it (-H) it is all there is. */
static int on_group_row(struct iostat_reader *r, struct span line)
{
    if (r->n_table_rows == 0) {
        int rc = on_row(r, line);
        r->n_table_rows = 0;
        return rc;
    }
    struct span rest = line, name = { NULL, 0 };
    span_word(&rest, &name);
    r->skipped++;
    return iostat_complain(r, ODD_GROUP, line_no(r),
                           "group '%.*s' (iostat -g) is a sum of devices: skipped", SPAN_ARG(name));
}

/* "Linux OSWbb v8.1.2 host", the first line of an OSWatcher archive. */
static bool is_osw_line(struct span text)
{
    return span_starts(text, "Linux OSWbb") || span_starts(text, "Linux OSW v");
}

/* A line that is neither blank nor a row of a table. */
static int on_other(struct iostat_reader *r, struct span line)
{
    struct span text = span_trim(line);
    if (text.ptr[0] == '#') { /* ExaWatcher's comments */
        double interval_s = zzz_interval_s(text);
        if (interval_s > 0)
            r->time.stated_interval_s = interval_s;
        return 0;
    }
    if ((text.ptr[0] >= '0' && text.ptr[0] <= '9') && line.ptr[0] == ' ')
        return 0; /* values of avg-cpu */
    if (is_osw_line(text))
        return 0;
    r->skipped++;
    return iostat_complain(r, ODD_LINE, line_no(r), "line skipped: '%.*s'", SPAN_ARG(text));
}

/* The lines that begin a report or a file; taken is false for all others. */
static int try_marker(struct iostat_reader *r, struct span line, bool *taken)
{
    struct span text = span_trim(line), host;
    struct iostat_stamp st;
    struct iostat_date date;
    struct zzz z;
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
        if (zzz_parse(text, &z) == 0)
            return on_zzz(r, &z);
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
static bool may_be_marker(const struct iostat_reader *r, struct span line)
{
    if (r->columns.name_last)
        return span_ends(span_trim(line), "Device") || line.ptr[0] != ' ';
    char c = line.ptr[line.len > r->columns.indent ? r->columns.indent : 0];
    return c == 'L' || c == 'a' || c == 'z' || c == 'T' || c == 'D' || (c >= '0' && c <= '9');
}

static int on_line(struct iostat_reader *r, struct span line)
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

static int read_lines(struct iostat_reader *r)
{
    struct text_lines lines = { .src = r->src, .a = r->a };
    struct span line;
    int rc;
    while ((rc = text_line_next(&lines, &line, r->e)) == 1) {
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

/* --- the file --------------------------------------------------------------------------------- */

static int sysstat_score(struct span head)
{
    struct span line, host, word;
    struct iostat_columns columns;
    struct iostat_date date;
    bool linux_line = false, cpu = false;
    if (iostat_json_detect(head))
        return 100;
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

static bool is_empty(const struct iostat_reader *r)
{
    const struct iostat_time *t = &r->time;
    return t->n_reports == 0 && t->n_starts == 0 && !r->cpu_table && !t->stamps;
}

int iostat_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    struct iostat_reader r = { .src = src, .sink = sink, .a = a, .e = e };
    struct span head;
    int rc = source_head(src, &head, e);
    if (rc)
        return rc;
    if (!sysstat_score(head) && unixstat_detect(head))
        return unixstat_read(src, o, sink, a, rows, skipped, e);
    iostat_time_init(&r.time, o);
    if (iostat_json_detect(head)) {
        rc = iostat_json_read(&r, head);
    } else {
        struct date_evidence v = { 0 };
        date_evidence_of_lines(&v, head);
        iostat_time_settle(&r.time, &v, zzz_first_day_ms(head));
        rc = read_lines(&r);
    }
    if (!rc)
        rc = iostat_flush(&r);
    if (!rc && is_empty(&r))
        rc = err_set(e, ERR_PARSE, "%s:1: no report of iostat in it", source_path(src));
    if (!rc)
        rc = iostat_tell_totals(&r);
    *rows = r.rows;
    *skipped = r.skipped;
    return rc;
}

int iostat_detect(struct span head)
{
    int score = sysstat_score(head);
    return score ? score : unixstat_detect(head);
}
