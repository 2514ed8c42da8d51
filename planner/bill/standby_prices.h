/* planner/bill/standby_prices.h - what each standby of a billed system costs: on the primary's
 * volumes, which it reads, and on its own host.
 *
 * As planner/whatif prices them, by the rules and prices of the bill's month. */
#ifndef PLANNER_BILL_STANDBY_PRICES_H
#define PLANNER_BILL_STANDBY_PRICES_H

#include "planner/bill/waste.h"

struct standby_price {
    const char *system, *name;
    int64_t here_microusd, host_microusd; /* UNKNOWN */
};

struct standby_prices {
    const struct standby_price *at;
    size_t n;
};

/* Of the systems that have volumes in w.  A system that cannot be planned has none.  ERR_NOMEM. */
int standby_prices_find(const struct waste *w, const struct waste_system *systems, size_t n,
                        struct arena *a, struct standby_prices *out, struct err *e);

#endif
