/* cli/cmd/fleet_results.h - plans of plan --all that the store keeps. */
#ifndef CLI_CMD_FLEET_RESULTS_H
#define CLI_CMD_FLEET_RESULTS_H

#include "cli/app.h"
#include "data/store/store_results.h"
#include "planner/report/report_fleet.h"

/* What tells one plan of a system from another. */
struct fleet_asked {
    const char *question; /* the options */
    const char *world;    /* day, version and figures: a result of others is out of date */
};
int fleet_asked_of(const struct app *app, struct arena *a, struct fleet_asked *out, struct err *e);

/* A store that results are written to.  ERR_STORE where it can only be read. */
int fleet_results_open(const struct app *app, struct store **out, struct err *e);

enum fleet_found { FLEET_NONE, FLEET_OUT_OF_DATE, FLEET_CURRENT };

/* *line when it is current; *out_state is what a new result is of.  In the arena, but for the
 * name. */
int fleet_result_get(struct store *s, const char *system, const struct fleet_asked *asked,
                     struct arena *a, enum fleet_found *out, struct fleet_line *line,
                     const char **out_state, struct err *e);
/* Of a system that is claimed; the claim ends. */
int fleet_result_keep(struct store *s, const struct fleet_asked *asked, const char *state,
                      const struct fleet_line *line, struct arena *scratch, struct err *e);

#endif
