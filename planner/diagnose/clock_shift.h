/* planner/diagnose/clock_shift.h - whether devices and reports that overlap have clocks apart.
 *
 * Both tell the same load, so over some hours that differ from each other the devices' means have
 * the size of what the reports say.  Where they do not, and do so after a shift of whole half
 * hours (time zones), the clocks are apart. */
#ifndef PLANNER_DIAGNOSE_CLOCK_SHIFT_H
#define PLANNER_DIAGNOSE_CLOCK_SHIFT_H

#include "planner/diagnose/rule.h"

enum { CLOCK_STEP_MS = 30 * 60 * 1000, CLOCK_STEPS = 28 }; /* zones are 14 h apart at most */

struct clock_shift {
    int steps; /* that the devices have to move on */
    size_t n_reports;
    const struct awr_snapshot *busiest; /* of the reports that were compared */
    double busiest_mibps;
};

/* False where nothing tells of a shift, and when memory is out (run->failed). */
bool clock_shift_find(struct run *r, struct clock_shift *out);

/* What a report says of all its file types; 0 = nothing. */
double report_mibps(const struct awr_snapshot *w);

#endif
