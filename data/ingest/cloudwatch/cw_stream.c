/* data/ingest/cloudwatch/cw_stream.c - metric streams: JSON lines, single objects, arrays,
 * Firehose.
 *
 * Lines are read one by one in constant memory; everything else is one document.  A record gives
 * one sample per statistic; the average is sum / count.  The period is not in the record: AWS/EBS
 * publishes every 60 s; for AWS/EC2 a point at a multiple of five minutes whose count is a multiple
 * of five is basic monitoring, 300 s.  Points are handed over in the order of the file, and what
 * Firehose delivered twice is there twice. */
#include "data/ingest/archive/gunzip.h"
#include "data/ingest/cloudwatch/cloudwatch.h"
#include "data/ingest/cloudwatch/cw_dimension.h"
#include "data/ingest/cloudwatch/cw_metric.h"
#include "data/ingest/json/json_doc.h"
#include "models/core/base64.h"
#include "models/core/mem.h"

#include <math.h>
#include <string.h>

/* Firehose takes records of 1 000 KiB; one that unpacks to more than this is a bomb. */
#define UNPACKED_MAX ((size_t)64 * 1024 * 1024)
enum { UNPACKED_FIRST = 64 * 1024 };

struct stream {
    char dimension[CW_DIMENSION_TEXT_MAX];
    char *decoded, *unpacked; /* one Firehose record */
    size_t decoded_room, unpacked_room;
    bool period_warned, unit_warned, xen_warned, value_warned;
    int64_t n_records;
};

/* OpenTelemetry: a varint length, then field 1 (resource metrics, tag 0x0A) of that length. */
static bool is_open_telemetry(struct span head)
{
    uint64_t len = 0;
    size_t i = 0;
    for (int shift = 0; i < head.len && shift < 28; shift += 7) {
        unsigned char b = (unsigned char)head.ptr[i++];
        len |= (uint64_t)(b & 0x7F) << shift;
        if (b < 0x80)
            break;
    }
    if (i >= head.len || head.ptr[i] != 0x0A || len < 16)
        return false;
    struct span text = span_cut(head, i, 4096);
    return span_find(text, "cloud.provider") >= 0 || span_find(text, "aws.cloudwatch") >= 0 ||
           span_find(text, "amazonaws.com/") >= 0;
}

static bool is_record(struct span head)
{
    return json_head_has(head, "metric_name") && json_head_has(head, "namespace");
}

static bool is_firehose(struct span head)
{
    return json_head_has(head, "requestId") && json_head_has(head, "records");
}

int cw_stream_detect(struct span head)
{
    if (is_open_telemetry(head))
        return 60;
    return is_record(head) || is_firehose(head) ? 95 : 0;
}

static int set_period(struct feed *f, struct stream *w, struct metric_sample *s, double count)
{
    s->period_s = f->options->interval_s;
    if (s->period_s > 0)
        return 0;
    bool basic = span_is(s->namespace_name, "AWS/EC2") && s->time_ms % 300000 == 0 && count >= 5 &&
                 fmod(count, 5) == 0;
    s->period_s = basic ? 300 : 60;
    s->period_inferred = true;
    if (w->period_warned)
        return 0;
    w->period_warned = true;
    return feed_warn(f, s->line,
                     "a metric stream does not carry the period: 60 s is taken, and 300 s for "
                     "basic monitoring of AWS/EC2 (--interval states it)");
}

static int check_unit(struct feed *f, struct stream *w, const struct metric_sample *s)
{
    const char *documented = cw_metric_unit(s->metric);
    if (w->unit_warned || !documented || !s->unit.len || span_is(s->unit, documented))
        return 0;
    w->unit_warned = true;
    return feed_warn(f, s->line, "%.*s has the unit '%.*s', not %s; the name is believed",
                     SPAN_ARG(s->metric), SPAN_ARG(s->unit), documented);
}

static int give(struct feed *f, struct metric_sample *s, struct span statistic, double value)
{
    if (!isfinite(value))
        return 0;
    cw_set_statistic(s, statistic);
    s->value = value;
    return feed_metric(f, s);
}

/* Xen sends 0 for maximum and minimum, whatever the sum is: they are no measurement. */
static int give_extremes(struct feed *f, struct stream *w, struct metric_sample *s,
                         const cJSON *value, double sum)
{
    double max = json_num(value, "max"), min = json_num(value, "min");
    if (sum > 0 && max <= 0 && min <= 0) {
        if (w->xen_warned)
            return 0;
        w->xen_warned = true;
        return feed_warn(f, s->line, "max and min are 0 beside a sum of %g (%.*s): left out", sum,
                         SPAN_ARG(s->metric));
    }
    int rc = give(f, s, SPAN_LIT("Maximum"), max);
    return rc ? rc : give(f, s, SPAN_LIT("Minimum"), min);
}

static int give_statistics(struct feed *f, struct stream *w, struct metric_sample *s,
                           const cJSON *value)
{
    double sum = json_num(value, "sum"), count = json_num(value, "count");
    int rc = set_period(f, w, s, count);
    if (!rc)
        rc = check_unit(f, w, s);
    if (!rc)
        rc = give(f, s, SPAN_LIT("Sum"), sum);
    if (!rc)
        rc = give(f, s, SPAN_LIT("SampleCount"), count);
    if (!rc && count > 0 && cw_metric_kind(s->metric) != CW_COUNTER)
        rc = give(f, s, SPAN_LIT("Average"), sum / count);
    if (!rc)
        rc = give_extremes(f, w, s, value, sum);
    const cJSON *item;
    cJSON_ArrayForEach(item, value)
    {
        static const char *const given[] = { "sum", "count", "max", "min" };
        bool extra = item->string && cJSON_IsNumber(item) && isfinite(item->valuedouble);
        for (size_t i = 0; extra && i < sizeof given / sizeof *given; i++)
            extra = strcmp(item->string, given[i]) != 0;
        if (!rc && extra)
            rc = give(f, s, span_of(item->string), item->valuedouble);
    }
    return rc;
}

static int skip_record(struct feed *f, struct stream *w, int64_t line, const char *why)
{
    f->skipped++;
    if (w->value_warned)
        return 0;
    w->value_warned = true;
    return feed_warn(f, line, "a record %s; it and others like it are skipped", why);
}

static int read_record(struct feed *f, const cJSON *record, int64_t line, void *ctx)
{
    struct stream *w = ctx;
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(record, "value");
    struct metric_sample s = {
        .account = json_text(record, "account_id"),
        .region = json_text(record, "region"),
        .namespace_name = json_text(record, "namespace"),
        .metric = json_text(record, "metric_name"),
        .unit = json_text(record, "unit"),
        .instance_number = UNKNOWN,
        .counts = COUNT_EBS,
        .line = line,
    };
    int rc = 0;
    w->n_records++;
    if (!s.metric.len)
        return skip_record(f, w, line, "without metric_name");
    if (!cJSON_IsObject(value))
        return skip_record(f, w, line, "without value");
    if (json_time(f, cJSON_GetObjectItemCaseSensitive(record, "timestamp"), line, &s.time_ms, &rc))
        return rc ? rc : skip_record(f, w, line, "without a readable timestamp");
    if (cw_dimension_text(cJSON_GetObjectItemCaseSensitive(record, "dimensions"), w->dimension,
                          &s.dimension))
        return skip_record(f, w, line, "with malformed dimensions");
    return rc ? rc : give_statistics(f, w, &s, value);
}

static int parse_record(struct feed *f, struct stream *w, struct json_value v)
{
    cJSON *tree;
    int rc = json_parse(f, v, &tree);
    if (rc)
        return rc;
    rc = read_record(f, tree, v.line, w);
    cJSON_Delete(tree);
    return rc;
}

/* Records that follow one another in a text. */
static int read_text(struct feed *f, struct stream *w, struct span text, int64_t line)
{
    struct json_cursor c;
    struct json_value v;
    int rc = 0;
    json_start(&c, text, line);
    while (!rc && json_at_value(&c) == 1) {
        if (json_skip(&c, &v))
            return json_refuse(f, &c);
        rc = parse_record(f, w, v);
    }
    return rc;
}

static int make_room(struct feed *f, char **buf, size_t *room, size_t wanted)
{
    if (wanted <= *room)
        return 0;
    char *grown = mem_realloc(*buf, wanted);
    if (!grown)
        return err_nomem(f->err);
    *buf = grown;
    *room = wanted;
    return 0;
}

/* All of g into w->unpacked. */
static int read_gunzip(struct feed *f, struct stream *w, struct gunzip *g, int64_t line,
                       struct span *out)
{
    size_t n = 0;
    for (;;) {
        int rc = n < w->unpacked_room
                     ? 0
                     : make_room(f, &w->unpacked, &w->unpacked_room, n ? n * 2 : UNPACKED_FIRST);
        if (rc)
            return rc;
        struct err why = { .code = 0 };
        int64_t got = gunzip_read(g, w->unpacked + n, w->unpacked_room - n, &why);
        if (got < 0 && got != ERR_PARSE)
            return err_set(f->err, (int)got, "%s", why.text);
        if (got < 0)
            return feed_fault(f, line, "data of a Firehose record is damaged gzip data");
        n += (size_t)got;
        if (n > UNPACKED_MAX)
            return err_set(f->err, ERR_LIMIT,
                           "%s:%lld: a Firehose record unpacks to more than %zu "
                           "bytes",
                           source_path(f->src), (long long)line, UNPACKED_MAX);
        if (got == 0)
            break;
    }
    *out = (struct span){ w->unpacked, n };
    return 0;
}

static int unpack(struct feed *f, struct stream *w, int64_t line, struct span *text)
{
    struct source *packed = source_of_span(source_path(f->src), *text);
    struct gunzip *g = packed ? gunzip_open(packed) : NULL;
    int rc = g ? read_gunzip(f, w, g, line, text) : err_nomem(f->err);
    gunzip_close(g);
    source_close(packed);
    return rc;
}

/* {"data":"BASE64"}: what Firehose wraps; the data may be gzip. */
static int read_firehose_record(struct feed *f, const cJSON *record, int64_t line, void *ctx)
{
    struct stream *w = ctx;
    struct span data = json_text(record, "data");
    size_t n;
    if (!data.len)
        return skip_record(f, w, line, "of the envelope without data");
    int rc = make_room(f, &w->decoded, &w->decoded_room, base64_room(data.len));
    if (rc)
        return rc;
    if (base64_decode(data, w->decoded, &n))
        return feed_fault(f, line, "data of a Firehose record is not base64");
    struct span text = { w->decoded, n };
    if (n >= 2 && (unsigned char)text.ptr[0] == 0x1F && (unsigned char)text.ptr[1] == 0x8B)
        rc = unpack(f, w, line, &text);
    if (rc)
        return rc;
    if (is_open_telemetry(text))
        return feed_fault(f, line,
                          "data of a Firehose record is OpenTelemetry (protobuf), which is not "
                          "read; set the stream's output format to JSON");
    return read_text(f, w, text, line);
}

static int read_documents(struct feed *f, struct stream *w)
{
    struct json_cursor c;
    struct json_value doc, records;
    int rc = json_document(f, &c), more = 0;
    while (!rc && (more = json_next_document(f, &c, &doc)) == 1) {
        if (json_is_array(doc))
            rc = json_each(f, doc, read_record, w);
        else if (json_member(doc, "records", &records))
            rc = json_each(f, records, read_firehose_record, w);
        else
            rc = parse_record(f, w, doc);
    }
    return rc ? rc : more;
}

/* A broken line costs that line; the last one is often cut. */
static int read_line(struct feed *f, struct stream *w, struct span line)
{
    struct json_cursor c;
    struct json_value v;
    int rc = 0;
    json_start(&c, line, source_line_no(f->src));
    while (!rc && json_at_value(&c) == 1) {
        if (json_skip(&c, &v)) {
            f->skipped++;
            return feed_warn(f, c.line, "column %zu: not valid JSON: %s; the line is skipped",
                             c.fault.column, c.fault.what);
        }
        rc = parse_record(f, w, v);
    }
    return rc;
}

static int read_lines(struct feed *f, struct stream *w)
{
    struct span line;
    int rc = 0, more = 0;
    while (!rc && (more = source_line(f->src, &line, f->err)) == 1)
        rc = read_line(f, w, line);
    return rc ? rc : more;
}

/* The first line is a whole record: one a line then. */
static bool is_lines(struct span head)
{
    struct json_cursor c;
    struct json_value v;
    struct span line;
    const char *end = head.ptr + head.len;
    if (span_field(&head, '\n', &line) || line.ptr + line.len == end)
        return false;
    json_start(&c, line, 1);
    return json_at_value(&c) == 1 && *c.at == '{' && json_skip(&c, &v) == 0 && is_record(line);
}

static int read_any(struct feed *f)
{
    struct span head;
    int rc = source_head(f->src, &head, f->err);
    if (rc)
        return rc;
    if (is_open_telemetry(head))
        return feed_fault(f, 1,
                          "a metric stream in OpenTelemetry format (protobuf), which is not read; "
                          "set the stream's output format to JSON");
    struct stream *w = arena_alloc(f->arena, sizeof *w);
    if (!w)
        return err_nomem(f->err);
    rc = is_lines(head) ? read_lines(f, w) : read_documents(f, w);
    mem_free(w->decoded);
    mem_free(w->unpacked);
    if (!rc && !f->rows && !w->n_records)
        return feed_fault(f, 1, "no record of a metric stream in the file");
    return rc;
}

int cw_stream_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_any);
}
