/* data/ingest/awrminer/awrminer.c - see awrminer.h.
 *
 * MB are MiB (the scripts divide by 1024 * 1024).  Sections without a time of their own (SYSSTAT,
 * IOSTAT-BY-FUNCTION, histograms) are counted as skipped. */
#include "data/ingest/awrminer/awrminer.h"

#include "data/ingest/oraclecsv/metric_batch.h"
#include "data/ingest/oraclecsv/snap_clock.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_MAX = 128, NAME_MAX_BYTES = 40, WARNINGS_TOLD = 3 };

static bool is_dbcsi_version(struct span head)
{
    ptrdiff_t at = span_find(head, "AWR_MINER_VER");
    if (at < 0)
        return false;
    struct span line, rest = span_cut(head, (size_t)at, head.len);
    return span_field(&rest, '\n', &line) == 0 && span_find(line, ".aws.") >= 0;
}

/* Blank lines may stand before the first section. */
static bool is_extract(struct span head)
{
    while (head.len && (head.ptr[0] == '\n' || head.ptr[0] == '\r' || head.ptr[0] == ' '))
        head = span_cut(head, 1, head.len);
    return span_starts(head, "~~BEGIN-");
}

int awr_miner_detect(struct span head)
{
    return is_extract(head) && !is_dbcsi_version(head) ? 95 : 0;
}

int dbcsi_detect(struct span head)
{
    return is_extract(head) && is_dbcsi_version(head) ? 95 : 0;
}

/* --- what a column is ------------------------------------------------------------------------- */

enum column_kind { COLUMN_METRIC, COLUMN_SNAP, COLUMN_MINUTES, COLUMN_END, COLUMN_INSTANCE };

struct column {
    char name[NAME_MAX_BYTES];
    size_t name_len;
    size_t from, to; /* of its cells in a line; to of the last one: the end of the line */
    enum column_kind kind;
    enum metric_statistic statistic;
    struct span statistic_text, unit;
};

struct reader {
    struct source *src;
    const struct ingest_options *options;
    struct sink *sink;
    struct err *err;
    struct metric_batch batch;
    struct snap_clock clock;
    char section[64]; /* the open one; empty outside */
    char database[NAME_MAX_BYTES];
    bool is_main, has_main;
    char headings[4096]; /* the last line that was no row */
    size_t headings_len;
    struct column column[COLUMNS_MAX];
    size_t n_columns;
    int64_t n_rows, n_skipped, n_warnings;
};

static const struct unit_of {
    const char *ending;
    struct span unit;
    bool is_rate;
} units[] = {
    { "_mb_s", { "MiB/s", 5 }, true },
    { "_iops", { "requests/s", 10 }, true },
    { "_iops_direct", { "requests/s", 10 }, true },
    { "_bks", { "blocks/s", 8 }, true },
    { "_bks_direct", { "blocks/s", 8 }, true },
    { "_mb", { "MiB/s", 5 }, true }, /* cell_io_int_mb: per second as the others */
    { "_per_s", { "/s", 2 }, true },
    { "_s", { "/s", 2 }, true },
    { "_cs", { "cs", 2 }, false },
    { "_ratio", { "%", 1 }, false },
    { "os_cpu", { "%", 1 }, false },
};

static void describe_column(struct column *c)
{
    static const struct {
        const char *name;
        enum column_kind kind;
    } kinds[] = { { "snap", COLUMN_SNAP },
                  { "dur_m", COLUMN_MINUTES },
                  { "end", COLUMN_END },
                  { "inst", COLUMN_INSTANCE } };
    struct span base = { c->name, c->name_len };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (span_is(base, kinds[i].name))
            c->kind = kinds[i].kind;
    c->statistic = STATISTIC_AVERAGE;
    if (span_ends(base, "_max")) {
        c->statistic = STATISTIC_MAXIMUM;
        base.len -= 4;
    } else if (span_ends(base, "_sd")) {
        c->statistic = STATISTIC_OTHER;
        c->statistic_text = SPAN_LIT("standard deviation");
        base.len -= 3;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_ends(base, units[i].ending)) {
            c->unit = units[i].unit;
            if (units[i].is_rate && c->statistic == STATISTIC_AVERAGE)
                c->statistic = STATISTIC_RATE;
            return;
        }
}

static const struct column *column_of(const struct reader *r, enum column_kind kind)
{
    for (size_t i = 0; i < r->n_columns; i++)
        if (r->column[i].kind == kind)
            return &r->column[i];
    return NULL;
}

/* The ruler below the headings: its runs of dashes are the columns. */
static int take_ruler(struct reader *r, struct span ruler)
{
    struct span headings = { r->headings, r->headings_len };
    r->n_columns = 0;
    for (size_t at = 0; at < ruler.len && r->n_columns < COLUMNS_MAX;) {
        size_t from = at;
        while (at < ruler.len && ruler.ptr[at] == '-')
            at++;
        if (at == from) {
            at++;
            continue;
        }
        struct column *c = &r->column[r->n_columns++];
        *c = (struct column){ .from = from, .to = at };
        struct span name = span_trim(span_cut(headings, from, at));
        c->name_len = name.len < NAME_MAX_BYTES ? name.len : NAME_MAX_BYTES;
        memcpy(c->name, name.ptr, c->name_len);
        describe_column(c);
    }
    if (column_of(r, COLUMN_MINUTES) && column_of(r, COLUMN_END) && column_of(r, COLUMN_INSTANCE))
        return 0;
    return err_set(r->err, ERR_PARSE,
                   "%s:%lld: MAIN-METRICS: needed are the headings dur_m, end and inst; headings "
                   "seen: %.*s",
                   source_path(r->src), (long long)source_line_no(r->src), SPAN_ARG(headings));
}

/* --- rows ------------------------------------------------------------------------------------- */

static struct span cell_of(const struct column *c, struct span line)
{
    return span_trim(span_cut(line, c->from, c->to));
}

/* A number, or NaN for what is blank or did not fit its column. */
static int cell_number(struct reader *r, const struct column *c, struct span line, double *out)
{
    struct span cell = cell_of(c, line), rest = cell;
    *out = NAN;
    if (!cell.len || span_starts(cell, "#"))
        return 0;
    if (span_double(&rest, out) == 0 && !rest.len)
        return 0;
    return err_set(r->err, ERR_PARSE,
                   "%s:%lld: MAIN-METRICS: column '%.*s': bad value '%.*s', expected a number",
                   source_path(r->src), (long long)source_line_no(r->src), (int)c->name_len,
                   c->name, SPAN_ARG(cell));
}

static int two_digits(struct span *s, char after, int *out)
{
    struct span field;
    int64_t v;
    if (span_field(s, after, &field) || field.len != 2 || span_int(&field, &v) || field.len ||
        v < 0)
        return -1;
    *out = (int)v;
    return 0;
}

/* "14/01/07 21:59": yy/mm/dd hh24:mi, the wall clock as if it were UTC. */
static int parse_end(struct span cell, int64_t *out_ms)
{
    struct civil c = { 0 };
    if (two_digits(&cell, '/', &c.year) || two_digits(&cell, '/', &c.month) ||
        two_digits(&cell, ' ', &c.day) || two_digits(&cell, ':', &c.hour) ||
        two_digits(&cell, '\0', &c.minute))
        return -1;
    c.year += 2000;
    *out_ms = time_from_civil(&c);
    return *out_ms == UNKNOWN ? -1 : 0;
}

static int warn_row(struct reader *r, const char *what)
{
    r->n_skipped++;
    if (r->n_warnings++ >= WARNINGS_TOLD)
        return 0;
    return r->sink->warning(r->sink->ctx, source_line_no(r->src), what, r->err);
}

static int take_row(struct reader *r, struct span line)
{
    struct metric_sample s = metric_sample_unknown();
    double minutes, instance, snap = NAN;
    int64_t end_ms;
    int rc = cell_number(r, column_of(r, COLUMN_MINUTES), line, &minutes);
    if (!rc)
        rc = cell_number(r, column_of(r, COLUMN_INSTANCE), line, &instance);
    if (!rc && column_of(r, COLUMN_SNAP))
        rc = cell_number(r, column_of(r, COLUMN_SNAP), line, &snap);
    if (rc)
        return rc;
    struct span end = cell_of(column_of(r, COLUMN_END), line);
    if (parse_end(end, &end_ms))
        return err_set(
            r->err, ERR_PARSE,
            "%s:%lld: MAIN-METRICS: column 'end': bad value '%.*s', expected a time like "
            "22/05/18 07:59",
            source_path(r->src), (long long)source_line_no(r->src), SPAN_ARG(end));
    if (!(minutes > 0 && minutes < 1e6))
        return warn_row(r, "an interval without duration: the row is left out");
    s.system = span_of(r->database);
    s.instance_number = instance >= 0 && instance < 1e6 ? (int64_t)instance : UNKNOWN;
    s.period_s = minutes * 60;
    end_ms = snap_clock_utc(&r->clock, r->options->zone, end_ms,
                            snap >= 0 && snap < 1e15 ? (int64_t)snap : UNKNOWN);
    s.time_ms = end_ms - (int64_t)(minutes * 60000);
    s.line = source_line_no(r->src);
    for (size_t i = 0; i < r->n_columns && !rc; i++) {
        const struct column *c = &r->column[i];
        if (c->kind != COLUMN_METRIC)
            continue;
        rc = cell_number(r, c, line, &s.value);
        s.metric = (struct span){ c->name, c->name_len };
        s.statistic = c->statistic;
        s.statistic_text = c->statistic_text;
        s.unit = c->unit;
        if (!rc && !isnan(s.value))
            rc = metric_batch_add(&r->batch, &s, r->err);
    }
    r->n_rows += !rc;
    return rc;
}

/* --- sections --------------------------------------------------------------------------------- */

static void keep_text(char *buf, size_t room, struct span s)
{
    size_t n = s.len < room - 1 ? s.len : room - 1;
    if (n)
        memcpy(buf, s.ptr, n);
    buf[n] = '\0';
}

/* dbcsi writes one end of a mark with a single '~'. */
static struct span mark_name(struct span text, const char *mark)
{
    struct span name = span_cut(text, strlen(mark), text.len);
    while (span_ends(name, "~"))
        name.len--;
    return name;
}

static void begin_section(struct reader *r, struct span name)
{
    keep_text(r->section, sizeof r->section, name);
    r->is_main = span_is(name, "MAIN-METRICS");
    r->has_main = r->has_main || r->is_main;
    r->n_skipped += !r->is_main && !span_is(name, "OS-INFORMATION");
    r->n_columns = r->headings_len = 0;
}

static bool is_ruler(struct span line)
{
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] != '-' && line.ptr[i] != ' ')
            return false;
    return line.len > 0;
}

static int main_line(struct reader *r, struct span line)
{
    if (is_ruler(line))
        return take_ruler(r, line);
    /* SQL*Plus repeats the headings on each page, and may time the statement */
    if (span_find(line, "dur_m") >= 0 || !r->n_columns) {
        r->headings_len = line.len < sizeof r->headings ? line.len : sizeof r->headings;
        memcpy(r->headings, line.ptr, r->headings_len);
        return 0;
    }
    return span_starts(line, "Elapsed:") || span_find(line, "rows selected") >= 0
               ? 0
               : take_row(r, line);
}

static void information_line(struct reader *r, struct span line)
{
    struct span key, value;
    if (span_word(&line, &key) == 0 && span_is(key, "DB_NAME") && span_word(&line, &value) == 0)
        keep_text(r->database, sizeof r->database, value);
}

static int take_line(struct reader *r, struct span line)
{
    while (line.len && (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\r'))
        line.len--;
    if (span_starts(line, "~~BEGIN-")) {
        begin_section(r, mark_name(line, "~~BEGIN-"));
        return 0;
    }
    if (span_starts(line, "~~END-")) {
        r->section[0] = '\0';
        r->is_main = false;
        return 0;
    }
    if (!span_trim(line).len)
        return 0;
    if (r->is_main)
        return main_line(r, line);
    if (strcmp(r->section, "OS-INFORMATION") == 0)
        information_line(r, line);
    return 0;
}

static int read_lines(struct reader *r)
{
    struct span line;
    int rc;
    while ((rc = source_line(r->src, &line, r->err)) > 0) {
        rc = take_line(r, line);
        if (rc)
            return rc;
    }
    if (rc)
        return rc;
    if (r->section[0])
        return err_set(r->err, ERR_PARSE,
                       "%s:%lld: the extract is cut short: no \"~~END-%s~~\" up to this line",
                       source_path(r->src), (long long)source_line_no(r->src), r->section);
    if (!r->has_main)
        return err_set(r->err, ERR_PARSE,
                       "%s:1: a part of an extract without its section MAIN-METRICS: nothing in it "
                       "is read",
                       source_path(r->src));
    if (r->n_warnings > WARNINGS_TOLD) {
        rc = r->sink->warning(r->sink->ctx, 0, "more rows without duration are left out", r->err);
        if (rc)
            return rc;
    }
    rc = metric_batch_flush(&r->batch, r->err);
    return rc ? rc : snap_clock_end(&r->clock, r->sink, r->err);
}

int awr_miner_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    struct reader *r = arena_alloc(a, sizeof *r);
    if (!r)
        return err_nomem(e);
    r->src = src;
    r->options = o;
    r->sink = sink;
    r->err = e;
    r->batch.sink = sink;
    int rc = read_lines(r);
    metric_batch_release(&r->batch);
    if (rc)
        return rc;
    *rows = r->batch.n_handed_over;
    *skipped = r->n_skipped;
    return 0;
}
