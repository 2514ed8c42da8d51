/* cli/help.h - help, from the tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"

#include <stdio.h>

extern const char help_quantities[]; /* what a number without a unit is */
enum { EXIT_STATUSES = 6 };
extern const char *const help_exit_status[EXIT_STATUSES]; /* what each stands for */

void help_general(FILE *out);
void help_command(FILE *out, const struct command *c);

#endif
