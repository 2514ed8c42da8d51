/* models/oracle/redo_block.h - the block size of redo logs and what it costs.
 *
 *   identity       blocks * bs = redo size + redo wastage + 16 * blocks    (16-byte block header)
 *   block size     16 + (size + wastage) / blocks, to the nearest of 512, 1024, 4096
 *   tails          wastage / writes / ((bs - 16) / 2): unused ends per redo write, about 2
 *   amplification  (1 + t*(bs-16)/(2 s)) * bs/(bs-16), s redo bytes per write, t tails
 * Sources: Steve Adams' formula; dbi-services' run on an ODA X6 (18.6 GB of redo in 302 s): the
 * identity holds to 0.058 % (512) and 0.0065 % (4096), amplification to 0.5 %.
 * Archived logs, standby redo logs and transport carry whole blocks, so a factor here is a factor
 * there.  Limits of knowledge: LGWR writes more often when each write is faster (1.77 times in that
 * run, one workload): the upper bound.  AWR counts LGWR's bytes once, whatever ASM mirrors. */
#ifndef MODELS_ORACLE_REDO_BLOCK_H
#define MODELS_ORACLE_REDO_BLOCK_H

#include "models/oracle/redo_load.h"

#include <stddef.h>
#include <stdint.h>

struct redo_identity {
    double written_bytes, explained_bytes, residual_pct;
};
struct redo_identity redo_identity(double blocks, int64_t block_bytes, double size_bytes,
                                   double wastage_bytes);

/* Unrounded; NaN without blocks. */
double redo_block_mean_bytes(double blocks, double size_bytes, double wastage_bytes);
/* 512, 1024 or 4096; UNKNOWN without blocks. */
int64_t redo_block_infer(double blocks, double size_bytes, double wastage_bytes);

/* Of one member. */
double redo_block_mibps(double blocks, int64_t block_bytes, double seconds);

double redo_tails_per_write(double wastage_bytes, double writes, int64_t block_bytes);
/* From LGWR's requests (IOStat by Function), half a block each; within 3 % of two runs. */
double redo_wastage_bytes(double lgwr_requests, int64_t block_bytes);
/* Bytes written for each byte of redo; NaN for a block of 16 bytes or less or no redo. */
double redo_amplification(int64_t block_bytes, double redo_bytes_per_write, double tails);

/* Another block size for the same redo. */
struct redo_block_change {
    struct redo_range factor;        /* on R: log, archive and transport MiB/s */
    struct redo_range writes_factor; /* on redo writes and LGWR requests */
};
struct redo_block_change redo_block_change(int64_t from_bytes, int64_t to_bytes,
                                           double redo_bytes_per_write, double tails);

/* 'redo write size count' buckets, each up to edge_kib[i] (there is none for 64 KiB). */
struct redo_histogram {
    double writes;
    double mean_bytes;        /* from the buckets' geometric middles: up to 16 % too high */
    double counted_ios_upper; /* EBS requests if every write is as large as its bucket */
};
struct redo_histogram redo_histogram(const double *edge_kib, const double *counts, size_t n);

/* Mean wait; NaN without waits. */
double redo_wait_avg_ms(double time_s, double waits);

#endif
