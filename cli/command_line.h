/* cli/command_line.h - an invocation as a line for a shell that gives the same answer. */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include "cli/args.h"

/* "volplan plan --system PRD1 --headroom 30": what was given, in order, quoted where a shell would
 * read it otherwise.  With --system when system is not NULL and none was given.  No password: the
 * URL of a store has none, or no store is opened.  NULL when memory is out. */
char *command_line_of(const struct invocation *in, const char *system, struct arena *a);

#endif
