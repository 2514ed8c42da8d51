/* models/oracle/standby_host.h - what the volumes of a standby's own host carry.
 *
 *   redo     writes R to each standby redo log member; reads R (archiver) + R (apply) + c*R for c
 *            standbys cascaded behind it (none if they are fed from memory: lower)
 *   archive  writes R + flashback; reads c*R when the cascade is not real-time, being then fed
 *            from archived logs, + R when apply is not real-time
 *   data     writes what the primary's data files are written; reads the blocks to be changed
 * A far sync instance has no data files and applies nothing.  Mirrors not included.
 * Source: Oracle's Data Guard manuals on standby redo logs and cascading.  Limits of knowledge:
 * which log apply reads, how a cascade is fed and how many blocks apply reads are a model: at most
 * one read for each block written (upper), none (lower), half (central).  At each log switch of the
 * primary a full checkpoint writes a spike. */
#ifndef MODELS_ORACLE_STANDBY_HOST_H
#define MODELS_ORACLE_STANDBY_HOST_H

#include "models/oracle/redo_load.h"

struct standby_host {
    double redo_mibps;            /* R of its source */
    double flashback_write_mibps; /* 0 when off there */
    double data_write_mibps;      /* of the primary's data files; NaN = unknown */
    int64_t cascaded;             /* standbys fed from here */
    bool far_sync;
    bool archive_apply;   /* apply is not real-time */
    bool archive_cascade; /* nor is the cascade: 11.2, or SYNC destinations */
};

struct standby_host_load {
    struct redo_group_load redo; /* of the member that is read; another one has its writes */
    struct redo_group_load archive;
    struct redo_group_load data; /* zero on a far sync instance */
};

struct standby_host_load standby_host_load(const struct standby_host *h);

#endif
