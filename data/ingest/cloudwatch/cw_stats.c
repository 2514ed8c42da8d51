/* data/ingest/cloudwatch/cw_stats.c - get-metric-statistics, and series written by others.
 *
 * The JSON has the metric as Label and every statistic under its own name, but neither period nor
 * dimension, which is taken from the name of the file where that has one.  Two texts are read
 * besides: "timestamp,value" (nothing else is known of it), and the lines of mackerel's EBS plugin
 * ("ec2.ebs.throughput.vol-0abc.read TAB value TAB epoch"), which are rates already. */
#include "data/ingest/cloudwatch/cloudwatch.h"
#include "data/ingest/cloudwatch/cw_metric.h"
#include "data/ingest/cloudwatch/cw_path.h"
#include "data/ingest/cloudwatch/cw_points.h"
#include "data/ingest/csv/csv.h"
#include "data/ingest/json/json_doc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The statistics of one answer; extended ones are "p95" and the like. */
enum { STATISTICS_MAX = 32 };
/* A Sum made of the other two, which is exact on Xen and on Nitro. */
static const char product[] = "Average x SampleCount";

struct answer {
    struct span metric, unit;
    struct span dimension; /* from the name of the file; may be empty */
    struct span names[STATISTICS_MAX];
    size_t n_names;
    struct cw_points points; /* series = index of names */
    bool names_warned;
};

static bool is_series_csv(struct span head)
{
    struct span line;
    if (span_field(&head, '\n', &line))
        return false;
    return span_eq_nocase(span_trim(line), SPAN_LIT("timestamp,value"));
}

/* A line of mackerel's plugin among the first ones. */
static bool is_mackerel(struct span head)
{
    struct span line;
    for (int i = 0; i < 20 && span_field(&head, '\n', &line) == 0; i++)
        if (span_starts(line, "ec2.ebs.") && span_find(line, "\t") > 0)
            return true;
    return false;
}

int cw_stats_detect(struct span head)
{
    if (json_head_has(head, "Datapoints"))
        return 95;
    if (is_series_csv(head))
        return 70;
    return is_mackerel(head) ? 90 : 0;
}

/* Index of a statistic's name, kept in the arena; STATISTICS_MAX when there are too many. */
static int find_statistic(struct feed *f, struct answer *w, struct span name, size_t *out)
{
    for (*out = 0; *out < w->n_names; ++*out)
        if (span_eq(w->names[*out], name))
            return 0;
    if (w->n_names == STATISTICS_MAX)
        return 0;
    char *copy = arena_strndup(f->arena, name.len ? name.ptr : "", name.len);
    if (!copy)
        return err_nomem(f->err);
    w->names[w->n_names++] = (struct span){ copy, name.len };
    return 0;
}

static int add_value(struct feed *f, struct answer *w, struct span name, int64_t t, double value,
                     int64_t line)
{
    size_t i;
    int rc = find_statistic(f, w, name, &i);
    if (rc)
        return rc;
    if (i < STATISTICS_MAX)
        return cw_points_add(&w->points, i, t, value, line, f->err);
    f->skipped++;
    if (w->names_warned)
        return 0;
    w->names_warned = true;
    return feed_warn(f, line, "more than %d statistics; '%.*s' and others are not read",
                     STATISTICS_MAX, SPAN_ARG(name));
}

static int add_named(struct feed *f, struct answer *w, const cJSON *point, const char *name,
                     int64_t t, int64_t line)
{
    double v = json_num(point, name);
    return isnan(v) ? 0 : add_value(f, w, span_of(name), t, v, line);
}

static int add_statistics(struct feed *f, struct answer *w, const cJSON *point, int64_t t,
                          int64_t line)
{
    static const char *const names[] = { "Sum", "Average", "Maximum", "Minimum", "SampleCount" };
    int rc = 0;
    for (size_t i = 0; !rc && i < sizeof names / sizeof *names; i++)
        rc = add_named(f, w, point, names[i], t, line);
    double sum = json_num(point, "Average") * json_num(point, "SampleCount");
    if (!rc && isnan(json_num(point, "Sum")) && isfinite(sum) &&
        cw_metric_kind(w->metric) == CW_COUNTER)
        rc = add_value(f, w, span_of(product), t, sum, line);
    const cJSON *extended = cJSON_GetObjectItemCaseSensitive(point, "ExtendedStatistics");
    const cJSON *item;
    cJSON_ArrayForEach(item, extended)
    {
        if (!rc && item->string && cJSON_IsNumber(item) && isfinite(item->valuedouble))
            rc = add_value(f, w, span_of(item->string), t, item->valuedouble, line);
    }
    return rc;
}

/* A unit that is not the documented one: the metric's name is believed. */
static int note_unit(struct feed *f, struct answer *w, struct span unit, int64_t line)
{
    if (!unit.len || w->unit.len)
        return 0;
    char *copy = arena_strndup(f->arena, unit.ptr, unit.len);
    if (!copy)
        return err_nomem(f->err);
    w->unit = (struct span){ copy, unit.len };
    const char *documented = cw_metric_unit(w->metric);
    if (!documented || span_is(unit, documented))
        return 0;
    return feed_warn(f, line, "%.*s has the unit '%.*s', not %s; the name is believed",
                     SPAN_ARG(w->metric), SPAN_ARG(unit), documented);
}

static int read_point(struct feed *f, const cJSON *point, int64_t line, void *ctx)
{
    struct answer *w = ctx;
    int64_t t;
    int rc = 0;
    const cJSON *stamp = cJSON_GetObjectItemCaseSensitive(point, "Timestamp");
    if (json_time(f, stamp, line, &t, &rc))
        return feed_fault(f, line, "a Datapoint without a readable Timestamp");
    if (!rc)
        rc = note_unit(f, w, json_text(point, "Unit"), line);
    return rc ? rc : add_statistics(f, w, point, t, line);
}

static int hand_over(struct feed *f, struct answer *w)
{
    int rc = 0;
    cw_points_sort(&w->points);
    for (size_t i = 0, n; !rc && i < w->points.n; i += n) {
        struct cw_point *points = w->points.at + i;
        struct span name = w->names[points->series];
        for (n = 1; i + n < w->points.n && points[n].series == points->series;)
            n++;
        struct metric_sample s = {
            .metric = w->metric,
            .dimension = w->dimension,
            .unit = w->unit,
            .instance_number = UNKNOWN,
            .counts = COUNT_EBS,
        };
        cw_set_statistic(&s, name);
        if (span_is(name, product))
            s.statistic = STATISTIC_SUM;
        rc = cw_series_hand_over(f, &s, points, n, f->options->interval_s);
    }
    return rc;
}

/* The metric's name of an answer, in the arena: its Label. */
static int read_label(struct feed *f, struct json_value doc, struct answer *w)
{
    struct json_value label;
    cJSON *tree;
    if (!json_member(doc, "Label", &label))
        return 0;
    int rc = json_parse(f, label, &tree);
    if (rc)
        return rc;
    const char *text = cJSON_GetStringValue(tree);
    char *copy = arena_strdup(f->arena, text ? text : "");
    cJSON_Delete(tree);
    if (!copy)
        return err_nomem(f->err);
    w->metric = span_of(copy);
    return 0;
}

static int read_answer(struct feed *f, struct json_value doc)
{
    struct json_value list;
    struct answer w = { .n_names = 0 };
    char dimension[CW_PATH_DIMENSION_MAX];
    if (!json_member(doc, "Datapoints", &list))
        return feed_fault(f, doc.line, "no Datapoints in the JSON");
    int rc = read_label(f, doc, &w);
    if (!rc)
        rc = json_each(f, list, read_point, &w);
    w.dimension = cw_path_dimension(source_path(f->src), w.metric, dimension);
    if (!rc && w.points.n)
        rc = feed_warn(f, list.line,
                       "get-metric-statistics does not say of which volume or instance it is%s%.*s",
                       w.dimension.len ? "; the name of the file does: " : "",
                       SPAN_ARG(w.dimension));
    if (!rc)
        rc = hand_over(f, &w);
    cw_points_release(&w.points);
    return rc;
}

static int read_json(struct feed *f)
{
    struct json_cursor c;
    struct json_value doc;
    int rc = json_document(f, &c), more = 0;
    while (!rc && (more = json_next_document(f, &c, &doc)) == 1)
        rc = read_answer(f, doc);
    return rc ? rc : more;
}

/* A broken row of the "timestamp,value" CSV is an error: nothing says what else it could be. */
static int read_csv_row(struct feed *f, const struct csv *c, struct answer *w)
{
    struct span text = span_trim(c->fields[1]);
    int64_t t;
    double value;
    int rc = 0;
    if (c->n_fields != 2 || c->fault)
        return feed_fault(f, c->line, "expected a time stamp and a value");
    if (feed_time(f, c->fields[0], c->line, &t, &rc))
        return feed_fault(f, c->line, "column 'timestamp': bad value '%.*s'",
                          SPAN_ARG(c->fields[0]));
    if (rc)
        return rc;
    if (!text.len) { /* missing is not zero */
        f->skipped++;
        return 0;
    }
    if (span_double(&text, &value) || text.len)
        return feed_fault(f, c->line, "column 'value': bad value '%.*s'", SPAN_ARG(c->fields[1]));
    return cw_points_add(&w->points, 0, t, value, c->line, f->err);
}

static int read_csv(struct feed *f)
{
    struct csv c;
    struct answer w = { .metric = SPAN_LIT("value"), .n_names = 1 };
    int rc = csv_open(&c, f->src, ',', f->arena, f->err);
    if (rc == 1)
        rc = feed_warn(f, c.line,
                       "the CSV names neither metric nor statistic nor volume: no rates are made "
                       "of it");
    int more = 0;
    while (!rc && (more = csv_next(&c, f->err)) == 1)
        rc = read_csv_row(f, &c, &w);
    if (!rc)
        rc = more;
    if (!rc)
        rc = hand_over(f, &w);
    cw_points_release(&w.points);
    return rc;
}

/* What mackerel calls the metrics that are rates or levels of their own. */
static const struct mackerel_name {
    const char *prefix, *suffix, *metric, *unit;
    enum metric_statistic statistic;
} mackerel_names[] = {
    { "ec2.ebs.throughput.", ".read", "VolumeReadOps", "Count/Second", STATISTIC_RATE },
    { "ec2.ebs.throughput.", ".write", "VolumeWriteOps", "Count/Second", STATISTIC_RATE },
    { "ec2.ebs.bandwidth.", ".read", "VolumeReadBytes", "Bytes/Second", STATISTIC_RATE },
    { "ec2.ebs.bandwidth.", ".write", "VolumeWriteBytes", "Bytes/Second", STATISTIC_RATE },
    { "ec2.ebs.size_per_op.", ".read", "read_size_per_op", "Bytes", STATISTIC_AVERAGE },
    { "ec2.ebs.size_per_op.", ".write", "write_size_per_op", "Bytes", STATISTIC_AVERAGE },
    { "ec2.ebs.latency.", ".read", "read_latency", "Milliseconds", STATISTIC_AVERAGE },
    { "ec2.ebs.latency.", ".write", "write_latency", "Milliseconds", STATISTIC_AVERAGE },
    { "ec2.ebs.queue_length.", ".queue_length", "VolumeQueueLength", "Count", STATISTIC_AVERAGE },
    { "ec2.ebs.idle_time.", ".idle_time", "idle_pct", "Percent", STATISTIC_AVERAGE },
    { "ec2.ebs.burst_balance.", ".burst_balance", "BurstBalance", "Percent", STATISTIC_AVERAGE },
};

/* A line of the plugin; 0 when it is one of something else, which is skipped. */
static int read_mackerel_line(struct feed *f, struct span line)
{
    struct span name, text, epoch;
    struct metric_sample s = { .instance_number = UNKNOWN, .counts = COUNT_EBS };
    double t;
    const struct mackerel_name *m = mackerel_names;
    const struct mackerel_name *end = m + sizeof mackerel_names / sizeof *mackerel_names;
    char dimension[256];
    if (span_field(&line, '\t', &name) || span_field(&line, '\t', &text) || !line.ptr) {
        f->skipped++;
        return 0;
    }
    epoch = span_trim(line);
    while (m < end && !(span_starts(name, m->prefix) && span_ends(name, m->suffix)))
        m++;
    if (m == end || name.len > 200 || span_double(&text, &s.value) || text.len ||
        span_double(&epoch, &t) || epoch.len || feed_epoch(t, &s.time_ms)) {
        f->skipped++;
        return 0;
    }
    name = span_cut(name, strlen(m->prefix), name.len - strlen(m->suffix));
    snprintf(dimension, sizeof dimension, "VolumeId=%.*s", (int)name.len, name.ptr);
    s.dimension = span_of(dimension);
    s.metric = span_of(m->metric);
    s.statistic = m->statistic;
    s.statistic_text = SPAN_LIT("mackerel");
    s.unit = span_of(m->unit);
    s.period_s = f->options->interval_s;
    s.line = source_line_no(f->src);
    return feed_metric(f, &s);
}

static int read_mackerel(struct feed *f)
{
    struct span line;
    int rc = 0, more = 0;
    while (!rc && (more = source_line(f->src, &line, f->err)) == 1)
        rc = read_mackerel_line(f, line);
    return rc ? rc : more;
}

static int read_any(struct feed *f)
{
    struct span head;
    int rc = source_head(f->src, &head, f->err);
    if (rc)
        return rc;
    if (is_series_csv(head))
        return read_csv(f);
    return is_mackerel(head) ? read_mackerel(f) : read_json(f);
}

int cw_stats_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                  struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_any);
}
