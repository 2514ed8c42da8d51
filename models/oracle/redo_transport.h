/* models/oracle/redo_transport.h - how fast redo goes to a standby, what network it takes, and
 * what a synchronous one adds to a commit. */
#ifndef MODELS_ORACLE_REDO_TRANSPORT_H
#define MODELS_ORACLE_REDO_TRANSPORT_H

#include "models/oracle/redo_load.h"
#include "models/vocab/layout.h"

enum redo_mode { REDO_ASYNC, REDO_SYNC, REDO_FASTSYNC };

const char *redo_mode_name(enum redo_mode m);
/* "async" "sync" "fastsync"; NULL is async.  Non-zero for another word. */
int redo_mode_parse(const char *name, enum redo_mode *out);

/* The least of what is known of link, TCP window / round trip, and apply; NaN when nothing is. */
double redo_send_mibps(const struct layout_standby *s);

/* Mbit/s to plan for: R bytes/s / efficiency * 8 / 1e6.  efficiency is 0.7 in the 2015 copy of MOS
 * 736755.1 (REDO_NETWORK_EFFICIENCY), 0.75 in later ones, 1/1.3 elsewhere. */
#define REDO_NETWORK_EFFICIENCY 0.7
double redo_network_mbps(double redo_mibps, double efficiency);

/* Milliseconds added to a commit.  ASYNC: none.  FASTSYNC waits for the round trip, SYNC for the
 * round trip and the standby's write.  Since 11.2 LGWR writes locally meanwhile: lower and central
 * are less the local write, at least 0; upper is one after the other.
 * Limits: from recollection, not from a document; queueing on a full link is redo_sim.h's. */
struct redo_range redo_commit_added_ms(enum redo_mode m, double rtt_ms, double standby_write_ms,
                                       double local_write_ms);

#endif
