/* data/ingest/cloudwatch/cw_dimension.c - see cw_dimension.h. */
#include "data/ingest/cloudwatch/cw_dimension.h"

#include <stdio.h>
#include <string.h>

struct pair {
    const char *name, *value;
};

/* Name and value of one item; non-zero when it is not a pair of texts. */
static int pair_of(const cJSON *item, bool in_array, struct pair *out)
{
    if (in_array) {
        out->name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "Name"));
        out->value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "Value"));
    } else {
        out->name = item->string;
        out->value = cJSON_GetStringValue(item);
    }
    return out->name && out->value ? 0 : -1;
}

static size_t insert_sorted(struct pair *pairs, size_t n, struct pair p)
{
    size_t i = n;
    for (; i > 0 && strcmp(pairs[i - 1].name, p.name) > 0; i--)
        pairs[i] = pairs[i - 1];
    pairs[i] = p;
    return n + 1;
}

int cw_dimension_text(const cJSON *dimensions, char buf[CW_DIMENSION_TEXT_MAX], struct span *out)
{
    struct pair pairs[CW_DIMENSIONS_MAX], p;
    size_t n = 0, at = 0;
    if (dimensions && !cJSON_IsObject(dimensions) && !cJSON_IsArray(dimensions))
        return -1;
    const cJSON *item;
    cJSON_ArrayForEach(item, dimensions)
    {
        if (n == CW_DIMENSIONS_MAX || pair_of(item, cJSON_IsArray(dimensions), &p))
            return -1;
        n = insert_sorted(pairs, n, p);
    }
    for (size_t i = 0; i < n; i++) {
        int len = snprintf(buf + at, CW_DIMENSION_TEXT_MAX - at, "%s%s=%s", i ? "," : "",
                           pairs[i].name, pairs[i].value);
        if (len < 0 || (size_t)len >= CW_DIMENSION_TEXT_MAX - at)
            return -1;
        at += (size_t)len;
    }
    *out = (struct span){ buf, at };
    return 0;
}
