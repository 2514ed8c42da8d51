/* cli/cmd/plan_answer.h - the plan of a system with all that its report tells beside it. */
#ifndef CLI_CMD_PLAN_ANSWER_H
#define CLI_CMD_PLAN_ANSWER_H

#include "cli/cmd/plan_input.h"
#include "planner/whatif/plan_phases.h"

struct plan_answer {
    struct redo_path path;
    struct scenario as_it_is;
    struct plan plan;
    struct plan_phases phases;
};

/* The plan, its front, log switches, other advisers' answers and, where changes are given, phases.
 * *out stays where it is: its parts point to each other. */
int plan_answer(struct app *app, const struct plan_input *in, const struct phase_change *changes,
                size_t n_changes, struct plan_answer *out, struct err *e);

#endif
