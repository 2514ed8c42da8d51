/* cli/cmd/phases_input.h - the phases file of a plan. */
#ifndef CLI_CMD_PHASES_INPUT_H
#define CLI_CMD_PHASES_INPUT_H

#include "cli/app.h"
#include "planner/whatif/plan_phases.h"

/* From --phases; *out_n 0 without it.  ERR_USAGE for a change that is none, ERR_PARSE, ERR_FILE. */
int phases_input(struct app *app, const struct phase_change **out, size_t *out_n, struct err *e);

#endif
