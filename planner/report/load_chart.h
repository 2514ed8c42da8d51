/* planner/report/load_chart.h - measured load over time, drawn where the reader's side draws. */
#ifndef PLANNER_REPORT_LOAD_CHART_H
#define PLANNER_REPORT_LOAD_CHART_H

#include "models/core/emit.h"
#include "planner/demand/load_profile.h"

struct load_chart {
    const char *name;
    const struct load_points *points;
    double peak_mibps;    /* NaN = nothing measured: not drawn */
    double ceiling_mibps; /* NaN = not known */
};

/* Several on the same time, below a line that says how to read them.  What was set apart as an
 * artefact is not drawn; times at a ceiling are marked. */
void draw_load(struct emit *m, const struct load_chart *charts, size_t n);

#endif
