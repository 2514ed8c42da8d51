/* cli/cmd/plan_fleet.h - volplan plan --all: every system of a store. */
#ifndef CLI_CMD_PLAN_FLEET_H
#define CLI_CMD_PLAN_FLEET_H

#include "cli/app.h"

/* Plans and reports all systems, by name, --jobs at a time; the answer does not depend on how many.
 * A system that cannot be planned says why on its line.  Then the error that ends with the highest
 * exit status of all systems.  Plans are kept where the store can be written, and taken from there
 * while they are current; --show only asks for those.  What cannot be kept is noted.  ERR_NOMEM,
 * and ERR_STORE of a store that cannot be read, end the run. */
int plan_fleet(struct app *app, struct err *e);

#endif
