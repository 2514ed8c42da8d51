/* planner/replay/replay_host.h - the instance of a replay and its EBS cards: what the groups share.
 */
#ifndef PLANNER_REPLAY_REPLAY_HOST_H
#define PLANNER_REPLAY_REPLAY_HOST_H

#include "planner/replay/replay_lane.h"

enum { HOST_MIB, HOST_REQUESTS, HOST_DIMENSIONS };
/* The instance's two ceilings, then those of each card. */
enum { HOST_RESOURCES = HOST_DIMENSIONS * (1 + REPLAY_CARDS_MAX) };

struct host {
    /* ceilings */
    double baseline[HOST_DIMENSIONS], max[HOST_DIMENSIONS], card_max[HOST_DIMENSIONS];
    double capacity[HOST_DIMENSIONS]; /* REPLAY_BURST_CREDITS */
    size_t n_cards;                   /* 0 below two */
    enum replay_burst burst;
    bool bursts;
    /* state */
    double credits[HOST_DIMENSIONS]; /* REPLAY_BURST_CREDITS */
    double left_s, period_end_s;     /* REPLAY_BURST_MINUTES; infinite before the first burst */
    /* of this step */
    double used[HOST_RESOURCES];
    bool full[HOST_RESOURCES], contended;
    double empty_s[HOST_DIMENSIONS];

    double capacity_mib, capacity_requests;
    /* asked, served, backlog at the end, delay and utilisation are made of the lanes' */
    struct replay_result result;
};

void host_take(struct host *h, const struct replay_instance *i);
/* Begins the next 24 hours when they are due. */
void host_renew(struct host *h, double now_s);
/* The soonest that can be. */
double host_renewal_s(const struct host *h, double now_s);

/* Whether uses up to these bind nothing, without a burst. */
bool host_never_binds(const struct host *h, const double use[HOST_RESOURCES]);
/* Whether constant uses for dt bind nothing; the burst may help. */
bool host_keeps_up(const struct host *h, const double use[HOST_RESOURCES], double dt);
/* dt of what host_keeps_up or, with the mean use, host_never_binds. */
void host_pass(struct host *h, const double use[HOST_RESOURCES], double now_s, double dt);
/* Whether demand is above the ceilings while what is served stays below the baseline. */
void host_note_demand(struct host *h, const double in[HOST_RESOURCES], double dt);
void host_note_throttled(struct host *h, double now_s, double dt);
/* Adds a lane at m MiB/s and q requests/s. */
static inline void host_add_use(const struct host *h, const struct lane *l, double mibps,
                                double iops, double use[HOST_RESOURCES])
{
    use[HOST_MIB] += mibps;
    use[HOST_REQUESTS] += iops;
    for (size_t c = 0; c < REPLAY_CARDS_MAX && c < h->n_cards; c++) {
        use[HOST_DIMENSIONS * (1 + c) + HOST_MIB] += mibps * l->card_share[c];
        use[HOST_DIMENSIONS * (1 + c) + HOST_REQUESTS] += iops * l->card_share[c];
    }
}

/* Lowers the lanes' speed to what the instance and its cards allow.  Order holds all lanes, and
 * is then oldest first; scratch has room for n. */
void host_share(struct host *h, struct lane **order, size_t n, struct lane **scratch);
/* After host_share: until a lane's head is as old as that of the next; infinite. */
double host_meet_s(const struct host *h, struct lane *const *order, size_t n);
/* After the lanes advanced: heads of the same age but for rounding are of the same age. */
void host_meet(const struct host *h, struct lane *const *order, size_t n);
/* After host_share: until a burst ends; infinite. */
double host_event_s(struct host *h);
/* Before the lanes advance; in: what they ask for. */
void host_advance(struct host *h, const struct lane *lanes, size_t n,
                  const double in[HOST_RESOURCES], double now_s, double step);
void host_note_backlog(struct host *h, double backlog_mib, double at_s);
/* What the burst has left: seconds or MiB; NaN without. */
double host_burst_left(const struct host *h);

#endif
