/* models/oracle/peak_factor.h - from an average to its peak.
 *
 * Measured anchors: a 45-minute AWR average of 30.18 MB/s hid a minute of 413.1 (13.7 times); the
 * first redo group of the six-standby incident averaged 48.9 MiB/s over 3 hours and stood at 500
 * (10.2 times at least, it was censored).  Nobody published a ratio of minutes to seconds: 1.5..3
 * is assumed, 1 never is. */
#ifndef MODELS_ORACLE_PEAK_FACTOR_H
#define MODELS_ORACLE_PEAK_FACTOR_H

struct peak_range {
    double low, central, high;
};

/* TUNING: 3, 10, 20 for intervals above 10 minutes; 1.5, 2, 3 up to that.  Always to be called
 * assumed. */
struct peak_range peak_factor_assumed(double interval_s);

/* NaN unless average > 0. */
double peak_ratio(double peak, double average);

/* CloudWatch: bytes of a period over its busy seconds, ceil(period - VolumeIdleTime), in MB/s
 * (repost.aws ebs-identify-micro-bursting).  NaN when there was no busy second. */
double peak_micro_burst_mb_s(double bytes, double period_s, double idle_s);

#endif
