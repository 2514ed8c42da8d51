/* cli/render/text_wrap.h - lines of a page for people. */
#ifndef CLI_RENDER_TEXT_WRAP_H
#define CLI_RENDER_TEXT_WRAP_H

#include "cli/render/buf.h"
#include "cli/render/render.h"

#include <stdint.h>

/* Text of one line's worth taken from *s: at most `columns` wide, cut at a blank where there is
 * one that does not stand inside a number ("64 000").  Moves *s on; returns the bytes to show. */
size_t text_take_line(const char **s, size_t columns, const char **out_line);

/* A paragraph that starts at column `at` and goes on there (or behind its own leading
 * blanks, or a number and two blanks); ends the line.  Made safe by the caller. */
void text_wrap(struct buf *b, const char *s, size_t at, size_t columns);

/* What a page has of so many columns: RENDER_COLUMNS_MIN..RENDER_COLUMNS; 0 = not known, the most.
 */
size_t text_columns(size_t columns);

/* A line that is no part of a page, such as an error: made safe, and wrapped behind its lead to so
 * many columns, 0 = not.  Shown, if in one line, also when memory is out. */
void text_put_line(FILE *f, const char *lead, const char *s, size_t columns);

enum text_style { STYLE_BOLD, STYLE_DIM, STYLE_ALARM };
void text_put_style(struct buf *b, const struct text_page *page, enum text_style style,
                    const char *s);

/* "2022-05-18 07:00", with seconds when there are any.  Returns buf. */
char *text_format_time(char buf[48], int64_t t_ms);

#endif
