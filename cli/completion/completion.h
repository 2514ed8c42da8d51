/* cli/completion/completion.h - the scripts by which shells complete volplan's command line.
 *
 * Each offers what complete.h says and nothing else: commands, the options of the command that
 * stands on the line and the global ones, the values of options, arguments.  Names of systems and
 * groups, which only a store has, are left to the user. */
#ifndef CLI_COMPLETION_COMPLETION_H
#define CLI_COMPLETION_COMPLETION_H

#include "cli/render/buf.h"

void completion_bash(struct buf *out); /* 4.0 or later */
void completion_zsh(struct buf *out);
void completion_fish(struct buf *out); /* 3.0 or later */

#endif
