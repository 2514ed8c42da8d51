/* models/ebs/io_count.c - see io_count.h. */
#include "models/ebs/io_count.h"

#include <math.h>

double io_counted(double io_kib, double cap_kib)
{
    if (isnan(io_kib) || isnan(cap_kib))
        return NAN;
    return fmax(1, ceil(io_kib / cap_kib));
}

double io_counted_likely(double requests_per_s, double mibps, double cap_kib)
{
    double full = mibps * 1024 / cap_kib; /* were every request as large as the cap */
    if (isnan(requests_per_s) || isnan(full))
        return NAN;
    return fmax(requests_per_s, full);
}

double io_counted_high(double requests_per_s, double mibps, double cap_kib)
{
    return requests_per_s + mibps * 1024 / cap_kib;
}

double io_counted_merged(double n, double io_kib, double cap_kib)
{
    return ceil(n * io_kib / cap_kib);
}
