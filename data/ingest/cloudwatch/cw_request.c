/* data/ingest/cloudwatch/cw_request.c - see cw_request.h and cloudwatch.h. */
#include "data/ingest/cloudwatch/cw_request.h"

#include "data/ingest/cloudwatch/cw_dimension.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cw_request_detect(struct span head)
{
    if (json_head_has(head, "MetricDataQueries"))
        return true;
    return json_head_is_array(head) && json_head_has(head, "Id") &&
           (json_head_has(head, "MetricStat") || json_head_has(head, "Expression"));
}

bool cw_request_list(struct json_value doc, struct json_value *queries)
{
    if (json_is_object(doc))
        return json_member(doc, "MetricDataQueries", queries);
    struct json_cursor c;
    struct json_value first, member;
    bool at_first = true;
    json_start(&c, doc.text, doc.line);
    if (json_enter(&c, '[') || json_next_element(&c, &at_first) != 1 || json_skip(&c, &first))
        return false;
    if (!json_member(first, "MetricStat", &member) && !json_member(first, "Expression", &member))
        return false;
    *queries = doc;
    return true;
}

/* A copy in the arena; on failure *rc is ERR_NOMEM. */
static struct span keep(struct feed *f, struct span text, int *rc)
{
    char *copy = arena_strndup(f->arena, text.len ? text.ptr : "", text.len);
    if (!copy) {
        *rc = err_nomem(f->err);
        return (struct span){ 0 };
    }
    return (struct span){ copy, text.len };
}

/* What stands between `before` and the next `after`; empty when they are not there. */
static struct span between(struct span s, const char *before, char after, struct span *rest)
{
    struct span found = { 0 };
    ptrdiff_t at = span_find(s, before);
    if (at < 0)
        return found;
    s = span_cut(s, (size_t)at + span_of(before).len, s.len);
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] == after) {
            *rest = span_cut(s, i + 1, s.len);
            return span_cut(s, 0, i);
        }
    return found;
}

/* SEARCH('{AWS/EBS,VolumeId} MetricName="VolumeReadOps"', 'Sum', 300) */
static void read_search(struct cw_query *q)
{
    struct span rest = { 0 }, other = { 0 };
    if (!span_starts(q->expression, "SEARCH("))
        return;
    struct span search = between(q->expression, "'", '\'', &rest);
    q->namespace_name = between(search, "{", ',', &other);
    struct span metric = between(search, "MetricName=\"", '"', &other);
    if (!metric.len || span_find(other, "MetricName=") >= 0)
        return; /* several metrics: the labels would have to tell */
    q->metric = metric;
    q->statistic = between(rest, "'", '\'', &other);
    struct span period = span_trim(other);
    int64_t s;
    if (span_starts(period, ",")) {
        period = span_trim(span_cut(period, 1, period.len));
        if (span_int(&period, &s) == 0 && s > 0)
            q->period_s = (double)s;
    }
}

bool cw_query_is_search(const struct cw_query *q)
{
    return q->metric.len && span_starts(q->expression, "SEARCH(");
}

static int read_metric_stat(struct feed *f, const cJSON *stat, struct cw_query *q)
{
    const cJSON *metric = cJSON_GetObjectItemCaseSensitive(stat, "Metric");
    char buf[CW_DIMENSION_TEXT_MAX];
    struct span dimension;
    int rc = 0;
    if (cw_dimension_text(cJSON_GetObjectItemCaseSensitive(metric, "Dimensions"), buf, &dimension))
        return feed_fault(f, q->line, "query '%.*s': malformed Dimensions", SPAN_ARG(q->id));
    q->dimension = keep(f, dimension, &rc);
    q->namespace_name = keep(f, json_text(metric, "Namespace"), &rc);
    q->metric = keep(f, json_text(metric, "MetricName"), &rc);
    q->statistic = keep(f, json_text(stat, "Stat"), &rc);
    q->unit = keep(f, json_text(stat, "Unit"), &rc);
    double period = json_num(stat, "Period");
    if (period > 0)
        q->period_s = period;
    return rc;
}

static int read_query(struct feed *f, const cJSON *element, int64_t line, void *ctx)
{
    struct cw_request *io = ctx;
    if (io->n == io->room) {
        size_t room = io->room ? io->room * 2 : 64;
        io->queries = arena_grow(f->arena, io->queries, io->n, room, sizeof *io->queries);
        if (!io->queries)
            return err_nomem(f->err);
        io->room = room;
    }
    int rc = 0;
    struct cw_query q = { .line = line, .period_s = NAN };
    q.id = keep(f, json_text(element, "Id"), &rc);
    q.label = keep(f, json_text(element, "Label"), &rc);
    q.account = keep(f, json_text(element, "AccountId"), &rc);
    q.expression = keep(f, json_text(element, "Expression"), &rc);
    double period = json_num(element, "Period");
    if (period > 0)
        q.period_s = period;
    if (rc)
        return rc;
    const cJSON *stat = cJSON_GetObjectItemCaseSensitive(element, "MetricStat");
    if (stat)
        rc = read_metric_stat(f, stat, &q);
    else
        read_search(&q);
    if (rc)
        return rc;
    io->queries[io->n++] = q;
    return 0;
}

static bool same_query(const struct cw_query *a, const struct cw_query *b)
{
    return span_eq(a->expression, b->expression) && span_eq(a->namespace_name, b->namespace_name) &&
           span_eq(a->metric, b->metric) && span_eq(a->dimension, b->dimension) &&
           span_eq(a->statistic, b->statistic) && span_eq(a->account, b->account) &&
           (a->period_s == b->period_s || (isnan(a->period_s) && isnan(b->period_s)));
}

static int by_id(const void *x, const void *y)
{
    const struct cw_query *a = x, *b = y;
    size_t n = a->id.len < b->id.len ? a->id.len : b->id.len;
    int order = n ? memcmp(a->id.ptr, b->id.ptr, n) : 0;
    if (order || a->id.len != b->id.len)
        return order ? order : a->id.len < b->id.len ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

int cw_request_add_list(struct feed *f, struct json_value queries, struct cw_request *io)
{
    size_t n_before = io->n;
    int rc = json_each(f, queries, read_query, io);
    if (rc)
        io->n = n_before;
    if (rc || io->n < 2)
        return rc;
    qsort(io->queries, io->n, sizeof *io->queries, by_id);
    size_t kept = 1; /* the same query twice is one: neighbours with one Id differ then */
    for (size_t i = 1; i < io->n; i++)
        if (!span_eq(io->queries[i].id, io->queries[kept - 1].id) ||
            !same_query(&io->queries[i], &io->queries[kept - 1]))
            io->queries[kept++] = io->queries[i];
    io->n = kept;
    return 0;
}

int cw_request_add(struct source *src, struct arena *a, struct cw_request *io, struct err *e)
{
    static const struct ingest_options none;
    struct sink nobody = { 0 };
    struct feed f = { .src = src, .options = &none, .sink = &nobody, .arena = a, .err = e };
    struct json_cursor c;
    struct json_value doc, queries;
    int rc = json_document(&f, &c), more = 0;
    while (!rc && (more = json_next_document(&f, &c, &doc)) == 1)
        if (cw_request_list(doc, &queries))
            rc = cw_request_add_list(&f, queries, io);
    return rc ? rc : more;
}

const struct cw_query *cw_request_find(const struct cw_request *r, struct span id, bool *ambiguous)
{
    *ambiguous = false;
    if (!r || !r->n || !id.len)
        return NULL;
    struct cw_query wanted = { .id = id, .line = INT64_MIN };
    size_t low = 0, high = r->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_id(&r->queries[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == r->n || !span_eq(r->queries[low].id, id))
        return NULL;
    *ambiguous = low + 1 < r->n && span_eq(r->queries[low + 1].id, id);
    return &r->queries[low];
}
