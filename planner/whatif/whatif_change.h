/* planner/whatif/whatif_change.h - one change of a what-if, as it is asked for on the command line
 * or in a dated phase.
 *
 *   add-standby NAME[:send=MIB/S,rtt=MS,window=KIB,apply=MIB/S,mode=async|sync|fastsync,via=NAME]
 *   drop-standby NAME       cascade NAME=VIA        farsync NAME[:rtt=MS,via=NAME]
 *   standbys N              role-swap NAME          redo-block 512|1024|4096
 *   members N               growth PCT              redundancy GROUP=external|normal|high
 *   instance TYPE           phase DATE:CHANGE...    (each "--name value", blanks between)
 *   merge-loss [GROUP][:DISKS,merged=PCT]           split KIB
 *   rman START,HOURS,MIB/S[,GROUP]                  restore START,HOURS,MIB/S[,GROUP]
 *   shift GROUP=HOURS
 *
 * START is HH:MM, every day, or a date and time, once; UTC unless it says otherwise. */
#ifndef PLANNER_WHATIF_WHATIF_CHANGE_H
#define PLANNER_WHATIF_WHATIF_CHANGE_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/span.h"
#include "models/oracle/redo_transport.h"

#include <stdbool.h>

enum whatif_kind {
    WHATIF_ADD_STANDBY,
    WHATIF_DROP_STANDBY,
    WHATIF_CASCADE,
    WHATIF_FAR_SYNC,
    WHATIF_STANDBYS,
    WHATIF_ROLE_SWAP,
    WHATIF_REDO_BLOCK,
    WHATIF_MEMBERS,
    WHATIF_GROWTH,
    WHATIF_REDUNDANCY,
    WHATIF_INSTANCE,
    WHATIF_MERGE_LOSS,
    WHATIF_SPLIT,
    WHATIF_RMAN,
    WHATIF_RESTORE,
    WHATIF_SHIFT,
    WHATIF_PHASE,
    WHATIF_KINDS
};
const char *whatif_kind_name(enum whatif_kind k); /* "add-standby" */

struct whatif_change {
    enum whatif_kind kind;
    const char *text; /* "add-standby dr3:send=60" */
    const char *name; /* standby, group or instance type; NULL = none, or every group */
    const char *via;  /* NULL = the primary */
    enum redo_mode mode;
    double send_mibps, rtt_ms, window_kib, apply_mibps; /* NaN = not known */
    int64_t whole; /* standbys, members, bytes; disks that lose their merges, UNKNOWN = all */
    double pct;    /* of a merge loss: of the merges that are left */
    double request_kib;
    int64_t start_ms; /* of a window; daily: since midnight */
    bool daily;
    double hours, window_mibps;
    enum redundancy redundancy;
    int64_t from_ms;                     /* of a phase */
    const struct whatif_change *changes; /* of a phase */
    size_t n_changes;
};

/* name without its dashes.  ERR_USAGE says what was expected; ERR_NOMEM. */
int whatif_change_parse(struct span name, struct span value, struct arena *a,
                        struct whatif_change *out, struct err *e);
/* Those of a phase: "--standbys 12 --growth 10"; there may be none. */
int whatif_changes_parse(struct span text, struct arena *a, const struct whatif_change **out,
                         size_t *out_n, struct err *e);

#endif
