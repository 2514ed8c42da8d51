/* cli/render/buf.h - text that grows. */
#ifndef CLI_RENDER_BUF_H
#define CLI_RENDER_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct buf {
    char *ptr; /* not ended by NUL */
    size_t len, room;
    bool failed; /* memory was out once: everything since is lost */
};               /* = {0} is a valid, empty one */

void buf_put(struct buf *b, const char *s, size_t len);
void buf_puts(struct buf *b, const char *s);
void buf_pad(struct buf *b, size_t blanks);
/* Made safe to show: see printable.h. */
void buf_put_printable(struct buf *b, const char *s);
/* A stream to the end of b, or to nowhere where b is NULL; NULL when memory is out. */
FILE *buf_stream(struct buf *b);
void buf_clear(struct buf *b); /* keeps the room */
void buf_release(struct buf *b);

#endif
