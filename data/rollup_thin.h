/* data/rollup_thin.h - the samples of one series in one file, thinned out.
 *
 * Samples that follow each other in one hour become one, the mean by time.  What meets a time that
 * is kept exactly stays as it was measured, and so does what reaches over the end of an hour, has
 * no time, or is an average since boot or an artefact.  Means end where a kept minute begins or
 * ends, samples being cut there, and consist of whole minutes elsewhere: so no minute's mean is
 * beyond the worst that there was.  Times of requests and merges are weighted by the requests.
 * Means are rounded to four decimals, as the columns of the store hold them. */
#ifndef DATA_ROLLUP_THIN_H
#define DATA_ROLLUP_THIN_H

#include "data/rollup_peaks.h"
#include "data/store/store.h"

/* What a peak may be a peak of. */
enum rollup_rate {
    ROLLUP_READ_IOPS,
    ROLLUP_WRITE_IOPS,
    ROLLUP_TOTAL_IOPS,
    ROLLUP_COUNTED_IOPS, /* EBS requests of up to 256 KiB */
    ROLLUP_READ_KIBPS,
    ROLLUP_WRITE_KIBPS,
    ROLLUP_TOTAL_KIBPS,
    ROLLUP_RATES
};

/* Whether it is load over a time: no average since boot, no artefact, an interval of a day at most.
 */
bool rollup_is_load(const struct store_sample *s);
/* NaN where it is not known. */
void rollup_rates(const struct store_sample *s, double out[ROLLUP_RATES]);

/* The n samples, those that end by before_ms thinned out, to out; returns how many there are.  out
 * and scratch have room for n. */
size_t rollup_thin(const struct store_sample *samples, size_t n, int64_t before_ms,
                   const struct kept_times *kept, struct store_sample *out,
                   struct store_sample *scratch);

#endif
