/* cli/command_line.c - see command_line.h. */
#include "cli/command_line.h"

#include "cli/shell_line.h"

#include <stdio.h>

static void add_option(struct buf *line, enum option_id id, const char *value)
{
    const struct option *o = &option_table[id];
    char name[64];
    if (o->letter)
        snprintf(name, sizeof name, "-%c", o->letter);
    else
        snprintf(name, sizeof name, "--%s", o->name);
    shell_line_add(line, name);
    if (o->kind != KIND_FLAG && (*value || o->kind != KIND_TEXT_OR_NONE))
        shell_line_add(line, value);
}

char *command_line_of(const struct invocation *in, const char *system, struct arena *a)
{
    struct buf line = { 0 };
    shell_line_add(&line, "volplan");
    shell_line_add(&line, in->command->name);
    if (system && !in->values[OPT_SYSTEM].given)
        add_option(&line, OPT_SYSTEM, system);
    for (size_t i = 0; i < in->n_uses; i++)
        add_option(&line, in->uses[i].id, in->uses[i].value.text);
    for (size_t i = 0; i < in->n_args; i++)
        shell_line_add(&line, in->args[i]);
    char *out = line.failed ? NULL : arena_strndup(a, line.ptr, line.len);
    buf_release(&line);
    return out;
}
