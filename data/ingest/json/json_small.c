/* data/ingest/json/json_small.c - see json_small.h. */
#include "data/ingest/json/json_small.h"

#include <cjson/cJSON.h>
#include <string.h>

/* As written: every byte may be an escape of six, and cJSON is given no more than that. */
enum { WRITTEN_MAX_BYTES = 4096 };

int json_only_value(struct span text, const char *expected, struct json_value *out, struct err *e)
{
    struct json_cursor c;
    json_start(&c, text, 1);
    if (json_at_value(&c) == 0)
        return err_set(e, ERR_PARSE, "empty: expected %s", expected);
    if (json_skip(&c, out) == 0 && json_at_value(&c) == 0)
        return 0;
    return err_set(e, ERR_PARSE, "line %lld, column %zu: not valid JSON: %s",
                   (long long)(c.fault.what ? c.fault.line : c.line),
                   c.fault.what ? c.fault.column : (size_t)(c.at - c.line_start) + 1,
                   c.fault.what ? c.fault.what : "something follows the document");
}

int json_string_up_to(struct json_value v, size_t max_bytes, struct arena *a, const char **out)
{
    if (v.text.ptr[0] != '"' || v.text.len > WRITTEN_MAX_BYTES)
        return ERR_PARSE;
    cJSON *tree = cJSON_ParseWithLength(v.text.ptr, v.text.len);
    if (!tree) /* json_scan found it well-formed */
        return ERR_NOMEM;
    const char *text = cJSON_GetStringValue(tree);
    size_t n = text ? strlen(text) : 0;
    int rc = n > 0 && n <= max_bytes ? 0 : ERR_PARSE;
    if (!rc && !(*out = arena_strndup(a, text, n)))
        rc = ERR_NOMEM;
    cJSON_Delete(tree);
    return rc;
}

int json_string(struct json_value v, struct arena *a, const char **out)
{
    return json_string_up_to(v, JSON_STRING_MAX_BYTES, a, out);
}
