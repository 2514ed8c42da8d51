/* data/rollup_values.h - the values of one metric in one file, thinned out.
 *
 * Values of one minute of the clock each that follow each other in one hour become one of that
 * time, up to the next edge (rollup_cuts.h): a Sum or SampleCount their sum, an Average or Rate
 * their mean, a Maximum or Minimum the largest or smallest.  It has no line.  Everything else stays
 * as it is: other periods, other statistics, what the cuts keep. */
#ifndef DATA_ROLLUP_VALUES_H
#define DATA_ROLLUP_VALUES_H

#include "data/rollup_cuts.h"
#include "models/vocab/metric_sample.h"

/* A finite value of one minute of the clock, as it was measured. */
bool rollup_value_is_minute(const struct store_metric_value *v);

/* The n values, those that end by before_ms thinned out, to out, which has room for n; how many
 * there are.  The cuts are settled. */
size_t rollup_values_thin(enum metric_statistic statistic, const struct store_metric_value *values,
                          size_t n, int64_t before_ms, const struct rollup_cuts *cuts,
                          struct store_metric_value *out);

#endif
