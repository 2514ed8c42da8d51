/* models/ebs/vol_init.h - how long a volume made from a snapshot takes until all its blocks are
 * there.
 *
 * Without an initialization rate blocks come when they are first read, at a rate that nobody
 * states, and a provisioned-IOPS volume may stay below half of what it is sold for.  Since
 * 2025-05-06 a rate of 100 to 300 MiB/s can be bought: data of the snapshot / rate, within 10 % in
 * 99 % of the cases; all volumes of a Region together 5 000 MiB/s.
 * Source: EBS User Guide, "Initialize Amazon EBS volumes". */
#ifndef MODELS_EBS_VOL_INIT_H
#define MODELS_EBS_VOL_INIT_H

#include <stdint.h>

enum { VOL_INIT_MAX_MIBPS = 300 };

/* The highest rate that can be asked for on a day; NaN before there was any. */
double vol_init_mibps(int64_t as_of_ms);
/* For so much data of a snapshot; NaN at an unknown rate. */
double vol_init_s(double snapshot_gib, double rate_mibps);

#endif
