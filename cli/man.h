/* cli/man.h - manual pages, from the tables: volplan(1), and volplan-COMMAND(1) for each command.
 *
 * In the macros of man(7), which every man reads. */
#ifndef CLI_MAN_H
#define CLI_MAN_H

#include "cli/command.h"

#include <stdio.h>

void man_general(FILE *out);
void man_command(FILE *out, const struct command *c);

#endif
