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

#include "data/ingest/csv/csv.h"
#include "data/ingest/oraclecsv/metric_batch.h"
#include "data/ingest/oraclecsv/spool_cell.h"
#include "data/zone.h"
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
    struct csv csv;
    const struct ingest_options *options;
    struct sink *sink;
    struct err *err;
    struct metric_batch batch;
    ptrdiff_t column[N_HEADS];
    struct spool_warnings broken;
    int64_t n_skipped;
};

static struct span field(const struct reader *r, int which)
{
    return span_trim(csv_field(&r->csv, r->column[which]));
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
        r->n_skipped++;
        return 0;
    }
    s.system = field(r, HOST);
    s.metric = field(r, ELEMENT);
    s.line = r->csv.line;
    if (spool_integer(field(r, INSTANCE), &s.instance_number)) {
        r->n_skipped++;
        return spool_warn(&r->broken, r->sink, r->csv.line,
                          "the instance number is no number: the line is left out", r->err);
    }
    if (s.instance_number < 0)
        s.instance_number = UNKNOWN;
    s.statistic = STATISTIC_AVERAGE;
    describe(&s, percentile);
    if (span_ends(category, "_ts")) {
        int64_t wall_ms;
        if (spool_time(source, &wall_ms)) {
            r->n_skipped++;
            return spool_warn(&r->broken, r->sink, r->csv.line,
                              "the time of a series is none: the line is left out", r->err);
        }
        s.time_ms = zone_to_utc(r->options->zone, wall_ms);
        s.period_s = 3600;
        if (s.unit.len)
            s.statistic = STATISTIC_RATE;
        source = (struct span){ 0 };
    }
    snprintf(dimension, sizeof dimension,
             source.len ? "category=%.*s,source=%.*s" : "category=%.*s", SPAN_ARG(category),
             SPAN_ARG(source));
    s.dimension = span_of(dimension);
    return metric_batch_add(&r->batch, &s, r->err);
}

static int open_table(struct reader *r, struct source *src, struct arena *a)
{
    int rc = csv_open(&r->csv, src, ',', a, r->err);
    if (rc < 0)
        return rc;
    for (int i = 0; i < N_HEADS; i++) {
        r->column[i] = rc ? csv_column(&r->csv, heads[i]) : -1;
        if (r->column[i] < 0)
            return err_set(r->err, ERR_PARSE, "%s:1: the heading '%s' is not there",
                           source_path(src), heads[i]);
    }
    return 0;
}

static int read_rows(struct reader *r)
{
    int rc;
    while ((rc = csv_next(&r->csv, r->err)) > 0) {
        if (r->csv.fault || r->csv.n_fields != r->csv.n_columns) {
            r->n_skipped++;
            rc = spool_warn(&r->broken, r->sink, r->csv.line,
                            "a line with another number of fields than the head is left out",
                            r->err);
        } else if (span_eq(field(r, HOST), SPAN_LIT("collection_host"))) {
            rc = 0; /* the head of the next collection in the same file */
        } else {
            rc = take_row(r);
        }
        if (rc < 0)
            return rc;
    }
    if (rc)
        return rc;
    rc = metric_batch_flush(&r->batch, r->err);
    return rc ? rc : spool_warnings_end(&r->broken, r->sink, "lines are left out", r->err);
}

int esp_csv_read(struct source *src, const struct ingest_options *o, struct sink *sink,
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
