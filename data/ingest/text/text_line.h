/* data/ingest/text/text_line.h - the lines of a source without a terminal's escape sequences,
 * and names as a device's path has them. */
#ifndef DATA_INGEST_TEXT_TEXT_LINE_H
#define DATA_INGEST_TEXT_TEXT_LINE_H

#include "data/ingest/source.h"

enum { TEXT_NAME_MAX = 255 };

struct text_lines {
    struct source *src;
    struct arena *a;
    char *plain; /* a line without escape sequences */
    size_t plain_room;
};

/* As source_line; ESC [ ... letter is left out. */
int text_line_next(struct text_lines *t, struct span *out, struct err *e);

/* With '/' where the kernel's name has '!': printed itself, or a copy in buf. printed is at most
 * TEXT_NAME_MAX bytes. */
struct span text_device_name(struct span printed, char buf[TEXT_NAME_MAX]);

/* A name that is kept beyond its line, cut to TEXT_NAME_MAX bytes. */
struct text_name {
    char bytes[TEXT_NAME_MAX];
    size_t len;
};
void text_name_set(struct text_name *n, struct span s);
struct span text_name_span(const struct text_name *n);

#endif
