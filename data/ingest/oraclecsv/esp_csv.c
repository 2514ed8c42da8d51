/* data/ingest/oraclecsv/esp_csv.c - the CSV of the ESP collector.
 *
 * collection_host, collection_key, category, data_element, source, instance_number, inst_id, value:
 * one value a line, padded; instance -1 is the whole database.
 *
 *   category ends in "_ts"   a series: source is the start of the hour, yyyy-mm-dd/hh24:mi:ss
 *   other categories         one figure of the whole collection: no time; "_peak" is a maximum,
 *                            "_avg" a mean, "_99" a percentile
 *
 * The system is the collection's host.  Lines whose value is text are counted as skipped. */
#include "data/ingest/oraclecsv/oraclecsv.h"

#include "data/ingest/oraclecsv/spool_table.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const heads[] = { "collection_host", "category",        "data_element",
                                     "source",          "instance_number", "value" };
enum { HOST, CATEGORY, ELEMENT, SOURCE, INSTANCE, VALUE, N_HEADS };

int esp_csv_detect(struct span head)
{
    for (int i = 0; i < N_HEADS; i++)
        if (!csv_head_has(head, heads[i]))
            return 0;
    return 95;
}

struct reader {
    struct spool_table t;
    ptrdiff_t column[N_HEADS];
};

static struct span field(const struct reader *r, int which)
{
    return span_trim(csv_field(&r->t.csv, r->column[which]));
}

/* "rw_iops_999" -> percentile 99.9 */
static void describe(struct metric_sample *s, char percentile[16])
{
    static const struct {
        const char *ending, *percentile;
        enum metric_statistic statistic;
    } endings[] = {
        { "peak", NULL, STATISTIC_MAXIMUM },  { "avg", NULL, STATISTIC_AVERAGE },
        { "median", "p50", STATISTIC_OTHER }, { "75", "p75", STATISTIC_OTHER },
        { "90", "p90", STATISTIC_OTHER },     { "95", "p95", STATISTIC_OTHER },
        { "97", "p97", STATISTIC_OTHER },     { "99", "p99", STATISTIC_OTHER },
        { "999", "p99.9", STATISTIC_OTHER },  { "9999", "p99.99", STATISTIC_OTHER },
    };
    struct span name = s->metric;
    if (span_ends(name, "_bytes")) {
        s->unit = SPAN_LIT("bytes/s");
        name.len -= 6;
    } else if (span_find(name, "_mbps") >= 0) {
        s->unit = SPAN_LIT("MB/s");
    } else if (span_find(name, "_iops") >= 0) {
        s->unit = SPAN_LIT("requests/s");
    }
    size_t at = name.len;
    while (at > 0 && name.ptr[at - 1] != '_')
        at--;
    struct span ending = span_cut(name, at, name.len);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (span_is(ending, endings[i].ending)) {
            s->statistic = endings[i].statistic;
            if (endings[i].percentile) {
                snprintf(percentile, 16, "%s", endings[i].percentile);
                s->statistic_text = span_of(percentile);
            }
        }
}

static int take_row(struct reader *r)
{
    struct metric_sample s = metric_sample_unknown();
    char percentile[16], dimension[160];
    struct span category = field(r, CATEGORY), source = field(r, SOURCE);
    if (spool_number(field(r, VALUE), &s.value) || isnan(s.value)) {
        r->t.n_skipped++;
        return 0;
    }
    s.system = field(r, HOST);
    s.metric = field(r, ELEMENT);
    s.line = r->t.csv.line;
    if (spool_integer(field(r, INSTANCE), &s.instance_number))
        return spool_table_leave_out(&r->t,
                                     "the instance number is no number: the line is left out");
    if (s.instance_number < 0)
        s.instance_number = UNKNOWN;
    s.statistic = STATISTIC_AVERAGE;
    describe(&s, percentile);
    if (span_ends(category, "_ts")) {
        int64_t wall_ms;
        if (spool_time(source, &wall_ms))
            return spool_table_leave_out(&r->t,
                                         "the time of a series is none: the line is left out");
        s.time_ms = snap_clock_utc(&r->t.clock, r->t.options->zone, wall_ms, UNKNOWN);
        s.period_s = 3600;
        if (s.unit.len)
            s.statistic = STATISTIC_RATE;
        source = (struct span){ 0 };
    }
    snprintf(dimension, sizeof dimension,
             source.len ? "category=%.*s,source=%.*s" : "category=%.*s", SPAN_ARG(category),
             SPAN_ARG(source));
    s.dimension = span_of(dimension);
    return metric_batch_add(&r->t.batch, &s, r->t.err);
}

static int open_table(void *reader, bool has_head)
{
    struct reader *r = reader;
    for (int i = 0; i < N_HEADS; i++) {
        r->column[i] = has_head ? csv_column(&r->t.csv, heads[i]) : -1;
        if (r->column[i] < 0)
            return err_set(r->t.err, ERR_PARSE, "%s:1: the heading '%s' is not there",
                           source_path(r->t.csv.src), heads[i]);
    }
    return 0;
}

static int read_row(void *reader)
{
    struct reader *r = reader;
    if (r->t.csv.fault || r->t.csv.n_fields != r->t.csv.n_columns)
        return spool_table_leave_out(
            &r->t, "a line with another number of fields than the head is left out");
    if (span_eq(field(r, HOST), SPAN_LIT("collection_host")))
        return 0; /* the head of the next collection in the same file */
    return take_row(r);
}

int esp_csv_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                 struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    static const struct spool_layout layout = { "lines are left out", open_table, read_row };
    struct reader r = { .t = { .options = o, .sink = sink, .err = e, .batch = { .sink = sink } } };
    return spool_table_read(&r.t, &layout, &r, src, a, rows, skipped);
}
