/* cli/cmd/system_input.h - what the store holds of the system under study. */
#ifndef CLI_CMD_SYSTEM_INPUT_H
#define CLI_CMD_SYSTEM_INPUT_H

#include "cli/app.h"
#include "data/ingest/layout/layout_json.h"
#include "data/load.h"
#include "planner/demand/system_demand.h"

struct system_input {
    struct system_load load;
    struct layout layout;
    bool has_layout;
};

/* The layout of a system; ERR_USAGE saying how to give one when there is none. */
int system_layout(struct store *s, const char *system, struct arena *a, struct layout *out,
                  struct err *e);

/* What the store holds of a system, NULL = the only one.  A missing layout is an error where
 * layout_needed.  Everything in *out lives in a. */
int system_input_of(struct store *s, const char *system, bool layout_needed, struct arena *a,
                    struct system_input *out, struct err *e);
/* The same for a command: in its store and its arena, or from what earlier commands have read. */
int system_input_named(struct app *app, const char *system, bool layout_needed,
                       struct system_input *out, struct err *e);
/* Its demand by itself, in the arena of the command or kept as the system is. */
int system_input_demand(struct app *app, const struct system_input *in,
                        const struct demand_options *o, struct system_demand *out, struct err *e);
/* The system of --system. */
int system_input(struct app *app, bool layout_needed, struct system_input *out, struct err *e);

#endif
