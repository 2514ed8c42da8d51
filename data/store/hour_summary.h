/* data/store/hour_summary.h - what one device did in each hour, while its samples go by.
 *
 * Rates are reads plus writes.  A sample counts in an hour with the part of its interval
 * that lies there.  mean = sum(rate * time) / time.  The worst minute is the highest mean
 * over one minute of the clock, taken over its covered part; a minute covered for less than
 * half is left out.  An interval longer than a minute counts with its own mean.
 * NaN where nothing was known. */
#ifndef DATA_STORE_HOUR_SUMMARY_H
#define DATA_STORE_HOUR_SUMMARY_H

#include <stdint.h>

struct hour_rate {
    double min, max;
    double sum, covered_ms; /* rate * ms, and the ms behind it */
    double worst_minute;
    int64_t minute_ms; /* the minute in progress */
    double minute_sum, minute_covered_ms;
};

struct hour_summary {
    int64_t hour_ms; /* start of the hour; UNKNOWN = none yet */
    int64_t n_samples, covered_ms;
    struct hour_rate mibps, iops;
};

/* Called with an hour that is complete; what it returns is passed on when not 0. */
typedef int hour_done_fn(void *ctx, const struct hour_summary *h);

void hour_init(struct hour_summary *h);
/* Intervals ascend and do not overlap; at most a day long. */
int hour_add(struct hour_summary *h, int64_t begin_ms, int64_t end_ms, double mibps, double iops,
             hour_done_fn *done, void *ctx);
/* Hands over the last hour, if there is one. */
int hour_finish(struct hour_summary *h, hour_done_fn *done, void *ctx);

double hour_rate_mean(const struct hour_rate *r);

#endif
