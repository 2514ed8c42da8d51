/* models/oracle/redo_block.c - see redo_block.h. */
#include "models/oracle/redo_block.h"

#include "models/core/unit.h"

#include <math.h>

#define HEADER_BYTES 16.0
/* TUNING: LGWR's writes with 4096-byte blocks over those with 512, dbi-services' run:
 * 2152.0 / 1221.4 a second, of which 1.236 is more work done. */
#define MORE_WRITES     1.77
#define EBS_REQUEST_KIB 256.0

/* a / b; NaN unless b > 0. */
static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

struct redo_identity redo_identity(double blocks, int64_t block_bytes, double size_bytes,
                                   double wastage_bytes)
{
    double written = blocks * (double)block_bytes;
    double explained = size_bytes + wastage_bytes + HEADER_BYTES * blocks;
    return (struct redo_identity){ written, explained, 100 * ratio(written - explained, written) };
}

double redo_block_mean_bytes(double blocks, double size_bytes, double wastage_bytes)
{
    return HEADER_BYTES + ratio(size_bytes + wastage_bytes, blocks);
}

int64_t redo_block_infer(double blocks, double size_bytes, double wastage_bytes)
{
    static const int64_t sizes[] = { 512, 1024, 4096 };
    double mean = redo_block_mean_bytes(blocks, size_bytes, wastage_bytes);
    if (!isfinite(mean))
        return UNKNOWN;
    int64_t best = sizes[0];
    for (size_t i = 1; i < sizeof sizes / sizeof *sizes; i++)
        if (fabs(mean - (double)sizes[i]) < fabs(mean - (double)best))
            best = sizes[i];
    return best;
}

double redo_block_mibps(double blocks, int64_t block_bytes, double seconds)
{
    return ratio(blocks * (double)block_bytes / MIB_BYTES, seconds);
}

/* What the end of a write leaves unused, on average: half a block's payload. */
static double half_block_bytes(int64_t block_bytes)
{
    return ((double)block_bytes - HEADER_BYTES) / 2;
}

double redo_tails_per_write(double wastage_bytes, double writes, int64_t block_bytes)
{
    return ratio(ratio(wastage_bytes, writes), half_block_bytes(block_bytes));
}

double redo_wastage_bytes(double lgwr_requests, int64_t block_bytes)
{
    return lgwr_requests * half_block_bytes(block_bytes);
}

double redo_amplification(int64_t block_bytes, double redo_bytes_per_write, double tails)
{
    double block = (double)block_bytes;
    return (1 + ratio(tails * half_block_bytes(block_bytes), redo_bytes_per_write)) *
           ratio(block, block - HEADER_BYTES);
}

struct redo_block_change redo_block_change(int64_t from_bytes, int64_t to_bytes,
                                           double redo_bytes_per_write, double tails)
{
    struct redo_block_change c = { { 1, 1, 1 }, { 1, 1, 1 } };
    if (from_bytes == to_bytes)
        return c;

    bool larger = to_bytes > from_bytes;
    double s = redo_bytes_per_write, fewer_bytes = larger ? s / MORE_WRITES : s * MORE_WRITES;
    double from = redo_amplification(from_bytes, s, tails);
    double same_writes = redo_amplification(to_bytes, s, tails) / from;
    double other_writes = redo_amplification(to_bytes, fewer_bytes, tails) / from;
    c.factor = (struct redo_range){ fmin(same_writes, other_writes), same_writes,
                                    fmax(same_writes, other_writes) };
    if (larger)
        c.writes_factor.upper = MORE_WRITES;
    else
        c.writes_factor.lower = 1 / MORE_WRITES;
    return c;
}

struct redo_histogram redo_histogram(const double *edge_kib, const double *counts, size_t n)
{
    struct redo_histogram h = { 0, NAN, 0 };
    double bytes = 0;
    for (size_t i = 0; i < n; i++) {
        double below_kib = i ? edge_kib[i - 1] : edge_kib[0] / 2;
        h.writes += counts[i];
        bytes += counts[i] * sqrt(below_kib * edge_kib[i]) * 1024;
        h.counted_ios_upper += counts[i] * ceil(edge_kib[i] / EBS_REQUEST_KIB);
    }
    h.mean_bytes = ratio(bytes, h.writes);
    return h;
}

double redo_wait_avg_ms(double time_s, double waits)
{
    return ratio(time_s * 1000, waits);
}
