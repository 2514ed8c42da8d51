/* cli/args.h - argv, read by the tables of options and commands. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include "cli/command.h"

/* An option as it was typed. */
struct option_use {
    enum option_id id;
    struct option_value value;
};

struct invocation {
    const struct command *command; /* NULL when none was named */
    struct option_value values[OPTION_COUNT];
    const struct option_use *uses; /* every time that an option was given, in order */
    size_t n_uses;
    const char *const *args; /* what is neither command nor option */
    size_t n_args;
};

/* argv[0] is the program's name.  Options of the command stand after it, global ones
 * anywhere; "--name value" and "--name=value" are the same, the last of several wins, "--"
 * ends them.  Defaults are filled in.  With --help or --version the number of arguments is not
 * checked.  ERR_USAGE names what was wrong and what is near. */
int args_parse(int argc, const char *const *argv, struct arena *a, struct invocation *out,
               struct err *e);

#endif
