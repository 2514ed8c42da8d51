/* planner/replay/replay_host.c - see replay_host.h.
 *
 * Sharing.  What waits is served in order of arrival, whatever group it is of: the lane with the
 * oldest head has what its own ceilings let it, then the next.  Lanes whose heads are of the same
 * age, and so all that keep up, go at one speed, each at most at its own: they are served in
 * proportion to what they were asked for.  When a ceiling is full everyone left who uses it
 * stays. */
#include "planner/replay/replay_host.h"

#include <math.h>
#include <string.h>

static const double burst_s = 30 * 60, period_s = 24 * 3600;
/* Sums of several lanes meet their ceiling within this. */
static const double rounding = 1e-12;

static double max_of(const struct host *h, size_t k)
{
    return k < HOST_DIMENSIONS ? h->max[k] : h->card_max[k % HOST_DIMENSIONS];
}

void host_take(struct host *h, const struct replay_instance *i)
{
    bool had_burst = h->bursts && h->burst == i->burst;
    h->max[HOST_MIB] = lane_ceiling(i->max_mibps);
    h->max[HOST_REQUESTS] = lane_ceiling(i->max_iops);
    h->baseline[HOST_MIB] = lane_ceiling(i->baseline_mibps);
    h->baseline[HOST_REQUESTS] = lane_ceiling(i->baseline_iops);
    h->burst = i->burst;
    h->n_cards = i->n_cards < 2 ? 0 : i->n_cards;
    if (h->n_cards > REPLAY_CARDS_MAX)
        h->n_cards = REPLAY_CARDS_MAX;
    h->bursts = false;
    for (int d = 0; d < HOST_DIMENSIONS; d++) {
        h->baseline[d] = fmin(h->baseline[d], h->max[d]);
        h->card_max[d] = h->n_cards ? h->max[d] / (double)h->n_cards : LANE_NO_CEILING;
        h->capacity[d] = (h->max[d] - h->baseline[d]) * burst_s;
        h->credits[d] = had_burst ? fmin(h->credits[d], h->capacity[d]) : h->capacity[d];
        h->bursts |= h->baseline[d] < h->max[d];
    }
    if (!had_burst) {
        h->left_s = burst_s;
        h->period_end_s = INFINITY;
    }
    if (h->bursts)
        h->result.lowest_credits = fmin(h->result.lowest_credits, host_burst_left(h));
}

void host_renew(struct host *h, double now_s)
{
    if (now_s < h->period_end_s)
        return;
    h->left_s = burst_s;
    h->period_end_s += period_s * (floor((now_s - h->period_end_s) / period_s) + 1);
}

double host_renewal_s(const struct host *h, double now_s)
{
    if (!h->bursts || h->burst != REPLAY_BURST_MINUTES)
        return INFINITY;
    return isinf(h->period_end_s) ? now_s + period_s : h->period_end_s;
}

double host_burst_left(const struct host *h)
{
    if (!h->bursts)
        return NAN;
    return h->burst == REPLAY_BURST_MINUTES ? h->left_s : h->credits[HOST_MIB];
}

static bool burst_is_over(const struct host *h, int d)
{
    if (h->baseline[d] >= h->max[d])
        return false;
    return h->burst == REPLAY_BURST_MINUTES ? h->left_s <= 0 : h->credits[d] <= 0;
}

static double ceiling_in_force(const struct host *h, size_t k)
{
    return k < HOST_DIMENSIONS && burst_is_over(h, (int)k) ? h->baseline[k] : max_of(h, k);
}

static size_t n_resources(const struct host *h)
{
    return HOST_DIMENSIONS * (1 + h->n_cards);
}

static enum replay_ceiling name_of(const struct host *h, size_t k)
{
    bool requests = k % HOST_DIMENSIONS == HOST_REQUESTS;
    if (k >= HOST_DIMENSIONS)
        return requests ? REPLAY_CARD_IOPS : REPLAY_CARD_THROUGHPUT;
    if (burst_is_over(h, (int)k))
        return requests ? REPLAY_BASELINE_IOPS : REPLAY_BASELINE_THROUGHPUT;
    return requests ? REPLAY_INSTANCE_IOPS : REPLAY_INSTANCE_THROUGHPUT;
}

/* --- whole intervals -------------------------------------------------------------------------- */

bool host_never_binds(const struct host *h, const double use[HOST_RESOURCES])
{
    for (size_t k = 0; k < n_resources(h); k++)
        if (use[k] > (k < HOST_DIMENSIONS ? h->baseline[k] : max_of(h, k)))
            return false;
    return true;
}

static bool above_baseline(const struct host *h, const double use[HOST_DIMENSIONS])
{
    for (int d = 0; d < HOST_DIMENSIONS; d++)
        if (h->baseline[d] < h->max[d] && use[d] > h->baseline[d] * (1 + rounding))
            return true;
    return false;
}

bool host_keeps_up(const struct host *h, const double use[HOST_RESOURCES], double dt)
{
    for (size_t k = 0; k < n_resources(h); k++)
        if (use[k] > ceiling_in_force(h, k))
            return false;
    if (!h->bursts)
        return true;
    if (h->burst == REPLAY_BURST_MINUTES)
        return !above_baseline(h, use) || h->left_s > dt;
    for (int d = 0; d < HOST_DIMENSIONS; d++)
        if (use[d] > h->baseline[d] && h->credits[d] <= (use[d] - h->baseline[d]) * dt)
            return false;
    return true;
}

static void note_burst_left(struct host *h, double at_s)
{
    bool over = burst_is_over(h, HOST_MIB) || burst_is_over(h, HOST_REQUESTS);
    h->result.lowest_credits = lesser_of(h->result.lowest_credits, host_burst_left(h));
    if (over && isnan(h->result.empty_at_s))
        h->result.empty_at_s = at_s;
}

/* Constant use for dt; no bucket empties before its end. */
static void spend_burst(struct host *h, const double use[HOST_DIMENSIONS], double now_s, double dt)
{
    if (!h->bursts)
        return;
    if (h->burst == REPLAY_BURST_MINUTES) {
        if (!above_baseline(h, use))
            return;
        if (isinf(h->period_end_s))
            h->period_end_s = now_s + period_s;
        h->left_s = larger_of(h->left_s - dt, 0);
    } else {
        for (int d = 0; d < HOST_DIMENSIONS; d++) {
            double change = (h->baseline[d] - use[d]) * dt;
            h->credits[d] = larger_of(lesser_of(h->credits[d] + change, h->capacity[d]), 0);
        }
    }
    note_burst_left(h, now_s + dt);
}

void host_pass(struct host *h, const double use[HOST_RESOURCES], double now_s, double dt)
{
    bool minutes_over = h->burst == REPLAY_BURST_MINUTES && h->left_s <= 0;
    const double *ceiling = minutes_over ? h->baseline : h->max;
    h->capacity_mib += ceiling[HOST_MIB] * dt;
    h->capacity_requests += ceiling[HOST_REQUESTS] * dt;
    h->result.replayed_s += dt;
    spend_burst(h, use, now_s, dt);
}

/* --- a step ----------------------------------------------------------------------------------- */

/* What the lane uses of a ceiling, of m MiB/s and q requests/s. */
static double use_of(const struct lane *l, size_t k, double mibps, double iops)
{
    double rate = k % HOST_DIMENSIONS == HOST_MIB ? mibps : iops;
    return k < HOST_DIMENSIONS ? rate : rate * l->card_share[k / HOST_DIMENSIONS - 1];
}

/* The speed at which, all lanes alike, the first ceiling is full, and which; on a tie the
 * instance's. */
static double first_full(const struct host *h, struct lane *const *open, size_t n_open,
                         size_t *out_k)
{
    double level = INFINITY, per_speed[HOST_RESOURCES] = { 0 };
    for (size_t i = 0; i < n_open; i++)
        host_add_use(h, open[i], open[i]->head_mibps, open[i]->head_iops, per_speed);
    for (size_t k = 0; k < n_resources(h); k++) {
        double room = larger_of(ceiling_in_force(h, k) - h->used[k], 0);
        if (per_speed[k] > 0 && room < level * per_speed[k] * (1 - rounding)) {
            level = room / per_speed[k];
            *out_k = k;
        }
    }
    return level;
}

/* Lanes that want no more than this speed have it; the number that stays open. */
static size_t settle_the_satisfied(struct host *h, struct lane **open, size_t n_open, double level)
{
    size_t kept = 0;
    for (size_t i = 0; i < n_open; i++) {
        struct lane *l = open[i];
        if (l->want <= level * (1 + rounding / 10))
            host_add_use(h, l, l->want_mibps, l->want_iops, h->used);
        else
            open[kept++] = l;
    }
    return kept;
}

/* Lanes that use ceiling k stay at this speed; the number that stays open. */
static size_t settle_the_held(struct host *h, struct lane **open, size_t n_open, double level,
                              size_t k)
{
    size_t kept = 0;
    for (size_t i = 0; i < n_open; i++) {
        struct lane *l = open[i];
        if (use_of(l, k, l->head_mibps, l->head_iops) > 0) {
            l->speed = level;
            l->binding = name_of(h, k);
            host_add_use(h, l, l->head_mibps * level, l->head_iops * level, h->used);
        } else {
            open[kept++] = l;
        }
    }
    return kept;
}

/* Lanes with heads of the same age. */
static void share_out(struct host *h, struct lane *const *lanes, size_t n, struct lane **open)
{
    size_t n_open = 0;
    for (size_t i = 0; i < n; i++)
        if (lanes[i]->want_mibps > 0 || lanes[i]->want_iops > 0)
            open[n_open++] = lanes[i];
    while (n_open) {
        size_t k = 0;
        double level = first_full(h, open, n_open, &k);
        size_t kept = settle_the_satisfied(h, open, n_open, level);
        n_open = kept < n_open ? kept : settle_the_held(h, open, n_open, level, k);
    }
}

/* Oldest first; of the same age the slowest, which will be older. */
static void sort_by_age(struct lane **order, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct lane *l = order[i];
        size_t at = i;
        for (; at > 0; at--) {
            const struct lane *o = order[at - 1];
            if (o->lag_s > l->lag_s || (o->lag_s == l->lag_s && o->speed <= l->speed))
                break;
            order[at] = order[at - 1];
        }
        order[at] = l;
    }
}

void host_share(struct host *h, struct lane **order, size_t n, struct lane **scratch)
{
    bool fits = true;
    memset(h->used, 0, sizeof h->used);
    for (size_t i = 0; i < n; i++)
        host_add_use(h, order[i], order[i]->want_mibps, order[i]->want_iops, h->used);
    for (size_t k = 0; k < n_resources(h); k++)
        fits &= h->used[k] <= ceiling_in_force(h, k);
    h->contended = !fits;
    if (h->contended) {
        memset(h->used, 0, sizeof h->used);
        sort_by_age(order, n);
        for (size_t i = 0, end; i < n; i = end) {
            for (end = i + 1; end < n && order[end]->lag_s == order[i]->lag_s;)
                end++;
            share_out(h, order + i, end - i, scratch);
        }
        sort_by_age(order, n);
    }
    for (size_t k = 0; k < n_resources(h); k++)
        h->full[k] = h->used[k] >= ceiling_in_force(h, k) * (1 - rounding);
}

double host_meet_s(const struct host *h, struct lane *const *order, size_t n)
{
    double meet_s = INFINITY;
    for (size_t i = 0; h->contended && i + 1 < n; i++) {
        double ahead_s = order[i]->lag_s - order[i + 1]->lag_s;
        double closing = order[i]->speed - order[i + 1]->speed;
        if (ahead_s > 0 && closing > 0)
            meet_s = lesser_of(meet_s, ahead_s / closing);
    }
    return meet_s;
}

void host_meet(const struct host *h, struct lane *const *order, size_t n)
{
    for (size_t i = n; h->contended && i-- > 1;) {
        double lag_s = order[i]->lag_s;
        if (fabs(order[i - 1]->lag_s - lag_s) <= rounding * (1 + lag_s))
            order[i - 1]->lag_s = lag_s;
    }
}

double host_event_s(struct host *h)
{
    bool by_minutes = h->burst == REPLAY_BURST_MINUTES;
    double event_s = INFINITY;
    for (int d = 0; d < HOST_DIMENSIONS; d++) {
        double spent = h->used[d] - h->baseline[d];
        bool spends = h->bursts && !by_minutes && h->credits[d] > 0 && spent > 0;
        h->empty_s[d] = spends ? h->credits[d] / spent : INFINITY;
        event_s = lesser_of(event_s, h->empty_s[d]);
    }
    if (h->bursts && by_minutes && h->left_s > 0 && above_baseline(h, h->used))
        event_s = h->left_s;
    return event_s;
}

static bool demand_is_over(const struct host *h, const double in[HOST_RESOURCES],
                           const double in_force[HOST_DIMENSIONS])
{
    for (size_t k = 0; k < n_resources(h); k++)
        if (in[k] > (k < HOST_DIMENSIONS ? in_force[k] : max_of(h, k)))
            return true;
    return false;
}

void host_note_throttled(struct host *h, double now_s, double step)
{
    h->result.throttled_s += step;
    if (isnan(h->result.first_throttled_s))
        h->result.first_throttled_s = now_s;
}

/* Who is held, and by what. */
static void note_held(struct host *h, const struct lane *lanes, size_t n, double now_s, double step)
{
    struct replay_result *r = &h->result;
    bool held = false, binds[REPLAY_CEILING_COUNT] = { false };
    for (size_t i = 0; i < n; i++)
        if (lane_is_held(&lanes[i])) {
            held = true;
            binds[lanes[i].binding] = true;
        }
    for (int c = REPLAY_CARD_THROUGHPUT; c < REPLAY_CEILING_COUNT; c++)
        r->binding_s[c] += binds[c] ? step : 0;
    if (held)
        host_note_throttled(h, now_s, step);
}

void host_advance(struct host *h, const struct lane *lanes, size_t n,
                  const double in[HOST_RESOURCES], double now_s, double step)
{
    note_held(h, lanes, n, now_s, step);
    double in_force[HOST_DIMENSIONS], use[HOST_DIMENSIONS];
    for (int d = 0; d < HOST_DIMENSIONS; d++) {
        /* An empty bucket that is not lived on in full fills at once. */
        bool fills = h->burst == REPLAY_BURST_CREDITS && !h->full[d];
        bool on_baseline = burst_is_over(h, d) && !fills;
        in_force[d] = on_baseline ? h->baseline[d] : h->max[d];
        use[d] = on_baseline ? h->baseline[d] : h->used[d];
    }
    h->capacity_mib += in_force[HOST_MIB] * step;
    h->capacity_requests += in_force[HOST_REQUESTS] * step;
    h->result.replayed_s += step;
    h->result.over_s += demand_is_over(h, in, in_force) ? step : 0;
    spend_burst(h, use, now_s, step);
    for (int d = 0; d < HOST_DIMENSIONS; d++)
        if (step >= h->empty_s[d]) {
            h->credits[d] = 0;
            note_burst_left(h, now_s + step);
        }
}

void host_note_demand(struct host *h, const double in[HOST_RESOURCES], double dt)
{
    bool minutes_over = h->burst == REPLAY_BURST_MINUTES && h->left_s <= 0;
    const double *in_force = minutes_over ? h->baseline : h->max;
    h->result.over_s += demand_is_over(h, in, in_force) ? dt : 0;
}

void host_note_backlog(struct host *h, double backlog_mib, double at_s)
{
    if (backlog_mib > h->result.worst_backlog_mib) {
        h->result.worst_backlog_mib = backlog_mib;
        h->result.worst_backlog_at_s = at_s;
    }
}
