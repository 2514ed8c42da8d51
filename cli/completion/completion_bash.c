/* cli/completion/completion_bash.c - see completion.h.
 *
 *   _volplan            finds the command on the line, then what stands before the cursor
 *     _volplan_value    the values of "COMMAND:--OPTION"; false for what takes none
 *     _volplan_options  of a command
 *     _volplan_argument of a command */
#include "cli/completion/completion.h"

#include "cli/completion/complete.h"

static const char head[] =
    "# bash completion for volplan, made from its tables: source <(volplan completion bash)\n"
    "\n"
    "_volplan_words() {\n"
    "    local IFS=$' \\t\\n'\n"
    "    COMPREPLY=($(compgen -W \"$1\" -- \"$cur\"))\n"
    "}\n"
    "\n"
    "_volplan_list() {\n"
    "    local IFS=$' \\t\\n' before=\n"
    "    [[ $cur == *,* ]] && before=${cur%,*},\n"
    "    compopt -o nospace\n"
    "    COMPREPLY=($(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\"))\n"
    "}\n"
    "\n";

static const char tail[] =
    "_volplan() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        case ${COMP_WORDS[i]} in\n"
    "        -*)\n"
    "            if [[ ${COMP_WORDS[i+1]} == = ]]; then\n"
    "                ((i += 2))\n"
    "            elif _volplan_value \"$command:${COMP_WORDS[i]}\" && "
    "[[ ${COMP_WORDS[i+1]} != --* ]]; then\n"
    "                ((i++))\n"
    "            fi ;;\n"
    "        *) [[ $command ]] || command=${COMP_WORDS[i]} ;;\n"
    "        esac\n"
    "    done\n"
    "    COMPREPLY=()\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    if [[ $prev == -* && $cur != --* ]] && _volplan_value \"$command:$prev\"; then\n"
    "        _volplan_value \"$command:$prev\" offer\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        _volplan_options \"$command\"\n"
    "    else\n"
    "        _volplan_argument \"$command\"\n"
    "    fi\n"
    "}\n"
    "\n"
    "complete -F _volplan volplan\n";

/* The commands that offer it. */
static void put_offer(struct buf *b, const struct complete *c)
{
    static const char *const calls[] = {
        [COMPLETE_NOTHING] = "",
        [COMPLETE_PATHS] = "compopt -o default",
        [COMPLETE_FOLDERS] = "compopt -o dirnames",
        [COMPLETE_WORDS] = "_volplan_words",
        [COMPLETE_LIST] = "_volplan_list",
    };
    buf_puts(b, calls[c->kind]);
    if (*c->words) {
        buf_puts(b, " '");
        buf_puts(b, c->words);
        buf_puts(b, "'");
    }
}

static void put_value(struct buf *b, const struct command *c, enum option_id id)
{
    if (option_table[id].kind == KIND_FLAG)
        return;
    struct complete value = complete_value(c, id);
    buf_puts(b, "    ");
    buf_puts(b, c ? c->name : "*");
    buf_puts(b, ":--");
    buf_puts(b, option_table[id].name);
    if (option_table[id].letter) {
        buf_puts(b, " | ");
        buf_puts(b, c ? c->name : "*");
        buf_puts(b, ":-");
        buf_put(b, &option_table[id].letter, 1);
    }
    buf_puts(b, ") ");
    if (value.kind != COMPLETE_NOTHING) {
        buf_puts(b, "[[ ! $2 ]] || ");
        put_offer(b, &value);
        buf_puts(b, " ");
    }
    buf_puts(b, ";;\n");
}

static void put_values(struct buf *b)
{
    buf_puts(b, "_volplan_value() {\n    case $1 in\n");
    for (size_t i = 0; i < command_count; i++)
        for (size_t k = 0; k < command_table[i].n_options; k++)
            put_value(b, &command_table[i], command_table[i].options[k].id);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global)
            put_value(b, NULL, (enum option_id)i);
    buf_puts(b, "    *) return 1 ;;\n    esac\n}\n\n");
}

static void put_name(struct buf *b, enum option_id id)
{
    buf_puts(b, " --");
    buf_puts(b, option_table[id].name);
    if (option_table[id].letter) {
        buf_puts(b, " -");
        buf_put(b, &option_table[id].letter, 1);
    }
}

static void put_options(struct buf *b)
{
    buf_puts(b, "_volplan_options() {\n    local words='");
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].global)
            put_name(b, (enum option_id)i);
    buf_puts(b, "'\n    case $1 in\n");
    for (size_t i = 0; i < command_count; i++) {
        const struct command *c = &command_table[i];
        if (!c->n_options)
            continue;
        buf_puts(b, "    ");
        buf_puts(b, c->name);
        buf_puts(b, ") words+='");
        for (size_t k = 0; k < c->n_options; k++)
            put_name(b, c->options[k].id);
        buf_puts(b, "' ;;\n");
    }
    buf_puts(b, "    esac\n    _volplan_words \"$words\"\n}\n\n");
}

static void put_arguments(struct buf *b)
{
    buf_puts(b, "_volplan_argument() {\n    case $1 in\n    '') ");
    struct complete offered = complete_command();
    put_offer(b, &offered);
    buf_puts(b, " ;;\n");
    for (size_t i = 0; i < command_count; i++) {
        offered = complete_argument(&command_table[i]);
        if (offered.kind == COMPLETE_NOTHING)
            continue;
        buf_puts(b, "    ");
        buf_puts(b, command_table[i].name);
        buf_puts(b, ") ");
        put_offer(b, &offered);
        buf_puts(b, " ;;\n");
    }
    buf_puts(b, "    esac\n}\n\n");
}

void completion_bash(struct buf *out)
{
    buf_puts(out, head);
    put_values(out);
    put_options(out);
    put_arguments(out);
    buf_puts(out, tail);
}
