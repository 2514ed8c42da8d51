/* data/load_metrics.h - metrics of the store as load series where they are rates of load, else as
 * metric series.
 *
 * A series of a volume or an instance is what data/metric_owner.h makes of its metrics.  They count
 * requests as they reach EBS. */
#ifndef DATA_LOAD_METRICS_H
#define DATA_LOAD_METRICS_H

#include "data/series_points.h"
#include "data/store/store.h"

/* Appends to the list, and sets metrics of io; scratch is the caller's. */
int load_metrics(struct store *s, const char *system, struct series_list *l, struct points *scratch,
                 struct system_load *io, struct err *e);

#endif
