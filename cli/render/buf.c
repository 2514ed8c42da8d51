/* cli/render/buf.c - see buf.h. */
#include "cli/render/buf.h"

#include "cli/render/printable.h"
#include "models/core/mem.h"

#include <stdint.h>
#include <string.h>
#include <sys/types.h>

static char *room_for(struct buf *b, size_t len)
{
    if (b->failed || len > SIZE_MAX / 2 - b->len) {
        b->failed = true;
        return NULL;
    }
    if (b->room - b->len < len) {
        size_t room = b->room ? b->room : 256;
        while (room < b->len + len)
            room *= 2;
        char *p = mem_realloc(b->ptr, room);
        if (!p) {
            b->failed = true;
            return NULL;
        }
        b->ptr = p;
        b->room = room;
    }
    return b->ptr + b->len;
}

void buf_put(struct buf *b, const char *s, size_t len)
{
    char *to = len ? room_for(b, len) : NULL;
    if (to) {
        memcpy(to, s, len);
        b->len += len;
    }
}

void buf_puts(struct buf *b, const char *s)
{
    buf_put(b, s, strlen(s));
}

void buf_pad(struct buf *b, size_t blanks)
{
    char *to = blanks ? room_for(b, blanks) : NULL;
    if (to) {
        memset(to, ' ', blanks);
        b->len += blanks;
    }
}

void buf_put_printable(struct buf *b, const char *s)
{
    struct printable c;
    while (printable_next(&s, &c))
        buf_put(b, c.text, c.len);
}

static ssize_t write_to_buf(void *cookie, const char *s, size_t len)
{
    struct buf *b = cookie;
    buf_put(b, s, len);
    return b->failed ? 0 : (ssize_t)len;
}

FILE *buf_stream(struct buf *b)
{
    cookie_write_function_t *write = b ? write_to_buf : NULL;
    return fopencookie(b, "w", (cookie_io_functions_t){ .write = write });
}

void buf_clear(struct buf *b)
{
    b->len = 0;
}

void buf_release(struct buf *b)
{
    mem_free(b->ptr);
    *b = (struct buf){ 0 };
}
