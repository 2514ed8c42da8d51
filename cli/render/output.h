/* cli/render/output.h - what a failed write to stdout is.
 *
 * A reader that went away (`| head`) has what it wanted: ERR_PIPE, without words.  All else is
 * ERR_IO and says why. */
#ifndef CLI_RENDER_OUTPUT_H
#define CLI_RENDER_OUTPUT_H

#include "models/core/err.h"

/* Sets the code that write_errno stands for, and its words; returns the code.  e may be NULL. */
int output_failed(struct err *e, int write_errno);

#endif
