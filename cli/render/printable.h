/* cli/render/printable.h - text from anywhere, made safe to show.
 *
 * Names come from files and may hold terminal escape sequences, broken UTF-8 or
 * characters that turn the reading direction around. */
#ifndef CLI_RENDER_PRINTABLE_H
#define CLI_RENDER_PRINTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the character at s (len > 0) and its code point; a byte that starts no
 * well-formed UTF-8 sequence is one byte long and gives UTF8_BROKEN. */
#define UTF8_BROKEN UINT32_MAX
size_t utf8_next(const char *s, size_t len, uint32_t *out_code);
/* Its UTF-8 bytes; returns their number. */
size_t utf8_put(char out[4], uint32_t code);

/* A control character or one that steers how others are shown. */
int printable_is_control(uint32_t code);

/* The character at *s as it may be shown: itself, or \xNN, \uNNNN.  Moves *s past it and
 * writes its length and the columns it takes on a terminal; false at the end. */
struct printable {
    char text[12];
    size_t len, columns;
};
int printable_next(const char **s, struct printable *out);

/* Columns that well-formed, printable text takes. */
size_t printable_columns(const char *s, size_t len);

/* fputs, made safe. */
void printable_put(FILE *f, const char *s);

#endif
