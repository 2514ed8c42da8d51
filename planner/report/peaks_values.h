/* planner/report/peaks_values.h - the keys of a row of peaks. */
#ifndef PLANNER_REPORT_PEAKS_VALUES_H
#define PLANNER_REPORT_PEAKS_VALUES_H

#include "models/core/emit.h"
#include "planner/demand/peaks.h"

/* All but its name, into the object that is open. */
void emit_peaks_row(struct emit *m, const struct peaks_row *row);
/* "with": where the groups of other systems went. */
void emit_joined(struct emit *m, const struct joined_group *joined, size_t n);
/* A labelled line for each, and how much of the time they were measured together. */
void say_joined(struct emit *m, const char *system, const struct joined_group *joined, size_t n);
/* "hot_volume": unknown where the volumes were not measured one by one, or g is NULL. */
void emit_hot_volume(struct emit *m, const struct group_demand *g);

#endif
