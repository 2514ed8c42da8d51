/* cli/completion/complete.h - what may be typed where, from the tables of options and commands.
 *
 * The scripts of the shells say this, each in its own language (completion.h). */
#ifndef CLI_COMPLETION_COMPLETE_H
#define CLI_COMPLETION_COMPLETE_H

#include "cli/command.h"

enum complete_kind {
    COMPLETE_NOTHING, /* a value that only the user knows */
    COMPLETE_PATHS,
    COMPLETE_FOLDERS,
    COMPLETE_WORDS, /* one of words */
    COMPLETE_LIST   /* some of words, with commas between */
};

struct complete {
    enum complete_kind kind;
    char words[1200]; /* with blanks between */
};

/* The value of an option, of a command that takes it; c is NULL for a global one. */
struct complete complete_value(const struct command *c, enum option_id id);
/* What is neither option nor value: file names where args names a FILE or PATH, commands for
 * COMMAND, else the words between the | of "bash|zsh|fish". */
struct complete complete_argument(const struct command *c);
/* The names of all commands. */
struct complete complete_command(void);

#endif
