/* data/ingest/oraclecsv/volplan_csv.c - what data/sql/volplan_export.sql spools.
 *
 *   volplan_csv,1
 *   kind,instance,begin_utc,end_utc,name,value,unit      (this line may be left out)
 *   filetype,1,2022-05-18T05:00:00Z,2022-05-18T06:00:00Z,Log File:read_bytes,140336824320,bytes
 *   stat,1,...,...,redo size,43618664520,
 *   sysmetric_avg,1,...,...,Redo Generated Per Second,12116295.7,Bytes Per Second
 *   sysmetric_max,1,...,...,Redo Generated Per Second,91226112,Bytes Per Second
 *   redo_log,1,2022-05-18T05:03:12Z,2022-05-18T05:09:40Z,1.40718,4294967296,bytes
 *
 * filetype and stat are totals of the period; a name of filetype is its file type, ':' and
 * read_bytes, write_bytes, read_requests or write_requests.  Every row is a metric; the rows of
 * filetype and stat of one instance and period together are a snapshot too, as a report would
 * tell it.  A redo log that was not archived has unit bytes_at_most: the size of the file. */
#include "data/ingest/oraclecsv/oraclecsv.h"

#include "data/ingest/csv/csv.h"
#include "data/ingest/oraclecsv/metric_batch.h"
#include "data/ingest/oraclecsv/spool_cell.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TOTALS_MAX = 250000, /* rows of filetype and stat in one file */
    NAMES_MAX = 512,     /* different names among them */
};

enum { KIND, INSTANCE, BEGIN, END, NAME, VALUE, UNIT, N_COLUMNS };
static const char *const heads[N_COLUMNS] = { "kind", "instance", "begin_utc", "end_utc",
                                              "name", "value",    "unit" };

int volplan_csv_detect(struct span head)
{
    return span_starts(head, "volplan_csv,") ? 100 : 0;
}

/* A row of filetype or stat, for the snapshots. */
struct total {
    int64_t instance, begin_ms, end_ms, line;
    const char *name; /* one of the reader's names: equal texts are the same pointer */
    double value;
    bool is_filetype;
};

struct reader {
    struct csv csv;
    struct sink *sink;
    struct arena *arena;
    struct err *err;
    struct metric_batch batch;
    struct total *totals;
    size_t n_totals, room;
    const char *names[NAMES_MAX];
    size_t n_names;
    int64_t n_snapshots;
};

static int bad(struct reader *r, int column, const char *expected)
{
    return err_set(r->err, ERR_PARSE, "%s:%lld: column '%s': bad value '%.*s', expected %s",
                   source_path(r->csv.src), (long long)r->csv.line, heads[column],
                   SPAN_ARG(r->csv.fields[column]), expected);
}

/* --- totals for the snapshots ------------------------------------------------------------------
 */

/* The reader's copy of a name; NULL with err set. */
static const char *name_of(struct reader *r, struct span name)
{
    for (size_t i = 0; i < r->n_names; i++)
        if (span_is(name, r->names[i]))
            return r->names[i];
    if (r->n_names == NAMES_MAX) {
        err_set(r->err, ERR_LIMIT, "%s:%lld: more than %d different file types and statistics",
                source_path(r->csv.src), (long long)r->csv.line, NAMES_MAX);
        return NULL;
    }
    const char *copy = arena_strndup(r->arena, name.ptr, name.len);
    if (!copy)
        err_nomem(r->err);
    else
        r->names[r->n_names++] = copy;
    return copy;
}

static int keep_total(struct reader *r, const struct metric_sample *s, int64_t end_ms,
                      struct span name, bool is_filetype)
{
    if (r->n_totals == TOTALS_MAX)
        return err_set(r->err, ERR_LIMIT,
                       "%s:%lld: more than %d rows of file types and statistics: export fewer days "
                       "at once",
                       source_path(r->csv.src), (long long)r->csv.line, TOTALS_MAX);
    if (r->n_totals == r->room) {
        size_t room = r->room ? r->room * 2 : 256;
        struct total *grown = arena_grow(r->arena, r->totals, r->n_totals, room, sizeof *r->totals);
        if (!grown)
            return err_nomem(r->err);
        r->totals = grown;
        r->room = room;
    }
    const char *copy = name_of(r, name);
    if (!copy)
        return r->err->code;
    r->totals[r->n_totals++] = (struct total){ .instance = s->instance_number,
                                               .begin_ms = s->time_ms,
                                               .end_ms = end_ms,
                                               .line = s->line,
                                               .name = copy,
                                               .value = s->value,
                                               .is_filetype = is_filetype };
    return 0;
}

static int compare_int(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_period(const struct total *a, const struct total *b)
{
    int c = compare_int(a->instance, b->instance);
    if (!c)
        c = compare_int(a->begin_ms, b->begin_ms);
    return c ? c : compare_int(a->end_ms, b->end_ms);
}

static int by_place(const void *pa, const void *pb)
{
    const struct total *a = pa, *b = pb;
    int c = by_period(a, b);
    if (!c)
        c = (a->is_filetype > b->is_filetype) - (a->is_filetype < b->is_filetype);
    if (!c)
        c = strcmp(a->name, b->name);
    return c ? c : compare_int(a->line, b->line);
}

/* "Log File:read_bytes" into the row of its file type; the row is the last one or a new one. */
static int put_filetype(struct reader *r, struct arena *scratch, const struct total *t,
                        struct awr_io_row *rows, size_t *n)
{
    double elapsed_s = (double)(t->end_ms - t->begin_ms) / 1000;
    struct span type, figure = span_of(t->name);
    span_field(&figure, ':', &type);
    if (!*n || !span_is(type, rows[*n - 1].name)) {
        char *name = arena_strndup(scratch, type.ptr, type.len);
        if (!name)
            return err_nomem(r->err);
        rows[(*n)++] =
            (struct awr_io_row){ name, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, t->line };
    }
    struct awr_io_row *row = &rows[*n - 1];
    if (span_is(figure, "read_requests"))
        row->read_requests_per_s = t->value / elapsed_s;
    else if (span_is(figure, "write_requests"))
        row->write_requests_per_s = t->value / elapsed_s;
    else if (span_is(figure, "read_bytes"))
        row->read_bytes_per_s = (row->read_bytes = t->value) / elapsed_s;
    else
        row->write_bytes_per_s = (row->write_bytes = t->value) / elapsed_s;
    return 0;
}

/* The totals [from, to) of one instance and period. */
static int put_snapshot(struct reader *r, const struct total *totals, size_t n)
{
    struct arena scratch = { 0 };
    struct awr_io_row *rows = arena_array(&scratch, n, sizeof *rows);
    struct awr_stat *stats = arena_array(&scratch, n, sizeof *stats);
    struct awr_snapshot s = { .db_id = UNKNOWN,
                              .instance_number = totals[0].instance,
                              .rac = -1,
                              .cpus = NAN,
                              .begin_ms = totals[0].begin_ms,
                              .end_ms = totals[0].end_ms,
                              .elapsed_s = (double)(totals[0].end_ms - totals[0].begin_ms) / 1000,
                              .db_time_s = NAN };
    if (!rows || !stats) {
        arena_release(&scratch);
        return err_nomem(r->err);
    }
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        const struct total *t = &totals[i];
        bool again =
            i && totals[i - 1].is_filetype == t->is_filetype && totals[i - 1].name == t->name;
        if (again)
            rc = r->sink->warning(r->sink->ctx, t->line,
                                  "the same figure of the same period again: not added", r->err);
        else if (t->is_filetype)
            rc = put_filetype(r, &scratch, t, rows, &s.n_filetypes);
        else
            stats[s.n_stats++] =
                (struct awr_stat){ t->name, t->value, t->value / s.elapsed_s, t->line };
    }
    s.filetypes = rows;
    s.stats = stats;
    if (!rc)
        rc = r->sink->snapshot(r->sink->ctx, &s, r->err);
    arena_release(&scratch);
    r->n_snapshots++;
    return rc;
}

static int put_snapshots(struct reader *r)
{
    int rc = 0;
    if (r->n_totals)
        qsort(r->totals, r->n_totals, sizeof *r->totals, by_place);
    for (size_t from = 0, to; from < r->n_totals && !rc; from = to) {
        for (to = from + 1; to < r->n_totals; to++)
            if (by_period(&r->totals[from], &r->totals[to]) != 0)
                break;
        rc = put_snapshot(r, r->totals + from, to - from);
    }
    return rc;
}

/* --- rows ------------------------------------------------------------------------------------- */

static struct span field(const struct reader *r, int column)
{
    return span_trim(r->csv.fields[column]);
}

static int take_utc(struct reader *r, int column, int64_t *out_ms)
{
    struct span cell = field(r, column);
    bool zoned;
    return time_parse_iso(&cell, out_ms, &zoned) || cell.len
               ? bad(r, column, "a time like 2022-05-18T05:00:00Z")
               : 0;
}

/* The name of a filetype row is "TYPE:FIGURE". */
static int filetype_dimension(struct reader *r, struct metric_sample *s, char dimension[128])
{
    static const char *const known[] = { "read_bytes", "write_bytes", "read_requests",
                                         "write_requests" };
    struct span type, figure = field(r, NAME);
    if (span_field(&figure, ':', &type) == 0 && type.len)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (span_is(figure, known[i])) {
                snprintf(dimension, 128, "filetype=%.*s", SPAN_ARG(type));
                s->metric = figure;
                s->dimension = span_of(dimension);
                return 0;
            }
    return bad(r, NAME, "a file type and figure like Log File:read_bytes");
}

/* "1.40718" -> thread 1 */
static int thread_dimension(struct reader *r, struct metric_sample *s, char dimension[128])
{
    struct span rest = field(r, NAME), thread, sequence;
    int64_t thread_no, sequence_no;
    if (span_field(&rest, '.', &thread) || span_field(&rest, '.', &sequence) || rest.ptr ||
        spool_integer(thread, &thread_no) || spool_integer(sequence, &sequence_no) ||
        thread_no < 0 || sequence_no < 0)
        return bad(r, NAME, "thread and sequence like 1.40718");
    snprintf(dimension, 128, "thread=%lld", (long long)thread_no);
    s->metric = SPAN_LIT("redo_log");
    s->dimension = span_of(dimension);
    return 0;
}

/* "Bytes Per Second", "Requests per Second" */
static bool is_per_second(struct span unit)
{
    struct span ending = SPAN_LIT("per second");
    return unit.len >= ending.len &&
           span_eq_nocase(span_cut(unit, unit.len - ending.len, unit.len), ending);
}

static int describe(struct reader *r, struct metric_sample *s, char dimension[128])
{
    struct span kind = field(r, KIND);
    s->metric = field(r, NAME);
    if (span_is(kind, "sysmetric_avg") || span_is(kind, "sysmetric_max")) {
        s->statistic = span_is(kind, "sysmetric_max") ? STATISTIC_MAXIMUM
                       : is_per_second(s->unit)       ? STATISTIC_RATE
                                                      : STATISTIC_AVERAGE;
        return 0;
    }
    s->statistic = STATISTIC_SUM;
    if (span_is(kind, "filetype"))
        return filetype_dimension(r, s, dimension);
    if (span_is(kind, "stat"))
        return 0;
    if (!span_is(kind, "redo_log"))
        return bad(r, KIND, "filetype, stat, sysmetric_avg, sysmetric_max or redo_log");
    if (span_is(s->unit, "bytes_at_most")) {
        s->statistic = STATISTIC_OTHER;
        s->statistic_text = SPAN_LIT("at most");
    }
    return thread_dimension(r, s, dimension);
}

static int take_row(struct reader *r)
{
    struct metric_sample s = metric_sample_unknown();
    char dimension[128];
    int64_t end_ms = UNKNOWN;
    if (r->csv.fault || r->csv.n_fields != N_COLUMNS)
        return err_set(r->err, ERR_PARSE, "%s:%lld: a row of %zu fields, expected %d; %s",
                       source_path(r->csv.src), (long long)r->csv.line, r->csv.n_fields, N_COLUMNS,
                       r->csv.fault ? r->csv.fault : "is the file cut short?");
    s.line = r->csv.line;
    s.unit = field(r, UNIT);
    int rc = spool_integer(field(r, INSTANCE), &s.instance_number)
                 ? bad(r, INSTANCE, "an instance number")
                 : describe(r, &s, dimension);
    if (!rc)
        rc = take_utc(r, BEGIN, &s.time_ms);
    if (!rc)
        rc = take_utc(r, END, &end_ms);
    if (!rc && end_ms <= s.time_ms)
        rc = bad(r, END, "a time after begin_utc");
    if (!rc && spool_number(field(r, VALUE), &s.value))
        rc = bad(r, VALUE, "a number");
    if (rc || isnan(s.value))
        return rc;
    s.period_s = (double)(end_ms - s.time_ms) / 1000;
    bool is_filetype = span_is(field(r, KIND), "filetype");
    if (is_filetype || span_is(field(r, KIND), "stat"))
        rc = s.value < 0 ? bad(r, VALUE, "a total that is not negative")
                         : keep_total(r, &s, end_ms, field(r, NAME), is_filetype);
    return rc ? rc : metric_batch_add(&r->batch, &s, r->err);
}

static int read_rows(struct reader *r, struct source *src)
{
    struct span first = SPAN_LIT(""); /* an empty file has none */
    int rc = source_line(src, &first, r->err);
    if (rc < 0)
        return rc;
    if (!rc || !span_is(span_trim(first), "volplan_csv,1"))
        return err_set(r->err, ERR_PARSE, "%s:1: the first line is '%.*s', expected volplan_csv,1",
                       source_path(src), SPAN_ARG(first));
    /* the first line behind it is a row unless it names the columns */
    rc = csv_open(&r->csv, src, ',', r->arena, r->err);
    r->csv.line = source_line_no(src);
    bool is_row = rc > 0 && !span_is(r->csv.names[0], heads[KIND]);
    while (rc > 0) {
        int failed = is_row ? take_row(r) : 0;
        if (failed)
            return failed;
        rc = csv_next(&r->csv, r->err);
        is_row = true;
    }
    if (rc)
        return rc;
    rc = metric_batch_flush(&r->batch, r->err);
    return rc ? rc : put_snapshots(r);
}

int volplan_csv_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                     struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    (void)o; /* times are UTC, nothing is left to say */
    struct reader *r = arena_alloc(a, sizeof *r);
    if (!r)
        return err_nomem(e);
    r->sink = sink;
    r->arena = a;
    r->err = e;
    r->batch.sink = sink;
    int rc = read_rows(r, src);
    metric_batch_release(&r->batch);
    if (rc)
        return rc;
    *rows = r->batch.n_handed_over + r->n_snapshots;
    *skipped = 0;
    return 0;
}
