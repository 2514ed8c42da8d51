/* tests/planner/replay/test_replay_reference.c - the replay against two simulations that share no
 * code and no data structures with it.
 *
 *   volume by volume   from event to event in absolute times: every volume of a group with its own
 *                      share of the load and its own bucket, the place reached in the demand as a
 *                      time of arrival, backlog as an integral over the demand, shared ceilings by
 *                      bisection
 *   request by request one after the other, for one group: what the fluid is the limit of
 *
 * Seed printed, SEED= replays; 500 random cases, 10 000 with FULL=. */
#include "tests/planner/replay/replay_fixture.h"

enum { FEW = 500, MANY = 10000, VOLUMES = 4, INTERVALS = 8, GROUPS = 3 };

static const double slack = 1e-9; /* ceilings count so much larger */

struct volume {
    double share; /* of the group's load */
    double mibps, iops, earn, capacity, credits;
    bool has_bucket, earns_always, is_held_to_earnings;
};

struct group {
    struct volume volumes[VOLUMES];
    int n_volumes;
    double mibps[INTERVALS], iops[INTERVALS];
    double on_card[2];
    double place_s; /* everything that arrived before is served */
    double limit, speed;
    /* found */
    double throttled_s, over_s, served_mib, worst_backlog_mib, worst_delay_s, bound_by_instance_s;
    bool shared_binds;
};

struct world {
    struct group groups[GROUPS];
    int n_groups, n;
    double edge_s[INTERVALS + 1];
    struct replay_instance instance;
    double now_s, left_s, renew_s, credits[2];
    double throttled_s, over_s, worst_backlog_mib;
};

static int interval_of(const struct world *w, double t)
{
    int i = 0;
    while (i + 1 < w->n && w->edge_s[i + 1] <= t + 1e-11 * (1 + t))
        i++;
    return i;
}

static double backlog_mib(const struct world *w, const struct group *g)
{
    double sum = 0;
    for (int i = 0; i < w->n; i++) {
        double from = fmax(w->edge_s[i], g->place_s), to = fmin(w->edge_s[i + 1], w->now_s);
        sum += to > from ? (to - from) * g->mibps[i] : 0;
    }
    return sum;
}

static double ratio(double ceiling, double load)
{
    return load > 0 && !isnan(ceiling) ? ceiling * (1 + slack) / load : INFINITY;
}

static bool keeps_up(const struct world *w, const struct group *g)
{
    return g->place_s >= w->now_s;
}

/* How fast the volumes let the group go, at what it has reached. */
static void limit_by_volumes(const struct world *w, struct group *g)
{
    int i = interval_of(w, g->place_s);
    g->limit = keeps_up(w, g) ? 1 : 1e15;
    for (int v = 0; v < g->n_volumes; v++) {
        struct volume *x = &g->volumes[v];
        bool empty = x->has_bucket && x->credits <= 0;
        double iops = empty && x->earn < x->iops ? x->earn : x->iops;
        g->limit = fmin(g->limit, ratio(x->mibps, g->mibps[i] * x->share));
        g->limit = fmin(g->limit, ratio(iops, g->iops[i] * x->share));
    }
    for (int v = 0; v < g->n_volumes; v++) {
        struct volume *x = &g->volumes[v];
        double by_earnings = ratio(x->earn, g->iops[i] * x->share);
        x->is_held_to_earnings = x->has_bucket && x->credits <= 0 && by_earnings < INFINITY &&
                                 fabs(g->limit / by_earnings - 1) < 1e-12;
    }
    g->speed = g->limit;
    g->shared_binds = false;
}

/* --- shared ceilings: 0, 1 of the instance, 2 to 5 of the cards ------------------------------- */

static bool burst_left(const struct world *w, int d)
{
    return w->instance.burst == REPLAY_BURST_MINUTES ? w->left_s > 0 : w->credits[d] > 0;
}

static double baseline_of(const struct world *w, int d)
{
    const struct replay_instance *i = &w->instance;
    return (d == 0 ? fmin(i->baseline_mibps, i->max_mibps) : fmin(i->baseline_iops, i->max_iops)) *
           (1 + slack);
}

static double max_of(const struct world *w, int d)
{
    return (d == 0 ? w->instance.max_mibps : w->instance.max_iops) * (1 + slack);
}

static double shared_ceiling(const struct world *w, int k)
{
    if (isnan(w->instance.max_mibps) || (k >= 2 && w->instance.n_cards != 2))
        return INFINITY;
    if (k >= 2)
        return max_of(w, k % 2) / 2;
    return burst_left(w, k) ? max_of(w, k) : baseline_of(w, k);
}

static double use_of(const struct world *w, const struct group *g, int k, double speed)
{
    int i = interval_of(w, g->place_s);
    double rate = k % 2 == 0 ? g->mibps[i] : g->iops[i];
    return speed * rate * (k < 2 ? 1 : g->on_card[k / 2 - 1]);
}

static double total_use(const struct world *w, int k)
{
    double sum = 0;
    for (int g = 0; g < w->n_groups; g++)
        sum += use_of(w, &w->groups[g], k, w->groups[g].speed);
    return sum;
}

static bool fits(const struct world *w)
{
    for (int k = 0; k < 6; k++)
        if (total_use(w, k) > shared_ceiling(w, k) * (1 + 1e-14))
            return false;
    return true;
}

static bool uses_a_full_ceiling(const struct world *w, const struct group *g)
{
    for (int k = 0; k < 6; k++)
        if (use_of(w, g, k, 1) > 0 && total_use(w, k) > shared_ceiling(w, k) * (1 - 1e-11))
            return true;
    return false;
}

/* Members of equal age rise together; who meets a full ceiling stays, the others go on. */
static void raise_together(struct world *w, struct group *const *members, int n)
{
    bool stays[GROUPS] = { false };
    for (int round = 0; round < n; round++) {
        double low = 0, high = 1e15;
        for (int k = 0; k < 200 && high > low; k++) {
            double middle = low > 0 || high < 1e-6 ? sqrt(fmax(low, 1e-30) * high) : high / 1e3;
            if (low > 0 && high / low < 2)
                middle = (low + high) / 2;
            for (int m = 0; m < n; m++)
                if (!stays[m])
                    members[m]->speed = fmin(members[m]->limit, middle);
            if (fits(w))
                low = middle;
            else
                high = middle;
        }
        for (int m = 0; m < n; m++)
            if (!stays[m])
                members[m]->speed = fmin(members[m]->limit, low);
        for (int m = 0; m < n; m++)
            if (!stays[m] && low < members[m]->limit && uses_a_full_ceiling(w, members[m]))
                stays[m] = members[m]->shared_binds = true;
    }
}

static void share(struct world *w)
{
    if (fits(w))
        return;
    for (int g = 0; g < w->n_groups; g++)
        w->groups[g].speed = 0;
    bool done[GROUPS] = { false };
    for (int left = w->n_groups; left > 0;) {
        double oldest = INFINITY;
        struct group *members[GROUPS];
        int n = 0;
        for (int g = 0; g < w->n_groups; g++)
            if (!done[g])
                oldest = fmin(oldest, w->groups[g].place_s);
        for (int g = 0; g < w->n_groups; g++)
            if (!done[g] && w->groups[g].place_s - oldest <= 1e-10 * (1 + oldest)) {
                members[n++] = &w->groups[g];
                done[g] = true;
                left--;
            }
        for (int m = 0; m < n; m++)
            members[m]->place_s = oldest;
        for (int m = 0; m < n; m++)
            members[m]->speed = members[m]->limit;
        if (!fits(w)) {
            for (int m = 0; m < n; m++)
                members[m]->speed = 0;
            raise_together(w, members, n);
        }
    }
}

/* --- a step ----------------------------------------------------------------------------------- */

static double credit_rate(const struct world *w, const struct group *g, const struct volume *x)
{
    double spent = use_of(w, g, 1, g->speed) * x->share, earn = x->earn * (1 + slack);
    if (x->is_held_to_earnings && !g->shared_binds)
        return 0;
    return spent <= earn || x->earns_always ? earn - spent : -spent;
}

static bool burns_minutes(const struct world *w)
{
    for (int d = 0; d < 2; d++)
        if (total_use(w, d) > baseline_of(w, d) * (1 + 1e-12))
            return true;
    return false;
}

static double host_rate(const struct world *w, int d)
{
    double use = total_use(w, d), baseline = baseline_of(w, d);
    if (w->credits[d] <= 0 && use > baseline * (1 - 1e-11))
        return 0;
    return baseline - use;
}

static double sooner(double t, double amount, double rate)
{
    return rate > 0 && amount > 0 ? fmin(t, amount / rate) : t;
}

static double next_event_s(const struct world *w)
{
    double step = w->edge_s[interval_of(w, w->now_s) + 1] - w->now_s;
    for (int g = 0; g < w->n_groups; g++) {
        const struct group *x = &w->groups[g];
        int at = interval_of(w, x->place_s);
        if (!keeps_up(w, x)) {
            step = sooner(step, w->edge_s[at + 1] - x->place_s, x->speed);
            step = sooner(step, w->now_s - x->place_s, x->speed - 1);
        }
        for (int v = 0; v < x->n_volumes; v++)
            if (x->volumes[v].has_bucket)
                step = sooner(step, x->volumes[v].credits, -credit_rate(w, x, &x->volumes[v]));
        for (int o = 0; o < w->n_groups; o++)
            step = sooner(step, w->groups[o].place_s - x->place_s, x->speed - w->groups[o].speed);
    }
    if (w->instance.burst == REPLAY_BURST_MINUTES && burns_minutes(w))
        step = sooner(step, w->left_s, 1);
    for (int d = 0; d < 2 && w->instance.burst == REPLAY_BURST_CREDITS; d++)
        step = sooner(step, w->credits[d], -host_rate(w, d));
    return fmin(step, w->renew_s > w->now_s ? w->renew_s - w->now_s : INFINITY);
}

static void advance(struct world *w, double step)
{
    int now = interval_of(w, w->now_s);
    bool held = false, minutes = w->instance.burst == REPLAY_BURST_MINUTES;
    double asked[6] = { 0 };
    for (int g = 0; g < w->n_groups; g++) {
        struct group *x = &w->groups[g];
        bool over = false, behind = !keeps_up(w, x) || x->speed < 1;
        for (int v = 0; v < x->n_volumes; v++) {
            const struct volume *y = &x->volumes[v];
            bool on_earnings = y->is_held_to_earnings && !x->shared_binds;
            over |= ratio(y->mibps, x->mibps[now] * y->share) < 1;
            over |= ratio(on_earnings ? y->earn : y->iops, x->iops[now] * y->share) < 1;
        }
        for (int k = 0; k < 6; k++)
            asked[k] +=
                (k % 2 ? x->iops[now] : x->mibps[now]) * (k < 2 ? 1 : x->on_card[k / 2 - 1]);
        x->over_s += over ? step : 0;
        x->throttled_s += behind ? step : 0;
        x->bound_by_instance_s += behind && x->shared_binds ? step : 0;
        x->served_mib += use_of(w, x, 0, x->speed) * step;
        held |= behind;
    }
    bool over = false;
    for (int k = 0; k < 6; k++) {
        double ceiling = shared_ceiling(w, k);
        if (k < 2 && !minutes && !burst_left(w, k) && host_rate(w, k) > 0)
            ceiling = max_of(w, k); /* fills at once */
        over |= asked[k] > ceiling;
    }
    w->over_s += over ? step : 0;
    w->throttled_s += held ? step : 0;

    double rates[2] = { host_rate(w, 0), host_rate(w, 1) };
    bool burns = minutes && burns_minutes(w);
    double credit_rates[GROUPS][VOLUMES];
    for (int g = 0; g < w->n_groups; g++)
        for (int v = 0; v < w->groups[g].n_volumes; v++)
            credit_rates[g][v] = credit_rate(w, &w->groups[g], &w->groups[g].volumes[v]);
    if (burns && isinf(w->renew_s))
        w->renew_s = w->now_s + 86400;
    w->left_s = burns ? fmax(w->left_s - step, 0) : w->left_s;
    for (int d = 0; d < 2 && !minutes; d++) {
        double capacity = (max_of(w, d) - baseline_of(w, d)) * 1800;
        w->credits[d] = fmin(w->credits[d] + rates[d] * step, capacity);
        if (w->credits[d] < 1e-10 * capacity)
            w->credits[d] = 0;
    }
    double total = 0;
    for (int g = 0; g < w->n_groups; g++) {
        struct group *x = &w->groups[g];
        for (int v = 0; v < x->n_volumes; v++) {
            struct volume *y = &x->volumes[v];
            if (!y->has_bucket)
                continue;
            y->credits = fmin(y->credits + credit_rates[g][v] * step, y->capacity);
            if (y->credits < 1e-10 * y->capacity)
                y->credits = 0;
        }
        bool was_behind = !keeps_up(w, x) || x->speed < 1;
        x->place_s = was_behind ? x->place_s + x->speed * step : w->now_s + step;
    }
    w->now_s += step;
    for (int i = 0; i <= w->n; i++)
        if (fabs(w->edge_s[i] - w->now_s) < 1e-11 * (1 + w->now_s))
            w->now_s = w->edge_s[i];
    for (int g = 0; g < w->n_groups; g++) {
        struct group *x = &w->groups[g];
        for (int i = 0; i <= w->n; i++)
            if (fabs(w->edge_s[i] - x->place_s) < 1e-11 * (1 + x->place_s))
                x->place_s = w->edge_s[i];
        if (w->now_s - x->place_s < 1e-11 * (1 + w->now_s))
            x->place_s = w->now_s;
        x->worst_delay_s = fmax(x->worst_delay_s, w->now_s - x->place_s);
        double b = backlog_mib(w, x);
        x->worst_backlog_mib = fmax(x->worst_backlog_mib, b);
        total += b;
    }
    w->worst_backlog_mib = fmax(w->worst_backlog_mib, total);
    if (w->now_s >= w->renew_s) {
        w->left_s = 1800;
        w->renew_s += 86400;
    }
}

/* Time in which nothing arrived is served in no time. */
static void pass_idle_time(struct world *w)
{
    for (int g = 0; g < w->n_groups; g++) {
        struct group *x = &w->groups[g];
        for (;;) {
            int i = interval_of(w, x->place_s);
            if (keeps_up(w, x) || x->mibps[i] > 0 || x->iops[i] > 0)
                break;
            x->place_s = fmin(w->edge_s[i + 1], w->now_s);
        }
    }
}

static void simulate(struct world *w)
{
    w->left_s = 1800;
    w->renew_s = INFINITY;
    for (int d = 0; d < 2; d++)
        w->credits[d] = (max_of(w, d) - baseline_of(w, d)) * 1800;
    for (int guard = 0; w->now_s < w->edge_s[w->n]; guard++) {
        assert_true(guard < 100000);
        pass_idle_time(w);
        for (int g = 0; g < w->n_groups; g++)
            limit_by_volumes(w, &w->groups[g]);
        share(w);
        advance(w, next_event_s(w));
    }
}

/* --- random cases ----------------------------------------------------------------------------- */

static struct replay_instance random_instance(void)
{
    struct replay_instance i = replay_instance_unknown();
    if (!fixture_int(0, 3))
        return i;
    i.max_mibps = fixture_between(50, 250);
    i.max_iops = fixture_between(500, 3000);
    i.baseline_mibps = fixture_int(0, 1) ? i.max_mibps : i.max_mibps * fixture_between(0.2, 1);
    i.baseline_iops = fixture_int(0, 1) ? i.max_iops : i.max_iops * fixture_between(0.2, 1);
    i.burst = fixture_int(0, 1) ? REPLAY_BURST_CREDITS : REPLAY_BURST_MINUTES;
    i.n_cards = fixture_int(0, 3) ? 0 : 2;
    return i;
}

/* The same volumes for both: n equal ones, the first takes skew times the mean. */
static void random_volumes(struct group *x, struct replay_group *g)
{
    int n = x->n_volumes = fixture_int(1, VOLUMES);
    double skew = n > 1 ? fixture_between(1, 1.5) : 1;
    struct volume v = { .mibps = fixture_between(20, 150) / n,
                        .iops = fixture_between(300, 1500) / n,
                        .has_bucket = fixture_int(0, 1),
                        .earns_always = fixture_int(0, 1) };
    v.earn = v.has_bucket ? v.iops * fixture_between(0.1, 0.9) : 0;
    v.capacity = v.credits = fixture_between(100, 30000) / n;
    for (int i = 0; i < n; i++) {
        x->volumes[i] = v;
        x->volumes[i].share = n == 1 ? 1 : i == 0 ? skew / n : (n - skew) / n / (n - 1);
    }
    *g = (struct replay_group){ .max_throughput_mibps = v.mibps * n / skew,
                                .max_iops = v.iops * n / skew,
                                .credits = v.has_bucket ? v.capacity * n / skew : NAN,
                                .earn_iops = v.earn * n / skew,
                                .requests_per_mib = 1,
                                .earns_while_bursting = v.earns_always };
    g->card_share[0] = x->on_card[0] = fixture_int(0, 4) / 4.0;
    g->card_share[1] = x->on_card[1] = 1 - x->on_card[0];
}

static void random_case(struct world *w, struct fixture *f)
{
    int n_groups = fixture_int(1, GROUPS), n = fixture_int(1, INTERVALS);
    double length_s = fixture_int(0, 2) ? 40 : 3000;
    fixture_init(f, (size_t)n_groups);
    *w = (struct world){ .n_groups = n_groups, .n = n, .instance = random_instance() };
    f->instance = w->instance;
    f->n = (size_t)n;
    for (int g = 0; g < n_groups; g++)
        random_volumes(&w->groups[g], &f->groups[g]);
    for (int i = 0; i < n; i++) {
        w->edge_s[i + 1] = f->edge_s[i + 1] = w->edge_s[i] + fixture_between(1, length_s);
        for (int g = 0; g < n_groups; g++) {
            double m = fixture_int(0, 3) ? fixture_between(0, 120) : 0;
            double q = m * fixture_between(1, 30);
            w->groups[g].mibps[i] = f->mibps[g][i] = m;
            w->groups[g].iops[i] = f->iops[g][i] = q;
        }
    }
}

static void agree(double got, double want, double scale, const char *what, int round)
{
    if (!(fabs(got - want) <= 1e-6 * (1 + fabs(scale))))
        fail_msg("round %d: %s: replay %.12g, simulation %.12g", round, what, got, want);
}

static void volume_by_volume(void **state)
{
    (void)state;
    int throttled = 0, shared = 0, emptied = 0, drained = 0;
    for (int k = 0; k < fixture_rounds(FEW, MANY); k++) {
        struct world w;
        struct fixture f;
        random_case(&w, &f);
        simulate(&w);
        fixture_run(&f);
        double span = f.edge_s[f.n];
        for (size_t g = 0; g < f.n_groups; g++) {
            const struct group *x = &w.groups[g];
            const struct replay_result *r = &f.group[g];
            double by_instance_s = 0;
            for (int c = REPLAY_CARD_THROUGHPUT; c < REPLAY_CEILING_COUNT; c++)
                by_instance_s += r->binding_s[c];
            agree(r->throttled_s, x->throttled_s, span, "throttled", k);
            agree(r->over_s, x->over_s, span, "over", k);
            agree(r->served_mib, x->served_mib, r->asked_mib, "served", k);
            agree(r->backlog_mib, backlog_mib(&w, x), r->asked_mib, "backlog", k);
            agree(r->worst_backlog_mib, x->worst_backlog_mib, r->asked_mib, "worst backlog", k);
            agree(r->worst_delay_ms / 1000, x->worst_delay_s, span, "worst delay", k);
            agree(by_instance_s, x->bound_by_instance_s, span, "held by the instance", k);
            if (x->volumes[0].has_bucket)
                agree(r->credits / f.groups[g].credits,
                      x->volumes[0].credits / x->volumes[0].capacity, 1, "credits", k);
            throttled += r->throttled_s > 0;
            drained += r->throttled_s > r->over_s + 1e-6 && r->backlog_mib <= 0;
            emptied += r->empty_at_s >= 0;
            shared += by_instance_s > 0;
        }
        agree(f.host.throttled_s, w.throttled_s, span, "instance throttled", k);
        agree(f.host.over_s, w.over_s, span, "instance over", k);
        agree(f.host.worst_backlog_mib, w.worst_backlog_mib, f.host.asked_mib, "instance backlog",
              k);
        if (f.host.credits >= 0 && f.instance.burst == REPLAY_BURST_MINUTES)
            agree(f.host.credits, w.left_s, 1800, "minutes left", k);
        else if (f.host.credits >= 0)
            agree(f.host.credits, w.credits[0], w.credits[0], "burst credits", k);
    }
    print_message("groups throttled %d, drained %d, out of credits %d, held by the instance %d\n",
                  throttled, drained, emptied, shared);
    assert_true(throttled > 50 && drained > 20 && emptied > 20 && shared > 50);
}

/* One server: a request takes the longer of its MiB / throughput and its count / IOPS. */
static void request_by_request(void **state)
{
    (void)state;
    for (int k = 0; k < fixture_rounds(FEW / 5, MANY / 5); k++) {
        struct fixture f;
        fixture_init(&f, 1);
        double mibps = fixture_between(50, 150), iops = fixture_between(200, 800);
        f.groups[0].max_throughput_mibps = mibps;
        f.groups[0].max_iops = iops;
        int n = fixture_int(1, INTERVALS);
        double free_s = 0, busy_s = 0, worst_delay_s = 0, longest_s = 0;
        for (int i = 0; i < n; i++) {
            double length_s = fixture_between(5, 40), begin_s = f.edge_s[f.n];
            int requests = fixture_int(0, 3) ? (int)(length_s * fixture_between(50, 1200)) : 0;
            double mib = requests ? fixture_between(0.01, 0.25) : 0; /* of each */
            double takes_s = fmax(mib / mibps, 1 / iops);
            longest_s = fmax(longest_s, requests ? takes_s : 0);
            for (int r = 0; r < requests; r++) {
                double arrives_s = begin_s + length_s * (r + 0.5) / requests;
                free_s = fmax(free_s, arrives_s) + takes_s;
                busy_s += takes_s;
                worst_delay_s = fmax(worst_delay_s, free_s - takes_s - arrives_s);
            }
            fixture_add(&f, length_s, mib * requests / length_s, requests / length_s);
        }
        /* Long enough for everything to be served. */
        fixture_add(&f, 1000, 0, 0);
        fixture_run(&f);
        assert_near(f.group[0].backlog_mib, 0);
        double delay_s = f.group[0].worst_delay_ms / 1000;
        if (fabs(delay_s - worst_delay_s) > 3 * longest_s)
            fail_msg("round %d: delay %.6g s, of requests %.6g", k, delay_s, worst_delay_s);
        /* Throttled while more than a request waits, never longer than the server is busy. */
        assert_true(f.group[0].throttled_s <= busy_s + 3 * longest_s * n);
        double ends_s = f.group[0].first_throttled_s + f.group[0].throttled_s;
        assert_true(isnan(ends_s) || ends_s <= free_s + 3 * longest_s * n);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(volume_by_volume),
        cmocka_unit_test(request_by_request),
    };
    fixture_chance.state = seed_of_run(20100914);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
