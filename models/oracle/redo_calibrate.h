/* models/oracle/redo_calibrate.h - who reads and writes the redo, from one AWR report.
 *
 * Everything is told in full copies of R, the redo written to one member:
 *   R = redo blocks written * block size      (not 'redo size', which lacks headers and tails)
 *   O, A, B   copies of the redo that the direct ASYNC standbys were sent from the online logs,
 *             from the archived logs and from the log buffer
 *   g, b      copies that others read from the online logs (GoldenGate, LogMiner) and from the
 *             archived logs (RMAN backup, LogMiner)
 *
 * From the statistics (KiB/s, R in KiB/s; their nesting is not documented, it agrees with four
 * public reports to 1 % on single instances):
 *   T = 'redo KB read for transport' / R
 *   B = 'redo KB read (memory) for transport' / R        O = T - B
 *   g = ('redo KB read' / R) - T - archive copies        A = max(0, n - T)
 *   b = archived log reads / R - A                       n = round(T) unless given
 * From IOStat by Filetype (MiB/s; the archiver reads the log once for each copy it writes):
 *   R = log writes / members    O = (log reads - archive writes) / R - g
 *   A = archive reads / R - b   B = n - O - A
 * Source: own inference, held against database-investigator.com 2026-06-14 (six standbys, called
 * the six-standby incident below and elsewhere), Hemant Chitale 2022-03 (none), V$IOSTAT_FILE.
 *
 * Limits of knowledge: a gap that is sent twice counts twice; archived log reads hold RMAN's;
 * a saturated run gives a lower bound (the grade says so); the edges of the interval leave up to
 * one log of archiving on the wrong side. */
#ifndef MODELS_ORACLE_REDO_CALIBRATE_H
#define MODELS_ORACLE_REDO_CALIBRATE_H

#include "models/core/err.h"
#include "models/vocab/demand.h"

#include <stdbool.h>
#include <stdint.h>

/* What a report says, per second; NaN = not in it.  AWR leaves out a statistic that did not
 * move: with 'redo KB read' there, an absent one of the other three counts as 0. */
struct redo_measured {
    double log_read_mibps, log_write_mibps, archive_read_mibps, archive_write_mibps;
    double redo_bytes_per_s, wastage_bytes_per_s, blocks_per_s;
    double read_kib_per_s, read_memory_kib_per_s;
    double transport_kib_per_s, transport_memory_kib_per_s;
    double elapsed_s;
    enum grade grade; /* passed through: censored stays censored */
};

/* What the layout says; UNKNOWN and NaN where it does not. */
struct redo_given {
    int64_t direct_standbys;     /* ASYNC destinations of the primary itself */
    int64_t members;             /* used when nothing measures them */
    int64_t block_bytes;         /* else inferred from the redo statistics, see redo_block.h */
    double other_online_readers; /* g and b of the IOStat route; NaN = 0 */
    double other_archive_readers;
    double log_mib; /* one online log: what the edges of the interval can misplace */
};

enum redo_source { REDO_SOURCE_NONE, REDO_SOURCE_STATISTICS, REDO_SOURCE_IOSTAT };
const char *redo_source_name(enum redo_source s); /* "none" "statistics" "iostat" */

/* In full copies of R; NaN = not known. */
struct redo_copies {
    double online, archived, buffer, transport; /* O, A, B; transport T = O + B */
    double other_online_readers, other_archive_readers;
};

/* One way to the copies.  feasible is false on the IOStat route only, reason says why. */
struct redo_route {
    bool present, feasible;
    double redo_mibps;
    struct redo_copies copies;
    char reason[160];
};

struct redo_calibration {
    enum redo_source source; /* NONE: neither route; R may still be known */
    enum grade grade;
    double redo_mibps;                    /* R; without either route 'redo size', a little low */
    double members_measured;              /* NaN when only given or assumed */
    int64_t members;                      /* measured, else given, else 1 */
    double archive_copies;                /* archive writes / R, not rounded */
    double archive_write_mibps;           /* NaN = not measured */
    int64_t direct_standbys;              /* n; UNKNOWN */
    struct redo_copies copies;            /* of the route that source names */
    int64_t file_readers_min;             /* standbys that read files, at least; UNKNOWN */
    double from_buffer_pct;               /* statistics: of T, so are the online ones; */
    double from_online_pct;               /* IOStat: of n */
    double from_archive_pct;              /* of n */
    struct redo_route statistics, iostat; /* both, where both are there */
    double file_copies_difference;        /* IOStat's O + g + A + b less the statistics' */
    double log_read_predicted_mibps;      /* ('redo KB read' - '(memory)') / 1024 */
    double log_read_difference_pct;       /* measured log reads against that */
};

/* 0, also when nothing is known (source NONE).  ERR_NO when only IOStat is there and its figures
 * cannot be: O < 0, A < 0 or B < 0 by more than the interval's edges explain; out is then
 * written too, with source NONE and the reason in out->iostat. */
int redo_calibrate(const struct redo_measured *m, const struct redo_given *given,
                   struct redo_calibration *out, struct err *e);

/* Share of reads served from the log buffer, x$logbuf_readhist (joordsblog 2010-08).  It is known
 * to span 35..99 %: the size of the buffer alone does not predict it.  NaN without reads. */
double redo_buffer_hit_pct(double memory_blocks, double disk_blocks);

#endif
