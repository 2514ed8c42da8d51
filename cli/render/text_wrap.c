/* cli/render/text_wrap.c - see text_wrap.h. */
#include "cli/render/text_wrap.h"

#include "cli/render/printable.h"
#include "models/core/timestamp.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The blank between thousands: a digit before it, exactly three behind it. */
static bool inside_number(const char *line, const char *blank)
{
    return blank > line && is_digit(blank[-1]) && is_digit(blank[1]) && is_digit(blank[2]) &&
           is_digit(blank[3]) && !is_digit(blank[4]);
}

size_t text_take_line(const char **s, size_t columns, const char **out_line)
{
    const char *line = *s, *p = line, *blank = NULL;
    struct printable c;
    size_t used = 0;
    *out_line = line;
    while (printable_next(s, &c)) {
        if (used + c.columns > columns && *p != ' ')
            break;
        used += c.columns;
        if (*p == ' ' && p > line && p[-1] != ' ' && !inside_number(line, p))
            blank = p;
        p = *s;
        if (used > columns)
            break;
    }
    if (!*p && used <= columns) {
        *s = p;
        return (size_t)(p - line);
    }
    if (!blank) /* one long word: cut it */
        blank = p > line ? p : *s;
    *s = blank;
    while (**s == ' ')
        ++*s;
    return (size_t)(blank - line);
}

/* What the further lines hang behind: leading blanks, or a number with two blanks. */
static size_t lead_of(const char *s)
{
    size_t digits = strspn(s, "0123456789");
    bool numbered = digits && strncmp(s + digits, "  ", 2) == 0 && s[digits + 2];
    return numbered ? digits + 2 : strspn(s, " ");
}

void text_wrap(struct buf *b, const char *s, size_t at, size_t columns)
{
    size_t lead = lead_of(s);
    buf_put(b, s, s[lead] ? lead : 0);
    s += lead;
    at += lead;
    size_t room = columns > at + 20 ? columns - at : 20;
    for (bool first = true; *s; first = false) {
        const char *line;
        size_t len = text_take_line(&s, room, &line);
        if (!first) {
            buf_puts(b, "\n");
            buf_pad(b, at);
        }
        buf_put(b, line, len);
    }
    buf_puts(b, "\n");
}

size_t text_columns(size_t columns)
{
    if (!columns || columns > RENDER_COLUMNS)
        return RENDER_COLUMNS;
    return columns < RENDER_COLUMNS_MIN ? RENDER_COLUMNS_MIN : columns;
}

/* Nothing where memory is out for it. */
static void wrap_safe(struct buf *b, const char *s, size_t at, size_t columns)
{
    struct buf safe = { 0 };
    buf_put_printable(&safe, s);
    buf_put(&safe, "", 1);
    if (!safe.failed)
        text_wrap(b, safe.ptr, at, columns);
    buf_release(&safe);
}

void text_put_line(FILE *f, const char *lead, const char *s, size_t columns)
{
    struct buf lines = { 0 };
    if (columns)
        wrap_safe(&lines, s, printable_columns(lead, strlen(lead)), columns);
    fputs(lead, f);
    if (lines.len && !lines.failed) {
        fwrite(lines.ptr, 1, lines.len, f);
    } else {
        printable_put(f, s);
        putc('\n', f);
    }
    buf_release(&lines);
}

void text_put_style(struct buf *b, const struct text_page *page, enum text_style style,
                    const char *s)
{
    static const char *const on[] = {
        [STYLE_BOLD] = "\033[1m", [STYLE_DIM] = "\033[2m", [STYLE_ALARM] = "\033[31m"
    };
    if (page->colour)
        buf_puts(b, on[style]);
    buf_puts(b, s);
    if (page->colour)
        buf_puts(b, "\033[0m");
}

char *text_format_time(char buf[48], int64_t t_ms)
{
    time_format_iso(buf, t_ms);
    if (strlen(buf) < 20)
        return buf;
    buf[10] = ' ';
    buf[strlen(buf) - 1] = '\0'; /* Z: times are UTC */
    if (strcmp(buf + 16, ":00") == 0)
        buf[16] = '\0';
    return buf;
}
