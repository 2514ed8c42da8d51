/* cli/help.h - help, from the tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"

#include <stdio.h>

void help_general(FILE *out);
void help_command(FILE *out, const struct command *c);

#endif
