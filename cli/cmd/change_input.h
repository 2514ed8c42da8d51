/* cli/cmd/change_input.h - what today's volumes are changed to: a plan that was kept, or one that
 * was just made. */
#ifndef CLI_CMD_CHANGE_INPUT_H
#define CLI_CMD_CHANGE_INPUT_H

#include "cli/cmd/plan_file_input.h"
#include "cli/cmd/plan_input.h"
#include "planner/change/change.h"

struct change_input {
    const char *plan_path; /* of --plan; NULL = none was given */
    struct plan_file file;
    struct change_target *targets;
    struct change_options options;
};

/* To the plan of --plan; without one plan_path is NULL and nothing else is set. */
int change_input_of_file(struct app *app, const struct plan_input *in, struct change_input *out,
                         struct err *e);
int change_input_of_plan(struct app *app, const struct plan_input *in, const struct plan *plan,
                         struct change_input *out, struct err *e);

#endif
