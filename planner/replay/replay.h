/* planner/replay/replay.h - a demand pushed through every ceiling at once, backlog carried on.
 *
 * Fluid model.  Demand is constant over an interval; what is not served at once waits.  All that
 * waits is served in order of arrival, over all groups, so MiB and counted requests of what waits
 * are served in the proportion they came.
 * A group is served at the largest speed that all ceilings allow:
 *   volumes    MiB/s and counted IOPS of the group: the hottest volume's times volumes / skew
 *   credits    gp2: requests, earned all the time; st1 and sc1: MiB, not earned while bursting.
 *              Empty, the group is served what it earns
 *   card       each EBS card, by the share of the group's volumes on it
 *   instance   maximum while its burst lasts, then baseline
 * A full card or instance holds all its groups back alike; only what is older goes first, as fast
 * as its own volumes let it.
 *
 * Within an interval rates change only when a bucket empties, a backlog is gone or the group
 * reaches what arrived in another interval.  The replay goes from one such event to the next, so
 * its figures are exact and cutting an interval in two changes nothing.  A ceiling counts 1e-9
 * larger than given: a demand equal to it is not throttled by rounding.
 *
 * Instance burst.  AWS: "maximum performance for 30 minutes at least once every 24 hours", no rule
 * for refill.  REPLAY_BURST_MINUTES, the lower bound: 30 minutes above either baseline in each
 * 24 hours, counted from the first such second.  REPLAY_BURST_CREDITS, the upper: a bucket each for
 * MB and requests that holds 30 minutes at full burst above the baseline, refilled by what the
 * instance leaves of its baseline. */
#ifndef PLANNER_REPLAY_REPLAY_H
#define PLANNER_REPLAY_REPLAY_H

#include "models/core/arena.h"
#include "models/core/err.h"

#include <stdbool.h>
#include <stddef.h>

#define REPLAY_CEILING_TABLE(X)                                                                    \
    X(REPLAY_NONE, "none")                                                                         \
    X(REPLAY_VOLUME_THROUGHPUT, "volume_throughput")                                               \
    X(REPLAY_VOLUME_IOPS, "volume_iops")                                                           \
    X(REPLAY_VOLUME_CREDITS, "volume_credits") /* empty: held to what they earn */                 \
    X(REPLAY_CARD_THROUGHPUT, "card_throughput")                                                   \
    X(REPLAY_CARD_IOPS, "card_iops")                                                               \
    X(REPLAY_INSTANCE_THROUGHPUT, "instance_throughput")                                           \
    X(REPLAY_INSTANCE_IOPS, "instance_iops")                                                       \
    X(REPLAY_BASELINE_THROUGHPUT, "instance_baseline_throughput") /* its burst is used up */       \
    X(REPLAY_BASELINE_IOPS, "instance_baseline_iops")

enum replay_ceiling {
#define X(name, text) name,
    REPLAY_CEILING_TABLE(X)
#undef X
        REPLAY_CEILING_COUNT
};
const char *replay_ceiling_name(enum replay_ceiling c);

enum { REPLAY_CARDS_MAX = 4, REPLAY_GROUPS_MAX = 1024 };

/* Ceilings of one group, as if it were one volume.  NaN = no such ceiling. */
struct replay_group {
    double max_throughput_mibps;
    double max_iops;         /* while there are credits */
    double credits;          /* capacity, in counted requests; full at the start; NaN = no bucket */
    double earn_iops;        /* what is earned, and served when they are used up */
    double requests_per_mib; /* no MiB counts fewer: 4 for SSD, 1 for HDD */
    bool earns_while_bursting;
    double card_share[REPLAY_CARDS_MAX]; /* of its volumes; not used below two cards */
};

enum replay_burst { REPLAY_BURST_MINUTES, REPLAY_BURST_CREDITS };

/* NaN = not known, no such ceiling; baseline equal maximum = no burst. */
struct replay_instance {
    double baseline_mibps, max_mibps; /* MiB/s, not the MB/s of the EC2 API */
    double baseline_iops, max_iops;
    enum replay_burst burst;
    size_t n_cards; /* 2 and more: each has max / n_cards */
};

/* Ceilings that hold from a time on; the first ones from the start, whatever their time. */
struct replay_era {
    double from_s;
    const struct replay_group *groups;
    struct replay_instance instance;
};

/* What the caller wants to know of each interval; NULL = not. */
struct replay_trace {
    double *served_mibps;   /* mean */
    double *backlog_mib;    /* at its end, and so below */
    double *delay_ms;       /* age of the oldest that waits */
    double *credits;        /* of the volumes; of the instance: MiB above the baseline, or s left */
    unsigned char *binding; /* enum replay_ceiling: longest in the interval */
};

struct replay_block {
    size_t n;
    const double *edge_s; /* n + 1, ascending; NULL = n times step_s from where the replay is */
    double step_s;
    const double *const *total_mibps;  /* [group][interval]; NaN = not measured: nothing asked */
    const double *const *counted_iops; /* NaN = as few as total_mibps may count */
    const struct replay_trace *group_traces; /* NULL, or one a group */
    const struct replay_trace *instance_trace;
};

/* Of a group; of the instance: sums over groups, and when any of them waited. */
struct replay_result {
    double replayed_s;
    double unmeasured_s; /* of it; of the instance: nothing measured in any group */
    double throttled_s;  /* backlog, or demand above a ceiling */
    double over_s; /* demand alone above the ceilings in force: of a group its volumes', of the
                      instance its own and its cards' */
    double first_throttled_s; /* time; NaN = never */
    double worst_backlog_mib, worst_backlog_at_s;
    double worst_delay_ms;                     /* longest wait of what was served, or waits still */
    double asked_mib, served_mib, backlog_mib; /* asked = served + backlog at the end */
    double asked_requests, served_requests, backlog_requests;
    double throughput_utilisation_pct, iops_utilisation_pct; /* served of what the ceilings in force
                                                                would have let through; NaN */
    double credits, lowest_credits; /* as in replay_trace; NaN = no bucket */
    double empty_at_s;              /* first time without; NaN = never */
    /* Of a group they add up to throttled_s; of the instance: card and instance held a group. */
    double binding_s[REPLAY_CEILING_COUNT];
};

struct replay;

/* Eras are borrowed, ascending, at least one.  Everything lives in a; feeding allocates nothing.
 * ERR_NOMEM; ERR_LIMIT beyond REPLAY_GROUPS_MAX groups. */
int replay_open(size_t n_groups, const struct replay_era *eras, size_t n_eras, struct arena *a,
                struct replay **out, struct err *e);
/* Begins anew at 0 s, everything full, under other ceilings for as many groups. */
void replay_restart(struct replay *r, const struct replay_era *eras, size_t n_eras);
/* Time that edge_s leaves out before the block counts as not measured.  Intervals that end before
 * where the replay is are left out. */
void replay_feed(struct replay *r, const struct replay_block *b);
/* So far; feeding may go on. */
void replay_group_result(const struct replay *r, size_t group, struct replay_result *out);
void replay_instance_result(const struct replay *r, struct replay_result *out);
double replay_now_s(const struct replay *r);
/* Times that a backlog of very many intervals was thinned out: pairs of them became one. */
size_t replay_thinned(const struct replay *r);

#endif
