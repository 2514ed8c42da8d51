/* planner/report/report_vol.h - what one volume, or a stripe of equal ones, carries and costs. */
#ifndef PLANNER_REPORT_REPORT_VOL_H
#define PLANNER_REPORT_REPORT_VOL_H

#include "models/core/emit.h"
#include "models/facts/catalogue.h"

struct vol_question {
    const struct catalogue *catalogue;
    struct volume_spec spec;              /* as asked; what gp3 leaves open gets its defaults */
    const struct instance_type *instance; /* NULL; decides the io2 era and the Xen caps */
    const char *region;
    int64_t as_of_ms, today_ms;
    double io_kib;    /* NaN = not asked */
    int64_t requests; /* a month, of each volume; UNKNOWN */
};

/* 0; ERR_NO without words when the spec is refused, which was then said; else as vol_price, with
 * nothing emitted. */
int report_vol(struct emit *m, const struct vol_question *q, struct err *e);

#endif
