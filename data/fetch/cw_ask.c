/* data/fetch/cw_ask.c - see cw_ask.h.  Metrics and the statistic that is of use: docs of EBS and
 * EC2, "Amazon CloudWatch metrics". */
#include "data/fetch/cw_ask.h"

#include "data/fetch/json_reply.h"

#include <stdio.h>
#include <string.h>

enum { PAGES_MAX = 1000, PAGE_BYTES_MAX = 64 * 1024 * 1024, POINTS_MAX = 100800, ASKS_MAX = 3 };

/* TUNING: what the pages of an answer may hold together; a point is some 30 bytes. */
enum { POINT_BYTES_MAX = 128, LABELS_BYTES_MAX = 4 * 1024 * 1024 };

const char cw_permission[] = "cloudwatch:GetMetricData";

struct metric {
    const char *name, *statistic;
};

static const struct metric volume_metrics[] = {
    { "VolumeReadOps", "Sum" },
    { "VolumeWriteOps", "Sum" },
    { "VolumeReadBytes", "Sum" },
    { "VolumeWriteBytes", "Sum" },
    { "VolumeTotalReadTime", "Sum" },
    { "VolumeTotalWriteTime", "Sum" },
    { "VolumeIdleTime", "Sum" },
    { "VolumeConsumedReadWriteOps", "Sum" },
    { "VolumeQueueLength", "Average" },
    { "VolumeThroughputPercentage", "Average" },
    { "VolumeAvgReadLatency", "Average" },
    { "VolumeAvgWriteLatency", "Average" },
    { "VolumeAvgIOPS", "Average" },
    { "VolumeAvgThroughput", "Average" },
    { "BurstBalance", "Minimum" },
    { "VolumeIOPSExceededCheck", "Maximum" },
    { "VolumeThroughputExceededCheck", "Maximum" },
    { "VolumeStalledIOCheck", "Maximum" },
};

static const struct metric instance_metrics[] = {
    { "EBSReadOps", "Sum" },
    { "EBSWriteOps", "Sum" },
    { "EBSReadBytes", "Sum" },
    { "EBSWriteBytes", "Sum" },
    { "EBSIOBalance%", "Minimum" },
    { "EBSByteBalance%", "Minimum" },
    { "InstanceEBSIOPSExceededCheck", "Maximum" },
    { "InstanceEBSThroughputExceededCheck", "Maximum" },
};

static const struct metric *metrics_of(const struct cw_resource *r, size_t *n)
{
    *n = r->is_instance ? sizeof instance_metrics / sizeof *instance_metrics
                        : sizeof volume_metrics / sizeof *volume_metrics;
    return r->is_instance ? instance_metrics : volume_metrics;
}

size_t cw_metrics_of(const struct cw_resource *r)
{
    size_t n;
    metrics_of(r, &n);
    return n;
}

/* --- the request -------------------------------------------------------------------------------
 */

static cJSON *dimension_of(const struct cw_resource *r)
{
    cJSON *list = cJSON_CreateArray(), *d = cJSON_CreateObject();
    if (list && d && cJSON_AddItemToArray(list, d)) {
        bool ok = cJSON_AddStringToObject(d, "Name", r->is_instance ? "InstanceId" : "VolumeId") &&
                  cJSON_AddStringToObject(d, "Value", r->id);
        if (ok)
            return list;
    } else {
        cJSON_Delete(d);
    }
    cJSON_Delete(list);
    return NULL;
}

static bool add_query(cJSON *queries, size_t number, const struct cw_resource *r,
                      const struct metric *m, int64_t period_s)
{
    char id[32];
    snprintf(id, sizeof id, "m%zu", number);
    cJSON *q = cJSON_CreateObject();
    if (!q || !cJSON_AddItemToArray(queries, q)) {
        cJSON_Delete(q);
        return false;
    }
    cJSON *stat = cJSON_AddObjectToObject(q, "MetricStat");
    cJSON *metric = stat ? cJSON_AddObjectToObject(stat, "Metric") : NULL;
    cJSON *dimensions = metric ? dimension_of(r) : NULL;
    if (!dimensions || !cJSON_AddItemToObject(metric, "Dimensions", dimensions)) {
        cJSON_Delete(dimensions);
        return false;
    }
    return cJSON_AddStringToObject(q, "Id", id) &&
           cJSON_AddStringToObject(metric, "Namespace", r->is_instance ? "AWS/EC2" : "AWS/EBS") &&
           cJSON_AddStringToObject(metric, "MetricName", m->name) &&
           cJSON_AddNumberToObject(stat, "Period", (double)period_s) &&
           cJSON_AddStringToObject(stat, "Stat", m->statistic);
}

static bool fill_request(cJSON *request, const struct cw_window *windows, size_t n,
                         const struct cw_resource *resources)
{
    cJSON *queries = cJSON_AddArrayToObject(request, "MetricDataQueries");
    size_t number = 0;
    bool ok = queries &&
              cJSON_AddNumberToObject(request, "StartTime", (double)windows->from_ms / 1000) &&
              cJSON_AddNumberToObject(request, "EndTime", (double)windows->to_ms / 1000) &&
              cJSON_AddNumberToObject(request, "MaxDatapoints", POINTS_MAX) &&
              cJSON_AddStringToObject(request, "ScanBy", "TimestampAscending");
    for (size_t i = 0; ok && i < n; i++) {
        const struct cw_resource *r = &resources[windows[i].resource];
        size_t n_metrics;
        const struct metric *m = metrics_of(r, &n_metrics);
        for (size_t k = 0; ok && k < n_metrics; k++)
            ok = add_query(queries, number++, r, &m[k], windows->period_s);
    }
    return ok;
}

/* --- the answer --------------------------------------------------------------------------------
 */

struct asking {
    struct arena *arena; /* of the text */
    struct span *pieces; /* the request, and each page */
    size_t n, room, bytes, bytes_max;
    /* Last told of each query to be partial.  One that is not in the answer has no points. */
    bool partial[CW_QUERIES_MAX];
    /* Sums of instances over less than five minutes. */
    bool watched[CW_QUERIES_MAX];
    size_t n_queries;
    bool basic;
};

static void watch(struct asking *k, const struct cw_window *windows, size_t n,
                  const struct cw_resource *resources)
{
    for (size_t i = 0; i < n; i++) {
        const struct cw_resource *r = &resources[windows[i].resource];
        size_t n_metrics;
        const struct metric *m = metrics_of(r, &n_metrics);
        for (size_t j = 0; j < n_metrics; j++)
            k->watched[k->n_queries++] = r->is_instance && windows[i].period_s < CW_BASIC_S &&
                                         strcmp(m[j].statistic, "Sum") == 0;
    }
}

static size_t most_bytes(const struct asking *k, const struct cw_window *w)
{
    size_t points = k->n_queries * (size_t)((w->to_ms - w->from_ms) / 1000 / w->period_s + 1);
    return LABELS_BYTES_MAX + POINT_BYTES_MAX * points;
}

/* Points that are five minutes apart, or never a minute. */
static bool has_basic_points(const cJSON *result)
{
    const cJSON *times = cJSON_GetObjectItemCaseSensitive(result, "Timestamps"), *t;
    bool minutes = false, five = false;
    double before_s = 0;
    cJSON_ArrayForEach(t, times)
    {
        double time_s = cJSON_GetNumberValue(t);
        minutes = minutes || time_s - before_s == 60;
        five = five || time_s - before_s == CW_BASIC_S;
        before_s = time_s;
    }
    return cJSON_GetArraySize(times) && (five || !minutes);
}

static int keep_piece(struct asking *k, struct span piece, struct err *e)
{
    k->bytes += piece.len;
    if (k->bytes > k->bytes_max)
        return err_set(e, ERR_LIMIT, "GetMetricData: the answer holds more than was asked for");
    if (k->n == k->room) {
        size_t room = k->room ? 2 * k->room : 8;
        struct span *grown = arena_grow(k->arena, k->pieces, k->n, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        k->pieces = grown;
        k->room = room;
    }
    k->pieces[k->n++] = piece;
    return 0;
}

/* "m17" -> 17; n_queries for what is none of ours. */
static size_t query_of(const struct asking *k, const cJSON *result)
{
    struct span id = span_of(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(result, "Id")));
    int64_t number;
    if (!span_starts(id, "m"))
        return k->n_queries;
    id = span_cut(id, 1, id.len);
    return span_int(&id, &number) || id.len || number < 0 || number >= (int64_t)k->n_queries
               ? k->n_queries
               : (size_t)number;
}

static int read_results(struct asking *k, cJSON *page, struct err *e)
{
    cJSON *results = cJSON_GetObjectItemCaseSensitive(page, "MetricDataResults"), *r;
    if (!cJSON_IsArray(results))
        return err_set(e, ERR_PARSE, "GetMetricData: the answer has no MetricDataResults");
    cJSON_ArrayForEach(r, results)
    {
        cJSON *status = cJSON_GetObjectItemCaseSensitive(r, "StatusCode");
        struct span code = span_of(cJSON_GetStringValue(status));
        size_t query = query_of(k, r);
        if (query == k->n_queries)
            return err_set(e, ERR_PARSE,
                           "GetMetricData: the answer has an Id that was not asked for");
        if (span_is(code, "Forbidden"))
            return err_set(e, ERR_NET_FINAL, "the permission %s is missing", cw_permission);
        k->basic = k->basic || (k->watched[query] && has_basic_points(r));
        k->partial[query] = code.len && !span_is(code, "Complete");
        /* More pages follow, or it is asked for again: what stays is complete. */
        if (k->partial[query] && !cJSON_SetValuestring(status, "Complete"))
            cJSON_DeleteItemFromObjectCaseSensitive(r, "StatusCode");
    }
    return 0;
}

/* Takes the token off the page. */
static int take_token(cJSON *page, struct arena *a, const char **out, struct err *e)
{
    cJSON *token = cJSON_DetachItemFromObjectCaseSensitive(page, "NextToken");
    const char *text = cJSON_GetStringValue(token);
    *out = text && *text ? arena_strdup(a, text) : NULL;
    int rc = text && *text && !*out ? err_nomem(e) : 0;
    cJSON_Delete(token);
    return rc;
}

static int ask_page(struct aws_client *c, struct span body, struct asking *k, struct arena *here,
                    const char **token, struct err *e)
{
    struct aws_request q = { .service = "monitoring",
                             .permission = cw_permission,
                             .content_type = "application/x-amz-json-1.0",
                             .target = "GraniteServiceVersion20100801.GetMetricData",
                             .body = body,
                             .body_max = PAGE_BYTES_MAX };
    struct http_reply r;
    int rc = aws_call(c, &q, here, &r, e);
    if (rc)
        return rc;
    cJSON *page = NULL;
    struct span piece = { 0 };
    rc = json_reply_parse((struct span){ r.body, r.n_bytes }, "GetMetricData", &page, e);
    if (rc)
        return rc;
    rc = read_results(k, page, e);
    if (!rc)
        rc = take_token(page, here, token, e);
    if (!rc)
        rc = json_reply_print(page, k->arena, &piece, e);
    cJSON_Delete(page);
    return rc ? rc : keep_piece(k, piece, e);
}

/* The request with the token of the page before. */
static int next_body(cJSON *request, const char *token, struct arena *here, struct span *out,
                     struct err *e)
{
    cJSON_DeleteItemFromObjectCaseSensitive(request, "NextToken");
    if (token && !cJSON_AddStringToObject(request, "NextToken", token))
        return err_nomem(e);
    return json_reply_print(request, here, out, e);
}

static int ask_pages(struct aws_client *c, cJSON *request, struct asking *k, struct err *e)
{
    struct arena page[2] = { { 0 } }; /* the last one has the token */
    const char *token = NULL;
    struct span body;
    memset(k->partial, 0, sizeof k->partial);
    k->n = k->bytes = 0;
    int rc = 0;
    for (size_t i = 0; !rc; i++) {
        struct arena *here = &page[i % 2];
        const char *before = token;
        arena_release(here);
        rc = next_body(request, token, here, &body, e);
        if (!rc && !i) {
            char *copy = arena_strdup(k->arena, body.ptr);
            rc = copy ? keep_piece(k, span_of(copy), e) : err_nomem(e);
        }
        if (!rc)
            rc = ask_page(c, body, k, here, &token, e);
        if (rc || !token)
            break;
        if (i == PAGES_MAX || (before && strcmp(before, token) == 0))
            rc = err_set(e, ERR_PARSE, "GetMetricData: the pages do not end");
    }
    arena_release(&page[0]);
    arena_release(&page[1]);
    return rc;
}

static bool is_whole(const struct asking *k)
{
    for (size_t i = 0; i < k->n_queries; i++)
        if (k->partial[i])
            return false;
    return true;
}

static int join(const struct asking *k, struct span *out, struct err *e)
{
    size_t n = 0;
    for (size_t i = 0; i < k->n; i++)
        n += k->pieces[i].len + 1;
    char *text = arena_alloc(k->arena, n + 1);
    if (!text)
        return err_nomem(e);
    n = 0;
    for (size_t i = 0; i < k->n; i++) {
        memcpy(text + n, k->pieces[i].ptr, k->pieces[i].len);
        n += k->pieces[i].len;
        text[n++] = '\n';
    }
    *out = (struct span){ text, n };
    return 0;
}

int cw_ask(struct aws_client *c, const struct cw_window *windows, size_t n,
           const struct cw_resource *resources, struct arena *a, struct span *out_text,
           bool *out_basic, struct err *e)
{
    struct asking k = { .arena = a };
    cJSON *request = cJSON_CreateObject();
    watch(&k, windows, n, resources);
    k.bytes_max = most_bytes(&k, windows);
    int rc = request && fill_request(request, windows, n, resources) ? 0 : err_nomem(e);
    for (int ask = 0; !rc; ask++) {
        rc = ask_pages(c, request, &k, e);
        if (rc || is_whole(&k))
            break;
        if (ask + 1 == ASKS_MAX)
            rc =
                err_set(e, ERR_NET,
                        "CloudWatch gave only a part of the points, %d times: try later", ASKS_MAX);
    }
    cJSON_Delete(request);
    *out_basic = k.basic;
    return rc ? rc : join(&k, out_text, e);
}
