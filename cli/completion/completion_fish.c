/* cli/completion/completion_fish.c - see completion.h.
 *
 * A line for each command, option and argument; __volplan_is tells which command stands on the
 * line, past global options and their values. */
#include "cli/completion/completion.h"

#include "cli/completion/complete.h"

/* Text inside '...'. */
static void put_quoted(struct buf *b, const char *s)
{
    for (; *s; s++) {
        if (*s == '\'' || *s == '\\')
            buf_puts(b, "\\");
        buf_put(b, s, 1);
    }
}

static void put_described(struct buf *b, const char *words)
{
    buf_puts(b, " -d '");
    put_quoted(b, words);
    buf_puts(b, "'\n");
}

/* Begins a line that counts behind the command, behind none for "", anywhere for NULL. */
static void put_complete(struct buf *b, const char *command)
{
    buf_puts(b, "complete -c volplan");
    if (command) {
        buf_puts(b, " -n '__volplan_is ");
        buf_puts(b, *command ? command : "\"\"");
        buf_puts(b, "'");
    }
}

static void put_offer(struct buf *b, const struct complete *c)
{
    switch (c->kind) {
    case COMPLETE_NOTHING:
        break;
    case COMPLETE_PATHS:
        buf_puts(b, " -F");
        break;
    case COMPLETE_FOLDERS:
        buf_puts(b, " -a '(__fish_complete_directories)'");
        break;
    case COMPLETE_WORDS:
        buf_puts(b, " -a '");
        buf_puts(b, c->words);
        buf_puts(b, "'");
        break;
    case COMPLETE_LIST:
        buf_puts(b, " -a '(__fish_append , ");
        buf_puts(b, c->words);
        buf_puts(b, ")'");
        break;
    }
}

static void put_option(struct buf *b, const struct command *c, enum option_id id)
{
    const struct option *o = &option_table[id];
    put_complete(b, c ? c->name : NULL);
    buf_puts(b, " -l ");
    buf_puts(b, o->name);
    if (o->letter) {
        buf_puts(b, " -s ");
        buf_put(b, &o->letter, 1);
    }
    if (o->kind != KIND_FLAG) {
        struct complete value = complete_value(c, id);
        buf_puts(b, value.kind == COMPLETE_PATHS ? " -r" : " -x");
        put_offer(b, &value);
    }
    put_described(b, o->help);
}

static void put_command(struct buf *b, const struct command *c)
{
    struct complete argument = complete_argument(c);
    put_complete(b, "");
    buf_puts(b, " -a ");
    buf_puts(b, c->name);
    put_described(b, c->help);
    for (size_t i = 0; i < c->n_options; i++)
        put_option(b, c, c->options[i].id);
    if (argument.kind == COMPLETE_NOTHING)
        return;
    put_complete(b, c->name);
    put_offer(b, &argument);
    buf_puts(b, "\n");
}

void completion_fish(struct buf *out)
{
    buf_puts(out, "# fish completion for volplan, made from its tables: "
                  "volplan completion fish | source\n"
                  "\n"
                  "function __volplan_is\n"
                  "    set -l words (commandline -opc)\n"
                  "    set -e words[1]\n"
                  "    while set -q words[1]\n"
                  "        switch $words[1]\n"
                  "            case");
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global && option_table[i].kind != KIND_FLAG) {
            buf_puts(out, " --");
            buf_puts(out, option_table[i].name);
        }
    buf_puts(out, "\n"
                  "                set -e words[1]\n"
                  "            case '-*'\n"
                  "            case '*'\n"
                  "                test \"$words[1]\" = \"$argv[1]\"\n"
                  "                return\n"
                  "        end\n"
                  "        set -e words[1]\n"
                  "    end\n"
                  "    test -z \"$argv[1]\"\n"
                  "end\n"
                  "\n"
                  "complete -c volplan -f\n");
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global)
            put_option(out, NULL, (enum option_id)i);
    for (size_t i = 0; i < command_count; i++)
        put_command(out, &command_table[i]);
}
