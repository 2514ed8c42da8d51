/* tests/planner/replay/test_replay_property.c - what holds for any demand and any ceilings.
 * Seed printed, SEED= replays; FULL= runs many more rounds. */
#include "tests/planner/replay/replay_fixture.h"

enum { FEW = 2000, MANY = 40000 };

/* Rates of whole numbers at times, so that demand meets ceilings exactly. */
static double rate_between(double low, double high)
{
    double v = fixture_between(low, high);
    return fixture_int(0, 3) ? v : floor(v);
}

static struct replay_group random_group(void)
{
    struct replay_group g = replay_group_unknown();
    g.requests_per_mib = fixture_int(0, 3) ? 4 : 1;
    if (fixture_int(0, 5))
        g.max_throughput_mibps = rate_between(20, 150);
    if (fixture_int(0, 5))
        g.max_iops = rate_between(200, 1500);
    if (!isnan(g.max_iops) && fixture_int(0, 2)) {
        g.earn_iops = rate_between(20, 600);
        g.credits = rate_between(100, 40000);
        g.earns_while_bursting = fixture_int(0, 1);
    }
    g.card_share[0] = fixture_int(0, 4) / 4.0;
    g.card_share[1] = 1 - g.card_share[0];
    return g;
}

static struct replay_instance random_instance(void)
{
    struct replay_instance i = replay_instance_unknown();
    if (!fixture_int(0, 3))
        return i;
    i.max_mibps = rate_between(50, 300);
    i.baseline_mibps = fixture_int(0, 1) ? i.max_mibps : i.max_mibps * fixture_between(0.2, 1);
    i.max_iops = rate_between(300, 3000);
    i.baseline_iops = fixture_int(0, 1) ? i.max_iops : i.max_iops * fixture_between(0.2, 1);
    i.burst = fixture_int(0, 1) ? REPLAY_BURST_CREDITS : REPLAY_BURST_MINUTES;
    i.n_cards = fixture_int(0, 3) ? 0 : 2;
    return i;
}

/* requests_per_mib of every load; 0 = each interval its own. */
static void random_demand(struct fixture *f, double mix)
{
    /* Long intervals see an instance's half hours end. */
    double length_s = fixture_int(0, 2) ? 30 : 3000;
    f->n = (size_t)fixture_int(1, 12);
    for (size_t i = 0; i < f->n; i++) {
        f->edge_s[i + 1] = f->edge_s[i] + fixture_between(0.01, length_s);
        for (size_t g = 0; g < f->n_groups; g++) {
            f->mibps[g][i] = fixture_int(0, 2) ? rate_between(0, 120) : 0;
            f->iops[g][i] = f->mibps[g][i] * (mix > 0 ? mix : fixture_between(1, 40));
        }
    }
}

static void random_case(struct fixture *f, size_t n_groups)
{
    fixture_init(f, n_groups);
    for (size_t g = 0; g < n_groups; g++)
        f->groups[g] = random_group();
    f->instance = random_instance();
    random_demand(f, 0);
}

static void same(double got, double want, double scale, const char *what, int round)
{
    if (!(fabs(got - want) <= 1e-7 * (1 + fabs(scale))) && isnan(got) + isnan(want) != 2)
        fail_msg("round %d: %s is %.12g, want %.12g", round, what, got, want);
}

static void bytes_in_are_served_or_wait(void **state)
{
    (void)state;
    for (int k = 0; k < fixture_rounds(FEW, MANY); k++) {
        struct fixture f;
        random_case(&f, (size_t)fixture_int(1, FIXTURE_GROUPS));
        fixture_run(&f);
        double mib = 0, backlog = 0;
        for (size_t g = 0; g < f.n_groups; g++) {
            const struct replay_result *r = &f.group[g];
            double in_mib = 0, in_requests = 0, bound_s = 0;
            for (size_t i = 0; i < f.n; i++) {
                double dt = f.edge_s[i + 1] - f.edge_s[i];
                double least = f.mibps[g][i] * f.groups[g].requests_per_mib;
                in_mib += f.mibps[g][i] * dt;
                in_requests += fmax(f.iops[g][i], least) * dt;
            }
            for (int c = 0; c < REPLAY_CEILING_COUNT; c++)
                bound_s += r->binding_s[c];
            same(r->asked_mib, in_mib, in_mib, "asked", k);
            same(r->served_mib + r->backlog_mib, in_mib, in_mib, "served and backlog", k);
            same(r->served_requests + r->backlog_requests, in_requests, in_requests,
                 "served and waiting requests", k);
            same(bound_s, r->throttled_s, r->throttled_s, "binding seconds", k);
            same(r->replayed_s, f.edge_s[f.n], f.edge_s[f.n], "replayed", k);
            assert_true(r->over_s <= r->throttled_s * (1 + 1e-9) + 1e-9);
            assert_true(r->throttled_s <= f.host.throttled_s * (1 + 1e-9) + 1e-9);
            assert_true(r->worst_backlog_mib <= f.host.worst_backlog_mib * (1 + 1e-9) + 1e-9);
            assert_true(isnan(r->credits) ||
                        (r->credits >= r->lowest_credits && r->credits <= f.groups[g].credits));
            mib += r->served_mib;
            backlog += r->backlog_mib;
        }
        same(f.host.served_mib, mib, mib, "the instance's served", k);
        same(f.host.backlog_mib, backlog, backlog, "the instance's backlog", k);
    }
}

/* Ceilings and caps hold over every interval. */
static void nothing_is_served_above_a_ceiling(void **state)
{
    (void)state;
    for (int k = 0; k < fixture_rounds(FEW, MANY); k++) {
        struct fixture f;
        random_case(&f, (size_t)fixture_int(1, FIXTURE_GROUPS));
        double served[FIXTURE_GROUPS][16], of_host[16];
        struct replay_trace t[FIXTURE_GROUPS], host = { .served_mibps = of_host };
        for (size_t g = 0; g < f.n_groups; g++)
            t[g] = (struct replay_trace){ .served_mibps = served[g] };
        fixture_run_traced(&f, t, &host);
        for (size_t i = 0; i < f.n; i++) {
            for (size_t g = 0; g < f.n_groups; g++)
                assert_false(served[g][i] > f.groups[g].max_throughput_mibps * (1 + 1e-7));
            assert_false(of_host[i] > f.instance.max_mibps * (1 + 1e-7));
        }
    }
}

static void same_result(const struct replay_result *a, const struct replay_result *b, int round)
{
    double span = a->replayed_s, mib = a->asked_mib;
    same(b->throttled_s, a->throttled_s, span, "throttled", round);
    same(b->over_s, a->over_s, span, "over", round);
    same(b->first_throttled_s, a->first_throttled_s, span, "first throttled", round);
    same(b->worst_backlog_mib, a->worst_backlog_mib, mib, "worst backlog", round);
    same(b->worst_delay_ms, a->worst_delay_ms, span * 1000, "worst delay", round);
    same(b->served_mib, a->served_mib, mib, "served", round);
    same(b->served_requests, a->served_requests, a->asked_requests, "served requests", round);
    same(b->credits, a->credits, a->credits, "credits", round);
    same(b->lowest_credits, a->lowest_credits, a->credits, "lowest credits", round);
    same(b->empty_at_s, a->empty_at_s, span, "empty at", round);
    same(b->throughput_utilisation_pct, a->throughput_utilisation_pct, 100, "use", round);
    same(b->iops_utilisation_pct, a->iops_utilisation_pct, 100, "use of IOPS", round);
    for (int c = 0; c < REPLAY_CEILING_COUNT; c++)
        same(b->binding_s[c], a->binding_s[c], span, replay_ceiling_name((enum replay_ceiling)c),
             round);
}

static void splitting_an_interval_changes_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < fixture_rounds(FEW, MANY); k++) {
        struct fixture whole, split;
        random_case(&whole, (size_t)fixture_int(1, FIXTURE_GROUPS));
        split = whole;
        size_t at = (size_t)fixture_int(0, (int)whole.n - 1), pieces = (size_t)fixture_int(2, 4);
        double begin_s = whole.edge_s[at], dt = whole.edge_s[at + 1] - begin_s;
        split.n += pieces - 1;
        for (size_t i = whole.n; i > at; i--) {
            split.edge_s[i + pieces - 1] = whole.edge_s[i];
            for (size_t g = 0; g < whole.n_groups; g++) {
                split.mibps[g][i + pieces - 2] = whole.mibps[g][i - 1];
                split.iops[g][i + pieces - 2] = whole.iops[g][i - 1];
            }
        }
        for (size_t p = 1; p < pieces; p++) {
            split.edge_s[at + p] =
                begin_s + dt * ((double)p - fixture_between(0, 0.9)) / (double)pieces;
            for (size_t g = 0; g < whole.n_groups; g++) {
                split.mibps[g][at + p - 1] = whole.mibps[g][at];
                split.iops[g][at + p - 1] = whole.iops[g][at];
            }
        }
        fixture_run(&whole);
        fixture_run(&split);
        for (size_t g = 0; g < whole.n_groups; g++)
            same_result(&whole.group[g], &split.group[g], k);
        same_result(&whole.host, &split.host, k);
    }
}

/* Raises one ceiling; false when there is none of that kind. */
static bool raise_group(struct replay_group *g, int which, double by)
{
    double *ceiling[] = { &g->max_throughput_mibps, &g->max_iops, &g->earn_iops, &g->credits };
    if (isnan(*ceiling[which]))
        return false;
    *ceiling[which] *= by;
    return true;
}

static bool raise_instance(struct replay_instance *i, int which, double by)
{
    double *ceiling[] = { &i->max_mibps, &i->baseline_mibps, &i->max_iops, &i->baseline_iops };
    if (isnan(*ceiling[which]))
        return false;
    *ceiling[which] *= by;
    return true;
}

/* Where bursting costs the same however little it brings - an instance's half hour, a bucket that
 * does not earn meanwhile - requests are of one size: otherwise a ceiling that forbids it may save
 * it for requests that need it more. */
static void a_larger_ceiling_never_throttles_longer(void **state)
{
    (void)state;
    for (int k = 0; k < fixture_rounds(FEW, MANY);) {
        struct fixture f, larger;
        random_case(&f, 1);
        bool saves = !isnan(f.groups[0].credits) && !f.groups[0].earns_while_bursting;
        if (saves || f.instance.burst == REPLAY_BURST_MINUTES)
            random_demand(&f, 8);
        larger = f;
        int which = fixture_int(0, 7);
        double by = fixture_between(1, 3);
        if (which < 4 ? !raise_group(&larger.groups[0], which, by)
                      : !raise_instance(&larger.instance, which - 4, by))
            continue;
        fixture_run(&f);
        fixture_run(&larger);
        double span = f.edge_s[f.n];
        if (larger.group[0].throttled_s > f.group[0].throttled_s + 1e-7 * span)
            fail_msg("round %d: ceiling %d raised: throttled %.12g, before %.12g", k, which,
                     larger.group[0].throttled_s, f.group[0].throttled_s);
        /* A bucket that does not earn while bursting, or half an hour, may be spent on less. */
        bool may_serve_less = saves || larger.instance.baseline_mibps < larger.instance.max_mibps ||
                              larger.instance.baseline_iops < larger.instance.max_iops;
        if (larger.group[0].served_mib < f.group[0].served_mib * (1 - 1e-7) && !may_serve_less)
            fail_msg("round %d: ceiling %d raised: served %.12g MiB, before %.12g", k, which,
                     larger.group[0].served_mib, f.group[0].served_mib);
        k++;
    }
}

/* Every request is of one size and nothing is spent by bursting (volumes that earn all the time,
 * an instance without a burst): otherwise what is served early may cost credits, or room, that
 * would have served more later.  Without cards no group alone loses either. */
static void several_groups_never_lose_bytes_to_a_larger_instance(void **state)
{
    (void)state;
    for (int k = 0; k < fixture_rounds(FEW, MANY);) {
        struct fixture f, larger;
        random_case(&f, (size_t)fixture_int(2, FIXTURE_GROUPS));
        random_demand(&f, 8);
        for (size_t g = 0; g < f.n_groups; g++)
            f.groups[g].earns_while_bursting = true;
        f.instance.baseline_mibps = f.instance.max_mibps;
        f.instance.baseline_iops = f.instance.max_iops;
        larger = f;
        double by = fixture_between(1, 3);
        int which = fixture_int(0, 1);
        if (!raise_instance(&larger.instance, 2 * which, by) ||
            !raise_instance(&larger.instance, 2 * which + 1, by))
            continue;
        fixture_run(&f);
        fixture_run(&larger);
        if (larger.host.served_mib < f.host.served_mib * (1 - 1e-7))
            fail_msg("round %d: served %.12g MiB, before %.12g", k, larger.host.served_mib,
                     f.host.served_mib);
        for (size_t g = 0; g < f.n_groups && !f.instance.n_cards; g++)
            if (larger.group[g].served_mib < f.group[g].served_mib * (1 - 1e-7) - 1e-7)
                fail_msg("round %d: group %zu served %.12g MiB, before %.12g", k, g,
                         larger.group[g].served_mib, f.group[g].served_mib);
        k++;
    }
}

/* A group's own larger ceiling is another matter: its older load takes more of the instance.  Of
 * 2 MiB/s, A is asked for 10 MiB at once, B for 10 MiB a second later; B's volumes do 1.
 *   A's do 1: both are served at 1 side by side: 10 + 9 MiB in 10 s
 *   A's do 2: A has all for 5 s, then B is alone at 1: 10 + 5 MiB in 10 s */
static void a_faster_group_may_cost_the_others(void **state)
{
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        struct fixture f;
        fixture_init(&f, 2);
        f.instance = (struct replay_instance){ 2, 2, NAN, NAN, REPLAY_BURST_MINUTES, 0 };
        f.groups[0].max_throughput_mibps = fast ? 2 : 1;
        f.groups[1].max_throughput_mibps = 1;
        fixture_add(&f, 1e-6, 1e7, 0);
        fixture_add(&f, 1 - 1e-6, 0, 0);
        fixture_add(&f, 1e-6, 0, 0);
        fixture_add(&f, 9 - 1e-6, 0, 0);
        f.mibps[1][2] = 1e7;
        fixture_run(&f);
        assert_true(fabs(f.host.served_mib - (fast ? 15 : 19)) < 1e-4);
    }
}

static void equal_volumes_are_one_large_volume(void **state)
{
    (void)state;
    static const enum volume_type types[] = { VOL_GP3, VOL_GP2, VOL_IO2, VOL_ST1, VOL_SC1 };
    for (int k = 0; k < fixture_rounds(FEW, MANY); k++) {
        struct fixture many, one;
        fixture_init(&many, 1);
        int n = fixture_int(2, 12);
        enum volume_type type = types[fixture_int(0, 4)];
        int64_t gib = fixture_int(125, 600);
        many.groups[0] = fixture_volumes("2026-06-01", type, n, gib, 3000, 125, 1);
        random_demand(&many, 0);
        for (size_t i = 0; i < many.n; i++) {
            many.mibps[0][i] *= n * 2;
            many.iops[0][i] *= n * 2;
        }
        one = many;
        one.groups[0] = fixture_volumes("2026-06-01", type, 1, gib, 3000, 125, 1);
        one.groups[0].max_throughput_mibps *= n;
        one.groups[0].max_iops *= n;
        one.groups[0].earn_iops *= n;
        one.groups[0].credits *= n;
        fixture_run(&many);
        fixture_run(&one);
        same_result(&many.group[0], &one.group[0], k);
    }
}

static double extreme(void)
{
    static const double figures[] = { 0,    1e-300, 1e-12, 1e-3, 1,    7,   250, 3000,
                                      16e3, 1e9,    1e12,  1e15, 1e30, NAN, -1,  INFINITY };
    return figures[fixture_int(0, 15)];
}

/* Whatever the figures, it comes to an end, and what is believed of the demand is kept. */
static void extreme_figures_come_to_an_end(void **state)
{
    (void)state;
    for (int k = 0; k < fixture_rounds(FEW, MANY); k++) {
        struct fixture f;
        fixture_init(&f, (size_t)fixture_int(1, FIXTURE_GROUPS));
        for (size_t g = 0; g < f.n_groups; g++)
            f.groups[g] = (struct replay_group){ .max_throughput_mibps = extreme(),
                                                 .max_iops = extreme(),
                                                 .credits = extreme(),
                                                 .earn_iops = extreme(),
                                                 .requests_per_mib = extreme(),
                                                 .earns_while_bursting = fixture_int(0, 1),
                                                 .card_share = { extreme(), extreme() } };
        f.instance = (struct replay_instance){ .baseline_mibps = extreme(),
                                               .max_mibps = extreme(),
                                               .baseline_iops = extreme(),
                                               .max_iops = extreme(),
                                               .burst = fixture_int(0, 1) ? REPLAY_BURST_CREDITS
                                                                          : REPLAY_BURST_MINUTES,
                                               .n_cards = (size_t)fixture_int(0, 5) };
        f.n = 20;
        for (size_t i = 0; i < f.n; i++) {
            double length_s = fabs(extreme());
            f.edge_s[i + 1] = f.edge_s[i] + (length_s <= 1e6 ? length_s : 1e6);
            for (size_t g = 0; g < f.n_groups; g++) {
                f.mibps[g][i] = extreme();
                f.iops[g][i] = extreme();
            }
        }
        fixture_run(&f);
        for (size_t g = 0; g < f.n_groups; g++) {
            const struct replay_result *r = &f.group[g];
            assert_true(isfinite(r->asked_mib) && isfinite(r->asked_requests));
            same(r->served_mib + r->backlog_mib, r->asked_mib, r->asked_mib, "kept", k);
            assert_true(r->throttled_s <= r->replayed_s * (1 + 1e-9));
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_in_are_served_or_wait),
        cmocka_unit_test(nothing_is_served_above_a_ceiling),
        cmocka_unit_test(splitting_an_interval_changes_nothing),
        cmocka_unit_test(a_larger_ceiling_never_throttles_longer),
        cmocka_unit_test(several_groups_never_lose_bytes_to_a_larger_instance),
        cmocka_unit_test(a_faster_group_may_cost_the_others),
        cmocka_unit_test(equal_volumes_are_one_large_volume),
        cmocka_unit_test(extreme_figures_come_to_an_end),
    };
    fixture_chance.state = seed_of_run(20240229);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
