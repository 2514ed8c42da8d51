/* planner/whatif/redo_path.h - the redo path of a system as it was measured, and what it puts on
 * each disk group on average.
 *
 * Of all AWR reports the period with the most redo is taken: reports of several instances over the
 * same time are added up, one of the whole cluster stands for them.  Its statistics and file types
 * are calibrated (models/oracle/redo_calibrate.h) with what the layout says: standbys that are
 * ASYNC and fed by the primary itself are n.  Without any, what is read from the logs is read by
 * others.
 *
 * Limits: standbys of the layout are taken to have been there in that period; of a group that holds
 * a share of the archived logs, reads and writes are shared alike. */
#ifndef PLANNER_WHATIF_REDO_PATH_H
#define PLANNER_WHATIF_REDO_PATH_H

#include "models/oracle/redo_load.h"
#include "planner/demand/system_demand.h"

/* Averages on the devices of a group; NaN = not known. */
struct path_rates {
    double read_mibps, write_mibps, read_iops, write_iops;
    double counted_iops; /* in 256 KiB */
};
double path_total_mibps(const struct path_rates *r);
struct path_rates path_rates_plus(struct path_rates a, const struct path_rates *b);

/* Parts of the redo path that a group holds, 1 = all of it; log_writes counts members. */
struct path_share {
    double log_reads, log_writes, archive, flashback;
    struct path_rates other; /* file types beside the redo path, mirrors included */
};

/* Mean sizes of requests as Oracle issues them, KiB. */
struct path_requests {
    double log_read_kib, log_write_kib, archive_read_kib, archive_write_kib, flashback_write_kib;
};

struct redo_path {
    bool calibrated;     /* a report was there: calibration holds */
    bool known;          /* and so is the redo rate, without contradiction: flow holds */
    const char *refused; /* IOStat alone, and its figures cannot be: why; else NULL */
    struct redo_calibration calibration;
    struct redo_flow flow;
    struct path_requests requests;
    double log_write_ms;      /* mean wait for 'log file parallel write'; NaN */
    int64_t begin_ms, end_ms; /* of the period */
    double redo_peak_mibps;   /* redo rate behind the largest writes of a redo group; NaN */
    double block_bytes;       /* of the log, as given or inferred; NaN */
    double redo_bytes_per_write, wastage_tails_per_write; /* NaN */
    const struct path_share *shares;                      /* one for each group of the layout */
};

/* ERR_NOMEM.  Everything in *out lives in a. */
int redo_path_build(const struct system_demand *d, struct arena *a, struct redo_path *out,
                    struct err *e);

/* Whether a group carries part of the redo path. */
bool path_share_any(const struct path_share *s);

/* The redo path at one rate with one number of standbys, as loads of its three places. */
struct path_load {
    double member_read_mibps, member_write_mibps;   /* of the member that is read */
    double archive_read_mibps, archive_write_mibps; /* without flashback */
    double flashback_write_mibps;
    double log_write_requests; /* factor on the rate of log writes as measured */
};

/* What that is on the devices of a group.  members: of each log, for a group that holds them all.
 */
struct path_rates path_rates_of(const struct redo_path *p, const struct path_share *share,
                                const struct path_load *load, enum redundancy r);

#endif
