/* data/fetch/json_reply.c - see json_reply.h. */
#include "data/fetch/json_reply.h"

#include "data/ingest/json/json_doc.h"

int json_reply_parse(struct span json, const char *what, cJSON **out, struct err *e)
{
    struct json_cursor c;
    struct json_value v;
    json_start(&c, json, 1);
    if (json_at_value(&c) == 0 || json_skip(&c, &v))
        return err_set(e, ERR_PARSE, "%s: the answer is no whole JSON", what);
    if (v.n_values > JSON_VALUES_MAX)
        return err_set(e, ERR_LIMIT, "%s: the answer holds too many values", what);
    *out = cJSON_ParseWithLength(v.text.ptr, v.text.len);
    return *out ? 0 : err_nomem(e); /* well-formed as it is, it can only be memory */
}

int json_reply_print(const cJSON *tree, struct arena *a, struct span *out, struct err *e)
{
    char *text = cJSON_PrintUnformatted(tree);
    char *copy = text ? arena_strdup(a, text) : NULL;
    cJSON_free(text);
    if (!copy)
        return err_nomem(e);
    *out = span_of(copy);
    return 0;
}
