/* data/ingest/cloudwatch/cw_data.c - get-metric-data: answers, their request file, list-metrics.
 *
 * An answer has an Id, a free Label and two parallel arrays per series; metric, dimension,
 * statistic and period are in the request only.  Pages repeat the Id, and a SEARCH gives many
 * series one Id: a series is what has the same Id and the same Label, joined over all documents of
 * the file. */
#include "data/ingest/cloudwatch/cw_dimension.h"
#include "data/ingest/cloudwatch/cw_metric.h"
#include "data/ingest/cloudwatch/cw_points.h"
#include "data/ingest/cloudwatch/cw_request.h"

#include "models/core/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One element of MetricDataResults; several may be of the same series. */
struct part {
    struct span id, label;
    size_t number; /* of the part; names its points */
    size_t series; /* number of the first part of the same series */
    int64_t line;
};

struct answer {
    struct cw_request request; /* found in the same file */
    struct part *parts;
    size_t n, room;
    struct cw_points points;
};

int cw_data_detect(struct span head)
{
    if (json_head_has(head, "MetricDataResults"))
        return 95;
    if (cw_request_detect(head))
        return 85;
    if (json_head_is_array(head) && json_head_has(head, "Timestamps") &&
        json_head_has(head, "Values"))
        return 85;
    return json_head_has(head, "Metrics") ? 60 : 0;
}

static int keep_part(struct feed *f, struct answer *w, struct span id, struct span label,
                     int64_t line)
{
    if (w->n == w->room) {
        size_t room = w->room ? w->room * 2 : 64;
        struct part *grown = arena_grow(f->arena, w->parts, w->n, room, sizeof *grown);
        if (!grown)
            return err_nomem(f->err);
        w->parts = grown;
        w->room = room;
    }
    char *id_copy = arena_strndup(f->arena, id.len ? id.ptr : "", id.len);
    char *label_copy = arena_strndup(f->arena, label.len ? label.ptr : "", label.len);
    if (!id_copy || !label_copy)
        return err_nomem(f->err);
    w->parts[w->n] = (struct part){
        { id_copy, id.len }, { label_copy, label.len }, w->n, w->n, line,
    };
    w->n++;
    return 0;
}

static int warn_status(struct feed *f, const cJSON *element, int64_t line)
{
    struct span status = json_text(element, "StatusCode");
    if (!status.len || span_is(status, "Complete"))
        return 0;
    struct span name = json_text(element, "Id");
    if (!name.len)
        name = json_text(element, "Label");
    const cJSON *said =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(element, "Messages"), 0);
    return feed_warn(f, line, "series '%.*s': %.*s: points are missing, not zero%s%.*s",
                     SPAN_ARG(name), SPAN_ARG(status), said ? ": " : "",
                     SPAN_ARG(json_text(said, "Value")));
}

static int read_result(struct feed *f, const cJSON *element, int64_t line, void *ctx)
{
    struct answer *w = ctx;
    struct span id = json_text(element, "Id"), label = json_text(element, "Label");
    struct span name = id.len ? id : label;
    const cJSON *times = cJSON_GetObjectItemCaseSensitive(element, "Timestamps");
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(element, "Values");
    int n_times = cJSON_GetArraySize(times), n_values = cJSON_GetArraySize(values);
    if (!cJSON_IsArray(times) || !cJSON_IsArray(values))
        return feed_fault(f, line, "series '%.*s': Timestamps and Values must be lists",
                          SPAN_ARG(name));
    if (n_times != n_values)
        return feed_fault(f, line, "series '%.*s': %d Timestamps, but %d Values", SPAN_ARG(name),
                          n_times, n_values);
    int rc = keep_part(f, w, id, label, line);
    if (!rc)
        rc = warn_status(f, element, line);
    const cJSON *time = times->child, *value = values->child;
    for (; !rc && time && value; time = time->next, value = value->next) {
        int64_t t;
        if (json_time(f, time, line, &t, &rc))
            return feed_fault(f, line, "series '%.*s': a Timestamp is no time", SPAN_ARG(name));
        if (!cJSON_IsNumber(value) || !isfinite(value->valuedouble))
            return feed_fault(f, line, "series '%.*s': a Value is no number", SPAN_ARG(name));
        if (!rc)
            rc = cw_points_add(&w->points, w->n - 1, t, value->valuedouble, line, f->err);
    }
    return rc;
}

/* "Messages":[{"Code":"PartialData","Value":"..."}] of the whole answer. */
static int read_message(struct feed *f, const cJSON *element, int64_t line, void *ctx)
{
    (void)ctx;
    return feed_warn(f, line, "CloudWatch says %.*s: %.*s", SPAN_ARG(json_text(element, "Code")),
                     SPAN_ARG(json_text(element, "Value")));
}

static int read_listed_metric(struct feed *f, const cJSON *element, int64_t line, void *ctx)
{
    (void)ctx;
    char buf[CW_DIMENSION_TEXT_MAX];
    struct span dimension;
    if (cw_dimension_text(cJSON_GetObjectItemCaseSensitive(element, "Dimensions"), buf, &dimension))
        return feed_fault(f, line, "malformed Dimensions of a metric");
    struct fields r = { .n = 0 };
    fields_text(&r, "namespace", json_text(element, "Namespace"));
    fields_text(&r, "metric", json_text(element, "MetricName"));
    fields_text(&r, "dimension", dimension);
    return feed_record(f, &(struct record){ "metrics", UNKNOWN, r.at, r.n, line });
}

static int hand_over_queries(struct feed *f, const struct cw_request *request)
{
    int rc = 0;
    for (size_t i = 0; !rc && i < request->n; i++) {
        const struct cw_query *q = &request->queries[i];
        struct fields r = { .n = 0 };
        fields_text(&r, "id", q->id);
        fields_text(&r, "namespace", q->namespace_name);
        fields_text(&r, "metric", q->metric);
        fields_text(&r, "dimension", q->dimension);
        fields_text(&r, "statistic", q->statistic);
        fields_num(&r, "period_s", UNIT_S, q->period_s);
        fields_text(&r, "expression", q->expression);
        fields_text(&r, "label", q->label);
        rc = feed_record(f, &(struct record){ "metric_queries", UNKNOWN, r.at, r.n, q->line });
    }
    return rc;
}

static int by_name(const void *x, const void *y)
{
    const struct part *a = x, *b = y;
    const struct span *pairs[2][2] = { { &a->id, &b->id }, { &a->label, &b->label } };
    for (int i = 0; i < 2; i++) {
        const struct span *p = pairs[i][0], *q = pairs[i][1];
        size_t n = p->len < q->len ? p->len : q->len;
        int order = n ? memcmp(p->ptr, q->ptr, n) : 0;
        if (order || p->len != q->len)
            return order ? order : p->len < q->len ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Gives every point the number of the first part of its series. */
static int join_parts(struct feed *f, struct answer *w)
{
    size_t *series_of = arena_array(f->arena, w->n + 1, sizeof *series_of);
    struct part *sorted = arena_array(f->arena, w->n + 1, sizeof *sorted);
    if (!series_of || !sorted)
        return err_nomem(f->err);
    if (w->n)
        memcpy(sorted, w->parts, w->n * sizeof *sorted);
    if (w->n > 1)
        qsort(sorted, w->n, sizeof *sorted, by_name);
    for (size_t i = 0; i < w->n; i++) {
        bool same = i && span_eq(sorted[i].id, sorted[i - 1].id) &&
                    span_eq(sorted[i].label, sorted[i - 1].label);
        sorted[i].series = same ? sorted[i - 1].series : sorted[i].number;
        series_of[sorted[i].number] = sorted[i].series;
    }
    for (size_t i = 0; i < w->points.n; i++)
        w->points.at[i].series = series_of[w->points.at[i].series];
    cw_points_sort(&w->points);
    return 0;
}

/* The volume that a label of a SEARCH names: its word that begins with "vol-". */
static struct span volume_in(struct span label)
{
    struct span word;
    while (span_word(&label, &word) == 0)
        if (span_starts(word, "vol-"))
            return word;
    return (struct span){ 0 };
}

/* "NAME=VALUE" in the arena. */
static int name_value(struct feed *f, const char *name, struct span value, struct span *out)
{
    size_t len = value.len < CW_DIMENSION_TEXT_MAX ? value.len : CW_DIMENSION_TEXT_MAX;
    char *text = arena_printf(f->arena, "%s=%.*s", name, (int)len, value.ptr);
    if (!text)
        return err_nomem(f->err);
    *out = span_of(text);
    return 0;
}

/* Without a request: nothing but the names that the answer has. */
static int describe_unasked(struct feed *f, const struct part *p, struct metric_sample *s)
{
    s->metric = p->label.len ? p->label : p->id;
    int rc = p->id.len ? name_value(f, "Id", p->id, &s->dimension) : 0;
    if (rc)
        return rc;
    cw_set_statistic(s, (struct span){ 0 });
    return feed_warn(f, p->line,
                     "series '%.*s': no request file says its metric, statistic and period; put "
                     "the file of --metric-data-queries beside it",
                     SPAN_ARG(p->id.len ? p->id : p->label));
}

static int describe(struct feed *f, const struct answer *w, const struct part *p,
                    struct metric_sample *s, double *period_s)
{
    bool ambiguous;
    const struct cw_query *q = cw_request_find(&w->request, p->id, &ambiguous);
    if (!q)
        q = cw_request_find(f->options->request, p->id, &ambiguous);
    *s = (struct metric_sample){ .instance_number = UNKNOWN, .counts = COUNT_EBS };
    *period_s = f->options->interval_s;
    if (!q || ambiguous) {
        int rc = ambiguous ? feed_warn(f, p->line, "Id '%.*s': the request files differ about it",
                                       SPAN_ARG(p->id))
                           : 0;
        return rc ? rc : describe_unasked(f, p, s);
    }
    s->account = q->account;
    s->namespace_name = q->namespace_name;
    s->dimension = q->dimension;
    s->unit = q->unit;
    if (q->period_s > 0)
        *period_s = q->period_s;
    if (cw_query_is_search(q)) {
        struct span volume = volume_in(p->label);
        int rc = volume.len ? name_value(f, "VolumeId", volume, &s->dimension)
                            : name_value(f, "Label", p->label, &s->dimension);
        if (rc)
            return rc;
    }
    if (q->expression.len && !cw_query_is_search(q)) {
        s->metric = p->label.len ? p->label : p->id;
        s->statistic = STATISTIC_OTHER;
        s->statistic_text = q->expression;
        return 0;
    }
    s->metric = q->metric;
    cw_set_statistic(s, q->statistic);
    return 0;
}

static int hand_over(struct feed *f, struct answer *w)
{
    int rc = join_parts(f, w);
    for (size_t i = 0, n; !rc && i < w->points.n; i += n) {
        struct cw_point *points = w->points.at + i;
        const struct part *p = &w->parts[points->series];
        struct metric_sample s;
        double period_s;
        for (n = 1; i + n < w->points.n && points[n].series == points->series;)
            n++;
        rc = describe(f, w, p, &s, &period_s);
        if (!rc)
            rc = cw_series_hand_over(f, &s, points, n, period_s);
    }
    return rc;
}

/* One document: an answer, a bare list of its results, a request, or list-metrics. */
static int read_document(struct feed *f, struct answer *w, struct json_value doc,
                         struct json_value *token, bool *known)
{
    struct json_value list;
    *known = true;
    if (cw_request_list(doc, &list)) {
        int rc = cw_request_add_list(f, list, &w->request);
        if (rc || !json_member(doc, "MetricDataResults", &list))
            return rc;
    }
    if (json_member(doc, "MetricDataResults", &list)) {
        int rc = json_each(f, list, read_result, w);
        token->text.len = 0;
        json_member(doc, "NextToken", token);
        if (!rc && json_member(doc, "Messages", &list))
            rc = json_each(f, list, read_message, NULL);
        return rc;
    }
    if (json_is_array(doc))
        return json_each(f, doc, read_result, w);
    if (json_member(doc, "Metrics", &list))
        return json_each(f, list, read_listed_metric, NULL);
    *known = false;
    return 0;
}

static int read_documents(struct feed *f, struct answer *w)
{
    struct json_cursor c;
    struct json_value doc, token = { .text = { 0 } };
    int rc = json_document(f, &c), more = 0;
    bool known, any = false;
    while (!rc && (more = json_next_document(f, &c, &doc)) == 1) {
        rc = read_document(f, w, doc, &token, &known);
        any = any || known;
    }
    if (rc || more < 0)
        return rc ? rc : more;
    if (!any)
        return feed_fault(f, 1, "no MetricDataResults in the JSON");
    if (token.text.len > 2 && token.text.ptr[0] == '"')
        rc = feed_warn(f, token.line, "NextToken: the answer goes on; ask for the next page");
    if (!rc)
        rc = w->n ? hand_over(f, w) : hand_over_queries(f, &w->request);
    return rc;
}

static int read_all(struct feed *f)
{
    struct answer w = { .parts = NULL };
    int rc = read_documents(f, &w);
    cw_points_release(&w.points);
    return rc;
}

int cw_data_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                 struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_all);
}
