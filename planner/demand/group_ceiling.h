/* planner/demand/group_ceiling.h - what the volumes of a group could do on a day.
 *
 * Striping follows size, so of unequal volumes the one that fills first caps the group:
 * min over volumes of limit * total_size / size.  A skew above 1 lowers it further. */
#ifndef PLANNER_DEMAND_GROUP_CEILING_H
#define PLANNER_DEMAND_GROUP_CEILING_H

#include "models/facts/catalogue.h"
#include "models/vocab/layout.h"
#include "planner/demand/peak_second.h"

#define ARTEFACT_FACTOR 1.1
#define CENSORED_SHARE  0.95

/* Asks for the rules once a day, not once a sample. */
struct ceiling_clock {
    const struct catalogue *catalogue;
    const struct layout_group *group;
    const char *instance_type; /* NULL = not known */
    int64_t day;
    struct group_ceiling at, one;
};

void ceiling_clock_init(struct ceiling_clock *k, const struct catalogue *c,
                        const struct layout_group *g, const char *instance_type);
/* NaN where the layout gives no volumes, or not in this form on that day. */
const struct group_ceiling *ceiling_at(struct ceiling_clock *k, int64_t time_ms);
/* Of each volume by itself, where they are all alike. */
const struct group_ceiling *volume_ceiling_at(struct ceiling_clock *k, int64_t time_ms);

/* Requests as the volumes count them. */
double ceiling_counts(const struct group_ceiling *c, const struct load_point *p);
/* POINT_CENSORED_ flags from 0.95 of the ceiling on, POINT_ARTEFACT above 1.1 times it. */
unsigned ceiling_flags(const struct group_ceiling *c, const struct load_point *p);

#endif
