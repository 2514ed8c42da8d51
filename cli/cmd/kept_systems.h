/* cli/cmd/kept_systems.h - systems that were read from the store, for the commands that follow.
 *
 * For a process that answers one question after the other about the same store.  At most
 * KEPT_SYSTEMS are kept; one that is in use by the command at hand is never given up, so a command
 * that needs more (--with) reads the others into its own arena. */
#ifndef CLI_CMD_KEPT_SYSTEMS_H
#define CLI_CMD_KEPT_SYSTEMS_H

#include "cli/cmd/system_input.h"
#include "planner/solve/plan.h"

enum { KEPT_SYSTEMS = 2 };

struct kept_system {
    struct arena arena;
    struct system_input input;
    struct arena of_demand;
    struct system_demand demand; /* the last that was asked for; load NULL = none */
    struct arena of_plan;
    struct plan_options planned_for;
    struct plan plan; /* the last for that demand; demand NULL = none */
    int64_t used_by;  /* number of the last command that used it; 0 = there is none */
};

struct kept_systems {
    struct kept_system item[KEPT_SYSTEMS];
    int64_t command; /* number of the command at hand, from 1 */
};                   /* = {0} is a valid, empty one */

/* Another command begins: what the last one was given may be given up. */
void kept_systems_next(struct kept_systems *k);
/* What the store holds of a system, NULL = the only one; kept, or in a. */
int kept_systems_get(struct kept_systems *k, struct store *s, const char *system, struct arena *a,
                     struct system_input *out, struct err *e);
/* The demand of a system that was got so: kept, or in a.  One that has percentiles answers for one
 * without. */
int kept_systems_demand(struct kept_systems *k, const struct system_input *input,
                        const struct demand_options *o, struct arena *a, struct system_demand *out,
                        struct err *e);
/* The plan for a demand, with its front (plan_pareto.h): kept where the demand
 * is, else in a (k NULL: nothing is).  Once a command: the next one takes its place. */
int kept_systems_plan(struct kept_systems *k, const struct system_demand *d,
                      const struct plan_options *o, struct arena *a, struct plan *out,
                      struct err *e);
/* Gives up all: the store has changed, or the process ends. */
void kept_systems_release(struct kept_systems *k);

#endif
