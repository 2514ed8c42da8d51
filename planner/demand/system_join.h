/* planner/demand/system_join.h - several measured systems as one, on the host and volumes of the
 * first.
 *
 * Each was built by itself, so its ceilings, artefacts and waits are those of where it ran; the sum
 * is taken at the same instant.  A group of another system goes to the target's group of the same
 * name; else to the target's only group of its role (of redo, of the same log member); else it
 * stays a group of its own, "SYSTEM:GROUP", with its own volumes.  Roles "other" go by name
 * alone.  Sizes add up, on the devices and as usable GiB.
 *
 * A system without a layout borrows the target's, without its volumes: then its Oracle file types
 * count, and of its devices those that the target's layout names with their host ("db2:nvme*n1").
 */
#ifndef PLANNER_DEMAND_SYSTEM_JOIN_H
#define PLANNER_DEMAND_SYSTEM_JOIN_H

#include "planner/demand/system_demand.h"

/* A system as it was measured; layout NULL = it has none. */
struct demand_source {
    const struct system_load *load;
    const struct layout *layout;
};

/* Builds each and joins them; the first is the target.  *out_own is the target by itself.  The
 * load that *out points to is the target's own: what its reports and logs say is not that of the
 * others.  ERR_USAGE when the target has no layout, ERR_NOMEM. */
int system_demand_of_sources(const struct demand_source *sources, size_t n,
                             const struct demand_options *o, struct arena *a,
                             struct system_demand *out_own, struct system_demand *out,
                             struct err *e);

#endif
