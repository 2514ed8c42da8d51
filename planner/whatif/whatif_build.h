/* planner/whatif/whatif_build.h - the parts of whatif_build, for each other. */
#ifndef PLANNER_WHATIF_WHATIF_BUILD_H
#define PLANNER_WHATIF_WHATIF_BUILD_H

#include "planner/whatif/whatif.h"

/* Options of a plan that only its figures are wanted of. */
struct plan_options whatif_plan_options(const struct whatif_options *o, const struct scenario *s);

struct whatif_rates whatif_rates_of(const struct path_rates *r);
struct whatif_rates whatif_rates_of_demand(const struct demand *d);

/* The measured demand as a bound of the scenario makes it, here (on NULL: on the primary); with
 * what is alike in `known`, unless that is NULL. */
int whatif_demand(const struct scenario *s, const struct standby *on, enum bound b,
                  const struct changed_demand *known, struct arena *a, struct system_demand *out,
                  struct err *e);
/* What the scenario comes to here, on central. */
int whatif_central(const struct scenario *s, struct arena *a, struct changed_demand *out,
                   struct err *e);

/* Averages and peaks of all groups; what the volumes of p, the plan on central, do under the upper
 * bound. */
int whatif_groups(const struct scenario *s, const struct changed_demand *central,
                  const struct plan *p, struct arena *a, struct whatif_group **out, size_t *out_n,
                  enum whatif_holds *upper, struct err *e);
/* Sets throttled_now_s and throttled_s of w->n_groups groups, from the plans where they tell it. */
int whatif_replay_today(const struct whatif *w, const struct system_demand *central,
                        struct whatif_group *groups, struct err *e);
/* Whether a plan carries another demand for the same groups.  ERR_NOMEM. */
int whatif_holds_all(const struct plan *p, const struct system_demand *d, struct arena *scratch,
                     enum whatif_holds *out, struct err *e);
/* Today's plan under the scenario's load: its volumes must be there, large and fast enough. */
int whatif_base_holds(const struct whatif *w, enum whatif_holds *out, struct err *e);

/* Standbys, their hosts and prices; the new primary's host.  out->plan is that on central. */
int whatif_standbys(const struct whatif_options *o, const struct scenario *s,
                    const struct changed_demand *central, struct arena *a, struct whatif *out,
                    struct err *e);
/* Dated changes on top of the scenario so far; *out_scenarios one each. */
int whatif_phases(const struct whatif_options *o, const struct scenario *s, struct arena *a,
                  struct whatif *out, const struct scenario **out_scenarios, struct err *e);

#endif
