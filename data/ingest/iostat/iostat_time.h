/* data/ingest/iostat/iostat_time.h - which interval a report of iostat closes.
 *
 * From the stamp before it (iostat -t); else from the line of the collector before it (zzz) and
 * the reports since; else from --date in steps of --interval.  The first report after each
 * "Linux" line is the average since boot. */
#ifndef DATA_INGEST_IOSTAT_IOSTAT_TIME_H
#define DATA_INGEST_IOSTAT_IOSTAT_TIME_H

#include "data/ingest/format.h"
#include "data/ingest/iostat/iostat_stamp.h"
#include "data/ingest/oswatcher/zzz.h"

struct iostat_time {
    const struct ingest_options *o;
    enum date_order order;
    struct iostat_date guessed; /* a date that either order may be meant by; none: a = 0 */
    int64_t day_ms;             /* for stamps without a date; UNKNOWN */
    int64_t last_clock_ms;      /* of such stamps; UNKNOWN */
    bool fresh_start;           /* a Linux line, and no report since */
    int64_t n_starts;           /* Linux lines */
    bool stamps;                /* the file has stamps */
    int64_t stamp_ms;           /* UTC, not yet taken by a report; UNKNOWN */

    /* the collector's lines */
    int64_t snapshot_ms;       /* UTC of the last one; UNKNOWN */
    int64_t n_snapshots;       /* lines */
    int64_t n_steps;           /* intervals since the last one */
    double stated_interval_s;  /* in one of its lines; NaN */
    bool zone_told, step_told; /* each assumption is told once */

    /* the report being read */
    int64_t n_reports, report_ms, last_report_ms; /* times: UNKNOWN */
    int64_t last_step_ms;                         /* between the two before; UNKNOWN */
    double interval_s;
    bool since_boot;
};

/* What is odd about a stamp or report. */
enum time_odd {
    TIME_FINE,
    TIME_NO_STAMP,
    TIME_REPEATED,
    TIME_BACKWARD,
    TIME_LONGER,       /* than the interval before: reports are missing, or iostat stood still */
    TIME_GUESSED,      /* a date that may be meant otherwise was first needed: see guessed */
    TIME_RESTARTED,    /* started again where time is counted from --date */
    TIME_ZONE_ASSUMED, /* the zone of zzz is a name, not an offset, and there is no --tz */
    TIME_STEP_ASSUMED, /* one second between the reports of a snapshot */
    TIME_CONTRADICTED, /* a date that is none in the order of the others */
};

void iostat_time_init(struct iostat_time *t, const struct ingest_options *o);
/* Which of day and month comes first: what the dates prove, else what --date or the collector's
 * day (UNKNOWN = none) agree with, else the month, as in the C and en_US locales. */
void iostat_time_settle(struct iostat_time *t, const struct date_evidence *v,
                        int64_t collector_day_ms);

enum time_odd iostat_time_linux(struct iostat_time *t, const struct iostat_date *d);
enum time_odd iostat_time_stamp(struct iostat_time *t, const struct iostat_stamp *st);
enum time_odd iostat_time_zzz(struct iostat_time *t, const struct zzz *z);
enum time_odd iostat_time_report(struct iostat_time *t);

#endif
