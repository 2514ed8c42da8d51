/* planner/replay/replay_wait.c - see replay_wait.h.
 *
 * Times are from the start of the interval: as times of the replay they would be too coarse for
 * what a head has left. */
#include "planner/replay/replay_wait.h"

#include <math.h>

/* All lanes together, at a time. */
struct waiting {
    size_t n_held;
    double backlog_mib, grows_mibps;
};

static double grows_mibps(const struct lane *l)
{
    return lane_is_held(l) ? l->in_mibps - l->speed * l->head_mibps : 0;
}

/* Up to the lane's next event; the last one is the end. */
static void set_out(struct lane *l, double from_s, double dt, struct waiting *all)
{
    lane_aim(l);
    double event_s = lane_event_s(l), left_s = dt - from_s;
    bool ends = event_s >= left_s;
    l->from_s = from_s;
    l->step_s = ends ? left_s : event_s;
    l->to_s = ends ? dt : from_s + event_s;
    all->n_held += lane_is_held(l);
    all->grows_mibps += grows_mibps(l);
}

static struct lane *first_to_arrive(struct lane *const *lanes, size_t n)
{
    struct lane *first = lanes[0];
    for (size_t i = 1; i < n; i++)
        if (lanes[i]->to_s < first->to_s)
            first = lanes[i];
    return first;
}

static void arrive(struct lane *l, double now_s, double dt, struct waiting *all, double *use)
{
    all->n_held -= lane_is_held(l);
    all->grows_mibps -= grows_mibps(l);
    use[HOST_MIB] += (l->speed * l->head_mibps - l->in_mibps) * (l->step_s / dt);
    use[HOST_REQUESTS] += (l->speed * l->head_iops - l->in_iops) * (l->step_s / dt);
    lane_advance(l, now_s + l->from_s, l->step_s);
}

void wait_step(struct host *h, struct lane *const *lanes, size_t n, double now_s, double dt,
               double use[HOST_DIMENSIONS])
{
    struct waiting all = { 0 };
    double at_s = 0;
    for (size_t i = 0; i < n; i++) {
        all.backlog_mib += lanes[i]->backlog_mib;
        set_out(lanes[i], 0, dt, &all);
    }
    for (size_t n_under_way = n; n_under_way;) {
        struct lane *l = first_to_arrive(lanes, n);
        double to_s = l->to_s;
        if (all.n_held)
            host_note_throttled(h, now_s + at_s, to_s - at_s);
        all.backlog_mib += all.grows_mibps * (to_s - at_s);
        at_s = to_s;
        host_note_backlog(h, all.backlog_mib, now_s + at_s);
        arrive(l, now_s, dt, &all, use);
        if (at_s < dt) {
            set_out(l, at_s, dt, &all);
        } else {
            l->to_s = INFINITY;
            n_under_way--;
        }
    }
}
