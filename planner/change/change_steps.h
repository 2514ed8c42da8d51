/* planner/change/change_steps.h - the ways of groups, put into a calendar. */
#ifndef PLANNER_CHANGE_CHANGE_STEPS_H
#define PLANNER_CHANGE_CHANGE_STEPS_H

#include "planner/change/change_group.h"

struct change_calendar {
    const struct change_host *host;
    struct arena *a;
    struct change_step *steps;
    size_t n, room;
    const char **new_names; /* of each group: the disk group its files are in by now; NULL */
    size_t n_new;           /* volumes that were created so far, for their names */
    int64_t begin_ms;
    int64_t free_ms; /* when the next group may begin to move */
    int64_t end_ms;  /* of the last step so far */
    bool endless, unknown;
    double overlap_microusd, both_microusd; /* NaN = not known */
};

/* ERR_NOMEM. */
int change_calendar_init(struct change_calendar *c, const struct change_host *h, int64_t begin_ms,
                         struct arena *a, struct err *e);
/* Appends the steps of one group.  ERR_NOMEM. */
int change_steps_add(struct change_calendar *c, const struct change_group *g, enum change_kind k,
                     struct err *e);

/* Appends the change of the instance type, after all else.  ERR_NOMEM. */
int change_steps_add_instance(struct change_calendar *c, struct err *e);

#endif
