/* planner/replay/replay.c - see replay.h.
 *
 *     replay_feed
 *       feed_chunk        nothing waits and nothing will: maxima and sums of 64 intervals
 *       feed_interval     else one by one, cut where an era or a 24-hour period begins
 *         step_interval     all keep up | some wait (wait_step) | the instance may bind
 * (lockstep) lane_aim, host_share, lane_event_s, lane_advance
 *
 * Most of a demand is far below every ceiling: for it a chunk costs one pass over its doubles
 * with nothing to predict.  While the instance cannot bind only groups that wait are stepped;
 * otherwise all are, together from event to event. */
#include "planner/replay/replay.h"

#include "planner/replay/replay_wait.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 64 };

static const double interval_max_s = 1e10; /* what is longer is not believed */

/* A chunk of a group's demand, requests never below what its MiB count. */
struct scan {
    double max_mibps, max_iops, mib, requests;
    double credits, lowest_credits; /* after it */
    double served_mib;              /* before an interval, for traces */
};

struct replay {
    struct lane *lanes;
    struct scan *scans;             /* one a lane */
    struct lane **waiting, **order; /* room for all */
    double *before_s; /* binding_s before an interval, of lanes and host, for traces */
    size_t n_lanes;
    struct host host;
    const struct replay_era *eras;
    size_t n_eras, next_era;
    double now_s;
};

const char *replay_ceiling_name(enum replay_ceiling c)
{
    static const char *const names[] = {
#define X(name, text) text,
        REPLAY_CEILING_TABLE(X)
#undef X
    };
    return names[c];
}

static void result_init(struct replay_result *r)
{
    *r = (struct replay_result){ .first_throttled_s = NAN,
                                 .worst_backlog_at_s = NAN,
                                 .lowest_credits = INFINITY,
                                 .empty_at_s = NAN };
}

static void begin_era(struct replay *r)
{
    const struct replay_era *era = &r->eras[r->next_era++];
    for (size_t i = 0; i < r->n_lanes; i++)
        lane_take(&r->lanes[i], &era->groups[i]);
    host_take(&r->host, &era->instance);
}

int replay_open(size_t n_groups, const struct replay_era *eras, size_t n_eras, struct arena *a,
                struct replay **out, struct err *e)
{
    if (n_groups > REPLAY_GROUPS_MAX)
        return err_set(e, ERR_LIMIT, "%zu disk groups: at most %d can be replayed", n_groups,
                       REPLAY_GROUPS_MAX);
    struct replay *r = arena_alloc(a, sizeof *r);
    if (!r)
        return err_nomem(e);
    r->n_lanes = n_groups;
    r->lanes = arena_array(a, n_groups + 1, sizeof *r->lanes);
    r->scans = arena_array(a, n_groups + 1, sizeof *r->scans);
    r->before_s = arena_array(a, (n_groups + 1) * REPLAY_CEILING_COUNT, sizeof *r->before_s);
    r->order = arena_array(a, n_groups + 1, sizeof(struct lane *));
    r->waiting = arena_array(a, n_groups + 1, sizeof(struct lane *));
    if (!r->lanes || !r->scans || !r->order || !r->waiting || !r->before_s)
        return err_nomem(e);
    for (size_t i = 0; i < n_groups; i++) {
        r->lanes[i].queue = arena_array(a, LANE_QUEUE, sizeof(struct parcel));
        if (!r->lanes[i].queue)
            return err_nomem(e);
    }
    replay_restart(r, eras, n_eras);
    *out = r;
    return 0;
}

void replay_restart(struct replay *r, const struct replay_era *eras, size_t n_eras)
{
    for (size_t i = 0; i < r->n_lanes; i++) {
        r->lanes[i] = (struct lane){ .queue = r->lanes[i].queue };
        r->order[i] = &r->lanes[i];
        result_init(&r->lanes[i].result);
    }
    r->host = (struct host){ .n_cards = 0 };
    result_init(&r->host.result);
    r->now_s = 0;
    r->eras = eras;
    r->n_eras = n_eras;
    r->next_era = 0;
    begin_era(r);
}

/* --- an interval ------------------------------------------------------------------------------ */

/* All groups step together, each at what the shared ceilings leave it. */
static void lockstep(struct replay *r, const double in[HOST_RESOURCES], double end_s)
{
    double left = end_s - r->now_s;
    while (left > 0) {
        double now_s = end_s - left, step = left, backlog_mib = 0;
        for (size_t i = 0; i < r->n_lanes; i++)
            lane_aim(&r->lanes[i]);
        host_share(&r->host, r->order, r->n_lanes, r->waiting);
        step = lesser_of(step, host_event_s(&r->host));
        step = lesser_of(step, host_meet_s(&r->host, r->order, r->n_lanes));
        for (size_t i = 0; i < r->n_lanes; i++)
            step = lesser_of(step, lane_event_s(&r->lanes[i]));
        host_advance(&r->host, r->lanes, r->n_lanes, in, now_s, step);
        for (size_t i = 0; i < r->n_lanes; i++) {
            lane_advance(&r->lanes[i], now_s, step);
            backlog_mib += r->lanes[i].backlog_mib;
        }
        host_meet(&r->host, r->order, r->n_lanes);
        left = step < left ? left - step : 0;
        host_note_backlog(&r->host, backlog_mib, end_s - left);
    }
    r->now_s = end_s;
}

static double most_mibps(const struct lane *l)
{
    return l->n_queued ? l->max_mibps : lesser_of(l->in_mibps, l->max_mibps);
}

static double most_iops(const struct lane *l)
{
    return l->n_queued ? l->max_iops : lesser_of(l->in_iops, l->max_iops);
}

/* Demand and ceilings are constant up to end_s. */
static void step_interval(struct replay *r, double end_s)
{
    double dt = end_s - r->now_s, in[HOST_RESOURCES] = { 0 }, most[HOST_RESOURCES] = { 0 };
    size_t n_waiting = 0, n_measured = 0;
    for (size_t i = 0; i < r->n_lanes; i++) {
        struct lane *l = &r->lanes[i];
        n_measured += l->measured;
        host_add_use(&r->host, l, l->in_mibps, l->in_iops, in);
        if (lane_keeps_up(l, dt)) {
            host_add_use(&r->host, l, l->in_mibps, l->in_iops, most);
        } else {
            host_add_use(&r->host, l, most_mibps(l), most_iops(l), most);
            r->waiting[n_waiting++] = l;
        }
    }
    r->host.result.unmeasured_s += n_measured ? 0 : dt;
    if (n_waiting ? !host_never_binds(&r->host, most) : !host_keeps_up(&r->host, in, dt)) {
        lockstep(r, in, end_s);
        return;
    }
    for (size_t i = 0, w = 0; i < r->n_lanes; i++) {
        if (w < n_waiting && &r->lanes[i] == r->waiting[w])
            w++;
        else
            lane_pass(&r->lanes[i], dt);
    }
    if (n_waiting) {
        host_note_demand(&r->host, in, dt);
        wait_step(&r->host, r->waiting, n_waiting, r->now_s, dt, in);
    }
    host_pass(&r->host, in, r->now_s, dt);
    r->now_s = end_s;
}

static double next_era_s(const struct replay *r)
{
    return r->next_era < r->n_eras ? r->eras[r->next_era].from_s : INFINITY;
}

static void run_until(struct replay *r, double end_s)
{
    while (r->now_s < end_s) {
        while (next_era_s(r) <= r->now_s)
            begin_era(r);
        host_renew(&r->host, r->now_s);
        double stop_s = lesser_of(end_s, next_era_s(r));
        step_interval(r, lesser_of(stop_s, host_renewal_s(&r->host, r->now_s)));
    }
}

/* --- traces ----------------------------------------------------------------------------------- */

static void trace_begin(struct replay *r)
{
    for (size_t i = 0; i < r->n_lanes; i++) {
        const struct replay_result *l = &r->lanes[i].result;
        memcpy(r->before_s + i * REPLAY_CEILING_COUNT, l->binding_s, sizeof l->binding_s);
        r->scans[i].served_mib = l->served_mib;
    }
    memcpy(r->before_s + r->n_lanes * REPLAY_CEILING_COUNT, r->host.result.binding_s,
           sizeof r->host.result.binding_s);
}

static unsigned char longest_binding(const double *before_s, const double *after_s)
{
    int longest = REPLAY_NONE;
    double longest_s = 0;
    for (int c = 0; c < REPLAY_CEILING_COUNT; c++)
        if (after_s[c] - before_s[c] > longest_s) {
            longest = c;
            longest_s = after_s[c] - before_s[c];
        }
    return (unsigned char)longest;
}

static void put(double *at, size_t i, double v)
{
    if (at)
        at[i] = v;
}

static void trace_end(const struct replay *r, const struct replay_block *b, size_t i, double dt)
{
    double served_mib = 0, backlog_mib = 0, lag_s = 0;
    for (size_t g = 0; g < r->n_lanes; g++) {
        const struct lane *l = &r->lanes[g];
        double lane_mib = l->result.served_mib - r->scans[g].served_mib;
        served_mib += lane_mib;
        backlog_mib += l->backlog_mib;
        lag_s = larger_of(lag_s, l->lag_s);
        if (!b->group_traces)
            continue;
        const struct replay_trace *t = &b->group_traces[g];
        put(t->served_mibps, i, lane_mib / dt);
        put(t->backlog_mib, i, l->backlog_mib);
        put(t->delay_ms, i, l->lag_s * 1000);
        put(t->credits, i, l->has_bucket ? l->credits : NAN);
        if (t->binding)
            t->binding[i] =
                longest_binding(r->before_s + g * REPLAY_CEILING_COUNT, l->result.binding_s);
    }
    const struct replay_trace *t = b->instance_trace;
    if (!t)
        return;
    put(t->served_mibps, i, served_mib / dt);
    put(t->backlog_mib, i, backlog_mib);
    put(t->delay_ms, i, lag_s * 1000);
    put(t->credits, i, host_burst_left(&r->host));
    if (t->binding)
        t->binding[i] = longest_binding(r->before_s + r->n_lanes * REPLAY_CEILING_COUNT,
                                        r->host.result.binding_s);
}

/* --- one by one ------------------------------------------------------------------------------- */

static void feed_interval(struct replay *r, const struct replay_block *b, size_t i)
{
    bool traced = b->group_traces || b->instance_trace;
    double begin_s = b->edge_s ? b->edge_s[i] : r->now_s;
    double end_s = b->edge_s ? b->edge_s[i + 1] : r->now_s + b->step_s;
    if (!(end_s > r->now_s && end_s - r->now_s <= interval_max_s && begin_s < end_s))
        return;
    if (begin_s > r->now_s) {
        for (size_t g = 0; g < r->n_lanes; g++)
            lane_arrive(&r->lanes[g], NAN, NAN);
        run_until(r, begin_s);
    }
    if (traced)
        trace_begin(r);
    begin_s = r->now_s;
    for (size_t g = 0; g < r->n_lanes; g++)
        lane_arrive(&r->lanes[g], b->total_mibps[g][i], b->counted_iops[g][i]);
    run_until(r, end_s);
    if (traced)
        trace_end(r, b, i, end_s - begin_s);
}

/* --- a chunk ---------------------------------------------------------------------------------- */

struct tally {
    double max_mibps, max_iops, min_mibps, mib, requests;
};

static inline void tally_add(struct tally *t, double mibps, double iops, double requests_per_mib,
                             double dt)
{
    double q = larger_of(iops, mibps * requests_per_mib);
    t->max_mibps = larger_of(mibps, t->max_mibps);
    t->min_mibps = lesser_of(mibps, t->min_mibps);
    t->max_iops = larger_of(q, t->max_iops);
    t->mib += mibps * dt;
    t->requests += q * dt;
}

/* Even and odd intervals apart: their sums need not wait for each other.  False for what
 * lane_arrive would not take as it is. */
static bool scan_demand(const double *mibps, const double *iops, const double *dt, size_t n,
                        double requests_per_mib, struct scan *out)
{
    struct tally even = { 0 }, odd = { 0 };
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        tally_add(&even, mibps[i], iops[i], requests_per_mib, dt[i]);
        tally_add(&odd, mibps[i + 1], iops[i + 1], requests_per_mib, dt[i + 1]);
    }
    if (i < n)
        tally_add(&even, mibps[i], iops[i], requests_per_mib, dt[i]);
    out->max_mibps = larger_of(even.max_mibps, odd.max_mibps);
    out->max_iops = larger_of(even.max_iops, odd.max_iops);
    out->mib = even.mib + odd.mib;
    out->requests = even.requests + odd.requests;
    return even.min_mibps >= 0 && odd.min_mibps >= 0 && !isnan(out->mib + out->requests);
}

/* The bucket over a chunk that earns less than it spends at times; false when it empties. */
static bool scan_credits(const struct lane *l, const double *mibps, const double *iops,
                         const double *dt, size_t n, struct scan *s)
{
    double earn = l->earn_iops, capacity = l->capacity, credits = l->credits, lowest = credits;
    bool always_earns = l->earns_while_bursting;
    for (size_t i = 0; i < n; i++) {
        double q = larger_of(iops[i], mibps[i] * l->requests_per_mib);
        double rate = earn - q;
        if (!always_earns && rate < 0)
            rate = -q;
        credits += rate * dt[i];
        credits = credits < capacity ? credits : capacity;
        lowest = credits < lowest ? credits : lowest;
    }
    s->credits = credits;
    s->lowest_credits = lowest;
    return lowest > 0;
}

static bool scan_lane(const struct lane *l, const double *mibps, const double *iops,
                      const double *dt, double chunk_s, size_t n, struct scan *s)
{
    if (l->n_queued || !scan_demand(mibps, iops, dt, n, l->requests_per_mib, s) ||
        s->max_mibps > lesser_of(l->max_mibps, LANE_RATE_MAX) ||
        s->max_iops > lesser_of(l->max_iops, LANE_RATE_MAX))
        return false;
    if (!l->has_bucket)
        return true;
    if (s->max_iops > l->earn_iops)
        return scan_credits(l, mibps, iops, dt, n, s);
    s->lowest_credits = l->credits;
    s->credits = lesser_of(l->credits + l->earn_iops * chunk_s - s->requests, l->capacity);
    return true;
}

static void commit_lane(struct lane *l, const struct scan *s, double chunk_s)
{
    struct replay_result *r = &l->result;
    r->replayed_s += chunk_s;
    r->asked_mib += s->mib;
    r->served_mib += s->mib;
    r->asked_requests += s->requests;
    r->served_requests += s->requests;
    l->capacity_mib += l->max_mibps * chunk_s;
    l->capacity_requests += l->max_iops * chunk_s;
    if (l->has_bucket) {
        l->credits = s->credits;
        r->lowest_credits = lesser_of(r->lowest_credits, s->lowest_credits);
    }
}

/* The instance over a chunk in which groups together may pass its baseline: sums at the same
 * instant.  False when they meet a ceiling, or the burst begins or ends. */
static bool pass_bursts(struct replay *r, const struct replay_block *b, size_t at, size_t n,
                        const double *dt)
{
    double mibps[CHUNK] = { 0 }, iops[CHUNK] = { 0 };
    struct host h = r->host;
    double now_s = r->now_s;
    for (size_t g = 0; g < r->n_lanes; g++) {
        const double *m = b->total_mibps[g] + at, *q = b->counted_iops[g] + at;
        double requests_per_mib = r->lanes[g].requests_per_mib;
        for (size_t i = 0; i < n; i++) {
            mibps[i] += m[i];
            iops[i] += larger_of(q[i], m[i] * requests_per_mib);
        }
    }
    for (size_t i = 0; i < n; i++) {
        double use[HOST_RESOURCES] = { mibps[i], iops[i] };
        if (!host_keeps_up(&h, use, dt[i]))
            return false;
        host_pass(&h, use, now_s, dt[i]);
        now_s += dt[i];
    }
    r->host = h;
    return true;
}

/* The chunk's times in dt; false unless they follow from now on, without gap, within an era. */
static bool chunk_times(const struct replay *r, const struct replay_block *b, size_t at, size_t n,
                        double *dt, double *out_chunk_s)
{
    double end_s = b->edge_s ? b->edge_s[at + n] : r->now_s + b->step_s * (double)n;
    double least = INFINITY;
    if (b->edge_s && b->edge_s[at] != r->now_s)
        return false;
    for (size_t i = 0; b->edge_s && i < n; i++) {
        dt[i] = b->edge_s[at + i + 1] - b->edge_s[at + i];
        least = dt[i] < least ? dt[i] : least;
    }
    for (size_t i = 0; !b->edge_s && i < n; i++)
        dt[i] = least = b->step_s;
    *out_chunk_s = end_s - r->now_s;
    return least > 0 && *out_chunk_s < interval_max_s &&
           end_s <= lesser_of(next_era_s(r), host_renewal_s(&r->host, r->now_s));
}

/* n intervals in which no group has to wait; false, and nothing done, when one may have to. */
static bool feed_chunk(struct replay *r, const struct replay_block *b, size_t at, size_t n)
{
    double dt[CHUNK], chunk_s, use[HOST_RESOURCES] = { 0 };
    if (b->group_traces || b->instance_trace || !chunk_times(r, b, at, n, dt, &chunk_s))
        return false;
    for (size_t g = 0; g < r->n_lanes; g++) {
        const struct lane *l = &r->lanes[g];
        struct scan *s = &r->scans[g];
        if (!scan_lane(l, b->total_mibps[g] + at, b->counted_iops[g] + at, dt, chunk_s, n, s))
            return false;
        host_add_use(&r->host, l, s->max_mibps, s->max_iops, use);
    }
    if (host_never_binds(&r->host, use)) {
        double mean[HOST_RESOURCES] = { 0 };
        for (size_t g = 0; g < r->n_lanes; g++)
            host_add_use(&r->host, &r->lanes[g], r->scans[g].mib / chunk_s,
                         r->scans[g].requests / chunk_s, mean);
        host_pass(&r->host, mean, r->now_s, chunk_s);
    } else if (r->host.n_cards || !pass_bursts(r, b, at, n, dt)) {
        return false;
    }
    for (size_t g = 0; g < r->n_lanes; g++)
        commit_lane(&r->lanes[g], &r->scans[g], chunk_s);
    r->now_s = b->edge_s ? b->edge_s[at + n] : r->now_s + chunk_s;
    return true;
}

void replay_feed(struct replay *r, const struct replay_block *b)
{
    for (size_t at = 0; at < b->n;) {
        size_t n = b->n - at < CHUNK ? b->n - at : CHUNK;
        bool passed = feed_chunk(r, b, at, n);
        for (size_t i = 0; i < n && !passed; i++)
            feed_interval(r, b, at + i);
        at += n;
    }
}

/* --- results ---------------------------------------------------------------------------------- */

/* NaN where some of the time had no ceiling. */
static double utilisation_pct(double served, double capacity)
{
    return capacity > 0 && capacity < LANE_NO_CEILING / 10 ? served / capacity * 100 : NAN;
}

void replay_group_result(const struct replay *r, size_t group, struct replay_result *out)
{
    const struct lane *l = &r->lanes[group];
    *out = l->result;
    out->backlog_mib = l->backlog_mib;
    out->backlog_requests = l->backlog_requests;
    out->throughput_utilisation_pct = utilisation_pct(out->served_mib, l->capacity_mib);
    out->iops_utilisation_pct = utilisation_pct(out->served_requests, l->capacity_requests);
    out->credits = l->has_bucket ? l->credits : NAN;
    if (isinf(out->lowest_credits))
        out->lowest_credits = NAN;
}

void replay_instance_result(const struct replay *r, struct replay_result *out)
{
    const struct host *h = &r->host;
    *out = h->result;
    for (size_t i = 0; i < r->n_lanes; i++) {
        const struct lane *l = &r->lanes[i];
        out->asked_mib += l->result.asked_mib;
        out->served_mib += l->result.served_mib;
        out->backlog_mib += l->backlog_mib;
        out->asked_requests += l->result.asked_requests;
        out->served_requests += l->result.served_requests;
        out->backlog_requests += l->backlog_requests;
        out->worst_delay_ms = larger_of(out->worst_delay_ms, l->result.worst_delay_ms);
    }
    out->throughput_utilisation_pct = utilisation_pct(out->served_mib, h->capacity_mib);
    out->iops_utilisation_pct = utilisation_pct(out->served_requests, h->capacity_requests);
    out->credits = host_burst_left(h);
    if (isinf(out->lowest_credits))
        out->lowest_credits = NAN;
}

double replay_now_s(const struct replay *r)
{
    return r->now_s;
}

size_t replay_thinned(const struct replay *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_lanes; i++)
        n += r->lanes[i].n_thinned;
    return n;
}
