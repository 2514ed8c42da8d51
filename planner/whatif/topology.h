/* planner/whatif/topology.h - the primary, its standbys and far sync instances, and who feeds whom.
 *
 * The base is the layout.  Where it names no standby and the statistics count n of them, these are
 * called standby1 ... standbyN.  A far sync instance takes over all standbys that the primary fed,
 * unless a cascade names those it feeds. */
#ifndef PLANNER_WHATIF_TOPOLOGY_H
#define PLANNER_WHATIF_TOPOLOGY_H

#include "models/oracle/redo_load.h"
#include "models/vocab/layout.h"
#include "planner/whatif/whatif_change.h"

struct standby {
    const char *name;
    struct layout_standby link; /* via NULL = the primary */
    enum redo_mode mode;
    bool far_sync;
    bool measured; /* was fed by the primary, ASYNC, when the load was measured */
};

struct topology {
    const char *primary;
    struct standby *at;
    size_t n;
    int64_t n_measured; /* of the base */
    /* Loads were measured on this host, which is no longer the primary after a role swap. */
    const char *host;
};

int topology_of_layout(const struct layout *l, int64_t measured_standbys, struct arena *a,
                       struct topology *out, struct err *e);

/* Changes a copy of *t.  All changes of one command first, then topology_check.  ERR_USAGE,
 * ERR_NOMEM. */
int topology_change(struct topology *t, const struct whatif_change *c, struct arena *a,
                    struct err *e);
/* Every source exists and no chain is a circle; far sync instances take over what they should. */
int topology_check(struct topology *t, const struct whatif_change *changes, size_t n,
                   struct err *e);

bool topology_is_direct(const struct standby *s);   /* fed by the primary */
bool topology_reads_files(const struct standby *s); /* and ASYNC: may read files there */
int64_t topology_fed_by(const struct topology *t, const char *name);
const struct standby *topology_find(const struct topology *t, const char *name);
/* Direct ASYNC standbys that came and went since the load was measured. */
struct redo_change topology_redo_change(const struct topology *t);

#endif
