/* planner/bill/waste_need.h - what would do in place of what was billed. */
#ifndef PLANNER_BILL_WASTE_NEED_H
#define PLANNER_BILL_WASTE_NEED_H

#include "planner/demand/system_demand.h"

struct waste_question {
    const struct catalogue *catalogue;
    const char *region, *instance_type; /* type NULL = not known */
    int64_t month_ms;                   /* rules and prices of its first day */
    unsigned types;
    double headroom_pct;
};

struct waste_need {
    struct volume_spec spec; /* count 0 = not measured, or nothing does */
    int64_t microusd;        /* list; UNKNOWN likewise */
    /* What the headroom costs (where none is asked for: what plan's 20 % would), what lies above
     * p99, and what the peak hour of the day does; UNKNOWN. */
    int64_t headroom_microusd, peak_microusd, peak_hour_microusd;
};

/* The cheapest for what was measured; p99 is the same load at that percentile, calm the same
 * without its peak hour.  ERR_NOMEM. */
int waste_need_find(const struct group_demand *d, const struct group_demand *p99,
                    const struct group_demand *calm, const struct waste_question *q,
                    struct arena *a, struct waste_need *out, struct err *e);

/* A month; UNKNOWN where it has no price. */
int waste_list_price(const struct catalogue *c, const char *region, int64_t day_ms,
                     const struct volume_spec *v, int64_t *out_microusd, struct err *e);

/* gp3 with all that a gp2 is sold to deliver, its burst included; in place of io1 and io2 with
 * their size and IOPS and the throughput that was measured, or the included one.  False for other
 * types, and where gp3 cannot be such a volume on that day. */
bool waste_equal_gp3(const struct catalogue *c, int64_t day_ms, const struct volume_spec *v,
                     double used_mibps, struct volume_spec *out);

#endif
