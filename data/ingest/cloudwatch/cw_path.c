/* data/ingest/cloudwatch/cw_path.c - see cw_path.h. */
#include "data/ingest/cloudwatch/cw_path.h"

#include <stdio.h>

/* Ids have 8 or 17 digits; made-up and masked ones use other letters. */
enum { ID_MIN = 8, ID_MAX = 32 };

static bool is_id_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

static bool is_word_char(char c)
{
    return is_id_char(c) || (c >= 'A' && c <= 'Z');
}

static struct span last_part(const char *path)
{
    struct span s = span_of(path), part;
    struct span last = s;
    while (span_field(&s, '/', &part) == 0)
        if (part.len)
            last = part;
    return last;
}

/* The next "PREFIX" with an id behind it, which it is cut from *rest. */
static bool next_id(struct span *rest, const char *prefix, size_t prefix_len, struct span *out)
{
    for (ptrdiff_t at; (at = span_find(*rest, prefix)) >= 0;) {
        size_t from = (size_t)at, to = from + prefix_len;
        bool starts_word = from == 0 || !is_word_char(rest->ptr[from - 1]);
        while (to < rest->len && is_id_char(rest->ptr[to]))
            to++;
        size_t digits = to - from - prefix_len;
        *out = span_cut(*rest, from, to);
        *rest = span_cut(*rest, from + prefix_len, rest->len);
        if (starts_word && digits >= ID_MIN && digits <= ID_MAX)
            return true;
    }
    return false;
}

struct span cw_path_dimension(const char *path, struct span metric, char buf[CW_PATH_DIMENSION_MAX])
{
    static const struct {
        const char *metrics, *dimension, *prefix;
        size_t prefix_len;
    } kinds[] = {
        { "Volume", "VolumeId=", "vol-", 4 },
        { "BurstBalance", "VolumeId=", "vol-", 4 },
        { "EBS", "InstanceId=", "i-", 2 },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct span rest = last_part(path), id, other;
        if (!span_starts(metric, kinds[i].metrics) ||
            !next_id(&rest, kinds[i].prefix, kinds[i].prefix_len, &id))
            continue;
        while (next_id(&rest, kinds[i].prefix, kinds[i].prefix_len, &other))
            if (!span_eq(id, other))
                return (struct span){ 0 };
        int n =
            snprintf(buf, CW_PATH_DIMENSION_MAX, "%s%.*s", kinds[i].dimension, (int)id.len, id.ptr);
        return (struct span){ buf, (size_t)n };
    }
    return (struct span){ 0 };
}
