/* models/oracle/asm.h - ASM disk groups: mirrors, striping, unequal disks, rebalance.
 *
 * ASM spreads extents in proportion to the disks' sizes, so the disk with the least limit for its
 * size caps the group: ceiling = min_i(limit_i * total size / size_i), less the skew.
 * A rebalance moves, with equal disks, used*k/(n+k) when k join n and used*k/n when k of n leave;
 * add and drop in one command move the dropped share once.  Each moved byte is a read and a
 * write, both of which the instance counts.  The arb process asks for 1 MiB whatever the AU; the
 * kernel splits above max_sectors_kb.
 * Sources: Oracle's storage guide (distribution is capacity based; extents of
 * 1, 4 and 16 AU from 0, 20 000 and 40 000); strace of the arb process for its requests.
 * Limits of knowledge: how a power limit and other load slow a rebalance: the time is the least. */
#ifndef MODELS_ORACLE_ASM_H
#define MODELS_ORACLE_ASM_H

#include "models/vocab/layout.h"

#include <stddef.h>
#include <stdint.h>

struct asm_load {
    double read_mibps, write_mibps;
};
/* Device load of a logical one: writes 1, 2 or 3 times, reads once. */
struct asm_load asm_device_load(struct asm_load logical, enum redundancy r);

/* Load of the busiest of equal disks: group/disks * skew, at most all of it. */
double asm_hottest_disk(double group_load, int64_t disks, double skew);

/* What the group carries before its first disk is full.  sizes in any one unit; NaN when a size
 * or limit is not positive or n is 0. */
double asm_ceiling_mibps(const double *limit_mibps, const double *sizes, size_t n, double skew);

/* Share of d disks kept busy by s streams that use one disk at a time: 1 - (1 - 1/d)^s. */
double asm_stream_use(int64_t disks, double streams);

double asm_moved_add_gib(double used_gib, int64_t disks, int64_t added);
double asm_moved_drop_gib(double used_gib, int64_t disks, int64_t dropped);
/* added joined and dropped of disks left in one command. */
double asm_moved_replace_gib(double used_gib, int64_t disks, int64_t dropped, int64_t added);

struct asm_rebalance {
    double moved_gib, rate_mibps, seconds;
};
/* rate = min(sources, destinations, half of what the instance has free). */
struct asm_rebalance asm_rebalance(double moved_gib, double source_mibps, double destination_mibps,
                                   double instance_free_mb_s);

/* Extents of a file by size class: 1, 4 and 16 AU (11.2 and later). */
struct asm_extents {
    int64_t one_au, four_au, sixteen_au;
};
struct asm_extents asm_extents(double file_mib, double au_mib);

/* Requests a device sees for one of io_kib when it takes max_kib at most. */
int64_t asm_split(double io_kib, double max_kib);

/* How many 10^8 bytes a v$asm_disk_stat KB column is, 0 if it is no multiple: such a column has
 * one digit and a mean request size from it is worthless. */
int64_t asm_stat_hundred_mb(double kib);

#endif
