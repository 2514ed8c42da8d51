/* cli/serve/served.h - what the server lets an address ask for.
 *
 * Lists of what is allowed, so that a new command or option is served only after somebody has
 * thought of it: a served command only reads the store, a served option names no file, folder,
 * address or store, and says nothing about threads or the terminal. */
#ifndef CLI_SERVE_SERVED_H
#define CLI_SERVE_SERVED_H

#include "cli/command.h"
#include "models/core/span.h"

/* The command of "/api/NAME"; NULL for any other path. */
const struct command *command_served(struct span path);
/* False for an option that is not served.  True for a name that is no option: args_parse knows what
 * to say of it. */
bool option_served(const struct command *c, struct span name);

#endif
