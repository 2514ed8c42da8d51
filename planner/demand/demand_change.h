/* planner/demand/demand_change.h - a measured demand as it would be after a change.
 *
 * Every point of a group is changed alike:
 *
 *     reads'  = read * reads + read_per_write * writes
 *     writes' = write * writes
 *
 * Requests follow their bytes, but for writes of another size (write_requests); what reads come
 * on top are requests of added_request_kib.  What was measured (profile, evidence, censoring,
 * ceilings) stays as it was measured. */
#ifndef PLANNER_DEMAND_DEMAND_CHANGE_H
#define PLANNER_DEMAND_DEMAND_CHANGE_H

#include "planner/demand/system_demand.h"

struct load_change {
    size_t from; /* the group of the measured demand that is changed */
    double read, read_per_write, write;
    double write_requests;    /* factor on requests, where write is that on bytes */
    double added_request_kib; /* size of the requests of read_per_write */
};

/* Nothing changes: group `from` as it is. */
struct load_change load_change_none(size_t from);

/* One change for each group of layout, which may have other groups than the measured one.
 * ERR_NOMEM. */
int demand_change(const struct system_demand *measured, const struct layout *layout,
                  const struct load_change *changes, struct arena *a, struct system_demand *out,
                  struct err *e);

#endif
