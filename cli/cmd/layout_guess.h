/* cli/cmd/layout_guess.h - a first layout from what was measured, to be completed by a person.
 *
 * Devices of one host whose mean reads and writes are alike are taken for the disks of one
 * stripe; where no device was measured, so are volumes, with the settings that describe-volumes
 * told of them; else the file types of AWR make the groups. */
#ifndef CLI_CMD_LAYOUT_GUESS_H
#define CLI_CMD_LAYOUT_GUESS_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/vocab/layout.h"
#include "models/vocab/load_series.h"

/* ERR_NOMEM; ERR_USAGE when nothing was measured. */
int layout_guess(const struct system_load *load, struct arena *a, struct layout *out,
                 struct err *e);

#endif
