/* planner/solve/cheapest.h - the cheapest legal spec of one (type, count). */
#ifndef PLANNER_SOLVE_CHEAPEST_H
#define PLANNER_SOLVE_CHEAPEST_H

#include "models/ebs/vol_rule.h"
#include "planner/solve/size.h"

/* What the volumes must carry together; 0 where nothing is asked. */
struct group_need {
    double iops, throughput_mibps; /* counted requests; both with headroom */
    int64_t gib, step_gib;
};

/* The share of a ceiling that is needed: 0 where nothing is asked or no ceiling is known, infinite
 * where it offers nothing. */
double ceiling_use(double needed, double offered);
/* What a ceiling offers above the need; NaN where nothing is asked. */
double ceiling_headroom_pct(double needed, double offered);

/* What count volumes sustain, and the larger of the two uses of it. */
struct group_offer {
    double iops, throughput_mibps; /* NaN = no such ceiling */
    enum ceiling binding; /* highest use; throughput on a tie, size when nothing is asked */
    bool carries;
};

struct group_offer offer_of(const struct vol_rule *r, const struct volume_spec *v, bool xen,
                            const struct group_need *n);

/* CEILING_NONE and the cheapest legal spec; else the ceiling that no spec of this type and
 * count lifts, and the legal spec that comes nearest. */
enum ceiling cheapest_spec(const struct vol_rule *r, int64_t count, const struct group_need *n,
                           bool xen, struct volume_spec *out);

#endif
