/* models/oracle/asm.c - see asm.h. */
#include "models/oracle/asm.h"

#include "models/core/unit.h"

#include <math.h>

#define EXTENTS_PER_CLASS 20000.0

struct asm_load asm_device_load(struct asm_load logical, enum redundancy r)
{
    logical.write_mibps *= redundancy_copies(r);
    return logical;
}

double asm_hottest_disk(double group_load, int64_t disks, double skew)
{
    if (disks < 1)
        return NAN;
    return fmin(group_load, group_load / (double)disks * fmax(1, skew));
}

double asm_ceiling_mibps(const double *limit_mibps, const double *sizes, size_t n, double skew)
{
    double total = 0, sum_of_limits = 0, ceiling = INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (!(sizes[i] > 0) || !(limit_mibps[i] > 0))
            return NAN;
        total += sizes[i];
    }
    for (size_t i = 0; i < n; i++) {
        ceiling = fmin(ceiling, limit_mibps[i] * total / sizes[i]);
        sum_of_limits += limit_mibps[i];
    }
    if (n == 0)
        return NAN;
    return fmin(n > 1 ? ceiling / fmax(1, skew) : ceiling, sum_of_limits);
}

double asm_stream_use(int64_t disks, double streams)
{
    return disks < 1 ? NAN : 1 - pow(1 - 1 / (double)disks, streams);
}

/* part / whole of used_gib; NaN when the whole is not positive. */
static double share_gib(double used_gib, int64_t part, int64_t whole)
{
    return whole > 0 ? used_gib * (double)part / (double)whole : NAN;
}

double asm_moved_add_gib(double used_gib, int64_t disks, int64_t added)
{
    return share_gib(used_gib, added, disks + added);
}

double asm_moved_drop_gib(double used_gib, int64_t disks, int64_t dropped)
{
    return share_gib(used_gib, dropped, disks);
}

double asm_moved_replace_gib(double used_gib, int64_t disks, int64_t dropped, int64_t added)
{
    if (dropped >= disks + added)
        return NAN; /* nothing is left to hold it */
    /* The newcomers fill to their even share with what the leavers hold, or with more. */
    return fmax(asm_moved_drop_gib(used_gib, disks, dropped),
                share_gib(used_gib, added, disks - dropped + added));
}

struct asm_rebalance asm_rebalance(double moved_gib, double source_mibps, double destination_mibps,
                                   double instance_free_mb_s)
{
    double instance_mibps = instance_free_mb_s / MB_PER_MIB / 2;
    double rate = fmin(fmin(source_mibps, destination_mibps), instance_mibps);
    double seconds = rate > 0 ? moved_gib * 1024 / rate : moved_gib > 0 ? INFINITY : 0;
    return (struct asm_rebalance){ moved_gib, rate, seconds };
}

struct asm_extents asm_extents(double file_mib, double au_mib)
{
    struct asm_extents x = { UNKNOWN, UNKNOWN, UNKNOWN };
    double au = au_mib > 0 ? ceil(file_mib / au_mib) : NAN;
    if (!(au >= 0 && au < 1e15))
        return x;
    double one = fmin(au, EXTENTS_PER_CLASS);
    double four = fmin(ceil((au - one) / 4), EXTENTS_PER_CLASS);
    double sixteen = fmax(0, ceil((au - one - 4 * four) / 16));
    x = (struct asm_extents){ (int64_t)one, (int64_t)four, (int64_t)sixteen };
    return x;
}

int64_t asm_split(double io_kib, double max_kib)
{
    double n = io_kib > 0 && max_kib > 0 ? ceil(io_kib / max_kib) : NAN;
    return n < 1e15 ? (int64_t)n : UNKNOWN;
}

int64_t asm_stat_hundred_mb(double kib)
{
    double n = kib * 1024 / 1e8, whole = round(n);
    bool multiple = whole >= 1 && whole < 1e15 && fabs(kib - whole * 1e8 / 1024) < 1;
    return multiple ? (int64_t)whole : 0;
}
