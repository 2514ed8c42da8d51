/* planner/replay/replay_lane.h - one group of a replay: its ceilings, what waits, its credits.
 *
 * What waits is a queue of parcels, one an interval (equal neighbours are one).  A step is a time
 * in which nothing changes its rate:
 *
 *     lane_aim      what is served now, and how fast the group's own ceilings let it
 *     (caller)      may lower lane.speed: several groups share an instance
 *     lane_event_s  how long that holds
 *     lane_advance  so far */
#ifndef PLANNER_REPLAY_REPLAY_LANE_H
#define PLANNER_REPLAY_REPLAY_LANE_H

#include "planner/replay/replay.h"

/* TUNING: power of two.  2 h of 1 s samples in full detail; then pairs of parcels become one. */
enum { LANE_QUEUE = 8192 };

/* No ceiling: a number that no demand reaches and that divides well. */
#define LANE_NO_CEILING 1e15
/* Larger demands are not believed. */
#define LANE_RATE_MAX 1e12

/* What arrived at these rates in length_s. */
struct parcel {
    double mibps, iops, length_s;
};

/* A ceiling as lanes and host keep it, a touch higher: what is asked for exactly is carried. */
double lane_ceiling(double v);

struct lane {
    /* ceilings */
    double max_mibps, max_iops, earn_iops, capacity, requests_per_mib;
    bool has_bucket, earns_while_bursting;
    double card_share[REPLAY_CARDS_MAX];
    /* state */
    double credits;
    double lag_s; /* age of the head; 0 when nothing waits */
    double backlog_mib, backlog_requests;
    struct parcel *queue;
    size_t first, n_queued, n_thinned;
    /* arriving in this interval */
    double in_mibps, in_iops;
    bool measured;
    /* of this step; what lane_aim finds holds while the head and the state of credits do */
    bool aimed;
    enum replay_ceiling own_binding;
    double head_mibps, head_iops; /* what is served, per unit of speed */
    double want;                  /* seconds of arrival served in a second, and so speed */
    double want_mibps, want_iops; /* at that */
    double speed;
    enum replay_ceiling binding; /* REPLAY_NONE while the group keeps up */
    double pop_s, empty_s;       /* until the head is served, the bucket empty; infinite */
    double from_s, step_s, to_s; /* where lanes step apart from each other: replay_wait.c */

    double capacity_mib, capacity_requests; /* what the ceilings in force let through */
    struct replay_result result;
};

/* fmin and fmax are calls; neither argument may be NaN. */
static inline double lesser_of(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger_of(double a, double b)
{
    return a > b ? a : b;
}

/* Ceilings of an era.  A bucket that the group had keeps its level, a new one is full. */
void lane_take(struct lane *l, const struct replay_group *g);
/* Sets in_ and measured from what a caller gave, which may be anything. */
void lane_arrive(struct lane *l, double total_mibps, double counted_iops);

/* Whether nothing waits and nothing of the coming dt will have to. */
bool lane_keeps_up(const struct lane *l, double dt);
/* dt of an interval that lane_keeps_up. */
void lane_pass(struct lane *l, double dt);

void lane_aim(struct lane *l);
/* Falling behind, or behind. */
static inline bool lane_is_held(const struct lane *l)
{
    return l->n_queued || l->speed < 1;
}

double lane_event_s(struct lane *l);
/* step is at most lane_event_s. */
void lane_advance(struct lane *l, double now_s, double step);

#endif
