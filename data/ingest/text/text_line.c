/* data/ingest/text/text_line.c - see text_line.h. */
#include "data/ingest/text/text_line.h"

#include <string.h>

static int strip(struct text_lines *t, struct span *line, struct err *e)
{
    if (t->plain_room < line->len) {
        size_t room = 4096;
        while (room < line->len)
            room *= 2;
        t->plain = arena_alloc(t->a, room);
        if (!t->plain)
            return err_nomem(e);
        t->plain_room = room;
    }
    size_t n = 0;
    for (size_t i = 0; i < line->len; i++) {
        if (line->ptr[i] != '\x1B') {
            t->plain[n++] = line->ptr[i];
            continue;
        }
        i++;
        if (i < line->len && line->ptr[i] == '[')
            for (i++; i < line->len && (line->ptr[i] < '@' || line->ptr[i] > '~');)
                i++;
    }
    *line = (struct span){ t->plain, n };
    return 0;
}

int text_line_next(struct text_lines *t, struct span *out, struct err *e)
{
    int rc = source_line(t->src, out, e);
    if (rc == 1 && out->len && memchr(out->ptr, '\x1B', out->len))
        return strip(t, out, e) ? ERR_NOMEM : 1;
    return rc;
}

struct span text_device_name(struct span printed, char buf[TEXT_NAME_MAX])
{
    if (!printed.len || !memchr(printed.ptr, '!', printed.len))
        return printed;
    for (size_t i = 0; i < printed.len; i++)
        buf[i] = printed.ptr[i] == '!' ? '/' : printed.ptr[i];
    return (struct span){ buf, printed.len };
}

void text_name_set(struct text_name *n, struct span s)
{
    n->len = s.len > TEXT_NAME_MAX ? TEXT_NAME_MAX : s.len;
    if (n->len)
        memcpy(n->bytes, s.ptr, n->len);
}

struct span text_name_span(const struct text_name *n)
{
    return (struct span){ n->bytes, n->len };
}
