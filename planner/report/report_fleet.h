/* planner/report/report_fleet.h - what is said of the plans of many systems: a line each. */
#ifndef PLANNER_REPORT_REPORT_FLEET_H
#define PLANNER_REPORT_REPORT_FLEET_H

#include "models/core/emit.h"
#include "planner/solve/plan.h"

/* What a line keeps of a group. */
struct fleet_group {
    const char *name;
    enum group_role role;
    enum grade grade;
    double total_mibps, counted_iops;
    bool lower_bound;
    struct volume_spec chosen; /* count 0 = none */
    enum ceiling binding;
    int64_t total_microusd;
};

/* What is kept of a plan when the plan itself is gone.  Texts live in the arena it was made in. */
struct fleet_line {
    const char *system, *region;
    const char *why_not;      /* it could not be planned: nothing below is known; NULL */
    const char *redo_refused; /* why the calibration of the redo path is not possible; NULL */
    enum plan_status status;
    int64_t price_as_of_ms;
    const char *instance; /* its type; NULL = not known */
    enum instance_verdict verdict;
    enum ceiling instance_ceiling; /* the one exceeded, or with the highest use */
    int64_t instance_microusd;
    double demand_mb_s;
    enum grade grade;
    bool lower_bound; /* of some group: its plan is a least */
    int64_t volumes;
    int64_t total_microusd, today_microusd;
    const struct fleet_group *groups;
    size_t n_groups;
    /* When status is PLAN_NONE. */
    const char *none_group, *none_words;
    enum ceiling none_ceiling;
    double none_demand, none_offered;
};

/* Takes a line from a plan, after planner/check has been over it.  ERR_NOMEM. */
int fleet_line_of(const struct plan *p, const char *redo_refused, struct arena *a,
                  struct fleet_line *out, struct err *e);

struct fleet {
    int64_t as_of_ms;
    const struct fleet_line *lines;
    size_t n_lines;
};

/* All that a line holds, into the document: what report_fleet says of it in JSON, and exactly what
 * it rounds. */
void fleet_line_emit(struct emit *m, const struct fleet_line *l);

void report_fleet(struct emit *m, const struct fleet *f);

#endif
