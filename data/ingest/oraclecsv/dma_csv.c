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

#include "data/ingest/csv/csv.h"
#include "data/ingest/oraclecsv/metric_batch.h"
#include "data/ingest/oraclecsv/spool_cell.h"
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
    struct csv csv;
    const struct ingest_options *options;
    struct sink *sink;
    struct err *err;
    struct metric_batch batch;
    ptrdiff_t key, instance, hour, name, unit, figure[N_FIGURES];
    const char *record_kind; /* NULL: metrics */
    char (*keys)[KEY_MAX];   /* of a record's fields */
    struct spool_warnings broken;
    int64_t n_rows, n_skipped;
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
    for (size_t i = 0; i < r->csv.n_columns; i++) {
        struct span name = heading(r->csv.names[i]);
        if (span_is(name, a) || (b && span_is(name, b)))
            return (ptrdiff_t)i;
    }
    return -1;
}

static struct span field(const struct reader *r, ptrdiff_t at)
{
    return span_trim(csv_field(&r->csv, at));
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

static int broken_row(struct reader *r, const char *what)
{
    r->n_skipped++;
    return spool_warn(&r->broken, r->sink, r->csv.line, what, r->err);
}

static int metric_row(struct reader *r)
{
    struct metric_sample s = metric_sample_unknown();
    struct span hour = field(r, r->hour);
    int64_t h;
    char dimension[32];
    if (spool_integer(hour, &h) || h < 0 || h > 23 ||
        spool_integer(field(r, r->instance), &s.instance_number))
        return broken_row(r,
                          "the hour of the day or the instance is no number: the row is left out");
    snprintf(dimension, sizeof dimension, "hour=%02d", (int)h);
    s.system = system_of(field(r, r->key));
    s.metric = field(r, r->name);
    s.unit = field(r, r->unit);
    s.dimension = span_of(dimension);
    if (r->options->date_ms != UNKNOWN)
        s.time_ms = r->options->date_ms + h * 3600000;
    s.line = r->csv.line;
    for (size_t i = 0; i < N_FIGURES; i++)
        if (spool_number(field(r, r->figure[i]), &s.value))
            return broken_row(r, "a value is no number: the row is left out");
    int rc = 0;
    for (size_t i = 0; i < N_FIGURES && !rc; i++) {
        s.statistic = figures[i].statistic;
        s.statistic_text = figures[i].text;
        if (spool_number(field(r, r->figure[i]), &s.value) == 0 && !isnan(s.value))
            rc = metric_batch_add(&r->batch, &s, r->err);
    }
    return rc;
}

static int record_row(struct reader *r)
{
    struct record_field fields[RECORD_FIELDS_MAX];
    size_t n = r->csv.n_columns < RECORD_FIELDS_MAX ? r->csv.n_columns : RECORD_FIELDS_MAX;
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
    const struct record record = { r->record_kind, UNKNOWN, fields, n, r->csv.line };
    r->n_rows++;
    return r->sink->record(r->sink->ctx, &record, r->err);
}

/* Keys of records: the headings in lower case. */
static int make_keys(struct reader *r)
{
    r->keys = arena_array(r->csv.a, r->csv.n_columns, KEY_MAX);
    if (!r->keys)
        return err_nomem(r->err);
    for (size_t i = 0; i < r->csv.n_columns; i++) {
        struct span name = heading(r->csv.names[i]);
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

static int open_table(struct reader *r, struct source *src, struct arena *a)
{
    int rc = csv_open(&r->csv, src, ',', a, r->err);
    if (rc < 0)
        return rc;
    if (rc == 0)
        return err_set(r->err, ERR_PARSE, "%s:1: the file has no line", source_path(src));
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

static int read_rows(struct reader *r)
{
    int rc;
    while ((rc = csv_next(&r->csv, r->err)) > 0) {
        if (r->csv.fault)
            rc = broken_row(r, r->csv.fault);
        else if (!span_trim(csv_field(&r->csv, 0)).len)
            r->n_skipped++, rc = 0;
        else
            rc = r->record_kind ? record_row(r) : metric_row(r);
        if (rc < 0)
            return rc;
    }
    if (rc)
        return rc;
    rc = metric_batch_flush(&r->batch, r->err);
    return rc ? rc : spool_warnings_end(&r->broken, r->sink, "rows are left out", r->err);
}

int dma_csv_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                 struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    struct reader r = { .options = o, .sink = sink, .err = e, .batch = { .sink = sink } };
    int rc = open_table(&r, src, a);
    if (!rc)
        rc = read_rows(&r);
    metric_batch_release(&r.batch);
    if (rc)
        return rc;
    *rows = r.n_rows + r.batch.n_handed_over;
    *skipped = r.n_skipped;
    return 0;
}
