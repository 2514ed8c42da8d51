/* cli/cmd/with_systems.h - the other systems of --with, on the host of the system under study. */
#ifndef CLI_CMD_WITH_SYSTEMS_H
#define CLI_CMD_WITH_SYSTEMS_H

#include "cli/cmd/system_input.h"
#include "planner/demand/system_join.h"

/* The target, then those that --with names: "--with A B", "--with A,B" and "--with A --with B" are
 * the same.  ERR_USAGE for arguments without --with, a system named twice or one that the store
 * does not know. */
int with_systems(struct app *app, const struct system_input *target,
                 const struct demand_source **out, size_t *out_n, struct err *e);

#endif
