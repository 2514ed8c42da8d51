/* cli/command.h - the one table of commands. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/option.h"

struct app;

struct command_option {
    enum option_id id;
    const char *fallback; /* NULL = none */
};

struct command_example {
    const char *line; /* as typed */
    const char *what;
};

enum command_need {
    NEED_NOTHING = 0,
    NEED_STORE_READ = 1 << 0,   /* app.store is open; it must exist */
    NEED_STORE_CREATE = 1 << 1, /* the same, made when it is not there */
    CAN_CSV = 1 << 2,           /* its answer is a list */
    OWN_REGION = 1 << 3,        /* it checks --region itself */
};

struct command {
    const char *name, *args, *help;
    size_t args_min, args_max;
    unsigned needs; /* of enum command_need */
    const struct command_option *options;
    size_t n_options;
    const char *text; /* a paragraph of help; NULL */
    const struct command_example *examples;
    size_t n_examples;
    int (*run)(struct app *, struct err *e);
};
extern const struct command command_table[]; /* sorted by name */
extern const size_t command_count;

/* NULL for an unknown name. */
const struct command *command_find(const char *name);
/* Global options are taken by every command, and by none (NULL). */
bool command_takes(const struct command *c, enum option_id id);
/* Whether --format of the command may name it. */
struct format;
bool command_reads(const struct command *c, const struct format *f);

#endif
