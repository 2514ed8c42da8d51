/* models/core/err.c - see err.h. */
#include "models/core/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int err_set(struct err *e, int code, const char *fmt, ...)
{
    if (!e)
        return code;
    va_list ap;
    va_start(ap, fmt);
    e->code = code;
    vsnprintf(e->text, sizeof e->text, fmt, ap);
    va_end(ap);
    return code;
}

int err_prefix(struct err *e, const char *fmt, ...)
{
    char was[sizeof e->text];
    memcpy(was, e->text, sizeof was);

    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(e->text, sizeof e->text, fmt, ap);
    va_end(ap);

    size_t at = n < 0 ? 0 : (size_t)n;
    for (const char *more[] = { ": ", was }, **part = more; part < more + 2; part++)
        for (const char *c = *part; *c && at + 1 < sizeof e->text; c++)
            e->text[at++] = *c;
    if (at < sizeof e->text)
        e->text[at] = '\0';
    return e->code;
}

const char *err_meaning(int code)
{
    switch (code) {
#define X(name, value, meaning, status)                                                            \
    case name:                                                                                     \
        return meaning;
        ERR_TABLE(X)
#undef X
    default:
        return "unknown error";
    }
}

int err_exit_status(int code)
{
    static const struct {
        int code, status;
    } table[] = {
#define X(name, value, meaning, status) { name, status },
        ERR_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == code)
            return table[i].status;
    return code ? 4 : 0;
}

static void put(const char *s)
{
    if (write(STDERR_FILENO, s, strlen(s)) < 0)
        return;
}

_Noreturn void err_bug(const char *file, int line, const char *text)
{
    char at[32];
    snprintf(at, sizeof at, ":%d: ", line);
    put("volplan: bug at ");
    put(file);
    put(at);
    put(text);
    put("\n");
    _exit(4);
}
