/* cli/shell_line.c - see shell_line.h. */
#include "cli/shell_line.h"

#include <stdio.h>
#include <string.h>

static bool is_plain(const char *s)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    return *s && strspn(s, plain) == strlen(s);
}

static bool is_odd(char c)
{
    return c < ' ' || c > '~';
}

static bool has_odd(const char *s)
{
    for (; *s; s++)
        if (is_odd(*s))
            return true;
    return false;
}

/* $'...' with octal escapes. */
static void put_escaped(struct buf *line, const char *s)
{
    buf_puts(line, "$'");
    for (; *s; s++) {
        char code[8];
        bool escape = is_odd(*s) || *s == '\'' || *s == '\\';
        int len = snprintf(code, sizeof code, escape ? "\\%03o" : "%c", (unsigned char)*s);
        buf_put(line, code, (size_t)len);
    }
    buf_puts(line, "'");
}

static void put_quoted(struct buf *line, const char *s)
{
    buf_puts(line, "'");
    for (; *s; s++)
        if (*s == '\'')
            buf_puts(line, "'\\''");
        else
            buf_put(line, s, 1);
    buf_puts(line, "'");
}

static void put_word(struct buf *line, const char *s)
{
    if (is_plain(s))
        buf_puts(line, s);
    else if (has_odd(s))
        put_escaped(line, s);
    else
        put_quoted(line, s);
}

void shell_line_add(struct buf *line, const char *word)
{
    if (line->len)
        buf_puts(line, " ");
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    if (!equals || strncmp(equals + 1, "--", 2) == 0) {
        put_word(line, word);
        return;
    }
    buf_put(line, word, (size_t)(equals - word));
    buf_puts(line, " ");
    put_word(line, equals + 1);
}
