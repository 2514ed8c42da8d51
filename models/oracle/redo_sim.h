/* models/oracle/redo_sim.h - the redo path in steps of one second.
 *
 * In each second LGWR writes what was generated and what waits from before; the archiver copies
 * full logs; each standby is sent at most its send rate.  A standby whose lag stays within the
 * log buffer over the whole second (before and after sending) is sent from the buffer; within
 * current log + unarchived logs + online_keep_mib from the online logs; else from the archived
 * logs.  The group that is read carries
 *     writes * mirror + archiver reads (one for each copy) + online reads + other online readers
 * and the archive group
 *     archive writes * mirror + archived reads + other archived readers.
 * Where that is above a group's ceiling all its users get the same fraction; the archiver reads no
 * more than it can write.  What LGWR could not write waits (a commit stall), what was not sent is
 * lag, which sends the standby to the files: the loop of the six-standby incident.
 *
 * Bytes are conserved: generated = written + backlog; written = archived + unarchived + current;
 * and for each standby written = from buffer + from online + from archived + lag.
 *
 * Limits of knowledge: whether transport goes on reading an online log after it was archived is
 * not documented: online_keep_mib is the knob.  Rates are means of a second; the database's
 * own throttling under a stall, 'checkpoint incomplete', NET_TIMEOUT, the instance's cap and a
 * group that holds both redo and archived logs are not modelled.  The second in which a
 * standby leaves or regains the buffer counts as read from files. */
#ifndef MODELS_ORACLE_REDO_SIM_H
#define MODELS_ORACLE_REDO_SIM_H

#include "models/core/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Redo generated at a constant rate; a series is an array of these, one after the other. */
struct redo_run {
    double redo_mibps;
    int64_t duration_s;
};

struct redo_sim_config {
    double log_mib;                  /* size of one online log */
    int64_t log_groups;              /* UNKNOWN: LGWR never waits for the archiver */
    double buffer_mib;               /* what transport can still find in the log buffer */
    double online_keep_mib;          /* archived, yet still read from the online logs */
    int64_t archive_copies;          /* each is one read of the log and one write */
    double archiver_mibps;           /* redo it archives at most; INFINITY = as storage allows */
    int redo_mirror, archive_mirror; /* 1, 2, 3: redundancy_copies() */
    double redo_ceiling_mibps;       /* of the group that is read; INFINITY = none */
    double member_ceiling_mibps;     /* of the slowest other member's group, same mirror */
    double archive_ceiling_mibps;
    double other_online_readers, other_archive_readers; /* copies */
    double archive_free_mib;      /* room for archived logs at the start; INFINITY = enough */
    double archive_deleted_mibps; /* backed up and deleted meanwhile */
};

/* One member and copy, no mirror, no ceiling, no keep, logs without end. */
struct redo_sim_config redo_sim_defaults(double log_mib, double buffer_mib);

struct redo_sim_standby {
    double send_mibps; /* INFINITY = no limit known */
    bool sync;         /* LGWR writes no faster than it sends, unless it is out or resyncing */
};

/* The standby (or its link) is away in the seconds [begin_s, end_s). */
struct redo_outage {
    size_t standby;
    int64_t begin_s, end_s;
};

/* Where a byte of redo was generated: the run it falls into. */
struct redo_cursor {
    size_t run;
    double before_mib; /* generated before this run */
    int64_t begin_s;
};

struct redo_sim_sent {
    double buffer_mib, online_mib, archived_mib; /* sent, by source */
    double lag_mib, worst_lag_mib;               /* written, not yet sent */
    double worst_age_s; /* of the oldest redo not yet sent: what a failover would lose */
    int64_t behind_s;   /* seconds that ended with more lag than the buffer holds */
    double catch_up_s;  /* from the end of an outage until the lag is within the buffer, the
                           worst; INFINITY = not within the series; NaN = no outage */
    /* working state */
    struct redo_cursor sent_to;
    double want_mib;
    int source;
    int64_t recovering_since_s;
};

struct redo_sim_result {
    int64_t seconds, log_switches;
    double generated_mib, written_mib, backlog_mib; /* backlog: at the end */
    double archived_mib, unarchived_mib, current_log_mib;
    double buffer_mib, online_mib, archive_read_mib; /* sent to all standbys */
    double redo_max_mibps, archive_max_mibps;        /* device load of the two groups */
    int64_t redo_ceiling_s, archive_ceiling_s;       /* seconds with demand above the ceiling */
    int64_t stalled_s;                               /* seconds that ended with a backlog */
    int64_t log_wait_s;                       /* of these with no free log: archiving needed */
    double worst_backlog_mib, worst_delay_ms; /* of redo waiting for LGWR */
    double worst_unarchived_mib;
    double worst_lag_mib, worst_age_s, catch_up_s; /* worst of all standbys */
    int64_t archive_full_at_s;                     /* first second without room; UNKNOWN = never */
};

/* sent has room for one element per standby and is overwritten; no memory is allocated.
 * ERR_USAGE for a figure that is not finite where it must be or negative; ERR_LIMIT beyond 366
 * days. */
int redo_sim_run(const struct redo_sim_config *c, const struct redo_run *runs, size_t n_runs,
                 const struct redo_sim_standby *standbys, size_t n_standbys,
                 const struct redo_outage *outages, size_t n_outages, struct redo_sim_sent *sent,
                 struct redo_sim_result *out, struct err *e);

#endif
