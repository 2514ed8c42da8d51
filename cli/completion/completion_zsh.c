/* cli/completion/completion_zsh.c - see completion.h.
 *
 * One call of _arguments for what stands before the command, one for each command. */
#include "cli/completion/completion.h"

#include "cli/completion/complete.h"

#include <string.h>

/* Text inside '...', with a backslash before what _arguments would take for its own. */
static void put_quoted(struct buf *b, const char *s, const char *special)
{
    for (; *s; s++) {
        if (*s == '\'')
            buf_puts(b, "'\\''");
        else {
            for (const char *c = special; *c; c++)
                if (*s == *c)
                    buf_puts(b, "\\");
            buf_put(b, s, 1);
        }
    }
}

/* ":MESSAGE:ACTION" */
static void put_action(struct buf *b, const char *message, const struct complete *c)
{
    buf_puts(b, ":");
    put_quoted(b, message, "\\:");
    buf_puts(b, ":");
    switch (c->kind) {
    case COMPLETE_NOTHING:
        buf_puts(b, " ");
        break;
    case COMPLETE_PATHS:
        buf_puts(b, "_files");
        break;
    case COMPLETE_FOLDERS:
        buf_puts(b, "_files -/");
        break;
    case COMPLETE_WORDS:
        buf_puts(b, "(");
        buf_puts(b, c->words);
        buf_puts(b, ")");
        break;
    case COMPLETE_LIST:
        buf_puts(b, "_values -s , of ");
        buf_puts(b, c->words);
        break;
    }
}

/* The spec of --NAME or -N: `name` with what _arguments wants before a value. */
static void put_spec(struct buf *b, const struct command *c, enum option_id id, const char *name,
                     size_t len, const char *before_value)
{
    const struct option *o = &option_table[id];
    buf_puts(b,
             " \\\n        '*"); /* it is offered again: whatif adds up, elsewhere the last wins */
    buf_puts(b, len == 1 ? "-" : "--");
    buf_put(b, name, len);
    buf_puts(b, o->kind == KIND_FLAG ? "" : before_value);
    buf_puts(b, "[");
    put_quoted(b, o->help, "\\[]");
    buf_puts(b, "]");
    if (o->kind != KIND_FLAG) {
        struct complete value = complete_value(c, id);
        buf_puts(b, o->kind == KIND_TEXT_OR_NONE ? ":" : "");
        put_action(b, o->arg, &value);
    }
    buf_puts(b, "'");
}

static void put_option(struct buf *b, const struct command *c, enum option_id id)
{
    const struct option *o = &option_table[id];
    put_spec(b, c, id, o->name, strlen(o->name), "=");
    if (o->letter)
        put_spec(b, c, id, &o->letter, 1, "+");
}

static void put_globals(struct buf *b)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global)
            put_option(b, NULL, (enum option_id)i);
}

static void put_command(struct buf *b, const struct command *c)
{
    struct complete argument = complete_argument(c);
    buf_puts(b, "    ");
    buf_puts(b, c->name);
    buf_puts(b, ") _arguments");
    for (size_t i = 0; i < c->n_options; i++)
        put_option(b, c, c->options[i].id);
    put_globals(b);
    if (argument.kind != COMPLETE_NOTHING) {
        buf_puts(b, c->args_max == 1 ? " \\\n        '1" : " \\\n        '*");
        put_action(b, c->args, &argument);
        buf_puts(b, "'");
    }
    buf_puts(b, " ;;\n");
}

void completion_zsh(struct buf *out)
{
    buf_puts(out, "#compdef volplan\n"
                  "# zsh completion for volplan, made from its tables: volplan completion zsh\n"
                  "\n"
                  "_volplan_commands() {\n"
                  "    local -a commands=(");
    for (size_t i = 0; i < command_count; i++) {
        buf_puts(out, "\n        '");
        buf_puts(out, command_table[i].name);
        buf_puts(out, ":");
        put_quoted(out, command_table[i].help, "\\:");
        buf_puts(out, "'");
    }
    buf_puts(out, "\n    )\n"
                  "    _describe command commands\n"
                  "}\n"
                  "\n"
                  "_volplan() {\n"
                  "    local curcontext=$curcontext state line\n"
                  "    local -A opt_args\n"
                  "    _arguments -C");
    put_globals(out);
    buf_puts(out, " \\\n        ':command:_volplan_commands' '*::: :->of_command'\n"
                  "    [[ $state == of_command ]] || return\n"
                  "    words=(\"$line[1]\" \"${words[@]}\")\n"
                  "    ((CURRENT++))\n"
                  "    case $line[1] in\n");
    for (size_t i = 0; i < command_count; i++)
        put_command(out, &command_table[i]);
    buf_puts(out, "    esac\n"
                  "}\n"
                  "\n"
                  "if [[ $funcstack[1] == _volplan ]]; then\n"
                  "    _volplan \"$@\"\n"
                  "else\n"
                  "    compdef _volplan volplan\n"
                  "fi\n");
}
