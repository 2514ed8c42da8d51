/* data/ingest/json/json_doc.c - see json_doc.h. */
#include "data/ingest/json/json_doc.h"

#include "models/core/timestamp.h"

#include <math.h>
#include <string.h>

int json_document(struct feed *f, struct json_cursor *out)
{
    struct span all;
    int rc = source_all(f->src, JSON_DOCUMENT_MAX, &all, f->err);
    if (rc)
        return rc;
    json_start(out, all, 1);
    return 0;
}

int json_refuse(struct feed *f, const struct json_cursor *c)
{
    const struct json_fault *bad = &c->fault;
    if (bad->near_key.len)
        return feed_fault(f, bad->line, "column %zu: not valid JSON: %s (after the key '%.*s')",
                          bad->column, bad->what, SPAN_ARG(bad->near_key));
    return feed_fault(f, bad->line, "column %zu: not valid JSON: %s", bad->column, bad->what);
}

int json_next_document(struct feed *f, struct json_cursor *c, struct json_value *out)
{
    if (json_at_value(c) == 0)
        return 0;
    struct json_value v, status;
    if (json_skip(c, &v))
        return json_refuse(f, c);
    if (!json_member(v, "status_code", &status) || !json_member(v, "data", out))
        *out = v;
    return 1;
}

int json_parse(struct feed *f, struct json_value v, cJSON **out)
{
    if (v.n_values > JSON_VALUES_MAX)
        return err_set(f->err, ERR_LIMIT, "%s:%lld: one element holds %zu values, more than %zu",
                       source_path(f->src), (long long)v.line, v.n_values, JSON_VALUES_MAX);
    *out = cJSON_ParseWithLength(v.text.ptr, v.text.len);
    /* json_skip found it well-formed, so this can only be memory */
    return *out ? 0 : err_nomem(f->err);
}

static int visit(struct feed *f, struct json_value v, json_visit *on_element, void *ctx)
{
    cJSON *tree = NULL;
    int rc = json_parse(f, v, &tree);
    if (rc)
        return rc;
    rc = on_element(f, tree, v.line, ctx);
    cJSON_Delete(tree);
    return rc;
}

int json_each(struct feed *f, struct json_value array, json_visit *on_element, void *ctx)
{
    struct json_cursor c;
    struct json_value v;
    bool first = true;
    int rc = 0, more = 0;
    if (span_is(array.text, "null"))
        return 0;
    if (json_is_object(array))
        return visit(f, array, on_element, ctx);
    json_start(&c, array.text, array.line);
    if (json_enter(&c, '['))
        return feed_fault(f, array.line, "expected a list, found '%.*s'", SPAN_ARG(array.text));
    while (!rc && (more = json_next_element(&c, &first)) == 1) {
        if (json_skip(&c, &v))
            return json_refuse(f, &c);
        rc = visit(f, v, on_element, ctx);
    }
    return rc || more == 0 ? rc : json_refuse(f, &c);
}

int json_each_of_list(struct feed *f, const char *key, const char *other_key,
                      json_visit *on_element, void *ctx)
{
    struct json_cursor c;
    struct json_value doc = { .line = 0 }, list = doc, token = doc;
    int rc = json_document(f, &c);
    int more = 0;
    int64_t n_lists = 0;
    while (!rc && (more = json_next_document(f, &c, &doc)) == 1) {
        if (json_is_array(doc))
            list = doc;
        else if (!json_member(doc, key, &list) &&
                 !(other_key && json_member(doc, other_key, &list)))
            continue;
        n_lists++;
        rc = json_each(f, list, on_element, ctx);
        token.text.len = 0;
        if (!json_member(doc, "NextToken", &token))
            json_member(doc, "nextToken", &token);
    }
    if (rc || more < 0)
        return rc ? rc : more;
    if (!n_lists)
        return feed_fault(f, 1, "no list '%s' in the JSON", key);
    /* of several pages only the last one's token says that something is missing */
    if (token.text.len > 2 && token.text.ptr[0] == '"')
        return feed_warn(f, token.line, "NextToken: the answer goes on; ask for the next page");
    return 0;
}

struct span json_text(const cJSON *object, const char *key)
{
    return span_of(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key)));
}

double json_num(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble : NAN;
}

int64_t json_int(const cJSON *object, const char *key)
{
    double v = json_num(object, key);
    return fabs(v) <= 9e15 ? (int64_t)v : UNKNOWN;
}

bool json_true(const cJSON *object, const char *key)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, key));
}

/* A field of a recorded datetime: 0 where it is missing, -1 where it is absurd. */
static int datetime_field(const cJSON *item, const char *key)
{
    double v = json_num(item, key);
    return isnan(v) ? 0 : v >= 0 && v <= 1e6 ? (int)v : -1;
}

static int recorded_time(const cJSON *item, int64_t *out_ms)
{
    if (!cJSON_HasObjectItem(item, "year"))
        return -1;
    struct civil c = {
        .year = datetime_field(item, "year"),
        .month = datetime_field(item, "month"),
        .day = datetime_field(item, "day"),
        .hour = datetime_field(item, "hour"),
        .minute = datetime_field(item, "minute"),
        .second = datetime_field(item, "second"),
        .ms = datetime_field(item, "microsecond") / 1000,
    };
    int64_t t = time_from_civil(&c);
    if (t == UNKNOWN)
        return -1;
    *out_ms = t;
    return 0;
}

int json_time(struct feed *f, const cJSON *item, int64_t line, int64_t *out_ms, int *rc)
{
    if (cJSON_IsString(item))
        return feed_time(f, span_of(item->valuestring), line, out_ms, rc);
    if (cJSON_IsObject(item))
        return recorded_time(item, out_ms);
    if (!cJSON_IsNumber(item))
        return -1;
    return feed_epoch(item->valuedouble, out_ms);
}
