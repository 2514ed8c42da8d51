/* planner/diagnose/diagnose.h - everything known of a system -> findings that an expert would sign.
 *
 * All rules whose needs are met are run.  Errors come first, then warnings; within these the order
 * is that of enum rule_rank: what binds before what is only read wrong or may hurt one day.  A
 * finding yields to a better one of the same subject. */
#ifndef PLANNER_DIAGNOSE_DIAGNOSE_H
#define PLANNER_DIAGNOSE_DIAGNOSE_H

#include "planner/diagnose/rule.h"

struct diagnose_input {
    const struct system_demand *demand; /* with the load, and the layout given or guessed */
    bool layout_given;
    const char *layout_file; /* NULL = in the store */
    const struct catalogue *catalogue;
    int64_t as_of_ms;
    const struct standby_layout *standbys; /* of those standbys that are systems themselves */
    size_t n_standbys;
};

struct diagnosis {
    const char *system;
    bool layout_given;
    size_t n_files;
    const struct finding *findings;
    size_t n_findings;
    size_t n_rules, n_run;
    unsigned lacks; /* enum rule_need that were not met */
};

/* ERR_NOMEM.  Everything in *out lives in a, or is borrowed. */
int diagnose_build(const struct diagnose_input *in, struct arena *a, struct diagnosis *out,
                   struct err *e);

bool diagnosis_has_error(const struct diagnosis *d);

/* All tables in the order in which they are run; NULL-ended. */
extern const struct rule_table *const diagnose_tables[];

#endif
