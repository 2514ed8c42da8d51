/* data/ingest/oraclecsv/perfsheet.c - CSV as PerfSheet spools it: SNAP_TIME, SNAP_ID,
 * INSTANCE_NUMBER, a name (EVENT_NAME, STAT_NAME, METRIC_NAME ...), values.
 *
 * Every column behind the name is a metric under its heading, the name its dimension.  SNAP_TIME is
 * the end of the snapshot's interval, whose length the file does not tell: with the caller's
 * interval the sample's time is its start, without one the period is unknown.  Fields are padded;
 * blank is unknown. */
#include "data/ingest/oraclecsv/oraclecsv.h"

#include "data/ingest/csv/csv.h"
#include "data/ingest/oraclecsv/metric_batch.h"
#include "data/ingest/oraclecsv/spool_cell.h"
#include "data/zone.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdio.h>

enum { VALUES_MAX = 16 };

int perfsheet_detect(struct span head)
{
    return csv_head_has(head, "SNAP_TIME") && csv_head_has(head, "SNAP_ID") &&
                   csv_head_has(head, "INSTANCE_NUMBER")
               ? 90
               : 0;
}

struct reader {
    struct csv csv;
    const struct ingest_options *options;
    struct sink *sink;
    struct err *err;
    struct metric_batch batch;
    ptrdiff_t time, instance, name, value[VALUES_MAX];
    size_t n_values;
    struct spool_warnings broken;
    int64_t n_skipped;
};

static int broken_row(struct reader *r, const char *what)
{
    r->n_skipped++;
    return spool_warn(&r->broken, r->sink, r->csv.line, what, r->err);
}

static int take_row(struct reader *r)
{
    struct metric_sample s = metric_sample_unknown();
    char dimension[160];
    int64_t wall_ms;
    if (spool_time(csv_field(&r->csv, r->time), &wall_ms))
        return broken_row(r, "SNAP_TIME is no time like 2022_05_18 07:00: the row is left out");
    if (spool_integer(csv_field(&r->csv, r->instance), &s.instance_number))
        return broken_row(r, "INSTANCE_NUMBER is no number: the row is left out");
    double values[VALUES_MAX];
    for (size_t i = 0; i < r->n_values; i++)
        if (spool_number(csv_field(&r->csv, r->value[i]), &values[i]))
            return broken_row(r, "a value is no number: the row is left out");
    s.period_s = r->options->interval_s;
    s.time_ms = zone_to_utc(r->options->zone, wall_ms);
    if (!isnan(s.period_s))
        s.time_ms -= (int64_t)(s.period_s * 1000);
    s.statistic = STATISTIC_AVERAGE;
    s.line = r->csv.line;
    struct span name = span_trim(csv_field(&r->csv, r->name));
    snprintf(dimension, sizeof dimension, "%.*s=%.*s", SPAN_ARG(r->csv.names[r->name]),
             SPAN_ARG(name));
    s.dimension = span_of(dimension);
    int rc = 0;
    for (size_t i = 0; i < r->n_values && !rc; i++) {
        s.metric = r->csv.names[r->value[i]];
        s.value = values[i];
        if (!isnan(s.value))
            rc = metric_batch_add(&r->batch, &s, r->err);
    }
    return rc;
}

static int open_table(struct reader *r, struct source *src, struct arena *a)
{
    int rc = csv_open(&r->csv, src, ',', a, r->err);
    if (rc < 0)
        return rc;
    const struct csv *c = &r->csv;
    r->time = rc ? csv_column(c, "SNAP_TIME") : -1;
    r->instance = rc ? csv_column(c, "INSTANCE_NUMBER") : -1;
    r->name = -1;
    for (size_t i = 0; rc && i < c->n_columns; i++)
        if (span_ends(c->names[i], "_NAME") && r->name < 0)
            r->name = (ptrdiff_t)i;
    if (r->time < 0 || r->instance < 0 || r->name < 0)
        return err_set(r->err, ERR_PARSE,
                       "%s:1: needed are the headings SNAP_TIME, INSTANCE_NUMBER and one that ends "
                       "in _NAME",
                       source_path(src));
    for (size_t i = (size_t)r->name + 1; i < c->n_columns && r->n_values < VALUES_MAX; i++)
        r->value[r->n_values++] = (ptrdiff_t)i;
    if (!r->n_values)
        return err_set(r->err, ERR_PARSE, "%s:1: there is no column of values behind '%.*s'",
                       source_path(src), SPAN_ARG(c->names[r->name]));
    if (isnan(r->options->interval_s))
        return r->sink->warning(
            r->sink->ctx, 0, "the file does not tell how long its intervals are: give --interval",
            r->err);
    return 0;
}

static int read_rows(struct reader *r)
{
    int rc;
    while ((rc = csv_next(&r->csv, r->err)) > 0) {
        if (r->csv.fault || r->csv.n_fields != r->csv.n_columns)
            rc = broken_row(r, "a row with another number of fields than the head is left out");
        else
            rc = take_row(r);
        if (rc < 0)
            return rc;
    }
    if (rc)
        return rc;
    rc = metric_batch_flush(&r->batch, r->err);
    return rc ? rc : spool_warnings_end(&r->broken, r->sink, "rows are left out", r->err);
}

int perfsheet_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    struct reader r = { .options = o, .sink = sink, .err = e, .batch = { .sink = sink } };
    int rc = open_table(&r, src, a);
    if (!rc)
        rc = read_rows(&r);
    metric_batch_release(&r.batch);
    if (rc)
        return rc;
    *rows = r.batch.n_handed_over;
    *skipped = r.n_skipped;
    return 0;
}
