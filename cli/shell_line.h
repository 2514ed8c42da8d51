/* cli/shell_line.h - words as a line that a shell reads as these words. */
#ifndef CLI_SHELL_LINE_H
#define CLI_SHELL_LINE_H

#include "cli/render/buf.h"

/* Appends a word, with a blank before it unless it is the first.  ASCII only, without control
 * characters: a word that has others is written $'...', as bash, ksh and zsh read it.
 * "--name=value" becomes two words where that means the same. */
void shell_line_add(struct buf *line, const char *word);

#endif
