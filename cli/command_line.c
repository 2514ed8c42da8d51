/* cli/command_line.c - see command_line.h. */
#include "cli/command_line.h"

#include <stdio.h>
#include <string.h>

/* What no shell reads as anything else. */
static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:=,@%+";
    return *word && !word[strspn(word, plain)];
}

/* 'it'\''s' */
static char *quoted(const char *word, struct arena *a)
{
    size_t n = 3;
    for (const char *s = word; *s; s++)
        n += *s == '\'' ? 4 : 1;
    char *out = arena_alloc(a, n), *at = out;
    if (!out)
        return NULL;
    *at++ = '\'';
    for (const char *s = word; *s; s++) {
        const char *put = *s == '\'' ? "'\\''" : (const char[]){ *s, '\0' };
        memcpy(at, put, strlen(put));
        at += strlen(put);
    }
    *at = '\'';
    return out;
}

/* line is NULL after memory ran out, and stays so. */
static void add(char **line, const char *word, struct arena *a)
{
    const char *safe = is_plain(word) ? word : quoted(word, a);
    *line = *line && safe ? arena_printf(a, "%s %s", *line, safe) : NULL;
}

static void add_option(char **line, enum option_id id, const char *value, struct arena *a)
{
    const struct option *o = &option_table[id];
    char name[64];
    if (o->letter)
        snprintf(name, sizeof name, "-%c", o->letter);
    else
        snprintf(name, sizeof name, "--%s", o->name);
    add(line, name, a);
    if (o->kind != KIND_FLAG && (*value || o->kind != KIND_TEXT_OR_NONE))
        add(line, value, a);
}

char *command_line_of(const struct invocation *in, const char *system, struct arena *a)
{
    char *line = arena_printf(a, "volplan %s", in->command->name);
    if (system && !in->values[OPT_SYSTEM].given)
        add_option(&line, OPT_SYSTEM, system, a);
    for (size_t i = 0; i < in->n_uses; i++)
        if (in->uses[i].id != OPT_DB)
            add_option(&line, in->uses[i].id, in->uses[i].value.text, a);
    for (size_t i = 0; i < in->n_args; i++)
        add(&line, in->args[i], a);
    return line;
}
