/* cli/cmd/plan_input.h - what a plan of the system under study is made from. */
#ifndef CLI_CMD_PLAN_INPUT_H
#define CLI_CMD_PLAN_INPUT_H

#include "cli/cmd/system_input.h"
#include "planner/demand/system_join.h"
#include "planner/solve/plan.h"

struct plan_input {
    struct plan_options options;
    struct system_input system;
    const struct demand_source *sources; /* the system, then those of --with */
    size_t n_sources;
    struct system_demand demand;
};

int plan_input_options(const struct app *app, struct plan_options *out, struct err *e);
/* in->demand, from in->system. */
int plan_input_demand(const struct app *app, struct plan_input *in, struct arena *a, struct err *e);

/* From the options of plan and what the store holds.  The demand points into *out. */
int plan_input(struct app *app, struct plan_input *out, struct err *e);
/* The same with the percentiles of what was measured, which no plan needs. */
int plan_input_of_report(struct app *app, struct plan_input *out, struct err *e);
/* The same of all that was measured: --from and --to are what is looked at. */
int plan_input_of_series(struct app *app, struct plan_input *out, struct err *e);

#endif
