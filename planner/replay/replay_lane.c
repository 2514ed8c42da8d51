/* planner/replay/replay_lane.c - see replay_lane.h.
 *
 * Speed is in seconds of arrival per second: 1 keeps up, below 1 the group falls behind, above 1
 * it catches up.  With the head arriving at m MiB/s and q requests/s, volumes of T MiB/s and I
 * IOPS serve it at min(T / m, I / q).  lag is the length of all that waits: the age of its head. */
#include "planner/replay/replay_lane.h"

#include "models/core/unit.h"

#include <math.h>

static const double tolerance = 1 + 1e-9;
/* Groups that wait together reach the end of an interval together, but for rounding. */
static const double same_moment_s = 1e-12;
static const double requests_per_mib_max = 256; /* of 4 KiB; any more is not believed */
static const double speed_max = 1e18; /* of what is hardly a load: keeps products finite */

double lane_ceiling(double v)
{
    return isnan(v) || v >= LANE_NO_CEILING ? LANE_NO_CEILING : fmax(v, 0) * tolerance;
}

/* v from 0 to most; 0 for NaN. */
static double within(double v, double most)
{
    return v > 0 ? fmin(v, most) : 0;
}

void lane_take(struct lane *l, const struct replay_group *g)
{
    bool had_bucket = l->has_bucket;
    l->max_mibps = lane_ceiling(g->max_throughput_mibps);
    l->max_iops = lane_ceiling(g->max_iops);
    l->earn_iops = lane_ceiling(g->earn_iops);
    l->capacity = g->credits;
    l->has_bucket = g->credits >= 0 && l->earn_iops < l->max_iops;
    l->earns_while_bursting = g->earns_while_bursting;
    l->requests_per_mib = within(g->requests_per_mib, requests_per_mib_max);
    for (size_t c = 0; c < REPLAY_CARDS_MAX; c++)
        l->card_share[c] = within(g->card_share[c], 1);
    l->aimed = false;
    l->credits = had_bucket ? fmin(l->credits, l->capacity) : l->capacity;
    if (l->has_bucket)
        l->result.lowest_credits = fmin(l->result.lowest_credits, l->credits);
}

/* --- the queue -------------------------------------------------------------------------------- */

static struct parcel *parcel_at(const struct lane *l, size_t i)
{
    return &l->queue[(l->first + i) & (LANE_QUEUE - 1)];
}

static bool is_arriving(const struct lane *l, const struct parcel *p)
{
    return p->mibps == l->in_mibps && p->iops == l->in_iops;
}

/* Two neighbours become one of their mean rates: half the detail, the same MiB and requests. */
static void thin_out(struct lane *l)
{
    for (size_t i = 0; i < l->n_queued / 2; i++) {
        struct parcel a = *parcel_at(l, 2 * i), b = *parcel_at(l, 2 * i + 1);
        double length_s = a.length_s + b.length_s;
        double share = length_s > 0 ? b.length_s / length_s : 0;
        *parcel_at(l, i) = (struct parcel){ a.mibps + (b.mibps - a.mibps) * share,
                                            a.iops + (b.iops - a.iops) * share, length_s };
    }
    l->n_queued /= 2;
    l->n_thinned++;
}

/* Makes room for the one parcel that an interval may add. */
void lane_arrive(struct lane *l, double total_mibps, double counted_iops)
{
    bool iops_known = counted_iops >= 0 && counted_iops <= LANE_RATE_MAX;
    l->aimed = false;
    if (l->n_queued == LANE_QUEUE)
        thin_out(l);
    l->measured = total_mibps >= 0 && total_mibps <= LANE_RATE_MAX;
    l->in_mibps = l->measured ? total_mibps : 0;
    l->in_iops = l->in_mibps * l->requests_per_mib;
    if (l->measured && iops_known && counted_iops > l->in_iops)
        l->in_iops = counted_iops;
}

static void append_arrival(struct lane *l, double step)
{
    struct parcel *tail = l->n_queued ? parcel_at(l, l->n_queued - 1) : NULL;
    if (tail && is_arriving(l, tail)) {
        tail->length_s += step;
        return;
    }
    l->aimed &= l->n_queued > 0;
    *parcel_at(l, l->n_queued++) = (struct parcel){ l->in_mibps, l->in_iops, step };
}

static void drop_head(struct lane *l)
{
    l->lag_s = larger_of(l->lag_s - parcel_at(l, 0)->length_s, 0);
    l->first = (l->first + 1) & (LANE_QUEUE - 1);
    l->n_queued--;
    l->aimed = false;
}

/* What rounding left of it counts as served. */
static void drop_served_head(struct lane *l)
{
    const struct parcel *head = parcel_at(l, 0);
    double mib = head->length_s * head->mibps, requests = head->length_s * head->iops;
    l->result.served_mib += mib;
    l->result.served_requests += requests;
    l->backlog_mib = larger_of(l->backlog_mib - mib, 0);
    l->backlog_requests = larger_of(l->backlog_requests - requests, 0);
    drop_head(l);
}

/* Time without load takes no time to serve. */
static void drop_idle(struct lane *l)
{
    while (l->n_queued && parcel_at(l, 0)->iops <= 0 && parcel_at(l, 0)->mibps <= 0)
        drop_head(l);
    if (!l->n_queued)
        l->lag_s = l->backlog_mib = l->backlog_requests = 0;
}

/* --- a group that keeps up -------------------------------------------------------------------- */

bool lane_keeps_up(const struct lane *l, double dt)
{
    if (l->n_queued || l->in_mibps > l->max_mibps || l->in_iops > l->max_iops)
        return false;
    if (!l->has_bucket || l->in_iops <= l->earn_iops)
        return true;
    double spend = l->earns_while_bursting ? l->in_iops - l->earn_iops : l->in_iops;
    return l->credits - spend * dt > 0;
}

static double credits_per_s(const struct lane *l, double served_iops)
{
    if (served_iops <= l->earn_iops || l->earns_while_bursting)
        return l->earn_iops - served_iops;
    return -served_iops;
}

static void credits_move(struct lane *l, double change)
{
    bool were_gone = l->credits <= 0;
    l->credits = larger_of(lesser_of(l->credits + change, l->capacity), 0);
    if (were_gone != (l->credits <= 0))
        l->aimed = false;
    l->result.lowest_credits = lesser_of(l->result.lowest_credits, l->credits);
}

void lane_pass(struct lane *l, double dt)
{
    struct replay_result *r = &l->result;
    if (l->has_bucket)
        credits_move(l, credits_per_s(l, l->in_iops) * dt);
    r->replayed_s += dt;
    r->unmeasured_s += l->measured ? 0 : dt;
    r->asked_mib += l->in_mibps * dt;
    r->served_mib += l->in_mibps * dt;
    r->asked_requests += l->in_iops * dt;
    r->served_requests += l->in_iops * dt;
    l->capacity_mib += l->max_mibps * dt;
    l->capacity_requests += l->max_iops * dt;
}

/* --- a step ----------------------------------------------------------------------------------- */

static void aim(struct lane *l)
{
    const struct parcel *head = l->n_queued ? parcel_at(l, 0) : NULL;
    l->head_mibps = head ? head->mibps : l->in_mibps;
    l->head_iops = head ? head->iops : l->in_iops;
    bool empty = l->has_bucket && l->credits <= 0;
    double iops = empty ? l->earn_iops : l->max_iops;
    double by_mibps = l->head_mibps > 0 ? l->max_mibps / l->head_mibps : INFINITY;
    double by_iops = l->head_iops > 0 ? iops / l->head_iops : INFINITY;
    l->want = lesser_of(lesser_of(by_mibps, by_iops), speed_max);
    if (by_mibps <= by_iops * tolerance)
        l->own_binding = REPLAY_VOLUME_THROUGHPUT;
    else
        l->own_binding = empty ? REPLAY_VOLUME_CREDITS : REPLAY_VOLUME_IOPS;
    if (!head && l->want >= 1) {
        l->want = 1;
        l->own_binding = REPLAY_NONE;
    }
    l->want_mibps = l->want * l->head_mibps;
    l->want_iops = l->want * l->head_iops;
    l->aimed = true;
}

void lane_aim(struct lane *l)
{
    if (!l->aimed)
        aim(l);
    l->speed = l->want;
    l->binding = l->own_binding;
}

/* Served exactly what an empty bucket earns. */
static bool lives_on_earnings(const struct lane *l)
{
    return l->binding == REPLAY_VOLUME_CREDITS;
}

double lane_event_s(struct lane *l)
{
    l->pop_s = l->empty_s = INFINITY;
    if (l->n_queued) {
        const struct parcel *head = parcel_at(l, 0);
        bool grows = l->n_queued == 1 && is_arriving(l, head);
        double shrinks = grows ? l->speed - 1 : l->speed;
        if (shrinks > 0)
            l->pop_s = head->length_s / shrinks;
    }
    if (l->has_bucket && l->credits > 0) {
        double rate = credits_per_s(l, l->speed * l->head_iops);
        if (rate < 0)
            l->empty_s = l->credits / -rate;
    }
    return lesser_of(l->pop_s, l->empty_s);
}

static void serve(struct lane *l, double step)
{
    struct replay_result *r = &l->result;
    double served_mib = l->speed * l->head_mibps * step;
    double served_requests = l->speed * l->head_iops * step;
    r->asked_mib += l->in_mibps * step;
    r->asked_requests += l->in_iops * step;
    r->served_mib += served_mib;
    r->served_requests += served_requests;
    l->backlog_mib = larger_of(l->backlog_mib + l->in_mibps * step - served_mib, 0);
    l->backlog_requests = larger_of(l->backlog_requests + l->in_iops * step - served_requests, 0);
    l->lag_s = larger_of(l->lag_s + (1 - l->speed) * step, 0);
    append_arrival(l, step);
    struct parcel *head = parcel_at(l, 0);
    head->length_s -= l->speed * step;
}

void lane_advance(struct lane *l, double now_s, double step)
{
    struct replay_result *r = &l->result;
    bool held = lane_is_held(l), on_earnings = lives_on_earnings(l);
    double iops = on_earnings ? l->earn_iops : l->max_iops;
    if (l->in_mibps > l->max_mibps || l->in_iops > iops)
        r->over_s += step;
    if (!held) {
        lane_pass(l, step);
    } else {
        r->replayed_s += step;
        r->unmeasured_s += l->measured ? 0 : step;
        l->capacity_mib += l->max_mibps * step;
        l->capacity_requests += iops * step;
        r->throttled_s += step;
        r->binding_s[l->binding] += step;
        if (isnan(r->first_throttled_s))
            r->first_throttled_s = now_s;
        if (l->has_bucket && !on_earnings)
            credits_move(l, credits_per_s(l, l->speed * l->head_iops) * step);
        serve(l, step);
        if (step + same_moment_s >= l->pop_s || parcel_at(l, 0)->length_s <= 0)
            drop_served_head(l);
        r->worst_delay_ms = larger_of(r->worst_delay_ms, l->lag_s * 1000);
        drop_idle(l);
        if (l->backlog_mib > r->worst_backlog_mib) {
            r->worst_backlog_mib = l->backlog_mib;
            r->worst_backlog_at_s = now_s + step;
        }
    }
    if (step >= l->empty_s)
        credits_move(l, -l->credits);
    if (l->has_bucket && l->credits <= 0 && isnan(r->empty_at_s))
        r->empty_at_s = now_s + step;
}
