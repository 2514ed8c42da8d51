/* models/ebs/vol_init.c - see vol_init.h. */
#include "models/ebs/vol_init.h"

#include <math.h>

/* 2025-05-06 00:00 UTC */
#define RATE_SOLD_FROM_MS INT64_C(1746489600000)

double vol_init_mibps(int64_t as_of_ms)
{
    return as_of_ms >= RATE_SOLD_FROM_MS ? VOL_INIT_MAX_MIBPS : NAN;
}

double vol_init_s(double snapshot_gib, double rate_mibps)
{
    return rate_mibps > 0 ? snapshot_gib * 1024 / rate_mibps : NAN;
}
