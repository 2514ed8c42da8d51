/* data/ingest/oraclecsv/dma_csv.c - logs of GCP's Database Migration Assessment collector.
 *
 * The header is the query's own text, "PKEY||','||DBID||','||INSTANCE_NUMBER||','||...", cut by
 * SQL*Plus at the width of the page: columns beyond the cut have no heading and are not read.
 * Fields are padded in some files.  PKEY is host_DATABASE_stamp.
 *
 *   METRIC_NAME / STAT_NAME   average, minimum, maximum, sum and median of the snapshots of many
 * days that fall into one hour of the day: dimension "hour=07", no date (with one given, that
 * day's) other files               rows about snapshots, databases and instances: records */
#include "data/ingest/oraclecsv/oraclecsv.h"

#include "data/ingest/oraclecsv/spool_table.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEY_MAX = 64 };

int dma_csv_detect(struct span head)
{
    while (head.len && (head.ptr[0] == '\n' || head.ptr[0] == '\r'))
        head = span_cut(head, 1, head.len);
    return span_starts(head, "PKEY||','||") ? 95 : 0;
}

/* The figures that are read, and what they are. */
static const struct figure {
    const char *head;
    enum metric_statistic statistic;
    struct span text;
} figures[] = {
    { "AVG_VALUE", STATISTIC_AVERAGE, { 0 } },   { "MIN_VALUE", STATISTIC_MINIMUM, { 0 } },
    { "MAX_VALUE", STATISTIC_MAXIMUM, { 0 } },   { "SUM_VALUE", STATISTIC_SUM, { 0 } },
    { "PERC50", STATISTIC_OTHER, { "p50", 3 } },
};
enum { N_FIGURES = sizeof figures / sizeof *figures };

struct reader {
    struct spool_table t;
    ptrdiff_t key, instance, hour, name, unit, figure[N_FIGURES];
    const char *record_kind; /* NULL: metrics */
    char (*keys)[KEY_MAX];   /* of a record's fields */
};

/* "'||DBID||'" -> "DBID" */
static struct span heading(struct span name)
{
    static const char around[] = "'| \t";
    while (name.len && memchr(around, name.ptr[0], sizeof around - 1))
        name = span_cut(name, 1, name.len);
    while (name.len && memchr(around, name.ptr[name.len - 1], sizeof around - 1))
        name.len--;
    return name;
}

static ptrdiff_t column(const struct reader *r, const char *a, const char *b)
{
    for (size_t i = 0; i < r->t.csv.n_columns; i++) {
        struct span name = heading(r->t.csv.names[i]);
        if (span_is(name, a) || (b && span_is(name, b)))
            return (ptrdiff_t)i;
    }
    return -1;
}

static struct span field(const struct reader *r, ptrdiff_t at)
{
    return span_trim(csv_field(&r->t.csv, at));
}

/* host_DATABASE_stamp without the stamp */
static struct span system_of(struct span key)
{
    for (size_t i = key.len; i > 0; i--) {
        if (key.ptr[i - 1] == '_')
            return i < key.len ? span_cut(key, 0, i - 1) : key;
        if (key.ptr[i - 1] < '0' || key.ptr[i - 1] > '9')
            return key;
    }
    return key;
}

static int metric_row(struct reader *r)
{
    struct metric_sample s = metric_sample_unknown();
    struct span hour = field(r, r->hour);
    int64_t h;
    char dimension[32];
    if (spool_integer(hour, &h) || h < 0 || h > 23 ||
        spool_integer(field(r, r->instance), &s.instance_number))
        return spool_table_leave_out(
            &r->t, "the hour of the day or the instance is no number: the row is left out");
    snprintf(dimension, sizeof dimension, "hour=%02d", (int)h);
    s.system = system_of(field(r, r->key));
    s.metric = field(r, r->name);
    s.unit = field(r, r->unit);
    s.dimension = span_of(dimension);
    if (r->t.options->date_ms != UNKNOWN)
        s.time_ms = r->t.options->date_ms + h * 3600000;
    s.line = r->t.csv.line;
    for (size_t i = 0; i < N_FIGURES; i++)
        if (spool_number(field(r, r->figure[i]), &s.value))
            return spool_table_leave_out(&r->t, "a value is no number: the row is left out");
    int rc = 0;
    for (size_t i = 0; i < N_FIGURES && !rc; i++) {
        s.statistic = figures[i].statistic;
        s.statistic_text = figures[i].text;
        if (spool_number(field(r, r->figure[i]), &s.value) == 0 && !isnan(s.value))
            rc = metric_batch_add(&r->t.batch, &s, r->t.err);
    }
    return rc;
}

static int record_row(struct reader *r)
{
    struct record_field fields[RECORD_FIELDS_MAX];
    size_t n = r->t.csv.n_columns < RECORD_FIELDS_MAX ? r->t.csv.n_columns : RECORD_FIELDS_MAX;
    for (size_t i = 0; i < n; i++) {
        struct span text = field(r, (ptrdiff_t)i);
        double v;
        bool is_number = spool_number(text, &v) == 0 && !isnan(v);
        fields[i] = (struct record_field){ .key = r->keys[i], .unit = UNIT_NONE, .num = NAN };
        if (is_number)
            fields[i].num = v;
        else
            fields[i].text = text;
    }
    const struct record record = { r->record_kind, UNKNOWN, fields, n, r->t.csv.line };
    r->t.n_rows++;
    return r->t.sink->record(r->t.sink->ctx, &record, r->t.err);
}

/* Keys of records: the headings in lower case. */
static int make_keys(struct reader *r)
{
    r->keys = arena_array(r->t.csv.a, r->t.csv.n_columns, KEY_MAX);
    if (!r->keys)
        return err_nomem(r->t.err);
    for (size_t i = 0; i < r->t.csv.n_columns; i++) {
        struct span name = heading(r->t.csv.names[i]);
        size_t n = 0;
        for (; n < name.len && n < KEY_MAX - 1; n++) {
            char c = name.ptr[n];
            bool word = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            r->keys[i][n] = (char)(!word ? '_' : c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        }
        r->keys[i][n] = '\0';
    }
    return 0;
}

static int open_table(void *reader, bool has_head)
{
    struct reader *r = reader;
    if (!has_head)
        return err_set(r->t.err, ERR_PARSE, "%s:1: the file has no line",
                       source_path(r->t.csv.src));
    r->key = column(r, "PKEY", NULL);
    r->instance = column(r, "INSTANCE_NUMBER", NULL);
    r->hour = column(r, "HOUR", "HH24");
    r->name = column(r, "METRIC_NAME", "STAT_NAME");
    r->unit = column(r, "METRIC_UNIT", NULL);
    for (size_t i = 0; i < N_FIGURES; i++)
        r->figure[i] = column(r, figures[i].head, NULL);
    if (r->name >= 0 && r->hour >= 0 && r->instance >= 0 && r->figure[0] >= 0)
        return 0;
    r->record_kind = column(r, "MIN_SNAPID", NULL) >= 0      ? "snapshots_by_hour"
                     : column(r, "INSTANCE_NAME", NULL) >= 0 ? "instances"
                     : column(r, "DB_NAME", NULL) >= 0       ? "databases"
                                                             : "rows";
    return make_keys(r);
}

static int read_row(void *reader)
{
    struct reader *r = reader;
    if (r->t.csv.fault)
        return spool_table_leave_out(&r->t, r->t.csv.fault);
    if (!field(r, 0).len) {
        r->t.n_skipped++;
        return 0;
    }
    return r->record_kind ? record_row(r) : metric_row(r);
}

int dma_csv_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                 struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    static const struct spool_layout layout = { "rows are left out", open_table, read_row };
    struct reader r = { .t = { .options = o, .sink = sink, .err = e, .batch = { .sink = sink } } };
    return spool_table_read(&r.t, &layout, &r, src, a, rows, skipped);
}
