/* data/ingest/oraclecsv/perfsheet.c - CSV as PerfSheet spools it: SNAP_TIME, SNAP_ID,
 * INSTANCE_NUMBER, a name (EVENT_NAME, STAT_NAME, METRIC_NAME ...), values.
 *
 * Every column behind the name is a metric under its heading, the name its dimension.  SNAP_TIME is
 * the end of the snapshot's interval, whose length the file does not tell: with the caller's
 * interval the sample's time is its start, without one the period is unknown.  Fields are padded;
 * blank is unknown. */
#include "data/ingest/oraclecsv/oraclecsv.h"

#include "data/ingest/oraclecsv/spool_table.h"
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
    struct spool_table t;
    ptrdiff_t time, snap, instance, name, value[VALUES_MAX];
    size_t n_values;
};

static int take_row(struct reader *r)
{
    struct metric_sample s = metric_sample_unknown();
    char dimension[160];
    int64_t wall_ms, snap;
    if (spool_time(csv_field(&r->t.csv, r->time), &wall_ms))
        return spool_table_leave_out(
            &r->t, "SNAP_TIME is no time like 2022_05_18 07:00: the row is left out");
    if (spool_integer(csv_field(&r->t.csv, r->instance), &s.instance_number))
        return spool_table_leave_out(&r->t, "INSTANCE_NUMBER is no number: the row is left out");
    for (size_t i = 0; i < r->n_values; i++)
        if (spool_number(csv_field(&r->t.csv, r->value[i]), &s.value))
            return spool_table_leave_out(&r->t, "a value is no number: the row is left out");
    s.period_s = r->t.options->interval_s;
    if (spool_integer(csv_field(&r->t.csv, r->snap), &snap))
        snap = UNKNOWN;
    s.time_ms = snap_clock_utc(&r->t.clock, r->t.options->zone, wall_ms, snap);
    if (!isnan(s.period_s))
        s.time_ms -= (int64_t)(s.period_s * 1000);
    s.statistic = STATISTIC_AVERAGE;
    s.line = r->t.csv.line;
    struct span name = span_trim(csv_field(&r->t.csv, r->name));
    snprintf(dimension, sizeof dimension, "%.*s=%.*s", SPAN_ARG(r->t.csv.names[r->name]),
             SPAN_ARG(name));
    s.dimension = span_of(dimension);
    int rc = 0;
    for (size_t i = 0; i < r->n_values && !rc; i++) {
        s.metric = r->t.csv.names[r->value[i]];
        if (spool_number(csv_field(&r->t.csv, r->value[i]), &s.value) == 0 && !isnan(s.value))
            rc = metric_batch_add(&r->t.batch, &s, r->t.err);
    }
    return rc;
}

static int open_table(void *reader, bool has_head)
{
    struct reader *r = reader;
    const struct csv *c = &r->t.csv;
    r->time = has_head ? csv_column(c, "SNAP_TIME") : -1;
    r->snap = has_head ? csv_column(c, "SNAP_ID") : -1;
    r->instance = has_head ? csv_column(c, "INSTANCE_NUMBER") : -1;
    r->name = -1;
    for (size_t i = 0; has_head && i < c->n_columns; i++)
        if (span_ends(c->names[i], "_NAME") && r->name < 0)
            r->name = (ptrdiff_t)i;
    if (r->time < 0 || r->instance < 0 || r->name < 0)
        return err_set(r->t.err, ERR_PARSE,
                       "%s:1: needed are the headings SNAP_TIME, INSTANCE_NUMBER and one that ends "
                       "in _NAME",
                       source_path(r->t.csv.src));
    for (size_t i = (size_t)r->name + 1; i < c->n_columns && r->n_values < VALUES_MAX; i++)
        r->value[r->n_values++] = (ptrdiff_t)i;
    if (!r->n_values)
        return err_set(r->t.err, ERR_PARSE, "%s:1: there is no column of values behind '%.*s'",
                       source_path(r->t.csv.src), SPAN_ARG(c->names[r->name]));
    if (isnan(r->t.options->interval_s))
        return r->t.sink->warning(
            r->t.sink->ctx, 0, "the file does not tell how long its intervals are: give --interval",
            r->t.err);
    return 0;
}

static int read_row(void *reader)
{
    struct reader *r = reader;
    if (r->t.csv.fault || r->t.csv.n_fields != r->t.csv.n_columns)
        return spool_table_leave_out(
            &r->t, "a row with another number of fields than the head is left out");
    return take_row(r);
}

int perfsheet_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    static const struct spool_layout layout = { "rows are left out", open_table, read_row };
    struct reader r = { .t = { .options = o, .sink = sink, .err = e, .batch = { .sink = sink } } };
    return spool_table_read(&r.t, &layout, &r, src, a, rows, skipped);
}
